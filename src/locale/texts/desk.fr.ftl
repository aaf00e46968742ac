### Pages des administrateurs : approbations, messages, journal, serveur.

## Approvals
desk-approvals = Approbations
desk-kinds = Type
desk-held-messages = Messages
desk-people-waiting = Personnes
desk-lists-waiting = Nouvelles listes
desk-held-search = Rechercher dans les objets et les expéditeurs
desk-held-reason = Raison
desk-all-reasons = Toutes les raisons
desk-held-age = En attente depuis
desk-any-age = Toutes les durées
desk-older-day = Plus d’un jour
desk-older-week = Plus d’une semaine
desk-older-month = Plus de 30 jours
desk-held-from = Expéditeur
desk-held-found = { $count ->
    [one] { $count } message trouvé.
   *[other] { $count } messages trouvés.
}
# In place of the selected ones: all that the search and the filters find.
desk-all-found = Les { $count } messages, pas seulement ceux de cette page
desk-first-found = Les { $most } plus anciens des { $count } messages, pas seulement ceux de cette page
desk-no-held = Aucun message n’attend de décision.
desk-no-held-next = Dès qu’il y en aura un, il apparaîtra ici.
desk-no-people = Personne ne demande à s’inscrire ni à quitter une liste.
desk-no-lists = Aucune nouvelle liste n’attend d’être approuvée.
desk-read = Lire le message
# $what is a subject, or a title such as "Somebody would like to join news".
desk-select = Sélectionner : { $what }
desk-approve-one = Approuver : { $what }
desk-reject-one = Refuser : { $what }
desk-discard-one = Supprimer sans prévenir : { $what }
desk-reject-more = Refuser…
desk-with-selected = Avec les éléments sélectionnés :
desk-allow = Approuver et autoriser l’expéditeur
desk-ban = Supprimer et bannir l’expéditeur
desk-senders-next = Un expéditeur autorisé peut désormais écrire à cette liste. Les messages d’un expéditeur banni sont refusés. Les deux se modifient dans les réglages de la liste.
desk-keys-move = déplacer
desk-keys-approve = approuver
desk-keys-reject = refuser
desk-keys-discard = supprimer sans prévenir
desk-reason-keep = Garder cette explication pour la prochaine fois
desk-reason-kept = Ou une explication gardée
desk-reason-forget = Oublier l’explication choisie
desk-reason-forgotten = Cette explication est oubliée.
desk-select-first = Veuillez d’abord sélectionner quelque chose.
desk-no-sender = Ce message n’a pas d’adresse d’expéditeur à autoriser ou à bannir. Rien n’a changé.
desk-gone = Un élément sélectionné n’est plus ici.
# $already is a sentence such as "It was approved already, by Ada on 20 November 2026, 16:20 UTC."
desk-decided-before = { $what } – { $already } Cette décision reste valable.
desk-approved = { $count ->
    [one] { $count } élément est approuvé.
   *[other] { $count } éléments sont approuvés.
}
desk-rejected = { $count ->
    [one] { $count } élément est refusé.
   *[other] { $count } éléments sont refusés.
}
desk-discarded = { $count ->
    [one] { $count } élément est supprimé sans prévenir.
   *[other] { $count } éléments sont supprimés sans prévenir.
}
# $what is the subject of a message, $sender its sender or the address of the sender, $who an address.
desk-approved-message = « { $what } » de { $sender } est approuvé.
desk-rejected-message = « { $what } » de { $sender } est refusé.
desk-discarded-message = « { $what } » de { $sender } est supprimé, et personne n’est prévenu.
desk-approved-join = L’inscription de { $who } à { $list } est approuvée.
desk-approved-leave = Le départ de { $who } de la liste { $list } est approuvé.
desk-approved-list = La nouvelle liste { $list } est approuvée.
desk-rejected-request = La demande de { $who } pour { $list } est refusée.
desk-discarded-request = La demande de { $who } pour { $list } est supprimée, et personne n’est prévenu.
desk-rejected-list = La nouvelle liste { $list } est refusée.
desk-discarded-list = La nouvelle liste { $list } est supprimée, et personne n’est prévenu.
desk-banned-sender = L’adresse { $sender } est bannie de la liste { $list } : les messages qui en viennent sont désormais refusés.
desk-allowed-sender = L’adresse { $sender } peut désormais écrire à la liste { $list }.
desk-more-of-sender = { $count ->
    [one] { $count } autre message de { $sender } est en attente
   *[other] { $count } autres messages de { $sender } sont en attente
}
# Read aloud behind the name of the page in the menu.
desk-menu-waiting = { $count ->
    [one] { ", " }{ $count } en attente
   *[other] { ", " }{ $count } en attente
}

