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
desk-held-age = En espera desde hace
desk-any-age = Cualquier tiempo
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
desk-no-held = Ningún mensaje espera una decisión.
desk-no-held-next = Cuando haya uno, aparecerá aquí.
desk-no-people = Nadie espera para entrar ni para salir.
desk-no-lists = Ninguna lista nueva espera aprobación.
desk-read = Leer el mensaje
# $what is a subject, or a title such as "Somebody would like to join news".
desk-select = Seleccionar: { $what }
desk-approve-one = Aprobar: { $what }
desk-reject-one = Rechazar: { $what }
desk-discard-one = Descartar: { $what }
desk-reject-more = Rechazar…
desk-with-selected = Con lo seleccionado:
desk-allow = Aprobar y permitir siempre al remitente
desk-ban = Descartar y vetar al remitente
desk-senders-next = Un remitente permitido puede escribir a esta lista desde ahora. El correo de un remitente vetado se rechaza. Ambas cosas se cambian en los ajustes de la lista.
desk-keys-move = mover
desk-keys-approve = aprobar
desk-keys-reject = rechazar
desk-keys-discard = descartar
desk-reason-keep = Guardar estas palabras para la próxima vez
desk-reason-kept = O palabras guardadas
desk-reason-forget = Olvidar las palabras elegidas
desk-reason-forgotten = Estas palabras se han olvidado.
desk-select-first = Seleccione algo primero.
desk-no-sender = Este mensaje no tiene una dirección de remitente que permitir o vetar. Nada ha cambiado.
desk-gone = Algo de lo seleccionado ya no existe.
# $already is a sentence such as "It was approved already, by Ada on 20 November 2026, 16:20 UTC."
desk-decided-before = { $what } – { $already } Esa decisión se mantiene.
desk-approved = { $count ->
    [one] { $count } aprobado.
   *[other] { $count } aprobados.
}
desk-rejected = { $count ->
    [one] { $count } rechazado.
   *[other] { $count } rechazados.
}
desk-discarded = { $count ->
    [one] { $count } descartado.
   *[other] { $count } descartados.
}
# $what is the subject of a message, $sender its sender or the address of the sender, $who an address.
desk-approved-message = «{ $what }» de { $sender } se ha aprobado.
desk-rejected-message = «{ $what }» de { $sender } se ha rechazado.
desk-discarded-message = «{ $what }» de { $sender } se ha descartado.
desk-approved-join = { $who } puede unirse a { $list }.
desk-approved-leave = { $who } puede dejar { $list }.
desk-approved-list = La lista nueva { $list } se ha aprobado.
desk-rejected-request = La solicitud de { $who } sobre { $list } se ha rechazado.
desk-discarded-request = La solicitud de { $who } sobre { $list } se ha descartado.
desk-rejected-list = La lista nueva { $list } se ha rechazado.
desk-discarded-list = La lista nueva { $list } se ha descartado.
desk-banned-sender = { $sender } queda vetado en la lista { $list }: el correo que envíe a esta lista se rechaza desde ahora.
desk-allowed-sender = { $sender } puede escribir a la lista { $list } desde ahora.
desk-more-of-sender = { $count ->
    [one] Hay un mensaje más de { $sender } en espera
   *[other] Hay { $count } mensajes más de { $sender } en espera
}
# Read aloud behind the name of the page in the menu.
desk-menu-waiting = { $count ->
    [one] { ", " }uno en espera
   *[other] { ", " }{ $count } en espera
}

