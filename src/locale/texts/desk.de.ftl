### Seiten für Administratoren: Freigaben, Nachrichten, Protokoll, Server.

## Approvals
desk-approvals = Freigaben
desk-kinds = Art
desk-held-messages = Nachrichten
desk-people-waiting = Personen
desk-lists-waiting = Neue Listen
desk-held-search = In Betreff und Absender suchen
desk-held-reason = Grund
desk-all-reasons = Alle Gründe
desk-held-age = Wartet seit
desk-any-age = Beliebig lange
desk-older-day = Mehr als einem Tag
desk-older-week = Mehr als einer Woche
desk-older-month = Mehr als 30 Tagen
desk-held-from = Absender
desk-held-found = { $count ->
    [one] { $count } Nachricht gefunden.
   *[other] { $count } Nachrichten gefunden.
}
# In place of the selected ones: all that the search and the filters find.
desk-all-found = Alle { $count } Nachrichten, nicht nur die dieser Seite
desk-first-found = Die ältesten { $most } von { $count } Nachrichten, nicht nur die dieser Seite
desk-no-held = Keine Nachricht wartet auf eine Entscheidung.
desk-no-held-next = Sobald eine wartet, steht sie hier.
desk-no-people = Niemand möchte einer Liste beitreten oder eine verlassen.
desk-no-lists = Keine neue Liste wartet auf Freigabe.
desk-read = Nachricht lesen
# $what is a subject, or a title such as "Somebody would like to join news".
desk-select = Auswählen: { $what }
desk-approve-one = Freigeben: { $what }
desk-reject-one = Ablehnen: { $what }
desk-discard-one = Verwerfen: { $what }
desk-reject-more = Ablehnen …
desk-with-selected = Mit der Auswahl:
desk-allow = Freigeben und Absender zulassen
desk-ban = Verwerfen und Absender sperren
desk-senders-next = Zugelassene Absender dürfen ab jetzt an diese Liste schreiben. Mails von gesperrten Absendern werden abgewiesen. Beides können Sie in den Einstellungen der Liste ändern.
desk-keys-move = auf und ab
desk-keys-approve = freigeben
desk-keys-reject = ablehnen
desk-keys-discard = verwerfen
desk-reason-keep = Diese Begründung für das nächste Mal aufheben
desk-reason-kept = Oder eine aufgehobene Begründung
desk-reason-forget = Gewählte Begründung löschen
desk-reason-forgotten = Die Begründung ist gelöscht.
desk-select-first = Bitte wählen Sie zuerst etwas aus.
desk-no-sender = Diese Nachricht hat keine Absenderadresse, die sich zulassen oder sperren ließe. Es hat sich nichts geändert.
desk-gone = Ein Teil der Auswahl ist nicht mehr da.
# $already is a sentence such as "It was approved already, by Ada on 20 November 2026, 16:20 UTC."
desk-decided-before = { $what } – { $already } Dabei bleibt es.
desk-approved = { $count ->
    [one] 1 freigegeben.
   *[other] { $count } freigegeben.
}
desk-rejected = { $count ->
    [one] 1 abgelehnt.
   *[other] { $count } abgelehnt.
}
desk-discarded = { $count ->
    [one] 1 verworfen.
   *[other] { $count } verworfen.
}
# $what is the subject of a message, $sender its sender or the address of the sender, $who an address.
desk-approved-message = „{ $what }“ von { $sender } ist freigegeben.
desk-rejected-message = „{ $what }“ von { $sender } ist abgelehnt.
desk-discarded-message = „{ $what }“ von { $sender } ist verworfen.
desk-approved-join = { $who } ist jetzt Mitglied von { $list }.
desk-approved-leave = { $who } hat { $list } verlassen.
desk-approved-list = Die neue Liste { $list } ist freigegeben.
desk-rejected-request = Die Anfrage von { $who } zu { $list } ist abgelehnt.
desk-discarded-request = Die Anfrage von { $who } zu { $list } ist verworfen.
desk-rejected-list = Die neue Liste { $list } ist abgelehnt.
desk-discarded-list = Die neue Liste { $list } ist verworfen.
desk-banned-sender = { $sender } ist für die Liste { $list } gesperrt: Mails von dort an diese Liste werden ab jetzt abgewiesen.
desk-allowed-sender = { $sender } darf ab jetzt an die Liste { $list } schreiben.
desk-more-of-sender = { $count ->
    [one] Eine weitere Nachricht von { $sender } wartet
   *[other] { $count } weitere Nachrichten von { $sender } warten
}
# Read aloud behind the name of the page in the menu.
desk-menu-waiting = { $count ->
    [one] { ", " }eine wartet
   *[other] { ", " }{ $count } warten
}

