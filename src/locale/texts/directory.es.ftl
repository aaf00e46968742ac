### Textos del directorio de una cuenta y de la página de una lista.

nav-lists = Listas

## The directory

directory-title = Listas de correo
directory-lede = Unirse lleva un minuto y no hace falta contraseña.
directory-lists = Todas las listas
directory-empty = Aquí no hay ninguna lista a la que pueda unirse.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } miembro
   *[other] { $number } miembros
}
directory-is-member = Usted es miembro
directory-open = Abierta a todo el mundo
directory-approval = Hace falta aprobación
directory-closed = Cerrada a nuevos miembros
directory-join = Unirse
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = Unirse a { $list }
directory-pages = Páginas del directorio
directory-previous = Listas anteriores
directory-next = Más listas
directory-help = Ayuda
directory-member = ¿Ya es miembro?
directory-member-next = No necesita contraseña. Escriba su dirección y recibirá por correo un enlace a sus listas:
directory-new = ¿Es su primera vez aquí?
directory-new-next = Le enviamos un correo para comprobar que la dirección es suya. Confírmelo y ya es miembro. Puede salir cuando quiera.
directory-who = ¿Alguna pregunta?
directory-write = Escribir a las personas responsables de estas listas

## The page of a list

list-where = Usted está aquí
list-join = Unirse a esta lista
list-write = Escribir a la lista
list-posting = Cómo escribir a todo el mundo
list-posting-all = Todo el mundo puede escribir a esta dirección. El mensaje llega a todos los miembros de la lista.
list-posting-members = Los miembros escriben a esta dirección, y sus mensajes llegan a toda la lista.
list-posting-some = Solo algunas personas pueden escribir a esta lista. Sus mensajes llegan a todos los miembros.
list-posting-moderated = Alguien lee cada mensaje antes de que se envíe.
list-posting-others-wait = Los mensajes de otras personas quedan pendientes hasta que alguien los haya leído.
list-posting-others-refused = Los mensajes de otras personas no se aceptan.
list-leaving = Cómo salir
list-leaving-member = En la página de sus listas puede salir o cambiar cómo le llega el correo:
list-leaving-next = Pulse «Cancelar suscripción» en su programa de correo o indique aquí qué dirección debe salir:
list-leave = Salir de esta lista
list-leaving-owner = Las personas responsables de esta lista deciden quién está en ella. Escríbales.
list-owner = Responsables de esta lista
list-owner-write = Escribirles

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Imagen de { $account }
directory-banner-unreachable = No se pudo obtener la imagen de { $url }: allí no responde ningún servidor.
directory-banner-missing = No se pudo obtener la imagen de { $url }: el servidor no la tiene.
directory-banner-too-large = La imagen de { $url } ocupa más de cinco megabytes.
directory-banner-no-image = El archivo de { $url } no es una imagen PNG, JPEG, GIF ni WebP.
directory-banner-pixels = La imagen de { $url } tiene demasiados píxeles.
directory-banner-again = Lo intentaremos de nuevo el { $time }.
directory-banner-given-up = No lo intentaremos más, salvo que se indique otra dirección.

## Quién puede escribir, para quien no puede

list-writers-members = Solo los miembros pueden escribir a esta lista.
list-writers-some = Solo algunas personas pueden escribir a esta lista.
list-writers-sign-in = Iniciar sesión para escribir
