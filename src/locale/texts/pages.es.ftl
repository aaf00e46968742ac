### Textos de las páginas.

## Alrededor de cada página.

frame-server = Listas de correo
frame-skip = Ir al contenido
frame-pages = Páginas
frame-language = Idioma
frame-sign-out = Cerrar sesión
nav-devices = Sus dispositivos
frame-menu = Menú
frame-administration = Administración
frame-public = Páginas públicas

## Formularios.

# In front of the title of a page whose form came back wrong.
form-wrong-title = Error:
form-problems = { $count ->
    [one] Revise esto una vez más
   *[other] Revise estas { $count } cosas una vez más
}
problem-no-button = Pulse uno de los botones.

## Cuando algo no va bien: qué ha pasado y qué hacer ahora.

error-status = Error { $status }
error-home = Ir a la página de inicio
error-request = Si nos escribe por esto, mencione este identificador: { $id }.
error-bad-request = No hemos podido leer lo que se envió
error-bad-request-next = No ha cambiado nada. Vuelva atrás, cargue la página de nuevo y envíela otra vez.
error-sign-in = Primero inicie sesión
error-sign-in-next = Solo quienes han iniciado sesión pueden abrir esta página. Si ya la había iniciado, su sesión ha terminado.
error-forbidden = No tiene permiso para hacer esto
error-forbidden-next = Sus permisos no incluyen esta página, y no ha cambiado nada. Quien administra la cuenta puede dárselos.
error-forged = Este formulario no viene de su página
error-forged-next = No ha cambiado nada. Abra la página otra vez y pulse allí el botón. Su navegador debe aceptar las cookies de esta página.
error-not-found = No hay nada en esta dirección
error-not-found-next = Puede que la página haya cambiado de sitio o que el enlace esté cortado. Si en un correo ocupaba dos líneas, copie las dos partes en la barra de direcciones.
error-unknown-host = Aquí no hay ninguna página
error-unknown-host-next = Puede que la dirección tenga una errata o que falte una parte.
error-dead-link = Este enlace no funciona
error-dead-link-next = Puede que se cortara al copiarlo o que ya no sea válido. Abra el enlace del correo más reciente.
error-not-allowed = Esta página no puede hacer eso
error-not-allowed-next = No ha cambiado nada. Abra la página por su enlace y use los botones que muestra.
error-conflict = Otra persona ha sido más rápida
error-conflict-next = Lo que iba a cambiar ha cambiado entretanto. Cargue la página de nuevo y mírelo otra vez.
error-spent-link = Este enlace ya se usó
error-spent-link-next = Desde entonces se ha elegido una contraseña. Si no fue usted, avise a otra persona de la administración.
error-expired-link = Este enlace ha caducado
error-expired-link-next = Los enlaces para elegir una contraseña funcionan siete días, o una hora si había olvidado la suya. En la página de inicio de sesión puede pedir uno nuevo.
error-wrong-type = No podemos leer este tipo de formulario
error-wrong-type-next = No ha cambiado nada. Use el formulario de la propia página.
error-too-many = Han sido muchas acciones en poco tiempo
error-too-many-next = No ha cambiado nada. Espere unos minutos e inténtelo de nuevo.
error-too-large = Esto es demasiado grande
error-too-large-next = No ha cambiado nada. Un formulario puede enviar { $size } como máximo.
error-too-slow = Esto ha tardado demasiado
error-too-slow-next = No ha cambiado nada. Puede que la conexión vaya lenta en este momento. Inténtelo de nuevo.
error-outage = En este momento no se puede guardar nada
error-outage-next = No ha cambiado nada. Inténtelo más tarde.
error-busy = En este momento hay demasiadas visitas
error-busy-next = No ha cambiado nada. Inténtelo de nuevo en unos segundos.
error-internal = Algo ha fallado aquí
error-internal-next = El fallo es nuestro, no suyo. Inténtelo de nuevo en unos minutos.

## La primera página.

