### Administrators' pages: settings of lists and accounts, administrators and keys.

## Every form of settings.

# $label is the name of a field, $problem a sentence about its value.
set-problem = { $label }: { $problem }
set-save = Save the settings
set-saved = The settings are saved.
set-discard = Discard changes

## Settings of an account.

nav-settings = Settings
set-account-title = Settings of { $account }
set-account-parts = Parts of the settings
set-account-fields = Fields of people
set-account-domains = Domains
set-group-identity = Who you are
set-group-identity-hint = What people see on your pages and in your mail.
set-acc-name = Short name
set-acc-name-help = Letters, digits, dot, hyphen and underscore. Where several organisations share this server, it stands in the addresses of your pages: links that somebody has kept lead nowhere after a change.
set-acc-description = Name that people see
set-acc-description-help = It stands on your pages and in the mails that the server writes for you. Without one, the short name stands there.
set-acc-language = Language
set-acc-language-help = Of the mails that the server writes, and of pages for visitors whose browser asks for no other.
set-acc-timezone = Time zone
set-acc-timezone-help = For example Europe/Berlin. Daily digests are sent at six in the morning there, and all days and times are shown as there.
set-acc-custom_image = Image at the top of your pages
set-acc-custom_image-help = The address of an image, https://… The server fetches it and keeps a copy, so that visitors ask nobody else for it. Leave it blank for no image.
set-group-joining = Joining and leaving
set-group-joining-hint = For every list that does not say otherwise. The unsubscribe button in a mail program always works.
set-acc-subscriptions = Who may join?
set-acc-subscriptions-help = By the pages, by mail, and by forms on your own website.
set-open = Anyone
set-open-hint = As soon as the address is confirmed.
set-open-confirm = Anyone, with our approval
set-open-confirm-hint = Requests wait under Approvals.
set-closed = Invitation only
set-closed-join-hint = You add people. The list is then not in the directory.
set-closed-leave-hint = You take people off. The button in their mail program works all the same, as large mail providers ask for.
set-acc-unsubscriptions = Who may leave?
set-acc-unsubscriptions-help = By the pages and by mail.
set-acc-unsubscribe_confirm = Ask once more before somebody leaves by a link
set-acc-unsubscribe_confirm-help = The page of a link then has one more button that asks whether they are sure. The button of a mail program works at once all the same.
set-acc-restrict_contact = Only these addresses may be in the address book
set-acc-restrict_contact-help = Regular expressions, one a line, for example @example\.org$. An address that none of them matches is refused, whoever adds it. Leave it blank to allow all.
set-acc-restrict_contact_subscription = Only these addresses may ask to join
set-acc-restrict_contact_subscription-help = The same for people who ask to join by themselves. You may still add others.
set-group-welcome = Mails to new members
set-group-welcome-hint = Lists may have texts of their own. Variables such as $NAME and $LIST are filled in.
set-acc-confirmation_subject = Subject of the mail that asks for a confirmation
set-acc-confirmation_subject-help = Leave it blank for our own words, in the language of the account.
set-acc-confirmation_message = Text of the mail that asks for a confirmation
set-acc-confirmation_message-help = Everybody who asks to join gets it, and becomes a member by the link in it. If your text has no $CONFIRM, we put the link below it.
set-acc-welcome_message = Welcome
set-acc-welcome_message-help = Shown on the page after a person has confirmed, and mailed where one of the next two is ticked. Leave it blank for our own words.
set-acc-send_welcome_message_confirmation = Mail the welcome when somebody has confirmed an address
set-acc-send_welcome_message_confirmation-help = Once, as soon as the link in the first mail was opened.
set-acc-send_welcome_message_contacts = Mail the welcome to everybody whom you add
set-acc-send_welcome_message_contacts-help = At once. Large imports then send as many mails.
set-group-admins = Administrators
set-group-admins-hint = How the people who look after the lists work together.
set-acc-notify_approval = When are administrators told of what waits?
set-acc-notify_approval-help = Of messages and requests that wait for approval. Lists may say otherwise.
set-notify-none = Never
set-notify-each = At each one
set-notify-daily = Once a day
set-acc-list_delegation = People who look after a list may share it
set-acc-list_delegation-help = Administrators of single lists may then invite others to them, with no more rights than their own.
set-acc-require_list_approval = New lists need approval
set-acc-require_list_approval-help = A list made by somebody without the right to change the account takes no mail until it is approved on the page of lists.

