### Textes de la recherche dans une archive et de ses flux.

## Recherche

search-title = Rechercher dans { $list }
search-results = Résultats
search-label = Mots à rechercher
search-button = Rechercher
search-order = Tri
search-newest = Plus récents
search-best = Plus pertinents
# $number is $count as people write it, like "1 204".
search-count-newest = { $count ->
    [0] Aucun message
    [one] { $number } message
   *[other] { $number } messages, du plus récent au plus ancien
}
search-count-best = { $count ->
    [0] Aucun message
    [one] { $number } message
   *[other] { $number } messages, les plus pertinents d’abord
}
# $number is at least 10 000.
search-least-newest = Au moins { $number } messages, du plus récent au plus ancien
search-least-best = Au moins { $number } messages, les plus pertinents d’abord
search-none = Aucun message ne contient tout cela.
search-none-next = Essayez moins de mots, ou le début d’un mot suivi d’une étoile : chant*
search-in-thread = { $count ->
    [one] { $number } message dans la conversation
   *[other] { $number } messages dans la conversation
}
search-pages = Pages de résultats
search-previous = Page précédente
search-next = Page suivante

## What can be asked

search-help-label = Comment rechercher
search-help-title = Ce que vous pouvez saisir
search-example-words = planning goûter
search-help-words = les deux mots, dans n’importe quel ordre ; majuscules et accents ne comptent pas
search-example-phrase = "porte latérale"
search-help-phrase = exactement ces mots ensemble
search-example-begin = chant*
search-help-begin = les mots qui commencent ainsi
search-example-not = -noël
search-help-not = sans ce mot
search-example-from = from:marta
search-help-from = écrit par Marta
search-example-subject = subject:partitions
search-help-subject = dans l’objet
search-help-after = à partir de septembre 2026
search-help-before = avant le 20 novembre 2026
search-help-has = avec un fichier
search-help-thread = dans la conversation qui porte ce numéro

## What is wrong with a query

search-wrong-title = Nous n’avons pas pu lire cette recherche
search-wrong-empty = Elle ne contient aucun mot. Saisissez un ou plusieurs mots à rechercher.
search-wrong-long = Elle est trop longue : une recherche peut compter { $count } caractères au plus.
search-wrong-many = Elle a trop de parties : une recherche peut en avoir { $count } au plus.
search-wrong-quote = Il manque un guillemet à la fin d’une expression, comme dans "porte latérale".
# $operator is like "from:".
search-wrong-value = Rien ne suit { $operator } dans cette recherche. Écrivez une valeur juste après le deux-points, comme dans from:marta.
# $value is what the visitor typed, like "hier".
search-wrong-date = « { $value } » n’est pas une date. Écrivez { $operator }2026-11-20, { $operator }2026-11 ou { $operator }2026.
search-wrong-mark = On ne peut pas rechercher « has:{ $value } ». Pour trouver les messages qui ont un fichier, écrivez has:attachment.
search-wrong-thread = « { $value } » n’est pas le numéro d’une conversation. Écrivez-en un, comme dans thread:12.
search-wrong-operator = On ne peut pas rechercher ici avec { $operator }. Cette page indique ce qui est possible.

## Feeds

# $list is a list's name.
feed-title = Messages de { $list }

## Searching all lists of a member

search-all-label = Rechercher dans toutes vos listes
search-all-title = Rechercher dans toutes vos listes
search-all-lists = { $count ->
    [0] Aucune de vos listes n’a d’archives que vous pouvez lire.
    [one] Les archives d’une liste
   *[other] Les archives de { $count } listes
}

## Une recherche qui ne trouve rien, avec moins

search-as-beginning = Aucun message ne contient tout cela. Ceux-ci ont des mots qui commencent par « { $word } ».
search-without = Aucun message ne contient tout cela. Ceux-ci contiennent le reste, sans « { $word } ».
search-meant = Vouliez-vous dire { $words } ?
