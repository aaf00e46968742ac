### Pages des administrateurs : aperçu, personnes, imports.

## Every listing: its search, its pages, its file.

listing-search = Rechercher
listing-all = Tout afficher
# The name of the links to other pages, for people who hear it read.
listing-pages = Pages
listing-before = Précédent
listing-after = Suivant
listing-csv = Télécharger en CSV

## The address book.

nav-people = Personnes
nav-import = Importation
admin-people-search = Nom ou adresse
admin-people-list = Liste
admin-people-list-all = Toutes les listes
admin-people-lists = Listes
admin-people-state = État
admin-people-state-all = Tout le monde
admin-people-state-bouncing = Messages revenus en erreur
admin-people-state-paused = Suspension volontaire
admin-people-since = Depuis
admin-people-person = Personne
admin-people-select = Sélectionner
admin-people-nameless = (sans nom)
admin-people-more = { $count ->
    [one] et { $count } autre
   *[other] et { $count } autres
}
admin-people-count = { $count ->
    [one] { $count } personne
   *[other] { $count } personnes
}
admin-people-found = { $count ->
    [one] { $count } personne trouvée
   *[other] { $count } personnes trouvées
}
admin-people-some = Personnes trouvées
admin-people-cut = Beaucoup de personnes correspondent, et seule une partie a été examinée. Ajoutez un mot pour trouver la bonne.
admin-people-none = Il n’y a encore personne ici. Ajoutez des personnes une à une, ou importez un fichier.
admin-people-not-found = Personne ne correspond.
admin-people-new = Ajouter quelqu’un
admin-people-selected = Avec les personnes sélectionnées
admin-people-choose-list = Choisir une liste…
admin-people-add = Ajouter à la liste
admin-people-remove = Retirer de la liste
admin-people-resume = Reprendre l’envoi
admin-people-delete = Supprimer…
admin-people-delete-hint = Elles quittent toutes les listes, et leurs adresses et leurs notes sont supprimées. Vous pouvez annuler pendant un jour.
admin-people-delete-button = Supprimer les personnes sélectionnées
admin-people-none-selected = Veuillez sélectionner au moins une personne.
admin-people-no-list = Veuillez choisir une liste.
admin-people-done-delete = { $count ->
    [one] { $count } personne est supprimée.
   *[other] { $count } personnes sont supprimées.
}
admin-people-done-add = { $count ->
    [one] { $count } personne a été ajoutée à la liste.
   *[other] { $count } personnes ont été ajoutées à la liste.
}
admin-people-opted-out = { $count ->
    [one] { $count } personne avait quitté la liste, signalé un spam ou refusé l’inscription ailleurs, et n’a pas été ajoutée.
   *[other] { $count } personnes avaient quitté la liste, signalé un spam ou refusé l’inscription ailleurs, et n’ont pas été ajoutées.
}
admin-people-done-remove = { $count ->
    [one] { $count } personne a été retirée de la liste.
   *[other] { $count } personnes ont été retirées de la liste.
}
admin-people-done-resume = { $count ->
    [one] { $count } personne reçoit de nouveau les messages.
   *[other] { $count } personnes reçoivent de nouveau les messages.
}

## States of addresses, in words.

admin-state-active = Reçoit les messages
admin-state-paused = Suspendue
admin-state-not-from = Tout sauf { $lists }
admin-state-trouble = Erreurs récentes
admin-cause-dead = Adresse inexistante
admin-cause-soft = Messages revenus en erreur
admin-cause-complaint = Signalement comme spam
admin-address-active = Reçoit les messages des listes.
admin-address-paused = Suspendue par quelqu’un pour une durée indéterminée.
admin-address-until = Suspendue par la personne jusqu’au { $day }.
admin-address-dead = Suspendue depuis le { $day }, car son serveur a dit qu’elle n’existe pas.
admin-address-soft = Suspendue depuis le { $day }, car les messages revenaient en erreur depuis huit jours.
admin-address-dead-said = Suspendue depuis le { $day }, car son serveur a dit : « { $said } »
admin-address-soft-said = Suspendue depuis le { $day }, car les messages revenaient en erreur depuis huit jours ; son serveur a dit : « { $said } »
admin-address-complaint = Suspendue depuis le { $day }, car un message a été signalé comme spam.
admin-address-probe = Prochain essai le { $day }.
admin-address-asked = Nous ne réessayons pas de nous-mêmes : ne reprenez l’envoi que si la personne le demande.
admin-address-given-up = Nous n’essayons plus de nous-mêmes. Si vous savez que l’adresse fonctionne, reprenez l’envoi.
admin-address-trouble = Des messages sont récemment revenus en erreur ; son serveur a dit : « { $said } »
admin-address-confirmed = Confirmée par la personne elle-même.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, depuis { $from }
admin-got = Remis
admin-got-waits = En cours d’envoi
admin-got-refused = Refusé
admin-got-paused = Non envoyé : adresse suspendue
admin-got-unknown = Trace supprimée
admin-got-not = Non envoyé