## Settings of a list: its groups.

set-lg-name = Name
set-lg-name-hint = What people see in the directory and in their inbox.
set-lg-joining = Joining and leaving
set-lg-joining-hint = The unsubscribe button in a mail program always works, whatever you choose here.
set-lg-posting = Writing and answering
set-lg-posting-hint = Mail from everybody else waits, is sent back or is dropped, as you say under Writing.
set-lg-holding = Held for approval
set-lg-holding-hint = Also for those who may write. What is held waits under Approvals.
set-lg-content = Messages
set-lg-content-hint = What the list changes in each message before it goes out.
set-lg-footers = Above and below each message
set-lg-footers-hint = You can use $NAME, $EMAIL, $LIST, $LISTADDRESS, $DESCRIPTION, $UNSUBSCRIBE, $MANAGE, $ARCHIVE and $DATE; a dollar sign is $$.
set-lg-archive = Archive
set-lg-archive-hint = What may not be read is not found either: not by search, feeds or counts.

## Settings of a list: its fields.

set-list-description = Name that people see
set-list-description-help = Readers see it in the directory, as the sender’s name and in footers; without one, they see the address.
set-list-name = Address
set-list-name-help = The part before the @: letters, digits, dot, hyphen and underscore. After a change, links to the old pages lead to the new ones, but mail to the old address comes back.
set-list-subject_prefix = Before each subject
set-list-subject_prefix-help = For example [4B]. It is set once, and not again in replies.
set-list-clid = Number in another system
set-list-clid-help = By which your own programs know the list. No other list may have the same.
set-list-notes = Notes
set-list-notes-help = Only administrators see them.
set-list-subscriptions = Who may join?
set-list-subscriptions-help = By the pages, by mail, and by forms on your own website.
set-list-unsubscriptions = Who may leave?
set-list-unsubscriptions-help = By the pages and by mail.
set-as-account = As the settings of the account say
set-list-memberview = Who sees the other members?
set-list-memberview-help = On the pages of members who are signed in.
set-view-nobody = Nobody
set-view-noemail = Members see the names of this list’s members
set-view-withemail = Members see their names and addresses
set-view-all-noemail = Members see the names of everybody in the account
set-view-all-withemail = Members see names and addresses of everybody in the account
set-list-moderate = Switches for who may write
set-list-moderate-help = The question under Basics sets these for you. With nothing ticked, everybody may write; “only these senders” needs at least one of the two below it.
set-bit-1 = Hold every message for approval
set-bit-2 = Only these senders may write:
set-bit-4 = members of the lists ticked below
set-bit-8 = the addresses named under Basics
set-bit-16 = Refuse the banned addresses (under Writing)
set-list-restrict_post_lists = Lists whose members may write
set-list-restrict_post_lists-help = Counts where members are ticked above. For a list of members only, this is the list itself.
set-list-restrict_post_allowed_emails = The addresses that may write
set-list-restrict_post_allowed_emails-help = One a line, members or not. Counts where your answer above names addresses.
set-list-restrict_post_banned_emails = Banned addresses
set-list-restrict_post_banned_emails-help = One a line.
set-list-message_rejections = What happens to mail from others?
set-list-message_rejections-help = Mail from people who may not write to the list.
set-rejections-hold = It waits for approval
set-rejections-hold-hint = You decide under Approvals.
set-rejections-reject = It is sent back
set-rejections-reject-hint = The sender learns why from their own mail server.
set-rejections-discard = It is dropped
set-rejections-discard-hint = Nobody is told, and nothing is kept.
set-list-hold_automated = Hold automatic mail
set-list-hold_automated-help = Newsletters, calendar invitations, out-of-office notes and whatever else a machine sends. Otherwise out-of-office notes are dropped, and the rest goes out.
set-list-hold_replies = Hold replies to mail of the list
set-list-hold_replies-help = For announcements that should not turn into a discussion.
set-list-hold_new = Hold the first messages of new members
set-list-hold_new-help = From 0 to 20 messages of each member; 0 for none.
set-list-taboo_headers = Hold by header
set-list-taboo_headers-help = Regular expressions, one a line, at most 100. A message with a header line that one matches is held, for example ^Subject:.*lottery.
set-list-taboo_body = Hold by text
set-list-taboo_body-help = The same for the text of a message. What cannot be judged in 0.2 seconds is held.
set-list-moderator = Moderator
set-list-moderator-help = An address whose reader approves messages of this list in place of the administrators: requests go there, and the answer by mail or link decides.
set-list-notify_approval = When are administrators told of what waits?
set-list-notify_approval-help = By mail, for messages and requests of this list.
set-list-maxlength = Largest message
set-list-maxlength-help = A number of KB, up to 51,200; 1,024 KB are a megabyte. Larger mail is sent back.
set-list-truncate = Cut messages after
set-list-truncate-help = In bytes. The rest is left out, and a line says so. Leave blank to never cut.
set-list-strip_attachments = Take attachments off
set-list-strip_attachments-help = Members get the text alone, and a line says what was taken off.
set-list-reply_to = Another address for answers
set-list-reply_to-help = Counts where you chose “another address”.
set-list-rewrite_sender = Always send in the name of the list
set-list-rewrite_sender-help = Otherwise only where the mail would look forged to the author’s provider.
set-list-original_sender_mode = Where the author is then named
set-list-original_sender_mode-help = When a message goes out in the name of the list.
set-sender-reply-to = As the address for replies
set-sender-cc = In Cc
set-sender-notice = In a line above the text
set-sender-hide = Nowhere
set-sender-hide-hint = Members and archives never learn the author’s address.
set-list-merge_tags_enabled = Fill in names in messages
set-list-merge_tags_enabled-help = $NAME, $FIRSTNAME, $EMAIL and others, in subject and text of what is sent. Each member then gets a copy of their own.
set-list-merge_tags_default_name = In place of a missing name
set-list-merge_tags_default_name-help = For example “friend”, so that nobody reads “Dear ,”.
set-list-message_fronter = Text above each message
set-list-message_fronter-help = Above the plain text of each message.
set-list-message_fronter_html = HTML above
set-list-message_fronter_html-help = Above the formatted text. Leave blank to use the text above.
set-list-message_footer = Footer
set-list-message_footer-help = Below the plain text of each message.
set-list-message_footer_html = HTML below
set-list-message_footer_html-help = Below the formatted text. Blank for the text below.
set-list-archive_enabled = Keep an archive
set-list-archive_enabled-help = Messages can be read and searched on the pages of the list.
set-list-archive_protected = Protect it
set-list-archive_protected-help = Readers then need the password, or to be members if you tick the next one.
set-list-archive_memberview = Members may read it
set-list-archive_memberview-help = This is about a protected archive: members read it once they have signed in.
set-list-archive_password = Password of the archive
set-list-archive_password-help = It opens a protected archive. It is never shown; a blank field leaves it as it is.
set-list-password-none = Take the password away
set-list-archive_spammode = Hide addresses in it
set-list-archive_spammode-help = From everybody who is not a member, so that nobody collects them.
set-list-archive_index_noshow = Leave it out of the public list of archives
set-list-archive_index_noshow-help = Search engines are not told of it either.
set-list-welcome_message_subject = Subject of the welcome
set-list-welcome_message_subject-help = Of the mail to new members of this list.
set-list-welcome_message = Welcome
set-list-welcome_message-help = Mailed to new members. Blank: what the account says.
set-list-confirmation_subject = Subject of the mail that asks for a confirmation
set-list-confirmation_subject-help = Blank: what the account says.
set-list-confirmation_message = Text of the mail that asks for a confirmation
set-list-confirmation_message-help = Sent to everybody who asks to join. If your text has no $CONFIRM, we put the link below it.
set-list-send_hold_message = Tell senders that their message is held
set-list-send_hold_message-help = Only to senders who are proven, so that nobody is written to in place of a forger.
set-list-hold_subject = Subject of the mail about a held message
set-list-hold_subject-help = You can use $LIST and $REASON.
set-list-hold_message = Text of the mail about a held message
set-list-hold_message-help = $REASON says why the message waits.
set-list-send_reject_message = Tell senders that their message was rejected
set-list-send_reject_message-help = When a moderator rejects a message that was held.
set-list-reject_subject = Subject of the mail on a rejection
set-list-reject_subject-help = You can use $LIST and $REASON here, too.
set-list-reject_message = Text of the mail on a rejection
set-list-reject_message-help = $REASON is what the moderator wrote.