## Why somebody got a message, or did not. $time is a text like "20 November 2026, 16:20 UTC", $day one like "20 November 2026", $reply the words of another server.
desk-why-delivered = Zugestellt am { $time }.
desk-why-delivered-to = Zugestellt am { $time }: { $server } hat die Mail angenommen.
desk-why-digest = Zugestellt am { $time }, in der Sammelmail vom { $day }.
desk-why-on-hold = Noch nicht gesendet: Wer diesen Server betreibt, hält die Mail zurück.
desk-why-deferred = Noch nicht zugestellt. Wir versuchen es am { $time } wieder. Die letzte Antwort war: { $reply }
desk-why-queued = Wird am { $time } gesendet.
desk-why-sending = Unterwegs: Die Mail wird gleich gesendet.
desk-why-refused = Nicht zugestellt: Am { $time } haben wir aufgegeben. Die letzte Antwort war: { $reply }
desk-why-failed = Nicht zugestellt: Am { $time } haben wir aufgegeben.
desk-why-skipped = Nicht gesendet: Bevor die Mail am { $time } an der Reihe war, hatte die Person die Liste verlassen oder den Versand pausiert.
desk-why-next-digest = Wartet auf die nächste Sammelmail am { $time }.
desk-why-a-digest = Wartet auf die nächste Sammelmail.
desk-why-no-member = Kein Mitglied der Liste.
desk-why-joined-later = Erst am { $time } beigetreten, nach der Nachricht.
desk-why-web-only = Liest diese Liste im Web und bekommt keine Mails von ihr.
desk-why-paused-until = Nicht gesendet: Der Versand an diese Adresse ist bis zum { $day } pausiert.
desk-why-paused = Nicht gesendet: Der Versand an diese Adresse ist pausiert.
desk-why-dead = Nicht gesendet: Pausiert seit dem { $day }, weil es dieses Postfach laut seinem Server nicht gibt: { $reply }
desk-why-soft = Nicht gesendet: Pausiert seit dem { $day }, weil Mails dorthin acht Tage lang zurückkamen: { $reply }
desk-why-complaint = Nicht gesendet: Pausiert seit dem { $day }, weil eine Nachricht als Spam gemeldet wurde.
desk-why-next-probe = Wir versuchen es am { $day } wieder.
desk-why-was-paused = Nicht gesendet: Der Versand dorthin war pausiert, als die Nachricht kam.
desk-why-no-trace = Darüber ist nichts verzeichnet: Aufzeichnungen bleiben 30 Tage lang, und an eine später hinzugefügte Adresse ging nichts.
desk-why-unknown = Diese Adresse hat hier niemand.
desk-suspended = Diese Seiten sind zurzeit gesperrt
desk-suspended-next = Wer diesen Server betreibt, hat dieses Konto gesperrt. Bitte versuchen Sie es später noch einmal.

