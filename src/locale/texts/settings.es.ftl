### Administrators' pages: settings of lists and accounts, administrators and keys.

## Every form of settings.

# $label is the name of a field, $problem a sentence about its value.
set-problem = { $label }: { $problem }
set-save = Guardar los ajustes
set-saved = Los ajustes están guardados.
set-discard = Descartar los cambios

## Settings of an account.

nav-settings = Ajustes
set-account-title = Ajustes de { $account }
set-account-parts = Partes de los ajustes
set-account-fields = Campos de las personas
set-account-domains = Dominios
set-group-identity = Su organización
set-group-identity-hint = Lo que se ve en sus páginas y en sus correos.
set-acc-name = Nombre corto
set-acc-name-help = Letras, números, punto, guion y guion bajo. Si varias organizaciones comparten este servidor, aparece en las direcciones de sus páginas: tras un cambio, los enlaces guardados ya no llevan a ninguna parte.
set-acc-description = Nombre visible
set-acc-description-help = Aparece en sus páginas y en los correos que el servidor escribe en su nombre. Si falta, se usa el nombre corto.
set-acc-language = Idioma
set-acc-language-help = El de los correos que escribe el servidor, y el de las páginas para quien no pide otro con su navegador.
set-acc-timezone = Zona horaria
set-acc-timezone-help = Por ejemplo Europe/Madrid. Los resúmenes diarios se envían a las seis de la mañana de allí, y todos los días y las horas son los de ese lugar.
set-acc-custom_image = Imagen en la parte superior de sus páginas
set-acc-custom_image-help = La dirección de una imagen, https://… El servidor la carga y guarda una copia, para que las visitas no la pidan a nadie más. En blanco: sin imagen.
set-group-joining = Unirse y salir
set-group-joining-hint = Para todas las listas que no digan otra cosa. El botón «Cancelar suscripción» de los programas de correo funciona siempre.
set-acc-subscriptions = ¿Quién puede unirse?
set-acc-subscriptions-help = Desde las páginas, por correo y con formularios en su propia web.
set-open = Cualquiera
set-open-hint = En cuanto la dirección está confirmada.
set-open-confirm = Cualquiera, con nuestra aprobación
set-open-confirm-hint = Las solicitudes quedan pendientes en Aprobaciones.
set-closed = Solo por invitación
set-closed-join-hint = A las personas las añade usted. La lista no está entonces en el directorio.
set-closed-leave-hint = A las personas las quita usted. El botón de su programa de correo funciona de todos modos, como exigen los grandes proveedores.
set-acc-unsubscriptions = ¿Quién puede salir?
set-acc-unsubscriptions-help = Desde las páginas y por correo.
set-acc-unsubscribe_confirm = Volver a preguntar cuando alguien sale con un enlace
set-acc-unsubscribe_confirm-help = La página del enlace tiene entonces un botón más, que pide confirmarlo. El botón de un programa de correo funciona de todos modos enseguida.
set-acc-restrict_contact = Solo estas direcciones pueden estar en la libreta de direcciones
set-acc-restrict_contact-help = Expresiones regulares, una por línea, por ejemplo @example\.org$. Si una dirección no encaja con ninguna, se rechaza, la añada quien la añada. En blanco: se permiten todas.
set-acc-restrict_contact_subscription = Solo estas direcciones pueden solicitar unirse
set-acc-restrict_contact_subscription-help = Lo mismo para quien se une por su cuenta. Usted puede añadir también otras.
set-group-welcome = Correos a los nuevos miembros
set-group-welcome-hint = Las listas pueden tener textos propios. Las variables como $NAME y $LIST se rellenan.
set-acc-confirmation_subject = Asunto del correo de confirmación
set-acc-confirmation_subject-help = Déjelo en blanco para usar nuestro texto, en el idioma de la cuenta.
set-acc-confirmation_message = Texto del correo de confirmación
set-acc-confirmation_message-help = Lo recibe quien solicita unirse, y con su enlace se hace miembro. Si su texto no tiene $CONFIRM, ponemos el enlace debajo.
set-acc-welcome_message = Bienvenida
set-acc-welcome_message-help = Se muestra en la página tras la confirmación, y se envía si marca una de las dos casillas siguientes. En blanco: nuestro texto.
set-acc-send_welcome_message_confirmation = Enviar la bienvenida tras una confirmación
set-acc-send_welcome_message_confirmation-help = Una vez, en cuanto se abre el enlace del primer correo.
set-acc-send_welcome_message_contacts = Enviar la bienvenida a quien usted añada
set-acc-send_welcome_message_contacts-help = Enseguida. Una importación grande envía entonces otros tantos correos.
set-group-admins = Administración
set-group-admins-hint = Cómo trabajan juntas las personas responsables de las listas.
set-acc-notify_approval = ¿Cuándo se avisa a la administración de lo pendiente?
set-acc-notify_approval-help = De los mensajes y solicitudes pendientes de aprobación. Las listas pueden decir otra cosa.
set-notify-none = Nunca
set-notify-each = Cada vez
set-notify-daily = Una vez al día
set-acc-list_delegation = Las personas responsables de una lista pueden compartirla
set-acc-list_delegation-help = Quienes administran solo algunas listas pueden entonces invitar a otras personas a ellas, sin más permisos que los suyos.
set-acc-require_list_approval = Las listas nuevas necesitan aprobación
set-acc-require_list_approval-help = La lista que cree alguien sin permiso para cambiar la cuenta no acepta mensajes hasta que se apruebe en la página de las listas.