## Lists.

nav-admin-lists = Lists
lists-new = New list
lists-new-lede = Choose what comes nearest. Everything can be changed afterwards.
lists-kind = What is the list for?
lists-kind-missing = Please choose what the list is for.
lists-kind-announcements = Announcements
lists-kind-announcements-hint = You write, and others read. People ask to join, and you decide; answers go to you alone.
lists-kind-discussion = Discussion
lists-kind-discussion-hint = Members write to each other, and answers go to the list. People ask to join, and you decide; members alone read the archive.
lists-kind-moderated = Moderated discussion
lists-kind-moderated-hint = Members write to each other, and every message and every new member waits for your approval.
lists-kind-private = Private team
lists-kind-private-hint = Only people whom you add. They see each other, and nobody else finds the list or its archive.
# $domain is a domain like lists.example.org.
lists-name-hint = The part before @{ $domain }: letters, digits, dot, hyphen and underscore.
lists-make = Make the list
lists-search = Search name and description
lists-none = There is no list yet.
lists-none-found = No list has these words.
lists-list = List
lists-members = Members
lists-posting = Who writes
lists-posting-held = every message is approved first
lists-posting-members = members
lists-posting-some = some addresses
lists-posting-all = everybody
lists-pending = waits for approval
lists-waiting = Lists that wait for your approval
lists-reason = Your words, if you reject it
lists-approved = The list takes mail now.
lists-rejected = The list is removed.
lists-discarded = The list is removed, and nobody is told.
lists-deleted = The list is deleted, with its members’ subscriptions, what waited and its archive.

