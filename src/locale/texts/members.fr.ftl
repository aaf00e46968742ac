### Textes des pages pour les membres, et du message qui leur permet de se connecter.

nav-members = Vos listes

## Se connecter

me-sign-in-title = Se connecter à vos listes
me-sign-in-lede = Aucun mot de passe n’est nécessaire. Nous envoyons un lien à votre adresse, et il ouvre vos listes.
me-sign-in-button = M’envoyer le lien
me-email-label = Votre adresse
me-email-hint = Une adresse où arrivent les messages de vos listes.
me-email-missing = Veuillez saisir votre adresse.
me-email-without-at = Il manque le @ dans l’adresse.
me-email-wrong = Aucun message ne peut être envoyé à cette adresse.
me-stay-label = Rester connecté sur cet appareil
me-stay-hint = Pendant 90 jours au lieu d’un seul. Seulement si personne d’autre n’utilise votre appareil.
me-mailed-title = Consultez votre boîte de réception
me-mailed-lede = Si nous connaissons { $address }, un message avec un lien est en route. Le lien fonctionne pendant { $time }.
me-mailed-nothing = Rien n’arrive ?
me-mailed-spam = Le message est peut-être dans le dossier de spam.
me-mailed-other = Vos listes arrivent peut-être à une autre de vos adresses.
me-mailed-often = Si vous avez fait la demande il y a moins d’une minute, cherchez le message précédent : son lien fonctionne encore. Nous envoyons un message par minute et cinq par jour à une adresse, et le lien du cinquième fonctionne jusqu’au lendemain.
me-mailed-again = Saisir une autre adresse

## La page du lien

me-link-title = Heureux de vous revoir
me-link-lede = Vous allez vous connecter avec { $address }.
me-link-button = Se connecter
me-link-day = Vous restez connecté pendant un jour, ou jusqu’à ce que vous vous déconnectiez.
me-link-long = Vous restez connecté sur cet appareil pendant 90 jours, ou jusqu’à ce que vous vous déconnectiez.
me-link-used = Ce lien a déjà servi
me-link-used-next = Chaque lien connecte une seule fois. Si vous n’êtes pas connecté, demandez-en un nouveau.
me-link-expired = Ce lien ne fonctionne plus
me-link-expired-next = Les liens de connexion durent une heure. Demandez-en un nouveau ; il arrive aussitôt.
me-link-again = M’envoyer un nouveau lien

## Le message avec le lien

me-mail-subject = Votre lien de connexion à { $account }
me-mail-text =
    Quelqu’un, sans doute vous, veut se connecter avec l’adresse
    { $address } aux listes de diffusion de { $account }.

    Pour vous connecter, ouvrez cette page et appuyez sur son bouton :

    { $link }

    Le lien fonctionne une fois, jusqu’au { $until }.

    Si ce n’était pas vous, vous n’avez rien à faire : sans ce message,
    personne ne peut se connecter à votre place.

## La première page d’un membre

me-hello = Bonjour { $name }
me-count = { $count ->
    [0] Vous n’êtes sur aucune liste en ce moment.
    [one] Vous êtes sur une liste.
   *[other] Vous êtes sur { $count } listes.
}
me-how-single = Chaque message
me-how-digest = Un message par jour
me-how-none = Rien, je lis ici
me-people = Membres de toutes les listes
me-people-list = Membres de { $list }
me-people-here = Membres
me-save = Enregistrer
me-leave = Quitter
me-leave-approval = Les responsables de la liste doivent approuver votre départ.
me-leave-waits = Vous avez demandé à quitter la liste. Les responsables décident.
me-leave-closed = Pour quitter cette liste, veuillez écrire à ses responsables.
me-left = Vous avez quitté cette liste. Vous pouvez l’annuler jusqu’au { $day }.
me-joined = Vous en êtes membre depuis le { $time }, { $way }.
me-joined-from = Vous en êtes membre depuis le { $time }, { $way }, depuis { $from }.
me-way-administrator = par l’administration
me-way-web = par une page
me-way-mail = par un message

