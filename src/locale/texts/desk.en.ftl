### Administrators' pages: approvals, messages, the audit log, the server.

## Approvals
desk-approvals = Approvals
desk-kinds = Kind
desk-held-messages = Messages
desk-people-waiting = People
desk-lists-waiting = New lists
desk-held-search = Search in subjects and senders
desk-held-reason = Reason
desk-all-reasons = All reasons
desk-held-age = Waiting for
desk-any-age = Any time
desk-older-day = More than a day
desk-older-week = More than a week
desk-older-month = More than 30 days
desk-held-from = Sender
desk-held-found = { $count ->
    [one] { $count } message is found.
   *[other] { $count } messages are found.
}
# In place of the selected ones: all that the search and the filters find.
desk-all-found = All { $count } messages, not only those of this page
desk-first-found = The oldest { $most } of { $count } messages, not only those of this page
desk-no-held = No messages are waiting for a decision.
desk-no-held-next = When one does, it appears here.
desk-no-people = Nobody is waiting to join or to leave.
desk-no-lists = No new list is waiting for approval.
desk-read = Read the message
# $what is a subject, or a title such as "Somebody would like to join news".
desk-select = Select: { $what }
desk-approve-one = Approve: { $what }
desk-reject-one = Reject: { $what }
desk-discard-one = Discard: { $what }
desk-reject-more = Reject…
desk-with-selected = With the selected:
desk-allow = Approve, and always allow the sender
desk-ban = Discard, and ban the sender
desk-senders-next = A sender who is allowed may post to this list from now on. Mail of a sender who is banned is refused. You can change both in the settings of the list.
desk-keys-move = move
desk-keys-approve = approve
desk-keys-reject = reject
desk-keys-discard = discard
desk-reason-keep = Keep these words for next time
desk-reason-kept = Or words that you kept
desk-reason-forget = Forget the chosen words
desk-reason-forgotten = These words are forgotten.
desk-select-first = Please select something first.
desk-no-sender = This message has no address of a sender that could be allowed or banned. Nothing has changed.
desk-gone = Something that you selected is no longer here.
# $already is a sentence such as "It was approved already, by Ada on 20 November 2026, 16:20 UTC."
desk-decided-before = { $what } – { $already } That decision stands.
desk-approved = { $count ->
    [one] 1 approved.
   *[other] { $count } approved.
}
desk-rejected = { $count ->
    [one] 1 rejected.
   *[other] { $count } rejected.
}
desk-discarded = { $count ->
    [one] 1 discarded.
   *[other] { $count } discarded.
}
# $what is the subject of a message, $sender its sender or the address of the sender, $who an address.
desk-approved-message = “{ $what }” from { $sender } is approved.
desk-rejected-message = “{ $what }” from { $sender } is rejected.
desk-discarded-message = “{ $what }” from { $sender } is discarded.
desk-approved-join = { $who } is on { $list } now.
desk-approved-leave = { $who } has left { $list }.
desk-approved-list = The new list { $list } is approved.
desk-rejected-request = { $who }’s request about { $list } is rejected.
desk-discarded-request = { $who }’s request about { $list } is discarded.
desk-rejected-list = The new list { $list } is rejected.
desk-discarded-list = The new list { $list } is discarded.
desk-banned-sender = { $sender } is banned from the list { $list }: mail from there to this list is refused from now on.
desk-allowed-sender = { $sender } may write to the list { $list } from now on.
desk-more-of-sender = { $count ->
    [one] One more message from { $sender } is waiting
   *[other] { $count } more messages from { $sender } are waiting
}
# Read aloud behind the name of the page in the menu.
desk-menu-waiting = { $count ->
    [one] { ", " }one is waiting
   *[other] { ", " }{ $count } are waiting
}

