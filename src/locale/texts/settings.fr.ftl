### Administrators' pages: settings of lists and accounts, administrators and keys.

## Every form of settings.

# $label is the name of a field, $problem a sentence about its value.
set-problem = { $label } : { $problem }
set-save = Enregistrer les réglages
set-saved = Les réglages sont enregistrés.
set-discard = Annuler

## Settings of an account.

nav-settings = Réglages
set-account-title = Réglages de { $account }
set-account-parts = Parties des réglages
set-account-fields = Champs des personnes
set-account-domains = Domaines
set-group-identity = Qui vous êtes
set-group-identity-hint = Ce que l’on voit sur vos pages et dans vos e-mails.
set-acc-name = Nom court
set-acc-name-help = Lettres, chiffres, point, trait d’union et tiret bas. Si plusieurs organisations partagent ce serveur, il figure dans les adresses de vos pages : si vous le modifiez, les liens que quelqu’un a gardés ne mènent plus nulle part.
set-acc-description = Nom affiché
set-acc-description-help = Il figure sur vos pages et dans les e-mails que le serveur écrit pour vous. À défaut, c’est le nom court.
set-acc-language = Langue
set-acc-language-help = Celle des e-mails que le serveur écrit, et des pages pour les visiteurs dont le navigateur n’en demande pas d’autre.
set-acc-timezone = Fuseau horaire
set-acc-timezone-help = Par exemple Europe/Paris. Les récapitulatifs sont envoyés à six heures du matin dans ce fuseau, et toutes les dates et heures affichées en dépendent.
set-acc-custom_image = Image en haut de vos pages
set-acc-custom_image-help = L’adresse d’une image, https://… Le serveur la charge et en garde une copie, pour que les visiteurs ne la demandent à personne d’autre. Vide : pas d’image.
set-group-joining = Inscription et départ
set-group-joining-hint = Pour chaque liste qui ne prévoit rien d’autre. Le bouton « Se désabonner » des messageries fonctionne toujours.
set-acc-subscriptions = Qui peut s’inscrire ?
set-acc-subscriptions-help = Par les pages, par e-mail et par les formulaires de votre propre site.
set-open = Tout le monde
set-open-hint = Dès que l’adresse est confirmée.
set-open-confirm = Tout le monde, après approbation
set-open-confirm-hint = Les demandes attendent sous Approbations.
set-closed = Sur invitation seulement
set-closed-join-hint = C’est vous qui ajoutez les membres. La liste ne figure alors pas dans l’annuaire.
set-closed-leave-hint = C’est vous qui retirez les membres. Le bouton de leur messagerie fonctionne malgré tout, comme l’exigent les grands fournisseurs.
set-acc-unsubscriptions = Qui peut quitter une liste ?
set-acc-unsubscriptions-help = Par les pages et par e-mail.
set-acc-unsubscribe_confirm = Redemander avant un départ par lien
set-acc-unsubscribe_confirm-help = La page du lien a alors un bouton de plus, qui demande confirmation. Le bouton d’une messagerie agit malgré tout aussitôt.
set-acc-restrict_contact = Seules ces adresses peuvent figurer dans le carnet d’adresses
set-acc-restrict_contact-help = Expressions régulières, une par ligne, par exemple @example\.org$. Une adresse qui ne correspond à aucune est refusée, quelle que soit la personne qui l’ajoute. Vide : toutes sont permises.
set-acc-restrict_contact_subscription = Seules ces adresses peuvent demander à s’inscrire
set-acc-restrict_contact_subscription-help = De même pour les personnes qui s’inscrivent d’elles-mêmes. Vous pouvez toujours en ajouter d’autres.
set-group-welcome = E-mails aux nouveaux membres
set-group-welcome-hint = Les listes peuvent avoir leurs propres textes. Les variables comme $NAME et $LIST sont remplacées par leur valeur.
set-acc-confirmation_subject = Objet de l’e-mail de confirmation
set-acc-confirmation_subject-help = Vide : nos propres mots, dans la langue du compte.
set-acc-confirmation_message = Texte de l’e-mail de confirmation
set-acc-confirmation_message-help = Toute personne qui demande à s’inscrire le reçoit, et devient membre par le lien qu’il contient. Si votre texte n’a pas $CONFIRM, nous ajoutons le lien au-dessous.
set-acc-welcome_message = Message de bienvenue
set-acc-welcome_message-help = Affiché sur la page après une confirmation, et envoyé par e-mail si l’une des deux cases suivantes est cochée. Vide : nos propres mots.
set-acc-send_welcome_message_confirmation = Envoyer le message de bienvenue après une confirmation
set-acc-send_welcome_message_confirmation-help = Une fois, dès que le lien du premier e-mail est ouvert.
set-acc-send_welcome_message_contacts = Envoyer le message de bienvenue aux personnes que vous ajoutez
set-acc-send_welcome_message_contacts-help = Aussitôt. Une grande importation envoie alors autant d’e-mails.
set-group-admins = Administration
set-group-admins-hint = Comment les responsables des listes travaillent ensemble.
set-acc-notify_approval = Quand prévenir l’administration de ce qui est en attente ?
set-acc-notify_approval-help = Pour les messages et les demandes en attente. Les listes peuvent en décider autrement.
set-notify-none = Jamais
set-notify-each = À chaque fois
set-notify-daily = Une fois par jour
set-acc-list_delegation = Les responsables d’une liste peuvent la partager
set-acc-list_delegation-help = Les responsables de certaines listes peuvent alors y inviter d’autres personnes, sans plus de droits que les leurs.
set-acc-require_list_approval = Les nouvelles listes doivent être approuvées
set-acc-require_list_approval-help = Une liste créée par une personne qui n’a pas le droit de modifier le compte n’accepte aucun message avant d’être approuvée sur la page des listes.

