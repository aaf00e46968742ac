### Páginas de administradores: resumen, personas, importaciones.

## Every listing: its search, its pages, its file.

listing-search = Buscar
listing-all = Mostrar todo
# The name of the links to other pages, for people who hear it read.
listing-pages = Páginas
listing-before = Anteriores
listing-after = Siguientes
listing-csv = Descargar como CSV

## The address book.

nav-people = Personas
nav-import = Importar
admin-people-search = Nombre o dirección
admin-people-list = Lista
admin-people-list-all = Todas las listas
admin-people-lists = Listas
admin-people-state = Estado
admin-people-state-all = Todas
admin-people-state-bouncing = Correo devuelto
admin-people-state-paused = Pausa manual
admin-people-since = Desde
admin-people-person = Persona
admin-people-select = Seleccionar
admin-people-nameless = (sin nombre)
admin-people-more = { $count ->
    [one] y 1 más
   *[other] y { $count } más
}
admin-people-count = { $count ->
    [one] 1 persona
   *[other] { $count } personas
}
admin-people-found = { $count ->
    [one] 1 persona encontrada
   *[other] { $count } personas encontradas
}
admin-people-some = Personas encontradas
admin-people-cut = Coinciden muchísimas personas, y solo se ha mirado una parte. Añada una palabra para encontrar a quien busca.
admin-people-none = Todavía no hay nadie. Añada personas una a una o importe un archivo.
admin-people-not-found = No hay coincidencias.
admin-people-new = Añadir a alguien
admin-people-selected = Con las personas seleccionadas
admin-people-choose-list = Elija una lista…
admin-people-add = Añadir a la lista
admin-people-remove = Quitar de la lista
admin-people-resume = Reanudar el envío
admin-people-delete = Eliminar…
admin-people-delete-hint = Salen de todas las listas, y se eliminan sus direcciones y notas. Puede deshacerlo durante un día.
admin-people-delete-button = Eliminar a estas personas
admin-people-none-selected = Seleccione al menos una persona.
admin-people-no-list = Elija una lista.
admin-people-done-delete = { $count ->
    [one] Se eliminó a 1 persona.
   *[other] Se eliminó a { $count } personas.
}
admin-people-done-add = { $count ->
    [one] Se añadió 1 persona a la lista.
   *[other] Se añadieron { $count } personas a la lista.
}
admin-people-opted-out = { $count ->
    [one] 1 persona salió, se quejó o pidió en otro sitio no recibir correo, y no se añadió.
   *[other] { $count } personas salieron, se quejaron o pidieron en otro sitio no recibir correo, y no se añadieron.
}
admin-people-done-remove = { $count ->
    [one] Se quitó a 1 persona de la lista.
   *[other] Se quitó a { $count } personas de la lista.
}
admin-people-done-resume = { $count ->
    [one] 1 persona vuelve a recibir correo.
   *[other] { $count } personas vuelven a recibir correo.
}

## States of addresses, in words.

admin-state-active = Recibe correo
admin-state-paused = En pausa
admin-state-not-from = Sin correo de { $lists }
admin-state-trouble = Correo devuelto hace poco
admin-cause-dead = El buzón no existe
admin-cause-soft = Correo devuelto
admin-cause-complaint = Marcado como spam
admin-address-active = Aquí llega el correo de las listas.
admin-address-paused = Alguien la puso en pausa, sin fecha de fin.
admin-address-until = La persona la puso en pausa hasta el { $day }.
admin-address-dead = En pausa desde el { $day }, porque su servidor dijo que ese buzón no existe.
admin-address-soft = En pausa desde el { $day }, porque el correo se devolvió durante ocho días.
admin-address-dead-said = En pausa desde el { $day }, porque su servidor dijo: «{ $said }»
admin-address-soft-said = En pausa desde el { $day }, porque el correo se devolvió durante ocho días; su servidor dijo: «{ $said }»
admin-address-complaint = En pausa desde el { $day }, porque un mensaje se marcó como spam.
admin-address-probe = Próximo intento el { $day }.
admin-address-asked = No lo intentamos por nuestra cuenta: reanude el envío solo si la persona lo pide.
admin-address-given-up = Ya no lo intentamos por nuestra cuenta. Si sabe que la dirección funciona, reanude el envío.
admin-address-trouble = Hace poco se devolvió correo; su servidor dijo: «{ $said }»
admin-address-confirmed = Confirmada por su titular.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, desde { $from }
admin-got = Entregado
admin-got-waits = En camino
admin-got-refused = Rechazado
admin-got-paused = No enviado: en pausa
admin-got-unknown = Ya no consta
admin-got-not = No enviado

