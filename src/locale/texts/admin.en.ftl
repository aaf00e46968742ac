### Administrators' pages: overview, people, imports.

## Every listing: its search, its pages, its file.

listing-search = Search
listing-all = Show all of them
# The name of the links to other pages, for people who hear it read.
listing-pages = Pages
listing-before = Previous
listing-after = Next
listing-csv = Download as CSV

## The address book.

nav-people = People
nav-import = Import
admin-people-search = Name or address
admin-people-list = List
admin-people-list-all = All lists
admin-people-lists = Lists
admin-people-state = State
admin-people-state-all = Everybody
admin-people-state-bouncing = Mail comes back
admin-people-state-paused = Paused by somebody
admin-people-since = Since
admin-people-person = Person
admin-people-select = Select
admin-people-nameless = (no name)
admin-people-more = { $count ->
    [one] and 1 more
   *[other] and { $count } more
}
admin-people-count = { $count ->
    [one] 1 person
   *[other] { $count } people
}
admin-people-found = { $count ->
    [one] 1 person found
   *[other] { $count } people found
}
admin-people-some = People found
admin-people-cut = Very many people match, and only some of them were looked at. One more word finds whom you mean.
admin-people-none = There is nobody here yet. Add people one by one, or import a file.
admin-people-not-found = Nobody matches.
admin-people-new = Add someone
admin-people-selected = With the selected people
admin-people-choose-list = Choose a list…
admin-people-add = Add to the list
admin-people-remove = Remove from the list
admin-people-resume = Resume delivery
admin-people-delete = Delete…
admin-people-delete-hint = They leave all lists, and their addresses and notes are deleted. You can undo this for a day.
admin-people-delete-button = Delete the selected people
admin-people-none-selected = Please select at least one person.
admin-people-no-list = Please choose a list.
admin-people-done-delete = { $count ->
    [one] 1 person is deleted.
   *[other] { $count } people are deleted.
}
admin-people-done-add = { $count ->
    [one] 1 person was added to the list.
   *[other] { $count } people were added to the list.
}
admin-people-opted-out = { $count ->
    [one] 1 person left, complained or opted out elsewhere, and was not added.
   *[other] { $count } people left, complained or opted out elsewhere, and were not added.
}
admin-people-done-remove = { $count ->
    [one] 1 person was removed from the list.
   *[other] { $count } people were removed from the list.
}
admin-people-done-resume = { $count ->
    [one] 1 person gets mail again.
   *[other] { $count } people get mail again.
}

## States of addresses, in words.

admin-state-active = Gets mail
admin-state-paused = Paused
admin-state-not-from = Not from { $lists }
admin-state-trouble = Mail came back lately
admin-cause-dead = No such mailbox
admin-cause-soft = Mail comes back
admin-cause-complaint = Reported as spam
admin-address-active = Mail from the lists goes to this address.
admin-address-paused = Paused indefinitely by somebody.
admin-address-until = Paused by the person until { $day }.
admin-address-dead = Paused since { $day }, because its server said that there is no such mailbox.
admin-address-soft = Paused since { $day }, because mail to it had come back for eight days.
admin-address-dead-said = Paused since { $day }, because its server said: “{ $said }”
admin-address-soft-said = Paused since { $day }, because mail to it had come back for eight days; its server said: “{ $said }”
admin-address-complaint = Paused since { $day }, because a message was reported as spam.
admin-address-probe = Next probe on { $day }.
admin-address-asked = We do not try again by ourselves: only resume it if the person asks for it.
admin-address-given-up = We no longer try by ourselves. If you know that it works, resume it.
admin-address-trouble = Mail to it has come back lately; its server said: “{ $said }”
admin-address-confirmed = The owner has confirmed the address.
admin-joined = { $time }, { $way }
admin-joined-from = { $time }, { $way }, from { $from }
admin-got = Delivered
admin-got-waits = On its way
admin-got-refused = Refused
admin-got-paused = Not sent: paused
admin-got-unknown = Record deleted
admin-got-not = Not sent

## One person.