## Why somebody got a message, or did not. $time is a text like "20 November 2026, 16:20 UTC", $day one like "20 November 2026", $reply the words of another server.
desk-why-delivered = Delivered on { $time }.
desk-why-delivered-to = Delivered on { $time }: { $server } took it.
desk-why-digest = Delivered on { $time }, in the digest of { $day }.
desk-why-on-hold = Not sent yet: whoever runs this server holds it back.
desk-why-deferred = Not delivered yet. We try again on { $time }. The last answer was: { $reply }
desk-why-queued = Waiting to be sent on { $time }.
desk-why-sending = On its way: it is sent within moments.
desk-why-refused = Not delivered: given up on { $time }. The last answer was: { $reply }
desk-why-failed = Not delivered: given up on { $time }.
desk-why-skipped = Not sent: before it was their turn, on { $time }, they had left or paused.
desk-why-next-digest = Waiting for the next digest, on { $time }.
desk-why-a-digest = Waiting for the next digest.
desk-why-no-member = Not a member of the list.
desk-why-joined-later = Joined on { $time }, after the message.
desk-why-web-only = Reads this list on the web and gets no mail from it.
desk-why-paused-until = Not sent: mail to this address is paused until { $day }.
desk-why-paused = Not sent: mail to this address is paused.
desk-why-dead = Not sent: paused since { $day }, because its server said that there is no such mailbox: { $reply }
desk-why-soft = Not sent: paused since { $day }, because mail to it had come back for eight days: { $reply }
desk-why-complaint = Not sent: paused since { $day }, because a message was reported as spam.
desk-why-next-probe = We try again on { $day }.
desk-why-was-paused = Not sent: mail to it was paused when the message came.
desk-why-no-trace = There is no trace of it: traces are kept for 30 days, and an address that was added later got nothing.
desk-why-unknown = Nobody here has this address.
desk-suspended = These pages are closed for now
desk-suspended-next = Whoever runs this server has suspended this account. Please try again later.

## Messages
desk-messages = Messages
desk-messages-search = Words
desk-all-lists = All lists
desk-messages-none = There is no message here.
desk-messages-count = { $count ->
    [one] One message
   *[other] { $count } messages
}
desk-messages-at-least = { $count ->
    [one] At least one message
   *[other] At least { $count } messages
}
desk-time = Time
desk-message-sent = The message is on its way to the members.
desk-message-scheduled = The message is kept and will be sent at its time.
desk-message-canceled = The message will not be sent.
desk-message-deleted = The message is no longer in the archive.
desk-scheduled = To be sent later
desk-scheduled-at = to be sent on { $time }
desk-scheduled-stopped = Not sent
desk-scheduled-stopped-why = Its author could no longer send it when its time came.
desk-scheduled-cancel = Do not send
desk-scheduled-cancel-one = Do not send: { $subject }
# $by is a person, $received and $time are moments, $reason is a sentence.
desk-message-approved = It came on { $received } and needed approval: { $reason }. { $by } approved it on { $time }.
desk-message-text = The message
desk-message-archive = Open it in the archive
desk-message-delete = Take it out of the archive
desk-message-delete-hint = What is being sent is still sent. The original stays sealed for 30 days and can be restored on its page in the archive.
desk-why = Who got it, who did not, and why?
desk-why-label = Address or name
desk-why-search = Ask
desk-why-nobody = Nobody here has this name.
desk-copies = Copies
desk-copies-count = { $count ->
    [one] One copy in all
   *[other] { $count } copies in all
}
desk-state-queued = Waiting
desk-state-deferred = Trying again
desk-state-delivered = Delivered
desk-state-failed = Not delivered
desk-state-skipped = Not sent

## Writing a message
desk-compose = Write a message
desk-compose-text = Text
desk-compose-tags = On lists with merge tags, these become each reader’s own:
desk-compose-format = Format
desk-compose-plain = Plain text
desk-compose-simple = Simple formatting
desk-compose-simple-hint = # heading, **strong**, *emphasis*, - or 1. for lists, > for quotes, [words](https://example.org) for links
desk-compose-html = Your own HTML
desk-compose-html-hint = It is used in place of the formatting above. Scripts, styles and forms are taken out.
desk-compose-files = Files
desk-compose-files-hint = Up to { $size } in all, and no more than the list takes.
desk-compose-files-again = Please choose your files again: browsers do not keep them.
desk-compose-files-many = { $count ->
    [one] There is room for one file.
   *[other] There is room for { $count } files.
}
desk-compose-too-large = This list takes messages of up to { $size }.
desk-compose-text-long = This text is longer than { $size }. What you see here may be only its beginning.
desk-compose-html-deep = This HTML has too many elements, or too many inside one another.
desk-compose-file-remove = Remove { $name }
desk-compose-files-kept = These files go with the message. They are kept here for a day, also through a preview.
desk-compose-files-gone = A file is no longer kept here. Please choose it again.
desk-compose-files-large = The files have more than { $size } in all.
desk-compose-discard = Throw this draft away
desk-compose-drafts = Other drafts of yours
desk-compose-draft-untitled = No subject yet
desk-compose-no-list = Please choose a list.
desk-compose-sender = Another sender than the list
desk-compose-from-phrase = Name of the sender
desk-compose-from-address = Address of the sender
desk-compose-contact = Show it as this member gets it
desk-compose-contact-hint = An address or a name, for the preview and the test. Blank: a reader of whom nothing is known.
desk-compose-no-contact = Nobody in the address book has this address or name.
desk-compose-send-at = Send at
desk-compose-send-at-hint = Blank: now. Times are those of { $zone }.
desk-compose-time-wrong = This is no time such as 2026-12-24T18:00.
desk-compose-time-past = This time is over. Leave it blank to send now.
desk-compose-time-far = This time is more than a year ahead.
desk-compose-too-many = Too many messages are scheduled already.
desk-compose-buttons = What to do
desk-compose-send = Send
desk-compose-preview = Preview
desk-compose-preview-for = As { $address } would get it
desk-compose-test = Send a test to me
desk-compose-tested = A test is on its way to { $address }. Nobody else gets it.
desk-compose-no-address = You have no address to which a test could be sent.
desk-compose-sent-already = This form was sent already, and what you changed since was not sent. Please begin a new message.