## The page of a list.

list-parts = Parts of this list
list-public = Public page
list-made = The list is made. Look through its settings, then add members.
list-read-only = This is how the list is set up. Somebody else may change it.
list-preview = Update the preview
list-preview-title = What a member gets
list-preview-real = The newest message of the list, with these texts.
list-preview-made = The list has no message yet, so this one is made up.
list-sample-subject = Welcome, everybody
list-sample-text = This is how a message of this list looks.
list-delete = Delete the list
list-delete-lede = Its subscriptions, what waits for approval and its archive go with it. This cannot be undone. People stay in the address book.
# The page that asks before a list is deleted; $name is its name.
list-delete-open = What goes with it, and delete
list-delete-ask = Delete { $name }?
list-delete-members = { $count ->
    [0] Nobody is a member.
    [one] { $count } person is taken off the list, and stays in the address book.
   *[other] { $count } people are taken off the list, and stay in the address book.
}
list-delete-messages = { $count ->
    [0] Its archive is empty.
    [one] The archive goes, with { $count } message.
   *[other] The archive goes, with { $count } messages.
}
# Messages and requests of people.
list-delete-waiting = { $count ->
    [one] { $count } thing that waits for approval is dropped.
   *[other] { $count } things that wait for approval are dropped.
}
list-delete-address = Mail to its address is refused from then on, and links to its pages lead nowhere.
list-delete-forever = A deleted list cannot be brought back.
list-delete-now = Delete { $name } for good
list-delete-not = Keep the list

## What would happen to a mail.

