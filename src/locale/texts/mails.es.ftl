### Textos de los correos que escribe el servidor. Los términos se explican en common.es.ftl.

## Por qué un mensaje espera o se devuelve

reason-automated = el mensaje se envió automáticamente
reason-not-allowed = esta dirección no puede escribir a la lista
reason-not-proven = no se pudo comprobar quién lo envía: ni DMARC ni un resultado SPF o DKIM coincidente es válido
reason-every-message = todos los mensajes a esta lista necesitan aprobación
reason-reply = las respuestas a esta lista necesitan aprobación
reason-closed-thread = el hilo al que responde está cerrado
reason-known-id = antes llegó otro mensaje con el mismo Message-ID
reason-taboo-header = una cabecera coincide con el patrón { $pattern }
reason-taboo-body = el contenido coincide con el patrón { $pattern }
reason-patterns-slow = la revisión de los patrones tardó demasiado
reason-pattern-large = la revisión de los patrones tardó demasiado: un patrón es más largo de lo que hoy se admite y hay que sustituirlo por uno más corto
reason-text-long = la revisión de los patrones tardó demasiado: el texto es más largo de lo que se revisa
reason-kind-pattern = un patrón de la lista coincide
reason-kind-failed = el servidor no pudo decidir sobre él o enviarlo
reason-banned = esta dirección está excluida de la lista
reason-too-large = el mensaje supera los { $limit } que admite esta lista
reason-not-approved = la moderación de la lista no lo aprobó
reason-nobody-decided = nadie lo aprobó dentro del plazo ({ $time })
reason-failed-deciding = el servidor no pudo decidir sobre él tras { $tries } intentos: { $words }
reason-failed-sending = el servidor no pudo enviarlo tras { $tries } intentos: { $words }

## A quien envió un mensaje que espera o se devuelve

hold-subject = Su mensaje a { $list } espera aprobación
hold-text =
    Su mensaje a { $list } ha llegado y espera aprobación:

        Asunto: { $subject }
        Motivo: { $reason }

    Todavía no lo ha recibido nadie. A continuación, los responsables de la
    lista lo leen y deciden. No hace falta que lo envíe otra vez.

reject-subject = Su mensaje a { $list } no se ha enviado
reject-text =
    Su mensaje a { $list } no se ha enviado a los miembros de la lista:

        Asunto: { $subject }
        Motivo: { $reason }

    Si cree que es un error, responda a este correo: su respuesta llegará a los
    responsables de la lista.

## A un miembro nuevo

welcome-subject = Le damos la bienvenida a { $list }
welcome-text =
    Le damos la bienvenida. Su dirección { $email } se ha añadido a las listas
    de correo de { $list }.

    Cada correo de una lista lleva un enlace con el que puede darse de baja.

## A la moderación

moderate-mail-subject = En espera para { $list }: { $subject }
moderate-text =
    Un mensaje a { $list_address } espera su aprobación:

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
        descartar             desaparece, sin avisar a nadie

    A continuación, cuenta la primera decisión. Si nadie decide, el mensaje se
    descarta el { $due }.
moderate-preview = El mensaje empieza así:

moderate-answer-subject = Re: En espera para { $list }: { $subject }
moderate-answer-about = Sobre el mensaje «{ $subject }» a { $list }:
moderate-answer-unchanged = No ha cambiado nada: { $problem }.
moderate-answer-unknown = No se ha entendido su respuesta y no ha cambiado nada.
moderate-answer-two =
    Su respuesta contiene dos decisiones distintas, así que no ha cambiado
    nada. Responda de nuevo, por favor, con una sola de ellas.
moderate-answer-words =
    Empiece su respuesta, por favor, con una de estas líneas:

        aprobar
        rechazar y su motivo
        descartar

decided-approved = el mensaje ya fue aprobado por { $by } el { $time }
decided-rejected = el mensaje ya fue rechazado por { $by } el { $time }
decided-discarded = el mensaje ya fue descartado por { $by } el { $time }
decided-by-nobody = el mensaje ya fue descartado, porque nadie decidió a tiempo
decider-operator = el operador del servidor
decider-administrator = la administración (n.º { $number })

