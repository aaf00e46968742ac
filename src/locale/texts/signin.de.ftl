### Signing in of administrators: passwords, second factors, sessions.

nav-login = Für die Verwaltung

## The form for address and password

login-title = Zur Verwaltung der Listen anmelden
login-lede = Das brauchen nur Administratorinnen und Administratoren.
login-members = Mitglieder kommen über einen Link zu ihren Listen, ohne Passwort.
login-username = Ihre Adresse
login-password = Ihr Passwort
login-forgotten = Ich habe es vergessen
login-button = Anmelden
login-password-missing = Bitte geben Sie Ihr Passwort ein.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = Die Adresse oder das Passwort stimmt nicht.
password-is-address = Ein Passwort darf nicht die Adresse sein, denn die kennen alle.
password-is-common = Ein Passwort darf keines der gängigen sein: Wörter wie „Passwort“, Ihr Name, Tastenreihen oder wiederholte Buchstaben, auch mit angehängten Ziffern. Gut sind mehrere ungewöhnliche Wörter.

## Asked again before changes that matter

login-again-title = Bitte bestätigen Sie, dass Sie es sind
login-again-lede = Ihre Anmeldung ist eine Weile her, und was Sie ändern möchten, ist wichtig. Deshalb fragen wir noch einmal nach Ihrem Passwort.
login-again-password = Das Passwort von { $username }
login-again-button = Weiter
login-again-wrong = Das Passwort stimmt nicht.

## A forgotten password

