### Administrators' pages: settings of lists and accounts, administrators and keys.

## Every form of settings.

# $label is the name of a field, $problem a sentence about its value.
set-problem = { $label }: { $problem }
set-save = Guardar los ajustes
set-saved = Los ajustes están guardados.
set-discard = Descartar

## Settings of an account.

nav-settings = Ajustes
set-account-title = Ajustes de { $account }
set-account-parts = Partes de los ajustes
set-account-fields = Campos de las personas
set-account-domains = Dominios
set-group-identity = Quiénes son ustedes
set-group-identity-hint = Lo que se ve en sus páginas y en sus correos.
set-acc-name = Nombre corto
set-acc-name-help = Letras, cifras, punto, guion y guion bajo. Si varias organizaciones comparten este servidor, figura en las direcciones de sus páginas: tras un cambio, los enlaces guardados ya no llevan a ninguna parte.
set-acc-description = Nombre visible
set-acc-description-help = Figura en sus páginas y en los correos que el servidor escribe por ustedes. Si falta, se usa el nombre corto.
set-acc-language = Idioma
set-acc-language-help = El de los correos del servidor, y el de las páginas para quien no pide otro con su navegador.
set-acc-timezone = Zona horaria
set-acc-timezone-help = Por ejemplo Europe/Madrid. Los resúmenes diarios salen allí a las seis de la mañana, y todas las horas son las de ese lugar.
set-acc-custom_image = Imagen en lo alto de sus páginas
set-acc-custom_image-help = La dirección de una imagen, https://… El servidor guarda una copia, para que las visitas no la pidan a nadie más. En blanco: sin imagen.
set-group-joining = Apuntarse y darse de baja
set-group-joining-hint = Para cada lista que no diga otra cosa. El botón de baja de los programas de correo funciona siempre.
set-acc-subscriptions = ¿Quién puede apuntarse?
set-acc-subscriptions-help = Por las páginas, por correo y por los formularios de su propia web.
set-open = Cualquiera
set-open-hint = En cuanto la dirección esté confirmada.
set-open-confirm = Cualquiera, con nuestra aprobación
set-open-confirm-hint = Las solicitudes esperan en Aprobaciones.
set-closed = Solo por invitación
set-closed-join-hint = Ustedes añaden a las personas. La lista no está entonces en el directorio.
set-closed-leave-hint = Ustedes quitan a las personas. El botón de su programa de correo funciona igualmente, como exigen los grandes proveedores.
set-acc-unsubscriptions = ¿Quién puede darse de baja?
set-acc-unsubscriptions-help = Por las páginas y por correo.
set-acc-unsubscribe_confirm = Volver a preguntar antes de una baja por enlace
set-acc-unsubscribe_confirm-help = La página de un enlace tiene entonces un botón más que lo pregunta. El botón de un programa de correo actúa igualmente enseguida.
set-acc-restrict_contact = Solo estas direcciones pueden estar en la libreta
set-acc-restrict_contact-help = Expresiones regulares, una por línea, por ejemplo @example\.org$. Se rechaza la dirección que no encaje con ninguna, la añada quien la añada. En blanco: todas valen.
set-acc-restrict_contact_subscription = Solo estas direcciones pueden pedir apuntarse
set-acc-restrict_contact_subscription-help = Lo mismo para quien se apunta por su cuenta. Ustedes pueden añadir a otras personas.
set-group-welcome = Correos a los nuevos miembros
set-group-welcome-hint = Las listas pueden tener textos propios. Las variables como $NAME y $LIST se rellenan.
set-acc-confirmation_subject = Asunto del correo de confirmación
set-acc-confirmation_subject-help = Déjelo en blanco para usar nuestras palabras, en el idioma de la cuenta.
set-acc-confirmation_message = Texto del correo de confirmación
set-acc-confirmation_message-help = Lo recibe quien pide apuntarse, y con su enlace se hace miembro. Si su texto no tiene $CONFIRM, ponemos el enlace debajo.
set-acc-welcome_message = Bienvenida
set-acc-welcome_message-help = Se muestra en la página tras la confirmación, y se envía si una de las dos casillas siguientes está marcada. En blanco: nuestras palabras.
set-acc-send_welcome_message_confirmation = Enviar la bienvenida tras una confirmación
set-acc-send_welcome_message_confirmation-help = Una vez, en cuanto se abre el enlace del primer correo.
set-acc-send_welcome_message_contacts = Enviar la bienvenida a quien ustedes añadan
set-acc-send_welcome_message_contacts-help = Enseguida. Una importación grande envía entonces otros tantos correos.
set-group-admins = Administración
set-group-admins-hint = Cómo trabajan juntas las personas que cuidan de las listas.
set-acc-notify_approval = ¿Cuándo se avisa de lo que espera?
set-acc-notify_approval-help = Sobre mensajes y solicitudes por aprobar. Las listas pueden decir otra cosa.
set-notify-none = Nunca
set-notify-each = Cada vez
set-notify-daily = Una vez al día
set-acc-list_delegation = Los responsables de una lista pueden compartirla
set-acc-list_delegation-help = Los administradores de algunas listas pueden entonces invitar a otras personas, sin más derechos que los suyos.
set-acc-require_list_approval = Las listas nuevas se aprueban
set-acc-require_list_approval-help = La lista que cree alguien sin derecho a cambiar la cuenta no recibe correo hasta que se apruebe en la página de las listas.