home-title = Este servidor gestiona listas de correo
home-lede = Un correo a la dirección de una lista llega a todos sus miembros.
home-signed-out = Ha cerrado la sesión.
home-members = Está en una lista
home-write = Para escribir a todo el mundo, escriba a la dirección de la lista.
home-leave = Para salir, pulse «Cancelar suscripción» en su programa de correo o abra el enlace de un correo de la lista.
home-owner = Para escribir a las personas responsables de una lista, añada -owner a su nombre: para news@lists.example.org es news-owner@lists.example.org.
home-owners = Es responsable de listas o escribe programas para ellas
home-api = La API: claves, primeras llamadas y todas las llamadas (en inglés)
home-openapi = Lo mismo para programas, como openapi.json
home-commands = En el propio servidor, crier --help muestra todos los comandos.

## Salir de una lista por el enlace de un mensaje.

unsubscribe-title = ¿Salir de { $list }?
unsubscribe-next = Ya no recibirá correo de esta lista. Todavía no ha cambiado nada.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Se trata del correo a { $address }.
unsubscribe-button = Salir de la lista
goodbye-title = Ha salido de { $list }
goodbye-next = Ya no recibirá correo de esta lista. Los mensajes que estaban en camino pueden llegar todavía en los próximos minutos.
goodbye-undo = ¿Fue un error? Puede deshacerlo durante siete días.
goodbye-undo-button = Deshacer
not-a-member-title = No es miembro de { $list }
not-a-member-next = No recibe correo de esta lista. Para unirse a ella, escriba a las personas responsables.
welcome-back-title = Es miembro de { $list }
welcome-back-next = Vuelve a recibir el correo de esta lista.

## Salir de una lista que pide más de un clic, y decir por qué.

leave-second-title = ¿De verdad quiere salir de { $list }?
leave-second-button = Sí, salir de la lista
leave-approval-next = Las personas responsables de esta lista tienen que aprobarlo. Recibirá un correo cuando hayan decidido y, hasta entonces, los mensajes de la lista. Todavía no ha cambiado nada.
leave-approval-button = Pedir salir de la lista
leave-waits-title = Su solicitud de salir de { $list } está pendiente
leave-waits-next = Deciden las personas responsables de la lista. Recibirá un correo cuando lo hayan hecho. Hasta entonces seguirá recibiendo los mensajes de la lista.
leave-closed-title = Aquí no se puede salir de { $list }
leave-closed-next = Las personas responsables de esta lista deciden quién está en ella. Responda a uno de sus correos o escríbales. El botón «Cancelar suscripción» de su programa de correo funciona de todos modos.
leave-reason = ¿Quiere decirnos por qué?
leave-reason-hint = Opcional. Lo leen las personas responsables de la lista.
leave-reason-button = Enviar
leave-reason-kept = Gracias. Las personas responsables de la lista leerán sus palabras.
leave-reason-too-long = Dígalo en { $count } caracteres como máximo.

## El envío a una dirección estaba en pausa y continúa.

resume-title = ¿Vuelve a llegarle el correo?
resume-paused = El envío a { $address } está en pausa.
resume-unchanged = Todavía no ha cambiado nada. Si el correo sigue sin llegar, cierre esta página.
resume-button = Volver a recibir correo
resumed-title = El correo se envía a { $address }
resumed-next = Sus listas se envían a esta dirección.

## Alguien de la administración elige una contraseña.

password-title = Elija una contraseña
password-username = Iniciará sesión como { $username }.
password-label = Contraseña
password-hint = Al menos { $count } caracteres. Varias palabras forman una buena contraseña.
password-button = Guardar la contraseña
password-too-short = Una contraseña debe tener al menos { $count } caracteres; varias palabras forman una buena.
password-too-long = Una contraseña puede tener { $count } bytes como máximo.
password-chosen-title = Su contraseña está guardada
password-chosen-next = Es la de { $username }. El enlace que le trajo aquí ya no funciona.

## Alguien decide sobre un mensaje.

