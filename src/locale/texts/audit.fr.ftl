### Le journal : ce qui a été fait, et à quoi.

## What was done
audit-contact-created = Personne ajoutée
audit-contact-updated = Personne modifiée
audit-contact-deleted = Personne supprimée
audit-contact-imported = Personnes importées
audit-email-created = Adresse ajoutée
audit-email-updated = Adresse modifiée
audit-email-deleted = Adresse supprimée
audit-email-resumed = Envoi repris vers une adresse
audit-membership-created = Inscription à une liste
audit-membership-updated = Inscription modifiée
audit-membership-deleted = Retrait d’une liste
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
audit-message-discarded = Message supprimé sans prévenir
audit-pending-approved = Demande approuvée
audit-pending-rejected = Demande refusée
audit-pending-discarded = Demande supprimée sans prévenir
audit-admin-created = Ajout à l’administration ou clé créée
audit-admin-updated = Administration ou clé modifiée
audit-admin-deleted = Retrait de l’administration ou clé supprimée
audit-account-created = Compte créé
audit-account-updated = Compte modifié
audit-account-deleted = Compte supprimé
audit-field-created = Champ personnalisé créé
audit-field-updated = Champ personnalisé renommé
audit-field-deleted = Champ personnalisé supprimé
audit-domain-updated = Clés d’un domaine modifiées
audit-queue-updated = File d’envoi modifiée
audit-server-updated = Serveur modifié
audit-session-ended = Session terminée
audit-pending-created = Approbation demandée
audit-session-started = Connexion
audit-message-imported = Messages importés
audit-message-written = Message écrit sur le site
audit-message-redacted = Mots retirés d’un message
audit-message-restored = Message rétabli
audit-thread-closed = Conversation fermée
audit-thread-opened = Conversation rouverte
audit-exported = Données téléchargées
audit-sign-in = Connexion à l’administration
audit-sign-in-failed = Essai de connexion avec un mot de passe ou un code erroné
audit-message-scheduled = Message programmé
audit-message-canceled = Message programmé annulé
audit-message-tested = Essai envoyé
audit-account-suspended = Compte suspendu
audit-account-restored = Compte rétabli
audit-grant = Autorisation d’une application accordée ou retirée
audit-webhook-created = Webhook créé
audit-webhook-updated = Webhook modifié
audit-webhook-deleted = Webhook supprimé

## Kinds of things
audit-of-contact = Personne
audit-of-email = Adresse
audit-of-membership = Inscription
audit-of-list = Liste
audit-of-alias = Alias
audit-of-message = Message
audit-of-held = Message en attente
audit-of-pending = Demande
audit-of-admin = Administration ou clé
audit-of-account = Compte
audit-of-field = Champ personnalisé
audit-of-domain = Domaine
audit-of-queue = File d’envoi
audit-of-server = Serveur
audit-of-session = Session
audit-of-thread = Conversation
audit-of-export = Fichier de données
audit-of-grant = Application
audit-of-webhook = Webhook

# An administrator or key in the filter that has no name.
audit-nameless = Sans nom

# A line on the first page: who, and what was done.
audit-line = { $actor } : { $what }

## What a change of settings was, on the overview and in the audit log
# A setting with its values: “Description: old → new”.
audit-changed = { $label } : { $before } → { $after }
audit-changed-more = { $count ->
    [one] et { $count } autre réglage
   *[other] et { $count } autres réglages
}
# The value of a setting that is several texts, such as addresses.
audit-several = { $count ->
    [0] rien
    [one] { $count } entrée
   *[other] { $count } entrées
}