admin-person-since = In the address book since { $day }.
admin-person-new-lede = Nobody gets a mail unless a list or the account has a welcome.
admin-person-add = Add
admin-person-emails = Addresses
admin-person-emails-hint = One a line.
admin-person-ccid = Your own identifier
admin-person-ccid-hint = For example the number in your membership files. It must be unique; leave it blank if you use none.
admin-person-notes = Notes
admin-person-notes-hint = Seen by administrators, and by the person in the file with everything that is kept about them.
admin-person-addresses = Where mail goes
admin-person-address = Address
admin-person-digest = One mail a day
admin-person-paused = Paused
admin-person-resume = Resume now
admin-person-no-lists = This person is on no list.
admin-person-how = How messages come
admin-person-how-address = As set for the addresses
admin-person-web-only = No mail, reads on the web
admin-person-leave = Remove from list
admin-person-join = Add to a list
admin-person-got = Recent messages and what happened to them
admin-person-got-none = No list of this person has messages yet.
admin-person-message = Message
admin-person-when = When
admin-person-outcome = Outcome
admin-person-why = Why?
admin-person-edit = Edit
admin-person-evidence = Consent
admin-person-evidence-none = No confirmed request to join is kept. The lists above say how the person came to them.
admin-person-asked = Request
admin-person-confirmed = Confirmation
admin-person-agreed = Text agreed to
admin-person-export = Download everything kept (JSON)
admin-person-export-posts = Download the posts (mailbox)
admin-person-erase = Erase
admin-person-erase-hint = The person leaves all lists, and everything that we keep is deleted: addresses, notes, evidence and what waits for approval. This cannot be undone.
admin-person-posts = What becomes of the posts?
admin-person-posts-keep = They stay in the archive, by a “former member”.
admin-person-posts-remove = They are taken out of the archive.
admin-person-erase-button = Erase this person
admin-person-erase-not-chosen = Please choose what happens to this person’s messages.
admin-person-done-new = Added.
admin-person-done-save = Saved.
admin-person-done-email = The address is set as you want it.
admin-person-done-resume = Mail goes to the address again.
admin-person-done-membership = Saved for this list.
admin-person-done-join = Added to the list.
admin-person-done-leave = Removed from the list.
admin-person-done-erase = The person is erased. Their messages and records of mail follow within minutes.

## The overview.

nav-overview = Overview
nav-administration = Administration
overview-todo = Needs your attention
overview-nothing = Nothing needs your attention.
overview-look = please look
overview-held = { $count ->
    [one] message waits for a decision
   *[other] messages wait for a decision
}
overview-pending = { $count ->
    [one] request waits for a decision
   *[other] requests wait for a decision
}
overview-oldest = Oldest: { $time }.
overview-bouncing = { $count ->
    [one] address no longer accepts mail
   *[other] addresses no longer accept mail
}
overview-bouncing-hint = Their mail is paused until somebody looks.
overview-dns = { $count ->
    [one] domain needs other DNS records
   *[other] domains need other DNS records
}
overview-stuck = { $count ->
    [one] destination cannot be reached
   *[other] destinations cannot be reached
}
overview-disk-full = The disk is nearly full: { $free } are free. New mail is refused.
overview-disk-failing = The disk is failing: nothing can be saved.
overview-certificate = The certificate ends on { $day }.
overview-posts = Messages a month
overview-posts-title = Messages a month over the last twelve months, between { $least } and { $most }
overview-posts-count = Messages
overview-month = Month
overview-day = Day
overview-people = People
overview-people-title = People in the address book over time, between { $least } and { $most }
overview-memberships = Memberships
overview-figures = The figures
overview-lately = Recent activity
overview-audit = See the audit log

## Imports of people.

