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
    [one] Por favor, revise esto una vez más
   *[other] Por favor, revise estos { $count } datos una vez más
}
problem-no-button = Por favor, pulse uno de los botones.

## Cuando algo no va bien: qué ha pasado y qué hacer ahora.

error-status = Error { $status }
error-home = Ir a la primera página
error-request = Si nos escribe por esto, indique por favor la solicitud { $id }.
error-bad-request = No hemos podido leer lo que se envió
error-bad-request-next = No ha cambiado nada. Por favor, vuelva atrás, cargue la página de nuevo y envíela otra vez.
error-sign-in = Por favor, inicie sesión primero
error-sign-in-next = Esta página solo la pueden abrir quienes han iniciado sesión. Quizá la tenía abierta hasta hace poco: una sesión termina por sí sola.
error-forbidden = No tiene permiso para hacer esto
error-forbidden-next = Sus derechos no alcanzan para esta página, y no ha cambiado nada. Quien administra la cuenta puede dárselos.
error-forged = Este formulario no viene de su página
error-forged-next = No ha cambiado nada. Por favor, abra la página otra vez y pulse allí el botón. Su navegador debe aceptar las cookies de esta página.
error-not-found = No hay nada en esta dirección
error-not-found-next = Puede que la página se haya movido o que el enlace se haya cortado. Si ocupaba dos líneas en un mensaje, copie las dos partes en la barra de direcciones.
error-unknown-host = Aquí no hay ninguna página
error-unknown-host-next = Puede que la dirección tenga una errata o que falte una parte.
error-dead-link = Este enlace no funciona
error-dead-link-next = Puede que se haya cortado al copiarlo, o que ya no exista aquello para lo que servía. Por favor, abra el enlace del mensaje más reciente.
error-not-allowed = Esta página no es para eso
error-not-allowed-next = No ha cambiado nada. Por favor, abra la página por su enlace y use los botones que muestra.
error-conflict = Otra persona ha sido más rápida
error-conflict-next = Lo que iba a cambiar ha cambiado entretanto. Por favor, cargue la página de nuevo y mírelo otra vez.
error-spent-link = Este enlace ya se usó
error-spent-link-next = Desde entonces se ha elegido una contraseña. Si no fue usted, dígaselo por favor a otra persona de la administración.
error-expired-link = Este enlace es demasiado antiguo
error-expired-link-next = Los enlaces para elegir una contraseña funcionan siete días, y una hora si ha olvidado la suya. En la página de inicio de sesión puede pedir uno nuevo.
error-wrong-type = No sabemos leer este tipo de formulario
error-wrong-type-next = No ha cambiado nada. Por favor, use el formulario de la propia página.
error-too-many = Eso ha sido mucho en poco tiempo
error-too-many-next = No ha cambiado nada. Por favor, espere unos minutos e inténtelo de nuevo.
error-too-large = Esto es demasiado grande
error-too-large-next = No ha cambiado nada. Un formulario puede enviar { $size } como máximo.
error-too-slow = Esto ha tardado demasiado
error-too-slow-next = No ha cambiado nada. Puede que la conexión vaya lenta en este momento. Por favor, inténtelo de nuevo.
error-outage = En este momento no se puede guardar nada aquí
error-outage-next = No ha cambiado nada. Por favor, inténtelo más tarde.
error-busy = En este momento hay demasiada gente aquí
error-busy-next = No ha cambiado nada. Por favor, inténtelo de nuevo en unos segundos.
error-internal = Algo ha salido mal aquí
error-internal-next = Es culpa nuestra, no suya. Por favor, inténtelo de nuevo en unos minutos.

## La primera página.

home-title = Este servidor aloja listas de correo
home-lede = Un mensaje a la dirección de una lista llega a todas las personas que están en ella.
home-signed-out = Ha cerrado la sesión.
home-members = Está en una lista
home-write = Para escribir a todo el mundo, escriba a la dirección de la lista.
home-leave = Para dejar una lista, pulse «Cancelar suscripción» en su programa de correo o abra el enlace de un mensaje de la lista.
home-owner = Para hablar con los responsables de una lista, añada -owner a su nombre: para news@lists.example.org es news-owner@lists.example.org.
home-owners = Es responsable de listas o escribe un programa para ellas
home-api = La API: claves, primeras llamadas y todas las llamadas (en inglés)
home-openapi = Lo mismo para programas, como openapi.json
home-commands = En el propio servidor, crier --help muestra todas las órdenes.

## Salir de una lista por el enlace de un mensaje.