## Settings of a list: its groups.

set-lg-name = Nom
set-lg-name-hint = Ce que l’on voit dans l’annuaire et dans sa boîte de réception.
set-lg-joining = Inscription et départ
set-lg-joining-hint = Le bouton « Se désabonner » des messageries fonctionne toujours, quel que soit votre choix.
set-lg-posting = Écriture et réponses
set-lg-posting-hint = Les messages des autres sont mis en attente, renvoyés à leur expéditeur ou supprimés, selon votre choix sous Écriture.
set-lg-holding = Mise en attente
set-lg-holding-hint = Même pour les personnes qui peuvent écrire. Ce qui est en attente se trouve sous Approbations.
set-lg-content = Messages
set-lg-content-hint = Ce que la liste modifie dans chaque message avant l’envoi.
set-lg-footers = Au-dessus et au-dessous de chaque message
set-lg-footers-hint = Vous pouvez utiliser $NAME, $EMAIL, $LIST, $LISTADDRESS, $DESCRIPTION, $UNSUBSCRIBE, $MANAGE, $ARCHIVE et $DATE ; un signe dollar s’écrit $$.
set-lg-archive = Archives
set-lg-archive-hint = Ce que l’on ne peut pas lire ne se trouve pas non plus : ni par la recherche, ni par les flux, ni par les chiffres.

## Settings of a list: its fields.