import-heading = Import people
import-lede = Send a file or paste rows. You see what would happen before anything changes.
import-file = File
import-file-hint = CSV as address books and spreadsheets write it, or JSON, up to 20 MB.
import-paste = Or paste rows
import-paste-hint = One person a line. The first line may name the columns; addresses alone will do.
import-more = Separator and encoding
import-separator = Separator of cells
import-charset = Encoding
import-find-out = Find out
import-commas = commas
import-semicolons = semicolons
import-tabs = tabs
import-bars = vertical bars
import-preview = See what would happen
import-earlier = Imports of the last days
import-pasted = Pasted rows
import-empty = There are no rows in it. Please choose a file or paste some.
import-head-alone = It has names of columns, and no rows below them.
import-too-large = That is too much at once: at most { $rows } rows of { $columns } columns. Please split it.
import-state-draft = Not begun, { $time }
import-state-running = Under way, { $time }
import-state-stopped = Stopped, { $time }
import-state-done = Done, { $time }
import-would = This is what would happen
import-about = { $rows ->
    [one] { $name }, 1 row, { $separator }, { $charset }
   *[other] { $name }, { $rows } rows, { $separator }, { $charset }
}
import-nothing-yet = Nothing has changed yet.
import-count-new = New people
import-count-changed = Changed
import-count-same = Already the same
import-count-refused = Refused
import-columns = What each column is
import-columns-hint = Look again after a change to see what would happen then.
import-column = Column { $number }
import-example = For example: { $value }
import-leave-out = Leave out
import-emails = Address
import-name = Whole name
import-lists = Names of lists
import-no-emails = Please say which column has the addresses.
import-known = People who are there already
import-known-update = replace what they have by what the rows say
import-known-skip = keep what they have, and get only what is missing
import-join = Put everybody on
import-begin = Import
import-look-again = Look again
import-refused = Refused rows
import-refused-hint = They are left out; the other rows are not affected. The first of them:
import-row = Row
import-cells = Cells
import-why = Why
import-what = What
import-taken = New and changed, the first of them
import-new = New
import-changed = Changed
import-title-running = Importing { $name }
import-title-stopped = { $name } is stopped
import-title-done = { $name } is imported
import-done = The import is done.
import-stopped = The import was stopped. What was imported so far stays.
import-trouble-no-admin = Whoever began this import is no longer an administrator.
import-trouble-not-saved = The server could not save anything. Please continue later.
import-running = The import is under way. You can close this page; it goes on by itself, after a restart of the server too.
import-progress = { $done } of { $rows } rows
import-refresh = Refresh
import-stop = Stop
import-stop-hint = If you stop, the people imported so far stay.
import-continue = Continue
import-rejects = Download the refused rows as CSV
import-rejects-hint = The last column says why. Correct them and import that file later. We keep them for a week.

## Whether mail reaches a person. $at and $digest_at are addresses.
admin-mail = Does mail reach this person?
admin-mail-no-lists = Not on any list, so no list mail goes out.
admin-mail-all = Yes, mail from every list goes out.
admin-mail-none = No, no mail goes out at the moment.
admin-mail-some = Partly: mail from { $some } of { $all } lists goes out.
admin-mail-web-only = { $list }: reads this list on the web and gets no mail from it.
admin-mail-all-paused = { $list }: nothing goes out, because mail to every address is paused.
admin-mail-single = { $list }: each message goes to { $at }.
admin-mail-digest = { $list }: one digest a day goes to { $at }.
admin-mail-both = { $list }: each message goes to { $at }, and one digest a day to { $digest_at }.
opt-out-link = left { $list } on { $day } by the link
opt-out-mail = left { $list } on { $day } by mail
opt-out-page = left { $list } on { $day } on the members’ pages
opt-out-request = left { $list } on { $day } by a request that was approved
opt-out-complaint = complained on { $day } that mail from here is unwanted
opt-out-import = opted out in another system, as an import of { $day } says
opt-out-erasure = asked on { $day } to have all data erased
opt-out-override = Add people too who left or complained. The law allows it only if they have asked for mail again since; keep the proof.
import-opted-out = { $count ->
    [one] One person of the refused rows left, complained or opted out elsewhere, and is not added.
   *[other] { $count } people of the refused rows left, complained or opted out elsewhere, and are not added.
}
import-decides = Says who gets mail; never left out
import-attributes = Custom fields (JSON)
import-workbook = This is an Excel workbook; save it as CSV.
import-cards = This is an address book of cards (vCard). Please export it as CSV.
opt-out-not-added = { $said }: not added
import-joined-at = When the person joined, as evidence
import-joined-from = From which network address the person joined, as evidence

