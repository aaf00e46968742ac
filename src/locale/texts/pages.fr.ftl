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
form-wrong-title = Erreur :
form-problems = { $count ->
    [one] Merci de revoir { $count } point
   *[other] Merci de revoir ces { $count } points
}
problem-no-button = Veuillez appuyer sur l’un des boutons.

## Quand quelque chose ne va pas : ce qui s’est passé, et ce qu’il faut faire.

error-status = Erreur { $status }
error-home = Aller à la première page
error-request = Si vous nous écrivez à ce sujet, merci d’indiquer la demande { $id }.
error-bad-request = Nous n’avons pas pu lire ce qui a été envoyé
error-bad-request-next = Rien n’a changé. Veuillez revenir en arrière, recharger la page et l’envoyer encore une fois.
error-sign-in = Veuillez d’abord vous connecter
error-sign-in-next = Seules les personnes connectées peuvent ouvrir cette page. Vous l’étiez peut-être il y a peu : une connexion prend fin d’elle-même.
error-forbidden = Vous n’avez pas le droit de faire cela
error-forbidden-next = Vos droits ne couvrent pas cette page, et rien n’a changé. La personne qui administre le compte peut vous les donner.
error-forged = Ce formulaire ne vient pas de sa page
error-forged-next = Rien n’a changé. Veuillez rouvrir la page et y appuyer sur le bouton. Votre navigateur doit accepter les cookies de cette page.
error-not-found = Il n’y a rien à cette adresse
error-not-found-next = La page a peut-être été déplacée, ou le lien a été coupé. S’il s’étendait sur deux lignes dans un message, copiez les deux parties dans la barre d’adresse.
error-unknown-host = Il n’y a pas de page ici
error-unknown-host-next = L’adresse contient peut-être une faute de frappe, ou il en manque une partie.
error-dead-link = Ce lien ne fonctionne pas
error-dead-link-next = Il a peut-être été coupé en le copiant, ou ce à quoi il servait n’existe plus. Veuillez ouvrir le lien du message le plus récent.
error-not-allowed = Cette page n’est pas faite pour cela
error-not-allowed-next = Rien n’a changé. Veuillez ouvrir la page par son lien et utiliser les boutons qu’elle montre.
error-conflict = Quelqu’un d’autre a été plus rapide
error-conflict-next = Ce que vous vouliez changer a changé entre-temps. Veuillez recharger la page et y regarder encore une fois.
error-spent-link = Ce lien a déjà servi
error-spent-link-next = Un mot de passe a été choisi depuis. Si ce n’était pas vous, veuillez le dire à une autre personne de l’administration.
error-expired-link = Ce lien est trop ancien
error-expired-link-next = Les liens pour choisir un mot de passe fonctionnent sept jours, et une heure si vous avez oublié le vôtre. Sur la page de connexion, vous pouvez en demander un nouveau.
error-wrong-type = Nous ne savons pas lire ce genre de formulaire
error-wrong-type-next = Rien n’a changé. Veuillez utiliser le formulaire de la page elle-même.
error-too-many = Cela fait beaucoup en peu de temps
error-too-many-next = Rien n’a changé. Veuillez attendre quelques minutes et réessayer.
error-too-large = C’est trop grand
error-too-large-next = Rien n’a changé. Un formulaire peut envoyer { $size } au plus.
error-too-slow = Cela a pris trop de temps
error-too-slow-next = Rien n’a changé. La connexion est peut-être lente en ce moment. Veuillez réessayer.
error-outage = Rien ne peut être enregistré ici en ce moment
error-outage-next = Rien n’a changé. Veuillez réessayer plus tard.
error-busy = Il y a trop de monde ici en ce moment
error-busy-next = Rien n’a changé. Veuillez réessayer dans quelques secondes.
error-internal = Quelque chose s’est mal passé ici
error-internal-next = C’est notre faute, pas la vôtre. Veuillez réessayer dans quelques minutes.

## La première page.