set-list-description = Nom affiché
set-list-description-help = Il figure dans l’annuaire, dans l’expéditeur et dans les pieds de page. À défaut, c’est l’adresse.
set-list-name = Adresse
set-list-name-help = La partie avant le @ : lettres, chiffres, point, trait d’union et tiret bas. Si vous la modifiez, les anciens liens mènent aux nouvelles pages, mais les messages à l’ancienne adresse sont renvoyés à leur expéditeur.
set-list-subject_prefix = Devant chaque objet
set-list-subject_prefix-help = Par exemple [4B]. Il n’est ajouté qu’une fois, et pas de nouveau dans les réponses.
set-list-clid = Numéro dans un autre système
set-list-clid-help = Celui que vos propres programmes connaissent. Aucune autre liste ne peut avoir le même.
set-list-notes = Notes
set-list-notes-help = Visibles de l’administration seulement.
set-list-subscriptions = Qui peut s’inscrire ?
set-list-subscriptions-help = Par les pages, par e-mail et par les formulaires de votre propre site.
set-list-unsubscriptions = Qui peut quitter la liste ?
set-list-unsubscriptions-help = Par les pages et par e-mail.
set-as-account = Selon les réglages du compte
set-list-memberview = Qui voit les autres membres ?
set-list-memberview-help = Sur les pages des membres connectés.
set-view-nobody = Personne
set-view-noemail = Les membres voient les noms des membres de cette liste
set-view-withemail = Les membres voient leurs noms et leurs adresses
set-view-all-noemail = Les membres voient les noms de toutes les personnes du compte
set-view-all-withemail = Les membres voient les noms et les adresses de toutes les personnes du compte
set-list-moderate = Réglages détaillés : qui peut écrire
set-list-moderate-help = La question de la page Essentiel les règle pour vous. Si rien n’est coché, tout le monde peut écrire. « Seulement ces expéditeurs » demande au moins l’un des deux choix suivants.
set-bit-1 = Mettre chaque message en attente
set-bit-2 = Seulement ces expéditeurs :
set-bit-4 = les membres des listes cochées plus bas
set-bit-8 = les adresses indiquées sur la page Essentiel
set-bit-16 = Refuser les adresses bannies (page Écriture)
set-list-restrict_post_lists = Listes dont les membres peuvent écrire
set-list-restrict_post_lists-help = Compte si les membres sont cochés plus haut. Pour une liste réservée à ses membres, cochez la liste elle-même.
set-list-restrict_post_allowed_emails = Adresses autorisées à écrire
set-list-restrict_post_allowed_emails-help = Une par ligne, membres ou non. Compte si votre réponse ci-dessus parle d’adresses.
set-list-restrict_post_banned_emails = Adresses bannies
set-list-restrict_post_banned_emails-help = Une par ligne.
set-list-message_rejections = Que deviennent les messages des autres ?
set-list-message_rejections-help = Les messages des personnes qui ne peuvent pas écrire à la liste.
set-rejections-hold = Ils sont mis en attente
set-rejections-hold-hint = Vous décidez sous Approbations.
set-rejections-reject = Ils sont refusés
set-rejections-reject-hint = L’expéditeur apprend pourquoi par son propre serveur de messagerie.
set-rejections-discard = Ils sont supprimés
set-rejections-discard-hint = Personne n’est prévenu, et rien n’est gardé.
set-list-hold_automated = Mettre en attente les messages automatiques
set-list-hold_automated-help = Lettres d’information, invitations d’agenda, réponses d’absence et tout ce qu’une machine envoie. Sinon, les réponses d’absence sont supprimées et le reste est envoyé.
set-list-hold_replies = Mettre en attente les réponses aux messages de la liste
set-list-hold_replies-help = Pour des annonces qui ne doivent pas tourner à la discussion.
set-list-hold_new = Mettre en attente les premiers messages des nouveaux membres
set-list-hold_new-help = De 0 à 20 messages de chaque membre ; 0 pour aucun.
set-list-taboo_headers = Mettre en attente selon l’en-tête
set-list-taboo_headers-help = Expressions régulières, une par ligne, 100 au plus. Un message dont une ligne d’en-tête correspond à l’une d’elles est mis en attente, par exemple ^Subject:.*loterie.
set-list-taboo_body = Mettre en attente selon le texte
set-list-taboo_body-help = De même pour le texte d’un message. Ce qui ne peut pas être examiné en 0,2 seconde est mis en attente.
set-list-moderator = Modération
set-list-moderator-help = L’adresse d’une personne qui décide des messages de cette liste à la place de l’administration : les demandes y sont envoyées, et la réponse par e-mail ou par lien décide.
set-list-notify_approval = Quand prévenir l’administration de ce qui est en attente ?
set-list-notify_approval-help = Par e-mail, pour les messages et les demandes de cette liste.
set-list-maxlength = Taille maximale d’un message
set-list-maxlength-help = En Ko, jusqu’à 51 200 ; 1 024 Ko font un mégaoctet. Les messages plus volumineux sont renvoyés à leur expéditeur.
set-list-truncate = Couper les messages après
set-list-truncate-help = En octets. Le reste est omis, et une ligne le dit. Vide : jamais.
set-list-strip_attachments = Retirer les pièces jointes
set-list-strip_attachments-help = Les membres ne reçoivent que le texte, et une ligne dit ce qui a été retiré.
set-list-reply_to = Autre adresse pour les réponses
set-list-reply_to-help = Compte si vous avez choisi « À une autre adresse ».
set-list-rewrite_sender = Toujours envoyer au nom de la liste
set-list-rewrite_sender-help = Sinon, seulement quand le fournisseur de l’auteur ferait passer le message pour une usurpation.
set-list-original_sender_mode = Où l’auteur est alors nommé
set-list-original_sender_mode-help = Quand un message part au nom de la liste.
set-sender-reply-to = Comme adresse de réponse
set-sender-cc = En Cc
set-sender-notice = Dans une ligne au-dessus du texte
set-sender-hide = Nulle part
set-sender-hide-hint = Les membres et les archives n’apprennent jamais l’adresse de l’auteur.
set-list-merge_tags_enabled = Insérer les noms dans les messages
set-list-merge_tags_enabled-help = $NAME, $FIRSTNAME, $EMAIL et d’autres, dans l’objet et le texte de ce qui est envoyé. Chaque membre reçoit alors sa propre copie.
set-list-merge_tags_default_name = À la place d’un nom manquant
set-list-merge_tags_default_name-help = Par exemple « ami », pour que personne ne lise « Cher , ».
set-list-message_fronter = Texte au-dessus
set-list-message_fronter-help = Au-dessus du texte sans mise en forme de chaque message.
set-list-message_fronter_html = HTML au-dessus
set-list-message_fronter_html-help = Au-dessus du texte mis en forme. Vide : le « Texte au-dessus ».
set-list-message_footer = Texte au-dessous
set-list-message_footer-help = Au-dessous du texte sans mise en forme de chaque message.
set-list-message_footer_html = HTML au-dessous
set-list-message_footer_html-help = Au-dessous du texte mis en forme. Vide : le « Texte au-dessous ».
set-list-archive_enabled = Garder des archives
set-list-archive_enabled-help = On peut lire les messages et y faire des recherches sur les pages de la liste.
set-list-archive_protected = Les protéger
set-list-archive_protected-help = Il faut alors le mot de passe pour les lire, ou être membre si vous cochez la case suivante.
set-list-archive_memberview = Les membres peuvent les lire
set-list-archive_memberview-help = Pour des archives protégées, une fois connectés.
set-list-archive_password = Mot de passe des archives
set-list-archive_password-help = Il ouvre des archives protégées. Il n’est jamais affiché ; un champ vide le laisse tel quel.
set-list-password-none = Supprimer le mot de passe
set-list-archive_spammode = Y masquer les adresses
set-list-archive_spammode-help = Pour toutes les personnes qui ne sont pas membres, afin que personne ne les récolte.
set-list-archive_index_noshow = Ne pas les montrer dans la liste publique des archives
set-list-archive_index_noshow-help = Les moteurs de recherche n’en sont pas informés non plus.
set-list-welcome_message_subject = Objet du message de bienvenue
set-list-welcome_message_subject-help = Celui de l’e-mail aux nouveaux membres de cette liste.
set-list-welcome_message = Message de bienvenue
set-list-welcome_message-help = Envoyé par e-mail aux nouveaux membres. Vide : ce que prévoit le compte.
set-list-confirmation_subject = Objet de l’e-mail de confirmation
set-list-confirmation_subject-help = Vide : ce que prévoit le compte.
set-list-confirmation_message = Texte de l’e-mail de confirmation
set-list-confirmation_message-help = Envoyé à toute personne qui demande à s’inscrire. Si votre texte n’a pas $CONFIRM, nous ajoutons le lien au-dessous.
set-list-send_hold_message = Dire aux expéditeurs que leur message est en attente
set-list-send_hold_message-help = Seulement si l’expéditeur est vérifié, pour n’écrire à personne dont on usurpe l’adresse.
set-list-hold_subject = Objet de l’e-mail sur un message en attente
set-list-hold_subject-help = Vous pouvez utiliser $LIST et $REASON.
set-list-hold_message = Texte de l’e-mail sur un message en attente
set-list-hold_message-help = $REASON dit pourquoi le message est en attente.
set-list-send_reject_message = Dire aux expéditeurs que leur message est refusé
set-list-send_reject_message-help = Quand la modération refuse un message en attente.
set-list-reject_subject = Objet de l’e-mail de refus
set-list-reject_subject-help = Ici aussi, vous pouvez utiliser $LIST et $REASON.
set-list-reject_message = Texte de l’e-mail de refus
set-list-reject_message-help = $REASON est l’explication de la modération.

