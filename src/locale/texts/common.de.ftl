### Texte von Seiten und Mails: Tage, Größen, Zeitspannen. Welches Wort für was steht, sagt src/locale/terms.md.

language-name = Deutsch

number = { $number }

date-day = { $day }. { $month ->
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
date-moment = { $day }, { $time }

duration-seconds = { $count ->
    [one] { $count } Sekunde
   *[other] { $count } Sekunden
}
duration-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
}
duration-hours = { $count ->
    [one] { $count } Stunde
   *[other] { $count } Stunden
}
duration-days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
}

size-kb = { $count } KB
size-mb = { $count } MB

## People who are gone.

former-member = ehemaliges Mitglied

## Times near to now, as lists of what happened show them: “today, 20:59”, “yesterday”, “tomorrow, 20:59”, “20 November”, then whole dates. $time is one like “20:59”
date-today = heute, { $time }
date-yesterday = gestern
date-tomorrow = morgen, { $time }
date-this-year = { $day }. { $month ->
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
}
