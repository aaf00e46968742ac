### Pages des administrateurs : aperçu, personnes, imports.

## Every listing: its search, its pages, its file.

listing-search = Chercher
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
admin-people-state-bouncing = Messages renvoyés
admin-people-state-paused = Suspendu par quelqu’un
admin-people-since = Depuis
admin-people-person = Personne
admin-people-select = Choisir
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
admin-people-cut = Beaucoup de personnes correspondent et seule une partie a été regardée. Un mot de plus trouvera la bonne.
admin-people-none = Il n’y a encore personne ici. Ajoutez des personnes une à une, ou importez un fichier.
admin-people-not-found = Personne ne correspond.
admin-people-new = Ajouter quelqu’un
admin-people-selected = Avec les personnes choisies
admin-people-choose-list = Choisir une liste…
admin-people-add = Ajouter à la liste
admin-people-remove = Retirer de la liste
admin-people-resume = Reprendre l’envoi
admin-people-delete = Supprimer…
admin-people-delete-hint = Elles quittent toutes les listes, et leurs adresses et notes sont supprimées. Vous pouvez l’annuler pendant un jour.
admin-people-delete-button = Supprimer les personnes choisies
admin-people-none-selected = Veuillez choisir au moins une personne.
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
    [one] { $count } personne s’est désinscrite ou s’est plainte, et n’a pas été ajoutée.
   *[other] { $count } personnes se sont désinscrites ou se sont plaintes, et n’ont pas été ajoutées.
}
admin-people-done-remove = { $count ->
    [one] { $count } personne a été retirée de la liste.
   *[other] { $count } personnes ont été retirées de la liste.
}
admin-people-done-resume = { $count ->
    [one] { $count } personne reçoit de nouveau le courriel.
   *[other] { $count } personnes reçoivent de nouveau le courriel.
}

## States of addresses, in words.

admin-state-active = Reçoit les messages
admin-state-paused = Suspendu
admin-state-not-from = Pas de { $lists }
admin-state-trouble = Courriel revenu récemment
admin-cause-dead = Boîte inexistante
admin-cause-soft = Messages renvoyés
admin-cause-complaint = Signalement comme spam
admin-address-active = Reçoit les messages des listes.
admin-address-paused = Suspendue par quelqu’un pour une durée indéterminée.
admin-address-until = Suspendue par la personne jusqu’au { $day }.
admin-address-dead = Suspendue depuis le { $day }, car son serveur dit que cette boîte n’existe pas.
admin-address-soft = Suspendue depuis le { $day }, car le courriel revenait depuis huit jours.
admin-address-dead-said = Suspendue depuis le { $day }, car son serveur a dit : « { $said } »
admin-address-soft-said = Suspendue depuis le { $day }, car le courriel revenait depuis huit jours ; son serveur a dit : « { $said } »
admin-address-complaint = Suspendue depuis le { $day }, car un message a été signalé comme spam.
admin-address-probe = Prochain essai le { $day }.
admin-address-asked = Nous ne réessayons pas de nous-mêmes : ne reprenez que si la personne le demande.
admin-address-given-up = Nous n’essayons plus de nous-mêmes. Si vous savez qu’elle fonctionne, reprenez.
admin-address-trouble = Du courriel est revenu récemment ; son serveur a dit : « { $said } »
admin-address-confirmed = Confirmée par la personne à qui elle appartient.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, depuis { $from }
admin-got = Remis
admin-got-waits = En route
admin-got-refused = Refusé
admin-got-paused = Non envoyé : suspendu
admin-got-unknown = Plus d’information
admin-got-not = Non envoyé

## One person.

