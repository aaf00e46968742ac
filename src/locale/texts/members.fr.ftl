### Textes des pages pour les membres, et du message qui leur permet de se connecter.

nav-members = Vos listes

## Se connecter

me-sign-in-title = Se connecter à vos listes
me-sign-in-lede = Aucun mot de passe n’est nécessaire. Nous envoyons un lien à votre adresse, et il ouvre vos listes.
me-sign-in-button = M’envoyer le lien
me-email-label = Votre adresse
me-email-hint = L’adresse où vous recevez les messages de vos listes.
me-email-missing = Veuillez saisir votre adresse.
me-email-without-at = Il manque le @ dans l’adresse.
me-email-wrong = Aucun message ne peut être envoyé à cette adresse.
me-stay-label = Garder ma session ouverte sur cet appareil
me-stay-hint = Pendant 90 jours au lieu d’un seul. Uniquement sur un appareil que personne d’autre n’utilise.
me-mailed-title = Consultez votre boîte de réception
me-mailed-lede = Si nous connaissons { $address }, un e-mail avec un lien vient d’y être envoyé. Le lien fonctionne pendant { $time }.
me-mailed-nothing = Rien n’arrive ?
me-mailed-spam = L’e-mail est peut-être dans vos spams.
me-mailed-other = Vous recevez peut-être vos listes à une autre de vos adresses.
me-mailed-often = Si vous avez fait la demande il y a moins d’une minute, cherchez l’e-mail précédent : son lien fonctionne encore. Nous envoyons à une adresse un e-mail par minute et cinq par jour, et le lien du cinquième fonctionne jusqu’au lendemain.
me-mailed-again = Utiliser une autre adresse

## La page du lien

me-link-title = Bon retour parmi nous
me-link-lede = Vous allez vous connecter avec { $address }.
me-link-button = Se connecter
me-link-day = Votre session reste ouverte pendant un jour, sauf si vous vous déconnectez avant.
me-link-long = Votre session reste ouverte sur cet appareil pendant 90 jours, sauf si vous vous déconnectez avant.
me-link-used = Ce lien a déjà servi
me-link-used-next = Chaque lien ne permet de se connecter qu’une fois. Si votre session n’est pas ouverte, demandez-en un nouveau.
me-link-expired = Ce lien ne fonctionne plus
me-link-expired-next = Les liens de connexion fonctionnent une heure. Demandez-en un nouveau ; il arrive aussitôt.
me-link-again = M’envoyer un nouveau lien

## Le message avec le lien

me-mail-subject = Votre lien de connexion à { $account }
me-mail-text =
    Quelqu’un, sans doute vous, veut se connecter avec l’adresse
    { $address } aux listes de diffusion de { $account }.

    Pour vous connecter, ouvrez cette page et appuyez sur le bouton :

    { $link }

    Le lien fonctionne une fois, jusqu’au { $until }.

    Si cette demande ne vient pas de vous, vous n’avez rien à faire : sans cet
    e-mail, personne ne peut se connecter à votre place.

## La première page d’un membre

me-hello = Bonjour { $name }
me-count = { $count ->
    [0] Vous n’êtes membre d’aucune liste en ce moment.
    [one] Vous êtes membre d’une liste.
   *[other] Vous êtes membre de { $count } listes.
}
me-how-single = Chaque message
me-how-digest = Un récapitulatif par jour
me-how-none = Aucun e-mail, je lis ici
me-people = Membres de toutes les listes
me-people-list = Membres de { $list }
me-people-here = Membres
me-save = Enregistrer
me-leave = Quitter
me-leave-approval = Les responsables de la liste doivent approuver votre départ.
me-leave-waits = Vous avez demandé à quitter cette liste. Ses responsables décident.
me-leave-closed = Pour quitter cette liste, veuillez écrire à ses responsables.
me-left = Vous avez quitté cette liste. Vous pouvez annuler jusqu’au { $day }.
me-joined = Inscription le { $time }, { $way }.
me-joined-from = Inscription le { $time }, { $way }, depuis { $from }.
me-way-administrator = par l’administration
me-way-web = sur le site
me-way-mail = par e-mail

me-addresses = Vos adresses
me-first = Adresse principale
me-paused = Suspendue
me-state-active = Vous recevez vos listes à cette adresse.
me-state-paused = L’envoi est suspendu jusqu’à ce que vous le repreniez. Vous pouvez toujours écrire depuis cette adresse.
me-state-until = L’envoi est suspendu jusqu’au { $day }.
me-state-dead = Suspendue depuis le { $day }, car son serveur dit qu’elle n’existe pas.
me-state-soft = Suspendue depuis le { $day }, car les messages revenaient en erreur depuis huit jours.
me-state-complaint = Suspendue depuis le { $day }, car un message a été signalé comme spam.
me-state-next = { $why } Nous réessayons le { $day }.
me-until = Aucun e-mail jusqu’au
me-until-hint = Laissez vide si vous ne connaissez pas encore la date.
me-until-wrong = Veuillez choisir une date à partir de demain, et dans quelques années au plus.
me-pause = Suspendre cette adresse
me-resume = Reprendre l’envoi ici
me-make-first = En faire mon adresse principale
me-remove = Retirer
me-last-address = C’est votre seule adresse. Ajoutez-en une autre avant de la retirer.
me-paused-already = L’envoi est déjà suspendu, car des messages sont revenus en erreur ou ont été signalés comme spam.

