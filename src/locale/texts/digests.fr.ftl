### Textes des résumés : un mail par jour avec tous les messages d'une liste.

# L'objet, derrière le préfixe de la liste. $day est un texte comme date-day.
digest-subject = Récapitulatif du { $day } ({ $count ->
    [one] { $count } message
   *[other] { $count } messages
})
digest-weekday = { $number ->
    [1] lundi
    [2] mardi
    [3] mercredi
    [4] jeudi
    [5] vendredi
    [6] samedi
   *[7] dimanche
}
# $weekday est un texte comme digest-weekday, $day un texte comme date-day.
digest-date = Le { $weekday } { $day }
# Quand un message est arrivé : $clock est une heure comme 18:40.
digest-time = { $weekday } à { $clock }
digest-intro = { $count ->
    [one] Bonjour. { $count } message est arrivé depuis le dernier récapitulatif ; il est joint en entier.
   *[other] Bonjour. { $count } messages sont arrivés depuis le dernier récapitulatif ; ils sont joints en entier, dans cet ordre.
}
# Qui a écrit un message et quand : $time est un texte comme digest-time.
digest-sender = { $name }, { $time }
digest-attachments = { $count ->
    [one] { $count } pièce jointe
   *[other] { $count } pièces jointes
}
digest-no-subject = (sans objet)
digest-too-large = Ce message est trop volumineux pour cet e-mail.
digest-too-large-archive = Ce message est trop volumineux pour cet e-mail ; vous pouvez le lire dans les archives.
# Des liens. Le premier mène au message dans les archives.
digest-read = Lire dans les archives
digest-archive = Dans les archives
digest-reply = Répondre
digest-why = Vous recevez cet e-mail une fois par jour parce que vous avez choisi un récapitulatif par jour.
digest-single = Recevoir plutôt chaque message dès son arrivée
digest-leave = Quitter la liste

## À la place d'un fichier avec lequel un résumé serait trop grand.

digest-file = [Pièce jointe : { $name } ({ $kind }, { $size })]
digest-file-link = [Pièce jointe : { $name } ({ $kind }, { $size }), dans les archives : { $link } ]

## Aux administrateurs.

digest-alert = Un récapitulatif de { $list } (« { $subject } ») n’a pas pu être envoyé à certains membres, à cause d’une erreur de ce serveur : { $words }
