### Páginas de administradores: aprobaciones, mensajes, registro, servidor.

## Approvals
desk-approvals = Aprobaciones
desk-kinds = Tipo
desk-held-messages = Mensajes
desk-people-waiting = Personas
desk-lists-waiting = Listas nuevas
desk-held-search = Buscar en asuntos y remitentes
desk-held-reason = Motivo
desk-all-reasons = Todos los motivos
desk-held-age = Pendiente desde hace
desk-any-age = Cualquier plazo
desk-older-day = Más de un día
desk-older-week = Más de una semana
desk-older-month = Más de 30 días
desk-held-from = Remitente
desk-held-found = { $count ->
    [one] Se ha encontrado { $count } mensaje.
   *[other] Se han encontrado { $count } mensajes.
}
# In place of the selected ones: all that the search and the filters find.
desk-all-found = Los { $count } mensajes, no solo los de esta página
desk-first-found = Los { $most } más antiguos de los { $count } mensajes, no solo los de esta página
desk-no-held = No hay ningún mensaje pendiente.
desk-no-held-next = Cuando haya uno, aparecerá aquí.
desk-no-people = No hay solicitudes pendientes de unirse ni de salir.
desk-no-lists = No hay listas nuevas pendientes de aprobación.
desk-read = Leer el mensaje
# $what is a subject, or a title such as "Somebody would like to join news".
desk-select = Seleccionar: { $what }
desk-approve-one = Aprobar: { $what }
desk-reject-one = Rechazar: { $what }
desk-discard-one = Descartar: { $what }
desk-reject-more = Rechazar…
desk-with-selected = Con lo seleccionado:
desk-allow = Aprobar y permitir siempre al remitente
desk-ban = Descartar y bloquear al remitente
desk-senders-next = Un remitente permitido puede escribir a esta lista desde ahora. El correo de un remitente bloqueado se rechaza. Ambas cosas se pueden cambiar en los ajustes de la lista.
desk-keys-move = mover
desk-keys-approve = aprobar
desk-keys-reject = rechazar
desk-keys-discard = descartar
desk-reason-keep = Guardar este texto para la próxima vez
desk-reason-kept = O un texto guardado
desk-reason-forget = Eliminar el texto elegido
desk-reason-forgotten = El texto se ha eliminado.
desk-select-first = Primero seleccione algo.
desk-no-sender = Este mensaje no tiene una dirección de remitente que permitir o bloquear. No ha cambiado nada.
desk-gone = Algo de lo que seleccionó ya no está aquí.
# $already is a sentence such as "It was approved already, by Ada on 20 November 2026, 16:20 UTC."
desk-decided-before = { $what } – { $already } Esa decisión se mantiene.
desk-approved = { $count ->
    [one] Se ha aprobado { $count } elemento.
   *[other] Se han aprobado { $count } elementos.
}
desk-rejected = { $count ->
    [one] Se ha rechazado { $count } elemento.
   *[other] Se han rechazado { $count } elementos.
}
desk-discarded = { $count ->
    [one] Se ha descartado { $count } elemento.
   *[other] Se han descartado { $count } elementos.
}
# $what is the subject of a message, $sender its sender or the address of the sender, $who an address.
desk-approved-message = Se ha aprobado «{ $what }» de { $sender }.
desk-rejected-message = Se ha rechazado «{ $what }» de { $sender }.
desk-discarded-message = Se ha descartado «{ $what }» de { $sender }.
desk-approved-join = { $who } puede unirse a { $list }.
desk-approved-leave = { $who } puede salir de { $list }.
desk-approved-list = Se ha aprobado la lista nueva { $list }.
desk-rejected-request = Se ha rechazado la solicitud de { $who } para { $list }.
desk-discarded-request = Se ha descartado la solicitud de { $who } para { $list }.
desk-rejected-list = Se ha rechazado la lista nueva { $list }.
desk-discarded-list = Se ha descartado la lista nueva { $list }.
desk-banned-sender = Se ha bloqueado a { $sender } en la lista { $list }: desde ahora se rechaza el correo que envíe a ella.
desk-allowed-sender = { $sender } puede escribir a la lista { $list } desde ahora.
desk-more-of-sender = { $count ->
    [one] Hay un mensaje más de { $sender } pendiente
   *[other] Hay { $count } mensajes más de { $sender } pendientes
}
# Read aloud behind the name of the page in the menu.
desk-menu-waiting = { $count ->
    [one] { ", " }uno pendiente
   *[other] { ", " }{ $count } pendientes
}

