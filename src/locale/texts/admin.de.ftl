### Seiten für Administratoren: Überblick, Personen, Importe.

## Every listing: its search, its pages, its file.

listing-search = Suchen
listing-all = Alle zeigen
# The name of the links to other pages, for people who hear it read.
listing-pages = Seiten
listing-before = Zurück
listing-after = Weiter
listing-csv = Als CSV herunterladen

## The address book.

nav-people = Personen
nav-import = Import
admin-people-search = Name oder Adresse
admin-people-list = Liste
admin-people-list-all = Alle Listen
admin-people-lists = Listen
admin-people-state = Zustand
admin-people-state-all = Alle
admin-people-state-bouncing = E-Mails kommen zurück
admin-people-state-paused = Von jemandem pausiert
admin-people-since = Seit
admin-people-person = Person
admin-people-select = Auswählen
admin-people-nameless = (ohne Namen)
admin-people-more = { $count ->
    [one] und 1 weitere
   *[other] und { $count } weitere
}
admin-people-count = { $count ->
    [one] 1 Person
   *[other] { $count } Personen
}
admin-people-found = { $count ->
    [one] 1 Person gefunden
   *[other] { $count } Personen gefunden
}
admin-people-some = Gefundene Personen
admin-people-cut = Sehr viele passen, und nur ein Teil wurde angesehen. Ein weiteres Wort findet, wen Sie meinen.
admin-people-none = Hier ist noch niemand. Fügen Sie Personen einzeln hinzu oder importieren Sie eine Datei.
admin-people-not-found = Niemand passt dazu.
admin-people-new = Jemanden hinzufügen
admin-people-selected = Mit den ausgewählten Personen
admin-people-choose-list = Liste wählen …
admin-people-add = Zur Liste hinzufügen
admin-people-remove = Von der Liste nehmen
admin-people-resume = Versand fortsetzen
admin-people-delete = Löschen …
admin-people-delete-hint = Sie verlassen alle Listen, und ihre Adressen und Notizen werden gelöscht. Das lässt sich einen Tag lang rückgängig machen.
admin-people-delete-button = Ausgewählte Personen löschen
admin-people-none-selected = Bitte wählen Sie mindestens eine Person aus.
admin-people-no-list = Bitte wählen Sie eine Liste.
admin-people-done-delete = { $count ->
    [one] 1 Person ist gelöscht.
   *[other] { $count } Personen sind gelöscht.
}
admin-people-done-add = { $count ->
    [one] 1 Person wurde zur Liste hinzugefügt.
   *[other] { $count } Personen wurden zur Liste hinzugefügt.
}
admin-people-opted-out = { $count ->
    [one] 1 Person hat sich abgemeldet oder beschwert und wurde nicht aufgenommen.
   *[other] { $count } Personen haben sich abgemeldet oder beschwert und wurden nicht aufgenommen.
}
admin-people-done-remove = { $count ->
    [one] 1 Person wurde von der Liste genommen.
   *[other] { $count } Personen wurden von der Liste genommen.
}
admin-people-done-resume = { $count ->
    [one] 1 Person bekommt wieder Mail.
   *[other] { $count } Personen bekommen wieder Mail.
}

## States of addresses, in words.

admin-state-active = Bekommt Mail
admin-state-paused = Pausiert
admin-state-not-from = Nicht von { $lists }
admin-state-trouble = Mail kam kürzlich zurück
admin-cause-dead = Kein solches Postfach
admin-cause-soft = E-Mails kommen zurück
admin-cause-complaint = Als Spam gemeldet
admin-address-active = Hierher geht die Mail der Listen.
admin-address-paused = Von jemandem auf unbestimmte Zeit pausiert.
admin-address-until = Von der Person bis zum { $day } pausiert.
admin-address-dead = Pausiert seit dem { $day }, weil es laut ihrem Server kein solches Postfach gibt.
admin-address-soft = Pausiert seit dem { $day }, weil Mail acht Tage lang zurückkam.
admin-address-dead-said = Pausiert seit dem { $day }, weil ihr Server sagte: „{ $said }“
admin-address-soft-said = Pausiert seit dem { $day }, weil Mail acht Tage lang zurückkam; ihr Server sagte: „{ $said }“
admin-address-complaint = Pausiert seit { $day }, weil eine Nachricht als Spam gemeldet wurde.
admin-address-probe = Nächster Versuch am { $day }.
admin-address-asked = Wir versuchen es nicht von selbst wieder: Setzen Sie nur fort, wenn die Person darum bittet.
admin-address-given-up = Wir versuchen es nicht mehr von selbst. Wenn Sie wissen, dass sie funktioniert, setzen Sie fort.
admin-address-trouble = Zuletzt kam Mail zurück; ihr Server sagte: „{ $said }“
admin-address-confirmed = Bestätigt von der Person, der sie gehört.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, von { $from } aus
admin-got = Zugestellt
admin-got-waits = Unterwegs
admin-got-refused = Abgelehnt
admin-got-paused = Nicht gesendet: pausiert
admin-got-unknown = Nicht mehr bekannt
admin-got-not = Nicht gesendet

