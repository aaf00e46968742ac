### Seiten für Administratoren: Überblick, Personen, Importe.

## Every listing: its search, its pages, its file.

listing-search = Suchen
listing-all = Alle anzeigen
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
admin-people-state = Status
admin-people-state-all = Alle
admin-people-state-bouncing = Mails kommen zurück
admin-people-state-paused = Von Hand pausiert
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
admin-people-cut = Das passt auf sehr viele Personen, und nur ein Teil wurde durchgesehen. Mit einem weiteren Wort finden Sie, wen Sie meinen.
admin-people-none = Hier ist noch niemand. Fügen Sie Personen einzeln hinzu oder importieren Sie eine Datei.
admin-people-not-found = Das passt auf niemanden.
admin-people-new = Person hinzufügen
admin-people-selected = Mit den ausgewählten Personen
admin-people-choose-list = Liste wählen …
admin-people-add = Zur Liste hinzufügen
admin-people-remove = Von der Liste entfernen
admin-people-resume = Versand fortsetzen
admin-people-delete = Löschen …
admin-people-delete-hint = Die Personen verlassen alle Listen, und ihre Adressen und Notizen werden gelöscht. Das lässt sich einen Tag lang rückgängig machen.
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
    [one] 1 Person hat die Liste verlassen, sich beschwert oder anderswo widersprochen und wurde nicht hinzugefügt.
   *[other] { $count } Personen haben die Liste verlassen, sich beschwert oder anderswo widersprochen und wurden nicht hinzugefügt.
}
admin-people-done-remove = { $count ->
    [one] 1 Person wurde von der Liste entfernt.
   *[other] { $count } Personen wurden von der Liste entfernt.
}
admin-people-done-resume = { $count ->
    [one] 1 Person bekommt wieder Mails.
   *[other] { $count } Personen bekommen wieder Mails.
}

## States of addresses, in words.

admin-state-active = Bekommt Mails
admin-state-paused = Pausiert
admin-state-not-from = Nicht von { $lists }
admin-state-trouble = Mails kamen zuletzt zurück
admin-cause-dead = Postfach gibt es nicht
admin-cause-soft = Mails kommen zurück
admin-cause-complaint = Als Spam gemeldet
admin-address-active = Hierher gehen die Mails der Listen.
admin-address-paused = Pausiert, bis jemand den Versand fortsetzt.
admin-address-until = Von der Person bis zum { $day } pausiert.
admin-address-dead = Pausiert seit dem { $day }, weil es dieses Postfach laut seinem Server nicht gibt.
admin-address-soft = Pausiert seit dem { $day }, weil Mails dorthin acht Tage lang zurückkamen.
admin-address-dead-said = Pausiert seit dem { $day }, weil der Server dort antwortete: „{ $said }“
admin-address-soft-said = Pausiert seit dem { $day }, weil Mails dorthin acht Tage lang zurückkamen; der Server dort antwortete: „{ $said }“
admin-address-complaint = Pausiert seit dem { $day }, weil eine Nachricht als Spam gemeldet wurde.
admin-address-probe = Nächster Versuch am { $day }.
admin-address-asked = Von uns aus versuchen wir es nicht wieder. Setzen Sie den Versand nur fort, wenn die Person darum bittet.
admin-address-given-up = Von uns aus versuchen wir es nicht mehr. Wenn Sie wissen, dass die Adresse funktioniert, setzen Sie den Versand fort.
admin-address-trouble = Zuletzt kamen Mails zurück; der Server dort antwortete: „{ $said }“
admin-address-confirmed = Von der Person selbst bestätigt.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, von { $from } aus
admin-got = Zugestellt
admin-got-waits = Unterwegs
admin-got-refused = Abgewiesen
admin-got-paused = Nicht gesendet: pausiert
admin-got-unknown = Nicht mehr bekannt
admin-got-not = Nicht gesendet

## One person.

