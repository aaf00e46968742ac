### Textos de los correos que escribe el servidor. Los términos se explican en common.es.ftl.

## Por qué un mensaje espera o se devuelve

reason-automated = el mensaje se envió automáticamente
reason-not-allowed = esta dirección no puede escribir a la lista
reason-not-proven = no se pudo comprobar quién lo envía: no pasó DMARC, ni tampoco SPF o DKIM con un dominio que coincida
reason-every-message = todos los mensajes a esta lista necesitan aprobación
reason-reply = las respuestas a esta lista necesitan aprobación
reason-closed-thread = la conversación a la que responde está cerrada
reason-known-id = ya había llegado otro mensaje con el mismo Message-ID
reason-taboo-header = una cabecera coincide con el patrón { $pattern }
reason-taboo-body = el contenido coincide con el patrón { $pattern }
reason-patterns-slow = los patrones tardaron demasiado
reason-pattern-large = los patrones tardaron demasiado: uno es más largo de lo que hoy se admite y hay que sustituirlo por otro más corto
reason-text-long = los patrones tardaron demasiado: el texto es más largo de lo que se revisa
reason-kind-pattern = un patrón de la lista coincide
reason-kind-failed = el servidor no pudo decidir sobre él o no pudo enviarlo
reason-banned = esta dirección está bloqueada en la lista
reason-too-large = el mensaje supera los { $limit } que admite esta lista
reason-not-approved = la moderación de la lista no lo aprobó
reason-nobody-decided = nadie lo aprobó a tiempo (plazo: { $time })
reason-failed-deciding = el servidor no pudo decidir sobre él después de { $tries } intentos: { $words }
reason-failed-sending = el servidor no pudo enviarlo después de { $tries } intentos: { $words }

## A quien envió un mensaje que espera o se devuelve

hold-subject = Su mensaje a { $list } está pendiente de aprobación
hold-text =
    Su mensaje a { $list } ha llegado
    y está pendiente de aprobación:

        Asunto: { $subject }
        Motivo: { $reason }

    Todavía no lo ha recibido nadie. A continuación, las personas responsables
    de la lista lo leen y deciden. No hace falta que lo envíe otra vez.

reject-subject = Su mensaje a { $list } no se ha enviado
reject-text =
    Su mensaje a { $list } no se ha enviado
    a los miembros de la lista:

        Asunto: { $subject }
        Motivo: { $reason }

    Si cree que se trata de un error, responda a este correo: su respuesta
    llega a las personas responsables de la lista.

## A un miembro nuevo

welcome-subject = Le damos la bienvenida a { $list }
welcome-text =
    Le damos la bienvenida. Su dirección { $email } se ha añadido
    a las listas de correo de { $list }.

    Cada correo de una lista lleva un enlace con el que puede salir de ella.

## A la moderación

moderate-mail-subject = Pendiente en { $list }: { $subject }
moderate-text =
    Un mensaje a { $list_address } está pendiente de su aprobación:

        De:       { $sender }
        Asunto:   { $subject }
        Recibido: { $received }
        Tamaño:   { $size }
        Motivo:   { $reason }

    Para decidir, abra

    { $link }

    o responda a este correo con una de estas palabras en la primera línea:

        aprobar               lo recibe toda la lista
        rechazar y su motivo  se rechaza, con sus palabras
        descartar             se elimina sin avisar a nadie

    Cuenta la primera decisión. Si nadie decide, el mensaje se descarta
    el { $due }.
moderate-preview = El mensaje empieza así:

moderate-answer-subject = Re: Pendiente en { $list }: { $subject }
moderate-answer-about = Sobre el mensaje «{ $subject }» a { $list }:
moderate-answer-unchanged = No ha cambiado nada: { $problem }.
moderate-answer-unknown = No hemos entendido su respuesta y no ha cambiado nada.
moderate-answer-two =
    Su respuesta contiene dos decisiones distintas, así que no ha cambiado
    nada. Responda de nuevo, por favor, con una sola de ellas.
moderate-answer-words =
    Empiece su respuesta, por favor, con una de estas líneas:

        aprobar
        rechazar y su motivo
        descartar

decided-approved = el mensaje ya lo aprobó { $by } el { $time }
decided-rejected = el mensaje ya lo rechazó { $by } el { $time }
decided-discarded = el mensaje ya lo descartó { $by } el { $time }
decided-by-nobody = el mensaje ya se descartó, porque nadie decidió a tiempo
decider-operator = quien gestiona el servidor
decider-administrator = la administración (n.º { $number })

summary-subject = { $list }: { $count ->
    [one] { $count } mensaje pendiente
   *[other] { $count } mensajes pendientes
} de aprobación
summary-begin = { $count ->
    [one] { $count } mensaje a { $list_address } está pendiente de su aprobación:
   *[other] { $count } mensajes a { $list_address } están pendientes de su aprobación:
}
summary-message =
    De:       { $sender }
    Asunto:   { $subject }
    Recibido: { $received }
    Motivo:   { $reason }
    { $link }