home-title = Ce serveur héberge des listes de diffusion
home-lede = Un message à l’adresse d’une liste parvient à toutes les personnes qui y sont inscrites.
home-signed-out = Vous vous êtes déconnecté.
home-members = Vous êtes sur une liste
home-write = Pour écrire à tout le monde, écrivez à l’adresse de la liste.
home-leave = Pour quitter une liste, appuyez sur « Se désabonner » dans votre logiciel de messagerie, ou ouvrez le lien d’un message de la liste.
home-owner = Pour joindre les responsables d’une liste, ajoutez -owner à son nom : pour news@lists.example.org, c’est news-owner@lists.example.org.
home-owners = Vous vous occupez de listes, ou écrivez un programme qui le fait
home-api = L’API : les clés, les premiers appels et chaque appel (en anglais)
home-openapi = La même chose pour les programmes, en openapi.json
home-commands = Sur le serveur lui-même, crier --help montre chaque commande.

## Quitter une liste par le lien d’un message.

unsubscribe-title = Quitter { $list } ?
unsubscribe-next = Vous ne recevrez plus de messages de cette liste. Rien n’a encore changé.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Il s’agit des messages envoyés à { $address }.
unsubscribe-button = Quitter la liste
goodbye-title = Vous avez quitté { $list }
goodbye-next = Vous ne recevrez plus de messages de cette liste. Ceux qui étaient déjà en route peuvent encore arriver dans les prochaines minutes.
goodbye-undo = C’était une erreur ? Vous pouvez revenir en arrière pendant sept jours.
goodbye-undo-button = Annuler
not-a-member-title = Vous n’êtes pas membre de { $list }
not-a-member-next = Vous ne recevez pas de messages de cette liste. Pour vous inscrire, adressez-vous à ses responsables.
welcome-back-title = Vous êtes membre de { $list }
welcome-back-next = Vous recevez de nouveau les messages de cette liste.

## Quitter une liste qui demande plus d’un clic, et dire pourquoi.

leave-second-title = Voulez-vous vraiment quitter { $list } ?
leave-second-button = Oui, quitter la liste
leave-approval-next = Les responsables de cette liste doivent donner leur accord. Vous recevrez un message quand ils auront décidé, et les messages de la liste jusque-là. Rien n’a encore changé.
leave-approval-button = Demander à quitter la liste
leave-waits-title = Votre demande de quitter { $list } est en attente
leave-waits-next = Les responsables de la liste décident. Vous recevrez alors un message. Jusque-là, vous recevez les messages de la liste.
leave-closed-title = On ne peut pas quitter { $list } ici
leave-closed-next = Les responsables de cette liste décident qui y est inscrit. Répondez à l’un de ses messages ou écrivez-leur. Le bouton de désabonnement de votre logiciel de messagerie fonctionne malgré tout.
leave-reason = Voulez-vous dire pourquoi ?
leave-reason-hint = Facultatif. Les responsables de la liste le lisent.
leave-reason-button = Envoyer
leave-reason-kept = Merci. Les responsables de la liste liront vos mots.
leave-reason-too-long = Dites-le en { $count } caractères au plus.

## L’envoi à une adresse était suspendu, et reprend.

resume-title = Les messages vous parviennent-ils de nouveau ?
resume-paused = L’envoi à { $address } est suspendu.
resume-unchanged = Rien n’a encore changé. Si les messages n’arrivent toujours pas, fermez cette page.
resume-button = Reprendre l’envoi
resumed-title = Les messages sont envoyés à { $address }
resumed-next = Vos listes sont envoyées à cette adresse.

## Une personne de l’administration choisit un mot de passe.

password-title = Choisissez un mot de passe
password-username = Vous vous connecterez en tant que { $username }.
password-label = Mot de passe
password-hint = Au moins { $count } caractères. Plusieurs mots en font un bon.
password-button = Enregistrer le mot de passe
password-too-short = Un mot de passe doit avoir au moins { $count } caractères ; plusieurs mots en font un bon.
password-too-long = Un mot de passe peut avoir { $count } octets au plus.
password-chosen-title = Votre mot de passe est enregistré
password-chosen-next = Il appartient à { $username }. Le lien qui vous a conduit ici ne fonctionne plus.

## Une personne décide d’un message.