## One person.

admin-person-since = Dans le carnet d’adresses depuis le { $day }.
admin-person-new-lede = Aucun e-mail n’est envoyé, sauf si une liste ou le compte a un message de bienvenue.
admin-person-add = Ajouter
admin-person-emails = Adresses
admin-person-emails-hint = Une par ligne.
admin-person-ccid = Votre identifiant
admin-person-ccid-hint = Par exemple le numéro dans votre fichier des membres. Il doit être unique ; laissez vide si vous n’en utilisez pas.
admin-person-notes = Notes
admin-person-notes-hint = L’administration les voit, ainsi que la personne, dans le fichier de tout ce qui est gardé à son sujet.
admin-person-addresses = Où vont les messages
admin-person-address = Adresse
admin-person-digest = Un récapitulatif par jour
admin-person-paused = Suspendue
admin-person-resume = Reprendre maintenant
admin-person-no-lists = Cette personne n’est membre d’aucune liste.
admin-person-how = Réception des messages
admin-person-how-address = Selon le réglage des adresses
admin-person-web-only = Aucun e-mail, lit sur le web
admin-person-leave = Retirer de la liste
admin-person-join = Ajouter à une liste
admin-person-got = Messages récents et leur sort
admin-person-got-none = Aucune liste de cette personne n’a encore de message.
admin-person-message = Message
admin-person-when = Quand
admin-person-outcome = Résultat
admin-person-why = Pourquoi ?
admin-person-edit = Modifier la fiche
admin-person-evidence = Consentement
admin-person-evidence-none = Aucune demande d’inscription confirmée n’est gardée. Les listes ci-dessus disent comment cette personne en est devenue membre.
admin-person-asked = Demande
admin-person-confirmed = Confirmation
admin-person-agreed = Texte accepté
admin-person-export = Télécharger toutes les données (JSON)
admin-person-export-posts = Télécharger les messages (mbox)
admin-person-erase = Effacer les données
admin-person-erase-hint = La personne quitte toutes les listes, et ses données sont effacées : adresses, notes, preuves et ce qui est en attente. C’est définitif.
admin-person-posts = Que deviennent ses messages ?
admin-person-posts-keep = Ils restent dans les archives, sous le nom « ancien membre ».
admin-person-posts-remove = Ils sont retirés des archives.
admin-person-erase-button = Effacer les données de cette personne
admin-person-erase-not-chosen = Veuillez choisir ce que deviennent les messages de cette personne.
admin-person-done-new = C’est ajouté.
admin-person-done-save = C’est enregistré.
admin-person-done-email = Le réglage de l’adresse est enregistré.
admin-person-done-resume = Les messages vont de nouveau à cette adresse.
admin-person-done-membership = C’est enregistré pour cette liste.
admin-person-done-join = La personne est ajoutée à la liste.
admin-person-done-leave = La personne est retirée de la liste.
admin-person-done-erase = Les données de la personne sont effacées. Ses messages et les traces suivent en quelques minutes.

## The overview.

