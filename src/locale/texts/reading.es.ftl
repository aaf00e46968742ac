### Textos alrededor de los correos que se leen en las páginas.

reading-quoted = Texto citado
reading-quoted-lines = { $count ->
    [one] { $number } línea citada
   *[other] { $number } líneas citadas
}
reading-quoted-lines-from = { $count ->
    [one] { $number } línea citada de { $author }
   *[other] { $number } líneas citadas de { $author }
}
reading-cut = Este mensaje es demasiado largo para una página, así que aquí falta el final.
reading-cut-whole = Abrir el mensaje completo
reading-encrypted = Este mensaje está cifrado. Solo quienes tienen la clave pueden leerlo.
reading-images-off = Este mensaje tiene imágenes alojadas en otros servidores. Quien lo envió podría saber que usted las ve.
reading-images-show = Mostrar las imágenes
reading-fact-from = De
reading-fact-to = Para
reading-fact-cc = Copia
reading-fact-date = Fecha
reading-fact-subject = Asunto