## Messages
desk-messages = Nachrichten
desk-messages-search = Wörter
desk-all-lists = Alle Listen
desk-messages-none = Hier sind keine Nachrichten.
desk-messages-count = { $count ->
    [one] Eine Nachricht
   *[other] { $count } Nachrichten
}
desk-messages-at-least = { $count ->
    [one] Mindestens eine Nachricht
   *[other] Mindestens { $count } Nachrichten
}
desk-time = Zeit
desk-message-sent = Die Nachricht ist unterwegs zu den Mitgliedern.
desk-message-scheduled = Die Nachricht ist gespeichert und wird zur gewählten Zeit gesendet.
desk-message-canceled = Die Nachricht wird nicht gesendet.
desk-message-deleted = Die Nachricht ist nicht mehr im Archiv.
desk-scheduled = Wird später gesendet
desk-scheduled-at = wird am { $time } gesendet
desk-scheduled-stopped = Nicht gesendet
desk-scheduled-stopped-why = Wer sie geschrieben hat, durfte sie nicht mehr senden, als es so weit war.
desk-scheduled-cancel = Nicht senden
desk-scheduled-cancel-one = Nicht senden: { $subject }
# $by is a person, $received and $time are moments, $reason is a sentence.
desk-message-approved = Sie kam am { $received } und brauchte eine Freigabe: { $reason }. Freigegeben am { $time } ({ $by }).
desk-message-text = Die Nachricht
desk-message-archive = Im Archiv öffnen
desk-message-delete = Aus dem Archiv nehmen
desk-message-delete-hint = Was gerade gesendet wird, wird noch zugestellt. Das Original bleibt 30 Tage lang versiegelt und lässt sich auf seiner Seite im Archiv wiederherstellen.
desk-why = Wer hat sie bekommen, wer nicht, und warum?
desk-why-label = Adresse oder Name
desk-why-search = Nachsehen
desk-why-nobody = Hier heißt niemand so.
desk-copies = Kopien
desk-copies-count = { $count ->
    [one] Insgesamt eine Kopie
   *[other] Insgesamt { $count } Kopien
}
desk-state-queued = Wartet
desk-state-deferred = Wird wieder versucht
desk-state-delivered = Zugestellt
desk-state-failed = Nicht zugestellt
desk-state-skipped = Nicht gesendet

## Writing a message
desk-compose = Nachricht schreiben
desk-compose-text = Text
desk-compose-tags = Auf Listen mit Platzhaltern stehen an ihrer Stelle die Angaben der jeweiligen Person:
desk-compose-format = Format
desk-compose-plain = Reiner Text
desk-compose-simple = Einfache Formatierung
desk-compose-simple-hint = # Überschrift, **fett**, *kursiv*, - oder 1. für Listen, > für Zitate, [Wörter](https://example.org) für Links
desk-compose-html = Eigenes HTML
desk-compose-html-hint = Es ersetzt die Formatierung oben. Skripte, Stilangaben und Formulare werden entfernt.
desk-compose-files = Dateien
desk-compose-files-hint = Zusammen höchstens { $size }, und nicht mehr, als die Liste annimmt.
desk-compose-files-again = Bitte wählen Sie Ihre Dateien noch einmal aus: Browser merken sie sich nicht.
desk-compose-files-many = { $count ->
    [one] Es ist Platz für eine Datei.
   *[other] Es ist Platz für { $count } Dateien.
}
desk-compose-too-large = Diese Liste nimmt Nachrichten bis { $size } an.
desk-compose-text-long = Dieser Text ist länger als { $size }. Hier steht vielleicht nur sein Anfang.
desk-compose-html-deep = Dieses HTML hat zu viele Elemente, oder sie sind zu tief verschachtelt.
desk-compose-file-remove = { $name } entfernen
desk-compose-files-kept = Diese Dateien werden mitgeschickt. Sie bleiben einen Tag lang hier, auch nach einer Vorschau.
desk-compose-files-gone = Eine Datei ist hier nicht mehr vorhanden. Bitte wählen Sie sie noch einmal aus.
desk-compose-files-large = Die Dateien sind zusammen größer als { $size }.
desk-compose-discard = Diesen Entwurf verwerfen
desk-compose-drafts = Ihre anderen Entwürfe
desk-compose-draft-untitled = Noch ohne Betreff
desk-compose-no-list = Bitte wählen Sie eine Liste.
desk-compose-sender = Anderer Absender als die Liste
desk-compose-from-phrase = Name des Absenders
desk-compose-from-address = Adresse des Absenders
desk-compose-contact = Anzeigen, wie dieses Mitglied sie bekommt
desk-compose-contact-hint = Adresse oder Name, für Vorschau und Test. Leer: eine Person, von der nichts bekannt ist.
desk-compose-no-contact = Diese Adresse oder diesen Namen hat niemand im Adressbuch.
desk-compose-send-at = Senden am
desk-compose-send-at-hint = Leer: sofort. Es gilt die Zeit von { $zone }.
desk-compose-time-wrong = Das ist keine Zeitangabe wie 2026-12-24T18:00.
desk-compose-time-past = Diese Zeit ist vorbei. Lassen Sie das Feld leer, um sofort zu senden.
desk-compose-time-far = Diese Zeit liegt mehr als ein Jahr in der Zukunft.
desk-compose-too-many = Es warten schon zu viele Nachrichten auf ihren Versand.
desk-compose-buttons = Was geschehen soll
desk-compose-send = Senden
desk-compose-preview = Vorschau
desk-compose-preview-for = Wie { $address } sie bekäme
desk-compose-test = Test an mich senden
desk-compose-tested = Ein Test ist unterwegs an { $address }. Sonst bekommt ihn niemand.
desk-compose-no-address = Sie haben keine Adresse, an die ein Test gehen könnte.
desk-compose-sent-already = Dieses Formular wurde schon gesendet, ohne das, was Sie seitdem geändert haben. Bitte beginnen Sie eine neue Nachricht.