nav-overview = Vue d’ensemble
nav-administration = Administration
overview-todo = À traiter
overview-nothing = Il n’y a rien à traiter.
overview-look = à vérifier
overview-held = { $count ->
    [one] message attend une décision
   *[other] messages attendent une décision
}
overview-pending = { $count ->
    [one] demande attend une décision
   *[other] demandes attendent une décision
}
overview-oldest = Arrivée la plus ancienne : { $time }.
overview-bouncing = { $count ->
    [one] adresse n’accepte plus les messages
   *[other] adresses n’acceptent plus les messages
}
overview-bouncing-hint = L’envoi y est suspendu jusqu’à ce que quelqu’un vérifie.
overview-dns = { $count ->
    [one] domaine a des enregistrements DNS incorrects
   *[other] domaines ont des enregistrements DNS incorrects
}
overview-stuck = { $count ->
    [one] destination est injoignable
   *[other] destinations sont injoignables
}
overview-disk-full = Le disque est presque plein : il reste { $free }. Les nouveaux messages sont refusés.
overview-disk-failing = Le disque est en panne : rien ne peut être enregistré.
overview-certificate = Le certificat expire le { $day }.
overview-posts = Messages par mois
overview-posts-title = Messages par mois sur les douze derniers mois, entre { $least } et { $most }
overview-posts-count = Messages
overview-month = Mois
overview-day = Jour
overview-people = Personnes
overview-people-title = Évolution du nombre de personnes dans le carnet d’adresses, entre { $least } et { $most }
overview-memberships = Inscriptions
overview-figures = Les chiffres
overview-lately = Récemment
overview-audit = Voir le journal

## Imports of people.

