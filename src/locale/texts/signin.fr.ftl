### Signing in of administrators: passwords, second factors, sessions.

nav-login = Administration

## The form for address and password

login-title = Se connecter pour gérer les listes
login-lede = Seules les personnes qui administrent les listes en ont besoin.
login-members = Les membres accèdent à leurs listes par un lien, sans mot de passe.
login-username = Votre adresse
login-password = Votre mot de passe
login-forgotten = Je l’ai oublié
login-button = Se connecter
login-password-missing = Veuillez saisir votre mot de passe.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = L’adresse ou le mot de passe est incorrect.
password-is-address = Le mot de passe ne peut pas être l’adresse, que tout le monde connaît.
password-is-common = Un mot de passe ne doit pas être parmi les plus courants : des mots comme « motdepasse », votre nom, des suites de touches ou des lettres répétées, même avec des chiffres ajoutés. Plusieurs mots inhabituels conviennent bien.

## Asked again before changes that matter

login-again-title = Veuillez confirmer que c’est bien vous
login-again-lede = Votre connexion date d’un moment, et ce que vous voulez modifier est important. Nous vous demandons donc encore une fois votre mot de passe.
login-again-password = Le mot de passe de { $username }
login-again-button = Continuer
login-again-wrong = Le mot de passe est incorrect.

## A forgotten password