## The audit log
desk-audit = Protokoll
desk-audit-lede = Wer wann und von wo was getan hat. Niemand kann es ändern, und es bleibt ein Jahr lang stehen, wenn auf dem Server nichts anderes eingestellt ist.
desk-audit-none = Dazu ist nichts verzeichnet.
desk-audit-all = Alle
desk-audit-via = Weg
desk-audit-actor = Wer
desk-audit-action = Was
desk-audit-object = Woran
desk-audit-since = Ab diesem Tag
desk-audit-until = Bis zu diesem Tag
desk-audit-detail = Einzelheiten
desk-via-page = Seite
desk-via-api = API
desk-via-mail = Mail
desk-via-link = Link in einer Mail
desk-via-command = Befehlszeile
desk-via-server = Der Server selbst

## The server
desk-server = Server
desk-server-version = Version
desk-server-suspended = Gesperrte Konten
# $state is one of the states of the queue below.
desk-server-copies = Kopien: { $state }
desk-server-destinations = Wo die meisten Kopien warten
desk-server-lately = Was zuletzt geschah
desk-queue = Warteschlange
desk-queue-waiting = wartend
desk-queue-in-flight = im Versand
desk-queue-held = angehalten
desk-queue-quarantined = beiseitegelegt
desk-queue-settled = erledigt
desk-queue-destination = Domain der Empfänger, oder relay
desk-queue-empty = Nichts wartet.
desk-queue-select = Stapel { $number } auswählen
desk-queue-copies = { $count ->
    [one] Eine Kopie
   *[other] { $count } Kopien
}
desk-queue-attempts = { $count ->
    [one] Ein Versuch
   *[other] { $count } Versuche
}
desk-queue-restored = Diese Warteschlange stammt aus einer Sicherung vom { $time }. Was damals wartete, wird zurückgehalten, weil es nach der Sicherung gesendet worden sein kann; neue Mails werden gesendet. Auf dem Server schickt dieser Befehl alles los:
desk-queue-retry = Jetzt versuchen
desk-queue-hold = Anhalten
desk-queue-release = Fortsetzen
desk-queue-delete = Aufgeben
desk-queue-changed = { $count ->
    [one] Ein Stapel ist geändert.
   *[other] { $count } Stapel sind geändert.
}
desk-accounts = Konten
desk-account-works = Läuft
# $day is a text like "20 November 2026".
desk-account-suspended-since = Gesperrt seit dem { $day }
desk-account-deleted-on = Wird am { $day } gelöscht
desk-account-lists = { $count ->
    [one] Eine Liste
   *[other] { $count } Listen
}
desk-account-people = { $count ->
    [one] Eine Person
   *[other] { $count } Personen
}
desk-account-open = Verwaltung öffnen
desk-account-make = Konto anlegen
desk-account-name = Name
desk-account-name-hint = Seine Seiten stehen unter /~ und diesem Namen.
desk-account-domain = Domain
desk-account-administrator = Verwaltung
desk-account-administrator-hint = Diese Adresse bekommt einen Link, um ein Passwort zu wählen.
desk-account-holds = Umfang
desk-account-save = Speichern
desk-account-suspend = Sperren
desk-account-resume = Entsperren
desk-account-delete = Löschen
desk-account-restore = Wiederherstellen
desk-account-hint = Ein gesperrtes Konto nimmt keine Mails an, und seine Seiten und Schlüssel funktionieren nicht. Ein gelöschtes lässt sich 30 Tage lang wiederherstellen.
desk-account-changed = Jemand anderes hat dieses Konto gerade geändert. Ihre Änderung ist nicht gespeichert.
desk-account-made = Das Konto ist angelegt. Wer es verwaltet, bekommt eine Mail.
desk-account-saved = Das Konto ist gespeichert.
desk-account-suspended = Das Konto ist gesperrt.
desk-account-resumed = Das Konto läuft wieder.
desk-account-deleted = Das Konto ist gesperrt und wird in 30 Tagen gelöscht.
desk-account-restored = Das Konto ist wiederhergestellt und läuft wieder.
desk-keys = Schlüssel des Servers
desk-keys-lede = Wer einen solchen Schlüssel hat, darf in jedem Konto alles.
desk-keys-none = Es gibt keinen Schlüssel.
desk-key-make = Schlüssel anlegen
desk-key-purpose = Zweck
desk-key-needs-purpose = Bitte sagen Sie, wofür der Schlüssel ist.
desk-key-made = Das ist der Schlüssel. Er wird nur dieses eine Mal gezeigt: Bewahren Sie ihn jetzt auf.
desk-key-delete = Löschen
# $made is the time when the key was made, $used the time of its last use, or that there was none.
desk-key-times = Angelegt am { $made } · zuletzt benutzt: { $used }
# $purpose is what the key is for.
desk-key-delete-one = Schlüssel löschen: { $purpose }
desk-key-deleted = Der Schlüssel ist gelöscht und gilt nicht mehr.

