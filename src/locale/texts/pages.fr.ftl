### Textes des pages.

## Autour de chaque page.

frame-server = Listes de diffusion
frame-skip = Aller au contenu
frame-pages = Pages
frame-language = Langue
frame-sign-out = Se déconnecter
nav-devices = Vos appareils
frame-menu = Menu
frame-administration = Administration
frame-public = Pages publiques

## Formulaires.

# In front of the title of a page whose form came back wrong.
form-wrong-title = Erreur :
form-problems = { $count ->
    [one] Merci de revoir ce point
   *[other] Merci de revoir ces { $count } points
}
problem-no-button = Veuillez appuyer sur l’un des boutons.

## Quand quelque chose ne va pas : ce qui s’est passé, et ce qu’il faut faire.

error-status = Erreur { $status }
error-home = Aller à la page d’accueil
error-request = Si vous nous écrivez à ce sujet, merci d’indiquer le numéro { $id }.
error-bad-request = Nous n’avons pas pu lire ce qui a été envoyé
error-bad-request-next = Rien n’a changé. Veuillez revenir en arrière, recharger la page et envoyer de nouveau.
error-sign-in = Veuillez d’abord vous connecter
error-sign-in-next = Il faut se connecter pour ouvrir cette page. Si vous l’aviez déjà fait, votre session a pris fin.
error-forbidden = Vous n’avez pas le droit de faire cela
error-forbidden-next = Vos droits ne couvrent pas cette page, et rien n’a changé. Une personne qui administre le compte peut vous les donner.
error-forged = Ce formulaire ne vient pas de cette page
error-forged-next = Rien n’a changé. Veuillez rouvrir la page et y appuyer sur le bouton. Votre navigateur doit accepter les cookies de cette page.
error-not-found = Il n’y a rien à cette adresse
error-not-found-next = La page a peut-être été déplacée, ou le lien a été coupé. S’il tenait sur deux lignes dans un e-mail, copiez les deux parties dans la barre d’adresse.
error-unknown-host = Il n’y a pas de page ici
error-unknown-host-next = L’adresse contient peut-être une faute de frappe, ou il en manque une partie.
error-dead-link = Ce lien ne fonctionne pas
error-dead-link-next = Il a peut-être été coupé à la copie, ou il n’est plus valable. Veuillez ouvrir le lien de l’e-mail le plus récent.
error-not-allowed = Cette page ne permet pas cela
error-not-allowed-next = Rien n’a changé. Veuillez ouvrir la page par son lien et utiliser les boutons qu’elle affiche.
error-conflict = Quelqu’un d’autre a été plus rapide
error-conflict-next = Ce que vous alliez modifier a changé entre-temps. Veuillez recharger la page et vérifier.
error-spent-link = Ce lien a déjà servi
error-spent-link-next = Un mot de passe a été choisi depuis. Si ce n’était pas vous, veuillez prévenir une autre personne de l’administration.
error-expired-link = Ce lien est trop ancien
error-expired-link-next = Les liens pour choisir un mot de passe fonctionnent sept jours, et une heure si vous avez oublié le vôtre. Sur la page de connexion, vous pouvez en demander un nouveau.
error-wrong-type = Nous ne savons pas lire ce type de formulaire
error-wrong-type-next = Rien n’a changé. Veuillez utiliser le formulaire de la page elle-même.
error-too-many = Trop de demandes en peu de temps
error-too-many-next = Rien n’a changé. Veuillez attendre quelques minutes et réessayer.
error-too-large = C’est trop volumineux
error-too-large-next = Rien n’a changé. Un formulaire peut envoyer { $size } au plus.
error-too-slow = Cela a pris trop de temps
error-too-slow-next = Rien n’a changé. La connexion est peut-être lente en ce moment. Veuillez réessayer.
error-outage = Rien ne peut être enregistré ici en ce moment
error-outage-next = Rien n’a changé. Veuillez réessayer plus tard.
error-busy = Il y a trop de monde ici en ce moment
error-busy-next = Rien n’a changé. Veuillez réessayer dans quelques secondes.
error-internal = Une erreur s’est produite ici
error-internal-next = Cela vient de nous, pas de vous. Veuillez réessayer dans quelques minutes.

## La première page.