## Settings of a list: its groups.

set-lg-name = Nombre
set-lg-name-hint = Lo que se ve en el directorio y en la bandeja de entrada.
set-lg-joining = Unirse y salir
set-lg-joining-hint = El botón «Cancelar suscripción» de los programas de correo funciona siempre, elija lo que elija aquí.
set-lg-posting = Escribir y responder
set-lg-posting-hint = Los mensajes de otras personas quedan pendientes, se devuelven o se descartan, según lo que elija en Escritura.
set-lg-holding = Pendientes de aprobación
set-lg-holding-hint = También los mensajes de quien puede escribir. Lo que se retiene queda pendiente en Aprobaciones.
set-lg-content = Mensajes
set-lg-content-hint = Lo que la lista cambia en cada mensaje antes de enviarlo.
set-lg-footers = Encima y debajo de cada mensaje
set-lg-footers-hint = Puede usar $NAME, $EMAIL, $LIST, $LISTADDRESS, $DESCRIPTION, $UNSUBSCRIBE, $MANAGE, $ARCHIVE y $DATE; un signo de dólar se escribe $$.
set-lg-archive = Archivo
set-lg-archive-hint = Lo que no se puede leer tampoco se encuentra: ni en búsquedas, ni en feeds, ni en cifras.

## Settings of a list: its fields.

