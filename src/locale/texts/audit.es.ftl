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
audit-membership-created = Persona añadida a una lista
audit-membership-updated = Suscripción modificada
audit-membership-deleted = Persona quitada de una lista
audit-list-created = Lista creada
audit-list-updated = Lista modificada
audit-list-deleted = Lista eliminada
audit-alias-created = Alias creado
audit-alias-updated = Alias modificado
audit-alias-deleted = Alias eliminado
audit-message-published = Mensaje enviado
audit-message-deleted = Mensaje quitado del archivo
audit-message-approved = Mensaje aprobado
audit-message-rejected = Mensaje rechazado
audit-message-discarded = Mensaje descartado
audit-pending-approved = Solicitud aprobada
audit-pending-rejected = Solicitud rechazada
audit-pending-discarded = Solicitud descartada
audit-admin-created = Acceso de administración o clave añadidos
audit-admin-updated = Acceso de administración o clave modificados
audit-admin-deleted = Acceso de administración o clave eliminados
audit-account-created = Cuenta creada
audit-account-updated = Cuenta modificada
audit-account-deleted = Cuenta eliminada
audit-field-created = Campo personalizado creado
audit-field-updated = Campo personalizado renombrado
audit-field-deleted = Campo personalizado eliminado
audit-domain-updated = Claves de un dominio modificadas
audit-queue-updated = Cola de envío modificada
audit-server-updated = Servidor modificado
audit-session-ended = Sesión cerrada
audit-pending-created = Aprobación solicitada
audit-session-started = Inicio de sesión
audit-message-imported = Mensajes importados
audit-message-written = Mensaje escrito en las páginas
audit-message-redacted = Palabras quitadas de un mensaje
audit-message-restored = Mensaje restaurado
audit-thread-closed = Conversación cerrada
audit-thread-opened = Conversación reabierta
audit-exported = Datos descargados
audit-sign-in = Inicio de sesión en la administración
audit-sign-in-failed = Intento de inicio de sesión con contraseña o código incorrectos
audit-message-scheduled = Mensaje programado
audit-message-canceled = Mensaje programado cancelado
audit-message-tested = Prueba enviada
audit-account-suspended = Cuenta suspendida
audit-account-restored = Cuenta restaurada
audit-grant = Permiso de una aplicación concedido o retirado
audit-webhook-created = Webhook creado
audit-webhook-updated = Webhook modificado
audit-webhook-deleted = Webhook eliminado

## Kinds of things
audit-of-contact = Persona
audit-of-email = Dirección
audit-of-membership = Suscripción
audit-of-list = Lista
audit-of-alias = Alias
audit-of-message = Mensaje
audit-of-held = Mensaje pendiente de aprobación
audit-of-pending = Solicitud
audit-of-admin = Acceso de administración o clave
audit-of-account = Cuenta
audit-of-field = Campo personalizado
audit-of-domain = Dominio
audit-of-queue = Correo en la cola de envío
audit-of-server = Servidor
audit-of-session = Sesión
audit-of-thread = Conversación
audit-of-export = Datos descargados
audit-of-grant = Aplicación
audit-of-webhook = Webhook

# An administrator or key in the filter that has no name.
audit-nameless = Sin nombre

# A line on the first page: who, and what was done.
audit-line = { $actor }: { $what }

## What a change of settings was, on the overview and in the audit log
# A setting with its values: “Description: old → new”.
audit-changed = { $label }: { $before } → { $after }
audit-changed-more = { $count ->
    [one] y { $count } ajuste más
   *[other] y { $count } ajustes más
}
# The value of a setting that is several texts, such as addresses.
audit-several = { $count ->
    [0] nada
    [one] { $count } entrada
   *[other] { $count } entradas
}
