### Textos de las páginas para miembros y del correo con el que inician sesión.

nav-members = Sus listas

## Iniciar sesión

me-sign-in-title = Entrar en sus listas
me-sign-in-lede = No necesita contraseña. Enviamos un enlace a su dirección, y con él se abren sus listas.
me-sign-in-button = Enviarme el enlace
me-email-label = Su dirección
me-email-hint = Una a la que llegue el correo de sus listas.
me-email-missing = Escriba su dirección, por favor.
me-email-without-at = A la dirección le falta la @.
me-email-wrong = A esta dirección no se puede enviar correo.
me-stay-label = Mantener la sesión abierta en este dispositivo
me-stay-hint = Durante 90 días en lugar de uno. Solo si nadie más usa su dispositivo.
me-mailed-title = Mire en su buzón
me-mailed-lede = Si conocemos { $address }, un correo con un enlace está en camino. El enlace funciona durante { $time }.
me-mailed-nothing = ¿No llega nada?
me-mailed-spam = Puede estar entre el correo no deseado.
me-mailed-other = Quizá sus listas llegan a otra de sus direcciones.
me-mailed-often = Enviamos a una dirección un correo por minuto y cinco al día, por muchas veces que se escriba aquí.
me-mailed-again = Escribir otra dirección

## La página del enlace

me-link-title = Nos alegra verle de nuevo
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

me-mail-subject = Su enlace para entrar en { $account }
me-mail-text =
    Alguien, probablemente usted, quiere iniciar sesión con la dirección
    { $address } en las listas de correo de { $account }.

    Para iniciar sesión, abra esta página y pulse su botón:

    { $link }

    El enlace funciona una vez, hasta el { $until }.

    Si no ha sido usted, no tiene que hacer nada: sin este correo, nadie
    puede iniciar sesión en su lugar.