## Entwürfe und wartende Nachrichten, auf der Seite der Nachrichten und dort, wo man sie ändert

desk-drafts = Entwürfe
desk-drafts-lede = Ihre Entwürfe sehen nur Sie. Jeder bleibt noch einen Tag lang, nachdem Sie zuletzt daran geschrieben haben.
desk-draft-kept = Ihr Entwurf bleibt einen Tag lang erhalten.
desk-draft-discarded = Der Entwurf ist gelöscht.
desk-draft-discard = Löschen
desk-draft-discard-one = Entwurf löschen: { $subject }
desk-files-count = { $count ->
    [one] { $count } Datei
   *[other] { $count } Dateien
}
desk-scheduled-change = Ändern
desk-scheduled-change-one = Ändern: { $subject }
desk-scheduled-send = Jetzt senden
desk-scheduled-send-one = Jetzt senden: { $subject }
desk-scheduled-gone = Diese Nachricht wartet nicht mehr: Sie wurde inzwischen gesendet oder zurückgenommen.
desk-compose-change = Nachricht ändern
desk-compose-waits = Diese Nachricht wird am { $time } gesendet. Bis Sie Ihre Änderungen speichern, bleibt sie, wie sie war. Ohne Zeit wird sie beim Speichern gesendet.
desk-compose-save = Änderungen speichern
desk-compose-keep = Als Entwurf behalten
desk-compose-gone = Diese Nachricht wurde gesendet oder zurückgenommen, während Sie sie geändert haben. Ihre Änderungen wurden nicht gesendet. Wenn Sie sie trotzdem senden möchten, beginnen Sie eine neue Nachricht.
desk-compose-changed = Jemand anders hat diese Nachricht inzwischen geändert, deshalb wurde Ihre Fassung nicht gespeichert. Bitte öffnen Sie sie noch einmal bei den wartenden Nachrichten.

