### Textes communs aux pages et aux messages : jours, tailles, durées.
###
### Une espace insécable précède « : », « ? » et « » » et suit « « ».
### En français, zéro se met au singulier : [one] vaut pour 0 et pour 1.
###
### Le mot choisi pour chaque chose est dans src/locale/terms.md.

language-name = Français

number = { $number }

date-day = { $day ->
    [1] 1er
   *[other] { $day }
} { $month ->
    [1] janvier
    [2] février
    [3] mars
    [4] avril
    [5] mai
    [6] juin
    [7] juillet
    [8] août
    [9] septembre
    [10] octobre
    [11] novembre
   *[12] décembre
} { $year }
date-moment = { $day } à { $time }

duration-seconds = { $count ->
    [one] { $count } seconde
   *[other] { $count } secondes
}
duration-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}
duration-hours = { $count ->
    [one] { $count } heure
   *[other] { $count } heures
}
duration-days = { $count ->
    [one] { $count } jour
   *[other] { $count } jours
}

size-kb = { $count } Ko
size-mb = { $count } Mo

## People who are gone.

former-member = ancien membre

## Times near to now, as lists of what happened show them: “today, 20:59”, “yesterday”, “tomorrow, 20:59”, “20 November”, then whole dates. $time is one like “20:59”
date-today = aujourd’hui, { $time }
date-yesterday = hier
date-tomorrow = demain, { $time }
date-this-year = { $day ->
    [1] 1er
   *[other] { $day }
} { $month ->
    [1] janvier
    [2] février
    [3] mars
    [4] avril
    [5] mai
    [6] juin
    [7] juillet
    [8] août
    [9] septembre
    [10] octobre
    [11] novembre
   *[12] décembre
}
