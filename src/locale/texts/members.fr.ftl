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
me-mailed-title = Regardez dans votre boîte
me-mailed-lede = Si nous connaissons { $address }, un message avec un lien est en route. Le lien fonctionne pendant { $time }.
me-mailed-nothing = Rien n’arrive ?
me-mailed-spam = Le message est peut-être parmi les indésirables.
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
me-how = Comment vous la recevez
me-how-address = Comme réglé pour vos adresses
me-how-single = Chaque message
me-how-digest = Un message par jour
me-how-none = Aucun envoi, je lis sur le web
me-people = Membres de toutes les listes
me-people-list = Membres de { $list }
me-people-here = Membres
me-no-mail = Aucun envoi
me-save = Enregistrer
me-leave = Quitter
me-leave-approval = Les responsables de la liste doivent approuver votre départ.
me-leave-waits = Vous avez demandé à partir. Les responsables de la liste décident.
me-leave-closed = Pour quitter cette liste, veuillez écrire à ses responsables.
me-left = Vous avez quitté cette liste. Vous pouvez l’annuler jusqu’au { $day }.
me-joined = Vous en êtes membre depuis le { $time }, { $way }.
me-joined-from = Vous en êtes membre depuis le { $time }, { $way }, depuis { $from }.
me-way-administrator = par l’administration
me-way-web = par une page
me-way-mail = par courriel

me-addresses = Vos adresses
me-first = Première
me-paused = Suspendue
me-state-active = Les messages de vos listes arrivent ici.
me-state-paused = L’envoi est suspendu jusqu’à ce que vous le repreniez.
me-state-until = L’envoi est suspendu jusqu’au { $day }.
me-state-dead = Suspendue depuis le { $day }, car son serveur dit que cette boîte n’existe pas.
me-state-soft = Suspendue depuis le { $day }, car les messages revenaient depuis huit jours.
me-state-complaint = Suspendue depuis le { $day }, car un message a été signalé comme indésirable.
me-state-next = { $why } Nous réessayons le { $day }.
me-address-digest = Un message par jour
me-until = En voyage ? Aucun envoi jusqu’au
me-until-hint = Laissez vide pour une pause sans fin.
me-until-wrong = Veuillez choisir un jour à partir de demain, quelques années au plus.
me-pause = Suspendre
me-resume = Reprendre maintenant
me-make-first = Mettre en premier
me-remove = Retirer
me-last-address = C’est votre seule adresse. Ajoutez-en une autre avant de la retirer.
me-paused-already = L’envoi est déjà suspendu, car des messages sont revenus.

me-name = Votre nom
me-firstname = Prénom
me-surname = Nom de famille
me-save-name = Enregistrer votre nom
me-too-long = Veuillez utiliser { $count } caractères au plus.
me-unprintable = Ce texte a des caractères qui ne peuvent pas être affichés.
me-devices = Vos appareils, et se déconnecter partout

me-digest-wrong = Veuillez choisir une des façons de la recevoir.
me-done-name = Enregistré.
me-done-first = { $address } est maintenant votre première adresse.
me-done-remove = { $address } est retirée. Plus aucun message n’y arrive.
me-done-pause = L’envoi à { $address } est suspendu jusqu’à ce que vous le repreniez.
me-done-pause-until = L’envoi à { $address } est suspendu jusqu’au { $day }.
me-done-resume = Les messages vont de nouveau à { $address }.
me-done-digest = { $address } reçoit un message par jour, sauf si une liste dit autre chose.
me-done-single = { $address } reçoit chaque message, sauf si une liste dit autre chose.
me-done-list = Enregistré pour { $list }.
me-done-leave-waits = Vous avez demandé à quitter { $list }. Les responsables de la liste décident, et vous serez prévenu par courriel.

me-open = Listes que vous pouvez rejoindre
me-open-hint = Votre adresse est déjà confirmée, un seul clic suffit donc.
me-open-more = Autres listes
me-join = Rejoindre
me-join-approval = Les responsables de la liste décident.
me-join-waits = Vous avez demandé à la rejoindre. Les responsables de la liste décident.
me-join-refused = Les listes n’acceptent pas ici d’adresses comme { $address }.
me-done-join = Vous êtes maintenant sur { $list }.
me-done-join-waits = Vous avez demandé à rejoindre { $list }. Les responsables de la liste décident, et vous serez prévenu par courriel.
me-add-label = Ajouter une autre adresse
me-add-hint = Nous y envoyons d’abord un lien, pour être sûrs qu’elle est à vous.
me-add = Ajouter
me-own-already = Vous avez déjà cette adresse.
me-done-add = Regardez dans la boîte de { $address }. L’adresse apparaît ici dès que vous avez ouvert le lien que nous y envoyons.
