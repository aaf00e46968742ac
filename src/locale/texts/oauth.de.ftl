### Anwendungen und Anmeldedienste: Zustimmung, Erlaubnisse, bekannte Anwendungen.

## Was eine Anwendung darf, hinter „Sie könnte“ und „Sie könnte nicht“.

scope-read = Listen, Personen und Nachrichten lesen
scope-manage-members = Personen zu Listen hinzufügen, ihre Angaben ändern und sie entfernen
scope-manage-settings = Listen und Aliasse anlegen und ihre Einstellungen ändern
scope-approve-messages = über Nachrichten und Personen entscheiden, die auf Freigabe warten
scope-send-messages = Nachrichten an Listen senden
scope-account-admin = alles ändern, auch Einstellungen, Verwaltung und Schlüssel

## Die Seite, auf der jemand einer Anwendung etwas erlaubt.

# $application is the name of an application.
oauth-consent-title = Darf „{ $application }“ auf Ihre Listen zugreifen?
# $host is the name of the application's server.
oauth-consent-lede = { $application } kommt von { $host } und möchte in Ihrem Namen handeln, bis Sie die Erlaubnis zurücknehmen.
# $person is an address.
oauth-signed-in = Sie sind angemeldet als { $person }.
oauth-not-you = Sind Sie das nicht?
oauth-could = Die Anwendung könnte
oauth-could-not = Die Anwendung könnte nicht
oauth-not-password = Ihr Passwort sehen
oauth-only-lists = Sie verwalten nur diese Listen, also sähe die Anwendung nur diese:
oauth-no-lists = Sie verwalten keine Liste, also sähe die Anwendung keine.
oauth-allow = Erlauben
oauth-deny = Ablehnen
oauth-either-way = In beiden Fällen kommen Sie zurück zu { $host }. Auf der Seite „Ihre Anmeldung“ können Sie es sich jederzeit anders überlegen.

## When an application's request is wrong.

oauth-refused = Diese Anwendung kann keinen Zugriff bekommen
oauth-unknown-client = Dieser Server kennt die Anwendung nicht, die Sie hierhergeschickt hat.
oauth-wrong-redirect = Die Anwendung, die Sie hierhergeschickt hat, möchte Sie zu einer Adresse zurückschicken, die nicht ihre eigene ist.
oauth-refused-next = Es ist nichts geschehen. Bitte gehen Sie zurück zu der Anwendung, und sagen Sie denen Bescheid, die sie anbieten.

## Where several accounts live, people say first which one is meant.

oauth-account-title = Welches Konto betreuen Sie?
oauth-account-lede = { $application } bittet um Ihre Erlaubnis. Melden Sie sich dort an, wo Sie Listen betreuen.
oauth-account-label = Name des Kontos
oauth-account-hint = Er steht in der Adresse Ihrer Seiten hinter der ~.
oauth-account-button = Weiter
oauth-account-server = Ich betreue den ganzen Server
oauth-account-unknown = Es gibt kein Konto mit diesem Namen.

## The page of the applications.

nav-oauth-clients = Anwendungen
oauth-clients-title = Anwendungen
oauth-clients-lede = Diese Programme dürfen in der Verwaltung um Erlaubnis bitten, im Namen einer Person zu handeln. Jede Person entscheidet selbst und kann die Erlaubnis zurücknehmen.
oauth-clients-none = Noch keine Anwendungen.
oauth-clients-public = ohne Geheimnis
oauth-clients-confidential = mit Geheimnis
# $day is a day.
oauth-clients-since = seit { $day }
oauth-clients-delete = Löschen
# $name is the name of an application.
oauth-clients-delete-name = { $name } löschen
oauth-clients-deleted = Die Anwendung ist gelöscht, und mit ihr alle Erlaubnisse, die sie hatte.
oauth-clients-made = { $name } ist registriert. Geben Sie der Anwendung dies:
oauth-clients-secret-once = Das Geheimnis wird nur dieses eine Mal gezeigt. Bewahren Sie es auf wie ein Passwort.
oauth-clients-no-secret = Sie hat kein Geheimnis: Sie weist sich bei jeder Anfrage mit PKCE aus.
oauth-clients-new = Anwendung registrieren
oauth-clients-name = Name
oauth-clients-name-hint = Personen sehen ihn, wenn sie um Erlaubnis gebeten werden.
oauth-clients-redirect = Rücksprungadressen
oauth-clients-redirect-hint = Wohin Browser geschickt werden, sobald jemand entschieden hat, zum Beispiel https://diary.example.org/back. Eine je Zeile.
oauth-clients-is-public = Die Anwendung kann kein Geheimnis bewahren
oauth-clients-is-public-hint = Sie läuft in Browsern oder auf Telefonen. Sie bekommt kein Geheimnis und muss PKCE verwenden.
oauth-clients-create = Registrieren

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Ohne Passwort
provider-sign-in = Anmelden mit { $name }
provider-back = Zurück zur Anmeldung
provider-down = { $name } antwortet nicht
provider-down-next = Um hier hereinzukommen, melden Sie sich dort an, und das geht gerade nicht. Bitte versuchen Sie es in ein paar Minuten noch einmal.
provider-wrong = Die Antwort von { $name } passt nicht
provider-wrong-next = Vielleicht ist sie zu alt, oder sie war für einen anderen Browser bestimmt. Bitte beginnen Sie noch einmal.
provider-refused = Sie wurden bei { $name } nicht angemeldet
provider-refused-next = Die Anmeldung wurde dort abgebrochen. Sie können jederzeit neu beginnen.
provider-nobody = Hier meldet sich niemand mit diesem Konto bei { $name } an
provider-nobody-next = Fragen Sie jemanden aus der Verwaltung, ob Ihre Adresse hier die ist, die Sie dort bestätigt haben.