## The audit log
desk-audit = Audit log
desk-audit-lede = Who did what, when and from where. Nobody can change it, and it is kept for a year unless the operator says otherwise.
desk-audit-none = Nothing was noted that fits.
desk-audit-all = All
desk-audit-via = Through
desk-audit-actor = Who
desk-audit-action = Did what
desk-audit-object = To what
desk-audit-since = From this day on
desk-audit-until = Up to this day
desk-audit-detail = Details
desk-via-page = Page
desk-via-api = API
desk-via-mail = Mail
desk-via-link = Link in a mail
desk-via-command = Command line
desk-via-server = The server itself

## The server
desk-server = Server
desk-server-version = Version
desk-server-suspended = Suspended accounts
# $state is one of the states of the queue below.
desk-server-copies = Copies: { $state }
desk-server-destinations = Where most copies wait
desk-server-lately = What happened lately
desk-queue = Queue
desk-queue-waiting = waiting
desk-queue-in-flight = being sent
desk-queue-held = held
desk-queue-quarantined = set aside
desk-queue-settled = done
desk-queue-destination = Domain of the recipients, or relay
desk-queue-empty = Nothing waits.
desk-queue-select = Select batch { $number }
desk-queue-copies = { $count ->
    [one] One copy
   *[other] { $count } copies
}
desk-queue-attempts = { $count ->
    [one] One attempt
   *[other] { $count } attempts
}
desk-queue-restored = This queue came from a backup of { $time }. What waited then is held, since it may have been sent after the backup; new mail is sent. On the server, this command lets all of it go:
desk-queue-retry = Try now
desk-queue-hold = Hold
desk-queue-release = Release
desk-queue-delete = Give up
desk-queue-changed = { $count ->
    [one] One batch is changed.
   *[other] { $count } batches are changed.
}
desk-accounts = Accounts
desk-account-works = Works
# $day is a text like "20 November 2026".
desk-account-suspended-since = Suspended since { $day }
desk-account-deleted-on = Will be deleted on { $day }
desk-account-lists = { $count ->
    [one] One list
   *[other] { $count } lists
}
desk-account-people = { $count ->
    [one] One person
   *[other] { $count } people
}
desk-account-open = Its administration
desk-account-make = Make an account
desk-account-name = Name
desk-account-name-hint = Its pages are at /~ and this name.
desk-account-domain = Domain
desk-account-administrator = Administrator
desk-account-administrator-hint = This address gets a link to choose a password.
desk-account-holds = Holds
desk-account-save = Save
desk-account-suspend = Suspend
desk-account-resume = Resume
desk-account-delete = Delete
desk-account-restore = Restore
desk-account-hint = A suspended account takes no mail, and its pages and keys do not open. One that is deleted can be restored for 30 days.
desk-account-changed = Somebody else changed this account a moment ago. Nothing has changed now.
desk-account-made = The account is made. Its administrator gets a mail.
desk-account-saved = The account is saved.
desk-account-suspended = The account is suspended.
desk-account-resumed = The account works again.
desk-account-deleted = The account is suspended, and will be deleted in 30 days.
desk-account-restored = The account is restored and works again.
desk-keys = Keys of the server
desk-keys-lede = Whoever has such a key may do everything in every account.
desk-keys-none = There is no key.
desk-key-make = Make a key
desk-key-purpose = What it is for
desk-key-needs-purpose = Please say what the key is for.
desk-key-made = This is the key. It is shown this once, so keep it now.
desk-key-delete = Delete
# $made is the time when the key was made, $used the time of its last use, or that there was none.
desk-key-times = Made on { $made } · last used: { $used }
# $purpose is what the key is for.
desk-key-delete-one = Delete the key for { $purpose }
desk-key-deleted = The key is deleted and opens nothing any more.

## Drafts and messages that wait, on the page of messages and where they are changed