set-list-description = Nombre visible
set-list-description-help = Aparece en el directorio, en el remitente y en los pies. Si falta, se usa la dirección.
set-list-name = Dirección
set-list-name-help = La parte antes de la @: letras, números, punto, guion y guion bajo. Tras un cambio, los enlaces a las páginas antiguas llevan a las nuevas, pero el correo a la dirección antigua se devuelve.
set-list-subject_prefix = Antes de cada asunto
set-list-subject_prefix-help = Por ejemplo [4B]. Se pone una vez y no se repite en las respuestas.
set-list-clid = Número en otro sistema
set-list-clid-help = Con el que conocen la lista sus propios programas. Ninguna otra lista puede tener el mismo.
set-list-notes = Notas
set-list-notes-help = Solo las ve la administración.
set-list-subscriptions = ¿Quién puede unirse?
set-list-subscriptions-help = Desde las páginas, por correo y con formularios en su propia web.
set-list-unsubscriptions = ¿Quién puede salir?
set-list-unsubscriptions-help = Desde las páginas y por correo.
set-as-account = Según los ajustes de la cuenta
set-list-memberview = ¿Quién ve a los demás miembros?
set-list-memberview-help = En las páginas de los miembros que han iniciado sesión.
set-view-nobody = Nadie
set-view-noemail = Los miembros ven los nombres de los miembros de esta lista
set-view-withemail = Los miembros ven sus nombres y direcciones
set-view-all-noemail = Los miembros ven los nombres de todas las personas de la cuenta
set-view-all-withemail = Los miembros ven nombres y direcciones de todas las personas de la cuenta
set-list-moderate = Casillas para decidir quién puede escribir
set-list-moderate-help = La pregunta de Lo básico las marca por usted. Si no se marca nada, puede escribir cualquiera; «Solo estos remitentes» necesita al menos una de las dos siguientes.
set-bit-1 = Retener cada mensaje para aprobarlo
set-bit-2 = Solo estos remitentes:
set-bit-4 = miembros de las listas marcadas abajo
set-bit-8 = las direcciones indicadas en Lo básico
set-bit-16 = Rechazar las direcciones bloqueadas (en Escritura)
set-list-restrict_post_lists = Listas cuyos miembros pueden escribir
set-list-restrict_post_lists-help = Se aplica si arriba están marcados los miembros. Para que solo escriban los miembros de esta lista, marque la propia lista.
set-list-restrict_post_allowed_emails = Direcciones que pueden escribir
set-list-restrict_post_allowed_emails-help = Una por línea, sean miembros o no. Se aplica si su respuesta de arriba habla de direcciones.
set-list-restrict_post_banned_emails = Direcciones bloqueadas
set-list-restrict_post_banned_emails-help = Una por línea.
set-list-message_rejections = ¿Qué pasa con los mensajes de otras personas?
set-list-message_rejections-help = Los mensajes de quienes no pueden escribir a la lista.
set-rejections-hold = Quedan pendientes de aprobación
set-rejections-hold-hint = Usted decide en Aprobaciones.
set-rejections-reject = Se devuelven
set-rejections-reject-hint = El remitente sabe el motivo por su propio servidor de correo.
set-rejections-discard = Se descartan
set-rejections-discard-hint = No se avisa a nadie y no se guarda nada.
set-list-hold_automated = Retener los correos automáticos
set-list-hold_automated-help = Boletines, invitaciones de calendario, avisos de ausencia y todo lo demás que envía una máquina. Si no, los avisos de ausencia se descartan y el resto se envía.
set-list-hold_replies = Retener las respuestas a mensajes de la lista
set-list-hold_replies-help = Para anuncios que no deben acabar en un debate.
set-list-hold_new = Retener los primeros mensajes de los nuevos miembros
set-list-hold_new-help = De 0 a 20 mensajes de cada miembro; 0 para ninguno.
set-list-taboo_headers = Retener según la cabecera
set-list-taboo_headers-help = Expresiones regulares, una por línea, 100 como máximo. Se retiene el mensaje con una línea de cabecera que encaje con alguna, por ejemplo ^Subject:.*lotería.
set-list-taboo_body = Retener según el texto
set-list-taboo_body-help = Lo mismo con el texto de un mensaje. Lo que no se puede comprobar en 0,2 segundos se retiene.
set-list-moderator = Dirección de moderación
set-list-moderator-help = Quien lee el correo de esta dirección aprueba los mensajes de la lista en lugar de la administración: allí llegan las solicitudes, y decide la respuesta por correo o por el enlace.
set-list-notify_approval = ¿Cuándo se avisa a la administración de lo pendiente?
set-list-notify_approval-help = Por correo, sobre los mensajes y solicitudes de esta lista.
set-list-maxlength = Tamaño máximo de un mensaje
set-list-maxlength-help = En kB, hasta 51.200; 1024 kB son un megabyte. El correo más grande se devuelve.
set-list-truncate = Cortar los mensajes después de
set-list-truncate-help = En bytes. El resto se omite, y una línea lo indica. En blanco: nunca.
set-list-strip_attachments = Quitar los adjuntos
set-list-strip_attachments-help = Los miembros reciben solo el texto, y una línea indica qué se ha quitado.
set-list-reply_to = Otra dirección para las respuestas
set-list-reply_to-help = Se aplica si eligió «A otra dirección».
set-list-rewrite_sender = Enviar siempre en nombre de la lista
set-list-rewrite_sender-help = Si no, solo cuando, por las reglas del proveedor del remitente, el correo parecería una suplantación.
set-list-original_sender_mode = Dónde figura entonces quien lo escribió
set-list-original_sender_mode-help = Cuando un mensaje sale en nombre de la lista.
set-sender-reply-to = Como dirección de respuesta
set-sender-cc = En Cc
set-sender-notice = En una línea sobre el texto
set-sender-hide = En ninguna parte
set-sender-hide-hint = Ni los miembros ni los archivos llegan a saber la dirección de quien lo escribió.
set-list-merge_tags_enabled = Rellenar nombres en los mensajes
set-list-merge_tags_enabled-help = $NAME, $FIRSTNAME, $EMAIL y otros, en el asunto y el texto de lo que se envía. Cada miembro recibe entonces su propia copia.
set-list-merge_tags_default_name = En lugar de un nombre que falta
set-list-merge_tags_default_name-help = Por ejemplo «colega», para que nadie lea «Hola,» sin nombre.
set-list-message_fronter = Texto de encima
set-list-message_fronter-help = Encima del texto sin formato de cada mensaje.
set-list-message_fronter_html = HTML de encima
set-list-message_fronter_html-help = Encima del texto con formato. En blanco: el texto de arriba.
set-list-message_footer = Texto de debajo
set-list-message_footer-help = Debajo del texto sin formato de cada mensaje.
set-list-message_footer_html = HTML de debajo
set-list-message_footer_html-help = Debajo del texto con formato. En blanco: el texto de debajo.
set-list-archive_enabled = Mantener un archivo
set-list-archive_enabled-help = Los mensajes se pueden leer y buscar en las páginas de la lista.
set-list-archive_protected = Protegerlo
set-list-archive_protected-help = Para leerlo hace falta entonces la contraseña, o ser miembro si marca la casilla siguiente.
set-list-archive_memberview = Los miembros pueden leerlo
set-list-archive_memberview-help = Vale para un archivo protegido, cuando han iniciado sesión.
set-list-archive_password = Contraseña del archivo
set-list-archive_password-help = Abre un archivo protegido. No se muestra nunca; si deja el campo en blanco, no cambia.
set-list-password-none = Quitar la contraseña
set-list-archive_spammode = Ocultar las direcciones
set-list-archive_spammode-help = A quien no sea miembro, para que nadie las recopile.
set-list-archive_index_noshow = No incluirlo en la lista pública de archivos
set-list-archive_index_noshow-help = Tampoco se informa a los buscadores.
set-list-welcome_message_subject = Asunto de la bienvenida
set-list-welcome_message_subject-help = El del correo a los nuevos miembros de esta lista.
set-list-welcome_message = Bienvenida
set-list-welcome_message-help = Se envía a los nuevos miembros. En blanco: lo que diga la cuenta.
set-list-confirmation_subject = Asunto del correo de confirmación
set-list-confirmation_subject-help = En blanco: lo que diga la cuenta.
set-list-confirmation_message = Texto del correo de confirmación
set-list-confirmation_message-help = Se envía a quien solicita unirse. Si su texto no tiene $CONFIRM, ponemos el enlace debajo.
set-list-send_hold_message = Avisar al remitente de que su mensaje está pendiente
set-list-send_hold_message-help = Solo si se ha comprobado el remitente, para no escribir a alguien cuya dirección se ha suplantado.
set-list-hold_subject = Asunto del correo sobre un mensaje pendiente
set-list-hold_subject-help = Puede usar $LIST y $REASON.
set-list-hold_message = Texto del correo sobre un mensaje pendiente
set-list-hold_message-help = $REASON dice por qué está pendiente el mensaje.
set-list-send_reject_message = Avisar al remitente de que su mensaje se rechazó
set-list-send_reject_message-help = Cuando la moderación rechaza un mensaje pendiente.
set-list-reject_subject = Asunto del correo de rechazo
set-list-reject_subject-help = Aquí también puede usar $LIST y $REASON.
set-list-reject_message = Texto del correo de rechazo
set-list-reject_message-help = $REASON es lo que escribió la moderación.