## Why somebody got a message, or did not. $time is a text like "20 November 2026, 16:20 UTC", $day one like "20 November 2026", $reply the words of another server.
desk-why-delivered = Entregado el { $time }.
desk-why-delivered-to = Entregado el { $time }: lo aceptó { $server }.
desk-why-digest = Entregado el { $time }, en el resumen del { $day }.
desk-why-on-hold = Aún no enviado: quien gestiona este servidor lo retiene.
desk-why-deferred = Aún no entregado. Lo intentaremos de nuevo el { $time }. La última respuesta fue: { $reply }
desk-why-queued = En espera de enviarse el { $time }.
desk-why-sending = En camino: sale en unos momentos.
desk-why-refused = No entregado: abandonado el { $time }. La última respuesta fue: { $reply }
desk-why-failed = No entregado: abandonado el { $time }.
desk-why-skipped = No enviado: antes de su turno, el { $time }, la persona se había ido o estaba en pausa.
desk-why-next-digest = Espera el próximo resumen, el { $time }.
desk-why-a-digest = Espera el próximo resumen.
desk-why-no-member = No es miembro de la lista.
desk-why-joined-later = Entró el { $time }, después del mensaje.
desk-why-web-only = Lee esta lista en la web y no recibe su correo.
desk-why-paused-until = No enviado: el correo a esta dirección está en pausa hasta el { $day }.
desk-why-paused = No enviado: el correo a esta dirección está en pausa.
desk-why-dead = No enviado: en pausa desde el { $day }, porque su servidor dijo que ese buzón no existe: { $reply }
desk-why-soft = No enviado: en pausa desde el { $day }, porque el correo volvía desde hacía ocho días: { $reply }
desk-why-complaint = No enviado: en pausa desde el { $day }, porque un mensaje se denunció como spam.
desk-why-next-probe = Lo intentaremos de nuevo el { $day }.
desk-why-was-paused = No enviado: el correo estaba en pausa cuando llegó el mensaje.
desk-why-no-trace = No hay rastro: los rastros se guardan 30 días, y una dirección añadida después no recibió nada.
desk-why-unknown = Nadie aquí tiene esta dirección.
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
desk-scheduled = Para enviar más tarde
desk-scheduled-at = sale el { $time }
desk-scheduled-stopped = No enviado
desk-scheduled-stopped-why = Su autor ya no podía enviarlo cuando llegó su hora.
desk-scheduled-cancel = No enviar
desk-scheduled-cancel-one = No enviar: { $subject }
# $by is a person, $received and $time are moments, $reason is a sentence.
desk-message-approved = Llegó el { $received } y necesitaba aprobación: { $reason }. { $by } lo aprobó el { $time }.
desk-message-text = El mensaje
desk-message-archive = Abrir en el archivo
desk-message-delete = Quitar del archivo
desk-message-delete-hint = Lo que se está enviando sale igualmente. El original queda sellado 30 días y puede restaurarse en su página del archivo.
desk-why = ¿Quién lo recibió y por qué no?
desk-why-label = Dirección o nombre
desk-why-search = Preguntar
desk-why-nobody = Nadie aquí tiene este nombre.
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
desk-compose-tags = En listas con campos combinados, esto se vuelve propio de cada lector:
desk-compose-format = Forma
desk-compose-plain = Texto sin formato
desk-compose-simple = Formato sencillo
desk-compose-simple-hint = # título, **negrita**, *cursiva*, - o 1. para listas, > para citas, [palabras](https://example.org) para enlaces
desk-compose-html = Su propio HTML
desk-compose-html-hint = Sustituye al formato de arriba. Se quitan scripts, estilos y formularios.
desk-compose-files = Archivos
desk-compose-files-hint = Hasta { $size } en total, y no más de lo que acepta la lista.
desk-compose-files-again = Vuelva a elegir sus archivos: los navegadores no los guardan.
desk-compose-files-many = { $count ->
    [one] Hay sitio para un archivo.
   *[other] Hay sitio para { $count } archivos.
}
desk-compose-too-large = Esta lista acepta mensajes de hasta { $size }.
desk-compose-text-long = Este texto ocupa más de { $size }. Puede que aquí solo esté su comienzo.
desk-compose-html-deep = Este HTML tiene demasiados elementos, o demasiados unos dentro de otros.
desk-compose-file-remove = Quitar { $name }
desk-compose-files-kept = Estos archivos van con el mensaje. Se guardan aquí durante un día, también tras una vista previa.
desk-compose-files-gone = Un archivo ya no está guardado aquí. Elíjalo otra vez.
desk-compose-files-large = Los archivos ocupan más de { $size } en total.
desk-compose-discard = Descartar este borrador
desk-compose-drafts = Sus otros borradores
desk-compose-draft-untitled = Aún sin asunto
desk-compose-no-list = Elija una lista.
desk-compose-sender = Otro remitente que la lista
desk-compose-from-phrase = Nombre del remitente
desk-compose-from-address = Dirección del remitente
desk-compose-contact = Mostrarlo como lo recibe este miembro
desk-compose-contact-hint = Una dirección o un nombre, para la vista previa y la prueba. En blanco: un lector del que no se sabe nada.
desk-compose-no-contact = Nadie en la libreta tiene esta dirección o este nombre.
desk-compose-send-at = Enviar el
desk-compose-send-at-hint = En blanco: ahora. Las horas son las de { $zone }.
desk-compose-time-wrong = Esto no es una hora como 2026-12-24T18:00.
desk-compose-time-past = Esa hora ya pasó. Déjelo en blanco para enviar ahora.
desk-compose-time-far = Esa hora está a más de un año.
desk-compose-too-many = Demasiados mensajes esperan a enviarse.
desk-compose-buttons = Qué hacer
desk-compose-send = Enviar
desk-compose-preview = Vista previa
desk-compose-preview-for = Como lo recibiría { $address }
desk-compose-test = Enviarme una prueba
desk-compose-tested = Una prueba va de camino a { $address }. Nadie más la recibe.
desk-compose-no-address = No tiene una dirección a la que enviar una prueba.
desk-compose-sent-already = Este formulario ya se envió, sin lo que cambió después. Empiece un mensaje nuevo.

