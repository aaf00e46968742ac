### Signing in of administrators: passwords, second factors, sessions.

nav-login = Für die Verwaltung

## The form for address and password

login-title = Zur Verwaltung der Listen anmelden
login-lede = Hier melden sich nur die an, die Listen verwalten.
login-members = Sie sind Mitglied? Ein Link per Mail bringt Sie zu Ihren Listen, ohne Passwort.
login-username = Ihre Adresse
login-password = Ihr Passwort
login-forgotten = Passwort vergessen?
login-button = Anmelden
login-password-missing = Bitte geben Sie Ihr Passwort ein.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = Die Adresse oder das Passwort stimmt nicht.
password-is-address = Bitte nehmen Sie nicht Ihre Adresse als Passwort: Die kennen alle.
password-is-common = Dieses Passwort ist zu leicht zu erraten: Es ist ein gängiges Wort, Ihr Name, eine Tastenreihe oder ein wiederholter Buchstabe, vielleicht mit angehängten Ziffern. Gut sind mehrere ungewöhnliche Wörter.

## Asked again before changes that matter

login-again-title = Bitte bestätigen Sie, dass Sie es sind
login-again-lede = Sie haben sich vor einer Weile angemeldet. Weil diese Änderung wichtig ist, fragen wir noch einmal nach Ihrem Passwort.
login-again-password = Passwort von { $username }
login-again-button = Weiter
login-again-wrong = Das Passwort stimmt nicht.

## A forgotten password

