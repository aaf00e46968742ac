### Signing in of administrators: passwords, second factors, sessions.

nav-login = Administration

## The form for address and password

login-title = Se connecter pour gérer les listes
login-lede = Seules les personnes qui administrent les listes ont besoin de se connecter ici.
login-members = Vous êtes membre d’une liste ? Un lien reçu par e-mail vous mène à vos listes, sans mot de passe.
login-username = Votre adresse
login-password = Votre mot de passe
login-forgotten = Mot de passe oublié ?
login-button = Se connecter
login-password-missing = Veuillez saisir votre mot de passe.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = L’adresse ou le mot de passe est incorrect.
password-is-address = Ne prenez pas votre adresse comme mot de passe : tout le monde la connaît.
password-is-common = Ce mot de passe est trop facile à deviner : mot courant, votre nom, suite de touches ou lettres répétées, même avec des chiffres ajoutés. Plusieurs mots inhabituels en font un bon.

## Asked again before changes that matter

login-again-title = Veuillez confirmer que c’est bien vous
login-again-lede = Votre connexion date d’un moment, et cette modification est importante : nous vous demandons donc encore une fois votre mot de passe.
login-again-password = Mot de passe de { $username }
login-again-button = Continuer
login-again-wrong = Le mot de passe est incorrect.

## A forgotten password