## Settings of a list: its groups.

set-lg-name = Nombre
set-lg-name-hint = Lo que se ve en el directorio y en la bandeja de entrada.
set-lg-joining = Altas y bajas
set-lg-joining-hint = El botón de baja de los programas de correo funciona siempre, elija lo que elija.
set-lg-posting = Escribir y responder
set-lg-posting-hint = Los mensajes de los demás esperan, se devuelven o se descartan, según lo que elija en Escritura.
set-lg-holding = Retenidos para aprobar
set-lg-holding-hint = También de quien puede escribir. Lo retenido espera en Aprobaciones.
set-lg-content = Mensajes
set-lg-content-hint = Lo que la lista cambia en cada mensaje antes de enviarlo.
set-lg-footers = Encima y debajo de cada mensaje
set-lg-footers-hint = Puede usar $NAME, $EMAIL, $LIST, $LISTADDRESS, $DESCRIPTION, $UNSUBSCRIBE, $MANAGE, $ARCHIVE y $DATE; un signo de dólar se escribe $$.
set-lg-archive = Archivo
set-lg-archive-hint = Lo que no se puede leer tampoco se encuentra: ni por búsqueda, ni por canales, ni por cifras.

## Settings of a list: its fields.

set-list-description = Nombre visible
set-list-description-help = Figura en el directorio, en el remitente y en los pies. Si falta, se usa la dirección.
set-list-name = Dirección
set-list-name-help = La parte antes de la @: letras, cifras, punto, guion y guion bajo. Tras un cambio, los enlaces llevan a las páginas nuevas, pero el correo a la dirección antigua se devuelve.
set-list-subject_prefix = Antes de cada asunto
set-list-subject_prefix-help = Por ejemplo [4B]. Se pone una vez, no de nuevo en las respuestas.
set-list-clid = Número en otro sistema
set-list-clid-help = El que conocen sus propios programas. Ninguna otra lista puede tener el mismo.
set-list-notes = Notas
set-list-notes-help = Solo las ve la administración.
set-list-subscriptions = ¿Quién puede apuntarse?
set-list-subscriptions-help = Por las páginas, por correo y por los formularios de su propia web.
set-list-unsubscriptions = ¿Quién puede darse de baja?
set-list-unsubscriptions-help = Por las páginas y por correo.
set-as-account = Como digan los ajustes de la cuenta
set-list-memberview = ¿Quién ve a los demás miembros?
set-list-memberview-help = En las páginas de los miembros que han entrado.
set-view-nobody = Nadie
set-view-noemail = Los miembros ven los nombres de los miembros de esta lista
set-view-withemail = Los miembros ven sus nombres y direcciones
set-view-all-noemail = Los miembros ven los nombres de todas las personas de la cuenta
set-view-all-withemail = Los miembros ven nombres y direcciones de todas las personas de la cuenta
set-list-moderate = Interruptores de quién puede escribir
set-list-moderate-help = La pregunta de Lo básico los ajusta por usted. Sin nada marcado, escribe cualquiera; «Solo estos remitentes» necesita al menos uno de los dos siguientes.
set-bit-1 = Retener cada mensaje para aprobarlo
set-bit-2 = Solo estos remitentes:
set-bit-4 = miembros de las listas marcadas abajo
set-bit-8 = las direcciones de Lo básico
set-bit-16 = Rechazar las direcciones vetadas (en Escritura)
set-list-restrict_post_lists = Listas cuyos miembros pueden escribir
set-list-restrict_post_lists-help = Cuenta si arriba están marcados los miembros. Si solo escriben los miembros de la lista, es la lista misma.
set-list-restrict_post_allowed_emails = Direcciones que pueden escribir
set-list-restrict_post_allowed_emails-help = Una por línea, sean miembros o no. Cuenta si eligió «Solo estas direcciones».
set-list-restrict_post_banned_emails = Direcciones vetadas
set-list-restrict_post_banned_emails-help = Una por línea.
set-list-message_rejections = ¿Qué pasa con los correos de los demás?
set-list-message_rejections-help = Los mensajes de quienes no pueden escribir a la lista.
set-rejections-hold = Esperan aprobación
set-rejections-hold-hint = Usted decide en Aprobaciones.
set-rejections-reject = Se devuelven
set-rejections-reject-hint = El remitente sabe por qué por su propio servidor.
set-rejections-discard = Se descartan
set-rejections-discard-hint = No se avisa a nadie, y no queda nada.
set-list-hold_automated = Retener los correos automáticos
set-list-hold_automated-help = Boletines, invitaciones de calendario, avisos de ausencia y lo demás que envíe una máquina. Si no, los avisos de ausencia se descartan y el resto se distribuye.
set-list-hold_replies = Retener las respuestas a correos de la lista
set-list-hold_replies-help = Para anuncios que no deben acabar en discusión.
set-list-hold_new = Retener los primeros mensajes de los nuevos miembros
set-list-hold_new-help = De 0 a 20 mensajes de cada miembro; 0 para ninguno. Esta versión solo guarda el número: se retendrán mensajes por él a partir de una versión posterior.
set-list-taboo_headers = Retener según la cabecera
set-list-taboo_headers-help = Expresiones regulares, una por línea, 100 como mucho. Se retiene el mensaje con una línea de cabecera que encaje, por ejemplo ^Subject:.*lotería.
set-list-taboo_body = Retener según el texto
set-list-taboo_body-help = Lo mismo con el texto de un mensaje. Lo que no se puede juzgar en 0,2 segundos se retiene.
set-list-moderator = Moderador
set-list-moderator-help = Una dirección cuyo lector aprueba los mensajes de esta lista en lugar de la administración: las peticiones van allí, y decide la respuesta por correo o enlace.
set-list-notify_approval = ¿Cuándo se avisa a la administración de lo que espera?
set-list-notify_approval-help = Por correo, sobre los mensajes y solicitudes de esta lista.
set-list-maxlength = Mensaje más grande
set-list-maxlength-help = En KB, hasta 51 200; 1024 KB son un megabyte. Los mensajes mayores se devuelven.
set-list-truncate = Cortar los mensajes tras
set-list-truncate-help = En bytes. El resto se omite y una línea lo indica. Déjelo en blanco para no cortar nunca.
set-list-strip_attachments = Quitar los adjuntos
set-list-strip_attachments-help = Los miembros reciben solo el texto, y una línea dice qué se ha quitado.
set-list-reply_to = Otra dirección para las respuestas
set-list-reply_to-help = Cuenta si eligió «A otra dirección».
set-list-rewrite_sender = Enviar siempre en nombre de la lista
set-list-rewrite_sender-help = Si no, solo cuando el proveedor del autor haría que el correo pareciera falso.
set-list-original_sender_mode = Dónde figura entonces el autor
set-list-original_sender_mode-help = Cuando un mensaje sale en nombre de la lista.
set-sender-reply-to = Como dirección de respuesta
set-sender-cc = En Cc
set-sender-notice = En una línea sobre el texto
set-sender-hide = En ninguna parte
set-sender-hide-hint = Los miembros y los archivos no llegan a saber la dirección del autor.
set-list-merge_tags_enabled = Rellenar nombres en los mensajes
set-list-merge_tags_enabled-help = $NAME, $FIRSTNAME, $EMAIL y otros, en el asunto y el texto. Cada miembro recibe entonces su propia copia.
set-list-merge_tags_default_name = En lugar de un nombre que falta
set-list-merge_tags_default_name-help = Por ejemplo «amigo», para que nadie lea «Hola ,».
set-list-message_fronter = Texto encima
set-list-message_fronter-help = Encima del texto sin formato de cada mensaje.
set-list-message_fronter_html = HTML encima
set-list-message_fronter_html-help = Sobre el texto con formato. En blanco: el texto de arriba.
set-list-message_footer = Texto debajo
set-list-message_footer-help = Debajo del texto sin formato de cada mensaje.
set-list-message_footer_html = HTML debajo
set-list-message_footer_html-help = Debajo del texto con formato. En blanco: el texto de debajo.
set-list-archive_enabled = Llevar un archivo
set-list-archive_enabled-help = Los mensajes se pueden leer y buscar en las páginas de la lista.
set-list-archive_protected = Protegerlo
set-list-archive_protected-help = Entonces hace falta la contraseña, o ser miembro si marca lo siguiente.
set-list-archive_memberview = Los miembros pueden leerlo
set-list-archive_memberview-help = En un archivo protegido, cuando han entrado.
set-list-archive_password = Contraseña del archivo
set-list-archive_password-help = Abre un archivo protegido. No se muestra nunca; un campo en blanco la deja como está.
set-list-password-none = Quitar la contraseña
set-list-archive_spammode = Ocultar las direcciones
set-list-archive_spammode-help = A quien no sea miembro, para que nadie las recoja.
set-list-archive_index_noshow = No ponerlo en la lista pública de archivos
set-list-archive_index_noshow-help = Tampoco se informa a los buscadores.
set-list-welcome_message_subject = Asunto de la bienvenida
set-list-welcome_message_subject-help = El del correo a los nuevos miembros de esta lista.
set-list-welcome_message = Bienvenida
set-list-welcome_message-help = Se envía a los nuevos miembros. En blanco: lo que diga la cuenta.
set-list-confirmation_subject = Asunto del correo de confirmación
set-list-confirmation_subject-help = En blanco: lo que diga la cuenta.
set-list-confirmation_message = Texto del correo de confirmación
set-list-confirmation_message-help = Se envía a quien pide apuntarse. Si su texto no tiene $CONFIRM, ponemos el enlace debajo.
set-list-send_hold_message = Decir al remitente que su mensaje espera
set-list-send_hold_message-help = Solo si el remitente está comprobado, para no escribir a quien no tiene nada que ver.
set-list-hold_subject = Asunto del aviso de un mensaje retenido
set-list-hold_subject-help = Puede usar $LIST y $REASON.
set-list-hold_message = Texto del aviso de un mensaje retenido
set-list-hold_message-help = $REASON dice por qué espera el mensaje.
set-list-send_reject_message = Decir al remitente que su mensaje se rechazó
set-list-send_reject_message-help = Cuando un moderador rechaza un mensaje que esperaba.
set-list-reject_subject = Asunto del correo de rechazo
set-list-reject_subject-help = Aquí también puede usar $LIST y $REASON.
set-list-reject_message = Texto del correo de rechazo
set-list-reject_message-help = $REASON es lo que escribió el moderador.