moderate-title = Un message à { $list } attend
moderate-from = De
moderate-subject = Objet
moderate-received = Reçu
moderate-size = Taille
moderate-because = Motif
moderate-due = Sans décision
moderate-due-value = il sera écarté le { $time }
moderate-begins = Le message commence ainsi
moderate-no-text = Le message n’a pas de texte.
moderate-reason = Vos mots, si vous le refusez
moderate-reason-told = L’auteur les reçoit par courriel.
moderate-reason-kept = Seule l’administration voit ces mots. L’auteur n’est pas prévenu.
moderate-buttons = Votre décision
moderate-approve = Approuver
moderate-reject = Refuser
moderate-discard = Écarter
moderate-next = Ce qui se passe ensuite
moderate-next-told = Approuvé, il va à toute la liste. Refusé, il revient à son auteur avec vos mots. Écarté, personne n’est prévenu. La première décision compte.
moderate-next-untold = Approuvé, il va à toute la liste. Refusé ou écarté, personne ne le reçoit, et l’auteur n’est pas prévenu. La première décision compte.
moderated-held = Le message attend
moderated-held-next = Personne n’a encore décidé.
moderated-approved = Le message est approuvé
moderated-approved-next = Il est en route vers les membres.
moderated-rejected = Le message est refusé
moderated-rejected-next = Les membres ne le reçoivent pas.
moderated-discarded = Le message est écarté
moderated-discarded-next = Les membres ne le reçoivent pas, et personne n’est prévenu.
moderated-already-approved = Il a déjà été approuvé, par { $by } le { $time }.
moderated-already-rejected = Il a déjà été refusé, par { $by } le { $time }.
moderated-already-discarded = Il a déjà été écarté, par { $by } le { $time }.
moderated-already-by-time = Il a déjà été écarté, car personne n’a décidé à temps.
moderated-unchanged = Rien n’a changé. { $already }

## L’administration décide d’une demande.

approval-join-title = Quelqu’un voudrait entrer dans { $list }
approval-leave-title = Quelqu’un voudrait quitter { $list }
approval-list-title = La nouvelle liste { $list } est en attente
approval-name = Nom
approval-address = Adresse
approval-description = Description
approval-list = Liste
approval-requested = Demandé le
approval-confirmed = Confirmé le
approval-agreed = Accord donné à
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, depuis { $client }
approval-done = { $time }, { $way }
approval-reason-label = Vos mots, si vous refusez
approval-reason-told = La personne les reçoit par courriel.
approval-reason-kept = Seule l’administration les lit.
approval-join-next = Approuvée, la demande fait de la personne un membre, et un message le lui dit. Refusée, la personne reçoit un message avec vos mots. Écartée, personne n’est prévenu. La première décision compte.
approval-leave-next = Approuvée, la demande retire la personne de la liste, et un message le lui dit. Refusée, la personne y reste et reçoit un message avec vos mots. Écartée, rien ne change et personne n’est prévenu. La première décision compte.
approval-list-next = Approuvée, la liste reçoit du courrier. Refusée ou écartée, elle est supprimée avec ses membres. La première décision compte.
approval-impossible = Cette personne ne peut pas devenir membre : le carnet d’adresses est plein, ou il n’accepte pas l’adresse.
approval-waits = La demande est en attente
approval-waits-next = Personne n’a encore décidé.
approval-approved = La demande est approuvée
approval-rejected = La demande est refusée
approval-discarded = La demande est écartée
approval-joined-next = La personne est membre maintenant, et un message le lui dit.
approval-left-next = La personne n’est plus sur la liste, et un message le lui dit.
approval-opened-next = La liste reçoit du courrier maintenant.
approval-removed-next = La liste est supprimée avec ses membres.
approval-rejected-next = Un message le dit à la personne.
approval-discarded-next = Rien n’a changé, et personne n’est prévenu.
approval-join-fact = Entrée dans { $list }
approval-leave-fact = Départ de { $list }
approval-list-fact = Nouvelle liste
approval-already-approved = Elle a déjà été approuvée, par { $by } le { $time }.
approval-already-rejected = Elle a déjà été refusée, par { $by } le { $time }.
approval-already-discarded = Elle a déjà été écartée, par { $by } le { $time }.