moderate-title = Un mensaje para { $list } está pendiente
moderate-from = De
moderate-subject = Asunto
moderate-received = Recibido
moderate-size = Tamaño
moderate-because = Pendiente porque
moderate-due = Si nadie decide
moderate-due-value = se descartará el { $time }
moderate-begins = El mensaje empieza así
moderate-no-text = El mensaje no tiene texto.
moderate-reason = Su motivo, si lo rechaza
moderate-reason-told = Quien envió el mensaje lo recibe por correo.
moderate-reason-kept = Solo lo ve la administración. A quien envió el mensaje no se le avisa.
moderate-buttons = Su decisión
moderate-approve = Aprobar
moderate-reject = Rechazar
moderate-discard = Descartar
moderate-next = Qué pasa después
moderate-next-told = Si lo aprueba, llega a todos los miembros. Si lo rechaza, vuelve a quien lo envió, con el motivo que usted indique. Si lo descarta, no se avisa a nadie. Cuenta la primera decisión.
moderate-next-untold = Si lo aprueba, llega a todos los miembros. Si lo rechaza o lo descarta, no lo recibe nadie y no se avisa a quien lo envió. Cuenta la primera decisión.
moderated-held = El mensaje está pendiente
moderated-held-next = Todavía no ha decidido nadie.
moderated-approved = El mensaje se ha aprobado
moderated-approved-next = Va de camino a los miembros.
moderated-rejected = El mensaje se ha rechazado
moderated-rejected-next = Los miembros no lo reciben.
moderated-discarded = El mensaje se ha descartado
moderated-discarded-next = Los miembros no lo reciben y no se avisa a nadie.
moderated-already-approved = Ya lo aprobó { $by } el { $time }.
moderated-already-rejected = Ya lo rechazó { $by } el { $time }.
moderated-already-discarded = Ya lo descartó { $by } el { $time }.
moderated-already-by-time = Ya se descartó, porque nadie decidió a tiempo.
moderated-unchanged = No ha cambiado nada. { $already }

## La administración decide sobre una petición.

approval-join-title = Alguien quiere unirse a { $list }
approval-leave-title = Alguien quiere salir de { $list }
approval-list-title = La lista nueva { $list } está pendiente
approval-name = Nombre
approval-address = Dirección
approval-description = Descripción
approval-list = Lista
approval-requested = Solicitado el
approval-confirmed = Confirmado el
approval-agreed = Texto aceptado
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, desde { $client }
approval-done = { $time }, { $way }
approval-reason-label = Su motivo, si la rechaza
approval-reason-told = La persona lo recibe por correo.
approval-reason-kept = Solo lo lee la administración.
approval-join-next = Si la aprueba, la persona pasa a ser miembro y se le avisa por correo. Si la rechaza, recibe un correo con el motivo que usted indique. Si la descarta, no se avisa a nadie. Cuenta la primera decisión.
approval-leave-next = Si la aprueba, la persona sale de la lista y se le avisa por correo. Si la rechaza, sigue en ella y recibe un correo con el motivo que usted indique. Si la descarta, no cambia nada y no se avisa a nadie. Cuenta la primera decisión.
approval-list-next = Si la aprueba, la lista acepta mensajes. Si la rechaza o la descarta, se elimina con sus miembros. Cuenta la primera decisión.
approval-impossible = Esta persona no puede ser miembro: la libreta de direcciones está llena o no admite la dirección.
approval-waits = La solicitud está pendiente
approval-waits-next = Todavía no ha decidido nadie.
approval-approved = La solicitud se ha aprobado
approval-rejected = La solicitud se ha rechazado
approval-discarded = La solicitud se ha descartado
approval-joined-next = La persona ya es miembro, y se le avisa por correo.
approval-left-next = La persona ya no está en la lista, y se le avisa por correo.
approval-opened-next = La lista ya acepta mensajes.
approval-removed-next = La lista se elimina con sus miembros.
approval-rejected-next = Se avisa a la persona por correo.
approval-discarded-next = No ha cambiado nada y no se avisa a nadie.
approval-join-fact = Unirse a { $list }
approval-leave-fact = Salir de { $list }
approval-list-fact = Lista nueva
approval-already-approved = Ya la aprobó { $by } el { $time }.
approval-already-rejected = Ya la rechazó { $by } el { $time }.
approval-already-discarded = Ya la descartó { $by } el { $time }.

