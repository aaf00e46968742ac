### Textos de las páginas para miembros y del correo con el que inician sesión.

nav-members = Sus listas

## Iniciar sesión

me-sign-in-title = Iniciar sesión para ver sus listas
me-sign-in-lede = No necesita contraseña. Enviamos un enlace a su dirección, y con él se abren sus listas.
me-sign-in-button = Enviarme el enlace
me-email-label = Su dirección
me-email-hint = La dirección en la que recibe el correo de sus listas.
me-email-missing = Escriba su dirección.
me-email-without-at = A la dirección le falta la @.
me-email-wrong = A esta dirección no se puede enviar correo.
me-stay-label = Mantener la sesión abierta en este dispositivo
me-stay-hint = Durante 90 días en lugar de uno. Solo en un dispositivo que no use nadie más.
me-mailed-title = Revise su correo
me-mailed-lede = Si conocemos { $address }, un correo con un enlace ya está en camino. El enlace funciona durante { $time }.
me-mailed-nothing = ¿No llega nada?
me-mailed-spam = Puede estar en la carpeta de spam.
me-mailed-other = Quizá sus listas lleguen a otra de sus direcciones.
me-mailed-often = Si lo pidió hace menos de un minuto, busque el correo anterior: su enlace todavía funciona. A una dirección le enviamos un correo por minuto y cinco al día, y el enlace del quinto funciona hasta el día siguiente.
me-mailed-again = Usar otra dirección

## La página del enlace

me-link-title = Nos alegra volver a verle
me-link-lede = Va a iniciar sesión con { $address }.
me-link-button = Iniciar sesión
me-link-day = La sesión queda abierta durante un día, o hasta que la cierre.
me-link-long = La sesión queda abierta en este dispositivo durante 90 días, o hasta que la cierre.
me-link-used = Este enlace ya se usó
me-link-used-next = Cada enlace abre la sesión una sola vez. Si no la tiene abierta, pida uno nuevo.
me-link-expired = Este enlace ya no funciona
me-link-expired-next = Los enlaces para iniciar sesión duran una hora. Pida uno nuevo; llega enseguida.
me-link-again = Enviarme un enlace nuevo

## El correo con el enlace

me-mail-subject = Su enlace para iniciar sesión en { $account }
me-mail-text =
    Alguien, probablemente usted, quiere iniciar sesión con la dirección
    { $address } en las listas de correo de { $account }.

    Para iniciar sesión, abra esta página y pulse el botón:

    { $link }

    El enlace funciona una sola vez, hasta el { $until }.

    Si no fue usted, no tiene que hacer nada: sin este correo, nadie puede
    iniciar sesión en su lugar.

## La primera página de un miembro

me-hello = Hola, { $name }
me-count = { $count ->
    [0] Ahora mismo no está en ninguna lista.
    [one] Está en una lista.
   *[other] Está en { $count } listas.
}
me-how-single = Cada mensaje
me-how-digest = Un correo al día
me-how-none = Sin correo, la leo en la web
me-people = Miembros de todas las listas
me-people-list = Miembros de { $list }
me-people-here = Miembros
me-save = Guardar
me-leave = Salir de la lista
me-leave-approval = Las personas responsables de la lista tienen que aprobar su salida.
me-leave-waits = Ha pedido salir de la lista. Deciden las personas responsables.
me-leave-closed = Para salir de esta lista, escriba a las personas responsables.
me-left = Ha salido de esta lista. Puede deshacerlo hasta el { $day }.
me-joined = Es miembro desde el { $time }, { $way }.
me-joined-from = Es miembro desde el { $time }, { $way }, desde { $from }.
me-way-administrator = por la administración
me-way-web = en una página
me-way-mail = por correo

me-addresses = Sus direcciones
me-first = Dirección principal
me-paused = En pausa
me-state-active = Aquí llega el correo de sus listas.
me-state-paused = El envío está en pausa hasta que lo reanude. Puede escribir desde esta dirección.
me-state-until = El envío está en pausa hasta el { $day }.
me-state-dead = En pausa desde el { $day }, porque su servidor dijo que ese buzón no existe.
me-state-soft = En pausa desde el { $day }, porque el correo se devolvió durante ocho días.
me-state-complaint = En pausa desde el { $day }, porque un mensaje se marcó como spam.
me-state-next = { $why } Lo intentaremos de nuevo el { $day }.
me-until = Sin correo hasta el
me-until-hint = Déjelo en blanco si aún no sabe el día.
me-until-wrong = Elija un día a partir de mañana y, como mucho, dentro de unos años.
me-pause = Pausar el envío
me-resume = Reanudar el envío
me-make-first = Usar como principal
me-remove = Quitar
me-last-address = Es su única dirección. Añada otra antes de quitarla.
me-paused-already = El envío ya está en pausa, porque el correo se devolvió o se marcó como spam.