## Lists.

nav-admin-lists = Listas
lists-new = Lista nueva
lists-new-lede = Elija lo que más se parezca. Todo se puede cambiar después.
lists-kind = ¿Para qué es la lista?
lists-kind-missing = Elija para qué es la lista.
lists-kind-announcements = Anuncios
lists-kind-announcements-hint = Usted escribe y los demás leen. La gente pide unirse y usted decide; las respuestas le llegan solo a usted.
lists-kind-discussion = Debate
lists-kind-discussion-hint = Los miembros se escriben entre sí y las respuestas van a la lista. La gente pide unirse y usted decide; solo los miembros leen el archivo.
lists-kind-moderated = Debate moderado
lists-kind-moderated-hint = Los miembros se escriben entre sí, y cada mensaje y cada miembro nuevo necesita su aprobación.
lists-kind-private = Equipo privado
lists-kind-private-hint = Solo las personas que usted añada. Se ven entre sí, y nadie más encuentra la lista ni su archivo.
# $domain is a domain like lists.example.org.
lists-name-hint = La parte antes de @{ $domain }: letras, números, punto, guion y guion bajo.
lists-make = Crear la lista
lists-search = Buscar por nombre y descripción
lists-none = Todavía no hay ninguna lista.
lists-none-found = Ninguna lista tiene estas palabras.
lists-list = Lista
lists-members = Miembros
lists-posting = Quién escribe
lists-posting-held = cada mensaje se aprueba antes
lists-posting-members = los miembros
lists-posting-some = algunas direcciones
lists-posting-all = cualquiera
lists-pending = pendiente de aprobación
lists-waiting = Listas pendientes de su aprobación
lists-reason = Su motivo, si la rechaza
lists-approved = La lista ya acepta mensajes.
lists-rejected = La lista se ha eliminado.
lists-discarded = La lista se ha eliminado y no se avisa a nadie.
lists-deleted = La lista se ha eliminado, con las suscripciones de sus miembros, lo que estaba pendiente y su archivo.

## The page of a list.

list-parts = Partes de esta lista
list-public = Página pública
list-made = La lista está creada. Repase sus ajustes y después añada miembros.
list-read-only = Así está configurada la lista. Otras personas pueden cambiarlo.
list-preview = Actualizar la vista previa
list-preview-title = Lo que recibe un miembro
list-preview-real = El mensaje más reciente de la lista, con estos textos.
list-preview-made = La lista todavía no tiene mensajes, así que este es inventado.
list-sample-subject = Les damos la bienvenida
list-sample-text = Así se ve un mensaje de esta lista.
list-delete = Eliminar la lista
list-delete-lede = Con ella desaparecen sus suscripciones, lo pendiente de aprobación y su archivo. Esto no se puede deshacer. Las personas siguen en la libreta de direcciones.
# The page that asks before a list is deleted; $name is its name.
list-delete-open = Ver qué desaparece y eliminar
list-delete-ask = ¿Eliminar { $name }?
list-delete-members = { $count ->
    [0] La lista no tiene miembros.
    [one] { $count } persona sale de la lista y sigue en la libreta de direcciones.
   *[other] { $count } personas salen de la lista y siguen en la libreta de direcciones.
}
list-delete-messages = { $count ->
    [0] El archivo está vacío.
    [one] Desaparece el archivo, con { $count } mensaje.
   *[other] Desaparece el archivo, con { $count } mensajes.
}
# Messages and requests of people.
list-delete-waiting = { $count ->
    [one] Se descarta { $count } elemento pendiente de aprobación.
   *[other] Se descartan { $count } elementos pendientes de aprobación.
}
list-delete-address = Desde entonces se rechaza el correo a su dirección, y los enlaces a sus páginas no llevan a ninguna parte.
list-delete-forever = Una lista eliminada no se puede recuperar.
list-delete-now = Eliminar { $name } definitivamente
list-delete-not = Conservar la lista

## What would happen to a mail.

