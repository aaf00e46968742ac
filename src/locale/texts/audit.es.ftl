### El registro: qué se hizo, y a qué.

## What was done
audit-contact-created = Persona añadida
audit-contact-updated = Persona modificada
audit-contact-deleted = Persona eliminada
audit-contact-imported = Personas importadas
audit-email-created = Dirección añadida
audit-email-updated = Dirección modificada
audit-email-deleted = Dirección eliminada
audit-email-resumed = Envío a una dirección reanudado
audit-membership-created = Alta en una lista
audit-membership-updated = Suscripción modificada
audit-membership-deleted = Baja de una lista
audit-list-created = Lista creada
audit-list-updated = Lista modificada
audit-list-deleted = Lista eliminada
audit-alias-created = Alias creado
audit-alias-updated = Alias modificado
audit-alias-deleted = Alias eliminado
audit-message-published = Mensaje enviado
audit-message-deleted = Mensaje retirado del archivo
audit-message-approved = Mensaje aprobado
audit-message-rejected = Mensaje rechazado
audit-message-discarded = Mensaje descartado
audit-pending-approved = Solicitud aceptada
audit-pending-rejected = Solicitud rechazada
audit-pending-discarded = Solicitud descartada
audit-admin-created = Administrador o clave añadidos
audit-admin-updated = Administrador o clave modificados
audit-admin-deleted = Administrador o clave eliminados
audit-account-created = Cuenta creada
audit-account-updated = Cuenta modificada
audit-account-deleted = Cuenta eliminada
audit-field-created = Campo propio creado
audit-field-updated = Campo propio renombrado
audit-field-deleted = Campo propio eliminado
audit-domain-updated = Claves de un dominio modificadas
audit-queue-updated = Cola de envío modificada
audit-server-updated = Servidor modificado
audit-session-ended = Sesión cerrada
audit-pending-created = Aprobación solicitada
audit-session-started = Inicio de sesión
audit-message-imported = Mensajes importados
audit-message-written = Mensaje escrito en las páginas
audit-message-redacted = Palabras retiradas de un mensaje
audit-message-restored = Mensaje restaurado
audit-thread-closed = Hilo cerrado
audit-thread-opened = Hilo reabierto
audit-exported = Descarga de datos
audit-sign-in = Inicio de sesión como administrador
audit-sign-in-failed = Intento de inicio de sesión con contraseña o código erróneos
audit-message-scheduled = Mensaje programado
audit-message-canceled = Mensaje programado cancelado
audit-message-tested = Prueba enviada
audit-account-suspended = Cuenta suspendida
audit-account-restored = Cuenta restaurada
audit-grant = Permiso de una aplicación concedido o retirado

## Kinds of things
audit-of-contact = Persona
audit-of-email = Dirección
audit-of-membership = Suscripción
audit-of-list = Lista
audit-of-alias = Alias
audit-of-message = Mensaje
audit-of-held = Mensaje que espera aprobación
audit-of-pending = Solicitud
audit-of-admin = Administrador o clave
audit-of-account = Cuenta
audit-of-field = Campo propio
audit-of-domain = Dominio
audit-of-queue = Correo en la cola de envío
audit-of-server = Servidor
audit-of-session = Sesión
audit-of-thread = Hilo
audit-of-export = Datos descargados
audit-of-grant = Aplicación

# An administrator or key in the filter that has no name.
audit-nameless = Sin nombre

# A line on the first page: who, and what was done.
audit-line = { $actor }: { $what }