## Lists.

nav-admin-lists = Listas
lists-new = Lista nueva
lists-new-lede = Elija lo más parecido. Todo se puede cambiar después.
lists-kind = ¿Para qué es la lista?
lists-kind-missing = Por favor, elija para qué es la lista.
lists-kind-announcements = Anuncios
lists-kind-announcements-hint = Usted escribe y los demás leen. La gente pide apuntarse y usted decide; las respuestas le llegan solo a usted.
lists-kind-discussion = Conversación
lists-kind-discussion-hint = Los miembros se escriben entre sí y las respuestas van a la lista. La gente pide apuntarse y usted decide; solo los miembros leen el archivo.
lists-kind-moderated = Conversación moderada
lists-kind-moderated-hint = Los miembros se escriben; cada mensaje y cada miembro nuevo espera su aprobación.
lists-kind-private = Equipo privado
lists-kind-private-hint = Solo quienes usted añada. Se ven entre sí, y nadie más encuentra la lista ni su archivo.
# $domain is a domain like lists.example.org.
lists-name-hint = La parte antes de @{ $domain }: letras, cifras, punto, guion y guion bajo.
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
lists-pending = espera aprobación
lists-waiting = Listas que esperan su aprobación
lists-reason = Sus palabras, si la rechaza
lists-approved = La lista ya recibe correo.
lists-rejected = La lista está borrada.
lists-discarded = La lista está borrada y no se avisa a nadie.
lists-deleted = La lista está borrada, con sus suscripciones, lo que esperaba y su archivo.