## The audit log
desk-audit = Registro
desk-audit-lede = Quién hizo qué, cuándo y desde dónde. Nadie puede cambiarlo, y se guarda un año salvo que el operador diga otra cosa.
desk-audit-none = No hay nada anotado que coincida.
desk-audit-all = Todos
desk-audit-via = Medio
desk-audit-actor = Quién
desk-audit-action = Hizo qué
desk-audit-object = A qué
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
desk-server-lately = Lo último que ha pasado
desk-queue = Cola
desk-queue-waiting = en espera
desk-queue-in-flight = enviándose
desk-queue-held = retenidas
desk-queue-quarantined = apartadas
desk-queue-settled = terminadas
desk-queue-destination = Dominio de los destinatarios, o relay
desk-queue-empty = Nada espera.
desk-queue-select = Seleccionar el lote { $number }
desk-queue-copies = { $count ->
    [one] Una copia
   *[other] { $count } copias
}
desk-queue-attempts = { $count ->
    [one] Un intento
   *[other] { $count } intentos
}
desk-queue-restored = Esta cola procede de una copia de seguridad del { $time }. Lo que esperaba entonces está retenido, porque puede haberse enviado después de la copia; el correo nuevo se envía. En el servidor, esta orden lo libera todo:
desk-queue-retry = Intentar ahora
desk-queue-hold = Retener
desk-queue-release = Liberar
desk-queue-delete = Desistir
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
desk-account-administrator = Administrador
desk-account-administrator-hint = Esta dirección recibe un enlace para elegir contraseña.
desk-account-holds = Contiene
desk-account-save = Guardar
desk-account-suspend = Suspender
desk-account-resume = Reanudar
desk-account-delete = Borrar
desk-account-restore = Restaurar
desk-account-hint = Una cuenta suspendida no acepta correo, y sus páginas y claves no se abren. Una eliminada puede restaurarse durante 30 días.
desk-account-changed = Otra persona acaba de cambiar esta cuenta. Ahora no ha cambiado nada.
desk-account-made = La cuenta está creada. Su administrador recibe un correo.
desk-account-saved = La cuenta está guardada.
desk-account-suspended = La cuenta está suspendida.
desk-account-resumed = La cuenta vuelve a funcionar.
desk-account-deleted = La cuenta está suspendida y se eliminará en 30 días.
desk-account-restored = La cuenta está restaurada y vuelve a funcionar.
desk-keys = Claves del servidor
desk-keys-lede = Quien tiene una clave así puede hacerlo todo en todas las cuentas.
desk-keys-none = No hay ninguna clave.
desk-key-make = Crear una clave
desk-key-purpose = Para qué es
desk-key-needs-purpose = Diga para qué es la clave.
desk-key-made = Esta es la clave. Solo se muestra esta vez, así que guárdela ahora.
desk-key-delete = Borrar
# $made is the time when the key was made, $used the time of its last use, or that there was none.
desk-key-times = Creada el { $made } · último uso: { $used }
# $purpose is what the key is for.
desk-key-delete-one = Eliminar la clave para { $purpose }
desk-key-deleted = La clave está eliminada y ya no abre nada.

## Borradores y mensajes en espera, en la página de los mensajes y donde se cambian