## One person.

admin-person-since = Im Adressbuch seit dem { $day }.
admin-person-new-lede = Niemand bekommt eine Mail, außer eine Liste oder das Konto hat eine Begrüßung.
admin-person-add = Hinzufügen
admin-person-emails = Adressen
admin-person-emails-hint = Eine je Zeile.
admin-person-ccid = Eigene Kennung
admin-person-ccid-hint = Etwa die Nummer in Ihrer Mitgliederkartei. Sie muss einmalig sein; sonst lassen Sie das Feld leer.
admin-person-notes = Notizen
admin-person-notes-hint = Zu sehen für die Verwaltung, und für die Person in der Datei mit allem, was über sie gespeichert ist.
admin-person-addresses = Wohin Mail geht
admin-person-address = Adresse
admin-person-digest = Eine Mail am Tag
admin-person-paused = Pausiert
admin-person-resume = Jetzt fortsetzen
admin-person-no-lists = Diese Person ist auf keiner Liste.
admin-person-how = Wie Nachrichten kommen
admin-person-how-address = Wie bei den Adressen eingestellt
admin-person-web-only = Keine Mail, liest im Web
admin-person-leave = Von der Liste nehmen
admin-person-join = Zu einer Liste hinzufügen
admin-person-got = Letzte Nachrichten und was aus ihnen wurde
admin-person-got-none = Keine Liste dieser Person hat schon Nachrichten.
admin-person-message = Nachricht
admin-person-when = Wann
admin-person-outcome = Ergebnis
admin-person-why = Warum?
admin-person-edit = Bearbeiten
admin-person-evidence = Einwilligung
admin-person-evidence-none = Es liegt keine bestätigte Anfrage zum Beitritt vor. Wie die Person auf die Listen kam, steht oben bei den Listen.
admin-person-asked = Gefragt
admin-person-confirmed = Bestätigt
admin-person-agreed = Zugestimmt zu
admin-person-export = Alles Gespeicherte herunterladen (JSON)
admin-person-export-posts = Beiträge herunterladen (Mailbox)
admin-person-erase = Vergessen
admin-person-erase-hint = Die Person verlässt alle Listen und wird vergessen: Adressen, Notizen, Nachweise und was auf Freigabe wartet. Das lässt sich nicht rückgängig machen.
admin-person-posts = Was wird aus den Beiträgen?
admin-person-posts-keep = Sie bleiben im Archiv, von „ehemaliges Mitglied“.
admin-person-posts-remove = Sie werden aus dem Archiv genommen.
admin-person-erase-button = Diese Person vergessen
admin-person-erase-not-chosen = Bitte wählen Sie, was mit den Nachrichten dieser Person geschieht.
admin-person-done-new = Hinzugefügt.
admin-person-done-save = Gespeichert.
admin-person-done-email = Die Adresse ist eingestellt, wie Sie es möchten.
admin-person-done-resume = An die Adresse geht wieder Mail.
admin-person-done-membership = Für diese Liste gespeichert.
admin-person-done-join = Zur Liste hinzugefügt.
admin-person-done-leave = Von der Liste genommen.
admin-person-done-erase = Die Person ist vergessen. Beiträge und Spuren folgen in wenigen Minuten.

## The overview.