me-name = Votre nom
me-firstname = Prénom
me-surname = Nom de famille
me-save-name = Enregistrer votre nom
me-too-long = Veuillez utiliser { $count } caractères au plus.
me-unprintable = Ce texte contient des caractères qui ne peuvent pas être affichés.
me-devices = Voir vos appareils, ou se déconnecter partout

me-digest-wrong = Veuillez choisir l’une des façons de recevoir la liste.
me-done-name = Votre nom est enregistré.
me-done-first = { $address } est maintenant votre adresse principale.
me-done-remove = { $address } est retirée et ne reçoit plus rien.
me-done-pause = L’envoi à { $address } est suspendu jusqu’à ce que vous le repreniez.
me-done-pause-until = L’envoi à { $address } est suspendu jusqu’au { $day }.
me-done-resume = Les messages arrivent de nouveau à { $address }.
me-done-digest = { $address } reçoit un récapitulatif par jour, sauf pour les listes où vous avez choisi autre chose.
me-done-single = { $address } reçoit chaque message, sauf pour les listes où vous avez choisi autre chose.
me-done-list = C’est enregistré pour { $list }.
me-done-leave-waits = Vous avez demandé à quitter { $list }. Les responsables de la liste décident, et un e-mail vous préviendra.

me-open = Listes où vous pouvez vous inscrire
me-open-hint = Votre adresse est déjà confirmée : il suffit d’appuyer sur le bouton.
me-open-more = Autres listes
me-join = S’inscrire
me-join-approval = Les responsables de la liste décident.
me-join-waits = Vous avez demandé à vous inscrire. Les responsables de la liste décident.
me-join-refused = Les listes d’ici n’acceptent pas les adresses comme { $address }.
me-done-join = Vous êtes maintenant membre de { $list }.
me-done-join-waits = Vous avez demandé à vous inscrire à { $list }. Les responsables de la liste décident, et un e-mail vous préviendra.
me-add-label = Envoyer mes messages à
me-add-hint = Nous envoyons d’abord un lien à la nouvelle adresse, pour vérifier qu’elle est bien la vôtre. Tant que vous ne l’avez pas ouvert, rien ne change.
me-add = Garder les deux adresses
me-own-already = Vous avez déjà cette adresse.
me-done-add = Consultez la boîte de réception de { $address }. Vos messages y arriveront aussi dès que vous aurez ouvert le lien que nous y envoyons.

## Les listes d’un membre : ce qui est nouveau, la façon de recevoir, l’absence, une autre adresse

me-write = Écrire
me-read = Lire
me-new = { $count ->
    [one] { $number } nouveau
   *[other] { $number } nouveaux
}
me-new-many = plus de { $number } nouveaux
me-last = dernier message :
me-since = membre depuis le { $day }
me-how-joined = Votre inscription
me-how-list = Comment vous recevez { $list }
me-done-how-single = Vous recevez désormais chaque message de { $list }.
me-done-how-digest = Vous recevez désormais { $list } en un récapitulatif par jour.
me-done-how-none = { $list } ne vous envoie plus d’e-mails. Vous lisez ses messages ici.
me-away = Une absence ?
me-away-now = L’envoi de vos listes est suspendu pour le moment :
me-away-until = jusqu’au { $day }, comme vous l’avez demandé
me-away-open = jusqu’à ce que vous le repreniez
me-away-by-server = des messages sont revenus en erreur ou ont été signalés comme spam ; voyez « Vos adresses »
me-go-away = Suspendre l’envoi
me-back = Reprendre l’envoi
me-done-away = L’envoi de vos listes est suspendu jusqu’à ce que vous le repreniez.
me-done-away-until = L’envoi de vos listes est suspendu jusqu’au { $day }.
me-done-back = Les messages de vos listes arrivent de nouveau.
me-move-label = À la place de
me-move = Changer d’adresse
me-done-move = Consultez la boîte de réception de { $address }. Vos messages y arriveront dès que vous aurez ouvert le lien que nous y envoyons.

## Le message à une adresse qu’un membre a remplacée

moved-mail-subject = Vos messages de { $account } arrivent à une autre adresse
moved-mail-text =
    Les messages de vos listes de { $account } n’arrivent plus à
    { $address }, mais à { $new }.
    Quelqu’un qui était connecté à votre place et qui lit les messages de
    cette adresse l’a demandé.

    Si c’était vous, vous n’avez rien à faire.

    Si ce n’était pas vous, répondez à cet e-mail : votre réponse parvient
    aux administrateurs, qui peuvent rétablir votre adresse.