## Lists.

nav-admin-lists = Listes
lists-new = Nouvelle liste
lists-new-lede = Choisissez ce qui s’en approche le plus. Tout peut être modifié ensuite.
lists-kind = À quoi sert la liste ?
lists-kind-missing = Veuillez choisir à quoi sert la liste.
lists-kind-announcements = Annonces
lists-kind-announcements-hint = Vous écrivez, les autres lisent. Les inscriptions attendent votre approbation ; les réponses ne vont qu’à vous.
lists-kind-discussion = Discussion
lists-kind-discussion-hint = Les membres s’écrivent, et les réponses vont à la liste. Les inscriptions attendent votre approbation ; seuls les membres lisent les archives.
lists-kind-moderated = Discussion modérée
lists-kind-moderated-hint = Les membres s’écrivent ; chaque message et chaque nouveau membre attend votre approbation.
lists-kind-private = Équipe privée
lists-kind-private-hint = Seulement les personnes que vous ajoutez. Elles se voient, et personne d’autre ne trouve la liste ni ses archives.
# $domain is a domain like lists.example.org.
lists-name-hint = La partie avant @{ $domain } : lettres, chiffres, point, trait d’union et tiret bas.
lists-make = Créer la liste
lists-search = Rechercher par nom et description
lists-none = Il n’y a pas encore de liste.
lists-none-found = Aucune liste ne contient ces mots.
lists-list = Liste
lists-members = Membres
lists-posting = Qui écrit
lists-posting-held = chaque message est d’abord approuvé
lists-posting-members = les membres
lists-posting-some = certaines adresses
lists-posting-all = tout le monde
lists-pending = attend d’être approuvée
lists-waiting = Listes qui attendent votre approbation
lists-reason = Votre explication, si vous refusez
lists-approved = La liste accepte maintenant les messages.
lists-rejected = La liste est supprimée.
lists-discarded = La liste est supprimée, et personne n’est prévenu.
lists-deleted = La liste est supprimée, avec les inscriptions de ses membres, ce qui était en attente et ses archives.

## The page of a list.

list-parts = Parties de cette liste
list-public = Page publique
list-made = La liste est créée. Parcourez ses réglages, puis ajoutez des membres.
list-read-only = Vous pouvez voir ces réglages ; d’autres personnes peuvent les modifier.
list-preview = Actualiser l’aperçu
list-preview-title = Ce que reçoit un membre
list-preview-real = Le dernier message de la liste, avec ces textes.
list-preview-made = La liste n’a pas encore de message ; celui-ci est inventé.
list-sample-subject = Bienvenue à tout le monde
list-sample-text = Voici à quoi ressemble un message de cette liste.
list-delete = Supprimer la liste
list-delete-lede = Ses inscriptions, ce qui est en attente et ses archives disparaissent avec elle. C’est définitif. Les personnes restent dans le carnet d’adresses.
# The page that asks before a list is deleted; $name is its name.
list-delete-open = Voir ce qui disparaît, et supprimer
list-delete-ask = Supprimer { $name } ?
list-delete-members = { $count ->
    [0] La liste n’a aucun membre.
    [one] { $count } personne est retirée de la liste et reste dans le carnet d’adresses.
   *[other] { $count } personnes sont retirées de la liste et restent dans le carnet d’adresses.
}
list-delete-messages = { $count ->
    [0] Les archives sont vides.
    [one] Les archives disparaissent, avec { $count } message.
   *[other] Les archives disparaissent, avec { $count } messages.
}
# Messages and requests of people.
list-delete-waiting = { $count ->
    [one] { $count } élément en attente d’approbation est supprimé sans prévenir.
   *[other] { $count } éléments en attente d’approbation sont supprimés sans prévenir.
}
list-delete-address = Les messages envoyés à son adresse seront refusés, et les liens vers ses pages ne mèneront nulle part.
list-delete-forever = Une liste supprimée ne peut pas être rétablie.
list-delete-now = Supprimer { $name } définitivement
list-delete-not = Garder la liste

## What would happen to a mail.