## Dónde ha iniciado sesión alguien.

devices-title = Dónde tiene la sesión abierta
devices-lede = Estos son los navegadores en los que tiene la sesión abierta. Cierre la sesión en los que no reconozca.
devices-this = Este
devices-unknown = Navegador desconocido
devices-used = Usado por última vez el { $time }
devices-since = sesión iniciada el { $time }
devices-until = termina el { $time }
devices-revoke = Cerrar sesión allí
devices-revoked = La sesión de allí se ha cerrado.
devices-everywhere = Cerrar sesión en todas partes

## El buzón de la demostración, donde termina todo lo que envía.

demo-site = Demostración de Crier
demo-title = Correo recibido
demo-lede = Todo lo que envía esta demostración acaba aquí. La página se actualiza cada tres segundos.
demo-received = { $count ->
    [one] Un correo hasta ahora.
   *[other] { $count } correos hasta ahora.
}
demo-newest = { $count ->
    [one] El más reciente está abajo.
   *[other] Los { $count } más recientes están abajo.
}
demo-nothing = Todavía no ha llegado nada.
demo-time = Hora (UTC)
demo-to = Para
demo-from = De
demo-subject = Asunto
demo-no-subject = (sin asunto)
demo-all = Todo el correo recibido
demo-envelope-from = Remitente del sobre
demo-envelope-to = Destinatario del sobre
demo-leave = Salir de la lista
demo-text = Texto
demo-source = Código fuente
demo-cut = El código fuente continúa; solo se muestra el principio.
demo-not-kept = Este correo no está aquí
demo-not-kept-next = La demostración guarda solo los correos más recientes y los olvida todos cuando termina.

## Confirmar una petición con el enlace de su correo.

confirm-title-join = ¿Quiere unirse a { $list }?
confirm-title-leave = ¿Quiere salir de { $list }?
confirm-title = Confirme su solicitud
confirm-asked = Usted, o alguien que escribió su dirección, lo pidió el { $time }.
confirm-list = Lista
confirm-address = Dirección
confirm-changes = Cambios
confirm-mail = Correo
confirm-mail-singly = cada mensaje por separado
confirm-mail-digest = un correo al día
confirm-button-join = Sí, quiero unirme
confirm-button-leave = Sí, quiero salir
confirm-button = Sí, lo confirmo
confirm-next = Qué pasa después
confirm-next-join = En cuanto pulse el botón será miembro, y desde entonces recibirá los mensajes nuevos.
confirm-next-approval = Deciden las personas responsables de la lista, y recibirá un correo cuando lo hayan hecho.
confirm-next-other = El cambio se hace en cuanto pulse el botón.
confirm-not-you = Si no fue usted, cierre esta página. No ha cambiado nada, y el enlace deja de funcionar el { $day }.
confirm-done = Gracias, queda confirmado
confirm-done-joined = Ya es miembro de { $list }
confirm-done-waiting = Su solicitud para { $list } está pendiente de aprobación
confirm-done-already = Ya era miembro de { $list }
confirm-done-left = Ha salido de { $list }
confirm-done-no-member = No es miembro de { $list }
confirm-done-changed = Hecho: { $change }
confirm-done-joined-next = Los mensajes nuevos llegan a { $address }. Cada uno tiene un enlace para salir de la lista.
confirm-done-waiting-next = Las personas responsables de la lista tienen su solicitud. Recibirá un correo en cuanto decidan.
confirm-done-already-next = No hacía falta cambiar nada.
confirm-done-left-next = Ya no recibirá los mensajes nuevos.
confirm-done-no-member-next = No hacía falta cambiar nada.
confirm-done-changed-next = Vale desde ahora mismo.
confirm-refused = No se ha podido hacer: { $change }
confirm-refused-closed = La lista no admite esas solicitudes por ahora. Las personas responsables de la lista pueden ayudarle.
confirm-refused-gone = La lista ya no existe.
confirm-refused-address = Aquí no pueden ser miembros las direcciones como { $address }. Pídalo con otra.
confirm-refused-taken = Otra persona ya usa { $address } aquí.
confirm-refused-unknown = { $address } no está en ninguna de estas listas.
confirm-refused-full = Por ahora no hay sitio para más miembros. Pregunte a las personas responsables de la lista.
confirm-used-title = Ya lo ha confirmado
confirm-used = Pulsó el botón el { $time }. No tiene que hacer nada más.
confirm-expired-title = Este enlace ya no funciona
confirm-expired = Estos enlaces funcionan siete días, y este se envió el { $day }. No ha cambiado nada.
confirm-expired-next = Si todavía lo quiere, pídalo otra vez: recibirá un enlace nuevo.
confirm-again = Pedirlo otra vez
## The other members.

