### Textos comunes a las páginas y a los correos: días, tamaños, duraciones.
###
### Los términos están en src/locale/terms.md.

language-name = Español

number = { $number }

date-day = { $day } de { $month ->
    [1] enero
    [2] febrero
    [3] marzo
    [4] abril
    [5] mayo
    [6] junio
    [7] julio
    [8] agosto
    [9] septiembre
    [10] octubre
    [11] noviembre
   *[12] diciembre
} de { $year }
date-moment = { $day }, { $time }

duration-seconds = { $count ->
    [one] { $count } segundo
   *[other] { $count } segundos
}
duration-minutes = { $count ->
    [one] { $count } minuto
   *[other] { $count } minutos
}
duration-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
}
duration-days = { $count ->
    [one] { $count } día
   *[other] { $count } días
}

size-kb = { $count } kB
size-mb = { $count } MB

## People who are gone.

former-member = antiguo miembro

## Times near to now, as lists of what happened show them: “today, 20:59”, “yesterday”, “tomorrow, 20:59”, “20 November”, then whole dates. $time is one like “20:59”
date-today = hoy, { $time }
date-yesterday = ayer
date-tomorrow = mañana, { $time }
date-this-year = { $day } de { $month ->
    [1] enero
    [2] febrero
    [3] marzo
    [4] abril
    [5] mayo
    [6] junio
    [7] julio
    [8] agosto
    [9] septiembre
    [10] octubre
    [11] noviembre
   *[12] diciembre
}