## One person.

admin-person-since = En la libreta de direcciones desde el { $day }.
admin-person-new-lede = No se envía ningún correo, salvo que una lista o la cuenta tenga una bienvenida.
admin-person-add = Añadir
admin-person-emails = Direcciones
admin-person-emails-hint = Una por línea.
admin-person-ccid = Identificador propio
admin-person-ccid-hint = Por ejemplo, el número de socio. Debe ser único; déjelo en blanco si no usa ninguno.
admin-person-notes = Notas
admin-person-notes-hint = Las ve la administración, y también la persona cuando descarga todo lo que se guarda sobre ella.
admin-person-addresses = Adónde va el correo
admin-person-address = Dirección
admin-person-digest = Un correo al día
admin-person-paused = En pausa
admin-person-resume = Reanudar ahora
admin-person-no-lists = Esta persona no está en ninguna lista.
admin-person-how = Cómo llegan los mensajes
admin-person-how-address = Según las direcciones
admin-person-web-only = Sin correo, lee en la web
admin-person-leave = Quitar de la lista
admin-person-join = Añadir a una lista
admin-person-got = Mensajes recientes y qué pasó con ellos
admin-person-got-none = Ninguna de las listas de esta persona tiene mensajes todavía.
admin-person-message = Mensaje
admin-person-when = Cuándo
admin-person-outcome = Resultado
admin-person-why = ¿Por qué?
admin-person-edit = Cambiar la ficha
admin-person-evidence = Consentimiento
admin-person-evidence-none = No se conserva ninguna solicitud confirmada. Las listas de arriba dicen cómo llegó la persona a ellas.
admin-person-asked = Solicitado
admin-person-confirmed = Confirmado
admin-person-agreed = Texto aceptado
admin-person-export = Descargar todo lo guardado (JSON)
admin-person-export-posts = Descargar los mensajes (mbox)
admin-person-erase = Eliminar sus datos
admin-person-erase-hint = La persona sale de todas las listas y se eliminan sus datos: direcciones, notas, pruebas y lo que esté pendiente de aprobación. Esto no se puede deshacer.
admin-person-posts = ¿Qué pasa con sus mensajes?
admin-person-posts-keep = Se quedan en el archivo, como escritos por un «antiguo miembro».
admin-person-posts-remove = Se eliminan del archivo.
admin-person-erase-button = Eliminar los datos de esta persona
admin-person-erase-not-chosen = Elija qué pasa con los mensajes de esta persona.
admin-person-done-new = Se ha añadido a la persona.
admin-person-done-save = Guardado.
admin-person-done-email = La dirección se ha cambiado como usted quería.
admin-person-done-resume = El correo va de nuevo a la dirección.
admin-person-done-membership = Guardado para esta lista.
admin-person-done-join = Se ha añadido a la lista.
admin-person-done-leave = Se ha quitado de la lista.
admin-person-done-erase = Los datos de la persona se han eliminado. Los mensajes y los registros de envío tardan unos minutos más.

## The overview.