home-title = Ce serveur héberge des listes de diffusion
home-lede = Un message envoyé à l’adresse d’une liste parvient à tous ses membres.
home-signed-out = Votre session est fermée.
home-members = Vous êtes membre d’une liste
home-write = Pour écrire à tout le monde, écrivez à l’adresse de la liste.
home-leave = Pour quitter une liste, appuyez sur « Se désabonner » dans votre messagerie, ou ouvrez le lien qui figure dans ses messages.
home-owner = Pour joindre les responsables d’une liste, ajoutez -owner à son nom : pour news@lists.example.org, c’est news-owner@lists.example.org.
home-owners = Vous gérez des listes, ou écrivez un programme qui le fait
home-api = L’API : les clés, les premiers appels et tous les autres (en anglais)
home-openapi = La même chose pour les programmes : openapi.json
home-commands = Sur le serveur lui-même, crier --help affiche toutes les commandes.

## Quitter une liste par le lien d’un message.

unsubscribe-title = Quitter { $list } ?
unsubscribe-next = Vous ne recevrez plus de messages de cette liste. Rien n’a encore changé.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Il s’agit des messages envoyés à { $address }.
unsubscribe-button = Quitter la liste
goodbye-title = Vous avez quitté { $list }
goodbye-next = Vous ne recevrez plus de messages de cette liste. Ceux qui étaient déjà en route peuvent encore arriver dans les prochaines minutes.
goodbye-undo = C’était une erreur ? Vous pouvez annuler pendant sept jours.
goodbye-undo-button = Annuler mon départ
not-a-member-title = Vous n’êtes pas membre de { $list }
not-a-member-next = Vous ne recevez pas les messages de cette liste. Pour vous y inscrire, adressez-vous à ses responsables.
welcome-back-title = Vous êtes membre de { $list }
welcome-back-next = Vous recevez de nouveau les messages de cette liste.

## Quitter une liste qui demande plus d’un clic, et dire pourquoi.

leave-second-title = Voulez-vous vraiment quitter { $list } ?
leave-second-button = Oui, je quitte la liste
leave-approval-next = Les responsables de cette liste doivent donner leur accord. Un e-mail vous préviendra de leur décision ; d’ici là, vous recevez les messages de la liste. Rien n’a encore changé.
leave-approval-button = Demander à quitter la liste
leave-waits-title = Votre demande de quitter { $list } est en attente
leave-waits-next = Les responsables de la liste décident, et un e-mail vous préviendra. D’ici là, vous recevez les messages de la liste.
leave-closed-title = On ne peut pas quitter { $list } ici
leave-closed-next = Les responsables de cette liste décident qui en fait partie. Répondez à l’un de ses messages, ou écrivez-leur. Le bouton « Se désabonner » de votre messagerie fonctionne malgré tout.
leave-reason = Voulez-vous dire pourquoi ?
leave-reason-hint = Facultatif. Les responsables de la liste le lisent.
leave-reason-button = Envoyer
leave-reason-kept = Merci. Les responsables de la liste liront ce que vous avez écrit.
leave-reason-too-long = Veuillez l’écrire en { $count } caractères au plus.

## L’envoi à une adresse était suspendu, et reprend.

resume-title = Recevez-vous de nouveau les messages ?
resume-paused = L’envoi à { $address } est suspendu.
resume-unchanged = Rien n’a encore changé. Si les messages n’arrivent toujours pas, fermez cette page.
resume-button = Reprendre l’envoi
resumed-title = Les messages arrivent à { $address }
resumed-next = Vous recevez vos listes à cette adresse.

## Une personne de l’administration choisit un mot de passe.

password-title = Choisir un mot de passe
password-username = Vous vous connecterez avec { $username }.
password-label = Mot de passe
password-hint = Au moins { $count } caractères. Plusieurs mots en font un bon.
password-button = Enregistrer le mot de passe
password-too-short = Un mot de passe doit avoir au moins { $count } caractères ; plusieurs mots en font un bon.
password-too-long = Un mot de passe peut avoir { $count } octets au plus.
password-chosen-title = Votre mot de passe est enregistré
password-chosen-next = C’est celui de { $username }. Le lien que vous avez ouvert ne fonctionne plus.

## Une personne décide d’un message.

