### Aplicaciones y servicios de acceso: consentimiento, permisos, aplicaciones conocidas.

## What an application may do, behind "It could" and "It could not".

scope-read = leer listas, personas y mensajes
scope-manage-members = añadir personas a las listas, cambiar sus datos y quitarlas
scope-manage-settings = crear listas y alias, y cambiar sus ajustes
scope-approve-messages = decidir sobre mensajes y personas pendientes de aprobación
scope-send-messages = enviar mensajes a las listas
scope-account-admin = cambiarlo todo, también los ajustes, la administración y sus claves

## The page on which somebody allows an application something.

# $application is the name of an application.
oauth-consent-title = ¿Puede «{ $application }» usar sus listas?
# $host is the name of the application's server.
oauth-consent-lede = { $application } viene de { $host }. Pide actuar en su nombre hasta que usted retire el permiso.
# $person is an address.
oauth-signed-in = Ha iniciado sesión como { $person }.
oauth-not-you = ¿No es usted?
oauth-could = Podría
oauth-could-not = No podría
oauth-not-password = ver su contraseña
oauth-only-lists = Usted gestiona solo estas listas, así que solo vería estas:
oauth-no-lists = Usted no gestiona ninguna lista, así que no vería ninguna.
oauth-allow = Permitir
oauth-deny = No permitir
oauth-either-way = En ambos casos vuelve a { $host }. Puede cambiar de opinión en cualquier momento en la página «Su acceso».

## When an application's request is wrong.

oauth-refused = No se puede dar acceso a esta aplicación
oauth-unknown-client = Este servidor no conoce la aplicación desde la que ha llegado aquí.
oauth-wrong-redirect = La aplicación desde la que ha llegado aquí quiere llevarle de vuelta a una dirección que no es suya.
oauth-refused-next = No ha pasado nada. Vuelva a la aplicación y avise a quien la ha hecho.

## Where several accounts live, people say first which one is meant.

oauth-account-title = ¿Qué cuenta gestiona usted?
oauth-account-lede = { $application } le pide permiso. Inicie sesión donde gestiona sus listas.
oauth-account-label = Nombre de la cuenta
oauth-account-hint = Figura detrás de ~ en la dirección de sus páginas.
oauth-account-button = Continuar
oauth-account-server = Gestiono todo el servidor
oauth-account-unknown = No hay ninguna cuenta con este nombre.

## The page of the applications.

nav-oauth-clients = Aplicaciones
oauth-clients-title = Aplicaciones
oauth-clients-lede = Programas que pueden pedir a quienes administran las listas permiso para actuar en su nombre. Cada persona decide y puede retirar el permiso.
oauth-clients-none = Todavía no hay ninguna aplicación.
oauth-clients-public = sin secreto
oauth-clients-confidential = con secreto
# $day is a day.
oauth-clients-since = desde el { $day }
oauth-clients-delete = Eliminar
# $name is the name of an application.
oauth-clients-delete-name = Eliminar { $name }
oauth-clients-deleted = La aplicación se ha eliminado, con todos los permisos que se le habían dado.
oauth-clients-made = La aplicación { $name } está registrada. Entréguele estos datos:
oauth-clients-secret-once = El secreto se muestra solo esta vez. Guárdelo como una contraseña.
oauth-clients-no-secret = No tiene secreto: se identifica cada vez con PKCE.
oauth-clients-new = Registrar una aplicación
oauth-clients-name = Nombre
oauth-clients-name-hint = Las personas lo ven cuando se les pide permiso.
oauth-clients-redirect = Direcciones de retorno
oauth-clients-redirect-hint = Adónde se lleva a las personas después de decidir, por ejemplo https://diary.example.org/back. Una por línea.
oauth-clients-is-public = No puede guardar un secreto
oauth-clients-is-public-hint = Funciona en navegadores o en teléfonos. No recibe secreto y debe usar PKCE.
oauth-clients-create = Registrar

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Sin contraseña
provider-sign-in = Iniciar sesión con { $name }
provider-back = Volver al inicio de sesión
provider-down = { $name } no responde
provider-down-next = Para entrar aquí se inicia sesión allí, y en este momento no es posible. Inténtelo de nuevo dentro de unos minutos.
provider-wrong = { $name } ha enviado una respuesta que no encaja
provider-wrong-next = Puede que sea demasiado antigua o que fuera para otro navegador. Empiece de nuevo.
provider-refused = No ha iniciado sesión con { $name }
provider-refused-next = El inicio de sesión se canceló allí. Puede empezar de nuevo cuando quiera.
provider-nobody = Aquí nadie inicia sesión con esta cuenta de { $name }
provider-nobody-next = Pregunte a otra persona de la administración si su dirección aquí es la misma que ha confirmado allí.
