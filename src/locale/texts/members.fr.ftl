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
me-mailed-often = Nous envoyons un message par minute et cinq par jour à une adresse, même si elle est saisie plus souvent ici.
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