nav-overview = Übersicht
nav-administration = Verwaltung
overview-todo = Wartet auf Sie
overview-nothing = Nichts wartet auf Sie.
overview-look = bitte ansehen
overview-held = { $count ->
    [one] Nachricht wartet auf eine Entscheidung
   *[other] Nachrichten warten auf eine Entscheidung
}
overview-pending = { $count ->
    [one] Anfrage wartet auf eine Entscheidung
   *[other] Anfragen warten auf eine Entscheidung
}
overview-oldest = Am längsten: { $time }.
overview-bouncing = { $count ->
    [one] Adresse nimmt keine E-Mails mehr an
   *[other] Adressen nehmen keine E-Mails mehr an
}
overview-bouncing-hint = Der Versand dorthin ruht.
overview-dns = { $count ->
    [one] Domain hat falsche DNS-Einträge
   *[other] Domains haben falsche DNS-Einträge
}
overview-stuck = { $count ->
    [one] Ziel ist nicht erreichbar
   *[other] Ziele sind nicht erreichbar
}
overview-disk-full = Die Platte ist fast voll: { $free } sind frei. Neue Mail wird abgelehnt.
overview-disk-failing = Die Festplatte hat einen Fehler: Es lässt sich nichts speichern.
overview-certificate = Das Zertifikat endet am { $day }.
overview-posts = Beiträge im Monat
overview-posts-title = Beiträge im Monat in den letzten zwölf Monaten, zwischen { $least } und { $most }
overview-posts-count = Beiträge
overview-month = Monat
overview-day = Tag
overview-people = Personen
overview-people-title = Personen im Adressbuch im Lauf der Zeit, zwischen { $least } und { $most }
overview-memberships = Mitgliedschaften
overview-figures = Die Zahlen
overview-lately = Zuletzt
overview-audit = Zum Protokoll

## Imports of people.