sim-title = Probar un mensaje
sim-lede = ¿Qué pasaría con un correo a esta lista? No se envía nada ni se guarda nada.
sim-message = El correo completo
sim-message-hint = Primero la cabecera, luego una línea en blanco y el texto: «From: …», «Subject: …». Los programas de correo lo llaman código fuente.
sim-button = ¿Qué pasaría?
sim-missing = Pegue un correo.
sim-posted = Se enviaría a los miembros
sim-held = Quedaría pendiente de aprobación: { $reason }
sim-discarded = Se descartaría: { $reason }
sim-returned = Se devolvería al remitente: { $reason }
sim-refused = La lista no lo aceptaría: { $reason }
sim-deferred = Se aplazaría, y el servidor del remitente lo intentaría de nuevo: { $reason }
sim-loop = el mensaje ya ha pasado por esta lista
sim-hops = el mensaje ha pasado por demasiados servidores
sim-duplicate = esta lista ya ha recibido este mensaje
sim-automatic = el mensaje es una respuesta automática o un informe de entrega
sim-recipients = { $count ->
    [0] Ninguna dirección lo recibiría.
    [one] Una dirección lo recibiría.
   *[other] { $count } direcciones lo recibirían.
}
sim-recipients-later = { $count ->
    [0] No lo recibiría nadie, ni siquiera después de aprobarlo.
    [one] Una vez aprobado, lo recibiría una dirección.
   *[other] Una vez aprobado, lo recibirían { $count } direcciones.
}
sim-paused = { $count ->
    [one] Una dirección está en pausa y no recibe nada.
   *[other] { $count } direcciones están en pausa y no reciben nada.
}
# $answer is a reply of SMTP, in English.
sim-answer = El servidor del remitente recibiría: { $answer }
sim-changes = Lo que cambiaría la lista
sim-header = La cabecera de una copia

## People who look after a list.

helpers-lede = Ven esta lista y nada más, salvo que sean también responsables de otras. Nadie puede dar más permisos de los que tiene.
helpers-none = Todavía nadie, aparte de la administración de la cuenta.
helpers-you = Usted
helpers-take-out = Quitar
helpers-taken-out = Esta persona ya no es responsable de la lista.
helpers-invite = Invitar a alguien
helpers-address = Dirección
helpers-firstname = Nombre
helpers-surname = Apellidos
helpers-rights = ¿Qué puede hacer esta persona?
helpers-invite-button = Enviar la invitación
helpers-invited = Hecho. Si la persona es nueva, recibe un correo con un enlace para elegir una contraseña.

## Members of a list.

members-add = Añadir miembros
members-emails = Direcciones
members-emails-hint = Una por línea, o como en un programa de correo: Ada Lovelace <ada@example.org>, bob@example.org. Son miembros enseguida; añada solo a quien quiera estar en la lista.
members-add-button = Añadir
members-mail = Correo
members-digest-button = Aplicar a lo seleccionado
# $count is the number of members whose setting was changed.
members-digest-set = { $count ->
    [one] Un miembro recibe los mensajes como usted ha indicado.
   *[other] { $count } miembros reciben los mensajes como usted ha indicado.
}
members-added = { $count ->
    [0] Ya son miembros.
    [one] Se ha añadido a un miembro.
   *[other] Se ha añadido a { $count } miembros.
}
members-added-known = { $count } añadidos, { $known } ya eran miembros.
members-removed = { $count ->
    [one] Se ha quitado a un miembro de la lista.
   *[other] Se ha quitado a { $count } miembros de la lista.
}
members-none-typed = Escriba una dirección.
members-too-many = Añada como máximo { $count } personas a la vez; una importación admite más.
# $line is what somebody typed.
members-wrong-line = «{ $line }» no es una dirección. No se ha añadido a nadie.
members-none-selected = Primero seleccione a alguien.
members-remove = Quitar de la lista
members-search = Buscar nombres y direcciones
members-none = Todavía no hay miembros.
members-none-found = Ningún miembro tiene estas palabras.
members-count = { $count ->
    [one] Un miembro
   *[other] { $count } miembros
}
members-choose = Seleccionar
members-person = Persona
members-addresses = Direcciones
members-since = Desde

## Aliases.

nav-aliases = Alias
aliases-lede = Un alias es otra dirección que reenvía su correo a otras, tal como llegó.
aliases-new = Alias nuevo
aliases-group = Alias
aliases-group-hint = Los miembros de una lista no se enteran; es para cargos y servicios, como junta o info.
aliases-source = Dirección
aliases-source-help = La parte antes de la @. Ninguna lista puede tener la misma.
aliases-destination = Va a
aliases-destination-help = Direcciones, una por línea, 20 como máximo. También pueden ser listas y otros alias.
aliases-make = Crear el alias
aliases-made = El alias ya recibe correo.
aliases-delete = Eliminar el alias
aliases-deleted = El alias se ha eliminado. El correo que se le envíe se devuelve.
aliases-none = Todavía no hay ningún alias.

## Custom fields.

fields-lede = Lo que usted anota sobre las personas además de su nombre y sus direcciones, por ejemplo un número de socio. Las importaciones y los programas pueden rellenarlo, y los pies pueden mostrarlo.
fields-none = Todavía no hay otros campos.
fields-name = Nombre
fields-id = Identificador
fields-id-hint = Opcional: un nombre corto sin espacios, que los programas usan en lugar del nombre.
fields-members-edit = Los miembros pueden cambiarlo en sus páginas
fields-new = Campo nuevo
fields-new-hint = Desde entonces lo tienen todas las personas de la libreta de direcciones, al principio en blanco.
fields-add = Añadir el campo
fields-added = El campo se ha añadido.
fields-saved = El campo se ha cambiado. Lo que las personas tienen en él se queda.
fields-delete = Eliminar el campo y sus valores
fields-deleted = El campo se ha eliminado, con todo lo que las personas tenían en él.

## Domains and their DNS records.