people-title = Miembros
people-title-of = Miembros de { $list }
people-lede = Estas personas están en alguna lista de aquí. Sus direcciones no se muestran a otros miembros.
people-lede-with-email = Estas personas están en alguna lista de aquí, con las direcciones en las que reciben el correo.
people-search = Buscar un nombre
people-search-button = Buscar
people-all = Mostrar todas las personas
people-none = Todavía no hay nadie.
people-not-found = Nadie se llama así. Basta con el comienzo de un nombre.
people-nameless = Alguien sin nombre
people-self = Usted
people-cut = Muchísimas personas se llaman así, y solo se ha mirado una parte. Añada otra palabra.
people-pages = Páginas de estos miembros
people-before = Anterior
people-after = Siguiente

## Unirse a una lista y dejarla con el formulario.

join-title = Unirse a una lista
join-title-list = Unirse a { $list }
join-title-leave = Salir de una lista
join-title-leave-list = Salir de { $list }
join-lede = Le enviaremos un correo para comprobar que la dirección es suya. No pasa nada hasta que lo confirme.
join-none = Aquí no hay ninguna lista a la que unirse o de la que salir con este formulario.
join-name = Su nombre
join-name-hint = Como lo verán las demás personas de la lista.
join-email = Su dirección
join-lists = ¿Qué listas?
join-all-lists = Hay más listas: verlas todas
join-often = ¿Con qué frecuencia?
join-singly = Cada mensaje por separado
join-digest = Un correo al día
join-digest-hint = Todo junto.
join-hint-approval = Las personas responsables de la lista deciden sobre cada solicitud.
join-button = Solicitar unirse
join-button-leave = Solicitar salir
join-agreed = Guardamos su nombre, su dirección, el día en que se unió y desde dónde lo pidió, y los usamos solo para estas listas.
join-agreed-leave = Usamos su dirección solo para preguntarle si esta solicitud es suya.
join-instead-leave = Prefiero salir de una lista
join-instead-join = Prefiero unirme a una lista
join-name-long = El nombre tiene más de { $count } caracteres.
join-name-link = El nombre tiene caracteres que no tiene ningún nombre. Escríbalo sin enlaces.
join-email-missing = Escriba su dirección.
join-email-without-at = A la dirección le falta la @. Debería tener esta forma: ines@example.org.
join-email-wrong = Esta no es la dirección de un buzón. Debería tener esta forma: ines@example.org.
join-email-machine = Nadie lee el correo en esta dirección. Escriba la suya.
join-email-refused = Con direcciones como esta no es posible unirse aquí. Use otra.
join-list-missing = Elija al menos una lista.
join-list-unknown = { $list } no es una lista que se pueda elegir aquí.
join-form-young = Ha sido muy rápido. Pulse el botón otra vez.
join-form-old = Este formulario estuvo abierto demasiado tiempo o no es de esta página. Pulse el botón otra vez.
join-asked = Le hemos enviado un correo
join-asked-next = Abra el enlace del correo enviado a { $address } o simplemente respóndalo. Hasta entonces no cambia nada.
join-asked-missing = ¿No llega ningún correo después de unos minutos? Puede estar en la carpeta de spam. A una dirección enviamos como máximo uno de estos correos al día por cada lista, y cinco al día en total.
## Being forgotten.