import-heading = Personen importieren
import-lede = Senden Sie eine Datei oder fügen Sie Zeilen ein. Sie sehen, was geschähe, bevor sich etwas ändert.
import-file = Datei
import-file-hint = CSV, wie Adressbücher und Tabellenprogramme es schreiben, bis 20 MB.
import-paste = Oder Zeilen einfügen
import-paste-hint = Eine Person je Zeile. Die erste Zeile kann die Spalten nennen; Adressen allein genügen.
import-more = Trennzeichen und Kodierung
import-separator = Zwischen zwei Zellen steht
import-charset = Kodierung
import-find-out = Herausfinden
import-commas = Kommas
import-semicolons = Semikolons
import-tabs = Tabulatoren
import-bars = senkrechte Striche
import-preview = Ansehen, was geschähe
import-earlier = Importe der letzten Tage
import-pasted = Eingefügte Zeilen
import-empty = Darin sind keine Zeilen. Bitte wählen Sie eine Datei oder fügen Sie welche ein.
import-head-alone = Es enthält Namen von Spalten und keine Zeilen darunter.
import-too-large = Das ist zu viel auf einmal: höchstens { $rows } Zeilen mit { $columns } Spalten. Bitte teilen Sie es auf.
import-state-draft = Nicht begonnen, { $time }
import-state-running = Läuft, { $time }
import-state-stopped = Angehalten, { $time }
import-state-done = Fertig, { $time }
import-would = Das würde geschehen
import-about = { $rows ->
    [one] { $name }, 1 Zeile, { $separator }, { $charset }
   *[other] { $name }, { $rows } Zeilen, { $separator }, { $charset }
}
import-nothing-yet = Noch hat sich nichts geändert.
import-count-new = Neue Personen
import-count-changed = Geändert
import-count-same = Schon gleich
import-count-refused = Abgelehnt
import-columns = Was jede Spalte ist
import-columns-hint = Sehen Sie nach einer Änderung noch einmal nach, was dann geschähe.
import-column = Spalte { $number }
import-example = Zum Beispiel: { $value }
import-leave-out = Weglassen
import-emails = Adresse
import-name = Ganzer Name
import-lists = Namen von Listen
import-no-emails = Bitte sagen Sie, welche Spalte die Adressen enthält.
import-known = Personen, die schon da sind
import-known-update = durch die Angaben der Zeilen ersetzen, was sie haben
import-known-skip = behalten, was sie haben, und bekommen nur, was fehlt
import-join = Alle hinzufügen zu
import-begin = Importieren
import-look-again = Noch einmal ansehen
import-refused = Abgelehnte Zeilen
import-refused-hint = Sie werden weggelassen; die anderen Zeilen sind nicht betroffen. Die ersten davon:
import-row = Zeile
import-cells = Zellen
import-why = Warum
import-what = Was
import-taken = Neue und geänderte, die ersten davon
import-new = Neu
import-changed = Geändert
import-title-running = { $name } wird importiert
import-title-stopped = { $name } ist angehalten
import-title-done = { $name } ist importiert
import-done = Der Import ist fertig.
import-stopped = Der Import wurde angehalten. Was bisher importiert wurde, bleibt.
import-trouble-no-admin = Wer diesen Import begonnen hat, gehört nicht mehr zu den Administratoren.
import-trouble-not-saved = Der Server konnte nichts speichern. Bitte setzen Sie ihn später fort.
import-running = Der Import läuft. Sie können diese Seite schließen; er geht von selbst weiter, auch nach einem Neustart des Servers.
import-progress = { $done } von { $rows } Zeilen
import-refresh = Aktualisieren
import-stop = Anhalten
import-stop-hint = Wenn Sie anhalten, bleiben die bisher importierten Personen.
import-continue = Fortsetzen
import-rejects = Abgelehnte Zeilen als CSV herunterladen
import-rejects-hint = Die letzte Spalte sagt, warum. Bessern Sie sie aus und importieren Sie diese Datei später. Wir behalten sie eine Woche.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = Kommen E-Mails bei dieser Person an?
admin-mail-no-lists = In keiner Liste, also gehen keine E-Mails von Listen hinaus.
admin-mail-all = Ja, E-Mails jeder Liste gehen hinaus.
admin-mail-none = Nein, zurzeit gehen keine E-Mails hinaus.
admin-mail-some = Zum Teil: E-Mails von { $some } von { $all } Listen gehen hinaus.
admin-mail-web-only = { $list }: liest diese Liste im Web und bekommt keine E-Mails von ihr.
admin-mail-all-paused = { $list }: nichts geht hinaus, weil die Zustellung an jede Adresse ruht.
admin-mail-single = { $list }: jede Nachricht geht an { $at }.
admin-mail-digest = { $list }: einmal am Tag geht eine Zusammenfassung an { $at }.
admin-mail-both = { $list }: jede Nachricht geht an { $at }, und einmal am Tag eine Zusammenfassung an { $digest_at }.
opt-out-link = hat { $list } am { $day } über den Link verlassen
opt-out-mail = hat { $list } am { $day } per Mail verlassen
opt-out-page = hat { $list } am { $day } auf den Mitgliederseiten verlassen
opt-out-request = hat { $list } am { $day } auf eigenen, genehmigten Antrag verlassen
opt-out-complaint = hat sich am { $day } über unerwünschte Mail von hier beschwert
opt-out-import = hat sich in einem anderen System abgemeldet, wie ein Import vom { $day } sagt
opt-out-erasure = hat am { $day } um Löschung gebeten
opt-out-override = Auch Personen aufnehmen, die sich abgemeldet oder beschwert haben. Das Recht erlaubt das nur, wenn sie seither wieder um Mail gebeten haben; bewahren Sie den Nachweis auf.
import-opted-out = { $count ->
    [one] Eine Person der abgelehnten Zeilen hat sich abgemeldet, beschwert oder anderswo ausgetragen und wird nicht aufgenommen.
   *[other] { $count } Personen der abgelehnten Zeilen haben sich abgemeldet, beschwert oder anderswo ausgetragen und werden nicht aufgenommen.
}
import-decides = Sagt, wer Mail bekommt; wird nie weggelassen
import-attributes = Eigene Felder (JSON)
import-workbook = Das ist eine Excel-Arbeitsmappe; speichern Sie sie als CSV.
import-cards = Das ist ein Adressbuch aus Visitenkarten (vCard). Bitte exportieren Sie es als CSV.
opt-out-not-added = { $said }: nicht aufgenommen
import-joined-at = Wann die Person beitrat, als Nachweis
import-joined-from = Von welcher Netzadresse die Person beitrat, als Nachweis

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = Erste Schritte
overview-step-dns = Die DNS-Einträge Ihrer Domain veröffentlichen
overview-step-dns-hint = Damit Anbieter den E-Mails von hier vertrauen.
overview-step-list = Die erste Liste anlegen
overview-step-list-hint = Eine Adresse, die alle darauf erreicht.
overview-step-people = Personen hinzufügen
overview-step-people-hint = Einzeln, oder alle auf einmal aus einer Datei.
overview-step-message = Eine erste Nachricht schreiben
overview-step-message-hint = Sie können vorher einen Test an sich selbst senden.
overview-step-helper = Jemanden mithelfen lassen
overview-step-helper-hint = Wer mitverwaltet, kann einspringen, wenn Sie nicht da sind.
overview-step-factor = Zwei-Faktor-Anmeldung einschalten
overview-step-factor-hint = Ein gestohlenes Passwort allein öffnet dann nichts.
# The table of lists.
overview-lists = Ihre Listen
overview-list = Liste
overview-list-posts = Beiträge in diesem Monat
overview-list-last = Letzter Beitrag
overview-list-never = noch keiner
overview-list-waiting = Wartend
overview-lists-all = Alle Listen
# What is well; $facts are the texts below, one after the other.
overview-well = Alles in Ordnung: { $facts }.
overview-well-else = Sonst ist alles in Ordnung: { $facts }.
overview-well-dns = die DNS-Einträge stimmen
overview-well-queue-empty = die Warteschlange ist leer
overview-well-queue = { $count ->
    [one] 1 Kopie ist unterwegs
   *[other] { $count } Kopien sind unterwegs
}
overview-well-disk = auf der Festplatte ist Platz
overview-well-certificate = das Zertifikat gilt bis { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = letzte Sicherung: { $time }
overview-backup-none = Es gibt noch keine Sicherung.
overview-backup-failed = Die letzte Sicherung ist fehlgeschlagen.
overview-backup-last = Die neueste ist von: { $time }.
# Lines of what happened. $who is a person’s address or the name of a key, $name the person, list or subject to which it was done.
lately-somebody = Jemand
lately-person = eine Person
lately-member-added = { $who } hat { $name } zu { $list } hinzugefügt
lately-member-removed = { $who } hat { $name } von { $list } entfernt
lately-member-changed = { $who } hat geändert, wie { $name } E-Mails von { $list } bekommt
lately-joined = { $who } ist { $list } beigetreten
lately-left = { $who } hat { $list } verlassen
lately-contact-created = { $who } hat { $name } ins Adressbuch aufgenommen
lately-contact-restored = { $who } hat { $name } zurückgeholt
lately-contact-updated = { $who } hat die Angaben von { $name } geändert
lately-contact-deleted = { $who } hat { $name } gelöscht
lately-imported = { $who } hat Personen importiert: { $made } neu, { $changed } geändert
lately-email-updated = { $who } hat die Adresse { $name } geändert
lately-list-created = { $who } hat die Liste { $name } angelegt
lately-list-updated = { $who } hat die Einstellungen von { $name } geändert
lately-list-deleted = { $who } hat die Liste { $name } gelöscht
lately-alias-created = { $who } hat den Alias { $name } angelegt
lately-alias-deleted = { $who } hat den Alias { $name } gelöscht
lately-published = { $who } hat „{ $name }“ gesendet
lately-approved = { $who } hat „{ $name }“ freigegeben
lately-rejected = { $who } hat „{ $name }“ abgelehnt
lately-discarded = { $who } hat „{ $name }“ verworfen
lately-taken-out = { $who } hat „{ $name }“ aus dem Archiv genommen
lately-admin-created = { $who } lässt { $name } mithelfen
lately-admin-updated = { $who } hat Rechte oder Anmeldung von { $name } geändert
lately-signed-in = { $who } hat sich angemeldet
lately-exported = { $who } hat Daten heruntergeladen
lately-import-begun = { $who } hat einen Import begonnen

## Every listing: many at once
# A box above the rows that selects them all; with a script alone.
listing-select-page = Alle auf dieser Seite auswählen
# In place of the selected rows: all that the search and the filters find.
listing-all-found = Alle { $count } Personen, nicht nur die dieser Seite
listing-first-found = Die ersten { $most } gefundenen Personen, nicht nur die dieser Seite
# Beside a value, with a script alone.
copy-button = Kopieren
copy-done = Kopiert

## Imports: people without a list, their own fields, and the way to who was imported
import-no-list = Niemand kommt auf eine Liste: Die Personen stehen dann nur im Adressbuch. Wählen Sie unten eine Liste, wenn sie deren E-Mails bekommen sollen.
import-fields-hint = Für eine eigene Spalte wie Stimme oder Telefon legen Sie zuerst unter Einstellungen ein Feld an.
import-fields-link = Felder der Personen
import-see-people = Die neuesten Personen ansehen
# The state of an old message for somebody who joined afterwards.
admin-got-before = Vor dem Beitritt
# The heading above the files with what is kept about a person.
admin-person-data = Daten
import-for-good = Ein Import von mehr als 1.000 Zeilen lässt sich nicht rückgängig machen.