moderate-title = Un message à { $list } est en attente
moderate-from = De
moderate-subject = Objet
moderate-received = Reçu le
moderate-size = Taille
moderate-because = Raison
moderate-due = Sans décision
moderate-due-value = il sera supprimé le { $time }, et personne ne sera prévenu
moderate-begins = Le message commence ainsi
moderate-no-text = Le message n’a pas de texte.
moderate-reason = Votre explication, si vous le refusez
moderate-reason-told = Elle est envoyée par e-mail à l’expéditeur.
moderate-reason-kept = Seule l’administration la voit. L’expéditeur n’est pas prévenu.
moderate-buttons = Votre décision
moderate-approve = Approuver
moderate-reject = Refuser
moderate-discard = Supprimer sans prévenir
moderate-next = La suite
moderate-next-told = Si vous l’approuvez, toute la liste le reçoit. Si vous le refusez, il est renvoyé à l’expéditeur avec votre explication. Si vous le supprimez, personne n’est prévenu. La première décision compte.
moderate-next-untold = Si vous l’approuvez, toute la liste le reçoit. Si vous le refusez ou le supprimez, personne ne le reçoit, et l’expéditeur n’est pas prévenu. La première décision compte.
moderated-held = Le message est en attente
moderated-held-next = Personne n’a encore décidé.
moderated-approved = Le message est approuvé
moderated-approved-next = Il est en cours d’envoi aux membres.
moderated-rejected = Le message est refusé
moderated-rejected-next = Les membres ne le reçoivent pas.
moderated-discarded = Le message est supprimé
moderated-discarded-next = Les membres ne le reçoivent pas, et personne n’est prévenu.
moderated-already-approved = Il a déjà été approuvé par { $by }, le { $time }.
moderated-already-rejected = Il a déjà été refusé par { $by }, le { $time }.
moderated-already-discarded = Il a déjà été supprimé par { $by }, le { $time }.
moderated-already-by-time = Il a déjà été supprimé, car personne n’a décidé à temps.
moderated-unchanged = Rien n’a changé. { $already }

## L’administration décide d’une demande.

approval-join-title = Quelqu’un souhaite s’inscrire à { $list }
approval-leave-title = Quelqu’un souhaite quitter { $list }
approval-list-title = La nouvelle liste { $list } est en attente
approval-name = Nom
approval-address = Adresse
approval-description = Description
approval-list = Liste
approval-requested = Demandé le
approval-confirmed = Confirmé le
approval-agreed = Texte accepté
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, depuis { $client }
approval-done = { $time }, { $way }
approval-reason-label = Votre explication, si vous refusez
approval-reason-told = Elle est envoyée par e-mail à la personne.
approval-reason-kept = Seule l’administration la voit.
approval-join-next = Si vous approuvez la demande, la personne devient membre et un e-mail le lui dit. Si vous la refusez, la personne reçoit un e-mail avec votre explication. Si vous la supprimez, personne n’est prévenu. La première décision compte.
approval-leave-next = Si vous approuvez la demande, la personne est retirée de la liste et un e-mail le lui dit. Si vous la refusez, la personne y reste et reçoit un e-mail avec votre explication. Si vous la supprimez, rien ne change et personne n’est prévenu. La première décision compte.
approval-list-next = Si vous l’approuvez, la liste accepte les messages. Si vous la refusez ou la supprimez, elle disparaît avec ses inscriptions. La première décision compte.
approval-impossible = Cette personne ne peut pas devenir membre : le carnet d’adresses est plein, ou n’accepte pas son adresse.
approval-waits = La demande est en attente
approval-waits-next = Personne n’a encore décidé.
approval-approved = La demande est approuvée
approval-rejected = La demande est refusée
approval-discarded = La demande est supprimée
approval-joined-next = La personne est maintenant membre, et un e-mail le lui dit.
approval-left-next = La personne n’est plus membre de la liste, et un e-mail le lui dit.
approval-opened-next = La liste accepte maintenant les messages.
approval-removed-next = La liste est supprimée avec ses inscriptions.
approval-rejected-next = Un e-mail le dit à la personne.
approval-discarded-next = Rien n’a changé, et personne n’est prévenu.
approval-join-fact = Inscription à { $list }
approval-leave-fact = Départ de { $list }
approval-list-fact = Nouvelle liste
approval-already-approved = Elle a déjà été approuvée par { $by }, le { $time }.
approval-already-rejected = Elle a déjà été refusée par { $by }, le { $time }.
approval-already-discarded = Elle a déjà été supprimée par { $by }, le { $time }.

## Où une personne est connectée.