sim-title = Essayer un message
sim-lede = Que deviendrait un message à cette liste ? Rien n’est envoyé, et rien n’est gardé.
sim-message = Le message entier
sim-message-hint = D’abord l’en-tête, puis une ligne vide et le texte : « From: … », « Subject: … ». Les messageries l’appellent la source.
sim-button = Que se passerait-il ?
sim-missing = Veuillez coller un message.
sim-posted = Il serait envoyé aux membres
sim-held = Il serait mis en attente : { $reason }
sim-discarded = Il serait supprimé, sans que personne soit prévenu : { $reason }
sim-returned = Il serait renvoyé à son expéditeur : { $reason }
sim-refused = La liste ne l’accepterait pas : { $reason }
sim-deferred = Il serait différé, et le serveur de l’expéditeur réessaierait : { $reason }
sim-loop = le message est déjà passé par cette liste
sim-hops = le message est passé par trop de serveurs
sim-duplicate = cette liste a déjà reçu ce message
sim-automatic = le message est une réponse automatique ou un rapport de remise
sim-recipients = { $count ->
    [0] Aucune adresse ne le recevrait.
    [one] Une adresse le recevrait.
   *[other] { $count } adresses le recevraient.
}
sim-recipients-later = { $count ->
    [0] Même approuvé, personne ne le recevrait.
    [one] Une fois approuvé, une adresse le recevrait.
   *[other] Une fois approuvé, { $count } adresses le recevraient.
}
sim-paused = { $count ->
    [one] { $count } adresse est suspendue et ne reçoit rien.
   *[other] { $count } adresses sont suspendues et ne reçoivent rien.
}
# $answer is a reply of SMTP, in English.
sim-answer = Le serveur de l’expéditeur recevrait : { $answer }
sim-changes = Ce que la liste modifierait
sim-header = L’en-tête d’une copie

## People who look after a list.

helpers-lede = Ces personnes voient cette liste et rien d’autre, sauf si elles s’occupent aussi d’autres listes. Personne ne peut donner plus de droits que les siens.
helpers-none = Personne encore, en dehors de l’administration du compte.
helpers-you = Vous
helpers-take-out = Retirer
helpers-taken-out = Cette personne ne s’occupe plus de la liste.
helpers-invite = Inviter quelqu’un
helpers-address = Adresse
helpers-firstname = Prénom
helpers-surname = Nom de famille
helpers-rights = Que peut faire cette personne ?
helpers-invite-button = Envoyer l’invitation
helpers-invited = C’est fait. Si la personne est nouvelle, elle reçoit un e-mail avec un lien pour choisir un mot de passe.

## Members of a list.

members-add = Ajouter des membres
members-emails = Adresses
members-emails-hint = Une par ligne, ou comme dans une messagerie : Ada Lovelace <ada@example.org>, bob@example.org. Ces personnes sont membres aussitôt ; n’ajoutez que celles qui le veulent.
members-add-button = Ajouter
members-mail = Réception
members-digest-button = Régler pour la sélection
# $count is the number of members whose setting was changed.
members-digest-set = { $count ->
    [one] { $count } membre reçoit les messages comme demandé.
   *[other] { $count } membres reçoivent les messages comme demandé.
}
members-added = { $count ->
    [0] Ces personnes sont déjà membres.
    [one] { $count } membre est ajouté.
   *[other] { $count } membres sont ajoutés.
}
members-added-known = { $count } membres ajoutés, { $known } l’étaient déjà.
members-removed = { $count ->
    [one] { $count } membre est retiré de la liste.
   *[other] { $count } membres sont retirés de la liste.
}
members-none-typed = Veuillez saisir une adresse.
members-too-many = Veuillez ajouter { $count } personnes au plus à la fois ; une importation en accepte davantage.
# $line is what somebody typed.
members-wrong-line = « { $line } » n’est pas une adresse. Personne n’a été ajouté.
members-none-selected = Veuillez d’abord sélectionner quelqu’un.
members-remove = Retirer de la liste
members-search = Rechercher par nom et adresse
members-none = Il n’y a encore aucun membre.
members-none-found = Aucun membre ne correspond à ces mots.
members-count = { $count ->
    [one] { $count } membre
   *[other] { $count } membres
}
members-choose = Sélectionner
members-person = Personne
members-addresses = Adresses
members-since = Depuis

## Aliases.

nav-aliases = Alias
aliases-lede = Un alias est une adresse de plus, qui transmet à d’autres ce qu’elle reçoit, tel quel.
aliases-new = Nouvel alias
aliases-group = Alias
aliases-group-hint = Les membres d’une liste n’en savent rien ; c’est pour des fonctions comme bureau ou info.
aliases-source = Adresse
aliases-source-help = La partie avant le @. Aucune liste ne peut avoir la même.
aliases-destination = Va à
aliases-destination-help = Adresses, une par ligne, 20 au plus. Des listes et d’autres alias sont possibles.
aliases-make = Créer l’alias
aliases-made = L’alias accepte maintenant les messages.
aliases-delete = Supprimer l’alias
aliases-deleted = L’alias est supprimé. Les messages qui lui sont adressés sont renvoyés à leur expéditeur.
aliases-none = Il n’y a pas encore d’alias.

## Custom fields.

fields-lede = Ce que vous notez sur les personnes, outre leurs noms et adresses, par exemple un numéro de membre. Les importations et les programmes peuvent remplir ces champs, et les pieds de page les montrer.
fields-none = Il n’y a pas encore d’autres champs.
fields-name = Nom
fields-id = Identifiant
fields-id-hint = Facultatif : un nom court sans espaces, que les programmes utilisent à la place du nom.
fields-members-edit = Les membres peuvent le modifier sur leurs propres pages
fields-new = Nouveau champ
fields-new-hint = Chaque personne du carnet d’adresses l’a dès lors, vide au début.
fields-add = Ajouter le champ
fields-added = Le champ est ajouté.
fields-saved = Le champ est modifié. Ce qu’il contient reste.
fields-delete = Supprimer le champ et ses valeurs
fields-deleted = Le champ est supprimé, avec tout ce qu’il contenait.