## Why somebody got a message, or did not. $time is a text like "20 November 2026, 16:20 UTC", $day one like "20 November 2026", $reply the words of another server.
desk-why-delivered = Entregado el { $time }.
desk-why-delivered-to = Entregado el { $time }: lo aceptó { $server }.
desk-why-digest = Entregado el { $time }, en el resumen del { $day }.
desk-why-on-hold = Todavía no enviado: quien gestiona este servidor lo retiene.
desk-why-deferred = Todavía no entregado. Lo intentaremos de nuevo el { $time }. La última respuesta fue: { $reply }
desk-why-queued = En cola: se enviará el { $time }.
desk-why-sending = En camino: se envía en unos momentos.
desk-why-refused = No entregado: dejamos de intentarlo el { $time }. La última respuesta fue: { $reply }
desk-why-failed = No entregado: dejamos de intentarlo el { $time }.
desk-why-skipped = No enviado: el { $time }, antes de que llegara su turno, la persona había salido o estaba en pausa.
desk-why-next-digest = Irá en el próximo resumen, el { $time }.
desk-why-a-digest = Irá en el próximo resumen.
desk-why-no-member = No es miembro de la lista.
desk-why-joined-later = Se unió el { $time }, después del mensaje.
desk-why-web-only = Lee esta lista en la web y no recibe correo de ella.
desk-why-paused-until = No enviado: el correo a esta dirección está en pausa hasta el { $day }.
desk-why-paused = No enviado: el correo a esta dirección está en pausa.
desk-why-dead = No enviado: en pausa desde el { $day }, porque su servidor dijo que ese buzón no existe: { $reply }
desk-why-soft = No enviado: en pausa desde el { $day }, porque el correo se devolvió durante ocho días: { $reply }
desk-why-complaint = No enviado: en pausa desde el { $day }, porque un mensaje se marcó como spam.
desk-why-next-probe = Lo intentaremos de nuevo el { $day }.
desk-why-was-paused = No enviado: el correo estaba en pausa cuando llegó el mensaje.
desk-why-no-trace = No queda ningún registro: los registros de envío se guardan 30 días, y una dirección añadida después no recibió nada.
desk-why-unknown = Aquí nadie tiene esta dirección.
desk-suspended = Estas páginas están cerradas por ahora
desk-suspended-next = Quien gestiona este servidor ha suspendido esta cuenta. Inténtelo más tarde.

## Messages
desk-messages = Mensajes
desk-messages-search = Palabras
desk-all-lists = Todas las listas
desk-messages-none = Aquí no hay ningún mensaje.
desk-messages-count = { $count ->
    [one] Un mensaje
   *[other] { $count } mensajes
}
desk-messages-at-least = { $count ->
    [one] Al menos un mensaje
   *[other] Al menos { $count } mensajes
}
desk-time = Fecha
desk-message-sent = El mensaje va de camino a los miembros.
desk-message-scheduled = El mensaje está guardado y se enviará a su hora.
desk-message-canceled = El mensaje no se enviará.
desk-message-deleted = El mensaje ya no está en el archivo.
desk-scheduled = Programados
desk-scheduled-at = se enviará el { $time }
desk-scheduled-stopped = No enviado
desk-scheduled-stopped-why = Quien lo escribió ya no podía enviarlo cuando llegó su hora.
desk-scheduled-cancel = No enviar
desk-scheduled-cancel-one = No enviar: { $subject }
# $by is a person, $received and $time are moments, $reason is a sentence.
desk-message-approved = Llegó el { $received } y necesitaba aprobación: { $reason }. { $by } lo aprobó el { $time }.
desk-message-text = El mensaje
desk-message-archive = Abrirlo en el archivo
desk-message-delete = Quitarlo del archivo
desk-message-delete-hint = Lo que se está enviando se envía igualmente. El original queda sellado durante 30 días y se puede restaurar en su página del archivo.
desk-why = ¿Quién lo recibió, quién no y por qué?
desk-why-label = Dirección o nombre
desk-why-search = Comprobar
desk-why-nobody = Aquí nadie tiene este nombre.
desk-copies = Copias
desk-copies-count = { $count ->
    [one] Una copia en total
   *[other] { $count } copias en total
}
desk-state-queued = En espera
desk-state-deferred = Reintentando
desk-state-delivered = Entregadas
desk-state-failed = No entregadas
desk-state-skipped = No enviadas