forgotten-title = Choisir un nouveau mot de passe
forgotten-lede = Nous envoyons un lien à votre adresse. Il mène à une page où vous choisissez un autre mot de passe.
forgotten-button = Envoyez-moi le lien
forgotten-back = Retour à la connexion
forgotten-mailed = Regardez dans votre boîte aux lettres
# $time is a text like "1 hour".
forgotten-mailed-lede = Si { $address } est l’adresse d’une personne qui administre les listes, un message avec un lien est en route. Le lien fonctionne pendant { $time }.
forgotten-mailed-often = Nous envoyons au plus cinq messages par jour à une adresse. Si vous vous connectez par un autre service, vous n’avez pas de mot de passe ici et ne recevez pas de message.
forgotten-again = Saisir une autre adresse
forgotten-mail-subject = Votre nouveau mot de passe pour les listes de { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Quelqu’un, sans doute vous, souhaite choisir un nouveau mot de passe
    pour { $address }, dans l’administration des listes
    de { $site }.

    Pour le choisir, ouvrez cette page :

    { $link }

    Le lien fonctionne une fois, jusqu’au { $until }.

    Si l’adresse est bloquée après de mauvais mots de passe, un nouveau mot
    de passe la débloque. Pour garder le vôtre, débloquez plutôt l’adresse
    sur cette page :

    { $unlock }

    Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe
    reste le même.

## An address that is locked after wrong passwords

lock-mail-subject = La connexion à l’administration de { $site } est bloquée
lock-mail-text =
    Quelqu’un a saisi plusieurs fois de suite un mauvais mot de passe ou un
    mauvais code pour { $address }. La connexion avec cette adresse
    aux listes de { $site } est bloquée
    jusqu’au { $until }. Les navigateurs où vous vous êtes déjà
    connecté ne sont pas bloqués, sauf si les mauvais mots de passe en
    venaient.

    Si c’était vous, ou si vous devez vous connecter maintenant, débloquez
    votre adresse sur cette page et connectez-vous là :

    { $link }

    Si ce n’était pas vous, vous n’avez rien à faire. Un bon mot de passe ne
    se devine pas en si peu d’essais, et le blocage prend fin de lui-même.
# The end of the last such mail of a day.
lock-mail-last =
    C’est le dernier message de ce genre pour le moment. Son lien débloque
    votre adresse aussi souvent qu’il le faut, jusqu’au { $until }.
unlock-title = Débloquer votre adresse
unlock-lede = Quelqu’un s’est trompé trop souvent en se connectant comme { $username }. Si vous débloquez l’adresse, vous pouvez réessayer tout de suite.
unlock-button = Débloquer
unlock-done = Votre adresse est débloquée
unlock-done-lede = Vous pouvez de nouveau vous connecter comme { $username }.
unlock-over = Ce lien n’est plus nécessaire
unlock-over-lede = { $username } n’est pas bloquée, ou un message plus récent contient un autre lien.

## The second factor was changed: the mail to its owner

factor-mail-subject = La double authentification sur { $site } a été modifiée
factor-mail-made = La double authentification a été activée : la connexion demande désormais un code.
factor-mail-changed = Le second facteur a été remplacé : les codes viennent désormais d’ailleurs.
factor-mail-off = La double authentification a été désactivée : le mot de passe seul suffit maintenant.
factor-mail-codes = De nouveaux codes de secours ont été créés ; les anciens ne fonctionnent plus.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Il s’agit de { $address }, dans l’administration des
    listes de { $site }. Date : { $time }.

    Si c’était vous, vous n’avez rien à faire.

    Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe
    sur cette page et prévenez les autres administrateurs :

    { $link }

## The second step

code-title = Encore une étape
code-lede-otp = Veuillez saisir le code que votre application d’authentification affiche en ce moment.
# $digits are the last digits of the number.
code-lede-sms = Nous avons envoyé un code à votre téléphone, au numéro qui se termine par { $digits }.
code-label = Code
code-hint = 6 chiffres. Un de vos codes de secours fonctionne aussi.
code-again = Envoyer un autre code
code-sent-again = Un autre code est en route. Seul le plus récent fonctionne.
code-back = Recommencer
code-missing = Veuillez saisir le code.
code-wrong = Ce code est incorrect ou a déjà servi. Veuillez attendre le suivant.
code-over = Cela a duré trop longtemps. Veuillez recommencer.
# The text message. $code is six digits.
sms-text = { $code } est votre code de connexion aux listes de diffusion. Il est valable dix minutes. Nous ne le demandons jamais par téléphone ni par courriel.
sms-refused = Le code n’a pas pu être envoyé. Veuillez réessayer dans un moment ; un code de secours fonctionne à tout moment.
sms-unsent = Le code n’a pas pu être envoyé. Demandez-en un autre dans un moment, ou utilisez un code de secours.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Nous envoyons au plus dix codes par heure. Le prochain pourra partir le { $time }.

## An administrator's own page

own-title = Votre connexion
own-lede = Vous vous connectez comme { $username }.
own-factor-title = Une deuxième clé
own-factor-asked = Avant de continuer, veuillez ajouter une deuxième clé : la personne qui gère les accès la demande.
own-factor-none = Votre mot de passe suffit pour vous connecter. Avec une deuxième clé, un mot de passe volé ne suffit plus.
own-factor-otp = Pour vous connecter, il faut votre mot de passe et un code de votre application d’authentification.
own-factor-sms = Pour vous connecter, il faut votre mot de passe et un code que nous envoyons au numéro qui se termine par { $digits }.
own-factor-begin-otp = Utiliser une application d’authentification
own-factor-other-otp = Changer d’application
own-factor-off = Retirer la deuxième clé
own-factor-off-done = La deuxième clé est retirée. Votre mot de passe suffit maintenant.
own-factor-done = Votre deuxième clé est prête. Désormais, la connexion demande un code.
own-recovery-title = Vos codes de secours
own-recovery-lede = Chacun fonctionne une fois à la place d’un code, si vous perdez votre téléphone. Imprimez-les ou gardez-les avec vos mots de passe : nous ne les montrons que maintenant.
# A link to the page that could not be opened without a factor.
own-go-on = Continuer ce qui vous était demandé
own-recovery-button = Créer de nouveaux codes de secours
own-recovery-done = Voici vos nouveaux codes de secours. Les anciens ne fonctionnent plus.
own-recovery-left = { $count ->
    [0] Il ne vous reste aucun code de secours.
    [one] Il vous reste { $count } code de secours.
   *[other] Il vous reste { $count } codes de secours.
}
own-setup-scan = Scannez ceci avec une application d’authentification
own-setup-scan-hint = Toute application de codes à usage unique convient.
own-setup-qr = QR code avec la clé ci-dessous
own-setup-type = Je ne peux pas le scanner
own-setup-type-hint = Saisissez plutôt cette clé dans l’application. Le type est « basé sur le temps », avec 6 chiffres.
own-setup-code-otp = Saisissez le code affiché par l’application
own-setup-code-sms = Saisissez le code que nous avons envoyé au { $number }
own-setup-code-hint = 6 chiffres. Rien ne change tant que vous n’avez pas saisi un code correct.
own-setup-confirm = Vérifier le code
own-setup-cancel = Pas maintenant
own-code-wrong = Ce code est incorrect. Le code d’une application vient peut-être de changer ; un code envoyé ne vaut que pour un essai, faites-en alors envoyer un autre.
own-phone-label = Numéro de téléphone
own-phone-hint = Avec l’indicatif du pays, par exemple +49 151 12345678.
own-phone-button = Recevoir des codes par SMS
own-phone-wrong = Veuillez saisir le numéro avec le signe plus et l’indicatif du pays, par exemple +49 151 12345678.
own-password-title = Votre mot de passe
own-password-lede = Si vous en choisissez un autre, vous restez connecté ici et êtes déconnecté partout ailleurs.
own-password-present = Votre mot de passe actuel
own-password-new = Votre nouveau mot de passe
own-password-done = Votre nouveau mot de passe est enregistré. Les autres navigateurs sont déconnectés.
own-sessions-title = Où vous êtes connecté
own-sessions-this = Cette session
own-grant-done = L’application n’a plus d’accès.
own-grants-title = Applications qui agissent pour vous
own-grants-lede = Vous avez permis à ces applications de faire ceci avec vos droits.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = permis le { $made } · utilisé en dernier le { $used }
own-grants-revoke = Retirer

## Un formulaire envoyé alors que la session avait pris fin

typed-title = Voici ce que vous avez saisi
typed-note = Vous avez dû vous reconnecter ; rien n’a donc été enregistré.
typed-lede = Envoyez-le maintenant, revenez à la page sans l’envoyer, ou supprimez-le. Il est conservé un jour, et vous seul le voyez.
typed-send = Envoyer maintenant
typed-back = Revenir à la page
typed-discard = Supprimer