## Où une personne est connectée.

devices-title = Où vous êtes connecté
devices-lede = Chaque navigateur dans lequel vous êtes connecté. Mettez fin à ce que vous ne reconnaissez pas.
devices-this = Celui-ci
devices-unknown = Navigateur inconnu
devices-used = Utilisé pour la dernière fois le { $time }
devices-since = connecté le { $time }
devices-until = prend fin le { $time }
devices-revoke = Y mettre fin
devices-revoked = Vous y êtes déconnecté.
devices-everywhere = Se déconnecter partout

## La boîte de la démonstration, où finit tout ce qu’elle envoie.

demo-site = Démonstration de Crier
demo-title = Messages reçus
demo-lede = Tout ce que cette démonstration envoie arrive ici. La page regarde à nouveau toutes les trois secondes.
demo-received = { $count ->
    [one] { $count } message jusqu’ici.
   *[other] { $count } messages jusqu’ici.
}
demo-newest = { $count ->
    [one] Le plus récent ({ $count }) est ci-dessous.
   *[other] Les { $count } plus récents sont ci-dessous.
}
demo-nothing = Rien n’est encore arrivé.
demo-time = Heure (UTC)
demo-to = À
demo-from = De
demo-subject = Objet
demo-no-subject = (sans objet)
demo-all = Tous les messages reçus
demo-envelope-from = Expéditeur de l’enveloppe
demo-envelope-to = Destinataire de l’enveloppe
demo-leave = Quitter la liste
demo-text = Texte
demo-source = Source
demo-cut = La source continue ; seul son début est montré.
demo-not-kept = Ce message n’est pas ici
demo-not-kept-next = La démonstration ne garde que les messages les plus récents, et les oublie tous quand elle se termine.

## Confirmer une demande par le lien de son message.

confirm-title-join = Voulez-vous vous inscrire à { $list } ?
confirm-title-leave = Voulez-vous quitter { $list } ?
confirm-title = Veuillez confirmer
confirm-asked = Vous, ou quelqu’un qui a saisi votre adresse, l’avez demandé le { $time }.
confirm-list = Liste
confirm-address = Adresse
confirm-changes = Changements
confirm-mail = Messages
confirm-mail-singly = chaque message séparément
confirm-mail-digest = un message par jour
confirm-button-join = Oui, je veux m’inscrire
confirm-button-leave = Oui, je veux quitter la liste
confirm-button = Oui, je confirme
confirm-next = La suite
confirm-next-join = Dès que vous aurez appuyé sur le bouton, vous serez membre et recevrez les nouveaux messages.
confirm-next-approval = Les responsables de la liste décident, et vous recevrez alors un message.
confirm-next-other = Le changement est fait dès que vous aurez appuyé sur le bouton.
confirm-not-you = Si ce n’était pas vous, fermez cette page. Rien n’a changé, et le lien cesse de fonctionner le { $day }.
confirm-done = Merci, c’est confirmé
confirm-done-joined = Vous êtes membre de { $list }
confirm-done-waiting = Votre demande pour { $list } attend une approbation
confirm-done-already = Vous étiez déjà membre de { $list }
confirm-done-left = Vous avez quitté { $list }
confirm-done-no-member = Vous n’êtes pas membre de { $list }
confirm-done-changed = C’est fait : { $change }
confirm-done-joined-next = Les nouveaux messages arrivent à { $address }. Chacun contient un lien pour quitter la liste.
confirm-done-waiting-next = Les responsables de la liste ont votre demande. Vous recevrez un message dès qu’ils auront décidé.
confirm-done-already-next = Il n’y avait rien à changer.
confirm-done-left-next = Vous ne recevrez plus les nouveaux messages.
confirm-done-no-member-next = Il n’y avait rien à changer.
confirm-done-changed-next = C’est valable dès maintenant.
confirm-refused = Cela n’a pas été possible : { $change }
confirm-refused-closed = La liste n’accepte pas de telles demandes pour le moment. Ses responsables peuvent vous aider.
confirm-refused-gone = Cette liste n’existe plus.
confirm-refused-address = Les adresses comme { $address } ne sont pas admises ici. Essayez avec une autre adresse.
confirm-refused-taken = Quelqu’un d’autre utilise déjà { $address } ici.
confirm-refused-unknown = { $address } n’est dans aucune de ces listes.
confirm-refused-full = Il n’y a plus de place pour de nouveaux membres. Adressez-vous aux responsables de la liste.
confirm-used-title = Vous avez déjà confirmé
confirm-used = Vous avez appuyé sur le bouton le { $time }. Vous n’avez rien d’autre à faire.
confirm-expired-title = Ce lien ne fonctionne plus
confirm-expired = Ces liens fonctionnent sept jours, et celui-ci a été envoyé le { $day }. Rien n’a changé.
confirm-expired-next = Si vous le voulez toujours, refaites la demande : vous recevrez un nouveau lien.
confirm-again = Demander de nouveau
## The other members.