## Writing a message
desk-compose = Escribir un mensaje
desk-compose-text = Texto
desk-compose-tags = En las listas que rellenan nombres, esto se sustituye por los datos de cada miembro:
desk-compose-format = Formato
desk-compose-plain = Texto sin formato
desk-compose-simple = Formato sencillo
desk-compose-simple-hint = # título, **negrita**, *cursiva*, - o 1. para listas, > para citas, [palabras](https://example.org) para enlaces
desk-compose-html = HTML propio
desk-compose-html-hint = Sustituye al formato de arriba. Se quitan scripts, estilos y formularios.
desk-compose-files = Adjuntos
desk-compose-files-hint = Hasta { $size } en total, y no más de lo que admite la lista.
desk-compose-files-again = Vuelva a elegir los archivos: los navegadores no los guardan.
desk-compose-files-many = { $count ->
    [one] Hay sitio para un archivo.
   *[other] Hay sitio para { $count } archivos.
}
desk-compose-too-large = Esta lista acepta mensajes de hasta { $size }.
desk-compose-text-long = Este texto ocupa más de { $size }. Puede que aquí esté solo su comienzo.
desk-compose-html-deep = Este HTML tiene demasiados elementos, o demasiados unos dentro de otros.
desk-compose-file-remove = Quitar { $name }
desk-compose-files-kept = Estos archivos van con el mensaje. Se guardan aquí durante un día, también después de una vista previa.
desk-compose-files-gone = Un archivo ya no está guardado aquí. Elíjalo otra vez.
desk-compose-files-large = Los archivos ocupan más de { $size } en total.
desk-compose-discard = Eliminar este borrador
desk-compose-drafts = Sus otros borradores
desk-compose-draft-untitled = Todavía sin asunto
desk-compose-no-list = Elija una lista.
desk-compose-sender = Remitente distinto de la lista
desk-compose-from-phrase = Nombre del remitente
desk-compose-from-address = Dirección del remitente
desk-compose-contact = Mostrarlo como lo recibe este miembro
desk-compose-contact-hint = Una dirección o un nombre, para la vista previa y la prueba. En blanco: alguien de quien no se sabe nada.
desk-compose-no-contact = Nadie en la libreta de direcciones tiene esta dirección o este nombre.
desk-compose-send-at = Enviar el
desk-compose-send-at-hint = En blanco: ahora. Las horas son las de { $zone }.
desk-compose-time-wrong = Eso no es una fecha y hora como 2026-12-24T18:00.
desk-compose-time-past = Esa hora ya pasó. Déjelo en blanco para enviar ahora.
desk-compose-time-far = Esa hora está a más de un año.
desk-compose-too-many = Ya hay demasiados mensajes programados.
desk-compose-buttons = Qué hacer
desk-compose-send = Enviar
desk-compose-preview = Vista previa
desk-compose-preview-for = Como lo recibiría { $address }
desk-compose-test = Enviarme una prueba
desk-compose-tested = Una prueba va de camino a { $address }. Nadie más la recibe.
desk-compose-no-address = No tiene una dirección a la que enviar una prueba.
desk-compose-sent-already = Este formulario ya se envió, y lo que cambió después no se ha enviado. Empiece un mensaje nuevo.

## The audit log
desk-audit = Registro de actividad
desk-audit-lede = Quién hizo qué, cuándo y desde dónde. Nadie puede cambiarlo, y se guarda un año, salvo que quien gestiona el servidor indique otra cosa.
desk-audit-none = No hay nada registrado que coincida.
desk-audit-all = Todo
desk-audit-via = Medio
desk-audit-actor = Quién
desk-audit-action = Hizo qué
desk-audit-object = Sobre qué
desk-audit-since = Desde este día
desk-audit-until = Hasta este día
desk-audit-detail = Detalles
desk-via-page = Página
desk-via-api = API
desk-via-mail = Correo
desk-via-link = Enlace en un correo
desk-via-command = Línea de comandos
desk-via-server = El propio servidor