domains-lede = Añada estos registros donde se gestiona el DNS de su dominio. Se consultan al abrir esta página.
domains-name = Dominio
domains-add = Añadir un dominio
domains-add-hint = Por ejemplo lists.example.org. Recibe correo en cuanto el DNS demuestra que es suyo.
domains-added = El dominio se ha anotado. Ahora hacen falta sus registros.
domains-there = { $name } ya está entre sus dominios.
domains-main = listas
domains-web = páginas
domains-make-main = Usar para las listas
domains-main-done = Ahora las listas tienen sus direcciones en este dominio. El correo al otro sigue llegando.
domains-make-web = Usar para las páginas
domains-web-done = Los enlaces llevan a este dominio en cuanto responda.
domains-remove = Quitar el dominio
domains-removed = El dominio se ha quitado. El correo que se le envíe se rechaza.
domains-check = Comprobar de nuevo
domains-checked = Se acaba de comprobar.
domains-unproven = todavía sin verificar
domains-unproven-next = Uno de estos registros demuestra que el dominio es suyo. Hasta entonces no recibe correo.
# $right of $count records are right.
domains-right = { $right } de { $count } registros son correctos
dns-use = Uso
dns-type = Tipo
dns-name = Nombre
dns-value = Valor
dns-status = Estado
dns-right = Correcto
dns-missing = Falta
dns-wrong = Incorrecto
dns-unknown = Desconocido
dns-found = El DNS tiene:
dns-own-address = la dirección de este servidor, que conoce quien lo gestiona
dns-mail = El correo llega aquí (MX)
dns-host = Dirección del servidor de correo (A)
dns-web = Páginas (A)
dns-sending = Quién puede enviar (SPF)
dns-signature = Firma (DKIM)
dns-next-signature = Próxima firma (DKIM)
dns-policy = Política contra suplantaciones (DMARC)
dns-reverse = DNS inverso (PTR; lo configura su proveedor de alojamiento)
dns-proof = Prueba de que es suyo

## Administrators and keys.

nav-administrators = Accesos y claves
admins-people = Personas
admins-invite = Invitar a una persona
admins-invited = todavía no ha iniciado sesión
admins-invited-lede = Puede que se haya perdido el correo con el enlace. Uno nuevo funciona siete días; los anteriores dejan de valer cuando se usa.
admins-invite-again = Enviar otra vez el enlace
admins-invited-done = Un correo con un enlace para elegir una contraseña está en camino.
admins-keys = Claves para programas
admins-keys-lede = Un programa usa una clave en lugar de nombre y contraseña, y puede hacer lo que permite la clave.
admins-key = Clave
admins-new-key = Clave nueva
admins-make-key = Crear la clave
admins-key-made = La clave está preparada. Muéstrela ahora y póngala en el programa.
admins-get-key = Crear y mostrar una clave nueva
admins-get-key-lede = Se muestra una sola vez. La clave anterior, si la había, deja de valer.
admins-key-new = Esta es la clave. Cópiela ahora: no se vuelve a mostrar.
admins-no-key = todavía sin crear
admins-expiry = Válida hasta
admins-expiry-months = ¿Cuánto tiempo debe funcionar?
admins-no-expiry = sin límite
admins-months = { $count ->
    [one] Un mes
   *[other] { $count } meses
}
admins-since = Desde
admins-last-use = Último uso
admins-never-used = todavía sin usar
admins-anywhere = cualquier red
admins-nothing = ninguno
# $rights and $lists are enumerations.
admins-only-lists = { $rights }, solo para { $lists }
admins-no-list = { $rights }, pero para ninguna lista
admins-all-lists = { $rights }, para todas las listas
# $rights is what the person or program may do, and for which lists.
admins-given = Permisos de { $who }: { $rights }.
admins-username = Dirección
admins-username-help = Con ella inicia sesión la persona. Si la cambia otra persona, la titular elige una contraseña nueva en la dirección nueva.
admins-firstname-help = Opcional.
admins-surname-help = Opcional.
admins-description = Para qué es
admins-description-help = Para saber después qué programa la usa. Aparece en el registro de actividad.
admins-cidr = Desde dónde
admins-cidr-help = Redes, una por línea, por ejemplo 192.0.2.0/24. La clave vale solo desde ellas; en blanco: desde cualquiera.
admins-image = Mostrar la imagen de la cuenta a esta persona
admins-image-help = En la parte superior de las páginas.
admins-notifications = Correos sobre
admins-notifications-help = De qué se avisa a esta persona.
admins-permissions = Permisos
admins-permissions-help = Puede dar los que usted tiene. Un cambio cierra las sesiones de la persona.
admins-limit-lists = ¿Para qué listas?
admins-limit-lists-help = Quien está limitado a unas listas no ve nada más, ni siquiera al buscar.
admins-limit-lists-only = Solo para estas listas; sin marcar, para todas
admins-limit-lists-none = Elija al menos una lista.
admins-limit-metadata = ¿Qué campos de las personas?
admins-limit-metadata-help = A quien está limitado a unos campos se le ocultan los demás.
admins-limit-metadata-only = Solo estos campos; si no se marca, todos
admins-limit-metadata-none = Elija al menos un campo.
admins-group-rights = Qué puede hacer
admins-group-rights-hint = Lo que se permite a la persona o al programa.
admins-group-person = Persona
admins-group-person-hint = Alguien que inicia sesión en estas páginas.
admins-group-mail = Correos
admins-group-mail-hint = Lo que el servidor escribe a la persona por sí mismo.
admins-group-key = Clave
admins-group-key-hint = Para un solo programa, de modo que se pueda retirar por separado.
admins-delete = Eliminar
admins-delete-lede = Se cierran todas las sesiones de la persona, y no puede volver. Lo que hizo queda en el registro de actividad.
admins-delete-key-lede = Desde ahora se rechaza al programa que la usa.
admins-deleted = Se ha eliminado.
right-account-admin = hacerlo todo
right-account-admin-hint = Los ajustes de la cuenta, los accesos y las claves, y todo lo siguiente.
right-manage-settings = configurar listas y alias
right-manage-members = gestionar personas y miembros
right-approve-messages = aprobar mensajes y solicitudes
right-send-messages = enviar mensajes
tell-held-message = un mensaje pendiente de aprobación
tell-pending-member = una persona pendiente de aprobación
tell-pending-list = una lista pendiente de aprobación
tell-member-joined = un miembro nuevo
tell-member-left = alguien que ha salido
tell-bounce = una dirección que no acepta correo
tell-complaint = un correo marcado como spam
tell-delivery-problem = problemas de entrega
tell-security = inicios de sesión y claves que conviene revisar
admins-grants = Aplicaciones autorizadas
# $person allowed it on $day, and the application last used it on $last.
admins-grant = Autorizada por { $person } el { $day }, usada por última vez el { $last }
admins-revoke = Retirar el permiso
admins-revoked = La aplicación ya no puede actuar en nombre de esta persona.
admins-provider = Inicia sesión en
admins-provider-help = El nombre de un proveedor que este servidor conoce. En blanco: aquí, con contraseña.