## Why somebody got a message, or did not. $time is a text like "20 November 2026, 16:20 UTC", $day one like "20 November 2026", $reply the words of another server.
desk-why-delivered = Remis le { $time }.
desk-why-delivered-to = Remis le { $time } : { $server } l’a accepté.
desk-why-digest = Remis le { $time }, dans le récapitulatif du { $day }.
desk-why-on-hold = Pas encore envoyé : la personne qui gère ce serveur le retient.
desk-why-deferred = Pas encore remis. Nous réessayons le { $time }. La dernière réponse était : { $reply }
desk-why-queued = L’envoi est prévu le { $time }.
desk-why-sending = En cours d’envoi : il part dans un instant.
desk-why-refused = Non remis : envoi abandonné le { $time }. La dernière réponse était : { $reply }
desk-why-failed = Non remis : envoi abandonné le { $time }.
desk-why-skipped = Non envoyé : le { $time }, quand son tour est venu, la personne avait quitté la liste ou suspendu l’envoi.
desk-why-next-digest = En attente du prochain récapitulatif, le { $time }.
desk-why-a-digest = En attente du prochain récapitulatif.
desk-why-no-member = N’est pas membre de la liste.
desk-why-joined-later = Inscription le { $time }, après le message.
desk-why-web-only = Lit cette liste sur le web et n’en reçoit aucun e-mail.
desk-why-paused-until = Non envoyé : l’envoi à cette adresse est suspendu jusqu’au { $day }.
desk-why-paused = Non envoyé : l’envoi à cette adresse est suspendu.
desk-why-dead = Non envoyé : adresse suspendue depuis le { $day }, car son serveur a dit qu’elle n’existe pas : { $reply }
desk-why-soft = Non envoyé : adresse suspendue depuis le { $day }, car les messages revenaient en erreur depuis huit jours : { $reply }
desk-why-complaint = Non envoyé : adresse suspendue depuis le { $day }, car un message a été signalé comme spam.
desk-why-next-probe = Nous réessayons le { $day }.
desk-why-was-paused = Non envoyé : l’adresse était suspendue quand le message est arrivé.
desk-why-no-trace = Il n’y en a aucune trace : les traces sont gardées 30 jours, et une adresse ajoutée plus tard n’a rien reçu.
desk-why-unknown = Personne ici n’a cette adresse.
desk-suspended = Ces pages sont fermées pour le moment
desk-suspended-next = La personne qui gère ce serveur a suspendu ce compte. Veuillez réessayer plus tard.