people-title = Membres
people-title-of = Membres de { $list }
people-lede = Ces personnes sont sur des listes ici. Leurs adresses ne sont pas montrées aux autres membres.
people-lede-with-email = Ces personnes sont sur des listes ici, avec les adresses auxquelles va leur courrier.
people-search = Chercher un nom
people-search-button = Chercher
people-all = Montrer tout le monde
people-none = Il n’y a encore personne.
people-not-found = Personne ne porte ce nom. Le début d’un nom suffit.
people-nameless = Une personne sans nom
people-self = Vous
people-cut = Beaucoup de personnes portent ce nom, et seule une partie a été regardée. Veuillez ajouter un mot.
people-pages = Pages de ces membres
people-before = Précédent
people-after = Suivant

## S’inscrire et quitter une liste par le formulaire.

join-title = S’inscrire à une liste
join-title-list = S’inscrire à { $list }
join-title-leave = Quitter une liste
join-title-leave-list = Quitter { $list }
join-lede = Nous vous enverrons un message pour vérifier que l’adresse est la vôtre. Rien ne se passe avant votre confirmation.
join-none = Il n’y a ici aucune liste à laquelle s’inscrire ou que quitter avec ce formulaire.
join-name = Votre nom
join-name-hint = Tel que les autres membres de la liste doivent le lire.
join-email = Votre adresse
join-lists = Quelles listes ?
join-all-lists = Il y a d’autres listes : les voir toutes
join-often = À quelle fréquence ?
join-singly = Chaque message séparément
join-digest = Un message par jour
join-digest-hint = Tout ensemble.
join-hint-approval = Les responsables de la liste décident de chaque demande.
join-button = Demander l’inscription
join-button-leave = Demander à quitter
join-agreed = Nous gardons votre nom, votre adresse, le jour de votre inscription et d’où vous l’avez demandée, et ne nous en servons que pour ces listes.
join-agreed-leave = Nous ne nous servons de votre adresse que pour vous demander si c’était vous.
join-instead-leave = Quitter plutôt une liste
join-instead-join = S’inscrire plutôt à une liste
join-name-long = Le nom dépasse { $count } caractères.
join-name-link = Le nom contient des caractères qu’aucun nom ne contient. Écrivez-le sans lien.
join-email-missing = Veuillez saisir votre adresse.
join-email-without-at = Il manque un @ dans l’adresse. Elle devrait ressembler à ines@example.org.
join-email-wrong = Ce n’est pas l’adresse d’une boîte aux lettres. Elle devrait ressembler à ines@example.org.
join-email-machine = Personne ne lit de messages à cette adresse. Veuillez saisir la vôtre.
join-email-refused = Les adresses comme celle-ci ne peuvent pas s’inscrire ici. Utilisez-en une autre.
join-list-missing = Choisissez au moins une liste.
join-list-unknown = { $list } n’est pas une liste que l’on peut choisir ici.
join-form-young = C’était très rapide. Veuillez appuyer encore une fois sur le bouton.
join-form-old = Ce formulaire est resté ouvert trop longtemps, ou ne vient pas de cette page. Veuillez appuyer encore une fois sur le bouton.
join-asked = Nous vous avons envoyé un message
join-asked-next = Ouvrez le lien du message envoyé à { $address }, ou répondez-y simplement. D’ici là, rien n’a changé.
join-asked-missing = Pas de message après quelques minutes ? Regardez dans le dossier de spam. Nous écrivons à une adresse au plus une fois par jour pour chaque liste, et au plus cinq fois par jour en tout.
## Being forgotten.