## The page of a list.

list-parts = Partes de esta lista
list-public = Página pública
list-made = La lista está creada. Repase sus ajustes y añada miembros.
list-read-only = Así está configurada la lista. Otras personas pueden cambiarla.
list-preview = Actualizar la vista previa
list-preview-title = Lo que recibe un miembro
list-preview-real = El último mensaje de la lista, con estos textos.
list-preview-made = La lista aún no tiene mensajes; este es inventado.
list-sample-subject = Les damos la bienvenida
list-sample-text = Así se ve un mensaje de esta lista.
list-delete = Borrar la lista
list-delete-lede = Con ella desaparecen sus suscripciones, lo que espera y su archivo. No se puede deshacer. Las personas siguen en la libreta.
# $name is the name of a list.
list-delete-confirm = Escriba { $name } para borrarla
list-delete-wrong = El nombre de la lista es { $name }. No se ha borrado nada.

## What would happen to a mail.

sim-title = Probar un mensaje
sim-lede = ¿Qué pasaría con un correo a esta lista? No se envía nada ni se guarda nada.
sim-message = El correo entero
sim-message-hint = Primero la cabecera, luego una línea en blanco y el texto: «From: …», «Subject: …». Los programas de correo lo llaman código fuente.
sim-button = ¿Qué pasaría?
sim-missing = Por favor, pegue un correo.
sim-posted = Se enviaría a los miembros
sim-held = Esperaría aprobación: { $reason }
sim-discarded = Se descartaría: { $reason }
sim-returned = Se devolvería al remitente: { $reason }
sim-refused = La lista no lo aceptaría: { $reason }
sim-deferred = Se aplazaría, y el servidor del remitente lo intenta de nuevo: { $reason }
sim-loop = el mensaje ya pasó por esta lista
sim-hops = el mensaje pasó por demasiados servidores
sim-duplicate = esta lista ya tuvo este mensaje
sim-automatic = el mensaje es una respuesta automática o un informe de entrega
sim-recipients = { $count ->
    [0] Ninguna dirección lo recibiría.
    [one] Una dirección lo recibiría.
   *[other] { $count } direcciones lo recibirían.
}
sim-recipients-later = { $count ->
    [0] Ni aprobado lo recibiría nadie.
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

helpers-lede = Ven esta lista y nada más, salvo que también lleven otras. Nadie puede dar más derechos de los que tiene.
helpers-none = Todavía nadie, aparte de la administración de la cuenta.
helpers-you = Usted
helpers-take-out = Quitar
helpers-taken-out = Esta persona ya no ayuda con la lista.
helpers-invite = Invitar a alguien
helpers-address = Dirección
helpers-firstname = Nombre
helpers-surname = Apellidos
helpers-rights = ¿Qué puede hacer esta persona?
helpers-invite-button = Enviar la invitación
helpers-invited = Hecho. Quien es nuevo recibe un correo con un enlace para elegir una contraseña.

## Members of a list.

members-add = Añadir miembros
members-emails = Direcciones
members-emails-hint = Una por línea, o como en un programa de correo: Ada Lovelace <ada@example.org>, bob@example.org. Son miembros enseguida; añada solo a quien lo quiera.
members-add-button = Añadir
members-mail = Correo
members-digest-button = Fijar para lo seleccionado
# $count is the number of members whose setting was changed.
members-digest-set = { $count ->
    [one] Un miembro recibe los mensajes como ha dicho.
   *[other] { $count } miembros reciben los mensajes como ha dicho.
}
members-added = { $count ->
    [0] Ya son miembros.
    [one] Se ha añadido un miembro.
   *[other] Se han añadido { $count } miembros.
}
members-added-known = { $count } añadidos, { $known } ya eran miembros.
members-removed = { $count ->
    [one] Se ha quitado un miembro de la lista.
   *[other] Se han quitado { $count } miembros de la lista.
}
members-none-typed = Por favor, escriba una dirección.
members-too-many = Añada como mucho { $count } personas a la vez; una importación admite más.
# $line is what somebody typed.
members-wrong-line = «{ $line }» no es una dirección. No se ha añadido a nadie.
members-none-selected = Por favor, marque primero a alguien.
members-remove = Quitar de la lista
members-search = Buscar nombres y direcciones
members-none = Todavía no hay miembros.
members-none-found = Ningún miembro tiene estas palabras.
members-count = { $count ->
    [one] Un miembro
   *[other] { $count } miembros
}
members-choose = Elegir
members-person = Persona
members-addresses = Direcciones
members-since = Desde

## Aliases.

nav-aliases = Alias
aliases-lede = Un alias es otra dirección que reenvía su correo a otras, tal como llegó.
aliases-new = Alias nuevo
aliases-group = Alias
aliases-group-hint = Los miembros de una lista no lo saben; es para cargos como junta o info.
aliases-source = Dirección
aliases-source-help = La parte antes de la @. Ninguna lista puede tener la misma.
aliases-destination = Va a
aliases-destination-help = Direcciones, una por línea, 20 como mucho. Puede haber listas y otros alias.
aliases-make = Crear el alias
aliases-made = El alias ya recibe correo.
aliases-delete = Borrar el alias
aliases-deleted = El alias está borrado. El correo dirigido a él se devuelve.
aliases-none = Todavía no hay ningún alias.

## Custom fields.

fields-lede = Lo que anota sobre las personas además de nombres y direcciones, por ejemplo un número de socio. Las importaciones y los programas pueden rellenarlos, y los pies mostrarlos.
fields-none = Todavía no hay otros campos.
fields-name = Nombre
fields-id = Identificador
fields-id-hint = Opcional: un nombre corto sin espacios, que los programas usan en lugar del nombre.
fields-members-edit = Los miembros pueden cambiarlo en sus páginas
fields-new = Campo nuevo
fields-new-hint = Toda persona de la libreta lo tiene desde entonces, en blanco al principio.
fields-add = Añadir el campo
fields-added = El campo ya está.
fields-saved = El campo está cambiado. Lo que contiene se queda.
fields-delete = Borrar el campo y sus valores
fields-deleted = El campo ha desaparecido, con todo lo que contenía.

## Domains and their DNS records.

domains-lede = Añada estos registros donde se gestiona el DNS de su dominio. Se consultan al abrir esta página.
domains-name = Dominio
domains-add = Añadir un dominio
domains-add-hint = Por ejemplo lists.example.org. Recibe correo en cuanto el DNS muestra que es suyo.
domains-added = El dominio está anotado. Ahora hacen falta sus registros.
domains-there = { $name } ya está entre sus dominios.
domains-main = listas
domains-web = páginas
domains-make-main = Usar para las direcciones de las listas
domains-main-done = Las listas tienen ahora sus direcciones en este dominio. El correo al otro sigue llegando.
domains-make-web = Usar para las páginas
domains-web-done = Los enlaces llevan a este dominio en cuanto responda allí.
domains-remove = Quitar el dominio
domains-removed = El dominio se ha quitado. El correo dirigido a él se rechaza.
domains-check = Comprobar de nuevo
domains-checked = Recién comprobado.
domains-unproven = aún sin probar
domains-unproven-next = Uno de estos registros prueba que el dominio es suyo. Hasta entonces no recibe correo.
# $right of $count records are right.
domains-right = { $right } de { $count } registros están bien
dns-use = Uso
dns-type = Tipo
dns-name = Nombre
dns-value = Valor
dns-status = Estado
dns-right = Bien
dns-missing = No está
dns-wrong = Mal
dns-unknown = Sin saber
dns-found = El DNS tiene:
dns-own-address = la dirección de este servidor, que conoce quien lo lleva
dns-mail = El correo llega aquí (MX)
dns-host = Dirección del servidor de correo (A)
dns-web = Páginas (A)
dns-sending = Quién puede enviar (SPF)
dns-signature = Firma (DKIM)
dns-next-signature = Próxima firma (DKIM)
dns-policy = Política contra la suplantación (DMARC)
dns-reverse = DNS inverso (PTR; lo fija su proveedor de alojamiento)
dns-proof = Prueba de que es suyo

## Administrators and keys.

nav-administrators = Administradores y claves
admins-people = Personas
admins-invite = Invitar a una persona
admins-invited = aún no ha entrado
admins-invited-lede = El correo con el enlace pudo perderse. Uno nuevo vale siete días; los anteriores acaban al usarlo.
admins-invite-again = Enviar otra vez el enlace
admins-invited-done = Va de camino un correo con un enlace para elegir una contraseña.
admins-keys = Claves para programas
admins-keys-lede = Un programa usa una clave en lugar de nombre y contraseña, y puede lo que pueda la clave.
admins-key = Clave
admins-new-key = Clave nueva
admins-make-key = Crear la clave
admins-key-made = La clave está preparada. Muéstrela ahora y póngala en el programa.
admins-get-key = Crear y mostrar una clave nueva
admins-get-key-lede = Se muestra una vez. Una clave anterior deja de valer.
admins-key-new = Esta es la clave. Cópiela ahora: no se vuelve a mostrar.
admins-no-key = aún sin crear
admins-expiry = Vale hasta
admins-expiry-months = ¿Cuánto tiempo debe funcionar?
admins-no-expiry = sin límite
admins-months = { $count ->
    [one] Un mes
   *[other] { $count } meses
}
admins-since = Desde
admins-last-use = Último uso
admins-never-used = sin usar todavía
admins-anywhere = cualquiera
admins-nothing = nada
# $rights and $lists are enumerations.
admins-only-lists = { $rights }, solo para { $lists }
admins-no-list = { $rights }, pero para ninguna lista
admins-all-lists = { $rights }, para todas las listas
# $rights is what the person or program may do, and for which lists.
admins-given = Derechos de { $who }: { $rights }.
admins-username = Dirección
admins-username-help = Con la que entra la persona. Si la cambia otra persona, elige una contraseña nueva en la dirección nueva.
admins-firstname-help = Opcional.
admins-surname-help = Opcional.
admins-description = Para qué es
admins-description-help = Para saber después qué programa la usa. Figura en el registro.
admins-cidr = Desde dónde
admins-cidr-help = Redes, una por línea, por ejemplo 192.0.2.0/24. La clave vale solo desde ahí; en blanco, desde cualquiera.
admins-image = Mostrar la imagen de la cuenta a esta persona
admins-image-help = En lo alto de las páginas.
admins-notifications = Correos sobre
admins-notifications-help = De qué quiere saber esta persona.
admins-permissions = Puede
admins-permissions-help = Puede dar lo que usted tiene. Un cambio cierra las sesiones de la persona.
admins-limit-lists = ¿Para qué listas?
admins-limit-lists-help = Quien está limitado a unas listas no ve nada más, ni buscando.
admins-limit-lists-only = Solo estas listas; si no, todas
admins-limit-lists-none = Elija al menos una lista.
admins-limit-metadata = ¿Qué campos de las personas?
admins-limit-metadata-help = A quien está limitado a unos campos se le ocultan los demás.
admins-limit-metadata-only = Solo estos campos; si no, todos
admins-limit-metadata-none = Elija al menos un campo.
admins-group-rights = Derechos
admins-group-rights-hint = Qué puede hacer la persona o el programa.
admins-group-person = Persona
admins-group-person-hint = Alguien que entra en estas páginas.
admins-group-mail = Correos
admins-group-mail-hint = Lo que el servidor escribe por sí mismo a la persona.
admins-group-key = Clave
admins-group-key-hint = Para un solo programa, para poder retirarla sola.
admins-delete = Borrar
admins-delete-lede = La persona sale de todas partes y no puede volver. Lo que hizo queda en el registro.
admins-delete-key-lede = El programa que la usa queda rechazado desde ahora.
admins-deleted = Borrado.
right-account-admin = todo
right-account-admin-hint = Los ajustes de la cuenta, administradores y claves, y todo lo siguiente.
right-manage-settings = configurar listas y alias
right-manage-members = gestionar personas y miembros
right-approve-messages = aprobar mensajes y solicitudes
right-send-messages = enviar mensajes
tell-held-message = un mensaje por aprobar
tell-pending-member = una persona por aprobar
tell-pending-list = una lista por aprobar
tell-member-joined = un miembro nuevo
tell-member-left = alguien que se ha ido
tell-bounce = una dirección que no recibe correo
tell-complaint = una queja de correo no deseado
tell-delivery-problem = problemas de entrega
tell-security = entradas y claves que conviene mirar
admins-grants = Aplicaciones autorizadas
# $person allowed it on $day, and the application last used it on $last.
admins-grant = Autorizada por { $person } el { $day }, usada por última vez el { $last }
admins-revoke = Retirar
admins-revoked = La aplicación ya no puede actuar por esta persona.
admins-provider = Entra por
admins-provider-help = El nombre de un proveedor que este servidor conoce. En blanco: aquí, con contraseña.

## Below each message of a new list. The words with $ stay as they are: they are variables of the text.

list-footer = Recibe este mensaje como miembro de $LIST.
    Darse de baja: $UNSUBSCRIBE
    Archivo: $ARCHIVE

## The five pages of the settings of a list, and their groups.

set-parts = Páginas de los ajustes
set-part-basics = Lo básico
set-part-writing = Escritura
set-part-texts = Textos
set-part-archive = Archivo
set-part-advanced = Avanzado
set-lg-others = Mensajes de otros
set-lg-others-hint = De quienes no pueden escribir a la lista.
set-lg-html = Lo mismo en HTML
set-lg-html-hint = Para mensajes con formato. La mayoría de las listas lo dejan en blanco: entonces se hace con los textos de arriba.
set-lg-names = Nombres en los mensajes
set-lg-names-hint = Para cartas que se dirigen a cada miembro por su nombre.
set-lg-welcome = Mensaje a los nuevos miembros
set-lg-welcome-hint = Un campo en blanco: nuestras propias palabras, en el idioma de la cuenta.
set-lg-asking = Mensaje que pide confirmación
set-lg-asking-hint = A quienes piden apuntarse o salir. Un campo en blanco: nuestras propias palabras.
set-lg-held = Mensaje al remitente de un mensaje retenido
set-lg-held-hint = Se envía si así consta en Escritura. Un campo en blanco: nuestras propias palabras.
set-lg-rejected = Mensaje al remitente de un mensaje rechazado
set-lg-rejected-hint = Se envía si así consta en Escritura. Un campo en blanco: nuestras propias palabras.
set-lg-bits = Interruptores
set-lg-bits-hint = Para combinaciones que ninguna respuesta de Lo básico ofrece.
set-lg-patterns = Patrones
set-lg-patterns-hint = Los mensajes que coinciden con alguno esperan aprobación.
set-lg-sizes = Tamaños
set-lg-ids = Números y notas
set-fold-changed = en uso
set-single = Definido por los interruptores de Avanzado
set-single-archive = Definido por las casillas de Archivo

## Questions of the settings of a list that stand for several fields.

set-who = ¿Quién puede escribir?
set-who-help = Sin esperar aprobación, salvo que la respuesta diga otra cosa.
set-who-members = Los miembros
set-who-approved = Los miembros, con aprobación
set-who-approved-hint = Cada mensaje espera primero en Aprobaciones.
set-who-addresses = Solo estas direcciones
set-who-moderators = Nadie sin aprobación
set-who-everybody = Cualquiera
set-who-everybody-hint = También desconocidos. Cuente con correo no deseado.
set-answers = ¿Adónde van las respuestas?
set-answers-help = Cuando alguien pulsa «Responder» en su programa de correo.
set-answers-list = A la lista
set-answers-author = A quien escribió el mensaje
set-answers-other = A otra dirección
set-answers-missing = Indique la dirección para las respuestas.
set-archive-for = ¿Quién puede leer el archivo?
set-archive-for-help = En Archivo se puede fijar una contraseña para otros.
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
set-now-write-approved = Escriben los miembros, y cada mensaje espera aprobación.
set-now-write-addresses = Solo escriben ciertas direcciones.
set-now-write-moderators = Cada mensaje espera aprobación.
set-now-write-single = Los interruptores de Avanzado dicen quién puede escribir.
set-now-join-open = Cualquiera puede apuntarse.
set-now-join-asking = Cualquiera puede pedir apuntarse, y usted decide.
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
set-now-others-hold = Los mensajes de otros esperan aprobación.
set-now-others-reject = Los mensajes de otros se devuelven.
set-now-others-discard = Los mensajes de otros se descartan.
set-now-told = Se avisa al remitente cuando un mensaje espera o se rechaza.
set-now-told-held = Se avisa al remitente cuando un mensaje espera, pero no cuando se rechaza.
set-now-told-rejected = Se avisa al remitente cuando un mensaje se rechaza, pero no cuando espera.
set-now-told-nothing = No se avisa al remitente de lo que pasa con su mensaje.
set-now-around-both = Hay un texto sobre y bajo cada mensaje.
set-now-around-above = Hay un texto sobre cada mensaje.
set-now-around-below = Hay un texto bajo cada mensaje.
set-now-around-nothing = No se añade nada a los mensajes, así que no muestran cómo salir.
set-now-mails = { $count ->
    [0] Los mensajes de la propia lista llevan nuestras palabras.
    [one] Un mensaje de la propia lista lleva sus palabras.
   *[other] { $count } mensajes de la propia lista llevan sus palabras.
}
set-now-addresses-hidden = Solo los miembros ven en él las direcciones.
set-now-addresses-shown = Las direcciones las ve cualquiera que lo lea.
# $size is a number.
set-now-size = Los mensajes pueden tener hasta { $size } KB.
set-now-patterns = { $count ->
    [0] Ningún patrón retiene mensajes.
    [one] Un patrón retiene mensajes.
   *[other] { $count } patrones retienen mensajes.
}

## The other pages of a list, and the search over its settings.

list-helpers = Responsables
list-preview-unsaved = Aún no se ha guardado nada.
set-search = Buscar un ajuste
set-search-none = Ningún ajuste tiene estas palabras. Pruebe con menos o con otras.

## A new key in place of the one that there is: asked first
admins-key-again = ¿Sustituir la clave?
admins-key-again-ends = La clave actual de «{ $name }» deja de funcionar en el acto y no se puede recuperar. Lo que la usa necesita la nueva.
# $time is a moment, or that it was never used.
admins-key-again-used = Último uso: { $time }.
admins-key-again-button = Anularla y mostrar una clave nueva
admins-key-again-back = Conservar la clave actual