import-heading = Importer des personnes
import-lede = Envoyez un fichier ou collez des lignes. Vous voyez ce qui se passerait avant tout changement.
import-file = Fichier
import-file-hint = Un CSV de carnet d’adresses ou de tableur, ou du JSON, jusqu’à 20 Mo.
import-paste = Ou coller des lignes
import-paste-hint = Une personne par ligne. La première ligne peut nommer les colonnes ; des adresses seules suffisent.
import-more = Séparateur et encodage
import-separator = Séparateur des cellules
import-charset = Encodage
import-find-out = Détecter automatiquement
import-commas = virgules
import-semicolons = points-virgules
import-tabs = tabulations
import-bars = barres verticales
import-preview = Voir ce qui se passerait
import-earlier = Importations des derniers jours
import-pasted = Lignes collées
import-empty = Il n’y a aucune ligne. Veuillez choisir un fichier ou coller des lignes.
import-head-alone = Il y a des noms de colonnes, mais aucune ligne en dessous.
import-too-large = C’est trop à la fois : { $rows } lignes de { $columns } colonnes au plus. Veuillez diviser le fichier.
import-state-draft = Non commencée, { $time }
import-state-running = En cours, { $time }
import-state-stopped = Arrêtée, { $time }
import-state-done = Terminée, { $time }
import-would = Voici ce qui se passerait
import-about = { $rows ->
    [one] { $name }, { $rows } ligne, { $separator }, { $charset }
   *[other] { $name }, { $rows } lignes, { $separator }, { $charset }
}
import-nothing-yet = Rien n’a changé pour l’instant.
import-count-new = Nouvelles personnes
import-count-changed = Modifiées
import-count-same = Inchangées
import-count-refused = Refusées
import-columns = Contenu des colonnes
import-columns-hint = Après une modification, vérifiez de nouveau ce qui se passerait.
import-column = Colonne { $number }
import-example = Par exemple : { $value }
import-leave-out = Ignorer
import-emails = Adresse
import-name = Nom complet
import-lists = Noms de listes
import-no-emails = Veuillez dire quelle colonne contient les adresses.
import-known = Les personnes déjà présentes
import-known-update = sont mises à jour d’après les lignes
import-known-skip = gardent leurs informations et reçoivent seulement ce qui leur manque
import-join = Inscrire tout le monde à
import-begin = Importer
import-look-again = Vérifier de nouveau
import-refused = Lignes refusées
import-refused-hint = Elles sont ignorées ; les autres lignes ne sont pas touchées. Les premières :
import-row = Ligne
import-cells = Cellules
import-why = Raison
import-what = Effet
import-taken = Nouvelles et modifiées, les premières
import-new = Nouvelle
import-changed = Modifiée
import-title-running = Importation de { $name }
import-title-stopped = L’importation de { $name } est arrêtée
import-title-done = L’importation de { $name } est terminée
import-done = L’importation est terminée.
import-stopped = L’importation a été arrêtée. Ce qui est déjà importé reste.
import-trouble-no-admin = La personne qui a commencé cette importation ne fait plus partie de l’administration.
import-trouble-not-saved = Le serveur n’a rien pu enregistrer. Veuillez continuer plus tard.
import-running = L’importation est en cours. Vous pouvez fermer cette page ; elle continue d’elle-même, même après un redémarrage du serveur.
import-progress = { $done } lignes sur { $rows }
import-refresh = Actualiser
import-stop = Arrêter
import-stop-hint = Si vous arrêtez, les personnes déjà importées restent.
import-continue = Continuer
import-rejects = Télécharger les lignes refusées en CSV
import-rejects-hint = La dernière colonne dit pourquoi. Corrigez les lignes et importez ce fichier plus tard. Nous le gardons une semaine.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = Cette personne reçoit-elle les messages ?
admin-mail-no-lists = Elle n’est membre d’aucune liste : aucun message ne lui est envoyé.
admin-mail-all = Oui, les messages de toutes ses listes lui sont envoyés.
admin-mail-none = Non, aucun message ne lui est envoyé en ce moment.
admin-mail-some = En partie : les messages de { $some } listes sur { $all } lui sont envoyés.
admin-mail-web-only = { $list } : elle lit cette liste sur le web et n’en reçoit aucun e-mail.
admin-mail-all-paused = { $list } : rien n’est envoyé, car toutes ses adresses sont suspendues.
admin-mail-single = { $list } : chaque message est envoyé à { $at }.
admin-mail-digest = { $list } : un récapitulatif par jour est envoyé à { $at }.
admin-mail-both = { $list } : chaque message est envoyé à { $at }, et un récapitulatif par jour à { $digest_at }.
opt-out-link = a quitté { $list } le { $day } par un lien
opt-out-mail = a quitté { $list } le { $day } par e-mail
opt-out-page = a quitté { $list } le { $day } sur les pages des membres
opt-out-request = a quitté { $list } le { $day } par une demande approuvée
opt-out-complaint = a signalé comme spam, le { $day }, un message envoyé d’ici
opt-out-import = avait refusé l’inscription dans un autre système, d’après une importation du { $day }
opt-out-erasure = a demandé le { $day } l’effacement de ses données
opt-out-override = Ajouter aussi les personnes qui ont quitté une liste ou signalé un spam. La loi ne le permet que si elles ont redemandé des messages depuis ; gardez-en la preuve.
import-opted-out = { $count ->
    [one] Une personne des lignes refusées avait quitté une liste, signalé un spam ou refusé l’inscription ailleurs, et n’est pas ajoutée.
   *[other] { $count } personnes des lignes refusées avaient quitté une liste, signalé un spam ou refusé l’inscription ailleurs, et ne sont pas ajoutées.
}
import-decides = Dit qui reçoit les messages ; jamais ignorée
import-attributes = Champs personnalisés (JSON)
import-workbook = C’est un classeur Excel ; enregistrez-le au format CSV.
import-cards = C’est un carnet d’adresses au format vCard. Veuillez l’exporter au format CSV.
opt-out-not-added = { $said } : pas d’ajout
import-joined-at = Date d’inscription de la personne, comme preuve
import-joined-from = Adresse réseau de la personne à l’inscription, comme preuve

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = Premiers pas
overview-step-dns = Publier les enregistrements DNS de votre domaine
overview-step-dns-hint = Pour que les fournisseurs fassent confiance à vos messages.
overview-step-list = Créer votre première liste
overview-step-list-hint = Une adresse qui atteint tous ses membres.
overview-step-people = Ajouter des personnes
overview-step-people-hint = Une par une, ou toutes à la fois depuis un fichier.
overview-step-message = Écrire un premier message
overview-step-message-hint = Vous pouvez d’abord vous envoyer un essai.
overview-step-helper = Se faire aider
overview-step-helper-hint = Une deuxième personne dans l’administration peut prendre le relais en votre absence.
overview-step-factor = Activer la double authentification
overview-step-factor-hint = Un mot de passe volé ne suffit alors plus.
# The table of lists.
overview-lists = Vos listes
overview-list = Liste
overview-list-posts = Messages ce mois-ci
overview-list-last = Dernier message
overview-list-never = aucun
overview-list-waiting = En attente
overview-lists-all = Toutes les listes
# What is well; $facts are the texts below, one after the other.
overview-well = Tout va bien : { $facts }.
overview-well-else = Le reste va bien : { $facts }.
overview-well-dns = les enregistrements DNS sont corrects
overview-well-queue-empty = la file d’envoi est vide
overview-well-queue = { $count ->
    [one] { $count } copie est en route
   *[other] { $count } copies sont en route
}
overview-well-disk = il y a de la place sur le disque
overview-well-certificate = le certificat est valable jusqu’au { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = dernière sauvegarde : { $time }
overview-backup-none = Aucune sauvegarde n’a encore été faite.
overview-backup-failed = La dernière sauvegarde a échoué.
overview-backup-last = La plus récente : { $time }.
# Lines of what happened. $who is a person’s address or the name of a key, $name the person, list or subject to which it was done.
lately-somebody = Quelqu’un
lately-person = une personne
lately-member-added = { $who } a ajouté { $name } à { $list }
lately-member-removed = { $who } a retiré { $name } de { $list }
lately-member-changed = { $who } a changé la réception de { $list } pour { $name }
lately-joined = { $who } a rejoint { $list }
lately-left = { $who } a quitté { $list }
lately-contact-created = { $who } a ajouté { $name } au carnet d’adresses
lately-contact-restored = { $who } a rétabli { $name }
lately-contact-updated = { $who } a modifié la fiche de { $name }
lately-contact-deleted = { $who } a supprimé { $name }
lately-imported = { $who } a importé des personnes : { $made } nouvelles, { $changed } modifiées
lately-email-updated = { $who } a modifié une adresse ({ $name })
lately-list-created = { $who } a créé la liste { $name }
lately-list-updated = { $who } a modifié les réglages de { $name }
lately-list-deleted = { $who } a supprimé la liste { $name }
lately-alias-created = { $who } a créé l’alias { $name }
lately-alias-deleted = { $who } a supprimé l’alias { $name }
lately-published = { $who } a envoyé « { $name } »
lately-approved = { $who } a approuvé « { $name } »
lately-rejected = { $who } a refusé « { $name } »
lately-discarded = { $who } a supprimé « { $name } » sans prévenir
lately-taken-out = { $who } a retiré « { $name } » des archives
lately-admin-created = { $who } a donné des droits à { $name }
lately-admin-updated = { $who } a modifié les droits ou la connexion de { $name }
lately-signed-in = { $who } a ouvert une session
lately-exported = { $who } a téléchargé des données
lately-import-begun = { $who } a commencé une importation

## Every listing: many at once
# A box above the rows that selects them all; with a script alone.
listing-select-page = Tout sélectionner sur cette page
# In place of the selected rows: all that the search and the filters find.
listing-all-found = Les { $count } personnes, pas seulement celles de cette page
listing-first-found = Les { $most } premières personnes trouvées, pas seulement celles de cette page
# Beside a value, with a script alone.
copy-button = Copier
copy-done = Copié

## Imports: people without a list, their own fields, and the way to who was imported
import-no-list = Personne n’est inscrit à une liste : les personnes sont seulement ajoutées au carnet d’adresses. Choisissez une liste ci-dessous si elles doivent en recevoir les messages.
import-fields-hint = Pour vos propres colonnes, par exemple un pupitre ou un numéro de téléphone, créez d’abord un champ dans les réglages.
import-fields-link = Champs des personnes
import-see-people = Voir les dernières personnes ajoutées
# The state of an old message for somebody who joined afterwards.
admin-got-before = Avant l’inscription
# The heading above the files with what is kept about a person.
admin-person-data = Données
import-for-good = Une importation de plus de 1 000 lignes ne peut pas être annulée.

## Importing people from JSON
import-json-broken = Ce fichier JSON est illisible, ou il ne contient personne.

## Lines of what happened lately, of which only some fit or have a name
lately-key-created = { $who } a créé la clé « { $name } »
lately-key-created-nameless = { $who } a créé une clé
lately-others = { $names } et d’autres
