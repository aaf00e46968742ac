### An archive that the visitor may not read

archive-closed-title = Este archivo es solo para miembros
archive-closed-sign-in = Los miembros de { $list } leen aquí sus mensajes. Escriba la dirección en la que los recibe: le enviamos un enlace que inicia su sesión y le devuelve a esta página.
archive-closed-other = Los miembros de { $list } leen aquí sus mensajes. Ha iniciado sesión, pero con una dirección que no está en la lista.
archive-closed-list = Ir a la página de { $list }
archive-closed-read = Leer el archivo como miembro

## Textos de las páginas del archivo de una lista.

## The password of an archive

archive-password-have = Escribir la contraseña del archivo
archive-password-title = El archivo de { $list }
archive-password-lede = Estos mensajes no son para todo el mundo. Con la contraseña del archivo puede leerlos; este navegador la recuerda después durante 30 días.
archive-password-label = Contraseña del archivo
archive-password-button = Abrir el archivo
archive-password-wrong = Esa no es la contraseña de este archivo. Las personas responsables de la lista pueden darle la correcta.

## Threads and messages

archive-thread = Conversación
archive-no-subject = (sin asunto)
# $number is $count as people write it, like "1,204".
archive-messages = { $count ->
    [one] { $number } mensaje
   *[other] { $number } mensajes
}
archive-people = { $count ->
    [one] de { $count } persona
   *[other] de { $count } personas
}
# $first and $last are days like "17 November 2026".
archive-days = del { $first } al { $last }
archive-gone = Un mensaje que ya no está en el archivo
archive-gone-short = ya no está
archive-in-reply-to = en respuesta a
archive-reply-to = En respuesta a
archive-reply-mail = Responder por correo
# What people hear who have the page read aloud, in place of "Reply by mail".
archive-reply-mail-to = Responder por correo a { $name }, { $time }
archive-from = De
archive-to = Para
archive-date = Fecha
archive-outline = En esta conversación
archive-outline-label = Esquema de esta conversación
archive-thread-pages = Páginas de esta conversación
archive-messages-before = Mensajes anteriores
archive-messages-after = Mensajes posteriores
archive-other-messages = Otros mensajes
archive-message-before = Antes: { $name }
archive-message-after = Después: { $name }
archive-about-message = Acerca de este mensaje
archive-this-message = Este mensaje
archive-whole-thread = Leer toda la conversación
archive-permalink = Enlace permanente
archive-addresses-hidden = Las direcciones se muestran abreviadas.
archive-addresses-sign-in = Los miembros las ven completas si inician sesión

## The page of a list, and its months

archive-newest = Conversaciones más recientes
archive-empty = Nadie ha escrito todavía a esta lista.
archive-about-list = Acerca de esta lista
archive-about-fold = Cómo escribir, cómo salir, meses
archive-feed = Seguir esta lista en un lector de feeds
archive-search-label = Buscar en esta lista
archive-search-button = Buscar
# $number is $count as people write it, like "1,204".
archive-search-hint = { $count ->
    [one] Buscar en { $number } mensaje
   *[other] Buscar en { $number } mensajes
}
archive-by-and-others = { $count ->
    [one] { $name } y { $count } persona más
   *[other] { $name } y { $count } personas más
}
archive-by-and-many = { $name } y muchas personas más
archive-closed = Cerrada
archive-threads-pages = Páginas de conversaciones
archive-threads-newer = Conversaciones más recientes
archive-threads-older = Conversaciones más antiguas
# Three letters or so, below a bar.
archive-month-short = { $month ->
    [1] ene
    [2] feb
    [3] mar
    [4] abr
    [5] may
    [6] jun
    [7] jul
    [8] ago
    [9] sep
    [10] oct
    [11] nov
   *[12] dic
}
# $month is a text like archive-month-short.
archive-day-short = { $day } { $month }
archive-month = { $month ->
    [1] enero de
    [2] febrero de
    [3] marzo de
    [4] abril de
    [5] mayo de
    [6] junio de
    [7] julio de
    [8] agosto de
    [9] septiembre de
    [10] octubre de
    [11] noviembre de
   *[12] diciembre de
} { $year }
archive-month-messages = Mensajes de este mes
archive-month-pages = Páginas de este mes
archive-other-months = Otros meses
archive-month-mbox = Este mes en un archivo mbox

## Around a thread

archive-other-threads = Otras conversaciones
archive-thread-older = Más antigua: { $subject }
archive-thread-newer = Más reciente: { $subject }
archive-quotes-unfold = Desplegar todas las citas
archive-quotes-fold = Plegar todas las citas
archive-thread-feed = Feed de esta conversación
archive-reply-here = Responder aquí
# What people hear who have the page read aloud, in place of "Reply here".
archive-reply-here-to = Responder aquí a { $name }, { $time }
archive-long = Este mensaje es largo.
archive-long-open = Abrirlo en su propia página
archive-thread-cut = Esta conversación tiene más mensajes. Los más recientes están en las páginas de sus meses:

## Attachments

archive-files = Adjuntos
# What an attachment is, in front of its size.
archive-file-picture = imagen
archive-file-sound = audio
archive-file-film = vídeo
archive-file-text = texto
archive-file-message = mensaje
archive-file = archivo
archive-raw = Descargar como correo