forgotten-title = Choisir un nouveau mot de passe
forgotten-lede = Nous vous enverrons un lien vers une page où choisir un autre mot de passe.
forgotten-button = M’envoyer le lien
forgotten-back = Retour à la connexion
forgotten-mailed = Consultez votre boîte de réception
# $time is a text like "1 hour".
forgotten-mailed-lede = Si { $address } est l’adresse d’une personne qui administre les listes, un e-mail avec un lien vient d’y être envoyé. Le lien fonctionne pendant { $time }.
forgotten-mailed-often = Nous envoyons à une adresse au plus cinq e-mails de ce genre par jour. Si vous vous connectez par un autre service, vous n’avez pas de mot de passe ici et ne recevrez rien.
forgotten-again = Utiliser une autre adresse
forgotten-mail-subject = Votre nouveau mot de passe pour les listes de { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Quelqu’un, sans doute vous, souhaite choisir un nouveau mot de passe
    pour { $address }, qui administre les listes
    de { $site }.

    Pour le choisir, ouvrez cette page :

    { $link }

    Le lien fonctionne une fois, jusqu’au { $until }.

    Si l’adresse est bloquée après plusieurs mots de passe erronés, un nouveau
    mot de passe la débloque. Pour garder le vôtre, débloquez plutôt l’adresse
    sur cette page :

    { $unlock }

    Si cette demande ne vient pas de vous, vous n’avez rien à faire : votre
    mot de passe reste le même.

## An address that is locked after wrong passwords

lock-mail-subject = La connexion à l’administration de { $site } est bloquée
lock-mail-text =
    Quelqu’un a saisi plusieurs fois de suite un mot de passe ou un code
    erroné pour { $address }. La connexion avec cette adresse à
    l’administration des listes de { $site } est bloquée
    jusqu’au { $until }. Les navigateurs qui ont déjà
    servi à vous connecter ne sont pas bloqués, sauf si les erreurs viennent
    de là.

    Si c’était vous, ou si vous devez vous connecter maintenant, débloquez
    votre adresse sur cette page, puis connectez-vous :

    { $link }

    Si ce n’était pas vous, vous n’avez rien à faire. Un bon mot de passe ne
    se devine pas en si peu d’essais, et le blocage prend fin de lui-même.
# The end of the last such mail of a day.
lock-mail-last =
    C’est le dernier e-mail de ce genre pour le moment. Son lien débloque
    votre adresse aussi souvent qu’il le faut, et fonctionne
    jusqu’au { $until }.
unlock-title = Débloquer votre adresse
unlock-lede = Il y a eu trop d’essais erronés avec { $username }. Débloquez l’adresse, et vous pourrez réessayer tout de suite.
unlock-button = Débloquer
unlock-done = Votre adresse est débloquée
unlock-done-lede = Vous pouvez de nouveau vous connecter avec { $username }.
unlock-over = Ce lien n’est plus nécessaire
unlock-over-lede = L’adresse { $username } n’est pas bloquée, ou un e-mail plus récent contient un autre lien.

## The second factor was changed: the mail to its owner

factor-mail-subject = La double authentification sur { $site } a été modifiée
factor-mail-made = La double authentification a été activée : la connexion demande désormais un code.
factor-mail-changed = La double authentification a été modifiée : les codes viennent désormais d’ailleurs.
factor-mail-off = La double authentification a été désactivée : le mot de passe seul suffit maintenant.
factor-mail-codes = De nouveaux codes de secours ont été créés, et les anciens ne fonctionnent plus.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Cela concerne { $address }, qui administre les
    listes de { $site }. Date : { $time }.

    Si cela vient de vous, vous n’avez rien à faire.

    Sinon, choisissez tout de suite un nouveau mot de passe sur cette page, et
    prévenez les autres personnes qui administrent les listes :

    { $link }

## The second step

code-title = Encore une étape
code-lede-otp = Veuillez saisir le code que votre application d’authentification affiche en ce moment.
# $digits are the last digits of the number.
code-lede-sms = Nous avons envoyé un code par SMS au numéro qui se termine par { $digits }.
code-label = Code
code-hint = 6 chiffres. L’un de vos codes de secours fonctionne aussi.
code-again = Envoyer un nouveau code
code-sent-again = Un nouveau code vient d’être envoyé. Seul le plus récent fonctionne.
code-back = Recommencer
code-missing = Veuillez saisir le code.
code-wrong = Ce code est incorrect ou a déjà servi. Veuillez attendre le suivant.
code-over = Cela a pris trop de temps. Veuillez recommencer.
# The text message. $code is six digits.
sms-text = { $code } est votre code de connexion aux listes de diffusion. Il fonctionne dix minutes. Nous ne le demandons jamais par téléphone ni par e-mail.
sms-refused = Le code n’a pas pu être envoyé. Réessayez dans un moment ; un code de secours fonctionne toujours.
sms-unsent = Le code n’a pas pu être envoyé. Demandez-en un autre dans un moment, ou utilisez un code de secours.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Nous envoyons au plus dix codes par heure. Le prochain pourra être envoyé le { $time }.

## An administrator's own page

own-title = Votre connexion
own-lede = Vous vous connectez avec { $username }.
own-factor-title = Double authentification
own-factor-asked = Avant de continuer, veuillez activer la double authentification : l’administration la demande.
own-factor-none = Votre mot de passe suffit pour vous connecter. Avec la double authentification, un mot de passe volé ne suffit plus.
own-factor-otp = Pour vous connecter, il faut votre mot de passe et un code de votre application d’authentification.
own-factor-sms = Pour vous connecter, il faut votre mot de passe et un code envoyé par SMS au numéro qui se termine par { $digits }.
own-factor-begin-otp = Utiliser une application d’authentification
own-factor-other-otp = Changer d’application
own-factor-off = Désactiver la double authentification
own-factor-off-done = La double authentification est désactivée. Votre mot de passe suffit maintenant.
own-factor-done = La double authentification est activée. Désormais, la connexion demande un code.
own-recovery-title = Vos codes de secours
own-recovery-lede = Chacun fonctionne une fois à la place d’un code, par exemple si vous perdez votre téléphone. Imprimez-les, ou rangez-les avec vos mots de passe : nous ne les affichons que maintenant.
# A link to the page that could not be opened without a factor.
own-go-on = Reprendre là où vous en étiez
own-recovery-button = Créer de nouveaux codes de secours
own-recovery-done = Voici vos nouveaux codes de secours. Les anciens ne fonctionnent plus.
own-recovery-left = { $count ->
    [0] Il ne vous reste aucun code de secours.
    [one] Il vous reste { $count } code de secours.
   *[other] Il vous reste { $count } codes de secours.
}
own-setup-scan = Scannez ce code avec une application d’authentification
own-setup-scan-hint = N’importe quelle application de codes à usage unique convient.
own-setup-qr = QR code de la clé ci-dessous
own-setup-type = Je ne peux pas le scanner
own-setup-type-hint = Saisissez plutôt cette clé dans l’application. Choisissez « basé sur le temps », avec 6 chiffres.
own-setup-code-otp = Saisissez le code affiché par l’application
own-setup-code-sms = Saisissez le code que nous avons envoyé au { $number }
own-setup-code-hint = 6 chiffres. Rien ne change tant que vous n’avez pas saisi un code correct.
own-setup-confirm = Vérifier le code
own-setup-cancel = Pas maintenant
own-code-wrong = Ce code est incorrect. Celui de l’application vient peut-être de changer ; un code reçu par SMS ne permet qu’un essai, et il faut alors en demander un nouveau.
own-phone-label = Numéro de téléphone
own-phone-hint = Avec l’indicatif du pays, par exemple +49 151 12345678.
own-phone-button = Recevoir des codes par SMS
own-phone-wrong = Veuillez saisir le numéro avec le signe plus et l’indicatif du pays, par exemple +49 151 12345678.
own-password-title = Votre mot de passe
own-password-lede = Si vous en choisissez un nouveau, votre session reste ouverte ici et prend fin partout ailleurs.
own-password-present = Votre mot de passe actuel
own-password-new = Votre nouveau mot de passe
own-password-done = Votre nouveau mot de passe est enregistré. Vos sessions dans les autres navigateurs ont pris fin.
own-sessions-title = Vos sessions ouvertes
own-sessions-this = Cette session
own-grant-done = L’application n’a plus accès à vos listes.
own-grants-title = Applications qui agissent pour vous
own-grants-lede = Vous avez autorisé ces applications à agir avec vos droits.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = autorisée le { $made } · dernière utilisation le { $used }
own-grants-revoke = Retirer l’autorisation

## Un formulaire envoyé alors que la session avait pris fin

typed-title = Voici ce que vous avez saisi
typed-note = Vous avez dû vous reconnecter ; rien n’a donc été enregistré.
typed-lede = Envoyez-le maintenant, revenez à la page sans l’envoyer, ou supprimez-le. Il est gardé un jour, et personne d’autre ne le voit.
typed-send = Envoyer maintenant
typed-back = Revenir à la page
typed-discard = Supprimer
# The labels of what was typed, where the page has none of its own.
typed-addresses = Adresses
typed-name = Nom
typed-field = Votre choix ou votre saisie