devices-title = Vos sessions ouvertes
devices-lede = Les navigateurs où vous avez une session ouverte. Fermez celles que vous ne reconnaissez pas.
devices-this = Ce navigateur
devices-unknown = Navigateur inconnu
devices-used = Dernière utilisation le { $time }
devices-since = ouverte le { $time }
devices-until = prend fin le { $time }
devices-revoke = Fermer la session
devices-revoked = Cette session est fermée.
devices-everywhere = Se déconnecter partout

## La boîte de la démonstration, où finit tout ce qu’elle envoie.

demo-site = Démonstration de Crier
demo-title = E-mails reçus
demo-lede = Tout ce que cette démonstration envoie arrive ici. La page s’actualise toutes les trois secondes.
demo-received = { $count ->
    [one] { $count } e-mail jusqu’ici.
   *[other] { $count } e-mails jusqu’ici.
}
demo-newest = { $count ->
    [one] Le plus récent est ci-dessous.
   *[other] Les { $count } plus récents sont ci-dessous.
}
demo-nothing = Rien n’est encore arrivé.
demo-time = Heure (UTC)
demo-to = À
demo-from = De
demo-subject = Objet
demo-no-subject = (sans objet)
demo-all = Tous les e-mails reçus
demo-envelope-from = Expéditeur de l’enveloppe
demo-envelope-to = Destinataire de l’enveloppe
demo-leave = Quitter la liste
demo-text = Texte
demo-source = Source
demo-cut = La source continue ; seul le début est affiché.
demo-not-kept = Cet e-mail n’est pas ici
demo-not-kept-next = La démonstration ne garde que les e-mails les plus récents, et les supprime tous à la fin.

## Confirmer une demande par le lien de son message.

confirm-title-join = S’inscrire à { $list } ?
confirm-title-leave = Quitter { $list } ?
confirm-title = Veuillez confirmer
confirm-asked = Cette demande a été faite le { $time }, par vous ou par quelqu’un qui a saisi votre adresse.
confirm-list = Liste
confirm-address = Adresse
confirm-changes = Modifications
confirm-mail = Réception
confirm-mail-singly = chaque message dès son arrivée
confirm-mail-digest = un récapitulatif par jour
confirm-button-join = Oui, je m’inscris
confirm-button-leave = Oui, je quitte la liste
confirm-button = Oui, je confirme
confirm-next = La suite
confirm-next-join = Dès que vous aurez appuyé sur le bouton, vous serez membre et recevrez les nouveaux messages.
confirm-next-approval = Les responsables de la liste décident, et un e-mail vous préviendra.
confirm-next-other = La modification prend effet dès que vous aurez appuyé sur le bouton.
confirm-not-you = Si cette demande ne vient pas de vous, fermez cette page. Rien n’a changé, et le lien cessera de fonctionner le { $day }.
confirm-done = Merci, c’est confirmé
confirm-done-joined = Vous êtes membre de { $list }
confirm-done-waiting = Votre demande pour { $list } est en attente
confirm-done-already = Vous étiez déjà membre de { $list }
confirm-done-left = Vous avez quitté { $list }
confirm-done-no-member = Vous n’êtes pas membre de { $list }
confirm-done-changed = C’est fait : { $change }
confirm-done-joined-next = Vous recevrez les nouveaux messages à { $address }. Chacun contient un lien pour quitter la liste.
confirm-done-waiting-next = Les responsables de la liste ont reçu votre demande. Un e-mail vous préviendra dès leur décision.
confirm-done-already-next = Il n’y avait rien à changer.
confirm-done-left-next = Vous ne recevrez plus les nouveaux messages.
confirm-done-no-member-next = Il n’y avait rien à changer.
confirm-done-changed-next = La modification est en vigueur dès maintenant.
confirm-refused = Cela n’a pas été possible : { $change }
confirm-refused-closed = La liste n’accepte pas ce genre de demande pour le moment. Ses responsables peuvent vous aider.
confirm-refused-gone = Cette liste n’existe plus.
confirm-refused-address = Les adresses comme { $address } ne sont pas acceptées ici. Veuillez en utiliser une autre.
confirm-refused-taken = Quelqu’un d’autre utilise déjà { $address } ici.
confirm-refused-unknown = { $address } n’est inscrite à aucune de ces listes.
confirm-refused-full = Il n’y a plus de place pour de nouveaux membres en ce moment. Veuillez vous adresser aux responsables de la liste.
confirm-used-title = Vous avez déjà confirmé
confirm-used = Vous avez appuyé sur le bouton le { $time }. Il n’y a rien d’autre à faire.
confirm-expired-title = Ce lien ne fonctionne plus
confirm-expired = Ces liens fonctionnent sept jours, et celui-ci a été envoyé le { $day }. Rien n’a changé.
confirm-expired-next = Si vous le souhaitez toujours, refaites la demande : vous recevrez un nouveau lien.
confirm-again = Refaire la demande
## The other members.