nav-overview = Vista general
nav-administration = Administración
overview-todo = Pendiente
overview-nothing = No hay nada pendiente.
overview-look = revisar
overview-held = { $count ->
    [one] mensaje pendiente de aprobación
   *[other] mensajes pendientes de aprobación
}
overview-pending = { $count ->
    [one] solicitud pendiente de aprobación
   *[other] solicitudes pendientes de aprobación
}
overview-oldest = Lo más antiguo: { $time }.
overview-bouncing = { $count ->
    [one] dirección ya no acepta correo
   *[other] direcciones ya no aceptan correo
}
overview-bouncing-hint = El envío está en pausa hasta que alguien lo revise.
overview-dns = { $count ->
    [one] dominio tiene registros DNS incorrectos
   *[other] dominios tienen registros DNS incorrectos
}
overview-stuck = { $count ->
    [one] destino no responde
   *[other] destinos no responden
}
overview-disk-full = El disco está casi lleno: quedan { $free }. Se rechaza correo nuevo.
overview-disk-failing = El disco falla: no se puede guardar nada.
overview-certificate = El certificado caduca el { $day }.
overview-posts = Mensajes al mes
overview-posts-title = Mensajes al mes en los últimos doce meses, entre { $least } y { $most }
overview-posts-count = Mensajes
overview-month = Mes
overview-day = Día
overview-people = Personas
overview-people-title = Personas en la libreta de direcciones a lo largo del tiempo, entre { $least } y { $most }
overview-memberships = Suscripciones
overview-figures = Cifras
overview-lately = Actividad reciente
overview-audit = Ver el registro de actividad

## Imports of people.