sim-title = Try a message
sim-lede = What would happen to a mail to this list? Nothing is sent, and nothing is kept.
sim-message = The whole mail
sim-message-hint = Its header first, then a blank line and the text: “From: …”, “Subject: …”. Mail programs call it the source.
sim-button = What would happen?
sim-missing = Please paste a mail.
sim-posted = It would be sent to the members
sim-held = It would wait for approval: { $reason }
sim-discarded = It would be dropped: { $reason }
sim-returned = It would be sent back to its sender: { $reason }
sim-refused = The list would not take it: { $reason }
sim-deferred = It would be put off, and the sender’s server tries again: { $reason }
sim-loop = the message has been through this list before
sim-hops = the message has passed too many servers
sim-duplicate = this list has had this message already
sim-automatic = the message is an automatic reply or a delivery report
sim-recipients = { $count ->
    [0] No address would get it.
    [one] One address would get it.
   *[other] { $count } addresses would get it.
}
sim-recipients-later = { $count ->
    [0] Nobody would get it even after the approval.
    [one] Once approved, one address would get it.
   *[other] Once approved, { $count } addresses would get it.
}
sim-paused = { $count ->
    [one] One address is paused and gets nothing.
   *[other] { $count } addresses are paused and get nothing.
}
# $answer is a reply of SMTP, in English.
sim-answer = The sender’s server would hear: { $answer }
sim-changes = What the list would change
sim-header = The header of a copy

## People who look after a list.

helpers-lede = They see this list and nothing else, unless they look after others too. Nobody can give more rights than they have.
helpers-none = Nobody yet, beside the administrators of the account.
helpers-you = You
helpers-take-out = Remove
helpers-taken-out = This person no longer helps with the list.
helpers-invite = Invite somebody
helpers-address = Address
helpers-firstname = First name
helpers-surname = Surname
helpers-rights = What may this person do?
helpers-invite-button = Send the invitation
helpers-invited = Done. Somebody new gets a mail with a link to choose a password.

## Members of a list.

members-add = Add members
members-emails = Addresses
members-emails-hint = One a line, or as mail programs write them: Ada Lovelace <ada@example.org>, bob@example.org. They are members at once; please add only people who want it.
members-add-button = Add them
members-mail = Mail
members-digest-button = Set for the selected
# $count is the number of members whose setting was changed.
members-digest-set = { $count ->
    [one] One member gets messages as you said.
   *[other] { $count } members get messages as you said.
}
members-added = { $count ->
    [0] They are members already.
    [one] One member is added.
   *[other] { $count } members are added.
}
members-added-known = { $count } added, { $known } were members already.
members-removed = { $count ->
    [one] One member is removed from the list.
   *[other] { $count } members are removed from the list.
}
members-none-typed = Please type an address.
members-too-many = Please add { $count } people at most at a time; an import takes more.
# $line is what somebody typed.
members-wrong-line = “{ $line }” is not an address. Nobody has been added.
members-none-selected = Please tick somebody first.
members-remove = Remove from the list
members-search = Search names and addresses
members-none = Nobody is a member yet.
members-none-found = No member has these words.
members-count = { $count ->
    [one] One member
   *[other] { $count } members
}
members-choose = Choose
members-person = Person
members-addresses = Addresses
members-since = Since

## Aliases.

nav-aliases = Aliases
aliases-lede = An alias is a further address that sends its mail on to others, as it came.
aliases-new = New alias
aliases-group = Alias
aliases-group-hint = Members of a list are not told of it; it is for offices such as board or info.
aliases-source = Address
aliases-source-help = The part before the @. No list may have the same.
aliases-destination = Goes to
aliases-destination-help = Addresses, one a line, 20 at most. Lists and other aliases may be among them.
aliases-make = Make the alias
aliases-made = The alias takes mail now.
aliases-delete = Delete the alias
aliases-deleted = The alias is deleted. Mail to it comes back now.
aliases-none = There is no alias yet.

## Custom fields.

fields-lede = What you note about people beside their names and addresses, for example a member number. Imports and programs may set them, and footers may show them.
fields-none = There are no further fields yet.
fields-name = Name
fields-id = Identifier
fields-id-hint = Optional: a short name without spaces, which programs use in place of the name.
fields-members-edit = Members may change it on their own pages
fields-new = New field
fields-new-hint = Every person in the address book has it from then on, blank at first.
fields-add = Add the field
fields-added = The field is there.
fields-saved = The field is changed. What people have in it stays.
fields-delete = Delete the field and all its values
fields-deleted = The field is gone, with everything that people had in it.

## Domains and their DNS records.