unsubscribe-title = ¿Salir de { $list }?
unsubscribe-next = Ya no recibirá mensajes de esta lista. Todavía no ha cambiado nada.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Se trata de los correos a { $address }.
unsubscribe-button = Salir de la lista
goodbye-title = Ha dejado { $list }
goodbye-next = Ya no recibirá mensajes de esta lista. Los que estaban en camino pueden llegar todavía en los próximos minutos.
goodbye-undo = ¿Fue un error? Puede deshacerlo durante siete días.
goodbye-undo-button = Deshacer
not-a-member-title = No es miembro de { $list }
not-a-member-next = No recibe mensajes de esta lista. Para apuntarse, pregunte a sus responsables.
welcome-back-title = Es miembro de { $list }
welcome-back-next = Vuelve a recibir los mensajes de esta lista.

## Salir de una lista que pide más de un clic, y decir por qué.

leave-second-title = ¿De verdad quiere dejar { $list }?
leave-second-button = Sí, dejar la lista
leave-approval-next = Los responsables de esta lista tienen que estar de acuerdo. Recibirá un mensaje cuando hayan decidido, y los mensajes de la lista hasta entonces. Todavía no ha cambiado nada.
leave-approval-button = Pedir dejar la lista
leave-waits-title = Su solicitud de dejar { $list } está en espera
leave-waits-next = Los responsables de la lista deciden sobre ella. Entonces recibirá un mensaje. Hasta entonces recibe los mensajes de la lista.
leave-closed-title = No se puede dejar { $list } aquí
leave-closed-next = Los responsables de esta lista deciden quién está en ella. Responda a uno de sus mensajes o escríbales. El botón para darse de baja de su programa de correo funciona de todos modos.
leave-reason = ¿Quiere decir por qué?
leave-reason-hint = Es opcional. Lo leen los responsables de la lista.
leave-reason-button = Enviar
leave-reason-kept = Gracias. Los responsables de la lista leerán sus palabras.
leave-reason-too-long = Dígalo en { $count } caracteres como máximo.

## El envío a una dirección estaba en pausa y continúa.

resume-title = ¿Le vuelve a llegar el correo?
resume-paused = El envío a { $address } está en pausa.
resume-unchanged = Todavía no ha cambiado nada. Si el correo sigue sin llegar, cierre esta página.
resume-button = Volver a enviarme correo
resumed-title = El correo se envía a { $address }
resumed-next = Sus listas se envían a esta dirección.

## Alguien de la administración elige una contraseña.

password-title = Elija una contraseña
password-username = Iniciará sesión como { $username }.
password-label = Contraseña
password-hint = Al menos { $count } caracteres. Varias palabras hacen una buena.
password-button = Guardar la contraseña
password-too-short = Una contraseña debe tener al menos { $count } caracteres; varias palabras hacen una buena.
password-too-long = Una contraseña puede tener { $count } bytes como máximo.
password-chosen-title = Su contraseña está guardada
password-chosen-next = Pertenece a { $username }. El enlace que le trajo aquí ya no funciona.

## Alguien decide sobre un mensaje.

moderate-title = Un mensaje para { $list } está esperando
moderate-from = De
moderate-subject = Asunto
moderate-received = Recibido
moderate-size = Tamaño
moderate-because = Motivo
moderate-due = Si nadie decide
moderate-due-value = se descartará el { $time }
moderate-begins = El mensaje empieza así
moderate-no-text = El mensaje no tiene texto.
moderate-reason = Sus palabras, si lo rechaza
moderate-reason-told = Quien lo escribió las recibe por correo.
moderate-reason-kept = Solo la administración ve estas palabras. A quien lo escribió no se le avisa.
moderate-buttons = Su decisión
moderate-approve = Aprobar
moderate-reject = Rechazar
moderate-discard = Descartar
moderate-next = Qué pasa después
moderate-next-told = Aprobado, llega a toda la lista. Rechazado, vuelve a quien lo escribió con sus palabras. Descartado, no se avisa a nadie. Cuenta la primera decisión.
moderate-next-untold = Aprobado, llega a toda la lista. Rechazado o descartado, no lo recibe nadie, y a quien lo escribió no se le avisa. Cuenta la primera decisión.
moderated-held = El mensaje está esperando
moderated-held-next = Todavía no ha decidido nadie.
moderated-approved = El mensaje está aprobado
moderated-approved-next = Está en camino a los miembros.
moderated-rejected = El mensaje está rechazado
moderated-rejected-next = Los miembros no lo reciben.
moderated-discarded = El mensaje está descartado
moderated-discarded-next = Los miembros no lo reciben, y no se avisa a nadie.
moderated-already-approved = Ya se aprobó: lo hizo { $by } el { $time }.
moderated-already-rejected = Ya se rechazó: lo hizo { $by } el { $time }.
moderated-already-discarded = Ya se descartó: lo hizo { $by } el { $time }.
moderated-already-by-time = Ya se descartó, porque nadie decidió a tiempo.
moderated-unchanged = No ha cambiado nada. { $already }

