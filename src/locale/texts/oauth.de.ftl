### Anwendungen und Anmeldedienste: Zustimmung, Erlaubnisse, bekannte Anwendungen.

## Was eine Anwendung darf, hinter „Sie könnte“ und „Sie könnte nicht“.

scope-read = Listen, Personen und Nachrichten lesen
scope-manage-members = Personen in Listen eintragen, ändern und austragen
scope-manage-settings = Listen und Aliasse anlegen und ihre Einstellungen ändern
scope-approve-messages = über Nachrichten und Personen entscheiden, die auf Freigabe warten
scope-send-messages = Nachrichten an Listen senden
scope-account-admin = alles ändern, auch Einstellungen, Administratoren und deren Schlüssel

## Die Seite, auf der jemand einer Anwendung etwas erlaubt.

# $application is the name of an application.
oauth-consent-title = Darf „{ $application }“ Ihre Listen benutzen?
# $host is the name of the application's server.
oauth-consent-lede = { $application } kommt von { $host }. Die Anwendung möchte in Ihrem Namen handeln, bis Sie die Erlaubnis zurücknehmen.
# $person is an address.
oauth-signed-in = Sie sind angemeldet als { $person }.
oauth-not-you = Sind Sie das nicht?
oauth-could = Sie könnte
oauth-could-not = Sie könnte nicht
oauth-not-password = Ihr Passwort sehen
oauth-only-lists = Sie verwalten nur diese Listen, also sähe sie nur diese und keine anderen:
oauth-no-lists = Sie verwalten keine Liste, also sähe sie keine.
oauth-allow = Erlauben
oauth-deny = Ablehnen
oauth-either-way = In beiden Fällen kommen Sie zurück zu { $host }. Sie können es sich jederzeit anders überlegen, auf der Seite „Ihre Anmeldung“.

## When an application's request is wrong.

oauth-refused = Dieser Anwendung kann nichts erlaubt werden
oauth-unknown-client = Dieser Server kennt die Anwendung nicht, die Sie hierher geschickt hat.
oauth-wrong-redirect = Die Anwendung, die Sie hierher geschickt hat, möchte Sie zu einer Adresse zurückführen, die nicht ihre eigene ist.
oauth-refused-next = Es ist nichts geschehen. Bitte gehen Sie zurück zu der Anwendung, und sagen Sie denen Bescheid, die sie gemacht haben.

## Where several accounts live, people say first which one is meant.

oauth-account-title = Welches Konto betreuen Sie?
oauth-account-lede = { $application } bittet um Ihre Erlaubnis. Melden Sie sich dort an, wo Sie Ihre Listen betreuen.
oauth-account-label = Name des Kontos
oauth-account-hint = Er steht hinter der ~ in der Adresse Ihrer Seiten.
oauth-account-button = Weiter
oauth-account-server = Ich betreue den ganzen Server
oauth-account-unknown = Es gibt kein Konto mit diesem Namen.

## The page of the applications.

nav-oauth-clients = Anwendungen
oauth-clients-title = Anwendungen
oauth-clients-lede = Programme, die Administratoren um die Erlaubnis bitten dürfen, in ihrem Namen zu handeln. Jede Person entscheidet selbst und kann die Erlaubnis zurücknehmen.
oauth-clients-none = Noch ist keine Anwendung bekannt.
oauth-clients-public = ohne Geheimnis
oauth-clients-confidential = mit Geheimnis
# $day is a day.
oauth-clients-since = seit { $day }
oauth-clients-delete = Löschen
# $name is the name of an application.
oauth-clients-delete-name = { $name } löschen
oauth-clients-deleted = Die Anwendung ist gelöscht. Was Personen ihr erlaubt haben, ist beendet.
oauth-clients-made = { $name } ist jetzt bekannt. Geben Sie dies an die Anwendung weiter.
oauth-clients-secret-once = Das Geheimnis wird nur dieses eine Mal gezeigt. Bewahren Sie es auf wie ein Passwort.
oauth-clients-no-secret = Sie hat kein Geheimnis: Sie weist jede Anfrage durch PKCE nach.
oauth-clients-new = Eine Anwendung bekannt machen
oauth-clients-name = Name
oauth-clients-name-hint = Personen sehen ihn, wenn sie um Erlaubnis gebeten werden.
oauth-clients-redirect = Adressen für den Rückweg
oauth-clients-redirect-hint = Wohin Browser geschickt werden, wenn jemand entschieden hat, zum Beispiel https://diary.example.org/back. Eine je Zeile.
oauth-clients-is-public = Sie kann kein Geheimnis bewahren
oauth-clients-is-public-hint = Sie läuft in Browsern oder auf Telefonen. Sie bekommt kein Geheimnis und muss PKCE benutzen.
oauth-clients-create = Bekannt machen

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Ohne Passwort
provider-sign-in = Anmelden mit { $name }
provider-back = Zurück zum Anmelden
provider-down = { $name } antwortet nicht
provider-down-next = Sie melden sich dort an, um hier hereinzukommen, und das geht im Augenblick nicht. Bitte versuchen Sie es in ein paar Minuten noch einmal.
provider-wrong = Die Antwort von { $name } passt nicht
provider-wrong-next = Sie ist vielleicht zu alt, oder sie war für einen anderen Browser. Bitte beginnen Sie noch einmal.
provider-refused = Sie sind nicht mit { $name } angemeldet
provider-refused-next = Die Anmeldung wurde dort abgebrochen. Sie können jederzeit neu beginnen.
provider-nobody = Hier meldet sich niemand mit diesem Konto bei { $name } an
provider-nobody-next = Fragen Sie jemanden von der Verwaltung, ob Ihre Adresse hier die ist, die Sie dort bestätigt haben.