domains-lede = Add these records where the DNS of your domain is managed. They are looked up as you open this page.
domains-name = Domain
domains-add = Add a domain
domains-add-hint = For example lists.example.org. It takes mail once the DNS shows that it is yours.
domains-added = The domain is noted. Now its records are needed.
domains-there = { $name } is among your domains already.
domains-main = lists
domains-web = pages
domains-make-main = Use for the addresses of lists
domains-main-done = Lists have their addresses at this domain now. Mail to the other one still arrives.
domains-make-web = Use for pages
domains-web-done = Links lead to this domain as soon as it answers there.
domains-remove = Remove the domain
domains-removed = The domain is removed. Mail to it is refused now.
domains-check = Check again now
domains-checked = Checked just now.
domains-unproven = not proven yet
domains-unproven-next = One of these records proves that the domain is yours. Until then it takes no mail.
# $right of $count records are right.
domains-right = { $right } of { $count } records are right
dns-use = Use
dns-type = Type
dns-name = Name
dns-value = Value
dns-status = Status
dns-right = Right
dns-missing = Not there
dns-wrong = Wrong
dns-unknown = Not known
dns-found = The DNS has:
dns-own-address = the address of this server, which whoever runs it knows
dns-mail = Mail comes here (MX)
dns-host = Address of the mail server (A)
dns-web = Pages (A)
dns-sending = Who may send (SPF)
dns-signature = Signature (DKIM)
dns-next-signature = Next signature (DKIM)
dns-policy = Policy for forged mail (DMARC)
dns-reverse = Reverse DNS (PTR; set by your hosting provider)
dns-proof = Proof that it is yours

## Administrators and keys.

nav-administrators = Administrators and keys
admins-people = People
admins-invite = Invite a person
admins-invited = has not signed in yet
admins-invited-lede = The mail with the link may have been lost. A new one works for seven days; older ones end when it is used.
admins-invite-again = Send the link again
admins-invited-done = A mail with a link to choose a password is on its way.
admins-keys = Keys for programs
admins-keys-lede = A program uses a key in place of a name and password, and may do what the key may.
admins-key = Key
admins-new-key = New key
admins-make-key = Make the key
admins-key-made = The key is set up. Show it now, and put it into the program.
admins-get-key = Make and show a new key
admins-get-key-lede = It is shown once. A key that was made before stops working.
admins-key-new = This is the key. Copy it now: it is not shown again.
admins-no-key = not made yet
admins-expiry = Works until
admins-expiry-months = How long should it work?
admins-no-expiry = without end
admins-months = { $count ->
    [one] One month
   *[other] { $count } months
}
admins-since = Since
admins-last-use = Last used
admins-never-used = not used yet
admins-anywhere = anywhere
admins-nothing = none
# $rights and $lists are enumerations.
admins-only-lists = { $rights }, for { $lists } only
admins-no-list = { $rights }, but for no list
admins-all-lists = { $rights }, for all lists
# $rights is what the person or program may do, and for which lists.
admins-given = { $who } may { $rights }.
admins-username = Address
admins-username-help = Under which the person signs in. If somebody else changes it, the person chooses a new password at the new address.
admins-firstname-help = Optional.
admins-surname-help = Optional.
admins-description = What it is for
admins-description-help = So that you know later which program uses it. It stands in the audit log.
admins-cidr = From where
admins-cidr-help = Networks, one a line, for example 192.0.2.0/24. The key works from these alone; blank for anywhere.
admins-image = Show the account’s image to this person
admins-image-help = At the top of the pages.
admins-notifications = Mail about
admins-notifications-help = What this person wants to hear of.
admins-permissions = Rights
admins-permissions-help = You can give what you have yourself. A change ends the person’s sessions.
admins-limit-lists = On which lists?
admins-limit-lists-help = Nothing else is seen by somebody who is limited to lists, not even by searching.
admins-limit-lists-only = Only on these lists; if not ticked, on all
admins-limit-lists-none = Choose at least one list.
admins-limit-metadata = Which fields of people?
admins-limit-metadata-help = The other fields are hidden from somebody who is limited to fields.
admins-limit-metadata-only = Only these fields; without this, all
admins-limit-metadata-none = Choose at least one field.
admins-group-rights = Rights
admins-group-rights-hint = What the person or program may do.
admins-group-person = Person
admins-group-person-hint = Somebody who signs in on these pages.
admins-group-mail = Mail
admins-group-mail-hint = What the server writes to the person of itself.
admins-group-key = Key
admins-group-key-hint = For one program, so that it can be taken away alone.
admins-delete = Delete
admins-delete-lede = The person is signed out everywhere and cannot come back. What they did stays in the audit log.
admins-delete-key-lede = The program that uses it is refused from now on.
admins-deleted = Deleted.
right-account-admin = do everything
right-account-admin-hint = The account’s settings, administrators and keys, and all of the following.
right-manage-settings = set up lists and aliases
right-manage-members = manage people and members
right-approve-messages = approve messages and requests
right-send-messages = send messages
tell-held-message = a message that waits for approval
tell-pending-member = a person who waits for approval
tell-pending-list = a list that waits for approval
tell-member-joined = a new member
tell-member-left = somebody who left
tell-bounce = an address that takes no mail
tell-complaint = a complaint of spam
tell-delivery-problem = trouble with delivery
tell-security = sign-ins and keys that need a look
admins-grants = Applications that people allowed
# $person allowed it on $day, and the application last used it on $last.
admins-grant = Allowed by { $person } on { $day }, last used on { $last }
admins-revoke = Take back
admins-revoked = The application may no longer act for this person.
admins-provider = Signs in through
admins-provider-help = The name of a provider that this server knows. Blank: with a password here.