## The server
desk-server = Servidor
desk-server-version = Versión
desk-server-suspended = Cuentas suspendidas
# $state is one of the states of the queue below.
desk-server-copies = Copias: { $state }
desk-server-destinations = Dónde esperan más copias
desk-server-lately = Actividad reciente
desk-queue = Cola
desk-queue-waiting = en espera
desk-queue-in-flight = en envío
desk-queue-held = retenidas
desk-queue-quarantined = apartadas
desk-queue-settled = terminadas
desk-queue-destination = Dominio de los destinatarios, o relay
desk-queue-empty = No hay nada en espera.
desk-queue-select = Seleccionar el lote { $number }
desk-queue-copies = { $count ->
    [one] Una copia
   *[other] { $count } copias
}
desk-queue-attempts = { $count ->
    [one] Un intento
   *[other] { $count } intentos
}
desk-queue-restored = Esta cola procede de una copia de seguridad del { $time }. Lo que estaba en espera entonces queda retenido, porque puede haberse enviado después de la copia; el correo nuevo se envía. En el servidor, este comando lo libera todo:
desk-queue-retry = Intentar ahora
desk-queue-hold = Retener
desk-queue-release = Liberar
desk-queue-delete = Dejar de intentarlo
desk-queue-changed = { $count ->
    [one] Se ha cambiado un lote.
   *[other] Se han cambiado { $count } lotes.
}
desk-accounts = Cuentas
desk-account-works = Activa
# $day is a text like "20 November 2026".
desk-account-suspended-since = Suspendida desde el { $day }
desk-account-deleted-on = Se eliminará el { $day }
desk-account-lists = { $count ->
    [one] Una lista
   *[other] { $count } listas
}
desk-account-people = { $count ->
    [one] Una persona
   *[other] { $count } personas
}
desk-account-open = Su administración
desk-account-make = Crear una cuenta
desk-account-name = Nombre
desk-account-name-hint = Sus páginas están en /~ y este nombre.
desk-account-domain = Dominio
desk-account-administrator = Dirección de quien la administra
desk-account-administrator-hint = Recibe un enlace para elegir una contraseña.
desk-account-holds = Contiene
desk-account-save = Guardar
desk-account-suspend = Suspender
desk-account-resume = Reanudar
desk-account-delete = Eliminar
desk-account-restore = Restaurar
desk-account-hint = Una cuenta suspendida no acepta correo, y sus páginas y claves no funcionan. Una cuenta eliminada se puede restaurar durante 30 días.
desk-account-changed = Otra persona acaba de cambiar esta cuenta. Ahora no ha cambiado nada.
desk-account-made = La cuenta está creada. Quien la administra recibe un correo.
desk-account-saved = La cuenta está guardada.
desk-account-suspended = La cuenta está suspendida.
desk-account-resumed = La cuenta vuelve a funcionar.
desk-account-deleted = La cuenta está suspendida y se eliminará dentro de 30 días.
desk-account-restored = La cuenta está restaurada y vuelve a funcionar.
desk-keys = Claves del servidor
desk-keys-lede = Quien tiene una de estas claves puede hacerlo todo en todas las cuentas.
desk-keys-none = No hay ninguna clave.
desk-key-make = Crear una clave
desk-key-purpose = Para qué es
desk-key-needs-purpose = Diga para qué es la clave.
desk-key-made = Esta es la clave. Se muestra solo esta vez, así que guárdela ahora.
desk-key-delete = Eliminar
# $made is the time when the key was made, $used the time of its last use, or that there was none.
desk-key-times = Creada el { $made } · último uso: { $used }
# $purpose is what the key is for.
desk-key-delete-one = Eliminar la clave para { $purpose }
desk-key-deleted = La clave se ha eliminado y ya no abre nada.

## Borradores y mensajes en espera, en la página de los mensajes y donde se cambian

desk-drafts = Borradores
desk-drafts-lede = Solo usted ve sus borradores. Cada uno se guarda durante un día después del último cambio.
desk-draft-kept = Su borrador se guarda durante un día.
desk-draft-discarded = El borrador se ha eliminado.
desk-draft-discard = Eliminar
desk-draft-discard-one = Eliminar el borrador: { $subject }
desk-files-count = { $count ->
    [one] { $count } adjunto
   *[other] { $count } adjuntos
}
desk-scheduled-change = Cambiar
desk-scheduled-change-one = Cambiar: { $subject }
desk-scheduled-send = Enviar ahora
desk-scheduled-send-one = Enviar ahora: { $subject }
desk-scheduled-gone = Este mensaje ya no está programado: entretanto se envió o se canceló.
desk-compose-change = Cambiar un mensaje
desk-compose-waits = Este mensaje se enviará el { $time }. Sigue como estaba hasta que guarde los cambios. Sin hora, se envía al guardar.
desk-compose-save = Guardar los cambios
desk-compose-keep = Guardar como borrador
desk-compose-gone = Este mensaje se envió o se canceló mientras lo cambiaba. Sus cambios no se han enviado. Para enviarlos de todos modos, empiece un mensaje nuevo.
desk-compose-changed = Otra persona ha cambiado este mensaje entretanto, así que su versión no se ha guardado. Ábralo de nuevo desde los mensajes programados.