summary-subject = { $list }: { $count ->
    [one] { $count } mensaje espera
   *[other] { $count } mensajes esperan
} aprobación
summary-begin = { $count ->
    [one] { $count } mensaje a { $list_address } espera su aprobación:
   *[other] { $count } mensajes a { $list_address } esperan su aprobación:
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
    Un mensaje a { $list_address } se ha apartado. Todo lo demás sigue
    adelante.

        De:     { $sender }
        Asunto: { $subject }
        Motivo: { $reason }

    Los miembros que aún no lo tienen lo están esperando. Cuando se haya
    resuelto la causa, apruébelo y lo recibirán; o descártelo:

    { $link }

## A la administración: una solicitud espera una decisión. $person es un nombre con una dirección.

approval-join-subject = { $list }: alguien quiere unirse a la lista
approval-join-text =
    Alguien quiere unirse a { $list_address }:

        Persona:       { $person }
        Solicitado el: { $requested }
approval-leave-subject = { $list }: alguien quiere dejar la lista
approval-leave-text =
    Alguien quiere dejar { $list_address }:

        Persona:       { $person }
        Solicitado el: { $requested }
approval-list-subject = La lista nueva { $list } espera una decisión
approval-list-text =
    La lista nueva { $list_address } espera una decisión:

        Descripción:   { $description }
        Solicitado el: { $requested }
approval-text =
    Para decidir, abra

    { $link }

    o responda a este correo con una de estas palabras en la primera línea:

        aprobar               la solicitud se acepta
        rechazar y su motivo  se avisa a la persona, con sus palabras
        descartar             no se avisa a nadie

    A continuación, cuenta la primera decisión. La persona cuya solicitud se
    aprueba o se rechaza recibe un mensaje que lo dice, con su motivo.
approval-answer-subject = Re: una solicitud para { $list }
approval-answer-about = Sobre una solicitud para { $list }:
approval-decided-approved = la solicitud ya se aprobó: lo hizo { $by } el { $time }
approval-decided-rejected = la solicitud ya se rechazó: lo hizo { $by } el { $time }
approval-decided-discarded = la solicitud ya se descartó: lo hizo { $by } el { $time }
approval-summary-subject = { $list }: { $count ->
    [one] { $count } solicitud espera
   *[other] { $count } solicitudes esperan
} una decisión
approval-summary-both-subject = { $list }: mensajes y solicitudes esperan una decisión
approval-summary-begin = { $count ->
    [one] { $count } solicitud espera
   *[other] { $count } solicitudes esperan
} su decisión en { $list_address }:

## A una persona sobre cuya solicitud se ha decidido

approval-joined-subject = Ya es miembro de { $list }
approval-joined-text =
    Los responsables de { $list } han aprobado su solicitud. Ya es miembro
    de la lista y recibe sus mensajes.
approval-not-joined-subject = Su solicitud de unirse a { $list }
approval-not-joined-text =
    Los responsables de { $list } no han aprobado su solicitud de unirse a
    la lista. Si cree que es un error, responda a este mensaje: su respuesta
    les llegará.
approval-left-subject = Ha dejado { $list }
approval-left-text =
    Los responsables de { $list } han aprobado su solicitud. Ha dejado la
    lista y ya no recibirá sus mensajes.
approval-not-left-subject = Su solicitud de dejar { $list }
approval-not-left-text =
    Los responsables de { $list } no han aprobado su solicitud de dejar la
    lista, así que sigue en ella. Si cree que es un error, responda a este
    mensaje: su respuesta les llegará.
approval-opened-subject = Su lista { $list } está aprobada
approval-opened-text =
    Su lista { $list } está aprobada. Desde ahora acepta mensajes.
approval-refused-subject = Su lista { $list } no está aprobada
approval-refused-text =
    Su lista { $list } no se aprobó y se ha eliminado.
approval-reason = El motivo:

## A la administración: quién se ha unido y quién ha dejado la lista

news-joined-subject = { $list }: un miembro nuevo
news-joined-text = Alguien se ha unido a { $list_address }:
news-left-subject = { $list }: un miembro ha dejado la lista
news-left-text = Alguien ha dejado { $list_address }:
news-why-subject = { $list }: por qué un miembro ha dejado la lista
news-why-text = Alguien que ha dejado { $list_address } dice por qué:
news-line = { $person }, { $time }
news-reason = Con sus propias palabras:
news-summary-subject = { $list }: altas y bajas de miembros
news-summary-joined = { $count ->
    [one] { $count } persona se ha
   *[other] { $count } personas se han
} unido a { $list_address }:
news-summary-left = { $count ->
    [one] { $count } persona ha
   *[other] { $count } personas han
} dejado { $list_address }:
news-summary-why = { $count ->
    [one] { $count } persona que ha dejado { $list_address } dice
   *[other] { $count } personas que han dejado { $list_address } dicen
} por qué:

## A la administración

invite-from = Listas de correo de { $domain }
invite-subject = Elija su contraseña para las listas de correo de { $site }
invite-text =
    Ahora forma parte de la administración de las listas de correo de
    { $site }.

    Elija, por favor, la contraseña con la que iniciará sesión como
    { $username }:

    { $link }

    El enlace sirve una sola vez, hasta el { $day }. Si no esperaba este
    correo, no tiene que hacer nada.

alert-bounce-subject = Una dirección está en pausa
alert-bounce-text =
    El correo enviado a estas direcciones se ha devuelto de forma definitiva,
    así que no se les envía nada más. Se vuelve a intentar cada tres días,
    cuatro veces en total, y vuelven a recibir correo en cuanto llegue alguno
    o cuando usted lo permita.
alert-complaint-subject = Un miembro se ha quejado
alert-complaint-text =
    Estos miembros han dicho a su proveedor que no desean el correo de una
    lista. No se les envía nada más hasta que ellos o usted digan otra cosa.
alert-backup-subject = Las copias de seguridad de { $host } fallan
alert-backup-text = Las últimas { $count } copias de seguridad a { $place } han fallado; la última, por esta razón:
alert-backup-newest = La copia más reciente es del { $time }. El servidor sigue intentándolo.
alert-backup-none = Todavía no se ha hecho ninguna copia allí. El servidor sigue intentándolo.
alert-provider-subject = Un proveedor rechaza correo
alert-provider-text =
    Un proveedor rechaza lo que envía una lista, por razones que no tienen que
    ver con sus miembros. El resto del mensaje no se entrega por ahora a ese
    proveedor. No se ha puesto en pausa a ningún miembro.
alert-report-subject = No se ha dado por bueno un informe sobre el correo a un miembro
alert-report-text =
    Según unos informes, el correo a estos miembros no llegó o no es deseado.
    Nada demuestra que los informes vengan de los proveedores de los miembros:
    quienes comparten la copia de un mensaje (--delivery batched) conocen su
    dirección de retorno, y cualquiera de ellos podría haber escrito un
    informe así. No se ha puesto en pausa a nadie. Si sabe que una dirección
    no funciona, póngala usted en pausa.

alert-line-dead = { $address }: la dirección no existe ({ $words })
alert-line-soft = { $address }: el correo a la dirección falla desde hace 8 días ({ $words })
alert-line-complaint = { $address }: el miembro se ha quejado ({ $words })
alert-line-report = { $address }: { $words }
alert-line-provider = { $provider } rechazó { $refused } de { $copies } copias de «{ $subject }» a { $list } ({ $words })
alert-more = y { $count ->
    [one] { $count } más
   *[other] { $count } más
}.
complaint-words = un informe del tipo { $kind }

## A un miembro cuyo correo se devolvió

probe-subject = ¿Le vuelve a llegar el correo?
probe-text =
    El correo de las listas de { $account } a esta dirección se ha devuelto,
    así que por ahora no se le envía nada más. Lo último que se supo es:

    { $words }

    Este correo pregunta si la dirección vuelve a funcionar. Si puede leerlo,
    no tiene que hacer nada: sus listas siguen dentro de unos días. Para
    recibirlas ya, abra esta página y pulse el botón:

    { $link }

## La parte legible de un aviso de entrega que pidió quien envió el mensaje

report-from = Entrega de correo
report-subject = Su mensaje se ha entregado
report-begin = Este es el aviso que pidió. Su mensaje ha llegado:
report-delivered = { $address }: está donde usted lo envió
report-relayed = { $address }: se ha transmitido a las personas a las que representa esta dirección
report-end = No se informa de lo que ocurre con él en el buzón de cada destinatario.

## En las copias que reciben los miembros

copy-cut-off = [La lista de correo ha cortado aquí este mensaje.]
copy-attachment-removed = [Archivo adjunto retirado: { $name } ({ $kind }, { $size })]
copy-attachment-nameless = sin nombre

## A quien tiene la dirección para la que alguien pidió algo, para que lo confirme

confirm-mail-subject = Confirme, por favor: { $list }
confirm-mail-text =
    Usted, o alguien que escribió su dirección
    { $address }, nos pidió lo siguiente:

    { $changes }

    Si fue usted, abra esta página y pulse el botón:

    { $link }

    O simplemente responda a este correo; no hace falta escribir nada.

    Si no fue usted, no haga nada. Nada ha cambiado, y el enlace deja de
    funcionar el { $until }.
confirm-mail-approval =
    Qué pasa cuando haya confirmado: los responsables de la lista deciden, y
    usted recibirá entonces un correo.
confirm-change-join = Unirse a la lista { $list }
confirm-change-leave = Dejar la lista { $list }
confirm-change-digest = Recibir la lista { $list } en un correo al día
confirm-change-singly = Recibir cada mensaje de la lista { $list } por separado
confirm-change-as-address = Recibir la lista { $list } como indica su dirección
confirm-change-pause = Pausar todo el correo de listas a esta dirección
confirm-change-resume = Recibir de nuevo el correo de listas en esta dirección
confirm-change-add = Usar esta dirección para sus listas de { $site }

## Respuestas a correos con órdenes, y a respuestas que confirman una solicitud. Las órdenes las escriben personas: son
## las mismas en todos los idiomas.

command-subject = Su solicitud a { $list }
command-results = Esto es lo que ha pasado con su solicitud:
command-to-confirm = Confírmelo, por favor, con el enlace de abajo.
command-mailed-before = Se le envió un enlace para confirmarlo en las últimas veinticuatro horas: búsquelo, por favor, en su correo.
command-confirm =
    Para confirmar, abra esta página y pulse el botón:

    { $link }

    O simplemente responda a este correo; no hace falta que escriba nada.

    Si no lo ha pedido usted, no haga nada. Nada ha cambiado, y el enlace deja
    de funcionar el { $until }.
command-none = Su correo no tenía ninguna orden que entendamos.
command-other-lines = Su correo tenía líneas que no son órdenes. Se han pasado por alto.
command-member-already = Ya es usted miembro de { $list }.
command-join-closed = Nadie se une por su cuenta a { $list }. Pregunte, por favor, a los responsables de la lista.
command-leave-closed = Nadie deja { $list } por su cuenta. Pregunte, por favor, a los responsables de la lista.
command-not-permitted = Las direcciones como { $address } no pueden ser miembros de { $list }.
command-no-member = { $address } no es miembro de { $list }. Si los mensajes le llegan a otra dirección suya, escriba, por favor, desde allí.
command-unknown = { $address } no está en ninguna de nuestras listas.
command-digest-already = Ya recibe { $list } en un correo al día.
command-singly-already = Ya recibe cada mensaje de { $list } por separado.
command-paused-already = Los correos a { $address } ya están en pausa.
command-not-paused = Los correos a { $address } no están en pausa.
command-which-singly = { $name } ({ $title }): cada mensaje por separado
command-which-digest = { $name } ({ $title }): un correo al día
command-which-web = { $name } ({ $title }): nada por correo, se lee en la web
command-which-paused = Los correos a { $address } están en pausa por ahora.
command-help =
    { $list } entiende estas órdenes. Escriba cada una en una línea propia y
    envíelas a { $address }:
command-help-help = esta ayuda
command-help-subscribe = para unirse a la lista
command-help-subscribe-digest = para unirse y recibir un correo al día
command-help-unsubscribe = para dejar la lista
command-help-digest-on = para recibir la lista en un correo al día
command-help-digest-off = para recibir cada mensaje por separado
command-help-pause = para pausar todos los correos de nuestras listas a su dirección
command-help-resume = para volver a recibirlos
command-help-which = para ver en cuáles de nuestras listas está
command-help-end =
    Antes de que cambie nada, recibe un enlace para confirmarlo. Para escribir
    a los responsables de la lista: { $owner }.
command-help-page = La lista tiene una página:
command-expired =
    Su solicitud del { $day } no se pudo confirmar: se puede durante siete
    días, y ya han pasado. Nada ha cambiado. Si todavía lo desea, vuelva a
    pedirlo, por favor.

## Los botones de los mensajes en HTML: cada uno está donde el texto tiene el enlace

mail-button-decide = Leer y decidir
mail-button-decide-request = Decidir
mail-button-confirm = Confirmar
mail-button-sign-in = Iniciar sesión
mail-button-password = Elegir una contraseña
mail-button-unlock = Desbloquear mi dirección
mail-button-resume = Volver a recibir los mensajes
mail-button-leave = Dejar la lista
mail-button-manage = Sus listas
mail-button-archive = Leer el archivo
mail-button-list = La página de la lista
alert-lists = Miembro de { $lists }
alert-person = { $name }, miembro de { $lists }
mail-button-person = Ver a esta persona