me-addresses = Vos adresses
me-first = Adresse principale
me-paused = Suspendue
me-state-active = Les messages de vos listes arrivent ici.
me-state-paused = Rien n’arrive ici tant que vous ne reprenez pas l’envoi. Vous pouvez écrire depuis cette adresse.
me-state-until = Rien n’arrive ici jusqu’au { $day }.
me-state-dead = Suspendue depuis le { $day }, car son serveur dit que cette boîte n’existe pas.
me-state-soft = Suspendue depuis le { $day }, car les messages revenaient depuis huit jours.
me-state-complaint = Suspendue depuis le { $day }, car un message a été signalé comme spam.
me-state-next = { $why } Nous réessayons le { $day }.
me-until = Aucun message jusqu’au
me-until-hint = Laissez vide si vous ne connaissez pas encore le jour.
me-until-wrong = Veuillez choisir un jour à partir de demain, quelques années au plus.
me-pause = Ne plus rien envoyer ici
me-resume = Reprendre l’envoi ici
me-make-first = En faire mon adresse principale
me-remove = Retirer
me-last-address = C’est votre seule adresse. Ajoutez-en une autre avant de la retirer.
me-paused-already = Rien n’y est envoyé pour le moment : des messages sont revenus ou ont été signalés comme spam.

me-name = Votre nom
me-firstname = Prénom
me-surname = Nom de famille
me-save-name = Enregistrer votre nom
me-too-long = Veuillez utiliser { $count } caractères au plus.
me-unprintable = Ce texte a des caractères qui ne peuvent pas être affichés.
me-devices = Vos appareils, et se déconnecter partout

me-digest-wrong = Veuillez choisir une des façons de la recevoir.
me-done-name = Enregistré.
me-done-first = { $address } est maintenant votre adresse principale.
me-done-remove = { $address } est retirée. Plus aucun message n’y arrive.
me-done-pause = Rien n’est plus envoyé à { $address } tant que vous ne reprenez pas l’envoi.
me-done-pause-until = Rien n’est envoyé à { $address } jusqu’au { $day }.
me-done-resume = Les messages vont de nouveau à { $address }.
me-done-digest = { $address } reçoit un message par jour, sauf si une liste dit autre chose.
me-done-single = { $address } reçoit chaque message, sauf si une liste dit autre chose.
me-done-list = Enregistré pour { $list }.
me-done-leave-waits = Vous avez demandé à quitter { $list }. Les responsables de la liste décident, et vous serez prévenu par un message.

me-open = Listes auxquelles vous pouvez vous inscrire
me-open-hint = Votre adresse est déjà confirmée, un seul clic suffit donc.
me-open-more = Autres listes
me-join = S’inscrire
me-join-approval = Les responsables de la liste décident.
me-join-waits = Vous avez demandé à vous inscrire. Les responsables de la liste décident.
me-join-refused = Les listes n’acceptent pas ici d’adresses comme { $address }.
me-done-join = Vous êtes maintenant sur { $list }.
me-done-join-waits = Vous avez demandé à vous inscrire à { $list }. Les responsables de la liste décident, et vous serez prévenu par un message.
me-add-label = Envoyer mes messages à
me-add-hint = Nous envoyons d’abord un lien à la nouvelle adresse, pour être sûrs qu’elle est à vous. Tant que vous ne l’avez pas ouvert, rien ne change.
me-add = Garder les deux adresses
me-own-already = Vous avez déjà cette adresse.
me-done-add = Consultez la boîte de { $address }. Vos messages y arriveront aussi dès que vous aurez ouvert le lien que nous envoyons.

## Les listes d’un membre : ce qui est nouveau, la façon de recevoir, l’absence, une autre adresse

me-write = Écrire
me-read = Lire
me-new = { $count ->
    [one] { $number } nouveau
   *[other] { $number } nouveaux
}
me-new-many = plus de { $number } nouveaux
me-last = dernier message
me-since = membre depuis le { $day }
me-how-joined = Comment vous êtes devenu membre
me-how-list = Comment vous recevez { $list }
me-done-how-single = Vous recevez désormais chaque message de { $list }.
me-done-how-digest = Vous recevez désormais { $list } en un message par jour.
me-done-how-none = { $list } ne vous envoie plus rien. Vous lisez ici.
me-away = En voyage ?
me-away-now = Aucun message de vos listes ne vous parvient pour le moment :
me-away-until = jusqu’au { $day }, comme vous l’avez demandé
me-away-open = jusqu’à ce que vous repreniez l’envoi
me-away-by-server = des messages sont revenus ou ont été signalés comme spam ; voyez « Vos adresses »
me-go-away = Suspendre l’envoi
me-back = Reprendre l’envoi
me-done-away = Aucun message de vos listes ne vous parvient tant que vous ne reprenez pas l’envoi.
me-done-away-until = Aucun message de vos listes ne vous parvient jusqu’au { $day }.
me-done-back = Les messages de vos listes vous parviennent de nouveau.
me-move-label = À la place de
me-move = Y transférer mes messages
me-done-move = Consultez la boîte de { $address }. Vos messages y arriveront dès que vous aurez ouvert le lien que nous envoyons.
