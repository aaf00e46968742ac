### Texte der Sammelmails: eine Mail am Tag mit allen Nachrichten einer Liste.

# Der Betreff, hinter dem Präfix der Liste. $day ist ein Text wie date-day.
digest-subject = Sammelmail, { $day } ({ $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
})
digest-weekday = { $number ->
    [1] Montag
    [2] Dienstag
    [3] Mittwoch
    [4] Donnerstag
    [5] Freitag
    [6] Samstag
   *[7] Sonntag
}
# $weekday ist ein Text wie digest-weekday, $day einer wie date-day.
digest-date = { $weekday }, { $day }
# Wann eine Nachricht kam: $clock ist eine Uhrzeit wie 18:40.
digest-time = { $weekday } { $clock }
digest-intro = { $count ->
    [one] Guten Morgen. Seit der letzten Sammelmail ist { $count } Nachricht gekommen; sie ist vollständig angehängt.
   *[other] Guten Morgen. Seit der letzten Sammelmail sind { $count } Nachrichten gekommen; sie sind vollständig angehängt, in dieser Reihenfolge.
}
# Wer eine Nachricht schrieb und wann: $time ist ein Text wie digest-time.
digest-sender = { $name }, { $time }
digest-attachments = { $count ->
    [one] { $count } Anhang
   *[other] { $count } Anhänge
}
digest-no-subject = (ohne Betreff)
digest-too-large = Diese Nachricht ist für diese Mail zu groß.
digest-too-large-archive = Diese Nachricht ist für diese Mail zu groß; Sie können sie im Archiv lesen.
# Links. Der erste führt zur Nachricht im Archiv.
digest-read = Im Archiv lesen
digest-archive = Im Archiv
digest-reply = Antworten
digest-why = Sie bekommen diese Mail einmal am Tag, weil Sie sich für eine Sammelmail am Tag entschieden haben.
digest-single = Jede Nachricht einzeln bekommen
digest-leave = Die Liste verlassen

## Anstelle einer Datei, mit der eine Sammelmail zu groß wäre.

digest-file = [Anhang: { $name } ({ $kind }, { $size })]
digest-file-link = [Anhang: { $name } ({ $kind }, { $size }), im Archiv: { $link } ]

## An Verwalter.

digest-alert = Eine Sammelmail von { $list } („{ $subject }“) konnte an einige Mitglieder nicht verschickt werden, weil auf diesem Server etwas schiefging: { $words }