admin-person-since = Dans le carnet d’adresses depuis le { $day }.
admin-person-new-lede = Personne ne reçoit de courriel, sauf si une liste ou le compte a un mot de bienvenue.
admin-person-add = Ajouter
admin-person-emails = Adresses
admin-person-emails-hint = Une par ligne.
admin-person-ccid = Votre identifiant
admin-person-ccid-hint = Par exemple le numéro de votre fichier. Il doit être unique ; laissez vide si vous n’en avez pas.
admin-person-notes = Notes
admin-person-notes-hint = Visibles par l’administration, et par la personne dans le fichier de tout ce qui est gardé sur elle.
admin-person-addresses = Où part le courriel
admin-person-address = Adresse
admin-person-digest = Un courriel par jour
admin-person-paused = Suspendue
admin-person-resume = Reprendre maintenant
admin-person-no-lists = Cette personne n’est sur aucune liste.
admin-person-how = Comment arrivent les messages
admin-person-how-address = Comme réglé pour les adresses
admin-person-web-only = Pas de courriel, lit sur le web
admin-person-leave = Retirer de la liste
admin-person-join = Ajouter à une liste
admin-person-got = Messages récents et ce qu’ils sont devenus
admin-person-got-none = Aucune liste de cette personne n’a encore de messages.
admin-person-message = Message
admin-person-when = Quand
admin-person-outcome = Résultat
admin-person-why = Pourquoi ?
admin-person-edit = Modifier
admin-person-evidence = Consentement
admin-person-evidence-none = Aucune demande d’inscription confirmée n’est conservée. Les listes ci-dessus disent comment la personne y est arrivée.
admin-person-asked = Demandé
admin-person-confirmed = Confirmé
admin-person-agreed = Accepté
admin-person-export = Télécharger tout ce qui est conservé (JSON)
admin-person-export-posts = Télécharger les messages (mailbox)
admin-person-erase = Effacer
admin-person-erase-hint = La personne quitte toutes les listes et est oubliée : adresses, notes, preuves et ce qui attend une décision. On ne peut pas revenir en arrière.
admin-person-posts = Que deviennent ses messages ?
admin-person-posts-keep = Ils restent dans les archives, d’un « ancien membre ».
admin-person-posts-remove = Ils sont retirés des archives.
admin-person-erase-button = Effacer cette personne
admin-person-erase-not-chosen = Choisissez ce que deviennent les messages de cette personne.
admin-person-done-new = Ajouté.
admin-person-done-save = Enregistré.
admin-person-done-email = L’adresse est réglée comme vous le souhaitez.
admin-person-done-resume = Le courriel part de nouveau à cette adresse.
admin-person-done-membership = Enregistré pour cette liste.
admin-person-done-join = Ajouté à la liste.
admin-person-done-leave = Retiré de la liste.
admin-person-done-erase = La personne est effacée. Messages et traces suivent en quelques minutes.

## The overview.

nav-overview = Vue d’ensemble
nav-administration = Administration
overview-todo = À traiter
overview-nothing = Rien à traiter.
overview-look = à regarder
overview-held = { $count ->
    [one] message attend une décision
   *[other] messages attendent une décision
}
overview-pending = { $count ->
    [one] demande attend une décision
   *[other] demandes attendent une décision
}
overview-oldest = Depuis le plus longtemps : { $time }.
overview-bouncing = { $count ->
    [one] adresse n’accepte plus les messages
   *[other] adresses n’acceptent plus les messages
}
overview-bouncing-hint = L’envoi y est suspendu.
overview-dns = { $count ->
    [one] domaine a des enregistrements DNS erronés
   *[other] domaines ont des enregistrements DNS erronés
}
overview-stuck = { $count ->
    [one] destination est injoignable
   *[other] destinations sont injoignables
}
overview-disk-full = Le disque est presque plein : il reste { $free }. Le nouveau courriel est refusé.
overview-disk-failing = Le disque est en panne : rien ne peut être enregistré.
overview-certificate = Le certificat expire le { $day }.
overview-posts = Messages par mois
overview-posts-title = Messages par mois sur les douze derniers mois, entre { $least } et { $most }
overview-posts-count = Messages
overview-month = Mois
overview-day = Jour
overview-people = Personnes
overview-people-title = Personnes du carnet d’adresses au fil du temps, entre { $least } et { $most }
overview-memberships = Abonnements
overview-figures = Les chiffres
overview-lately = Récemment
overview-audit = Voir le journal

## Imports of people.