admin-person-since = Im Adressbuch seit dem { $day }.
admin-person-new-lede = Die Person bekommt nur dann eine Mail, wenn eine Liste oder das Konto eine Begrüßung hat.
admin-person-add = Hinzufügen
admin-person-emails = Adressen
admin-person-emails-hint = Eine je Zeile.
admin-person-ccid = Eigene Kennung
admin-person-ccid-hint = Etwa die Nummer aus Ihrer Mitgliederkartei. Jede darf nur einmal vorkommen; ohne Kennung bleibt das Feld leer.
admin-person-notes = Notizen
admin-person-notes-hint = Sichtbar für die Verwaltung, und für die Person selbst in der Datei mit allem, was über sie gespeichert ist.
admin-person-addresses = Wohin die Mails gehen
admin-person-address = Adresse
admin-person-digest = Eine Sammelmail am Tag
admin-person-paused = Pausiert
admin-person-resume = Jetzt fortsetzen
admin-person-no-lists = Diese Person steht auf keiner Liste.
admin-person-how = Zustellung
admin-person-how-address = Wie bei den Adressen eingestellt
admin-person-web-only = Keine Mails, liest im Web
admin-person-leave = Von der Liste entfernen
admin-person-join = Zu einer Liste hinzufügen
admin-person-got = Letzte Nachrichten und was aus ihnen wurde
admin-person-got-none = Auf den Listen dieser Person gibt es noch keine Nachrichten.
admin-person-message = Nachricht
admin-person-when = Wann
admin-person-outcome = Ergebnis
admin-person-why = Warum?
admin-person-edit = Angaben ändern
admin-person-evidence = Einwilligung
admin-person-evidence-none = Es ist keine bestätigte Anfrage gespeichert. Wie die Person auf ihre Listen kam, steht oben bei den Listen.
admin-person-asked = Angefragt
admin-person-confirmed = Bestätigt
admin-person-agreed = Wortlaut
admin-person-export = Alle Daten herunterladen (JSON)
admin-person-export-posts = Nachrichten herunterladen (Mailbox)
admin-person-erase = Daten löschen
admin-person-erase-hint = Die Person verlässt alle Listen, und ihre Daten werden gelöscht: Adressen, Notizen, Nachweise und was auf Freigabe wartet. Das lässt sich nicht rückgängig machen.
admin-person-posts = Was wird aus den Nachrichten?
admin-person-posts-keep = Die Nachrichten bleiben im Archiv, unter „ehemaliges Mitglied“.
admin-person-posts-remove = Die Nachrichten werden aus dem Archiv genommen.
admin-person-erase-button = Daten dieser Person löschen
admin-person-erase-not-chosen = Bitte wählen Sie, was mit den Nachrichten dieser Person geschehen soll.
admin-person-done-new = Hinzugefügt.
admin-person-done-save = Gespeichert.
admin-person-done-email = Die Einstellungen der Adresse sind gespeichert.
admin-person-done-resume = An die Adresse gehen wieder Mails.
admin-person-done-membership = Für diese Liste gespeichert.
admin-person-done-join = Zur Liste hinzugefügt.
admin-person-done-leave = Von der Liste entfernt.
admin-person-done-erase = Die Daten der Person sind gelöscht. Nachrichten und Aufzeichnungen folgen in wenigen Minuten.

## The overview.

