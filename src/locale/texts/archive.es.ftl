### An archive that the visitor may not read

archive-closed-title = Este archivo es para miembros
archive-closed-sign-in = Los miembros de { $list } leen aquí sus mensajes. Escriba la dirección en la que los recibe: le enviamos un enlace que inicia su sesión y le trae de vuelta a esta página.
archive-closed-other = Los miembros de { $list } leen aquí sus mensajes. Ha iniciado sesión, pero con esta dirección no es miembro de la lista.
archive-closed-list = A la página de { $list }
archive-closed-read = Leer el archivo como miembro

## Textos de las páginas del archivo de una lista.

## The password of an archive

archive-password-have = Escribir la contraseña del archivo
archive-password-title = El archivo de { $list }
archive-password-lede = Estos mensajes no son para todo el mundo. Quien tiene la contraseña del archivo puede leerlos; este navegador la recuerda después durante 30 días.
archive-password-label = Contraseña del archivo
archive-password-button = Abrir el archivo
archive-password-wrong = Esta no es la contraseña de este archivo. Las personas responsables de la lista pueden darle la correcta.

## Threads and messages

archive-thread = Hilo
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
archive-outline = En este hilo
archive-outline-label = Esquema de este hilo
archive-thread-pages = Páginas de este hilo
archive-messages-before = Mensajes anteriores
archive-messages-after = Mensajes posteriores
archive-other-messages = Otros mensajes
archive-message-before = Antes: { $name }
archive-message-after = Después: { $name }
archive-about-message = Sobre este mensaje
archive-this-message = Este mensaje
archive-whole-thread = Leer todo el hilo
archive-permalink = Enlace permanente
archive-addresses-hidden = Las direcciones se muestran abreviadas.
archive-addresses-sign-in = Los miembros que inician sesión las ven completas

## The page of a list, and its months

archive-newest = Hilos más recientes
archive-empty = Nadie ha escrito todavía a esta lista.
archive-about-list = Sobre esta lista
archive-about-fold = Escribir, dejar la lista, meses
archive-feed = Seguir esta lista como feed
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
archive-closed = Cerrado
archive-threads-pages = Páginas de hilos
archive-threads-newer = Hilos más recientes
archive-threads-older = Hilos más antiguos
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
archive-month-mbox = Este mes como archivo mbox

## Around a thread

archive-other-threads = Otros hilos
archive-thread-older = Más antiguo: { $subject }
archive-thread-newer = Más reciente: { $subject }
archive-quotes-unfold = Desplegar todas las citas
archive-quotes-fold = Plegar todas las citas
archive-thread-feed = Feed de este hilo
archive-reply-here = Responder aquí
# What people hear who have the page read aloud, in place of "Reply here".
archive-reply-here-to = Responder aquí a { $name }, { $time }
archive-long = Este mensaje es largo.
archive-long-open = Abrirlo en una página propia
archive-thread-cut = Este hilo tiene más mensajes. Los más recientes están en las páginas de sus meses:

## Attachments

archive-files = Adjuntos
# What an attachment is, in front of its size.
archive-file-picture = imagen
archive-file-sound = sonido
archive-file-film = película
archive-file-text = texto
archive-file-message = mensaje
archive-file = archivo
archive-raw = Descargar como correo