## La administración decide sobre una petición.

approval-join-title = Alguien quiere entrar en { $list }
approval-leave-title = Alguien quiere salir de { $list }
approval-list-title = La lista nueva { $list } está en espera
approval-name = Nombre
approval-address = Dirección
approval-description = Descripción
approval-list = Lista
approval-requested = Pedido el
approval-confirmed = Confirmado el
approval-agreed = Aceptó
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, desde { $client }
approval-done = { $time }, { $way }
approval-reason-label = Sus palabras, si la rechaza
approval-reason-told = La persona las recibe por correo.
approval-reason-kept = Solo las lee la administración.
approval-join-next = Si la aprueba, la persona es miembro y recibe un mensaje que lo dice. Si la rechaza, recibe un mensaje con sus palabras. Si la descarta, no se avisa a nadie. Cuenta la primera decisión.
approval-leave-next = Si la aprueba, la persona sale de la lista y recibe un mensaje que lo dice. Si la rechaza, sigue en ella y recibe un mensaje con sus palabras. Si la descarta, no cambia nada y no se avisa a nadie. Cuenta la primera decisión.
approval-list-next = Si la aprueba, la lista recibe correo. Si la rechaza o la descarta, se borra con sus miembros. Cuenta la primera decisión.
approval-impossible = Esta persona no puede ser miembro: la libreta de direcciones está llena, o no admite la dirección.
approval-waits = La petición está en espera
approval-waits-next = Todavía no ha decidido nadie.
approval-approved = La petición está aprobada
approval-rejected = La petición está rechazada
approval-discarded = La petición está descartada
approval-joined-next = La persona ya es miembro y recibe un mensaje que lo dice.
approval-left-next = La persona ya no está en la lista y recibe un mensaje que lo dice.
approval-opened-next = La lista ya recibe correo.
approval-removed-next = La lista se borra con sus miembros.
approval-rejected-next = La persona recibe un mensaje que lo dice.
approval-discarded-next = No ha cambiado nada, y no se avisa a nadie.
approval-join-fact = Entrada en { $list }
approval-leave-fact = Salida de { $list }
approval-list-fact = Lista nueva
approval-already-approved = Ya se aprobó: lo hizo { $by } el { $time }.
approval-already-rejected = Ya se rechazó: lo hizo { $by } el { $time }.
approval-already-discarded = Ya se descartó: lo hizo { $by } el { $time }.

## Dónde ha iniciado sesión alguien.

devices-title = Dónde tiene la sesión abierta
devices-lede = Todos los navegadores en los que tiene la sesión abierta. Termine lo que no reconozca.
devices-this = Este
devices-unknown = Navegador desconocido
devices-used = Usado por última vez el { $time }
devices-since = abierta el { $time }
devices-until = termina el { $time }
devices-revoke = Cerrar allí
devices-revoked = La sesión de allí está cerrada.
devices-everywhere = Cerrar en todas partes

## El buzón de la demostración, donde termina todo lo que envía.