desk-drafts = Drafts
desk-drafts-lede = Only you see your drafts. Each is kept for a day after you last worked on it.
desk-draft-kept = Your draft is kept for a day.
desk-draft-discarded = The draft is gone.
desk-draft-discard = Throw away
desk-draft-discard-one = Throw away the draft: { $subject }
desk-files-count = { $count ->
    [one] { $count } file
   *[other] { $count } files
}
desk-scheduled-change = Change
desk-scheduled-change-one = Change: { $subject }
desk-scheduled-send = Send now
desk-scheduled-send-one = Send now: { $subject }
desk-scheduled-gone = This message no longer waits: it was sent or taken back meanwhile.
desk-compose-change = Change a message
# $time is a text like date-moment.
desk-compose-waits = This message will be sent on { $time }. It stays as it was until you save your changes. Without a time, it is sent when you save.
desk-compose-save = Save the changes
desk-compose-keep = Keep as a draft
desk-compose-gone = This message was sent or taken back while you were changing it. Your changes were not sent. To send them all the same, begin a new message.
desk-compose-changed = Somebody else has changed this message meanwhile, so yours was not saved. Open it again from the messages that wait.

## Approvals: who wrote, what came from there before, and senders who are stopped
# A badge beside the subject of a message that waits.
desk-sender-member = Member
desk-sender-other-address = Another address
desk-sender-no-member = Not a member
# A line of the facts on the page of one message that waits.
desk-sender = Sender
# Why the message waits, behind that badge. $reason is a half sentence such as “every message to this list needs approval”.
desk-held-reason-is = Waiting: { $reason }.
desk-sender-stranger = This address is not on { $list }.
desk-sender-as = A member of this name is on { $list } as { $address }, and wrote from another address.
desk-sender-known = In the address book, but not on { $list }.
desk-sender-not-chosen = A member, but only certain people may write to { $list }.
# Earlier messages of a sender: “12 posts, none refused in the last 30 days.”
desk-history = { $posted }, { $refused }.
desk-history-first = The first message from this address.
desk-history-no-posts = No posts so far
desk-history-posts = { $count ->
    [one] 1 post
   *[other] { $count } posts
}
desk-history-many = { $count } posts or more
desk-history-none-refused = none refused in the last 30 days
desk-history-refused = { $count ->
    [one] 1 refused in the last 30 days
   *[other] { $count } refused in the last 30 days
}
# The field below the selected messages.
desk-reason-all = Your words to everybody selected, if you reject them
# On the page of a message that went out, and in the archive below “Moderate”. $sender is an address.
desk-stop = Stop this sender
desk-stop-hint = The list { $list } refuses what { $sender } sends from now on. What went out stays.
desk-stopped = { $list } refuses what { $sender } sends.

## Undoing what an administrator did. $who is one name or several, $list the name of a list
# Several names: “Ada, Bob and 3 more”.
undo-more = { $names } and { $count } more
undo-nameless = (no name)
undo-removed = Removed from { $list }: { $who }.
undo-added = Added to { $list }: { $who }.
undo-set = How mail of { $list } comes is set for { $who }.
undo-resumed = Mail goes out again to { $who }.
undo-deleted = Deleted: { $who }.
undo-alias-deleted = Alias deleted: { $who }.
undo-list-set = Settings of { $list } are changed.
undo-account-set = Settings of the account are changed.
undo-banned = Banned from { $list }: { $who }.
undo-allowed = May write to { $list } from now on: { $who }.
undo-button = Undo
# Beside the button; $time is a text like “tomorrow, 20:59”.
undo-until = Possible until { $time }.
# The page of one action.
undo-title = Undo this?
undo-next = Everything becomes what it was, except for what somebody changed since, and for people who left or complained since.
undo-done-title = Undone
undo-none-title = Nothing could be undone
undo-done = As before: { $who }.
undo-left = These stay as they are:
undo-left-opted-out = { $who } left or complained since.
undo-left-changed = { $who }: somebody has made a change since.
undo-left-there = { $who }: it is so already.
undo-left-gone = { $who }: the list or the person is no longer here.
undo-left-taken = { $who }: the address or the name belongs to somebody else now.
undo-left-full = { $who }: the address book is full.
undo-over = This was undone already, or its day is over
undo-over-next = Changes can be undone for a day. The audit log says what was done.
undo-imported = Imported: { $who }.

## What was missing on the pages of messages
desk-compose-first-list = First make a list: a message goes to its members.
# $time is a time, such as "tomorrow, 06:00".
desk-copies-digest = Members who take digests get it with the next one: { $time }.

## The page of the server
desk-server-since = Running since

## Messages that wait for approval
desk-held-filter = Find and filter