summary-more = y { $count ->
    [one] { $count } más
   *[other] { $count } más
}.
summary-end = Cada enlace abre una página con el mensaje y los botones para decidir.

problem-subject = Problema con un mensaje a { $list }: { $subject }
problem-text =
    Se ha apartado un mensaje a { $list_address }. Todo lo demás
    sigue adelante.

        De:     { $sender }
        Asunto: { $subject }
        Motivo: { $reason }

    Algunos miembros todavía no lo han recibido y lo esperan. Cuando se haya
    resuelto la causa, apruébelo y lo recibirán; o descártelo:

    { $link }

## A la administración: una solicitud espera una decisión. $person es un nombre con una dirección.

approval-join-subject = { $list }: alguien quiere unirse
approval-join-text =
    Alguien quiere unirse a { $list_address }:

        Persona:       { $person }
        Solicitado el: { $requested }
approval-leave-subject = { $list }: alguien quiere salir
approval-leave-text =
    Alguien quiere salir de { $list_address }:

        Persona:       { $person }
        Solicitado el: { $requested }
approval-list-subject = La lista nueva { $list } está pendiente de aprobación
approval-list-text =
    La lista nueva { $list_address } está pendiente de aprobación:

        Descripción:   { $description }
        Solicitado el: { $requested }
approval-text =
    Para decidir, abra

    { $link }

    o responda a este correo con una de estas palabras en la primera línea:

        aprobar               se acepta la solicitud
        rechazar y su motivo  se avisa a la persona, con sus palabras
        descartar             no se avisa a nadie

    Cuenta la primera decisión. Si aprueba o rechaza la solicitud, se avisa
    por correo a la persona, con el motivo que usted indique. Si la descarta,
    no se avisa a nadie.
approval-answer-subject = Re: una solicitud para { $list }
approval-answer-about = Sobre una solicitud para { $list }:
approval-decided-approved = la solicitud ya la aprobó { $by } el { $time }
approval-decided-rejected = la solicitud ya la rechazó { $by } el { $time }
approval-decided-discarded = la solicitud ya la descartó { $by } el { $time }
approval-summary-subject = { $list }: { $count ->
    [one] { $count } solicitud pendiente
   *[other] { $count } solicitudes pendientes
} de aprobación
approval-summary-both-subject = { $list }: mensajes y solicitudes pendientes de aprobación
approval-summary-begin = { $count ->
    [one] { $count } solicitud está pendiente
   *[other] { $count } solicitudes están pendientes
} de su aprobación en { $list_address }:

## A una persona sobre cuya solicitud se ha decidido

approval-joined-subject = Ya es miembro de { $list }
approval-joined-text =
    Las personas responsables de { $list }
    han aprobado su solicitud. Ya es miembro de la lista y recibe sus mensajes.
approval-not-joined-subject = Su solicitud de unirse a { $list }
approval-not-joined-text =
    Las personas responsables de { $list }
    no han aprobado su solicitud de unirse a la lista. Si cree que se trata
    de un error, responda a este correo: les llegará.
approval-left-subject = Ha salido de { $list }
approval-left-text =
    Las personas responsables de { $list }
    han aprobado su solicitud. Ha salido de la lista y ya no recibirá correo
    de ella.
approval-not-left-subject = Su solicitud de salir de { $list }
approval-not-left-text =
    Las personas responsables de { $list }
    no han aprobado su solicitud de salir de la lista, así que sigue en ella.
    Si cree que se trata de un error, responda a este correo: les llegará.
approval-opened-subject = Su lista { $list } se ha aprobado
approval-opened-text =
    Su lista { $list } se ha aprobado. Desde ahora acepta mensajes.
approval-refused-subject = Su lista { $list } no se ha aprobado
approval-refused-text =
    Su lista { $list } no se ha aprobado y se ha eliminado.
approval-reason = Indican este motivo:

## A la administración: quién se ha unido y quién ha dejado la lista

news-joined-subject = { $list }: un miembro nuevo
news-joined-text = Alguien se ha unido a { $list_address }:
news-left-subject = { $list }: un miembro ha salido
news-left-text = Alguien ha salido de { $list_address }:
news-why-subject = { $list }: por qué ha salido un miembro
news-why-text = Alguien que ha salido de { $list_address } dice por qué:
news-line = { $person }, { $time }
news-reason = Con sus propias palabras:
news-summary-subject = { $list }: quién se ha unido y quién ha salido
news-summary-joined = { $count ->
    [one] { $count } persona se ha
   *[other] { $count } personas se han
} unido a { $list_address }:
news-summary-left = { $count ->
    [one] { $count } persona ha
   *[other] { $count } personas han
} salido de { $list_address }:
news-summary-why = { $count ->
    [one] { $count } persona que ha salido de { $list_address } dice
   *[other] { $count } personas que han salido de { $list_address } dicen
} por qué:

## A la administración

invite-from = Listas de correo de { $domain }
invite-subject = Elija su contraseña para las listas de correo de { $site }
invite-text =
    Ahora forma parte de la administración de las listas de correo de
    { $site }.

    Elija, por favor, la contraseña con la que iniciará sesión
    como { $username }:

    { $link }

    El enlace funciona una sola vez, hasta el { $day }.
    Si no esperaba este correo, no tiene que hacer nada.

alert-bounce-subject = El correo a una dirección está en pausa
alert-bounce-text =
    El correo a estas direcciones se ha devuelto de forma definitiva, así que
    no se les envía nada más. Lo intentamos de nuevo cada tres días, cuatro
    veces en total, y vuelven a recibir correo en cuanto llegue alguno o cuando
    usted lo permita.
alert-complaint-subject = Alguien ha marcado un correo como spam
alert-complaint-text =
    Estas personas han dicho a su proveedor que no desean el correo de una
    lista. No se les envía nada más hasta que ellas o usted indiquen otra cosa.
alert-backup-subject = Fallan las copias de seguridad de { $host }
alert-backup-text = Las últimas { $count } copias de seguridad en { $place } han fallado; la última, por este motivo:
alert-backup-newest = La copia más reciente es del { $time }. El servidor sigue intentándolo.
alert-backup-none = Todavía no se ha hecho ninguna copia allí. El servidor sigue intentándolo.
alert-provider-subject = Un proveedor rechaza correo
alert-provider-text =
    Un proveedor rechaza lo que envía una lista, por motivos que no tienen
    nada que ver con sus miembros. El resto del mensaje no se envía por ahora
    a ese proveedor. No se ha puesto en pausa a ningún miembro.
alert-webhook-subject = Un webhook falla
alert-webhook-text =
    No se han podido enviar eventos a estos webhooks de la cuenta. Tras diez
    intentos un webhook se pone en pausa; lo que no recibió se puede enviar
    otra vez.

alert-report-subject = No se ha dado crédito a un informe sobre el correo a un miembro
alert-report-text =
    Según unos informes, el correo a estos miembros no llegó o no es deseado.
    Nada demuestra que los informes vengan de los proveedores de los miembros:
    quienes comparten la copia de un mensaje (--delivery batched) conocen su
    dirección de retorno, y cualquiera de ellos podría haber escrito un
    informe así. No se ha puesto en pausa a nadie. Si sabe que una dirección
    no funciona, póngala en pausa.

alert-line-dead = { $address }: la dirección no existe ({ $words })
alert-line-soft = { $address }: el correo a la dirección se devuelve desde hace 8 días ({ $words })
alert-line-complaint = { $address }: marcó un correo como spam ({ $words })
alert-line-report = { $address }: { $words }
alert-line-webhook-fails = { $host }: han fallado tres intentos seguidos ({ $words })
alert-line-webhook-paused = { $host }: el webhook se ha puesto en pausa ({ $words })
alert-line-provider = { $provider } rechazó { $refused } de { $copies } copias de «{ $subject }» a { $list } ({ $words })
alert-more = y { $count ->
    [one] { $count } más
   *[other] { $count } más
}.
complaint-words = un informe del tipo { $kind }

## A un miembro cuyo correo se devolvió

probe-subject = ¿Vuelve a llegarle el correo?
probe-text =
    El correo de las listas de { $account } a esta dirección se ha devuelto,
    así que por ahora no se le envía nada más. El último informe decía:

    { $words }

    Con este correo comprobamos si la dirección vuelve a funcionar. Si puede
    leerlo, no tiene que hacer nada: sus listas siguen dentro de unos días.
    Para recibirlas ya, abra esta página y pulse el botón:

    { $link }

## La parte legible de un aviso de entrega que pidió quien envió el mensaje

report-from = Entrega de correo
report-subject = Su mensaje se ha entregado
report-begin = Este es el informe que pidió. Su mensaje ha llegado:
report-delivered = { $address }: está donde usted lo envió
report-relayed = { $address }: se ha reenviado a las personas que reciben el correo de esta dirección
report-end = No se informa de la entrega a cada destinatario.

## En las copias que reciben los miembros

copy-cut-off = [La lista de correo ha cortado aquí este mensaje.]
copy-attachment-removed = [Adjunto quitado: { $name } ({ $kind }, { $size })]
copy-attachment-nameless = sin nombre

## A quien tiene la dirección para la que alguien pidió algo, para que lo confirme