demo-site = Demostración de Crier
demo-title = Correo recibido
demo-lede = Todo lo que envía esta demostración termina aquí. La página vuelve a mirar cada tres segundos.
demo-received = { $count ->
    [one] Un mensaje hasta ahora.
   *[other] { $count } mensajes hasta ahora.
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
demo-not-kept = Este mensaje no está aquí
demo-not-kept-next = La demostración guarda solo los mensajes más recientes, y los olvida todos cuando termina.

## Confirmar una petición con el enlace de su correo.

confirm-title-join = ¿Quiere apuntarse a { $list }?
confirm-title-leave = ¿Quiere dejar { $list }?
confirm-title = Confirme, por favor
confirm-asked = Usted, o alguien que escribió su dirección, lo pidió el { $time }.
confirm-list = Lista
confirm-address = Dirección
confirm-changes = Cambios
confirm-mail = Correo
confirm-mail-singly = cada mensaje por separado
confirm-mail-digest = un correo al día
confirm-button-join = Sí, quiero apuntarme
confirm-button-leave = Sí, quiero dejarla
confirm-button = Sí, lo confirmo
confirm-next = Qué pasa después
confirm-next-join = En cuanto pulse el botón será miembro y recibirá los mensajes nuevos.
confirm-next-approval = Deciden los responsables de la lista, y entonces recibirá un correo.
confirm-next-other = El cambio se hace en cuanto pulse el botón.
confirm-not-you = Si no fue usted, cierre esta página. Nada ha cambiado, y el enlace deja de funcionar el { $day }.
confirm-done = Gracias, está confirmado
confirm-done-joined = Es miembro de { $list }
confirm-done-waiting = Su solicitud para { $list } espera aprobación
confirm-done-already = Ya era miembro de { $list }
confirm-done-left = Ha dejado { $list }
confirm-done-no-member = No es miembro de { $list }
confirm-done-changed = Hecho: { $change }
confirm-done-joined-next = Los mensajes nuevos llegan a { $address }. Cada uno tiene un enlace para dejar la lista.
confirm-done-waiting-next = Los responsables de la lista tienen su solicitud. Recibirá un correo en cuanto se decida.
confirm-done-already-next = No hacía falta cambiar nada.
confirm-done-left-next = Ya no recibirá los mensajes nuevos.
confirm-done-no-member-next = No hacía falta cambiar nada.
confirm-done-changed-next = Vale desde ahora.
confirm-refused = No ha sido posible: { $change }
confirm-refused-closed = La lista no admite esas solicitudes por ahora. Sus responsables pueden ayudarle.
confirm-refused-gone = La lista ya no existe.
confirm-refused-address = Las direcciones como { $address } no se admiten aquí. Pruebe con otra.
confirm-refused-taken = Otra persona ya usa { $address } aquí.
confirm-refused-unknown = { $address } no está en ninguna de estas listas.
confirm-refused-full = Por ahora no hay sitio para más miembros. Pregunte a los responsables de la lista.
confirm-used-title = Ya lo ha confirmado
confirm-used = Pulsó el botón el { $time }. No tiene que hacer nada más.
confirm-expired-title = Este enlace ya no funciona
confirm-expired = Estos enlaces funcionan siete días, y este se envió el { $day }. Nada ha cambiado.
confirm-expired-next = Si todavía lo quiere, pídalo otra vez: recibirá un enlace nuevo.
confirm-again = Pedirlo de nuevo
## The other members.

people-title = Miembros
people-title-of = Miembros de { $list }
people-lede = Estas personas están en listas aquí. Sus direcciones no se muestran a otros miembros.
people-lede-with-email = Estas personas están en listas aquí, con las direcciones a las que va su correo.
people-search = Buscar un nombre
people-search-button = Buscar
people-all = Mostrar a todos
people-none = Todavía no hay nadie.
people-not-found = Nadie se llama así. Basta con el comienzo de un nombre.
people-nameless = Alguien sin nombre
people-self = Usted
people-cut = Muchas personas se llaman así y solo se miró a una parte. Añada otra palabra, por favor.
people-pages = Páginas de estos miembros
people-before = Anterior
people-after = Siguiente

## Unirse a una lista y dejarla con el formulario.

join-title = Apuntarse a una lista
join-title-list = Apuntarse a { $list }
join-title-leave = Dejar una lista
join-title-leave-list = Dejar { $list }
join-lede = Le enviaremos un correo para comprobar que la dirección es suya. No pasa nada hasta que lo confirme.
join-none = Aquí no hay ninguna lista a la que apuntarse o que dejar con este formulario.
join-name = Su nombre
join-name-hint = Como deben leerlo los demás de la lista.
join-email = Su dirección
join-lists = ¿Qué listas?
join-all-lists = Hay más listas: verlas todas
join-often = ¿Con qué frecuencia?
join-singly = Cada mensaje por separado
join-digest = Un correo al día
join-digest-hint = Todo junto.
join-hint-approval = Los responsables de la lista deciden sobre cada solicitud.
join-button = Solicitar apuntarse
join-button-leave = Solicitar dejarla
join-agreed = Guardamos su nombre, su dirección, el día en que se apuntó y desde dónde lo pidió, y los usamos solo para estas listas.
join-agreed-leave = Usamos su dirección solo para preguntarle si fue usted.
join-instead-leave = Dejar una lista en su lugar
join-instead-join = Apuntarse a una lista en su lugar
join-name-long = El nombre tiene más de { $count } caracteres.
join-name-link = El nombre tiene caracteres que ningún nombre tiene. Escríbalo sin enlaces.
join-email-missing = Escriba su dirección.
join-email-without-at = A la dirección le falta la @. Debería parecerse a ines@example.org.
join-email-wrong = Esta no es la dirección de un buzón. Debería parecerse a ines@example.org.
join-email-machine = Nadie lee correo en esta dirección. Escriba la suya.
join-email-refused = Con direcciones como esta no es posible apuntarse aquí. Use otra.
join-list-missing = Elija al menos una lista.
join-list-unknown = { $list } no es una lista que se pueda elegir aquí.
join-form-young = Ha sido muy rápido. Pulse el botón otra vez.
join-form-old = Este formulario estuvo abierto demasiado tiempo o no es de esta página. Pulse el botón otra vez.
join-asked = Le hemos enviado un correo
join-asked-next = Abra el enlace del correo enviado a { $address }, o simplemente respóndalo. Hasta entonces, nada ha cambiado.
join-asked-missing = ¿No llega ningún correo al cabo de unos minutos? Mire en la carpeta de spam. Preguntamos a una dirección como mucho una vez al día por cada lista, y no más de cinco veces al día en total.
## Being forgotten.

data-title = Lo que sabemos de usted
data-lede = Su nombre, sus direcciones, sus listas y los mensajes que escribió.
data-download = Descargar lo que sabemos
data-download-posts = Descargar sus mensajes
data-erase-title = Eliminar mis datos
data-erase-lede = { $count ->
    [0] Nosotros le olvidamos.
    [one] Usted deja una lista, y nosotros le olvidamos.
   *[other] Usted deja { $count } listas, y nosotros le olvidamos.
} Esto no se puede deshacer.
data-erase-what = Lo que eliminamos
data-erase-record = Su nombre, sus direcciones y lo que se anotó sobre usted.
data-erase-evidence = Cuándo y cómo se apuntó, lo que confirmó y dónde ha iniciado sesión.
data-erase-waiting = Sus mensajes que esperan una decisión. Ya no se enviarán.
data-erase-posts = ¿Qué pasa con los mensajes que escribió?
data-erase-keep = Se quedan, sin usted
data-erase-keep-hint = Serán de «antiguo miembro», y su nombre y sus direcciones se quitan del texto. Los archivos adjuntos quedan como están.
data-erase-remove = Se quitan
data-erase-remove-hint = Las respuestas de otras personas se quedan en su sitio.
data-erase-others = Lo que escribieron otras personas se queda, también donde le citan o le nombran. El correo enviado no se puede recuperar.
data-erase-button = Eliminar mis datos
data-erase-not-chosen = Elija, por favor, qué pasa con sus mensajes.
data-erase-download = Descargar todo antes
data-erased-title = Sus datos se han eliminado
data-erased-lede = Usted ya no está en ninguna lista, y su nombre y sus direcciones han desaparecido.
data-erased-keep = Sus mensajes se están reescribiendo para que sean de «antiguo miembro». Tarda unos minutos, y más si son muchos.
data-erased-remove = Sus mensajes se están quitando del archivo. Tarda unos minutos, y más si son muchos.
data-erased-traces = Los registros del correo que va de camino hacia usted terminan con él, en cinco días.

## Adónde seguir después de un enlace

onward-read = Leer { $list }
onward-write = Escribir a { $list }
onward-lists = Sus listas
confirm-signed-in = Ha iniciado sesión aquí por un día, o hasta que la cierre.

## Confirmar otra dirección, y otros cambios en cómo llega el correo

confirm-change-replace = Usar esta dirección para sus listas de { $site }, en lugar de la anterior
confirm-site = Listas de
confirm-title-replace = ¿Trasladar su correo a esta dirección?
confirm-button-replace = Sí, enviar mi correo aquí
confirm-next-replace = En cuanto pulse el botón, el correo de sus listas llegará a esta dirección, y ya no a la anterior.
confirm-done-how = { $list } le llega como pidió
confirm-done-digest-next = Desde ahora es un correo al día.
confirm-done-singly-next = Desde ahora cada mensaje llega por separado.
confirm-done-paused = Ya no se envía correo de sus listas a { $address }
confirm-done-paused-next = Puede reanudarlo en cualquier momento.
confirm-done-resumed = El correo de sus listas se envía de nuevo a { $address }
confirm-done-resumed-next = Empieza con el próximo mensaje.
confirm-done-added = { $address } es ahora una de sus direcciones
confirm-done-added-next = El correo de sus listas llega también allí, y puede escribir desde ella.
confirm-done-replaced = El correo de sus listas se envía ahora a { $address }
confirm-done-replaced-next = Su dirección anterior ya no está. Sus listas siguen como estaban.