## Below each message of a new list. The words with $ stay as they are: they are variables of the text.

list-footer = You get this as a member of $LIST.
    Leave: $UNSUBSCRIBE
    Archive: $ARCHIVE

## The five pages of the settings of a list, and their groups.

set-parts = Pages of the settings
set-part-basics = Basics
set-part-writing = Writing
set-part-texts = Texts
set-part-archive = Archive
set-part-advanced = Advanced
set-lg-others = Mail from others
set-lg-others-hint = From people who may not write to the list.
set-lg-html = The same as HTML
set-lg-html-hint = For messages with formatted text. Most lists leave this blank: it is then made of the texts above.
set-lg-names = Names in messages
set-lg-names-hint = For letters that address each member by name.
set-lg-welcome = Mail to new members
set-lg-welcome-hint = Leave a field blank for our own words, in the language of the account.
set-lg-asking = Mail that asks for a confirmation
set-lg-asking-hint = To everybody who asks to join or leave. Leave a field blank for our own words.
set-lg-held = Mail to senders whose message waits
set-lg-held-hint = Sent where Writing says so. Leave a field blank for our own words.
set-lg-rejected = Mail to senders whose message is rejected
set-lg-rejected-hint = Sent where Writing says so. Leave a field blank for our own words.
set-lg-bits = Single switches
set-lg-bits-hint = For combinations that no answer under Basics has.
set-lg-patterns = Patterns
set-lg-patterns-hint = Messages that match one of them wait for approval.
set-lg-sizes = Sizes
set-lg-ids = Numbers and notes
set-fold-changed = in use
set-single = Set by single switches under Advanced
set-single-archive = Set by single switches under Archive

## Questions of the settings of a list that stand for several fields.

set-who = Who may write?
set-who-help = Without waiting for anybody’s approval, unless the answer says so.
set-who-members = Members
set-who-approved = Members, with approval
set-who-approved-hint = Each message waits under Approvals first.
set-who-addresses = Only these addresses
set-who-moderators = Nobody without approval
set-who-everybody = Everybody
set-who-everybody-hint = Strangers, too. Expect unwanted mail.
set-answers = Where do answers go?
set-answers-help = When somebody presses “Reply” in their mail program.
set-answers-list = To the list
set-answers-author = To the author of the message
set-answers-other = To another address
set-answers-missing = Please type the address for answers.
set-archive-for = Who may read the archive?
set-archive-for-help = A password for others can be set under Archive.
set-archive-for-members = Members
set-archive-for-everybody = Everybody
set-archive-for-everybody-hint = Search engines, too.
set-archive-for-nobody = Nobody: keep no archive
set-refuse-banned = Refuse the addresses below
set-refuse-banned-help = They may not write, even as members.
set-closed-leave = Nobody on their own
set-yes = Yes
set-no = No
set-nothing = –