data-title = Ce que nous savons de vous
data-lede = Votre nom, vos adresses, vos listes et les messages que vous avez écrits.
data-download = Télécharger ce que nous savons
data-download-posts = Télécharger vos messages
data-erase-title = Effacer mes données
data-erase-lede = { $count ->
    [0] Nous vous oublions.
    [one] Vous quittez une liste, et nous vous oublions.
   *[other] Vous quittez { $count } listes, et nous vous oublions.
} Cela ne peut pas être annulé.
data-erase-what = Ce que nous effaçons
data-erase-record = Votre nom, vos adresses et ce qui a été noté à votre sujet.
data-erase-evidence = Quand et comment vous vous êtes inscrit, ce que vous avez confirmé et où vous êtes connecté.
data-erase-waiting = Vos messages qui attendent une décision. Ils ne seront plus envoyés.
data-erase-posts = Que deviennent les messages que vous avez écrits ?
data-erase-keep = Ils restent, sans vous
data-erase-keep-hint = Ils sont alors d’« ancien membre », et votre nom et vos adresses sont retirés de leur texte. Les fichiers joints restent tels quels.
data-erase-remove = Ils sont retirés
data-erase-remove-hint = Les réponses des autres restent à leur place.
data-erase-others = Ce que d’autres ont écrit reste, même s’ils vous citent ou vous nomment. Les messages envoyés ne peuvent pas être rappelés.
data-erase-button = Effacer mes données
data-erase-not-chosen = Veuillez choisir ce que deviennent vos messages.
data-erase-download = Tout télécharger d’abord
data-erased-title = Vos données sont effacées
data-erased-lede = Vous n’êtes plus sur aucune liste, et votre nom et vos adresses ont disparu.
data-erased-keep = Vos messages sont en train d’être réécrits, pour être d’« ancien membre ». Cela prend quelques minutes, davantage s’il y en a beaucoup.
data-erased-remove = Vos messages sont en train d’être retirés des archives. Cela prend quelques minutes, davantage s’il y en a beaucoup.
data-erased-traces = Les traces des messages qui sont en route vers vous disparaissent avec eux, sous cinq jours.

## Où continuer après un lien

onward-read = Lire { $list }
onward-write = Écrire à { $list }
onward-lists = Vos listes
confirm-signed-in = Vous êtes connecté ici pour un jour, ou jusqu’à ce que vous vous déconnectiez.

## Confirmer une autre adresse, et d’autres changements dans la façon de recevoir

confirm-change-replace = Utiliser cette adresse pour vos listes de { $site }, à la place de la précédente
confirm-site = Listes de
confirm-title-replace = Transférer vos messages à cette adresse ?
confirm-button-replace = Oui, envoyez mes messages ici
confirm-next-replace = Dès que vous aurez appuyé sur le bouton, les messages de vos listes arriveront à cette adresse, et plus à la précédente.
confirm-done-how = Vous recevez { $list } comme vous l’avez demandé
confirm-done-digest-next = Désormais, c’est un message par jour.
confirm-done-singly-next = Désormais, chaque message arrive séparément.
confirm-done-paused = Aucun message de vos listes n’est plus envoyé à { $address }
confirm-done-paused-next = Vous pouvez reprendre l’envoi à tout moment.
confirm-done-resumed = Les messages de vos listes sont de nouveau envoyés à { $address }
confirm-done-resumed-next = Cela commence avec le prochain message.
confirm-done-added = { $address } est maintenant l’une de vos adresses
confirm-done-added-next = Les messages de vos listes y arrivent aussi, et vous pouvez écrire depuis cette adresse.
confirm-done-replaced = Les messages de vos listes sont maintenant envoyés à { $address }
confirm-done-replaced-next = Votre adresse précédente est retirée. Rien ne change pour vos listes.