## Domains and their DNS records.

domains-lede = Ajoutez ces enregistrements là où vous gérez le DNS de votre domaine. Ils sont vérifiés à l’ouverture de cette page.
domains-name = Domaine
domains-add = Ajouter un domaine
domains-add-hint = Par exemple lists.example.org. Il accepte les messages dès que le DNS montre qu’il est à vous.
domains-added = Le domaine est noté. Il lui faut maintenant ses enregistrements.
domains-there = { $name } est déjà parmi vos domaines.
domains-main = listes
domains-web = pages
domains-make-main = Utiliser pour les adresses des listes
domains-main-done = Les listes ont maintenant leurs adresses sous ce domaine. Les messages adressés à l’autre arrivent toujours.
domains-make-web = Utiliser pour les pages
domains-web-done = Les liens mèneront à ce domaine dès qu’il répondra.
domains-remove = Retirer le domaine
domains-removed = Le domaine est retiré. Les messages qui lui sont adressés sont désormais refusés.
domains-check = Vérifier de nouveau
domains-checked = Vérifié à l’instant.
domains-unproven = pas encore vérifié
domains-unproven-next = L’un de ces enregistrements prouve que le domaine est à vous. D’ici là, il n’accepte aucun message.
# $right of $count records are right.
domains-right = { $right } enregistrements corrects sur { $count }
dns-use = Usage
dns-type = Type
dns-name = Nom
dns-value = Valeur
dns-status = État
dns-right = Correct
dns-missing = Absent
dns-wrong = Incorrect
dns-unknown = Inconnu
dns-found = Le DNS contient :
dns-own-address = l’adresse de ce serveur, que connaît la personne qui le gère
dns-mail = Réception des messages (MX)
dns-host = Adresse du serveur de messagerie (A)
dns-web = Pages (A)
dns-sending = Qui peut envoyer (SPF)
dns-signature = Signature (DKIM)
dns-next-signature = Prochaine signature (DKIM)
dns-policy = Règle contre l’usurpation (DMARC)
dns-reverse = DNS inverse (PTR ; réglé par votre hébergeur)
dns-proof = Preuve qu’il est à vous

## Administrators and keys.

nav-administrators = Administration et clés
admins-people = Personnes
admins-invite = Inviter une personne
admins-invited = Pas encore de connexion
admins-invited-lede = L’e-mail avec le lien a pu se perdre. Un nouveau lien fonctionne sept jours ; les anciens cessent de fonctionner quand il est utilisé.
admins-invite-again = Renvoyer le lien
admins-invited-done = Un e-mail avec un lien pour choisir un mot de passe vient d’être envoyé.
admins-keys = Clés pour les programmes
admins-keys-lede = Un programme utilise une clé au lieu d’un nom et d’un mot de passe, et peut faire ce que la clé permet.
admins-key = Clé
admins-new-key = Nouvelle clé
admins-make-key = Créer la clé
admins-key-made = La clé est prête. Affichez-la maintenant et mettez-la dans le programme.
admins-get-key = Créer et afficher une nouvelle clé
admins-get-key-lede = Elle ne s’affiche qu’une fois. Une clé créée auparavant cesse de fonctionner.
admins-key-new = Voici la clé. Copiez-la maintenant : elle ne sera plus affichée.
admins-no-key = pas encore créée
admins-expiry = Valable jusqu’au
admins-expiry-months = Durée de validité
admins-no-expiry = illimitée
admins-months = { $count ->
    [one] { $count } mois
   *[other] { $count } mois
}
admins-since = Depuis
admins-last-use = Dernière utilisation
admins-never-used = pas encore utilisée
admins-anywhere = partout
admins-nothing = aucun
# $rights and $lists are enumerations.
admins-only-lists = { $rights }, seulement pour { $lists }
admins-no-list = { $rights }, mais pour aucune liste
admins-all-lists = { $rights }, pour toutes les listes
# $rights is what the person or program may do, and for which lists.
admins-given = Droits de { $who } : { $rights }.
admins-username = Adresse
admins-username-help = Celle avec laquelle la personne se connecte. Si quelqu’un d’autre la modifie, la personne choisit un nouveau mot de passe à la nouvelle adresse.
admins-firstname-help = Facultatif.
admins-surname-help = Facultatif.
admins-description = À quoi elle sert
admins-description-help = Pour que vous sachiez plus tard quel programme l’utilise. Cela figure dans le journal.
admins-cidr = Réseaux autorisés
admins-cidr-help = Un par ligne, par exemple 192.0.2.0/24. La clé ne fonctionne que depuis ces réseaux. Vide : de partout.
admins-image = Montrer l’image du compte à cette personne
admins-image-help = En haut des pages.
admins-notifications = E-mails à propos de
admins-notifications-help = Ce que cette personne veut savoir.
admins-permissions = Droits
admins-permissions-help = Vous pouvez donner les droits que vous avez. Une modification met fin aux sessions de la personne.
admins-limit-lists = Pour quelles listes ?
admins-limit-lists-help = Une personne limitée à des listes ne voit rien d’autre, même en cherchant.
admins-limit-lists-only = Seulement pour ces listes ; sans cette coche, pour toutes
admins-limit-lists-none = Veuillez choisir au moins une liste.
admins-limit-metadata = Quels champs des personnes ?
admins-limit-metadata-help = Les autres champs sont cachés à une personne limitée à des champs.
admins-limit-metadata-only = Seulement ces champs ; sinon, tous
admins-limit-metadata-none = Veuillez choisir au moins un champ.
admins-group-rights = Droits
admins-group-rights-hint = Ce que la personne ou le programme peut faire.
admins-group-person = Personne
admins-group-person-hint = Quelqu’un qui se connecte sur ces pages.
admins-group-mail = E-mails
admins-group-mail-hint = Ce que le serveur écrit de lui-même à la personne.
admins-group-key = Clé
admins-group-key-hint = Pour un seul programme, afin de pouvoir la retirer seule.
admins-delete = Supprimer
admins-delete-lede = La personne est déconnectée partout et ne peut plus revenir. Ce qu’elle a fait reste dans le journal.
admins-delete-key-lede = Le programme qui l’utilise est refusé dès maintenant.
admins-deleted = C’est supprimé.
right-account-admin = tout faire
right-account-admin-hint = Les réglages du compte, l’administration et les clés, et tout ce qui suit.
right-manage-settings = régler les listes et les alias
right-manage-members = gérer les personnes et les membres
right-approve-messages = approuver les messages et les demandes
right-send-messages = envoyer des messages
tell-held-message = un message en attente
tell-pending-member = une personne en attente d’approbation
tell-pending-list = une liste en attente d’approbation
tell-member-joined = un nouveau membre
tell-member-left = un membre qui a quitté la liste
tell-bounce = une adresse qui n’accepte pas les messages
tell-complaint = un signalement comme spam
tell-delivery-problem = un problème de remise
tell-security = des connexions et des clés à vérifier
admins-grants = Applications autorisées
# $person allowed it on $day, and the application last used it on $last.
admins-grant = Autorisée par { $person } le { $day }, dernière utilisation le { $last }
admins-revoke = Retirer l’autorisation
admins-revoked = L’application ne peut plus agir pour cette personne.
admins-provider = Service de connexion
admins-provider-help = Le nom d’un service que ce serveur connaît. Vide : ici, avec un mot de passe.

