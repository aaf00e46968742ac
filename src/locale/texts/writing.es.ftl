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
writing-content-hint = Texto sin formato. Llega por correo a todos los miembros de la lista.
writing-content-missing = El mensaje aún no tiene texto.
writing-send = Enviar
writing-preview = Vista previa
writing-preview-title = Lo que va a enviar
writing-quote = Citar el mensaje
writing-quote-parts = Citar partes del mensaje
writing-quote-parts-hint = Elija a qué responde. Si no elige nada, se cita el mensaje entero.
writing-quote-chosen = Citar lo elegido
writing-quote-head = El { $time }, { $author } escribió:
writing-nobody = alguien
writing-draft = Tuvo que iniciar sesión de nuevo, así que no se envió nada. Aquí está lo que escribió.
writing-sent = Su mensaje está en camino
writing-sent-next = La lista lo ha aceptado y lo está enviando a todos los miembros.
writing-held = Su mensaje está pendiente de aprobación
writing-held-next = Las personas responsables de la lista lo leen primero. Hasta entonces no lo recibe nadie más.
writing-held-because = Motivo: { $reason }.
writing-read = Leerlo en el archivo
writing-back = Volver a { $list }
writing-refused = La lista no acepta este mensaje: { $reason }.
writing-too-large = Este mensaje es demasiado grande: la lista acepta mensajes de hasta { $size }.
writing-too-many-held = Ahora mismo hay demasiados mensajes pendientes de aprobación. Inténtelo más tarde; lo que escribió se queda aquí.
writing-malformed = Este mensaje no se puede enviar tal como está. Quizá tenga una línea muy larga sin espacios.

## What moderators do

redacted = [eliminado]
moderator-title = Moderar
moderator-words = Palabras o direcciones que quitar
moderator-words-hint = Una por línea. Se quitan del asunto, del nombre del remitente y del texto, siempre que sean palabras enteras.
moderator-redact = Quitarlas
moderator-no-words = Ninguna de estas palabras está en el mensaje.
moderator-words-missing = Escriba lo que hay que quitar: una palabra o una dirección por línea.
moderator-words-many = Se pueden quitar hasta { $words } palabras o direcciones a la vez, de hasta { $chars } caracteres cada una. No ha cambiado nada.
moderator-delete = Quitar este mensaje
moderator-sealed = El original queda sellado durante 30 días. Solo puede restaurarlo quien administra toda la cuenta. Lo que ya se envió por correo no se puede recuperar.
moderator-restore = Restaurar el original
moderator-restore-until = Posible hasta el { $day }.
moderator-sealed-lost = El original ya no se puede abrir, porque se cambió el secreto con el que se selló. El mensaje se queda como está.
moderator-close = Cerrar esta conversación
moderator-close-hint = Las respuestas quedan entonces pendientes de aprobación.
moderator-open = Reabrir esta conversación
moderator-deleted = El mensaje ya no está en el archivo
moderator-deleted-next = Las respuestas a él siguen en su sitio. El original queda sellado durante 30 días; solo puede restaurarlo quien administra toda la cuenta.
moderator-redacted = Se han quitado las palabras
moderator-redacted-next = El archivo tiene el mensaje sin ellas, y así lo reciben también los miembros que aún no tienen su copia. El original queda sellado durante 30 días; solo puede restaurarlo quien administra toda la cuenta.
moderator-restored = El mensaje vuelve a ser el de antes
moderator-restored-next = El archivo tiene de nuevo el original.
moderator-closed = La conversación está cerrada
moderator-closed-next = Desde ahora, las respuestas quedan pendientes de aprobación.
moderator-opened = La conversación vuelve a estar abierta
moderator-opened-next = Las respuestas se tratan según los ajustes de la lista.
moderator-gone = Este mensaje se quitó
moderator-gone-next = Nadie más lo ve. Su original está sellado y usted puede restaurarlo.
moderator-back = Volver a donde estaba

## A moderator stopped a sender
moderator-stopped = El remitente está bloqueado
