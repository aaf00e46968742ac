### An archive that the visitor may not read

archive-closed-title = Dieses Archiv ist für Mitglieder
archive-closed-sign-in = Mitglieder von { $list } lesen hier die Nachrichten. Geben Sie die Adresse ein, unter der Sie sie bekommen: Wir schicken dorthin einen Link, der Sie anmeldet und zu dieser Seite zurückführt.
archive-closed-other = Mitglieder von { $list } lesen hier die Nachrichten. Sie sind angemeldet, aber mit dieser Adresse kein Mitglied der Liste.
archive-closed-list = Zur Seite von { $list }
archive-closed-read = Archiv als Mitglied lesen

## Texte der Seiten des Archivs einer Liste.

## The password of an archive

archive-password-have = Passwort des Archivs eingeben
archive-password-title = Das Archiv von { $list }
archive-password-lede = Diese Nachrichten sind nicht für alle bestimmt. Wer das Passwort des Archivs hat, kann sie lesen; dieser Browser merkt es sich dann 30 Tage lang.
archive-password-label = Passwort des Archivs
archive-password-button = Archiv öffnen
archive-password-wrong = Das ist nicht das Passwort dieses Archivs. Wer die Liste betreut, kann Ihnen das richtige nennen.

## Threads and messages

archive-thread = Unterhaltung
archive-no-subject = (ohne Betreff)
# $number is $count as people write it, like "1,204".
archive-messages = { $count ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
}
archive-people = { $count ->
    [one] von { $count } Person
   *[other] von { $count } Personen
}
# $first and $last are days like "17 November 2026".
archive-days = { $first } bis { $last }
archive-gone = Eine Nachricht, die nicht mehr im Archiv ist
archive-gone-short = nicht mehr hier
archive-in-reply-to = Antwort auf
archive-reply-to = Antwort auf
archive-reply-mail = Per Mail antworten
# What people hear who have the page read aloud, in place of "Reply by mail".
archive-reply-mail-to = { $name } per Mail antworten, { $time }
archive-from = Von
archive-to = An
archive-date = Datum
archive-outline = In dieser Unterhaltung
archive-outline-label = Überblick über diese Unterhaltung
archive-thread-pages = Seiten dieser Unterhaltung
archive-messages-before = Frühere Nachrichten
archive-messages-after = Spätere Nachrichten
archive-other-messages = Andere Nachrichten
archive-message-before = Davor: { $name }
archive-message-after = Danach: { $name }
archive-about-message = Über diese Nachricht
archive-this-message = Diese Nachricht
archive-whole-thread = Die ganze Unterhaltung lesen
archive-permalink = Dauerhafter Link
archive-addresses-hidden = Adressen sind hier gekürzt.
archive-addresses-sign-in = Mitglieder sehen sie nach der Anmeldung ganz

## The page of a list, and its months

archive-newest = Neueste Unterhaltungen
archive-empty = An diese Liste hat noch niemand geschrieben.
archive-about-list = Über diese Liste
archive-about-fold = Schreiben, verlassen, Monate
archive-feed = Diese Liste als Feed abonnieren
archive-search-label = Diese Liste durchsuchen
archive-search-button = Suchen
# $number is $count as people write it, like "1,204".
archive-search-hint = { $count ->
    [one] { $number } Nachricht durchsuchen
   *[other] { $number } Nachrichten durchsuchen
}
archive-by-and-others = { $count ->
    [one] { $name } und { $count } weitere Person
   *[other] { $name } und { $count } weitere
}
archive-by-and-many = { $name } und viele weitere
archive-closed = Geschlossen
archive-threads-pages = Seiten mit Unterhaltungen
archive-threads-newer = Neuere Unterhaltungen
archive-threads-older = Ältere Unterhaltungen
# Three letters or so, below a bar.
archive-month-short = { $month ->
    [1] Jan
    [2] Feb
    [3] Mär
    [4] Apr
    [5] Mai
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Okt
    [11] Nov
   *[12] Dez
}
# $month is a text like archive-month-short.
archive-day-short = { $day }. { $month }
archive-month = { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
} { $year }
archive-month-messages = Nachrichten dieses Monats
archive-month-pages = Seiten dieses Monats
archive-other-months = Andere Monate
archive-month-mbox = Dieser Monat als Mailbox-Datei

## Around a thread

archive-other-threads = Andere Unterhaltungen
archive-thread-older = Älter: { $subject }
archive-thread-newer = Neuer: { $subject }
archive-quotes-unfold = Alle Zitate aufklappen
archive-quotes-fold = Alle Zitate zuklappen
archive-thread-feed = Feed dieser Unterhaltung
archive-reply-here = Hier antworten
# What people hear who have the page read aloud, in place of "Reply here".
archive-reply-here-to = { $name } hier antworten, { $time }
archive-long = Diese Nachricht ist lang.
archive-long-open = Auf einer eigenen Seite öffnen
archive-thread-cut = Diese Unterhaltung hat noch mehr Nachrichten. Die neuesten stehen auf den Seiten ihrer Monate:

## Attachments

archive-files = Anhänge
# What an attachment is, in front of its size.
archive-file-picture = Bild
archive-file-sound = Audio
archive-file-film = Video
archive-file-text = Text
archive-file-message = Nachricht
archive-file = Datei
archive-raw = Als Mail herunterladen
