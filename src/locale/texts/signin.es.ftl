### Signing in of administrators: passwords, second factors, sessions.

nav-login = Administración

## The form for address and password

login-title = Iniciar sesión para administrar las listas
login-lede = Solo quienes administran las listas inician sesión aquí.
login-members = ¿Es miembro? Un enlace por correo le lleva a sus listas, sin contraseña.
login-username = Su dirección
login-password = Su contraseña
login-forgotten = ¿Ha olvidado su contraseña?
login-button = Iniciar sesión
login-password-missing = Escriba su contraseña.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = La dirección o la contraseña no son correctas.
password-is-address = No use su dirección como contraseña: todo el mundo la conoce.
password-is-common = Esta contraseña es demasiado fácil de adivinar: es una palabra común, su nombre, una fila de teclas o letras repetidas, quizá con números añadidos. Varias palabras poco comunes forman una buena contraseña.

## Asked again before changes that matter

login-again-title = Confirme que es usted
login-again-lede = Inició sesión hace un rato y este cambio es importante, así que le pedimos la contraseña una vez más.
login-again-password = Contraseña de { $username }
login-again-button = Continuar
login-again-wrong = La contraseña no es correcta.

## A forgotten password

forgotten-title = Elegir una contraseña nueva
forgotten-lede = Le enviaremos un enlace a una página en la que puede elegir otra contraseña.
forgotten-button = Enviarme el enlace
forgotten-back = Volver al inicio de sesión
forgotten-mailed = Revise su correo
# $time is a text like "1 hour".
forgotten-mailed-lede = Si { $address } pertenece a alguien que administra las listas, un correo con un enlace ya está en camino. El enlace funciona durante { $time }.
forgotten-mailed-often = Enviamos como máximo cinco de estos correos al día a una dirección. Si inicia sesión con otro servicio, aquí no tiene contraseña y no recibirá ningún correo.
forgotten-again = Usar otra dirección
forgotten-mail-subject = Su contraseña nueva para las listas de correo de { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Alguien, probablemente usted, quiere elegir una contraseña nueva
    para { $address }, con la que se administran las listas de correo
    de { $site }.

    Para elegirla, abra esta página:

    { $link }

    El enlace funciona una sola vez, hasta el { $until }.

    Si la dirección está bloqueada por contraseñas incorrectas, una contraseña
    nueva la desbloquea. Si prefiere conservar la suya, desbloquee la dirección
    en esta página:

    { $unlock }

    Si no fue usted, no tiene que hacer nada: su contraseña sigue siendo la
    misma.

## An address that is locked after wrong passwords

lock-mail-subject = El acceso a la administración de { $site } está bloqueado
lock-mail-text =
    Alguien ha escrito varias veces seguidas una contraseña o un código
    incorrectos para { $address }. Con esta dirección no se puede
    iniciar sesión en las listas de correo de { $site }
    hasta el { $until }.
    Los navegadores en los que ya había iniciado sesión no están bloqueados,
    salvo que las contraseñas incorrectas vinieran de ellos.

    Si fue usted, o si necesita iniciar sesión ahora, desbloquee su dirección
    en esta página e inicie sesión allí:

    { $link }

    Si no fue usted, no tiene que hacer nada. Una buena contraseña no se
    adivina en tan pocos intentos, y el bloqueo termina por sí solo.
# The end of the last such mail of a day.
lock-mail-last =
    Por ahora, este es el último correo de este tipo. Su enlace desbloquea su
    dirección tantas veces como haga falta,
    hasta el { $until }.
unlock-title = Desbloquear su dirección
unlock-lede = Hubo demasiados intentos fallidos de iniciar sesión como { $username }. Si desbloquea la dirección, puede intentarlo de nuevo enseguida.
unlock-button = Desbloquear
unlock-done = Su dirección está desbloqueada
unlock-done-lede = Puede volver a iniciar sesión como { $username }.
unlock-over = Este enlace ya no hace falta
unlock-over-lede = La dirección { $username } no está bloqueada, o un correo más reciente tiene otro enlace.

## The second factor was changed: the mail to its owner

factor-mail-subject = Se ha cambiado la verificación en dos pasos de { $site }
factor-mail-made = Se ha activado la verificación en dos pasos: desde ahora, para iniciar sesión hace falta un código.
factor-mail-changed = Se ha cambiado la verificación en dos pasos: desde ahora, los códigos llegan por otra vía.
factor-mail-off = Se ha desactivado la verificación en dos pasos: ahora basta con la contraseña.
factor-mail-codes = Se han creado códigos de recuperación nuevos, y los anteriores ya no funcionan.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    Se trata de { $address }, con la que se administran las listas
    de correo de { $site }. Ocurrió el { $time }.

    Si fue usted, no tiene que hacer nada.

    Si no fue usted, elija enseguida una contraseña nueva en esta página y
    avise a las demás personas de la administración:

    { $link }

## The second step

code-title = Un paso más
code-lede-otp = Escriba el código que muestra ahora su aplicación de autenticación.
# $digits are the last digits of the number.
code-lede-sms = Hemos enviado un código a su teléfono, al número que termina en { $digits }.
code-label = Código
code-hint = 6 dígitos. También sirve uno de sus códigos de recuperación.
code-again = Enviar un código nuevo
code-sent-again = Un código nuevo está en camino. Solo sirve el más reciente.
code-back = Empezar de nuevo
code-missing = Escriba el código.
code-wrong = Ese código no es correcto o ya se usó. Espere al siguiente.
code-over = Ha pasado demasiado tiempo. Empiece de nuevo.
# The text message. $code is six digits.
sms-text = { $code } es su código para iniciar sesión en las listas de correo. Sirve durante diez minutos. Nunca lo pedimos por teléfono ni por correo.
sms-refused = No se pudo enviar el código. Inténtelo de nuevo dentro de un rato; un código de recuperación sirve en cualquier momento.
sms-unsent = No se pudo enviar el código. Pida otro dentro de un rato o use un código de recuperación.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = Enviamos como máximo diez códigos por hora. El siguiente se puede enviar el { $time }.

## An administrator's own page

own-title = Su acceso
own-lede = Usted inicia sesión como { $username }.
own-factor-title = Verificación en dos pasos
own-factor-asked = Antes de continuar, active la verificación en dos pasos: la exige quien gestiona los accesos.
own-factor-none = Ahora basta con su contraseña para iniciar sesión. Con la verificación en dos pasos, una contraseña robada no basta.
own-factor-otp = Para iniciar sesión hacen falta su contraseña y un código de su aplicación de autenticación.
own-factor-sms = Para iniciar sesión hacen falta su contraseña y un código que enviamos al número que termina en { $digits }.
own-factor-begin-otp = Usar una aplicación de autenticación
own-factor-other-otp = Cambiar a otra aplicación
own-factor-off = Desactivar la verificación
own-factor-off-done = La verificación en dos pasos está desactivada. Ahora basta con su contraseña.
own-factor-done = La verificación en dos pasos está activada. Desde ahora, para iniciar sesión hace falta un código.
own-recovery-title = Sus códigos de recuperación
own-recovery-lede = Cada uno sirve una vez en lugar de un código, por si pierde el teléfono. Imprímalos o guárdelos donde guarda sus contraseñas: solo los mostramos ahora.
# A link to the page that could not be opened without a factor.
own-go-on = Continuar con lo que estaba haciendo
own-recovery-button = Crear códigos nuevos
own-recovery-done = Estos son sus códigos de recuperación nuevos. Los antiguos ya no sirven.
own-recovery-left = { $count ->
    [0] No le queda ningún código de recuperación.
    [one] Le queda { $count } código de recuperación.
   *[other] Le quedan { $count } códigos de recuperación.
}
own-setup-scan = Escanee esta imagen con una aplicación de autenticación
own-setup-scan-hint = Sirve cualquier aplicación de códigos de un solo uso.
own-setup-qr = Código QR con la clave de abajo
own-setup-type = No puedo escanearlo
own-setup-type-hint = Escriba esta clave en la aplicación. Elija «basado en tiempo», con 6 dígitos.
own-setup-code-otp = Escriba el código que muestra la aplicación
own-setup-code-sms = Escriba el código que hemos enviado al { $number }
own-setup-code-hint = 6 dígitos. Nada cambia hasta que escriba un código correcto.
own-setup-confirm = Comprobar el código
own-setup-cancel = Ahora no
own-code-wrong = Ese código no es correcto. Puede que el código de la aplicación acabe de cambiar; uno enviado al teléfono sirve para un solo intento, así que pida otro.
own-phone-label = Número de teléfono
own-phone-hint = Con el prefijo del país, por ejemplo +49 151 12345678.
own-phone-button = Recibir códigos por SMS
own-phone-wrong = Escriba el número con el signo más y el prefijo del país, por ejemplo +49 151 12345678.
own-password-title = Su contraseña
own-password-lede = Si elige otra, su sesión sigue abierta aquí y se cierra en los demás sitios.
own-password-present = Su contraseña actual
own-password-new = Su contraseña nueva
own-password-done = Su contraseña nueva está guardada. Se han cerrado las sesiones en los demás navegadores.
own-sessions-title = Dónde tiene la sesión abierta
own-sessions-this = Esta sesión
own-grant-done = La aplicación ya no tiene acceso.
own-grants-title = Aplicaciones que actúan en su nombre
own-grants-lede = Usted ha permitido a estas aplicaciones actuar con sus permisos.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = permitida el { $made } · usada por última vez el { $used }
own-grants-revoke = Retirar el permiso

## Un formulario enviado cuando la sesión había terminado

typed-title = Esto es lo que escribió
typed-note = Tuvo que iniciar sesión de nuevo, así que no se guardó nada.
typed-lede = Envíelo ahora, vuelva a la página sin enviarlo o elimínelo. Se guarda durante un día y solo lo ve usted.
typed-send = Enviar ahora
typed-back = Volver a la página
typed-discard = Eliminar
# The labels of what was typed, where the page has none of its own.
typed-addresses = Direcciones
typed-name = Nombre
typed-field = Lo que eligió o escribió