me-name = Su nombre
me-firstname = Nombre
me-surname = Apellidos
me-save-name = Guardar su nombre
me-too-long = Use { $count } caracteres como máximo.
me-unprintable = Tiene caracteres que no se pueden mostrar.
me-devices = Sus dispositivos y cómo cerrar la sesión en todos

me-digest-wrong = Elija una de las formas de recibirla.
me-done-name = Guardado.
me-done-first = { $address } es ahora su dirección principal.
me-done-remove = Se ha quitado { $address }. Ya no llega correo allí.
me-done-pause = El envío a { $address } está en pausa hasta que lo reanude.
me-done-pause-until = El envío a { $address } está en pausa hasta el { $day }.
me-done-resume = El correo vuelve a ir a { $address }.
me-done-digest = { $address } recibe un correo al día, salvo de las listas en las que eligió otra cosa.
me-done-single = { $address } recibe cada mensaje, salvo de las listas en las que eligió otra cosa.
me-done-list = Guardado para { $list }.
me-done-leave-waits = Ha pedido salir de { $list }. Deciden las personas responsables de la lista; le avisaremos por correo.

me-open = Listas a las que puede unirse
me-open-hint = Su dirección ya está confirmada, así que basta con pulsar el botón una vez.
me-open-more = Más listas
me-join = Unirse
me-join-approval = Deciden las personas responsables de la lista.
me-join-waits = Ha pedido unirse. Deciden las personas responsables de la lista.
me-join-refused = Las listas de aquí no admiten direcciones como { $address }.
me-done-join = Ya es miembro de { $list }.
me-done-join-waits = Ha pedido unirse a { $list }. Deciden las personas responsables de la lista; le avisaremos por correo.
me-add-label = Enviar mi correo a
me-add-hint = Primero enviamos un enlace a la dirección nueva, para asegurarnos de que es suya. Hasta que lo abra, todo sigue igual.
me-add = Conservar las dos direcciones
me-own-already = Ya tiene esta dirección.
me-done-add = Revise el correo de { $address }. El correo de sus listas llegará también allí en cuanto abra el enlace que le enviamos.

## Las listas de un miembro: lo nuevo, cómo llega el correo, la ausencia, otra dirección

me-write = Escribir
me-read = Leer
me-new = { $count ->
    [one] { $number } nuevo
   *[other] { $number } nuevos
}
me-new-many = más de { $number } nuevos
me-last = último mensaje
me-since = miembro desde el { $day }
me-how-joined = Cómo se unió
me-how-list = Cómo recibe { $list }
me-done-how-single = Desde ahora recibe cada mensaje de { $list }.
me-done-how-digest = Desde ahora recibe { $list } en un correo al día.
me-done-how-none = { $list } ya no le envía correo. La lee aquí.
me-away = ¿Se va de viaje?
me-away-now = Por ahora no le llega correo de sus listas:
me-away-until = hasta el { $day }, como pidió
me-away-open = hasta que lo reanude
me-away-by-server = el correo a su dirección se devolvió o se marcó como spam; vea «Sus direcciones»
me-go-away = Pausar el correo
me-back = Volver a recibir correo
me-done-away = No le llega correo de sus listas hasta que lo reanude.
me-done-away-until = No le llega correo de sus listas hasta el { $day }.
me-done-back = Vuelve a llegarle el correo de sus listas.
me-move-label = En lugar de
me-move = Trasladar mi correo allí
me-done-move = Revise el correo de { $address }. El correo de sus listas llegará allí en cuanto abra el enlace que le enviamos.

## El correo a una dirección que un miembro ha sustituido

moved-mail-subject = Su correo de { $account } llega a otra dirección
moved-mail-text =
    El correo de sus listas de { $account } ya no llega a
    { $address }, sino a { $new }.
    Lo pidió alguien que había iniciado sesión en su nombre y que lee el
    correo de esa dirección.

    Si fue usted, no tiene que hacer nada.

    Si no fue usted, responda a este correo: su respuesta llega a los
    administradores, que pueden corregir la dirección.
