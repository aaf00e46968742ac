### Textos de los resúmenes: un correo al día con todos los mensajes de una lista.

# El asunto, detrás del prefijo de la lista. $day es un texto como date-day.
digest-subject = Resumen del { $day } ({ $count ->
    [one] { $count } mensaje
   *[other] { $count } mensajes
})
digest-weekday = { $number ->
    [1] lunes
    [2] martes
    [3] miércoles
    [4] jueves
    [5] viernes
    [6] sábado
   *[7] domingo
}
# $weekday es un texto como digest-weekday, $day uno como date-day.
digest-date = { $weekday }, { $day }
# Cuándo llegó un mensaje: $clock es una hora como 18:40.
digest-time = { $weekday } { $clock }
digest-intro = { $count ->
    [one] Buenos días. Ha llegado { $count } mensaje desde el último resumen; va adjunto completo.
   *[other] Buenos días. Han llegado { $count } mensajes desde el último resumen; van adjuntos completos, en este orden.
}
# Quién escribió un mensaje y cuándo: $time es un texto como digest-time.
digest-sender = { $name }, { $time }
digest-attachments = { $count ->
    [one] { $count } archivo adjunto
   *[other] { $count } archivos adjuntos
}
digest-no-subject = (sin asunto)
digest-too-large = Este mensaje es demasiado grande para este resumen.
digest-too-large-archive = Este mensaje es demasiado grande para este resumen; puede leerlo en el archivo.
# Enlaces. El primero lleva al mensaje en el archivo.
digest-read = Seguir leyendo
digest-archive = En el archivo
digest-reply = Responder
digest-why = Recibe este correo una vez al día porque eligió un solo correo al día.
digest-single = Recibir cada mensaje por separado
digest-leave = Salir de la lista

## En lugar de un archivo con el que un resumen sería demasiado grande.

digest-file = [Adjunto: { $name } ({ $kind }, { $size })]
digest-file-link = [Adjunto: { $name } ({ $kind }, { $size }), en el archivo: { $link } ]

## A los administradores.

digest-alert = Un resumen de { $list } («{ $subject }») no se pudo enviar a algunos miembros, porque falló este servidor: { $words }
