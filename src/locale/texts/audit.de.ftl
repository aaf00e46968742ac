### Das Protokoll: was getan wurde, und womit.

## What was done
audit-contact-created = Person angelegt
audit-contact-updated = Person geändert
audit-contact-deleted = Person gelöscht
audit-contact-imported = Personen importiert
audit-email-created = Adresse hinzugefügt
audit-email-updated = Adresse geändert
audit-email-deleted = Adresse gelöscht
audit-email-resumed = Versand an eine Adresse fortgesetzt
audit-membership-created = Jemanden zu einer Liste hinzugefügt
audit-membership-updated = Mitgliedschaft geändert
audit-membership-deleted = Jemanden von einer Liste entfernt
audit-list-created = Liste angelegt
audit-list-updated = Liste geändert
audit-list-deleted = Liste gelöscht
audit-alias-created = Alias angelegt
audit-alias-updated = Alias geändert
audit-alias-deleted = Alias gelöscht
audit-message-published = Nachricht gesendet
audit-message-deleted = Nachricht aus dem Archiv genommen
audit-message-approved = Nachricht freigegeben
audit-message-rejected = Nachricht abgelehnt
audit-message-discarded = Nachricht verworfen
audit-pending-approved = Anfrage freigegeben
audit-pending-rejected = Anfrage abgelehnt
audit-pending-discarded = Anfrage verworfen
audit-admin-created = Zugang oder Schlüssel angelegt
audit-admin-updated = Zugang oder Schlüssel geändert
audit-admin-deleted = Zugang oder Schlüssel gelöscht
audit-account-created = Konto angelegt
audit-account-updated = Konto geändert
audit-account-deleted = Konto gelöscht
audit-field-created = Eigenes Feld angelegt
audit-field-updated = Eigenes Feld umbenannt
audit-field-deleted = Eigenes Feld gelöscht
audit-domain-updated = Schlüssel einer Domain geändert
audit-queue-updated = Warteschlange geändert
audit-server-updated = Server geändert
audit-session-ended = Sitzung beendet
audit-pending-created = Anfrage gestellt
audit-session-started = Angemeldet
audit-message-imported = Nachrichten importiert
audit-message-written = Nachricht im Web geschrieben
audit-message-redacted = Wörter aus einer Nachricht entfernt
audit-message-restored = Nachricht wiederhergestellt
audit-thread-closed = Unterhaltung geschlossen
audit-thread-opened = Unterhaltung wieder geöffnet
audit-exported = Daten heruntergeladen
audit-sign-in = Bei der Verwaltung angemeldet
audit-sign-in-failed = Anmeldung mit falschem Passwort oder Code versucht
audit-message-scheduled = Nachricht geplant
audit-message-canceled = Geplante Nachricht zurückgenommen
audit-message-tested = Test gesendet
audit-account-suspended = Konto gesperrt
audit-account-restored = Konto entsperrt oder wiederhergestellt
audit-grant = Einer Anwendung etwas erlaubt oder die Erlaubnis zurückgenommen
audit-webhook-created = Webhook angelegt
audit-webhook-updated = Webhook geändert
audit-webhook-deleted = Webhook gelöscht

## Kinds of things
audit-of-contact = Person
audit-of-email = Adresse
audit-of-membership = Mitgliedschaft
audit-of-list = Liste
audit-of-alias = Alias
audit-of-message = Nachricht
audit-of-held = Nachricht, die auf Freigabe wartet
audit-of-pending = Anfrage
audit-of-admin = Zugang oder Schlüssel
audit-of-account = Konto
audit-of-field = Eigenes Feld
audit-of-domain = Domain
audit-of-queue = Mails in der Warteschlange
audit-of-server = Server
audit-of-session = Sitzung
audit-of-thread = Unterhaltung
audit-of-export = Heruntergeladene Daten
audit-of-grant = Anwendung
audit-of-webhook = Webhook

# An administrator or key in the filter that has no name.
audit-nameless = Ohne Namen

# A line on the first page: who, and what was done.
audit-line = { $actor }: { $what }

## What a change of settings was, on the overview and in the audit log
# A setting with its values: “Description: old → new”.
audit-changed = { $label }: { $before } → { $after }
audit-changed-more = { $count ->
    [one] und { $count } weitere Einstellung
   *[other] und { $count } weitere Einstellungen
}
# The value of a setting that is several texts, such as addresses.
audit-several = { $count ->
    [0] nichts
    [one] { $count } Eintrag
   *[other] { $count } Einträge
}