forgotten-title = Neues Passwort wählen
forgotten-lede = Wir schicken Ihnen einen Link zu einer Seite, auf der Sie ein neues Passwort wählen können.
forgotten-button = Link schicken
forgotten-back = Zurück zur Anmeldung
forgotten-mailed = Schauen Sie in Ihr Postfach
# $time is a text like "1 hour".
forgotten-mailed-lede = Wenn { $address } zur Verwaltung gehört, ist eine Mail mit einem Link unterwegs. Der Link gilt { $time }.
forgotten-mailed-often = Wir schicken höchstens fünf solche Mails am Tag an eine Adresse. Wenn Sie sich über einen anderen Dienst anmelden, haben Sie hier kein Passwort und bekommen keine Mail.
forgotten-again = Andere Adresse eingeben
forgotten-mail-subject = Ihr neues Passwort für die Mailinglisten von { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Jemand, wahrscheinlich Sie, möchte für { $address }
    ein neues Passwort wählen. Die Adresse gehört zur Verwaltung der
    Mailinglisten von { $site }.

    Öffnen Sie dazu diese Seite:

    { $link }

    Der Link funktioniert einmal, bis zum { $until }.

    Wenn die Adresse nach falschen Passwörtern gesperrt ist, entsperrt ein
    neues Passwort sie. Wenn Sie Ihr Passwort behalten möchten, können Sie
    die Adresse stattdessen auf dieser Seite entsperren:

    { $unlock }

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt,
    wie es ist.

## An address that is locked after wrong passwords

lock-mail-subject = Die Anmeldung zur Verwaltung von { $site } ist gesperrt
lock-mail-text =
    Jemand hat für { $address } mehrmals hintereinander ein
    falsches Passwort oder einen falschen Code eingegeben. Die Anmeldung mit
    dieser Adresse bei den Mailinglisten von { $site } ist
    bis zum { $until } gesperrt. Browser, in denen Sie
    sich schon einmal angemeldet haben, sind nicht gesperrt, es sei denn, die
    falschen Passwörter kamen von dort.

    Wenn Sie es waren oder sich jetzt anmelden müssen, entsperren Sie Ihre
    Adresse auf dieser Seite und melden Sie sich dort an:

    { $link }

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun. Ein gutes Passwort
    ist mit so wenigen Versuchen nicht zu erraten, und die Sperre endet von
    selbst.
# The end of the last such mail of a day.
lock-mail-last =
    Dies ist vorerst die letzte Mail dieser Art. Ihr Link entsperrt Ihre
    Adresse, so oft Sie ihn brauchen, bis zum { $until }.
unlock-title = Ihre Adresse entsperren
unlock-lede = Bei der Anmeldung als { $username } gab es zu viele falsche Versuche. Wenn Sie die Adresse entsperren, können Sie es gleich wieder versuchen.
unlock-button = Entsperren
unlock-done = Ihre Adresse ist entsperrt
unlock-done-lede = Sie können sich wieder als { $username } anmelden.
unlock-over = Dieser Link wird nicht mehr gebraucht
unlock-over-lede = { $username } ist nicht gesperrt, oder eine neuere Mail enthält einen anderen Link.

## The second factor was changed: the mail to its owner

factor-mail-subject = Die Zwei-Faktor-Anmeldung bei { $site } wurde geändert
factor-mail-made = Die Zwei-Faktor-Anmeldung ist eingerichtet: Ab jetzt gehört ein Code dazu.
factor-mail-changed = Die Zwei-Faktor-Anmeldung ist geändert: Codes kommen jetzt auf anderem Weg.
factor-mail-off = Die Zwei-Faktor-Anmeldung ist abgeschaltet: Das Passwort allein genügt.
factor-mail-codes = Es gibt neue Wiederherstellungscodes, und die alten gelten nicht mehr.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Es geht um { $address } aus der Verwaltung der
    Mailinglisten von { $site }. Geändert wurde das
    am { $time }.

    Wenn Sie es waren, brauchen Sie nichts zu tun.

    Wenn Sie es nicht waren, wählen Sie bitte sofort auf dieser Seite ein
    neues Passwort, und sagen Sie den anderen in der Verwaltung Bescheid:

    { $link }

## The second step

code-title = Noch ein Schritt
code-lede-otp = Bitte geben Sie den Code ein, den Ihre Authenticator-App gerade zeigt.
# $digits are the last digits of the number.
code-lede-sms = Wir haben einen Code an Ihr Telefon geschickt, an die Nummer, die auf { $digits } endet.
code-label = Code
code-hint = 6 Ziffern. Ein Wiederherstellungscode geht auch.
code-again = Neuen Code schicken
code-sent-again = Ein neuer Code ist unterwegs. Nur der neueste gilt.
code-back = Von vorn beginnen
code-missing = Bitte geben Sie den Code ein.
code-wrong = Der Code stimmt nicht oder wurde schon benutzt. Bitte warten Sie auf den nächsten.
code-over = Das hat zu lange gedauert. Bitte beginnen Sie von vorn.
# The text message. $code is six digits.
sms-text = { $code } ist Ihr Code für die Anmeldung bei den Mailinglisten. Er gilt zehn Minuten. Wir fragen nie am Telefon oder per Mail danach.
sms-refused = Der Code ließ sich nicht verschicken. Bitte versuchen Sie es später noch einmal; ein Wiederherstellungscode gilt jederzeit.
sms-unsent = Der Code ließ sich nicht verschicken. Bitte lassen Sie sich später einen neuen schicken, oder nehmen Sie einen Wiederherstellungscode.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Wir schicken höchstens zehn Codes in der Stunde. Den nächsten können Sie ab dem { $time } bekommen.

## An administrator's own page

own-title = Ihre Anmeldung
own-lede = Sie melden sich als { $username } an.
own-factor-title = Zwei-Faktor-Anmeldung
own-factor-asked = Bevor es weitergeht, richten Sie bitte die Zwei-Faktor-Anmeldung ein: Die Verwaltung verlangt sie.
own-factor-none = Für die Anmeldung genügt Ihr Passwort. Mit der Zwei-Faktor-Anmeldung kommt niemand herein, der nur Ihr Passwort kennt.
own-factor-otp = Zur Anmeldung brauchen Sie Ihr Passwort und einen Code aus Ihrer Authenticator-App.
own-factor-sms = Zur Anmeldung brauchen Sie Ihr Passwort und einen Code, den wir an die Nummer schicken, die auf { $digits } endet.
own-factor-begin-otp = Authenticator-App verwenden
own-factor-other-otp = Zu einer anderen App wechseln
own-factor-off = Zwei-Faktor-Anmeldung abschalten
own-factor-off-done = Die Zwei-Faktor-Anmeldung ist abgeschaltet. Ihr Passwort allein genügt jetzt.
own-factor-done = Die Zwei-Faktor-Anmeldung ist eingerichtet. Ab jetzt gehört zur Anmeldung ein Code.
own-recovery-title = Ihre Wiederherstellungscodes
own-recovery-lede = Jeder gilt einmal anstelle eines Codes, falls Sie Ihr Telefon verlieren. Drucken Sie sie aus oder bewahren Sie sie bei Ihren Passwörtern auf: Wir zeigen sie nur jetzt.
# A link to the page that could not be opened without a factor.
own-go-on = Weiter mit dem, was Sie vorhatten
own-recovery-button = Wiederherstellungscodes erneuern
own-recovery-done = Das sind Ihre neuen Wiederherstellungscodes. Die alten gelten nicht mehr.
own-recovery-left = { $count ->
    [0] Sie haben keinen Wiederherstellungscode mehr.
    [one] Sie haben noch { $count } Wiederherstellungscode.
   *[other] Sie haben noch { $count } Wiederherstellungscodes.
}
own-setup-scan = Scannen Sie diesen Code mit einer Authenticator-App
own-setup-scan-hint = Jede App für Einmalcodes ist geeignet.
own-setup-qr = QR-Code mit dem Einrichtungsschlüssel, der darunter steht
own-setup-type = Ich kann den Code nicht scannen
own-setup-type-hint = Geben Sie stattdessen diesen Einrichtungsschlüssel in die App ein. Wählen Sie „zeitbasiert“ mit 6 Ziffern.
own-setup-code-otp = Geben Sie den Code ein, den die App zeigt
own-setup-code-sms = Geben Sie den Code ein, den wir an { $number } geschickt haben
own-setup-code-hint = 6 Ziffern. Bis Sie einen richtigen Code eingegeben haben, ändert sich nichts.
own-setup-confirm = Code prüfen
own-setup-cancel = Jetzt nicht
own-code-wrong = Der Code stimmt nicht. Vielleicht zeigt die App inzwischen einen neuen. Ein Code per SMS gilt nur für einen Versuch: Bitte lassen Sie sich einen neuen schicken.
own-phone-label = Telefonnummer
own-phone-hint = Mit Ländervorwahl, etwa +49 151 12345678.
own-phone-button = Codes per SMS bekommen
own-phone-wrong = Bitte geben Sie die Nummer mit Pluszeichen und Ländervorwahl ein, etwa +49 151 12345678.
own-password-title = Ihr Passwort
own-password-lede = Wenn Sie ein neues wählen, bleiben Sie hier angemeldet und werden überall sonst abgemeldet.
own-password-present = Ihr aktuelles Passwort
own-password-new = Ihr neues Passwort
own-password-done = Ihr neues Passwort gilt. In allen anderen Browsern sind Sie abgemeldet.
own-sessions-title = Wo Sie angemeldet sind
own-sessions-this = Diese Sitzung
own-grant-done = Die Anwendung hat keinen Zugriff mehr.
own-grants-title = Anwendungen, die für Sie handeln
own-grants-lede = Diesen Anwendungen haben Sie erlaubt, mit Ihren Rechten zu handeln.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = erlaubt am { $made } · zuletzt benutzt am { $used }
own-grants-revoke = Erlaubnis zurücknehmen

## Ein Formular, das jemand abgeschickt hat, als die Sitzung zu Ende war

typed-title = Das haben Sie eingegeben
typed-note = Sie mussten sich neu anmelden, deshalb wurde nichts gespeichert.
typed-lede = Sie können es jetzt abschicken, ohne es zur Seite zurückgehen oder es löschen. Es bleibt einen Tag lang erhalten, und nur Sie sehen es.
typed-send = Jetzt abschicken
typed-back = Zurück zur Seite
typed-discard = Löschen
# The labels of what was typed, where the page has none of its own.
typed-addresses = Adressen
typed-name = Name
typed-field = Ihre Wahl oder Eingabe
