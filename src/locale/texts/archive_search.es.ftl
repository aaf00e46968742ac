### Textos de la búsqueda en un archivo y de sus feeds.

## Búsqueda

search-title = Buscar en { $list }
search-results = Resultados
search-label = Palabras que busca
search-button = Buscar
search-order = Orden
search-newest = Más recientes
search-best = Más relevantes
# $number is $count as people write it, like "1.204".
search-count-newest = { $count ->
    [0] Ningún mensaje
    [one] { $number } mensaje
   *[other] { $number } mensajes, los más recientes primero
}
search-count-best = { $count ->
    [0] Ningún mensaje
    [one] { $number } mensaje
   *[other] { $number } mensajes, los más relevantes primero
}
# $number is at least 10.000.
search-least-newest = Al menos { $number } mensajes, los más recientes primero
search-least-best = Al menos { $number } mensajes, los más relevantes primero
search-none = Ningún mensaje contiene todo eso.
search-none-next = Pruebe con menos palabras, o con el comienzo de una palabra y un asterisco detrás: coro*
search-in-thread = { $count ->
    [one] { $number } mensaje en la conversación
   *[other] { $number } mensajes en la conversación
}
search-pages = Páginas de resultados
search-previous = Página anterior
search-next = Página siguiente

## What can be asked

search-help-label = Cómo buscar
search-help-title = Qué puede escribir
search-example-words = ensayo jueves
search-help-words = las dos palabras, en cualquier orden; las mayúsculas y los acentos no importan
search-example-phrase = "puerta lateral"
search-help-phrase = exactamente estas palabras seguidas
search-example-begin = coro*
search-help-begin = palabras que empiezan así
search-example-not = -villancico
search-help-not = sin esta palabra
search-example-from = from:marta
search-help-from = escrito por Marta
search-example-subject = subject:partituras
search-help-subject = en el asunto
search-help-after = desde septiembre de 2026
search-help-before = antes del 20 de noviembre de 2026
search-help-has = con un adjunto
search-help-thread = en la conversación con este número

## What is wrong with a query

search-wrong-title = No hemos entendido esta búsqueda
search-wrong-empty = No tiene ninguna palabra. Escriba una o más palabras que buscar.
search-wrong-long = Es demasiado larga: una búsqueda puede tener hasta { $count } caracteres.
search-wrong-many = Tiene demasiadas partes: una búsqueda puede tener hasta { $count }.
search-wrong-quote = Faltan las comillas de cierre de una frase, como en "puerta lateral".
# $operator is like "from:".
search-wrong-value = No hay nada después de { $operator } en esta búsqueda. Escriba un valor justo después de los dos puntos, como en from:marta.
# $value is what the visitor typed, like "ayer".
search-wrong-date = «{ $value }» no es una fecha. Escriba { $operator }2026-11-20, { $operator }2026-11 o { $operator }2026.
search-wrong-mark = No se puede buscar «has:{ $value }». Para encontrar mensajes con adjuntos, escriba has:attachment.
search-wrong-thread = «{ $value }» no es el número de una conversación. Escriba uno, como en thread:12.
search-wrong-operator = Aquí no se puede buscar con { $operator }. Esta página muestra con qué se puede buscar.

## Feeds

# $list is a list's name.
feed-title = Mensajes de { $list }

## Searching all lists of a member

search-all-label = Buscar en todas sus listas
search-all-title = Buscar en todas sus listas
search-all-lists = { $count ->
    [0] No está en ninguna lista cuyo archivo pueda leer.
    [one] El archivo de una lista
   *[other] Los archivos de { $count } listas
}

## Una búsqueda que no encuentra nada, con menos

search-as-beginning = Ningún mensaje contiene todo eso. Estos contienen palabras que empiezan por «{ $word }».
search-without = Ningún mensaje contiene todo eso. En estos falta «{ $word }».
search-meant = ¿Quiso decir { $words }?
