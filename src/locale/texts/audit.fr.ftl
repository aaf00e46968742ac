### Le journal : ce qui a été fait, et à quoi.

## What was done
audit-contact-created = Personne ajoutée
audit-contact-updated = Personne modifiée
audit-contact-deleted = Personne supprimée
audit-contact-imported = Personnes importées
audit-email-created = Adresse ajoutée
audit-email-updated = Adresse modifiée
audit-email-deleted = Adresse supprimée
audit-email-resumed = Envoi à une adresse repris
audit-membership-created = Inscription à une liste
audit-membership-updated = Inscription modifiée
audit-membership-deleted = Désinscription d’une liste
audit-list-created = Liste créée
audit-list-updated = Liste modifiée
audit-list-deleted = Liste supprimée
audit-alias-created = Alias créé
audit-alias-updated = Alias modifié
audit-alias-deleted = Alias supprimé
audit-message-published = Message envoyé
audit-message-deleted = Message retiré des archives
audit-message-approved = Message approuvé
audit-message-rejected = Message refusé
audit-message-discarded = Message écarté
audit-pending-approved = Demande acceptée
audit-pending-rejected = Demande refusée
audit-pending-discarded = Demande écartée
audit-admin-created = Administrateur ou clé ajoutés
audit-admin-updated = Administrateur ou clé modifiés
audit-admin-deleted = Administrateur ou clé supprimés
audit-account-created = Compte créé
audit-account-updated = Compte modifié
audit-account-deleted = Compte supprimé
audit-field-created = Champ personnalisé créé
audit-field-updated = Champ personnalisé renommé
audit-field-deleted = Champ personnalisé supprimé
audit-domain-updated = Clés d’un domaine modifiées
audit-queue-updated = File d’attente modifiée
audit-server-updated = Serveur modifié
audit-session-ended = Session terminée
audit-pending-created = Approbation demandée
audit-session-started = Connexion
audit-message-imported = Messages importés
audit-message-written = Message écrit sur les pages
audit-message-redacted = Mots retirés d’un message
audit-message-restored = Message rétabli
audit-thread-closed = Fil de discussion fermé
audit-thread-opened = Fil de discussion rouvert
audit-exported = Téléchargement de données
audit-sign-in = Connexion d’un administrateur
audit-sign-in-failed = Tentative de connexion avec un mot de passe ou un code erroné
audit-message-scheduled = Message planifié
audit-message-canceled = Message planifié annulé
audit-message-tested = Test envoyé
audit-account-suspended = Compte suspendu
audit-account-restored = Compte rétabli
audit-grant = Accès d’une application accordé ou retiré

## Kinds of things
audit-of-contact = Personne
audit-of-email = Adresse
audit-of-membership = Inscription
audit-of-list = Liste
audit-of-alias = Alias
audit-of-message = Message
audit-of-held = Message en attente d’approbation
audit-of-pending = Demande
audit-of-admin = Administrateur ou clé
audit-of-account = Compte
audit-of-field = Champ personnalisé
audit-of-domain = Domaine
audit-of-queue = Courriels en file d’attente
audit-of-server = Serveur
audit-of-session = Session
audit-of-thread = Fil de discussion
audit-of-export = Données téléchargées
audit-of-grant = Application

# An administrator or key in the filter that has no name.
audit-nameless = Sans nom

# A line on the first page: who, and what was done.
audit-line = { $actor } : { $what }
