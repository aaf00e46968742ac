### Textos de la búsqueda en un archivo y de sus canales.

## Búsqueda

search-title = Buscar en { $list }
search-results = Resultados
search-label = Palabras que buscar
search-button = Buscar
search-order = Orden
search-newest = Más recientes
search-best = Más relevantes
# $number is $count as people write it, like "1.204".
search-count-newest = { $count ->
    [one] { $number } mensaje
   *[other] { $number } mensajes, los más recientes primero
}
search-count-best = { $count ->
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
search-help-title = Lo que puede escribir
search-example-words = pastel lista
search-help-words = ambas palabras, en cualquier orden; las mayúsculas y los acentos no importan
search-example-phrase = "puerta lateral"
search-help-phrase = exactamente estas palabras seguidas
search-example-begin = coro*
search-help-begin = palabras que empiezan así
search-example-not = -navidad
search-help-not = sin esta palabra
search-example-from = from:marta
search-help-from = escrito por Marta
search-example-subject = subject:partituras
search-help-subject = en el asunto
search-help-after = desde septiembre de 2026
search-help-before = antes del 20 de noviembre de 2026
search-help-has = con un archivo
search-help-thread = en la conversación con este número

## What is wrong with a query

search-wrong-title = No hemos podido leer esta búsqueda
search-wrong-empty = No contiene ninguna palabra. Escriba una o más palabras que buscar.
search-wrong-long = Es demasiado larga: { $count } caracteres como máximo.
search-wrong-many = Tiene demasiadas partes: { $count } como máximo.
search-wrong-quote = Faltan las comillas al final de una frase, como en "puerta lateral".
# $operator is like "from:".
search-wrong-value = No hay nada detrás de { $operator }
# $value is what the visitor typed, like "ayer".
search-wrong-date = «{ $value }» no es un día. Escriba { $operator }2026-11-20, { $operator }2026-11 o { $operator }2026.
search-wrong-mark = «has:{ $value }» no se puede buscar. Los mensajes con archivos se encuentran con has:attachment.
search-wrong-thread = «{ $value }» no es una conversación. Escriba el número de una, como en thread:12.
search-wrong-operator = { $operator } no se puede buscar aquí. En esta página se dice lo que sí.

## Feeds

# $list is a list's name.
feed-title = Mensajes de { $list }