desk-drafts = Borradores
desk-drafts-lede = Solo usted ve sus borradores. Cada uno se guarda un día desde que lo cambió por última vez.
desk-draft-kept = Su borrador se guarda durante un día.
desk-draft-discarded = El borrador se ha eliminado.
desk-draft-discard = Eliminar
desk-draft-discard-one = Eliminar el borrador: { $subject }
desk-files-count = { $count ->
    [one] { $count } archivo
   *[other] { $count } archivos
}
desk-scheduled-change = Cambiar
desk-scheduled-change-one = Cambiar: { $subject }
desk-scheduled-send = Enviar ahora
desk-scheduled-send-one = Enviar ahora: { $subject }
desk-scheduled-gone = Este mensaje ya no espera: entretanto se envió o se retiró.
desk-compose-change = Cambiar un mensaje
desk-compose-waits = Este mensaje sale el { $time }. Sigue como estaba hasta que guarde los cambios. Sin hora, se envía al guardar.
desk-compose-save = Guardar los cambios
desk-compose-keep = Guardar como borrador
desk-compose-gone = Este mensaje se envió o se retiró mientras lo cambiaba. Sus cambios no se han enviado. Para enviarlos de todos modos, empiece un mensaje nuevo.
desk-compose-changed = Otra persona ha cambiado este mensaje entretanto, así que su versión no se ha guardado. Ábralo de nuevo desde los mensajes en espera.

## Approvals: who wrote, what came from there before, and senders who are stopped
# A badge beside the subject of a message that waits.
desk-sender-member = Miembro
desk-sender-other-address = Otra dirección
desk-sender-no-member = No es miembro
# A line of the facts on the page of one message that waits.
desk-sender = Remitente
# Why the message waits, behind that badge. $reason is a half sentence such as “every message to this list needs approval”.
desk-held-reason-is = En espera: { $reason }.
desk-sender-stranger = Esta dirección no está en { $list }.
desk-sender-as = Un miembro con este nombre está en { $list } como { $address } y escribió desde otra dirección.
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
desk-history-many = { $count } mensajes publicados o más
desk-history-none-refused = ninguno rechazado en los últimos 30 días
desk-history-refused = { $count ->
    [one] 1 rechazado en los últimos 30 días
   *[other] { $count } rechazados en los últimos 30 días
}
# The field below the selected messages.
desk-reason-all = Sus palabras para todo lo seleccionado, si lo rechaza
# On the page of a message that went out, and in the archive below “Moderate”. $sender is an address.
desk-stop = Bloquear a este remitente
desk-stop-hint = La lista { $list } rechaza desde ahora lo que envíe { $sender }. Lo ya enviado se queda.
desk-stopped = { $list } rechaza lo que envía { $sender }.

## Undoing what an administrator did. $who is one name or several, $list the name of a list
# Several names: “Ada, Bob and 3 more”.
undo-more = { $names } y { $count } más
undo-nameless = (sin nombre)
undo-removed = Quitado de { $list }: { $who }.
undo-added = Añadido a { $list }: { $who }.
undo-set = La forma de recibir { $list } está ajustada para { $who }.
undo-resumed = El correo sale de nuevo para { $who }.
undo-deleted = Eliminado: { $who }.
undo-alias-deleted = Alias eliminado: { $who }.
undo-button = Deshacer
# Beside the button; $time is a text like “tomorrow, 20:59”.
undo-until = Posible hasta { $time }.
# The page of one action.
undo-title = ¿Deshacer esto?
undo-next = Todo vuelve a ser como era, salvo lo que alguien haya cambiado desde entonces y las personas que se hayan ido o quejado.
undo-done-title = Deshecho
undo-none-title = No se ha podido deshacer nada
undo-done = Como antes: { $who }.
undo-left = Quedan como están:
undo-left-opted-out = { $who } se ha ido o se ha quejado desde entonces.
undo-left-changed = { $who }: alguien ha hecho un cambio desde entonces.
undo-left-there = { $who }: ya está así.
undo-left-gone = { $who }: la lista o la persona ya no existe.
undo-left-taken = { $who }: la dirección o el nombre pertenece ahora a otra persona.
undo-left-full = { $who }: la libreta de direcciones está llena.
undo-over = Ya está deshecho, o ha pasado el día
undo-over-next = Los cambios se pueden deshacer durante un día. El registro dice qué se hizo.
undo-imported = Importado: { $who }.
