### Signing in of administrators: passwords, second factors, sessions.

nav-login = Administración

## The form for address and password

login-title = Iniciar sesión para administrar las listas
login-lede = Solo lo necesitan quienes administran las listas.
login-members = Los miembros llegan a sus listas con un enlace, sin contraseña.
login-username = Su dirección
login-password = Su contraseña
login-forgotten = La he olvidado
login-button = Iniciar sesión
login-password-missing = Escriba su contraseña, por favor.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = La dirección o la contraseña no es correcta.
password-is-address = La contraseña no puede ser la dirección, que todo el mundo conoce.
password-is-common = Una contraseña no puede ser una de las habituales: palabras como «contraseña», su nombre, filas de teclas o letras repetidas, tampoco con cifras añadidas. Varias palabras poco comunes son una buena.

## Asked again before changes that matter

login-again-title = Confirme que es usted, por favor
login-again-lede = Inició sesión hace un rato, y lo que quiere cambiar es importante. Por eso le pedimos la contraseña una vez más.
login-again-password = La contraseña de { $username }
login-again-button = Continuar
login-again-wrong = La contraseña no es correcta.

## A forgotten password

forgotten-title = Elegir una contraseña nueva
forgotten-lede = Enviamos un enlace a su dirección. Lleva a una página en la que elige otra contraseña.
forgotten-button = Enviarme el enlace
forgotten-back = Volver al inicio de sesión
forgotten-mailed = Mire en su buzón
# $time is a text like "1 hour".
forgotten-mailed-lede = Si { $address } es la dirección de alguien que administra las listas, un correo con un enlace está en camino. El enlace funciona durante { $time }.
forgotten-mailed-often = Enviamos como máximo cinco correos al día a una dirección. Si inicia sesión con otro servicio, no tiene contraseña aquí y no recibe ningún correo.
forgotten-again = Escribir otra dirección
forgotten-mail-subject = Su contraseña nueva para las listas de correo de { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Alguien, probablemente usted, quiere elegir una contraseña nueva
    para { $address }, en la administración de las listas
    de { $site }.

    Para elegirla, abra esta página:

    { $link }

    El enlace funciona una vez, hasta el { $until }.

    Si la dirección está bloqueada tras contraseñas equivocadas, una
    contraseña nueva la desbloquea. Para conservar la suya, desbloquee la
    dirección en esta página:

    { $unlock }

    Si no fue usted, no tiene que hacer nada: su contraseña sigue siendo la
    misma.

## An address that is locked after wrong passwords

lock-mail-subject = El acceso a la administración de { $site } está bloqueado
lock-mail-text =
    Alguien ha escrito varias veces seguidas una contraseña o un código
    equivocados para { $address }. El inicio de sesión con esta
    dirección en las listas de { $site } está bloqueado
    hasta el { $until }. Los navegadores en los que ya inició
    sesión no están bloqueados, salvo que las contraseñas equivocadas
    vinieran de ellos.

    Si fue usted, o si necesita iniciar sesión ahora, desbloquee su dirección
    en esta página e inicie sesión allí:

    { $link }

    Si no fue usted, no tiene que hacer nada. Una buena contraseña no se
    adivina en tan pocos intentos, y el bloqueo termina por sí solo.
# The end of the last such mail of a day.
lock-mail-last =
    Este es por ahora el último correo de este tipo. Su enlace desbloquea su
    dirección tantas veces como haga falta, hasta el { $until }.
unlock-title = Desbloquear su dirección
unlock-lede = Alguien se equivocó demasiadas veces al iniciar sesión como { $username }. Si desbloquea la dirección, puede intentarlo de nuevo enseguida.
unlock-button = Desbloquear
unlock-done = Su dirección está desbloqueada
unlock-done-lede = Puede volver a iniciar sesión como { $username }.
unlock-over = Este enlace ya no hace falta
unlock-over-lede = { $username } no está bloqueada, o un correo más reciente tiene otro enlace.

## The second factor was changed: the mail to its owner

factor-mail-subject = Se ha cambiado la verificación en dos pasos de { $site }
factor-mail-made = Se ha activado la verificación en dos pasos: desde ahora, iniciar sesión requiere un código.
factor-mail-changed = Se ha sustituido el segundo factor: desde ahora, los códigos llegan de otro sitio.
factor-mail-off = Se ha desactivado la verificación en dos pasos: ahora basta la contraseña.
factor-mail-codes = Se han creado códigos de recuperación nuevos, y los anteriores ya no funcionan.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Se trata de { $address }, en la administración de las
    listas de { $site }. Momento: { $time }.

    Si fue usted, no tiene que hacer nada.

    Si no fue usted, elija enseguida una contraseña nueva en esta página y
    avise a los demás administradores:

    { $link }

## The second step

code-title = Un paso más
code-lede-otp = Escriba el código que muestra ahora su aplicación de autenticación.
# $digits are the last digits of the number.
code-lede-sms = Hemos enviado un código a su teléfono, al número que termina en { $digits }.
code-label = Código
code-hint = 6 cifras. También sirve uno de sus códigos de recuperación.
code-again = Enviar otro código
code-sent-again = Otro código está en camino. Solo sirve el más reciente.
code-back = Empezar de nuevo
code-missing = Escriba el código, por favor.
code-wrong = Ese código no es correcto o ya se usó. Espere al siguiente, por favor.
code-over = Ha pasado demasiado tiempo. Empiece de nuevo, por favor.
# The text message. $code is six digits.
sms-text = { $code } es su código para iniciar sesión en las listas de correo. Sirve durante diez minutos. Nunca lo pedimos por teléfono ni por correo.
sms-refused = No se pudo enviar el código. Inténtelo de nuevo dentro de un rato; un código de recuperación sirve en cualquier momento.
sms-unsent = No se pudo enviar el código. Pida otro dentro de un rato o use un código de recuperación.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Enviamos como máximo diez códigos por hora. El siguiente podrá enviarse el { $time }.

## An administrator's own page

own-title = Su inicio de sesión
own-lede = Inicia sesión como { $username }.
own-factor-title = Una segunda llave
own-factor-asked = Antes de continuar, añada una segunda llave: la pide quien gestiona los accesos.
own-factor-none = Su contraseña basta para iniciar sesión. Con una segunda llave, una contraseña robada ya no basta.
own-factor-otp = Para iniciar sesión hacen falta su contraseña y un código de su aplicación de autenticación.
own-factor-sms = Para iniciar sesión hacen falta su contraseña y un código que enviamos al número que termina en { $digits }.
own-factor-begin-otp = Usar una aplicación de autenticación
own-factor-other-otp = Cambiar a otra aplicación
own-factor-off = Quitar la segunda llave
own-factor-off-done = La segunda llave está quitada. Ahora basta su contraseña.
own-factor-done = Su segunda llave está lista. Desde ahora, iniciar sesión requiere un código.
own-recovery-title = Sus códigos de recuperación
own-recovery-lede = Cada uno sirve una vez en lugar de un código, por si pierde el teléfono. Imprímalos o guárdelos con sus contraseñas: solo los mostramos ahora.
# A link to the page that could not be opened without a factor.
own-go-on = Continuar con lo que se le pedía
own-recovery-button = Crear códigos de recuperación nuevos
own-recovery-done = Estos son sus códigos de recuperación nuevos. Los antiguos ya no sirven.
own-recovery-left = { $count ->
    [0] No le queda ningún código de recuperación.
    [one] Le queda { $count } código de recuperación.
   *[other] Le quedan { $count } códigos de recuperación.
}
own-setup-scan = Escanee esto con una aplicación de autenticación
own-setup-scan-hint = Sirve cualquier aplicación de códigos de un solo uso.
own-setup-qr = Código QR con la clave de abajo
own-setup-type = No puedo escanearlo
own-setup-type-hint = Escriba esta clave en la aplicación. El tipo es «basado en tiempo», con 6 cifras.
own-setup-code-otp = Escriba el código que muestra la aplicación
own-setup-code-sms = Escriba el código que hemos enviado al { $number }
own-setup-code-hint = 6 cifras. Nada cambia hasta que haya escrito un código correcto.
own-setup-confirm = Comprobar el código
own-setup-cancel = Ahora no
own-code-wrong = Ese código no es correcto. El código de una aplicación puede acabar de cambiar; un código enviado sirve para un solo intento, así que pida otro.
own-phone-label = Número de teléfono
own-phone-hint = Con el prefijo del país, por ejemplo +49 151 12345678.
own-phone-button = Recibir códigos por SMS
own-phone-wrong = Escriba el número con el signo más y el prefijo del país, por ejemplo +49 151 12345678.
own-password-title = Su contraseña
own-password-lede = Si elige otra, su sesión sigue abierta aquí y se cierra en todos los demás sitios.
own-password-present = Su contraseña actual
own-password-new = Su contraseña nueva
own-password-done = Su contraseña nueva está guardada. Las sesiones de otros navegadores están cerradas.
own-sessions-title = Dónde tiene sesiones abiertas
own-sessions-this = Esta sesión
own-grant-done = La aplicación ya no tiene acceso.
own-grants-title = Aplicaciones que actúan por usted
own-grants-lede = Ha permitido a estas aplicaciones hacer esto con sus permisos.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = permitido el { $made } · usado por última vez el { $used }
own-grants-revoke = Retirar

## Un formulario enviado cuando la sesión había terminado

typed-title = Esto es lo que escribió
typed-note = Tuvo que iniciar sesión de nuevo, así que no se guardó nada.
typed-lede = Envíelo ahora, vuelva a la página sin enviarlo o elimínelo. Se guarda durante un día y solo lo ve usted.
typed-send = Enviar ahora
typed-back = Volver a la página
typed-discard = Eliminar