## Approvals: who wrote, what came from there before, and senders who are stopped
# A badge beside the subject of a message that waits.
desk-sender-member = Mitglied
desk-sender-other-address = Andere Adresse
desk-sender-no-member = Kein Mitglied
# A line of the facts on the page of one message that waits.
desk-sender = Absender
# Why the message waits, behind that badge. $reason is a half sentence such as “every message to this list needs approval”.
desk-held-reason-is = Wartet: { $reason }.
desk-sender-stranger = Diese Adresse steht nicht auf { $list }.
desk-sender-as = Ein Mitglied dieses Namens steht als { $address } auf { $list } und hat von einer anderen Adresse geschrieben.
desk-sender-known = Steht im Adressbuch, aber nicht auf { $list }.
desk-sender-not-chosen = Mitglied, aber an { $list } dürfen nur bestimmte Personen schreiben.
# Earlier messages of a sender: “12 posts, none refused in the last 30 days.”
desk-history = { $posted }, { $refused }.
desk-history-first = Die erste Nachricht von dieser Adresse.
desk-history-no-posts = Noch keine Nachrichten
desk-history-posts = { $count ->
    [one] 1 Nachricht
   *[other] { $count } Nachrichten
}
desk-history-many = { $count } Nachrichten oder mehr
desk-history-none-refused = in den letzten 30 Tagen keine abgelehnt
desk-history-refused = { $count ->
    [one] in den letzten 30 Tagen 1 abgelehnt
   *[other] in den letzten 30 Tagen { $count } abgelehnt
}
# The field below the selected messages.
desk-reason-all = Ihre Begründung an alle Ausgewählten, wenn Sie ablehnen
# On the page of a message that went out, and in the archive below “Moderate”. $sender is an address.
desk-stop = Diesen Absender sperren
desk-stop-hint = Was { $sender } schickt, weist die Liste { $list } dann ab. Was schon verschickt ist, bleibt.
desk-stopped = { $list } weist jetzt ab, was { $sender } schickt.

## Undoing what an administrator did. $who is one name or several, $list the name of a list
# Several names: “Ada, Bob and 3 more”.
undo-more = { $names } und { $count } weitere
undo-nameless = (ohne Namen)
undo-removed = Von { $list } entfernt: { $who }.
undo-added = Zu { $list } hinzugefügt: { $who }.
undo-set = Die Zustellung von { $list } ist eingestellt für: { $who }.
undo-resumed = Versand fortgesetzt: { $who }.
undo-deleted = Gelöscht: { $who }.
undo-alias-deleted = Alias gelöscht: { $who }.
undo-list-set = Einstellungen von { $list } sind geändert.
undo-account-set = Einstellungen des Kontos sind geändert.
undo-banned = Gesperrt für { $list }: { $who }.
undo-allowed = Darf von jetzt an an { $list } schreiben: { $who }.
undo-button = Rückgängig machen
# Beside the button; $time is a text like “tomorrow, 20:59”.
undo-until = Möglich bis { $time }.
# The page of one action.
undo-title = Rückgängig machen?
undo-next = Alles wird wieder, wie es war. Ausgenommen ist, was seitdem jemand geändert hat, und wer seitdem eine Liste verlassen oder sich beschwert hat.
undo-done-title = Rückgängig gemacht
undo-none-title = Es ließ sich nichts rückgängig machen
undo-done = Wie zuvor: { $who }.
undo-left = Diese bleiben, wie sie sind:
undo-left-opted-out = { $who } hat seitdem die Liste verlassen oder sich beschwert.
undo-left-changed = { $who }: Seitdem hat jemand etwas geändert.
undo-left-there = { $who }: Das ist schon so.
undo-left-gone = { $who }: Die Liste oder die Person gibt es nicht mehr.
undo-left-taken = { $who }: Die Adresse oder der Name gehört inzwischen jemand anderem.
undo-left-full = { $who }: Das Adressbuch ist voll.
undo-over = Das ist schon rückgängig gemacht, oder der Tag ist vorbei
undo-over-next = Änderungen lassen sich einen Tag lang rückgängig machen. Was geschehen ist, steht im Protokoll.
undo-imported = Importiert: { $who }.

## What was missing on the pages of messages
desk-compose-first-list = Legen Sie zuerst eine Liste an: Eine Nachricht geht an ihre Mitglieder.
# $time is a time, such as "tomorrow, 06:00".
desk-copies-digest = Wer Sammelmails bekommt, erhält sie mit der nächsten: { $time }.

## The page of the server
desk-server-since = Läuft seit

## Messages that wait for approval
desk-held-filter = Suchen und filtern