## Below each message of a new list. The words with $ stay as they are: they are variables of the text.

list-footer = Recibe este mensaje como miembro de $LIST.
    Salir de la lista: $UNSUBSCRIBE
    Archivo: $ARCHIVE

## The five pages of the settings of a list, and their groups.

set-parts = Páginas de los ajustes
set-part-basics = Lo básico
set-part-writing = Escritura
set-part-texts = Textos
set-part-archive = Archivo
set-part-advanced = Avanzado
set-lg-others = Mensajes de otras personas
set-lg-others-hint = De quienes no pueden escribir a la lista.
set-lg-html = Lo mismo en HTML
set-lg-html-hint = Para mensajes con formato. La mayoría de las listas lo dejan en blanco: entonces se forma con los textos de arriba.
set-lg-names = Nombres en los mensajes
set-lg-names-hint = Para cartas que se dirigen a cada miembro por su nombre.
set-lg-welcome = Correo a los nuevos miembros
set-lg-welcome-hint = Un campo en blanco: nuestras propias palabras, en el idioma de la cuenta.
set-lg-asking = Correo que pide confirmación
set-lg-asking-hint = A quienes piden unirse o salir. Un campo en blanco: nuestras propias palabras.
set-lg-held = Correo a quien envió un mensaje pendiente
set-lg-held-hint = Se envía si así se indica en Escritura. Un campo en blanco: nuestras propias palabras.
set-lg-rejected = Correo a quien envió un mensaje rechazado
set-lg-rejected-hint = Se envía si así se indica en Escritura. Un campo en blanco: nuestras propias palabras.
set-lg-bits = Casillas sueltas
set-lg-bits-hint = Para combinaciones que no ofrece ninguna respuesta de Lo básico.
set-lg-patterns = Patrones
set-lg-patterns-hint = Los mensajes que coinciden con alguno quedan pendientes de aprobación.
set-lg-sizes = Tamaños
set-lg-ids = Números y notas
set-fold-changed = en uso
set-single = Definido por las casillas de Avanzado
set-single-archive = Definido por las casillas de Archivo

## Questions of the settings of a list that stand for several fields.

set-who = ¿Quién puede escribir?
set-who-help = Sin que nadie lo apruebe antes, salvo que la respuesta diga otra cosa.
set-who-members = Los miembros
set-who-approved = Los miembros, con aprobación
set-who-approved-hint = Cada mensaje queda antes pendiente en Aprobaciones.
set-who-addresses = Solo estas direcciones
set-who-moderators = Nadie sin aprobación
set-who-everybody = Cualquiera
set-who-everybody-hint = También personas desconocidas. Cuente con spam.
set-answers = ¿Adónde van las respuestas?
set-answers-help = Cuando alguien pulsa «Responder» en su programa de correo.
set-answers-list = A la lista
set-answers-author = A quien escribió el mensaje
set-answers-other = A otra dirección
set-answers-missing = Indique la dirección para las respuestas.
set-archive-for = ¿Quién puede leer el archivo?
set-archive-for-help = En Archivo puede fijar una contraseña para otras personas.
set-archive-for-members = Los miembros
set-archive-for-everybody = Cualquiera
set-archive-for-everybody-hint = También los buscadores.
set-archive-for-nobody = Nadie: no guardar archivo
set-refuse-banned = Rechazar las direcciones de abajo
set-refuse-banned-help = No pueden escribir, ni siquiera como miembros.
set-closed-leave = Nadie por su cuenta
set-yes = Sí
set-no = No
set-nothing = –