import-heading = Importar personas
import-lede = Envíe un archivo o pegue filas. Antes de que cambie nada, verá lo que pasaría.
import-file = Archivo
import-file-hint = CSV, como lo guardan las libretas de direcciones y las hojas de cálculo, o JSON, hasta 20 MB.
import-paste = O pegar filas
import-paste-hint = Una persona por línea. La primera línea puede nombrar las columnas; también basta con las direcciones.
import-more = Separador y codificación
import-separator = Separador de celdas
import-charset = Codificación
import-find-out = Detectar
import-commas = comas
import-semicolons = puntos y comas
import-tabs = tabuladores
import-bars = barras verticales
import-preview = Ver lo que pasaría
import-earlier = Importaciones de los últimos días
import-pasted = Filas pegadas
import-empty = No hay filas. Elija un archivo o pegue alguna.
import-head-alone = Tiene nombres de columnas, pero ninguna fila debajo.
import-too-large = Es demasiado de una vez: como máximo { $rows } filas de { $columns } columnas. Divídalo.
import-state-draft = Sin empezar, { $time }
import-state-running = En marcha, { $time }
import-state-stopped = Detenida, { $time }
import-state-done = Terminada, { $time }
import-would = Esto es lo que pasaría
import-about = { $rows ->
    [one] { $name }, 1 fila, { $separator }, { $charset }
   *[other] { $name }, { $rows } filas, { $separator }, { $charset }
}
import-nothing-yet = Todavía no ha cambiado nada.
import-count-new = Personas nuevas
import-count-changed = Cambiadas
import-count-same = Sin cambios
import-count-refused = Rechazadas
import-columns = Qué es cada columna
import-columns-hint = Después de un cambio, mire de nuevo para ver qué pasaría.
import-column = Columna { $number }
import-example = Por ejemplo: { $value }
import-leave-out = Omitir
import-emails = Dirección
import-name = Nombre completo
import-lists = Nombres de listas
import-no-emails = Diga qué columna tiene las direcciones.
import-known = Personas que ya existen
import-known-update = sus datos se sustituyen por los de las filas
import-known-skip = conservan sus datos y solo se añade lo que falta
import-join = Añadir a todas las personas a
import-begin = Importar
import-look-again = Mirar de nuevo
import-refused = Filas rechazadas
import-refused-hint = Se omiten; las demás filas no se ven afectadas. Las primeras son:
import-row = Fila
import-cells = Celdas
import-why = Por qué
import-what = Qué
import-taken = Nuevas y cambiadas, las primeras
import-new = Nueva
import-changed = Cambiada
import-title-running = Importando { $name }
import-title-stopped = La importación de { $name } está detenida
import-title-done = La importación de { $name } ha terminado
import-done = La importación ha terminado.
import-stopped = La importación se ha detenido. Lo que ya se importó se queda.
import-trouble-no-admin = Quien empezó esta importación ya no forma parte de la administración.
import-trouble-not-saved = El servidor no pudo guardar nada. Continúe más tarde.
import-running = La importación está en marcha. Puede cerrar esta página; sigue sola, también tras reiniciar el servidor.
import-progress = { $done } de { $rows } filas
import-refresh = Actualizar
import-stop = Detener
import-stop-hint = Si la detiene, las personas ya importadas se quedan.
import-continue = Continuar
import-rejects = Descargar las filas rechazadas como CSV
import-rejects-hint = La última columna dice por qué. Corríjalas e importe ese archivo más tarde. Las guardamos una semana.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = ¿Le llega el correo a esta persona?
admin-mail-no-lists = No está en ninguna lista, así que no se le envía correo de ninguna.
admin-mail-all = Sí, se le envía el correo de todas las listas.
admin-mail-none = No, ahora mismo no se le envía ningún correo.
admin-mail-some = En parte: se le envía el correo de { $some } de { $all } listas.
admin-mail-web-only = { $list }: lee esta lista en la web y no recibe correo de ella.
admin-mail-all-paused = { $list }: no se envía nada, porque el correo a todas las direcciones está en pausa.
admin-mail-single = { $list }: cada mensaje va a { $at }.
admin-mail-digest = { $list }: un resumen al día va a { $at }.
admin-mail-both = { $list }: cada mensaje va a { $at }, y un resumen al día a { $digest_at }.
opt-out-link = salió de { $list } el { $day } con el enlace
opt-out-mail = salió de { $list } el { $day } por correo
opt-out-page = salió de { $list } el { $day } en las páginas de miembros
opt-out-request = salió de { $list } el { $day } con una solicitud aprobada
opt-out-complaint = marcó como spam un correo de aquí el { $day }
opt-out-import = pidió en otro sistema no recibir correo, según una importación del { $day }
opt-out-erasure = pidió eliminar sus datos el { $day }
opt-out-override = Añadir también a quienes salieron o se quejaron. La ley solo lo permite si después han vuelto a pedir el correo; guarde la prueba.
import-opted-out = { $count ->
    [one] Una persona de las filas rechazadas salió, se quejó o pidió en otro sitio no recibir correo, y no se añade.
   *[other] { $count } personas de las filas rechazadas salieron, se quejaron o pidieron en otro sitio no recibir correo, y no se añaden.
}
import-decides = Dice quién recibe correo; nunca se omite
import-attributes = Campos personalizados (JSON)
import-workbook = Es un libro de Excel; guárdelo como CSV.
import-cards = Es una libreta de direcciones en vCard. Expórtela como CSV.
opt-out-not-added = { $said }: no se añade
import-joined-at = Cuándo se unió la persona, como prueba
import-joined-from = Desde qué dirección de red se unió la persona, como prueba

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = Primeros pasos
overview-step-dns = Publicar los registros DNS de su dominio
overview-step-dns-hint = Para que los proveedores confíen en el correo de aquí.
overview-step-list = Crear la primera lista
overview-step-list-hint = Una dirección que llega a todos sus miembros.
overview-step-people = Añadir personas
overview-step-people-hint = Una a una, o todas a la vez desde un archivo.
overview-step-message = Escribir un primer mensaje
overview-step-message-hint = Si quiere, envíese antes una prueba.
overview-step-helper = Compartir la administración
overview-step-helper-hint = Otra persona de la administración puede sustituirle cuando no esté.
overview-step-factor = Activar la verificación en dos pasos
overview-step-factor-hint = Así, una contraseña robada no basta para entrar.
# The table of lists.
overview-lists = Sus listas
overview-list = Lista
overview-list-posts = Mensajes este mes
overview-list-last = Último mensaje
overview-list-never = aún ninguno
overview-list-waiting = Pendientes
overview-lists-all = Todas las listas
# What is well; $facts are the texts below, one after the other.
overview-well = Todo va bien: { $facts }.
overview-well-else = Lo demás va bien: { $facts }.
overview-well-dns = los registros DNS son correctos
overview-well-queue-empty = la cola está vacía
overview-well-queue = { $count ->
    [one] 1 copia está en camino
   *[other] { $count } copias están en camino
}
overview-well-disk = hay espacio en el disco
overview-well-certificate = el certificado vale hasta el { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = última copia de seguridad: { $time }
overview-backup-none = Aún no se ha hecho ninguna copia de seguridad.
overview-backup-failed = La última copia de seguridad falló.
overview-backup-last = La más reciente: { $time }.
# Lines of what happened. $who is a person’s address or the name of a key, $name the person, list or subject to which it was done.
lately-somebody = Alguien
lately-person = una persona
lately-member-added = { $who } ha añadido a { $name } a { $list }
lately-member-removed = { $who } ha quitado a { $name } de { $list }
lately-member-changed = { $who } ha cambiado cómo recibe { $name } los mensajes de { $list }
lately-joined = { $who } se ha unido a { $list }
lately-left = { $who } ha salido de { $list }
lately-contact-created = { $who } ha añadido a { $name } a la libreta de direcciones
lately-contact-restored = { $who } ha recuperado a { $name }
lately-contact-updated = { $who } ha cambiado los datos de { $name }
lately-contact-deleted = { $who } ha eliminado a { $name }
lately-imported = { $who } ha importado personas: { $made } nuevas, { $changed } cambiadas
lately-email-updated = { $who } ha cambiado la dirección de { $name }
lately-list-created = { $who } ha creado la lista { $name }
lately-list-updated = { $who } ha cambiado los ajustes de { $name }
lately-list-deleted = { $who } ha eliminado la lista { $name }
lately-alias-created = { $who } ha creado el alias { $name }
lately-alias-deleted = { $who } ha eliminado el alias { $name }
lately-published = { $who } ha enviado «{ $name }»
lately-approved = { $who } ha aprobado «{ $name }»
lately-rejected = { $who } ha rechazado «{ $name }»
lately-discarded = { $who } ha descartado «{ $name }»
lately-taken-out = { $who } ha quitado «{ $name }» del archivo
lately-admin-created = { $who } ha dado permisos a { $name }
lately-admin-updated = { $who } ha cambiado los permisos o el acceso de { $name }
lately-signed-in = { $who } ha iniciado sesión
lately-exported = { $who } ha descargado datos
lately-import-begun = { $who } ha empezado una importación

## Every listing: many at once
# A box above the rows that selects them all; with a script alone.
listing-select-page = Seleccionar todo en esta página
# In place of the selected rows: all that the search and the filters find.
listing-all-found = Las { $count } personas, no solo las de esta página
listing-first-found = Las primeras { $most } personas encontradas, no solo las de esta página
# Beside a value, with a script alone.
copy-button = Copiar
copy-done = Copiado

## Imports: people without a list, their own fields, and the way to who was imported
import-no-list = No se añade a nadie a ninguna lista: las personas solo entran en la libreta de direcciones. Elija abajo una lista si deben recibir sus mensajes.
import-fields-hint = Para una columna propia, como una sección o un teléfono, cree antes un campo en los ajustes.
import-fields-link = Campos de las personas
import-see-people = Ver las últimas personas añadidas
# The state of an old message for somebody who joined afterwards.
admin-got-before = Antes de unirse
# The heading above the files with what is kept about a person.
admin-person-data = Datos
import-for-good = Una importación de más de 1000 filas no se puede deshacer.

## Importing people from JSON
import-json-broken = No se puede leer este JSON, o no contiene a nadie.

## Lines of what happened lately, of which only some fit or have a name
lately-key-created = { $who } ha creado la clave «{ $name }»
lately-key-created-nameless = { $who } ha creado una clave
lately-others = { $names } y otros