import-heading = Importer des personnes
import-lede = Envoyez un fichier ou collez des lignes. Vous voyez ce qui se passerait avant tout changement.
import-file = Fichier
import-file-hint = Un CSV de carnet d’adresses ou de tableur, jusqu’à 20 Mo.
import-paste = Ou coller des lignes
import-paste-hint = Une personne par ligne. La première ligne peut nommer les colonnes ; des adresses seules suffisent.
import-more = Séparateur et codage
import-separator = Entre deux cellules
import-charset = Codage
import-find-out = Trouver
import-commas = des virgules
import-semicolons = des points-virgules
import-tabs = des tabulations
import-bars = des barres verticales
import-preview = Voir ce qui se passerait
import-earlier = Importations des derniers jours
import-pasted = Lignes collées
import-empty = Il n’y a aucune ligne. Veuillez choisir un fichier ou en coller.
import-head-alone = Il y a des noms de colonnes, et aucune ligne dessous.
import-too-large = C’est trop à la fois : au plus { $rows } lignes de { $columns } colonnes. Veuillez le diviser.
import-state-draft = Pas commencée, { $time }
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
import-count-same = Déjà pareilles
import-count-refused = Refusées
import-columns = Ce qu’est chaque colonne
import-columns-hint = Après un changement, regardez de nouveau ce qui se passerait.
import-column = Colonne { $number }
import-example = Par exemple : { $value }
import-leave-out = Laisser de côté
import-emails = Adresse
import-name = Nom entier
import-lists = Noms de listes
import-no-emails = Veuillez dire quelle colonne contient les adresses.
import-known = Les personnes déjà présentes
import-known-update = remplacer leurs informations par celles des lignes
import-known-skip = gardent leurs informations et reçoivent seulement ce qui manque
import-join = Mettre tout le monde sur
import-begin = Importer
import-look-again = Regarder de nouveau
import-refused = Lignes refusées
import-refused-hint = Elles sont laissées de côté ; les autres lignes ne sont pas touchées. Les premières :
import-row = Ligne
import-cells = Cellules
import-why = Pourquoi
import-what = Quoi
import-taken = Nouvelles et modifiées, les premières
import-new = Nouvelle
import-changed = Modifiée
import-title-running = Importation de { $name }
import-title-stopped = L’importation de { $name } est arrêtée
import-title-done = L’importation de { $name } est terminée
import-done = L’importation est terminée.
import-stopped = L’importation a été arrêtée. Ce qui est importé reste.
import-trouble-no-admin = La personne qui a commencé cette importation ne fait plus partie des administrateurs.
import-trouble-not-saved = Le serveur n’a rien pu enregistrer. Veuillez continuer plus tard.
import-running = L’importation est en cours. Vous pouvez fermer cette page ; elle continue d’elle-même, même après un redémarrage du serveur.
import-progress = { $done } lignes sur { $rows }
import-refresh = Actualiser
import-stop = Arrêter
import-stop-hint = Si vous arrêtez, les personnes déjà importées restent.
import-continue = Continuer
import-rejects = Télécharger les lignes refusées en CSV
import-rejects-hint = La dernière colonne dit pourquoi. Corrigez-les et importez ce fichier plus tard. Nous les gardons une semaine.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = Cette personne reçoit-elle le courriel ?
admin-mail-no-lists = Sur aucune liste : aucun courriel de liste ne part.
admin-mail-all = Oui, le courriel de chaque liste part.
admin-mail-none = Non, aucun courriel ne part en ce moment.
admin-mail-some = En partie : le courriel de { $some } listes sur { $all } part.
admin-mail-web-only = { $list } : lit cette liste sur le web et n’en reçoit aucun courriel.
admin-mail-all-paused = { $list } : rien ne part, car l’envoi à toutes les adresses est suspendu.
admin-mail-single = { $list } : chaque message part vers { $at }.
admin-mail-digest = { $list } : un résumé par jour part vers { $at }.
admin-mail-both = { $list } : chaque message part vers { $at }, et un résumé par jour vers { $digest_at }.
opt-out-link = a quitté { $list } le { $day } par le lien
opt-out-mail = a quitté { $list } le { $day } par courriel
opt-out-page = a quitté { $list } le { $day } sur les pages des membres
opt-out-request = a quitté { $list } le { $day } par une demande approuvée
opt-out-complaint = a signalé le { $day } comme indésirables des messages d’ici
opt-out-import = s’est désabonné dans un autre système, selon une importation du { $day }
opt-out-erasure = a demandé le { $day } l’effacement de ses données
opt-out-override = Ajouter aussi les personnes qui sont parties ou se sont plaintes. La loi ne le permet que si elles ont redemandé des messages depuis ; gardez-en la preuve.
import-opted-out = { $count ->
    [one] Une personne des lignes refusées est partie, s’est plainte ou s’est désabonnée ailleurs, et n’est pas ajoutée.
   *[other] { $count } personnes des lignes refusées sont parties, se sont plaintes ou se sont désabonnées ailleurs, et ne sont pas ajoutées.
}
import-decides = Dit qui reçoit des messages ; jamais omise
import-attributes = Champs personnalisés (JSON)
import-workbook = C’est un classeur Excel ; enregistrez-le au format CSV.
import-cards = C’est un carnet d’adresses en vCard. Veuillez l’exporter au format CSV.
opt-out-not-added = { $said } : non ajouté
import-joined-at = Quand la personne s’est inscrite, comme preuve
import-joined-from = Depuis quelle adresse réseau la personne s’est inscrite, comme preuve

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = Premiers pas
overview-step-dns = Publier les enregistrements DNS de votre domaine
overview-step-dns-hint = Pour que les fournisseurs fassent confiance aux messages d’ici.
overview-step-list = Créer votre première liste
overview-step-list-hint = Une adresse qui atteint tous ses membres.
overview-step-people = Ajouter des personnes
overview-step-people-hint = Une par une, ou toutes à la fois depuis un fichier.
overview-step-message = Écrire un premier message
overview-step-message-hint = Vous pouvez d’abord vous envoyer un test.
overview-step-helper = Se faire aider
overview-step-helper-hint = Une deuxième personne peut prendre le relais en votre absence.
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
overview-well = Tout va bien : { $facts }.
overview-well-else = Le reste va bien : { $facts }.
overview-well-dns = les enregistrements DNS sont corrects
overview-well-queue-empty = la file d’attente est vide
overview-well-queue = { $count ->
    [one] { $count } copie est en route
   *[other] { $count } copies sont en route
}
overview-well-disk = il y a de la place sur le disque
overview-well-certificate = le certificat est valable jusqu’au { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = dernière sauvegarde : { $time }
overview-backup-none = Aucune sauvegarde n’a encore été faite.
overview-backup-failed = La dernière sauvegarde a échoué.
overview-backup-last = La plus récente : { $time }.
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
lately-contact-updated = { $who } a modifié les informations de { $name }
lately-contact-deleted = { $who } a supprimé { $name }
lately-imported = { $who } a importé des personnes : { $made } nouvelles, { $changed } modifiées
lately-email-updated = { $who } a modifié l’adresse { $name }
lately-list-created = { $who } a créé la liste { $name }
lately-list-updated = { $who } a modifié les réglages de { $name }
lately-list-deleted = { $who } a supprimé la liste { $name }
lately-alias-created = { $who } a créé l’alias { $name }
lately-alias-deleted = { $who } a supprimé l’alias { $name }
lately-published = { $who } a envoyé « { $name } »
lately-approved = { $who } a approuvé « { $name } »
lately-rejected = { $who } a refusé « { $name } »
lately-discarded = { $who } a écarté « { $name } »
lately-taken-out = { $who } a retiré « { $name } » des archives
lately-admin-created = { $who } a donné des droits à { $name }
lately-admin-updated = { $who } a modifié les droits ou la connexion de { $name }
lately-signed-in = Connexion de { $who }
lately-exported = { $who } a téléchargé des données
lately-import-begun = { $who } a commencé un import

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
import-no-list = Personne n’est inscrit à une liste : les personnes sont seulement ajoutées au carnet d’adresses. Choisissez une liste ci-dessous si elles doivent en recevoir les messages.
import-fields-hint = Pour une colonne à vous, comme un pupitre ou un téléphone, créez d’abord un champ dans les réglages.
import-fields-link = Champs des personnes
import-see-people = Voir les dernières personnes ajoutées
# The state of an old message for somebody who joined afterwards.
admin-got-before = Avant l’inscription
# The heading above the files with what is kept about a person.
admin-person-data = Données
import-for-good = Un import de plus de 1 000 lignes ne peut pas être annulé.