## Below each message of a new list. The words with $ stay as they are: they are variables of the text.

list-footer = Vous recevez ce message comme membre de $LIST.
    Quitter la liste : $UNSUBSCRIBE
    Archives : $ARCHIVE

## The five pages of the settings of a list, and their groups.

set-parts = Pages des réglages
set-part-basics = Essentiel
set-part-writing = Écriture
set-part-texts = Textes
set-part-archive = Archives
set-part-advanced = Avancé
set-lg-others = Messages des autres
set-lg-others-hint = Des personnes qui ne peuvent pas écrire à la liste.
set-lg-html = La même chose en HTML
set-lg-html-hint = Pour les messages mis en forme. La plupart des listes laissent ces champs vides : les textes ci-dessus sont alors repris.
set-lg-names = Noms dans les messages
set-lg-names-hint = Pour les messages qui s’adressent à chaque membre par son nom.
set-lg-welcome = E-mail aux nouveaux membres
set-lg-welcome-hint = Vide : nos propres mots, dans la langue du compte.
set-lg-asking = E-mail de confirmation
set-lg-asking-hint = À toute personne qui demande à s’inscrire ou à quitter la liste. Vide : nos propres mots.
set-lg-held = E-mail sur un message en attente
set-lg-held-hint = Envoyé si la page Écriture le prévoit. Vide : nos propres mots.
set-lg-rejected = E-mail de refus
set-lg-rejected-hint = Envoyé si la page Écriture le prévoit. Vide : nos propres mots.
set-lg-bits = Réglages détaillés
set-lg-bits-hint = Pour les combinaisons qu’aucune réponse de la page Essentiel ne prévoit.
set-lg-patterns = Motifs
set-lg-patterns-hint = Les messages qui correspondent à l’un d’eux sont mis en attente.
set-lg-sizes = Tailles
set-lg-ids = Numéros et notes
set-fold-changed = utilisé
set-single = Selon les réglages détaillés de la page Avancé
set-single-archive = Selon les cases de la page Archives

## Questions of the settings of a list that stand for several fields.

set-who = Qui peut écrire ?
set-who-help = Sans attendre d’approbation, sauf si la réponse dit autre chose.
set-who-members = Les membres
set-who-approved = Les membres, après approbation
set-who-approved-hint = Chaque message attend d’abord sous Approbations.
set-who-addresses = Seulement ces adresses
set-who-moderators = Personne sans approbation
set-who-everybody = Tout le monde
set-who-everybody-hint = Les inconnus aussi. Attendez-vous à recevoir du spam.
set-answers = Où vont les réponses ?
set-answers-help = Quand quelqu’un appuie sur « Répondre » dans sa messagerie.
set-answers-list = À la liste
set-answers-author = À l’auteur du message
set-answers-other = À une autre adresse
set-answers-missing = Veuillez indiquer l’adresse pour les réponses.
set-archive-for = Qui peut lire les archives ?
set-archive-for-help = Sous Archives, vous pouvez définir un mot de passe pour d’autres personnes.
set-archive-for-members = Les membres
set-archive-for-everybody = Tout le monde
set-archive-for-everybody-hint = Les moteurs de recherche aussi.
set-archive-for-nobody = Personne : ne pas garder d’archives
set-refuse-banned = Refuser les adresses ci-dessous
set-refuse-banned-help = Elles ne peuvent pas écrire, même comme membres.
set-closed-leave = Personne, l’administration s’en charge
set-yes = Oui
set-no = Non
set-nothing = –