## Messages
desk-messages = Messages
desk-messages-search = Mots
desk-all-lists = Toutes les listes
desk-messages-none = Il n’y a pas de message ici.
desk-messages-count = { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
desk-messages-at-least = { $count ->
    [one] Au moins { $count } message
   *[other] Au moins { $count } messages
}
desk-time = Date
desk-message-sent = Le message est en cours d’envoi aux membres.
desk-message-scheduled = Le message est programmé et partira à l’heure prévue.
desk-message-canceled = Le message ne sera pas envoyé.
desk-message-deleted = Le message n’est plus dans les archives.
desk-scheduled = Messages programmés
desk-scheduled-at = envoi prévu le { $time }
desk-scheduled-stopped = Non envoyé
desk-scheduled-stopped-why = Son auteur n’avait plus le droit de l’envoyer à l’heure prévue.
desk-scheduled-cancel = Ne pas envoyer
desk-scheduled-cancel-one = Ne pas envoyer : { $subject }
# $by is a person, $received and $time are moments, $reason is a sentence.
desk-message-approved = Arrivé le { $received }, il devait être approuvé : { $reason }. { $by } l’a approuvé le { $time }.
desk-message-text = Le message
desk-message-archive = L’ouvrir dans les archives
desk-message-delete = Le retirer des archives
desk-message-delete-hint = Ce qui est en cours d’envoi part quand même. L’original reste scellé pendant 30 jours et peut être rétabli sur sa page des archives.
desk-why = Qui l’a reçu, qui non, et pourquoi ?
desk-why-label = Adresse ou nom
desk-why-search = Rechercher
desk-why-nobody = Personne ici ne porte ce nom.
desk-copies = Copies
desk-copies-count = { $count ->
    [one] { $count } copie au total
   *[other] { $count } copies au total
}
desk-state-queued = En attente
desk-state-deferred = Nouvel essai prévu
desk-state-delivered = Remises
desk-state-failed = Non remises
desk-state-skipped = Non envoyées

## Writing a message
desk-compose = Écrire un message
desk-compose-text = Texte
desk-compose-tags = Sur les listes qui insèrent les noms, ceci est remplacé pour chaque membre :
desk-compose-format = Mise en forme
desk-compose-plain = Aucune, le texte tel quel
desk-compose-simple = Mise en forme simple
desk-compose-simple-hint = # titre, **gras**, *italique*, - ou 1. pour les listes, > pour les citations, [mots](https://example.org) pour les liens
desk-compose-html = Votre propre HTML
desk-compose-html-hint = Il remplace la mise en forme ci-dessus. Les scripts, styles et formulaires sont retirés.
desk-compose-files = Fichiers
desk-compose-files-hint = Jusqu’à { $size } en tout, dans la limite de ce que la liste accepte.
desk-compose-files-again = Veuillez choisir de nouveau vos fichiers : les navigateurs ne les gardent pas.
desk-compose-files-many = { $count ->
    [one] Il y a de la place pour { $count } fichier.
   *[other] Il y a de la place pour { $count } fichiers.
}
desk-compose-too-large = Cette liste accepte des messages jusqu’à { $size }.
desk-compose-text-long = Ce texte dépasse { $size }. Seul son début est peut-être affiché ici.
desk-compose-html-deep = Ce HTML a trop d’éléments, ou trop d’éléments les uns dans les autres.
desk-compose-file-remove = Retirer { $name }
desk-compose-files-kept = Ces fichiers partent avec le message. Ils restent ici pendant un jour, même après un aperçu.
desk-compose-files-gone = Un fichier n’est plus gardé ici. Veuillez le choisir de nouveau.
desk-compose-files-large = Les fichiers dépassent { $size } au total.
desk-compose-discard = Supprimer ce brouillon
desk-compose-drafts = Vos autres brouillons
desk-compose-draft-untitled = Pas encore d’objet
desk-compose-no-list = Veuillez choisir une liste.
desk-compose-sender = Un autre expéditeur que la liste
desk-compose-from-phrase = Nom de l’expéditeur
desk-compose-from-address = Adresse de l’expéditeur
desk-compose-contact = L’afficher comme ce membre le reçoit
desk-compose-contact-hint = Une adresse ou un nom, pour l’aperçu et l’essai. Vide : un membre dont on ne sait rien.
desk-compose-no-contact = Personne dans le carnet d’adresses n’a cette adresse ni ce nom.
desk-compose-send-at = Envoyer le
desk-compose-send-at-hint = Vide : maintenant. Les heures sont celles de { $zone }.
desk-compose-time-wrong = Une date et une heure s’écrivent comme 2026-12-24T18:00.
desk-compose-time-past = Cette heure est passée. Laissez vide pour envoyer maintenant.
desk-compose-time-far = Cette heure est dans plus d’un an.
desk-compose-too-many = Trop de messages sont déjà programmés.
desk-compose-buttons = Actions
desk-compose-send = Envoyer
desk-compose-preview = Prévisualiser
desk-compose-preview-for = Tel que { $address } le recevrait
desk-compose-test = M’envoyer un essai
desk-compose-tested = Un essai vient d’être envoyé à { $address }. Personne d’autre ne le reçoit.
desk-compose-no-address = Vous n’avez pas d’adresse à laquelle envoyer un essai.
desk-compose-sent-already = Ce formulaire a déjà été envoyé, et ce que vous avez modifié depuis ne l’a pas été. Veuillez commencer un nouveau message.

## The audit log
desk-audit = Journal
desk-audit-lede = Qui a fait quoi, quand et d’où. Personne ne peut modifier ce journal, et il est gardé un an, sauf si la personne qui gère le serveur en décide autrement.
desk-audit-none = Rien dans le journal ne correspond.
desk-audit-all = Tous
desk-audit-via = Par quel moyen
desk-audit-actor = Qui
desk-audit-action = Quoi
desk-audit-object = Sur quoi
desk-audit-since = À partir de ce jour
desk-audit-until = Jusqu’à ce jour
desk-audit-detail = Détails
desk-via-page = Site web
desk-via-api = API
desk-via-mail = E-mail
desk-via-link = Lien dans un e-mail
desk-via-command = Ligne de commande
desk-via-server = Le serveur lui-même

## The server
desk-server = Serveur
desk-server-version = Version
desk-server-suspended = Comptes suspendus
# $state is one of the states of the queue below.
desk-server-copies = Copies : { $state }
desk-server-destinations = Où le plus de copies sont en attente
desk-server-lately = Événements récents
desk-queue = File d’envoi
desk-queue-waiting = en attente
desk-queue-in-flight = en cours d’envoi
desk-queue-held = retenues
desk-queue-quarantined = mises de côté
desk-queue-settled = terminées
desk-queue-destination = Domaine des destinataires, ou relais
desk-queue-empty = Rien n’est en attente.
desk-queue-select = Sélectionner le lot { $number }
desk-queue-copies = { $count ->
    [one] { $count } copie
   *[other] { $count } copies
}
desk-queue-attempts = { $count ->
    [one] { $count } essai
   *[other] { $count } essais
}
desk-queue-restored = Cette file vient d’une sauvegarde du { $time }. Ce qui était en attente alors est retenu, car cela a pu être envoyé après la sauvegarde ; les nouveaux messages sont envoyés. Sur le serveur, cette commande libère tout :
desk-queue-retry = Essayer maintenant
desk-queue-hold = Retenir
desk-queue-release = Libérer
desk-queue-delete = Abandonner
desk-queue-changed = { $count ->
    [one] { $count } lot est modifié.
   *[other] { $count } lots sont modifiés.
}
desk-accounts = Comptes
desk-account-works = Actif
# $day is a text like "20 November 2026".
desk-account-suspended-since = Suspendu depuis le { $day }
desk-account-deleted-on = Sera supprimé le { $day }
desk-account-lists = { $count ->
    [one] { $count } liste
   *[other] { $count } listes
}
desk-account-people = { $count ->
    [one] { $count } personne
   *[other] { $count } personnes
}
desk-account-open = Son administration
desk-account-make = Créer un compte
desk-account-name = Nom
desk-account-name-hint = Ses pages se trouvent à /~ suivi de ce nom.
desk-account-domain = Domaine
desk-account-administrator = Administration
desk-account-administrator-hint = Cette adresse reçoit un lien pour choisir un mot de passe.
desk-account-holds = Contient
desk-account-save = Enregistrer
desk-account-suspend = Suspendre
desk-account-resume = Réactiver
desk-account-delete = Supprimer
desk-account-restore = Rétablir
desk-account-hint = Un compte suspendu n’accepte aucun message, et ses pages et ses clés ne fonctionnent plus. Un compte supprimé peut être rétabli pendant 30 jours.
desk-account-changed = Quelqu’un d’autre vient de modifier ce compte. Votre modification n’a pas eu lieu.
desk-account-made = Le compte est créé. La personne qui l’administre reçoit un e-mail.
desk-account-saved = Le compte est enregistré.
desk-account-suspended = Le compte est suspendu.
desk-account-resumed = Le compte est de nouveau actif.
desk-account-deleted = Le compte est suspendu et sera supprimé dans 30 jours.
desk-account-restored = Le compte est rétabli et de nouveau actif.
desk-keys = Clés du serveur
desk-keys-lede = Avec une telle clé, on peut tout faire dans tous les comptes.
desk-keys-none = Il n’y a pas de clé.
desk-key-make = Créer une clé
desk-key-purpose = À quoi elle sert
desk-key-needs-purpose = Veuillez dire à quoi sert la clé.
desk-key-made = Voici la clé. Elle ne s’affiche que cette fois : copiez-la maintenant.
desk-key-delete = Supprimer
# $made is the time when the key was made, $used the time of its last use, or that there was none.
desk-key-times = Créée le { $made } · dernière utilisation : { $used }
# $purpose is what the key is for.
desk-key-delete-one = Supprimer la clé pour { $purpose }
desk-key-deleted = La clé est supprimée et n’ouvre plus rien.

## Brouillons et messages en attente, sur la page des messages et là où on les modifie

desk-drafts = Brouillons
desk-drafts-lede = Personne d’autre ne voit vos brouillons. Chacun est gardé un jour après votre dernière modification.
desk-draft-kept = Votre brouillon est gardé pendant un jour.
desk-draft-discarded = Le brouillon est supprimé.
desk-draft-discard = Supprimer
desk-draft-discard-one = Supprimer le brouillon : { $subject }
desk-files-count = { $count ->
    [one] { $count } fichier
   *[other] { $count } fichiers
}
desk-scheduled-change = Modifier
desk-scheduled-change-one = Modifier : { $subject }
desk-scheduled-send = Envoyer maintenant
desk-scheduled-send-one = Envoyer maintenant : { $subject }
desk-scheduled-gone = Ce message n’est plus en attente : il a été envoyé ou annulé entre-temps.
desk-compose-change = Modifier un message
desk-compose-waits = Ce message partira le { $time }. Il reste tel quel tant que vous n’enregistrez pas vos modifications. Si vous videz la date, il part dès que vous enregistrez.
desk-compose-save = Enregistrer les modifications
desk-compose-keep = Garder comme brouillon
desk-compose-gone = Ce message a été envoyé ou annulé pendant que vous le modifiiez. Vos modifications n’ont pas été envoyées. Pour les envoyer tout de même, commencez un nouveau message.
desk-compose-changed = Quelqu’un d’autre a modifié ce message entre-temps ; votre version n’a donc pas été enregistrée. Ouvrez-le de nouveau depuis les messages programmés.

## Approvals: who wrote, what came from there before, and senders who are stopped
# A badge beside the subject of a message that waits.
desk-sender-member = Membre
desk-sender-other-address = Autre adresse
desk-sender-no-member = Pas membre
# A line of the facts on the page of one message that waits.
desk-sender = Expéditeur
# Why the message waits, behind that badge. $reason is a half sentence such as “every message to this list needs approval”.
desk-held-reason-is = En attente : { $reason }.
desk-sender-stranger = Cette adresse n’est pas membre de { $list }.
desk-sender-as = Un membre de { $list } porte ce nom, avec l’adresse { $address } ; ce message vient d’une autre adresse.
desk-sender-known = Dans le carnet d’adresses, mais pas membre de { $list }.
desk-sender-not-chosen = Membre, mais seules certaines personnes peuvent écrire à { $list }.
# Earlier messages of a sender: “12 posts, none refused in the last 30 days.”
desk-history = { $posted }, { $refused }.
desk-history-first = Premier message de cette adresse.
desk-history-no-posts = Aucun message publié
desk-history-posts = { $count ->
    [one] { $count } message publié
   *[other] { $count } messages publiés
}
desk-history-many = { $count } messages publiés ou plus
desk-history-none-refused = aucun refusé ces 30 derniers jours
desk-history-refused = { $count ->
    [one] { $count } refusé ces 30 derniers jours
   *[other] { $count } refusés ces 30 derniers jours
}
# The field below the selected messages.
desk-reason-all = Votre explication à toute la sélection, si vous refusez
# On the page of a message that went out, and in the archive below “Moderate”. $sender is an address.
desk-stop = Bloquer cet expéditeur
desk-stop-hint = La liste { $list } refusera désormais ce que { $sender } envoie. Ce qui est déjà parti reste.
desk-stopped = { $list } refuse ce que { $sender } envoie.

## Undoing what an administrator did. $who is one name or several, $list the name of a list
# Several names: “Ada, Bob and 3 more”.
undo-more = { $names } et { $count } de plus
undo-nameless = (sans nom)
undo-removed = Retrait de { $list } : { $who }.
undo-added = Ajout à { $list } : { $who }.
undo-set = La réception de { $list } est réglée pour { $who }.
undo-resumed = Les messages partent de nouveau pour { $who }.
undo-deleted = Suppression : { $who }.
undo-alias-deleted = Alias supprimé : { $who }.
undo-list-set = Les réglages de { $list } sont modifiés.
undo-account-set = Les réglages du compte sont modifiés.
undo-banned = Exclu de { $list } : { $who }.
undo-allowed = Peut désormais écrire à { $list } : { $who }.
undo-button = Annuler
# Beside the button; $time is a text like “tomorrow, 20:59”.
undo-until = Possible jusqu’à { $time }.
# The page of one action.
undo-title = Annuler cette action ?
undo-next = Tout redevient comme avant, sauf ce que quelqu’un a modifié depuis, et sauf pour les personnes qui ont quitté la liste ou signalé un spam depuis.
undo-done-title = Action annulée
undo-none-title = Rien n’a pu être annulé
undo-done = Comme avant : { $who }.
undo-left = Ce qui reste tel quel :
undo-left-opted-out = { $who } : départ ou signalement comme spam depuis.
undo-left-changed = { $who } : quelqu’un a fait une modification depuis.
undo-left-there = { $who } : c’était déjà le cas.
undo-left-gone = { $who } : la liste ou la personne n’existe plus.
undo-left-taken = { $who } : l’adresse ou le nom appartient désormais à quelqu’un d’autre.
undo-left-full = { $who } : le carnet d’adresses est plein.
undo-over = C’est déjà annulé, ou le délai d’un jour est passé
undo-over-next = Les modifications peuvent être annulées pendant un jour. Le journal dit ce qui a été fait.
undo-imported = Importation : { $who }.

## What was missing on the pages of messages
desk-compose-first-list = Créez d’abord une liste : un message part à ses membres.
# $time is a time, such as "tomorrow, 06:00".
desk-copies-digest = Les membres qui reçoivent des récapitulatifs l’auront avec le prochain : { $time }.

## The page of the server
desk-server-since = En marche depuis

## Messages that wait for approval
desk-held-filter = Rechercher et filtrer