people-title = Membres
people-title-of = Membres de { $list }
people-lede = Ces personnes sont membres de listes ici. Leurs adresses ne sont pas montrées aux autres membres.
people-lede-with-email = Ces personnes sont membres de listes ici, avec les adresses où elles reçoivent les messages.
people-search = Rechercher un nom
people-search-button = Rechercher
people-all = Afficher tout le monde
people-none = Il n’y a encore personne.
people-not-found = Personne ne porte ce nom. Le début d’un nom suffit.
people-nameless = Quelqu’un qui n’a pas donné de nom
people-self = Vous
people-cut = Beaucoup de personnes portent ce nom, et seule une partie a été examinée. Veuillez ajouter un mot.
people-pages = Pages de cette liste de membres
people-before = Précédent
people-after = Suivant

## S’inscrire et quitter une liste par le formulaire.

join-title = S’inscrire à une liste
join-title-list = S’inscrire à { $list }
join-title-leave = Quitter une liste
join-title-leave-list = Quitter { $list }
join-lede = Nous vous enverrons un e-mail pour vérifier que l’adresse est bien la vôtre. Rien ne change avant votre confirmation.
join-none = Ce formulaire ne permet ici ni de s’inscrire à une liste ni d’en quitter une.
join-name = Votre nom
join-name-hint = Tel que les autres membres de la liste le verront.
join-email = Votre adresse
join-lists = Quelles listes ?
join-all-lists = Il y a d’autres listes : toutes les voir
join-often = À quelle fréquence ?
join-singly = Chaque message dès son arrivée
join-digest = Un récapitulatif par jour
join-digest-hint = Tous les messages ensemble.
join-hint-approval = Les responsables de la liste décident de chaque demande.
join-button = Demander l’inscription
join-button-leave = Demander le départ
join-agreed = Nous gardons votre nom, votre adresse, la date de votre inscription et d’où vous l’avez demandée, et ne nous en servons que pour ces listes.
join-agreed-leave = Votre adresse ne nous sert qu’à vous demander si c’était bien vous.
join-instead-leave = Quitter plutôt une liste
join-instead-join = S’inscrire plutôt à une liste
join-name-long = Le nom dépasse { $count } caractères.
join-name-link = Le nom contient des caractères qui n’existent dans aucun nom. Veuillez l’écrire sans lien.
join-email-missing = Veuillez saisir votre adresse.
join-email-without-at = Il manque un @ dans l’adresse. Elle devrait ressembler à ines@example.org.
join-email-wrong = Ce n’est pas une adresse à laquelle on puisse écrire. Elle devrait ressembler à ines@example.org.
join-email-machine = Personne ne lit les messages envoyés à cette adresse. Veuillez saisir la vôtre.
join-email-refused = Les adresses comme celle-ci ne sont pas acceptées ici. Veuillez en utiliser une autre.
join-list-missing = Veuillez choisir au moins une liste.
join-list-unknown = { $list } n’est pas une liste que vous pouvez choisir ici.
join-form-young = C’était très rapide. Veuillez appuyer encore une fois sur le bouton.
join-form-old = Ce formulaire est resté ouvert trop longtemps, ou ne vient pas de cette page. Veuillez appuyer encore une fois sur le bouton.
join-asked = Nous vous avons envoyé un e-mail
join-asked-next = Ouvrez le lien de l’e-mail envoyé à { $address }, ou répondez-y simplement. D’ici là, rien ne change.
join-asked-missing = Pas d’e-mail après quelques minutes ? Regardez dans vos spams. Nous envoyons à une adresse au plus un e-mail de ce genre par jour pour chaque liste, et cinq par jour en tout.
## Being forgotten.