forgotten-title = Ein neues Passwort wählen
forgotten-lede = Wir schicken einen Link an Ihre Adresse. Er führt zu einer Seite, auf der Sie ein anderes Passwort wählen.
forgotten-button = Link schicken
forgotten-back = Zurück zur Anmeldung
forgotten-mailed = Sehen Sie in Ihr Postfach
# $time is a text like "1 hour".
forgotten-mailed-lede = Wenn { $address } die Adresse einer Administratorin oder eines Administrators ist, ist eine Mail mit einem Link dorthin unterwegs. Der Link gilt { $time }.
forgotten-mailed-often = Wir schicken höchstens fünf Mails am Tag an eine Adresse. Wenn Sie sich bei einem anderen Dienst anmelden, haben Sie hier kein Passwort und bekommen keine Mail.
forgotten-again = Eine andere Adresse eingeben
forgotten-mail-subject = Ihr neues Passwort für die Mailinglisten von { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Jemand, wahrscheinlich Sie, möchte ein neues Passwort wählen für
    { $address }, in der Verwaltung der Mailinglisten
    von { $site }.

    Um es zu wählen, öffnen Sie diese Seite:

    { $link }

    Der Link gilt einmal, bis { $until }.

    Wenn die Adresse nach falschen Passwörtern gesperrt ist, entsperrt ein
    neues Passwort sie. Wenn Sie Ihr Passwort behalten möchten, entsperren
    Sie die Adresse stattdessen auf dieser Seite:

    { $unlock }

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt,
    wie es ist.

## An address that is locked after wrong passwords

lock-mail-subject = Die Anmeldung zur Verwaltung von { $site } ist gesperrt
lock-mail-text =
    Jemand hat für { $address } mehrmals hintereinander ein falsches
    Passwort oder einen falschen Code eingegeben. Die Anmeldung mit dieser
    Adresse bei den Mailinglisten von { $site } ist gesperrt
    bis { $until }. Browser, in denen Sie sich schon einmal
    angemeldet haben, sind nicht gesperrt, es sei denn, die falschen
    Passwörter kamen von dort.

    Wenn Sie es waren oder sich jetzt anmelden müssen, entsperren Sie Ihre
    Adresse auf dieser Seite und melden sich dort an:

    { $link }

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun. Ein gutes Passwort
    ist mit so wenigen Versuchen nicht zu erraten, und die Sperre endet von
    selbst.
# The end of the last such mail of a day.
lock-mail-last =
    Dies ist vorerst die letzte Mail dieser Art. Ihr Link entsperrt Ihre
    Adresse, so oft Sie es brauchen, bis { $until }.
unlock-title = Ihre Adresse entsperren
unlock-lede = Bei der Anmeldung als { $username } hat sich jemand zu oft geirrt. Wenn Sie die Adresse entsperren, können Sie es gleich wieder versuchen.
unlock-button = Entsperren
unlock-done = Ihre Adresse ist entsperrt
unlock-done-lede = Sie können sich wieder als { $username } anmelden.
unlock-over = Dieser Link wird nicht mehr gebraucht
unlock-over-lede = { $username } ist nicht gesperrt, oder eine neuere Mail hat einen anderen Link.

## The second factor was changed: the mail to its owner

factor-mail-subject = Die Zwei-Faktor-Anmeldung bei { $site } wurde geändert
factor-mail-made = Die Zwei-Faktor-Anmeldung wurde eingerichtet: Zur Anmeldung gehört ab jetzt ein Code.
factor-mail-changed = Der zweite Faktor wurde ersetzt: Die Codes kommen ab jetzt von anderswo.
factor-mail-off = Die Zwei-Faktor-Anmeldung wurde abgeschaltet: Das Passwort allein genügt jetzt.
factor-mail-codes = Es wurden neue Wiederherstellungscodes erzeugt, und die alten gelten nicht mehr.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Es geht um { $address } in der Verwaltung der
    Mailinglisten von { $site }. Zeitpunkt: { $time }.

    Wenn Sie es waren, brauchen Sie nichts zu tun.

    Wenn Sie es nicht waren, wählen Sie auf dieser Seite sofort ein neues
    Passwort und sagen Sie es den anderen in der Verwaltung:

    { $link }

## The second step

code-title = Noch ein Schritt
code-lede-otp = Bitte geben Sie den Code ein, den Ihre Authenticator-App gerade zeigt.
# $digits are the last digits of the number.
code-lede-sms = Wir haben einen Code an Ihr Telefon geschickt, an die Nummer, die auf { $digits } endet.
code-label = Code
code-hint = 6 Ziffern. Auch einer Ihrer Wiederherstellungscodes gilt.
code-again = Neuen Code schicken
code-sent-again = Ein neuer Code ist unterwegs. Nur der neueste gilt.
code-back = Von vorn beginnen
code-missing = Bitte geben Sie den Code ein.
code-wrong = Der Code stimmt nicht oder wurde schon benutzt. Bitte warten Sie auf den nächsten.
code-over = Das hat zu lange gedauert. Bitte beginnen Sie von vorn.
# The text message. $code is six digits.
sms-text = { $code } ist Ihr Code für die Anmeldung bei den Mailinglisten. Er gilt zehn Minuten. Wir fragen nie am Telefon oder per Mail danach.
sms-refused = Der Code konnte nicht geschickt werden. Bitte versuchen Sie es in einer Weile wieder; ein Wiederherstellungscode gilt jederzeit.
sms-unsent = Der Code konnte nicht geschickt werden. Bitte lassen Sie sich in einer Weile einen neuen schicken, oder nehmen Sie einen Wiederherstellungscode.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Wir schicken höchstens zehn Codes in der Stunde. Den nächsten gibt es ab { $time }.

## An administrator's own page

own-title = Ihre Anmeldung
own-lede = Sie melden sich als { $username } an.
own-factor-title = Ein zweiter Schlüssel
own-factor-asked = Bitte richten Sie zuerst einen zweiten Schlüssel ein: Wer die Zugänge verwaltet, verlangt ihn.
own-factor-none = Für die Anmeldung genügt Ihr Passwort. Mit einem zweiten Schlüssel genügt ein gestohlenes Passwort nicht mehr.
own-factor-otp = Für die Anmeldung brauchen Sie Ihr Passwort und einen Code Ihrer Authenticator-App.
own-factor-sms = Für die Anmeldung brauchen Sie Ihr Passwort und einen Code, den wir an die Nummer schicken, die auf { $digits } endet.
own-factor-begin-otp = Authenticator-App verwenden
own-factor-other-otp = Zu einer anderen App wechseln
own-factor-off = Zweiten Schlüssel abschalten
own-factor-off-done = Der zweite Schlüssel ist abgeschaltet. Ihr Passwort genügt jetzt.
own-factor-done = Ihr zweiter Schlüssel ist eingerichtet. Von jetzt an gehört zur Anmeldung ein Code.
own-recovery-title = Ihre Wiederherstellungscodes
own-recovery-lede = Jeder gilt einmal anstelle eines Codes, falls Sie Ihr Telefon verlieren. Drucken Sie sie aus, oder bewahren Sie sie bei Ihren Passwörtern auf: Wir zeigen sie nur jetzt.
# A link to the page that could not be opened without a factor.
own-go-on = Weiter mit dem, worum Sie gebeten wurden
own-recovery-button = Neue Wiederherstellungscodes
own-recovery-done = Das sind Ihre neuen Wiederherstellungscodes. Die alten gelten nicht mehr.
own-recovery-left = { $count ->
    [0] Sie haben keinen Wiederherstellungscode mehr.
    [one] Sie haben noch { $count } Wiederherstellungscode.
   *[other] Sie haben noch { $count } Wiederherstellungscodes.
}
own-setup-scan = Scannen Sie das mit einer Authenticator-App
own-setup-scan-hint = Jede App für Einmalcodes ist geeignet.
own-setup-qr = QR-Code mit dem Schlüssel, der darunter steht
own-setup-type = Ich kann ihn nicht scannen
own-setup-type-hint = Geben Sie stattdessen diesen Schlüssel in die App ein. Die Art heißt „zeitbasiert“, mit 6 Ziffern.
own-setup-code-otp = Geben Sie den Code ein, den die App zeigt
own-setup-code-sms = Geben Sie den Code ein, den wir an { $number } geschickt haben
own-setup-code-hint = 6 Ziffern. Bis Sie einen richtigen Code eingegeben haben, ändert sich nichts.
own-setup-confirm = Code prüfen
own-setup-cancel = Jetzt nicht
own-code-wrong = Der Code stimmt nicht. Der Code einer App kann gerade gewechselt haben; ein geschickter Code gilt für einen Versuch, lassen Sie sich dann bitte einen neuen schicken.
own-phone-label = Telefonnummer
own-phone-hint = Mit der Vorwahl des Landes, etwa +49 151 12345678.
own-phone-button = Codes per SMS bekommen
own-phone-wrong = Bitte geben Sie die Nummer mit Pluszeichen und der Vorwahl des Landes ein, etwa +49 151 12345678.
own-password-title = Ihr Passwort
own-password-lede = Wenn Sie ein anderes wählen, bleiben Sie hier angemeldet und werden überall sonst abgemeldet.
own-password-present = Ihr jetziges Passwort
own-password-new = Ihr neues Passwort
own-password-done = Ihr neues Passwort ist gesetzt. Andere Browser sind abgemeldet.
own-sessions-title = Wo Sie angemeldet sind
own-sessions-this = Diese Sitzung
own-grant-done = Die Anwendung hat keinen Zugang mehr.
own-grants-title = Anwendungen, die für Sie handeln
own-grants-lede = Sie haben diesen Anwendungen das mit Ihren Rechten erlaubt.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = erlaubt am { $made } · zuletzt benutzt am { $used }
own-grants-revoke = Zurücknehmen

## Ein Formular, das jemand abgeschickt hat, als die Sitzung zu Ende war

typed-title = Das haben Sie eingegeben
typed-note = Sie mussten sich neu anmelden, deshalb wurde nichts gespeichert.
typed-lede = Schicken Sie es jetzt ab, gehen Sie ohne es zur Seite zurück, oder löschen Sie es. Es bleibt einen Tag lang, und nur Sie sehen es.
typed-send = Jetzt abschicken
typed-back = Zurück zur Seite
typed-discard = Löschen