## Approvals: who wrote, what came from there before, and senders who are stopped
# A badge beside the subject of a message that waits.
desk-sender-member = Miembro
desk-sender-other-address = Otra dirección
desk-sender-no-member = No es miembro
# A line of the facts on the page of one message that waits.
desk-sender = Remitente
# Why the message waits, behind that badge. $reason is a half sentence such as “every message to this list needs approval”.
desk-held-reason-is = Pendiente: { $reason }.
desk-sender-stranger = Esta dirección no está en { $list }.
desk-sender-as = Un miembro con este nombre está en { $list } con la dirección { $address } y ha escrito desde otra.
desk-sender-known = Está en la libreta de direcciones, pero no en { $list }.
desk-sender-not-chosen = Es miembro, pero solo ciertas personas pueden escribir a { $list }.
# Earlier messages of a sender: “12 posts, none refused in the last 30 days.”
desk-history = { $posted }, { $refused }.
desk-history-first = El primer mensaje de esta dirección.
desk-history-no-posts = Ningún mensaje publicado
desk-history-posts = { $count ->
    [one] 1 mensaje publicado
   *[other] { $count } mensajes publicados
}
desk-history-many = { $count } o más mensajes publicados
desk-history-none-refused = ninguno rechazado en los últimos 30 días
desk-history-refused = { $count ->
    [one] 1 rechazado en los últimos 30 días
   *[other] { $count } rechazados en los últimos 30 días
}
# The field below the selected messages.
desk-reason-all = Motivo para todo lo seleccionado, si lo rechaza
# On the page of a message that went out, and in the archive below “Moderate”. $sender is an address.
desk-stop = Bloquear a este remitente
desk-stop-hint = Desde ahora, la lista { $list } rechaza lo que envíe { $sender }. Lo que ya se envió no cambia.
desk-stopped = { $list } rechaza lo que envía { $sender }.

## Undoing what an administrator did. $who is one name or several, $list the name of a list
# Several names: “Ada, Bob and 3 more”.
undo-more = { $names } y { $count } más
undo-nameless = (sin nombre)
undo-removed = Se ha quitado a { $who } de { $list }.
undo-added = Se ha añadido a { $who } a { $list }.
undo-set = Se ha cambiado la forma de recibir { $list } para { $who }.
undo-resumed = Se vuelve a enviar correo a { $who }.
undo-deleted = Eliminado: { $who }.
undo-alias-deleted = Alias eliminado: { $who }.
undo-list-set = Se han cambiado los ajustes de { $list }.
undo-account-set = Se han cambiado los ajustes de la cuenta.
undo-banned = Bloqueado en { $list }: { $who }.
undo-allowed = Puede escribir a { $list } desde ahora: { $who }.
undo-button = Deshacer
# Beside the button; $time is a text like “tomorrow, 20:59”.
undo-until = Posible hasta { $time }.
# The page of one action.
undo-title = ¿Deshacer esto?
undo-next = Todo vuelve a estar como antes, salvo lo que alguien haya cambiado desde entonces y las personas que hayan salido o hayan marcado un correo como spam.
undo-done-title = Deshecho
undo-none-title = No se ha podido deshacer nada
undo-done = Como antes: { $who }.
undo-left = Quedan como están:
undo-left-opted-out = { $who }: ha salido o ha marcado un correo como spam desde entonces.
undo-left-changed = { $who }: alguien ha hecho un cambio desde entonces.
undo-left-there = { $who }: ya está así.
undo-left-gone = { $who }: la lista o la persona ya no existe.
undo-left-taken = { $who }: la dirección o el nombre pertenece ahora a otra persona.
undo-left-full = { $who }: la libreta de direcciones está llena.
undo-over = Esto ya se deshizo, o ya ha pasado el día
undo-over-next = Los cambios se pueden deshacer durante un día. El registro de actividad dice qué se hizo.
undo-imported = Se ha importado a { $who }.

## What was missing on the pages of messages
desk-compose-first-list = Cree primero una lista: un mensaje va a sus miembros.
# $time is a time, such as "tomorrow, 06:00".
desk-copies-digest = Quienes reciben resúmenes lo tendrán con el próximo: { $time }.

## The page of the server
desk-server-since = En marcha desde

## Messages that wait for approval
desk-held-filter = Buscar y filtrar
