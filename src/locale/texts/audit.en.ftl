### The audit log: what was done, and to what kind of thing.

## What was done
audit-contact-created = Added a person
audit-contact-updated = Changed a person
audit-contact-deleted = Deleted a person
audit-contact-imported = Imported people
audit-email-created = Added an address
audit-email-updated = Changed an address
audit-email-deleted = Deleted an address
audit-email-resumed = Resumed mail to an address
audit-membership-created = Added somebody to a list
audit-membership-updated = Changed a membership
audit-membership-deleted = Removed somebody from a list
audit-list-created = Made a list
audit-list-updated = Changed a list
audit-list-deleted = Deleted a list
audit-alias-created = Made an alias
audit-alias-updated = Changed an alias
audit-alias-deleted = Deleted an alias
audit-message-published = Sent a message
audit-message-deleted = Took a message out of the archive
audit-message-approved = Approved a message
audit-message-rejected = Rejected a message
audit-message-discarded = Discarded a message
audit-pending-approved = Approved a request
audit-pending-rejected = Rejected a request
audit-pending-discarded = Discarded a request
audit-admin-created = Added an administrator or a key
audit-admin-updated = Changed an administrator or a key
audit-admin-deleted = Deleted an administrator or a key
audit-account-created = Made an account
audit-account-updated = Changed the account
audit-account-deleted = Deleted an account
audit-field-created = Made a custom field
audit-field-updated = Renamed a custom field
audit-field-deleted = Deleted a custom field
audit-domain-updated = Changed the keys of a domain
audit-queue-updated = Changed what waits to be sent
audit-server-updated = Changed the server
audit-session-ended = Ended a session
audit-pending-created = Asked for approval
audit-session-started = Signed in
audit-message-imported = Imported messages
audit-message-written = Wrote a message on the pages
audit-message-redacted = Took words out of a message
audit-message-restored = Restored a message
audit-thread-closed = Closed a conversation
audit-thread-opened = Opened a conversation again
audit-exported = Downloaded data
audit-sign-in = Signed in as an administrator
audit-sign-in-failed = Tried to sign in, with a wrong password or code
audit-message-scheduled = Planned a message
audit-message-canceled = Took back a planned message
audit-message-tested = Sent a test
audit-account-suspended = Suspended an account
audit-account-restored = Restored an account
audit-grant = Allowed an application something, or took it back
audit-webhook-created = Made a webhook
audit-webhook-updated = Changed a webhook
audit-webhook-deleted = Deleted a webhook

## Kinds of things
audit-of-contact = Person
audit-of-email = Address
audit-of-membership = Membership
audit-of-list = List
audit-of-alias = Alias
audit-of-message = Message
audit-of-held = Message that waits for approval
audit-of-pending = Request
audit-of-admin = Administrator or key
audit-of-account = Account
audit-of-field = Custom field
audit-of-domain = Domain
audit-of-queue = Mail that waits to be sent
audit-of-server = Server
audit-of-session = Session
audit-of-thread = Conversation
audit-of-export = Downloaded data
audit-of-grant = Application
audit-of-webhook = Webhook

# An administrator or key in the filter that has no name.
audit-nameless = Without a name

# A line on the first page: who, and what was done.
audit-line = { $actor }: { $what }

## What a change of settings was, on the overview and in the audit log
# A setting with its values: “Description: old → new”.
audit-changed = { $label }: { $before } → { $after }
audit-changed-more = { $count ->
    [one] and { $count } more setting
   *[other] and { $count } more settings
}
# The value of a setting that is several texts, such as addresses.
audit-several = { $count ->
    [0] nothing
    [one] { $count } entry
   *[other] { $count } entries
}