data-title = Lo que sabemos de usted
data-lede = Su nombre, sus direcciones, sus listas y los mensajes que escribió.
data-download = Descargar lo que sabemos
data-download-posts = Descargar sus mensajes
data-erase-title = Eliminar mis datos
data-erase-lede = { $count ->
    [0] Eliminamos todos sus datos.
    [one] Usted sale de una lista y eliminamos todos sus datos.
   *[other] Usted sale de { $count } listas y eliminamos todos sus datos.
} Esto no se puede deshacer.
data-erase-what = Qué eliminamos
data-erase-record = Su nombre, sus direcciones y lo que se ha anotado sobre usted.
data-erase-evidence = Cuándo y cómo se unió, qué confirmó y dónde tiene la sesión abierta.
data-erase-waiting = Sus mensajes pendientes de una decisión. Ya no se enviarán.
data-erase-posts = ¿Qué pasa con los mensajes que escribió?
data-erase-keep = Se quedan, sin su nombre
data-erase-keep-hint = Aparecerán como escritos por un «antiguo miembro», y su nombre y sus direcciones se quitarán del texto. Los archivos adjuntos quedan como están.
data-erase-remove = Se eliminan
data-erase-remove-hint = Las respuestas de otras personas se quedan en su sitio.
data-erase-others = Lo que escribieron otras personas se queda, también donde le citan o le nombran. Lo que ya se envió por correo no se puede recuperar.
data-erase-button = Eliminar mis datos
data-erase-not-chosen = Elija qué pasa con sus mensajes.
data-erase-download = Descargarlo todo antes
data-erased-title = Sus datos se han eliminado
data-erased-lede = Ya no está en ninguna lista, y su nombre y sus direcciones han desaparecido.
data-erased-keep = Sus mensajes se están modificando para que aparezcan como escritos por un «antiguo miembro». Tarda unos minutos, y más si son muchos.
data-erased-remove = Sus mensajes se están eliminando del archivo. Tarda unos minutos, y más si son muchos.
data-erased-traces = Los registros del correo que va ahora de camino hacia usted se eliminan cuando este sale de la cola, en un plazo de cinco días.

## Adónde seguir después de un enlace

onward-read = Leer { $list }
onward-write = Escribir a { $list }
onward-lists = Sus listas
confirm-signed-in = Su sesión queda abierta aquí durante un día, o hasta que la cierre.

## Confirmar otra dirección, y otros cambios en cómo llega el correo

confirm-change-replace = Usar esta dirección para sus listas de { $site }, en lugar de la anterior
confirm-site = Listas de
confirm-title-replace = ¿Trasladar su correo a esta dirección?
confirm-button-replace = Sí, enviar mi correo aquí
confirm-next-replace = En cuanto pulse el botón, el correo de sus listas llegará a esta dirección, y ya no a la anterior.
confirm-done-how = { $list } le llega como pidió
confirm-done-digest-next = Desde ahora es un correo al día.
confirm-done-singly-next = Desde ahora cada mensaje llega por separado.
confirm-done-paused = El correo de sus listas ya no se envía a { $address }
confirm-done-paused-next = Puede reanudar el envío cuando quiera.
confirm-done-resumed = El correo de sus listas se envía de nuevo a { $address }
confirm-done-resumed-next = Empieza con el próximo mensaje.
confirm-done-added = { $address } es ahora una de sus direcciones
confirm-done-added-next = A ella llega también el correo de sus listas, y desde ella puede escribir.
confirm-done-replaced = El correo de sus listas se envía ahora a { $address }
confirm-done-replaced-next = Su dirección anterior ya no está. Sus listas siguen como estaban.

## An address of another server, from which the message did not come along. $list is a list's name.

old-link-title = Este mensaje no se trasladó
old-link-lede = La dirección que ha abierto es del antiguo archivo de { $list }. Desde entonces la lista se ha trasladado aquí, pero este mensaje no vino con ella.
old-link-subject = Su asunto era «{ $subject }».
# $month is a month like "November 2026".
old-link-month = Todos los mensajes de { $month }

## The form of one list, for a member who is signed in
# $address is an address of mail.
join-own = Ha iniciado sesión como { $address }: basta un clic.
join-own-button = Unirse con esta dirección
join-own-other = Con otra dirección