## What is set now, at the top of each page of the settings of a list.

set-now-write-everybody = Tout le monde peut écrire.
set-now-write-members = Seuls les membres peuvent écrire.
set-now-write-approved = Les membres peuvent écrire, et chaque message attend d’être approuvé.
set-now-write-addresses = Seules certaines adresses peuvent écrire.
set-now-write-moderators = Chaque message attend d’être approuvé.
set-now-write-single = Les réglages détaillés de la page Avancé disent qui peut écrire.
set-now-join-open = Tout le monde peut s’inscrire.
set-now-join-asking = Tout le monde peut demander à s’inscrire, et vous décidez.
set-now-join-closed = C’est vous qui ajoutez les membres.
set-now-answers-list = Les réponses vont à la liste.
set-now-answers-author = Les réponses vont à l’auteur.
# $address is an address of mail.
set-now-answers-other = Les réponses vont à { $address }.
set-now-archive-everybody = Tout le monde peut lire les archives.
set-now-archive-members = Seuls les membres peuvent lire les archives.
set-now-archive-password = Le mot de passe permet de lire les archives.
set-now-archive-closed = Seule l’administration peut lire les archives.
set-now-archive-none = Aucune archive n’est gardée.
set-now-others-hold = Les messages des autres sont mis en attente.
set-now-others-reject = Les messages des autres sont renvoyés à leur expéditeur.
set-now-others-discard = Les messages des autres sont supprimés.
set-now-told = Les expéditeurs sont prévenus quand leur message est en attente ou refusé.
set-now-told-held = Les expéditeurs sont prévenus quand leur message est en attente, mais pas quand il est refusé.
set-now-told-rejected = Les expéditeurs sont prévenus quand leur message est refusé, mais pas quand il est en attente.
set-now-told-nothing = Les expéditeurs ne sont pas prévenus de ce que devient leur message.
set-now-around-both = Un texte figure au-dessus et au-dessous de chaque message.
set-now-around-above = Un texte figure au-dessus de chaque message.
set-now-around-below = Un texte figure au-dessous de chaque message.
set-now-around-nothing = Rien n’est ajouté aux messages : ils ne disent donc pas comment quitter la liste.
set-now-mails = { $count ->
    [0] Les e-mails de la liste ont nos propres mots.
    [one] { $count } e-mail de la liste a vos mots.
   *[other] { $count } e-mails de la liste ont vos mots.
}
set-now-addresses-hidden = Seuls les membres y voient les adresses.
set-now-addresses-shown = Tous ceux qui les lisent y voient les adresses.
# $size is a number.
set-now-size = Les messages peuvent faire jusqu’à { $size } Ko.
set-now-patterns = { $count ->
    [0] Aucun motif ne met de messages en attente.
    [one] { $count } motif met des messages en attente.
   *[other] { $count } motifs mettent des messages en attente.
}

## The other pages of a list, and the search over its settings.

list-helpers = Responsables
list-preview-unsaved = Rien n’est encore enregistré.
set-search = Rechercher un réglage
set-search-none = Aucun réglage ne contient ces mots. Essayez-en moins, ou d’autres.

## A new key in place of the one that there is: asked first
admins-key-again = Remplacer la clé ?
admins-key-again-ends = La clé actuelle de « { $name } » cesse aussitôt de fonctionner et ne peut pas être rétablie. Ce qui l’utilise a besoin de la nouvelle.
# $time is a moment, or that it was never used.
admins-key-again-used = Dernière utilisation : { $time }.
admins-key-again-button = Remplacer la clé et l’afficher
admins-key-again-back = Garder la clé actuelle

## The buttons that take an account or a list along, on /admin/settings/ and /admin/lists/…/advanced/
export-title = Tout emporter
export-lede = Un fichier zip dans des formats ouverts : les personnes avec tout ce que l’on sait d’elles, les listes avec leurs réglages et leurs archives, les alias, les administrateurs. Les mots de passe et les clés n’y sont pas. Une grande archive prend un certain temps.
export-button = Tout télécharger
export-list-title = Emporter la liste
export-list-lede = Un fichier zip dans des formats ouverts : les membres avec tout ce que l’on sait d’eux, les réglages et toute l’archive.
export-list-button = Télécharger la liste

## Who writes to a list: members, and addresses besides; on the page of its settings
set-who-members-addresses = Les membres et les adresses ci-dessous
set-who-members-addresses-approved = Les membres et les adresses ci-dessous, après approbation
set-now-write-members-addresses = { $count ->
    [0] Seuls les membres peuvent écrire.
    [one] Les membres et { $count } autre adresse peuvent écrire.
   *[other] Les membres et { $count } autres adresses peuvent écrire.
}
set-now-write-members-addresses-approved = { $count ->
    [0] Les membres peuvent écrire, et chaque message attend d’être approuvé.
    [one] Les membres et { $count } autre adresse peuvent écrire, et chaque message attend d’être approuvé.
   *[other] Les membres et { $count } autres adresses peuvent écrire, et chaque message attend d’être approuvé.
}

## Rights of a person or a key: the question above the boxes
admins-allowed = Qu’est-ce qui est permis ?
admins-key-allowed-help = Vous pouvez donner les droits que vous avez.
# $who is a name.
admins-given-nothing = { $who } n’a encore aucun droit.

## The members of a list: a page behind the last one
members-none-further = Il n’y a pas d’autres membres.