nav-overview = Übersicht
nav-administration = Verwaltung
overview-todo = Zu erledigen
overview-nothing = Es ist nichts zu erledigen.
overview-look = bitte prüfen
overview-held = { $count ->
    [one] Nachricht wartet auf eine Entscheidung
   *[other] Nachrichten warten auf eine Entscheidung
}
overview-pending = { $count ->
    [one] Anfrage wartet auf eine Entscheidung
   *[other] Anfragen warten auf eine Entscheidung
}
overview-oldest = Die älteste: { $time }.
overview-bouncing = { $count ->
    [one] Adresse nimmt keine Mails mehr an
   *[other] Adressen nehmen keine Mails mehr an
}
overview-bouncing-hint = Ihr Versand ist pausiert, bis jemand nachsieht.
overview-dns = { $count ->
    [one] Domain hat falsche DNS-Einträge
   *[other] Domains haben falsche DNS-Einträge
}
overview-stuck = { $count ->
    [one] Ziel ist nicht erreichbar
   *[other] Ziele sind nicht erreichbar
}
overview-disk-full = Die Festplatte ist fast voll: Nur { $free } sind frei. Neue Mails werden abgewiesen.
overview-disk-failing = Die Festplatte hat einen Fehler: Es kann nichts gespeichert werden.
overview-certificate = Das Zertifikat läuft am { $day } ab.
overview-posts = Nachrichten im Monat
overview-posts-title = Nachrichten im Monat in den letzten zwölf Monaten, zwischen { $least } und { $most }
overview-posts-count = Nachrichten
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
import-lede = Senden Sie eine Datei oder fügen Sie Zeilen ein. Bevor sich etwas ändert, sehen Sie, was geschehen würde.
import-file = Datei
import-file-hint = CSV, wie Adressbücher und Tabellenprogramme es schreiben, oder JSON, bis 20 MB.
import-paste = Oder Zeilen einfügen
import-paste-hint = Eine Person je Zeile. Die erste Zeile kann die Spalten benennen; Adressen allein genügen auch.
import-more = Trennzeichen und Kodierung
import-separator = Trennzeichen
import-charset = Kodierung
import-find-out = automatisch
import-commas = Kommas
import-semicolons = Semikolons
import-tabs = Tabulatoren
import-bars = senkrechte Striche
import-preview = Vorschau anzeigen
import-earlier = Importe der letzten Tage
import-pasted = Eingefügte Zeilen
import-empty = Darin sind keine Zeilen. Bitte wählen Sie eine Datei oder fügen Sie Zeilen ein.
import-head-alone = Darin stehen nur die Namen der Spalten und keine Zeilen darunter.
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
import-count-refused = Abgewiesen
import-columns = Was in welcher Spalte steht
import-columns-hint = Sehen Sie sich nach einer Änderung noch einmal an, was dann geschehen würde.
import-column = Spalte { $number }
import-example = Zum Beispiel: { $value }
import-leave-out = Weglassen
import-emails = Adresse
import-name = Vollständiger Name
import-lists = Namen von Listen
import-no-emails = Bitte sagen Sie, welche Spalte die Adressen enthält.
import-known = Personen, die es schon gibt
import-known-update = ihre Angaben durch die aus den Zeilen ersetzen
import-known-skip = ihre Angaben behalten und nur ergänzen, was fehlt
import-join = Alle hinzufügen zu
import-begin = Importieren
import-look-again = Noch einmal ansehen
import-refused = Abgewiesene Zeilen
import-refused-hint = Diese Zeilen werden weggelassen; die anderen sind nicht betroffen. Die ersten davon:
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
import-trouble-no-admin = Wer diesen Import begonnen hat, gehört nicht mehr zur Verwaltung.
import-trouble-not-saved = Der Server konnte nichts speichern. Bitte setzen Sie den Import später fort.
import-running = Der Import läuft. Sie können diese Seite schließen; er geht von selbst weiter, auch nach einem Neustart des Servers.
import-progress = { $done } von { $rows } Zeilen
import-refresh = Aktualisieren
import-stop = Anhalten
import-stop-hint = Wenn Sie anhalten, bleiben die bisher importierten Personen.
import-continue = Fortsetzen
import-rejects = Abgewiesene Zeilen als CSV herunterladen
import-rejects-hint = In der letzten Spalte steht, warum. Berichtigen Sie die Zeilen und importieren Sie diese Datei später. Wir bewahren sie eine Woche lang auf.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = Kommen Mails bei dieser Person an?
admin-mail-no-lists = Sie steht auf keiner Liste, also bekommt sie keine Mails von Listen.
admin-mail-all = Ja, die Mails aller Listen werden verschickt.
admin-mail-none = Nein, zurzeit werden keine Mails verschickt.
admin-mail-some = Zum Teil: Die Mails von { $some } von { $all } Listen werden verschickt.
admin-mail-web-only = { $list }: liest diese Liste im Web und bekommt keine Mails von ihr.
admin-mail-all-paused = { $list }: Nichts wird verschickt, weil der Versand an alle Adressen pausiert ist.
admin-mail-single = { $list }: Jede Nachricht geht an { $at }.
admin-mail-digest = { $list }: Einmal am Tag geht eine Sammelmail an { $at }.
admin-mail-both = { $list }: Jede Nachricht geht an { $at }, und einmal am Tag eine Sammelmail an { $digest_at }.
opt-out-link = hat { $list } am { $day } über den Link verlassen
opt-out-mail = hat { $list } am { $day } per Mail verlassen
opt-out-page = hat { $list } am { $day } auf den Seiten für Mitglieder verlassen
opt-out-request = hat { $list } am { $day } nach einer freigegebenen Anfrage verlassen
opt-out-complaint = hat sich am { $day } über unerwünschte Mails von hier beschwert
opt-out-import = hat in einem anderen System widersprochen, wie ein Import vom { $day } sagt
opt-out-erasure = hat am { $day } darum gebeten, die eigenen Daten zu löschen
opt-out-override = Auch Personen hinzufügen, die eine Liste verlassen oder sich beschwert haben. Das Gesetz erlaubt das nur, wenn sie seither wieder um Mails gebeten haben; bewahren Sie den Nachweis auf.
import-opted-out = { $count ->
    [one] Eine Person der abgewiesenen Zeilen hat die Liste verlassen, sich beschwert oder anderswo widersprochen und wird nicht hinzugefügt.
   *[other] { $count } Personen der abgewiesenen Zeilen haben die Liste verlassen, sich beschwert oder anderswo widersprochen und werden nicht hinzugefügt.
}
import-decides = Bestimmt, wer Mails bekommt; wird nie weggelassen
import-attributes = Eigene Felder (JSON)
import-workbook = Das ist eine Excel-Arbeitsmappe; speichern Sie sie als CSV.
import-cards = Das ist ein Adressbuch aus elektronischen Visitenkarten (vCard). Bitte exportieren Sie es als CSV.
opt-out-not-added = { $said }: nicht hinzugefügt
import-joined-at = Wann die Person beigetreten ist, als Nachweis
import-joined-from = Von welcher IP-Adresse die Person beigetreten ist, als Nachweis

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = Erste Schritte
overview-step-dns = Die DNS-Einträge Ihrer Domain veröffentlichen
overview-step-dns-hint = Damit Anbieter den Mails von hier vertrauen.
overview-step-list = Die erste Liste anlegen
overview-step-list-hint = Eine Adresse, unter der Sie alle auf der Liste erreichen.
overview-step-people = Personen hinzufügen
overview-step-people-hint = Einzeln, oder alle auf einmal aus einer Datei.
overview-step-message = Eine erste Nachricht schreiben
overview-step-message-hint = Sie können vorher einen Test an sich selbst senden.
overview-step-helper = Jemanden mithelfen lassen
overview-step-helper-hint = Eine zweite Person in der Verwaltung kann einspringen, wenn Sie nicht da sind.
overview-step-factor = Zwei-Faktor-Anmeldung einschalten
overview-step-factor-hint = Mit einem gestohlenen Passwort allein kommt dann niemand herein.
# The table of lists.
overview-lists = Ihre Listen
overview-list = Liste
overview-list-posts = Nachrichten in diesem Monat
overview-list-last = Letzte Nachricht
overview-list-never = noch keine
overview-list-waiting = Wartet
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
overview-well-disk = auf der Festplatte ist genug Platz
overview-well-certificate = das Zertifikat gilt bis { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = die letzte Sicherung ist gelungen ({ $time })
overview-backup-none = Es gibt noch keine Sicherung.
overview-backup-failed = Die letzte Sicherung ist fehlgeschlagen.
overview-backup-last = Die neueste: { $time }.
# Lines of what happened. $who is a person’s address or the name of a key, $name the person, list or subject to which it was done.
lately-somebody = Jemand
lately-person = eine Person
lately-member-added = { $who } hat { $name } zu { $list } hinzugefügt
lately-member-removed = { $who } hat { $name } von { $list } entfernt
lately-member-changed = { $who } hat die Zustellung von { $list } geändert: { $name }
lately-joined = { $who } ist { $list } beigetreten
lately-left = { $who } hat { $list } verlassen
lately-contact-created = { $who } hat { $name } ins Adressbuch aufgenommen
lately-contact-restored = { $who } hat { $name } zurückgeholt
lately-contact-updated = { $who } hat Angaben geändert: { $name }
lately-contact-deleted = { $who } hat { $name } gelöscht
lately-imported = { $who } hat Personen importiert: { $made } neu, { $changed } geändert
lately-email-updated = { $who } hat eine Adresse geändert: { $name }
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
lately-admin-created = { $who } hat { $name } zum Mithelfen eingeladen
lately-admin-updated = { $who } hat Rechte oder Anmeldung geändert: { $name }
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
import-no-list = Niemand kommt auf eine Liste: Die Personen stehen dann nur im Adressbuch. Wählen Sie unten eine Liste, wenn sie deren Mails bekommen sollen.
import-fields-hint = Für eine eigene Spalte wie Stimme oder Telefon legen Sie zuerst unter Einstellungen ein Feld an.
import-fields-link = Felder der Personen
import-see-people = Die neuesten Personen ansehen
# The state of an old message for somebody who joined afterwards.
admin-got-before = Vor dem Beitritt
# The heading above the files with what is kept about a person.
admin-person-data = Daten
import-for-good = Ein Import von mehr als 1.000 Zeilen lässt sich nicht rückgängig machen.

## Importing people from JSON
import-json-broken = Dieses JSON lässt sich nicht lesen, oder es steht niemand darin.

## Lines of what happened lately, of which only some fit or have a name
lately-key-created = { $who } hat den Schlüssel „{ $name }“ angelegt
lately-key-created-nameless = { $who } hat einen Schlüssel angelegt
lately-others = { $names } und andere
