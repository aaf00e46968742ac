### Texte der Seiten des Archivs einer Liste.

## The password of an archive

archive-password-have = Passwort des Archivs eingeben
archive-password-title = Das Archiv von { $list }
archive-password-lede = Diese Nachrichten sind nicht für alle bestimmt. Wer das Passwort des Archivs hat, kann sie lesen; dieser Browser merkt es sich dann 30 Tage lang.
archive-password-label = Passwort des Archivs
archive-password-button = Archiv öffnen
archive-password-wrong = Das ist nicht das Passwort dieses Archivs.

## Threads and messages

archive-thread = Thema
archive-no-subject = (kein Betreff)
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
archive-outline = In diesem Thema
archive-outline-label = Überblick über dieses Thema
archive-thread-pages = Seiten dieses Themas
archive-messages-before = Frühere Nachrichten
archive-messages-after = Spätere Nachrichten
archive-other-messages = Andere Nachrichten
archive-message-before = Davor: { $name }
archive-message-after = Danach: { $name }
archive-about-message = Über diese Nachricht
archive-this-message = Diese Nachricht
archive-whole-thread = Das ganze Thema lesen
archive-permalink = Dauerhafter Link
archive-addresses-hidden = Adressen sind hier gekürzt.
archive-addresses-sign-in = Wer sich als Mitglied anmeldet, sieht sie ganz
