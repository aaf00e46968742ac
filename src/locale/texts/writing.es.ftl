### Escribir a una lista en sus páginas, y lo que hacen allí quienes moderan.

writing-where = Escribir
writing-title = Escribir a { $list }
writing-reply-title = Responder a { $list }
writing-from = De
writing-from-wrong = Elija una de sus propias direcciones.
writing-subject = Asunto
writing-subject-missing = Diga en pocas palabras de qué se trata.
writing-subject-long = Un asunto puede tener hasta { $count } caracteres.
writing-content = Mensaje
writing-content-hint = Texto sencillo. Llega por correo a todas las personas de la lista.
writing-content-missing = El mensaje aún no tiene texto.
writing-send = Enviar
writing-preview = Vista previa
writing-preview-title = Lo que va a enviar
writing-quote = Citar el mensaje
writing-quote-parts = Citar partes del mensaje
writing-quote-parts-hint = Elija a qué responde. Si no elige nada, se cita el mensaje entero.
writing-quote-chosen = Citar lo elegido
writing-quote-head = { $author } escribió ({ $time }):
writing-nobody = alguien
writing-draft = Tuvo que identificarse de nuevo, así que no se envió nada. Aquí está lo que escribió.
writing-sent = Su mensaje está en camino
writing-sent-next = La lista lo ha aceptado y lo envía ahora a todo el mundo.
writing-held = Su mensaje espera aprobación
writing-held-next = Las personas responsables de la lista lo leen primero. Hasta entonces no lo tiene nadie más.
writing-held-because = El motivo: { $reason }.
writing-read = Leerlo en el archivo
writing-back = Volver a { $list }
writing-refused = La lista no acepta este mensaje: { $reason }.
writing-too-large = Este mensaje es demasiado grande: la lista acepta mensajes de hasta { $size }.
writing-too-many-held = Ahora mismo esperan aprobación demasiados mensajes. Inténtelo más tarde; lo que escribió se queda aquí.
writing-malformed = Este mensaje no se puede enviar tal como está. Quizá se deba a una línea muy larga sin espacios.

## What moderators do

redacted = [retirado]
moderator-title = Moderar
moderator-words = Palabras o direcciones que quitar
moderator-words-hint = Una por línea. Se quitan del asunto, del nombre del autor y del texto, donde estén como palabras enteras.
moderator-redact = Quitarlas
moderator-no-words = Ninguna de estas palabras está en el mensaje.
moderator-words-missing = Escriba lo que se debe quitar: una palabra o una dirección por línea.
moderator-words-many = Se pueden quitar hasta { $words } palabras o direcciones a la vez, de hasta { $chars } caracteres cada una. No se ha cambiado nada.
moderator-delete = Quitar este mensaje
moderator-sealed = El original queda sellado durante 30 días. Solo quien administra toda la cuenta puede restaurarlo. El correo ya enviado no se puede recuperar.
moderator-restore = Restaurar el original
moderator-restore-until = Posible hasta el { $day }.
moderator-sealed-lost = El original ya no se puede abrir, porque se reemplazó el secreto con el que se selló. El mensaje se queda como está.
moderator-close = Cerrar este hilo
moderator-close-hint = Las respuestas esperan entonces aprobación.
moderator-open = Abrir de nuevo este hilo
moderator-deleted = El mensaje ya no está en el archivo
moderator-deleted-next = Las respuestas conservan su sitio. El original queda sellado durante 30 días; solo quien administra toda la cuenta puede restaurarlo.
moderator-redacted = Las palabras se han quitado
moderator-redacted-next = El archivo tiene el mensaje sin ellas, y los miembros que aún no tienen su copia lo reciben también así. El original queda sellado durante 30 días; solo quien administra toda la cuenta puede restaurarlo.
moderator-restored = El mensaje vuelve a ser lo que era
moderator-restored-next = El archivo tiene de nuevo el original.
moderator-closed = El hilo está cerrado
moderator-closed-next = Desde ahora las respuestas esperan aprobación.
moderator-opened = El hilo está abierto de nuevo
moderator-opened-next = Las respuestas se aceptan como dice la lista.
moderator-gone = Este mensaje se ha quitado
moderator-gone-next = Nadie más lo ve. Su original está sellado y usted puede restaurarlo.
moderator-back = Volver

## A moderator stopped a sender
moderator-stopped = El remitente está bloqueado