## What is set now, at the top of each page of the settings of a list.

set-now-write-everybody = Everybody may write.
set-now-write-members = Members write.
set-now-write-approved = Members write, and each message waits for approval.
set-now-write-addresses = Only certain addresses write.
set-now-write-moderators = Every message waits for approval.
set-now-write-single = Single switches under Advanced say who may write.
set-now-join-open = Anyone may join.
set-now-join-asking = Anyone may ask to join, and you decide.
set-now-join-closed = You add the members.
set-now-answers-list = Answers go to the list.
set-now-answers-author = Answers go to the author.
# $address is an address of mail.
set-now-answers-other = Answers go to { $address }.
set-now-archive-everybody = Everybody may read the archive.
set-now-archive-members = Members read the archive.
set-now-archive-password = Those who know the password read the archive.
set-now-archive-closed = Only administrators read the archive.
set-now-archive-none = No archive is kept.
set-now-others-hold = Mail from others waits for approval.
set-now-others-reject = Mail from others is sent back.
set-now-others-discard = Mail from others is dropped.
set-now-told = Senders are told when a message waits or is rejected.
set-now-told-held = Senders are told when a message waits, but not when it is rejected.
set-now-told-rejected = Senders are told when a message is rejected, but not when it waits.
set-now-told-nothing = Senders are not told what happens to their message.
set-now-around-both = Texts stand above and below each message.
set-now-around-above = A text stands above each message.
set-now-around-below = A text stands below each message.
set-now-around-nothing = Nothing is added to messages, so they show no way to leave.
set-now-mails = { $count ->
    [0] The list’s own mails have our words.
    [one] One of the list’s own mails has your words.
   *[other] { $count } of the list’s own mails have your words.
}
set-now-addresses-hidden = Addresses in it are hidden from all but members.
set-now-addresses-shown = Addresses in it are shown to all its readers.
# $size is a number.
set-now-size = Messages may have up to { $size } KB.
set-now-patterns = { $count ->
    [0] No pattern holds messages.
    [one] One pattern holds messages.
   *[other] { $count } patterns hold messages.
}

## The other pages of a list, and the search over its settings.

list-helpers = Helpers
list-preview-unsaved = Nothing is saved yet.
set-search = Find a setting
set-search-none = No setting has these words. Try fewer or other words.

## A new key in place of the one that there is: asked first
admins-key-again = Replace the key?
admins-key-again-ends = The present key of “{ $name }” stops working at once, and cannot be brought back. Whatever uses it needs the new one.
# $time is a moment, or that it was never used.
admins-key-again-used = Last used: { $time }.
admins-key-again-button = End it and show a new key
admins-key-again-back = Keep the present key

## The buttons that take an account or a list along, on /admin/settings/ and /admin/lists/…/advanced/
export-title = Take everything along
export-lede = A zip file in open formats: the people with everything that is known of them, lists with their settings and archives, aliases, administrators. Passwords and keys are left out. A large archive takes a while.
export-button = Download everything
export-list-title = Take the list along
export-list-lede = A zip file in open formats: the members with everything that is known of them, the settings and the whole archive.
export-list-button = Download the list

## Who writes to a list: members, and addresses besides; on the page of its settings
set-who-members-addresses = Members, and the addresses below
set-who-members-addresses-approved = Members and the addresses below, with approval
set-now-write-members-addresses = { $count ->
    [0] Members write.
    [one] Members and 1 other address write.
   *[other] Members and { $count } other addresses write.
}
set-now-write-members-addresses-approved = { $count ->
    [0] Members write, and each message waits for approval.
    [one] Members and 1 other address write, and each message waits for approval.
   *[other] Members and { $count } other addresses write, and each message waits for approval.
}

## Rights of a person or a key: the question above the boxes
admins-allowed = What is allowed?
admins-key-allowed-help = You can give what you have yourself.
# $who is a name.
admins-given-nothing = { $who } may do nothing yet.

## The members of a list: a page behind the last one
members-none-further = There are no further members.