data-title = Ce que nous savons de vous
data-lede = Votre nom, vos adresses, vos listes et les messages que vous avez écrits.
data-download = Télécharger mes données
data-download-posts = Télécharger mes messages
data-erase-title = Effacer mes données
data-erase-lede = { $count ->
    [0] Nous effaçons vos données.
    [one] Vous quittez une liste, et nous effaçons vos données.
   *[other] Vous quittez { $count } listes, et nous effaçons vos données.
} C’est définitif.
data-erase-what = Ce que nous effaçons
data-erase-record = Votre nom, vos adresses et les notes à votre sujet.
data-erase-evidence = La date et le moyen de vos inscriptions, ce que vous avez confirmé et vos sessions ouvertes.
data-erase-waiting = Vos messages en attente d’une décision. Ils ne seront plus envoyés.
data-erase-posts = Que deviennent les messages que vous avez écrits ?
data-erase-keep = Ils restent, sans vous
data-erase-keep-hint = Ils apparaissent sous le nom « ancien membre », et votre nom et vos adresses sont retirés de leur texte. Les fichiers que vous avez joints restent tels quels.
data-erase-remove = Ils sont retirés des archives
data-erase-remove-hint = Les réponses des autres restent à leur place.
data-erase-others = Ce que d’autres ont écrit reste, même s’ils vous citent ou vous nomment. Les messages déjà envoyés ne peuvent pas être rappelés.
data-erase-button = Effacer mes données
data-erase-not-chosen = Veuillez choisir ce que deviennent vos messages.
data-erase-download = Tout télécharger d’abord
data-erased-title = Vos données sont effacées
data-erased-lede = Vous n’êtes plus membre d’aucune liste, et votre nom et vos adresses ont disparu.
data-erased-keep = Vos messages sont en cours de réécriture pour apparaître sous le nom « ancien membre ». Cela prend quelques minutes, davantage s’il y en a beaucoup.
data-erased-remove = Nous sommes en train de retirer vos messages des archives. Cela prend quelques minutes, davantage s’il y en a beaucoup.
data-erased-traces = Les traces des messages en route vers vous sont supprimées dès qu’ils ont quitté la file d’envoi, sous cinq jours.

## Où continuer après un lien

onward-read = Lire { $list }
onward-write = Écrire à { $list }
onward-lists = Vos listes
confirm-signed-in = Votre session reste ouverte ici pendant un jour, sauf si vous vous déconnectez avant.

## Confirmer une autre adresse, et d’autres changements dans la façon de recevoir

confirm-change-replace = Utilisation de cette adresse pour vos listes de { $site }, à la place de la précédente
confirm-site = Listes de
confirm-title-replace = Remplacer votre adresse par celle-ci ?
confirm-button-replace = Oui, je change d’adresse
confirm-next-replace = Dès que vous aurez appuyé sur le bouton, les messages de vos listes arriveront à cette adresse, et non plus à la précédente.
confirm-done-how = Vous recevez { $list } comme vous l’avez demandé
confirm-done-digest-next = Désormais, vous recevez un récapitulatif par jour.
confirm-done-singly-next = Désormais, vous recevez chaque message dès son arrivée.
confirm-done-paused = L’envoi de vos listes à { $address } est suspendu
confirm-done-paused-next = Vous pouvez reprendre l’envoi à tout moment.
confirm-done-resumed = Les messages de vos listes arrivent de nouveau à { $address }
confirm-done-resumed-next = Cela commence avec le prochain message.
confirm-done-added = { $address } est maintenant l’une de vos adresses
confirm-done-added-next = Les messages de vos listes y arrivent aussi, et vous pouvez écrire depuis cette adresse.
confirm-done-replaced = Les messages de vos listes arrivent maintenant à { $address }
confirm-done-replaced-next = Votre adresse précédente est retirée. Vos listes restent les mêmes.

## An address of another server, from which the message did not come along. $list is a list's name.

old-link-title = Ce message n’a pas suivi le déménagement
old-link-lede = L’adresse que vous avez ouverte est celle des anciennes archives de { $list }. Depuis, la liste a déménagé ici, mais ce message n’a pas été repris.
old-link-subject = Il avait pour objet « { $subject } ».
# $month is a month like "November 2026".
old-link-month = Voir tout le mois : { $month }

## The form of one list, for a member who is signed in
# $address is an address of mail.
join-own = Vous êtes connecté avec l’adresse { $address } : un clic suffit.
join-own-button = S’inscrire avec cette adresse
join-own-other = Avec une autre adresse