## What is set now, at the top of each page of the settings of a list.

set-now-write-everybody = Cualquiera puede escribir.
set-now-write-members = Escriben los miembros.
set-now-write-approved = Escriben los miembros, y cada mensaje queda pendiente de aprobación.
set-now-write-addresses = Solo escriben ciertas direcciones.
set-now-write-moderators = Cada mensaje queda pendiente de aprobación.
set-now-write-single = Las casillas de Avanzado dicen quién puede escribir.
set-now-join-open = Cualquiera puede unirse.
set-now-join-asking = Cualquiera puede pedir unirse, y usted decide.
set-now-join-closed = Usted añade a los miembros.
set-now-answers-list = Las respuestas van a la lista.
set-now-answers-author = Las respuestas van a quien escribió.
# $address is an address of mail.
set-now-answers-other = Las respuestas van a { $address }.
set-now-archive-everybody = Cualquiera puede leer el archivo.
set-now-archive-members = Los miembros leen el archivo.
set-now-archive-password = Leen el archivo quienes saben la contraseña.
set-now-archive-closed = Solo la administración lee el archivo.
set-now-archive-none = No se guarda archivo.
set-now-others-hold = Los mensajes de otras personas quedan pendientes de aprobación.
set-now-others-reject = Los mensajes de otras personas se devuelven.
set-now-others-discard = Los mensajes de otras personas se descartan.
set-now-told = Se avisa al remitente cuando un mensaje queda pendiente o se rechaza.
set-now-told-held = Se avisa al remitente cuando un mensaje queda pendiente, pero no cuando se rechaza.
set-now-told-rejected = Se avisa al remitente cuando un mensaje se rechaza, pero no cuando queda pendiente.
set-now-told-nothing = No se avisa al remitente de lo que pasa con su mensaje.
set-now-around-both = Hay un texto encima y otro debajo de cada mensaje.
set-now-around-above = Hay un texto encima de cada mensaje.
set-now-around-below = Hay un texto debajo de cada mensaje.
set-now-around-nothing = No se añade nada a los mensajes, así que no muestran cómo salir.
set-now-mails = { $count ->
    [0] Los correos de la propia lista llevan nuestras palabras.
    [one] Un correo de la propia lista lleva sus palabras.
   *[other] { $count } correos de la propia lista llevan sus palabras.
}
set-now-addresses-hidden = Solo los miembros ven en él las direcciones.
set-now-addresses-shown = Las direcciones las ve cualquiera que lo lea.
# $size is a number.
set-now-size = Los mensajes pueden tener hasta { $size } kB.
set-now-patterns = { $count ->
    [0] Ningún patrón retiene mensajes.
    [one] Un patrón retiene mensajes.
   *[other] { $count } patrones retienen mensajes.
}

## The other pages of a list, and the search over its settings.

list-helpers = Responsables
list-preview-unsaved = Todavía no se ha guardado nada.
set-search = Buscar un ajuste
set-search-none = Ningún ajuste tiene estas palabras. Pruebe con menos o con otras.

## A new key in place of the one that there is: asked first
admins-key-again = ¿Sustituir la clave?
admins-key-again-ends = La clave actual de «{ $name }» deja de funcionar en el acto y no se puede recuperar. Lo que la usa necesita la nueva.
# $time is a moment, or that it was never used.
admins-key-again-used = Último uso: { $time }.
admins-key-again-button = Anular y mostrar una nueva
admins-key-again-back = Conservar la clave actual

## The buttons that take an account or a list along, on /admin/settings/ and /admin/lists/…/advanced/
export-title = Llevárselo todo
export-lede = Un archivo zip en formatos abiertos: las personas con todo lo que se sabe de ellas, las listas con sus ajustes y archivos, los alias y los administradores. Las contraseñas y las claves no se incluyen. Un archivo grande tarda un rato.
export-button = Descargarlo todo
export-list-title = Llevarse la lista
export-list-lede = Un archivo zip en formatos abiertos: los miembros con todo lo que se sabe de ellos, los ajustes y el archivo completo.
export-list-button = Descargar la lista

## Who writes to a list: members, and addresses besides; on the page of its settings
set-who-members-addresses = Los miembros y las direcciones de abajo
set-who-members-addresses-approved = Los miembros y las direcciones de abajo, con aprobación
set-now-write-members-addresses = { $count ->
    [0] Escriben los miembros.
    [one] Escriben los miembros y 1 dirección más.
   *[other] Escriben los miembros y { $count } direcciones más.
}
set-now-write-members-addresses-approved = { $count ->
    [0] Escriben los miembros, y cada mensaje queda pendiente de aprobación.
    [one] Escriben los miembros y 1 dirección más, y cada mensaje queda pendiente de aprobación.
   *[other] Escriben los miembros y { $count } direcciones más, y cada mensaje queda pendiente de aprobación.
}

## Rights of a person or a key: the question above the boxes
admins-allowed = ¿Qué se permite?
admins-key-allowed-help = Puede dar los permisos que usted tiene.
# $who is a name.
admins-given-nothing = { $who } todavía no tiene ningún permiso.

## The members of a list: a page behind the last one
members-none-further = No hay más miembros.