## The overview: first steps, lists, what is well, what happened
# First steps of a new account; each is a link, and goes once it is done.
overview-steps = First steps
overview-step-dns = Publish the DNS records of your domain
overview-step-dns-hint = So that providers trust mail from here.
overview-step-list = Make your first list
overview-step-list-hint = An address that reaches everybody on it.
overview-step-people = Add people
overview-step-people-hint = One by one, or all at once from a file.
overview-step-message = Write a first message
overview-step-message-hint = You can send a test to yourself first.
overview-step-helper = Let somebody help
overview-step-helper-hint = A second administrator can step in when you are away.
overview-step-factor = Turn on two-factor sign-in
overview-step-factor-hint = A stolen password alone then opens nothing.
# The table of lists.
overview-lists = Your lists
overview-list = List
overview-list-posts = Posts this month
overview-list-last = Last post
overview-list-never = none yet
overview-list-waiting = Waiting
overview-lists-all = All lists
# What is well; $facts are the texts below, one after the other.
overview-well = All is well: { $facts }.
overview-well-else = All else is well: { $facts }.
overview-well-dns = the DNS records are right
overview-well-queue-empty = the queue is empty
overview-well-queue = { $count ->
    [one] 1 copy is on its way
   *[other] { $count } copies are on their way
}
overview-well-disk = the disk has room
overview-well-certificate = the certificate is valid until { $day }
# $time is a text like “today, 20:59”.
overview-well-backup = last backup: { $time }
overview-backup-none = No backup was ever made.
overview-backup-failed = The last backup failed.
overview-backup-last = The newest is of { $time }.
# Lines of what happened. $who is a person’s address or the name of a key, $name the person, list or subject to which it was done.
lately-somebody = Somebody
lately-person = a person
lately-member-added = { $who } added { $name } to { $list }
lately-member-removed = { $who } removed { $name } from { $list }
lately-member-changed = { $who } changed how { $name } gets mail of { $list }
lately-joined = { $who } joined { $list }
lately-left = { $who } left { $list }
lately-contact-created = { $who } added { $name } to the address book
lately-contact-restored = { $who } brought { $name } back
lately-contact-updated = { $who } changed the details of { $name }
lately-contact-deleted = { $who } deleted { $name }
lately-imported = { $who } imported people: { $made } new, { $changed } changed
lately-email-updated = { $who } changed the address of { $name }
lately-list-created = { $who } made the list { $name }
lately-list-updated = { $who } changed the settings of { $name }
lately-list-deleted = { $who } deleted the list { $name }
lately-alias-created = { $who } made the alias { $name }
lately-alias-deleted = { $who } deleted the alias { $name }
lately-published = { $who } sent “{ $name }”
lately-approved = { $who } approved “{ $name }”
lately-rejected = { $who } rejected “{ $name }”
lately-discarded = { $who } discarded “{ $name }”
lately-taken-out = { $who } took “{ $name }” out of the archive
lately-admin-created = { $who } let { $name } help
lately-admin-updated = { $who } changed the rights or the sign-in of { $name }
lately-signed-in = { $who } signed in
lately-exported = { $who } downloaded data
lately-import-begun = { $who } began to import people

## Every listing: many at once
# A box above the rows that selects them all; with a script alone.
listing-select-page = Select all on this page
# In place of the selected rows: all that the search and the filters find.
listing-all-found = All { $count } people, not only those of this page
listing-first-found = The first { $most } people found, not only those of this page
# Beside a value, with a script alone.
copy-button = Copy
copy-done = Copied

## Imports: people without a list, their own fields, and the way to who was imported
import-no-list = Nobody is put on a list: people are added to the address book alone. Choose a list below if they shall get its mail.
import-fields-hint = For a column of your own, such as a section or a phone number, first make a field under Settings.
import-fields-link = Fields of people
import-see-people = See the newest people
# The state of an old message for somebody who joined afterwards.
admin-got-before = Before they joined
# The heading above the files with what is kept about a person.
admin-person-data = Data
import-for-good = An import of more than 1,000 rows cannot be undone.

## Importing people from JSON
import-json-broken = This is JSON that cannot be read, or there is nobody in it.

## Lines of what happened lately, of which only some fit or have a name
lately-key-created = { $who } made the key “{ $name }”
lately-key-created-nameless = { $who } made a key
lately-others = { $names } and others
