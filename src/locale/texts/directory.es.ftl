### Textos del directorio de una cuenta y de la página de una lista.

nav-lists = Listas

## The directory

directory-title = Listas de correo
directory-lede = Apuntarse lleva un minuto y no hace falta contraseña.
directory-lists = Todas las listas
directory-empty = Aquí no hay ninguna lista a la que pueda apuntarse.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } miembro
   *[other] { $number } miembros
}
directory-is-member = Usted es miembro
directory-open = Abierta a todo el mundo
directory-approval = Los nuevos miembros se aprueban
directory-closed = Sin nuevos miembros
directory-join = Apuntarse
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = Apuntarse a { $list }
directory-pages = Páginas del directorio
directory-previous = Listas anteriores
directory-next = Más listas
directory-help = Ayuda
directory-member = ¿Ya es miembro?
directory-member-next = No necesita contraseña. Escriba su dirección y recibirá por correo un enlace a sus listas:
directory-new = ¿Es nuevo aquí?
directory-new-next = Le enviamos un mensaje para comprobar que la dirección es suya. Confirme y ya está dentro. Puede dejar la lista cuando quiera.
directory-who = ¿Preguntas?
directory-write = Escriba a los responsables de estas listas

## The page of a list

list-where = Dónde está
list-join = Apuntarse a esta lista
list-write = Escribir a la lista
list-posting = Cómo escribir a todo el mundo
list-posting-all = Todo el mundo puede escribir a esta dirección. El mensaje llega a todas las personas de la lista.
list-posting-members = Los miembros escriben a esta dirección, y sus mensajes llegan a todas las personas de la lista.
list-posting-some = Solo algunas personas pueden escribir a esta lista. Sus mensajes llegan a todas las personas que están en ella.
list-posting-moderated = Alguien lee cada mensaje antes de que salga.
list-posting-others-wait = Los mensajes de otras personas esperan hasta que alguien los haya leído.
list-posting-others-refused = Los mensajes de otras personas no se aceptan.
list-leaving = Cómo dejar la lista
list-leaving-member = Entre sus listas puede dejarla o cambiar cómo le llega el correo:
list-leaving-next = Pulse «Cancelar suscripción» en su programa de correo, o diga aquí qué dirección quiere dejarla:
list-leave = Dejar esta lista
list-leaving-owner = Los responsables de esta lista deciden quién está en ella. Escríbales, por favor.
list-owner = Responsables de esta lista
list-owner-write = Escríbales

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Imagen de { $account }
directory-banner-unreachable = La imagen de { $url } no se pudo traer: allí no responde ningún servidor.
directory-banner-missing = La imagen de { $url } no se pudo traer: el servidor no la tiene.
directory-banner-too-large = La imagen de { $url } ocupa más de cinco megabytes.
directory-banner-no-image = Lo que hay en { $url } no es una imagen de la forma PNG, JPEG, GIF o WebP.
directory-banner-pixels = La imagen de { $url } tiene demasiados píxeles.
directory-banner-again = Lo intentaremos de nuevo el { $time }.
directory-banner-given-up = No lo intentaremos más, salvo que se ponga otra dirección.

## Quién puede escribir, para quien no puede

list-writers-members = Solo los miembros pueden escribir a esta lista.
list-writers-some = Solo algunas personas pueden escribir a esta lista.
list-writers-sign-in = Iniciar sesión para escribir
