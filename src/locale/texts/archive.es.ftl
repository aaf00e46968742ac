### Textos de las páginas del archivo de una lista.

## The password of an archive

archive-password-have = Escribir la contraseña del archivo
archive-password-title = El archivo de { $list }
archive-password-lede = Estos mensajes no son para todo el mundo. Quien tiene la contraseña del archivo puede leerlos; este navegador la recuerda después durante 30 días.
archive-password-label = Contraseña del archivo
archive-password-button = Abrir el archivo
archive-password-wrong = Esta no es la contraseña de este archivo.

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