confirm-mail-subject = Confirme su solicitud: { $list }
confirm-mail-text =
    Usted, o alguien que escribió su dirección
    { $address }, nos pidió lo siguiente:

    { $changes }

    Si fue usted, abra esta página y pulse el botón:

    { $link }

    O simplemente responda a este correo; no hace falta escribir nada.

    Si no fue usted, no haga nada. No ha cambiado nada, y el enlace deja de
    funcionar el { $until }.
confirm-mail-approval =
    Cuando lo haya confirmado, deciden las personas responsables de la lista.
    Recibirá un correo cuando lo hayan hecho.
confirm-change-join = Unirse a la lista { $list }
confirm-change-leave = Salir de la lista { $list }
confirm-change-digest = Recibir { $list } en un correo al día
confirm-change-singly = Recibir cada mensaje de { $list } por separado
confirm-change-as-address = Recibir { $list } según los ajustes de su dirección
confirm-change-pause = Pausar todo el correo de las listas a esta dirección
confirm-change-resume = Recibir de nuevo el correo de las listas en esta dirección
confirm-change-add = Usar esta dirección para sus listas de { $site }

## Respuestas a correos con órdenes, y a respuestas que confirman una solicitud. Las órdenes las escriben personas: son
## las mismas en todos los idiomas.

command-subject = Su solicitud a { $list }
command-results = El resultado de su solicitud:
command-to-confirm = Confírmelo, por favor, con el enlace de abajo.
command-mailed-before = En las últimas veinticuatro horas le enviamos un enlace para confirmarlo: búsquelo en su correo.
command-confirm =
    Para confirmar, abra esta página y pulse el botón:

    { $link }

    O simplemente responda a este correo; no hace falta escribir nada.

    Si no lo ha pedido usted, no haga nada. No ha cambiado nada, y el enlace
    deja de funcionar el { $until }.
command-none = Su correo no tenía ningún comando que entendamos.
command-other-lines = Su correo tenía líneas que no son comandos. No las hemos tenido en cuenta.
command-member-already = Ya es miembro de { $list }.
command-join-closed = No puede unirse a { $list } por su cuenta. Escriba a las personas responsables.
command-leave-closed = No puede salir de { $list } por su cuenta. Escriba a las personas responsables.
command-not-permitted = Las direcciones como { $address } no pueden ser miembros de { $list }.
command-no-member = { $address } no es miembro de { $list }. Si recibe los mensajes en otra dirección suya, escriba desde ella.
command-unknown = { $address } no está en ninguna de nuestras listas.
command-digest-already = Ya recibe { $list } en un correo al día.
command-singly-already = Ya recibe cada mensaje de { $list } por separado.
command-paused-already = El correo a { $address } ya está en pausa.
command-not-paused = El correo a { $address } no está en pausa.
command-which-singly = { $name } ({ $title }): cada mensaje por separado
command-which-digest = { $name } ({ $title }): un correo al día
command-which-web = { $name } ({ $title }): nada por correo, se lee en la web
command-which-paused = El correo a { $address } está en pausa por ahora.
command-help =
    { $list } entiende estos comandos. Escriba cada uno en una línea propia y
    envíelos a { $address }:
command-help-help = esta ayuda
command-help-subscribe = para unirse a la lista
command-help-subscribe-digest = para unirse y recibir un correo al día
command-help-unsubscribe = para salir de la lista
command-help-digest-on = para recibir la lista en un correo al día
command-help-digest-off = para recibir cada mensaje por separado
command-help-pause = para pausar todo el correo de nuestras listas a su dirección
command-help-resume = para volver a recibirlo
command-help-which = para ver en cuáles de nuestras listas está
command-help-end =
    Antes de que cambie nada, recibirá un enlace para confirmarlo. Para
    escribir a las personas responsables de la lista:
    { $owner }.
command-help-page = La lista tiene una página:
command-expired =
    Su solicitud del { $day } no se pudo confirmar: el plazo
    es de siete días y ya ha pasado. No ha cambiado nada. Si todavía lo desea,
    vuelva a pedirlo.

## Los botones de los mensajes en HTML: cada uno está donde el texto tiene el enlace

mail-button-decide = Leer y decidir
mail-button-decide-request = Decidir
mail-button-confirm = Confirmar
mail-button-sign-in = Iniciar sesión
mail-button-password = Elegir una contraseña
mail-button-unlock = Desbloquear mi dirección
mail-button-resume = Volver a recibir los mensajes
mail-button-leave = Salir de la lista
mail-button-manage = Ver sus listas
mail-button-archive = Leer el archivo
mail-button-list = Ver la página de la lista
alert-lists = Miembro de { $lists }
alert-person = { $name }, miembro de { $lists }
mail-button-person = Ver a esta persona
# Told to the sender of a message, behind "Reason:".
reason-your-address = su dirección no puede escribir a esta lista; si es miembro, escriba desde la dirección en la que recibe sus mensajes
