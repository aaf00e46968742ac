### Texts of the pages.

## Around every page.

# The name of a server where several organisations have their lists.
frame-server = Mailing lists
frame-skip = Skip to the content
# Names of parts of the page, for people who hear it read.
frame-pages = Pages
frame-language = Language
frame-sign-out = Sign out
nav-devices = Your devices
frame-menu = Menu
frame-administration = Administration
frame-public = Public pages

## Forms.

# In front of the title of a page whose form came back wrong.
form-wrong-title = Error:
form-problems = { $count ->
    [one] Please look at this once more
   *[other] Please look at these { $count } things once more
}
problem-no-button = Please press one of the buttons.

## When something goes wrong: what happened, and what to do next.

# $status is a number like 404.
error-status = Error { $status }
error-home = Go to the first page
error-request = If you write to us about it, please mention this number: { $id }.
error-bad-request = We could not read what was sent
error-bad-request-next = Nothing has changed. Please go back, load the page again, and send it once more.
error-sign-in = Please sign in first
error-sign-in-next = Only people who are signed in can open this page. If you were signed in before, your session has ended.
error-forbidden = You are not allowed to do this
error-forbidden-next = Your rights do not cover this page, and nothing has changed. Whoever administers the account can give them to you.
error-forged = This form is not from this page
error-forged-next = Nothing has changed. Please open the page again and press the button there. Your browser must accept the cookies of this page.
error-not-found = There is nothing at this address
error-not-found-next = The page may have moved, or the link was cut off. If it was broken over two lines in a mail, copy both parts into the address bar.
error-unknown-host = There is no page here
error-unknown-host-next = The address may have a typing error, or a part of it is missing.
error-dead-link = This link does not work
error-dead-link-next = It may have been cut off when it was copied, or it is no longer valid. Please open the link in the newest mail.
error-not-allowed = This page cannot do that
error-not-allowed-next = Nothing has changed. Please open the page by its link, and use the buttons that it shows.
error-conflict = Somebody else was faster
error-conflict-next = What you were about to change has changed meanwhile. Please load the page again and look at it once more.
error-spent-link = This link was used already
error-spent-link-next = A password has been chosen since it was made. If that was not you, please tell another administrator.
error-expired-link = This link is too old
error-expired-link-next = Links to choose a password work for seven days, and for one hour if you have forgotten yours. On the page for signing in you can ask for a new one.
error-wrong-type = We cannot read this kind of form
error-wrong-type-next = Nothing has changed. Please use the form on the page itself.
error-too-many = That was a lot in a short time
error-too-many-next = Nothing has changed. Please wait for a few minutes and try again.
# $size is a text like "16 KB".
error-too-large = This is too large
error-too-large-next = Nothing has changed. A form may send { $size } at most.
error-too-slow = This took too long
error-too-slow-next = Nothing has changed. The connection may be slow at the moment. Please try again.
error-outage = Nothing can be stored here at the moment
error-outage-next = Nothing has changed. Please try again later.
error-busy = Too many people are here at the moment
error-busy-next = Nothing has changed. Please try again in a few seconds.
error-internal = Something went wrong here
error-internal-next = It is our fault, not yours. Please try again in a few minutes.

## The first page.

home-title = Mailing lists live here
home-lede = A mail to the address of a list goes to everyone on it.
home-signed-out = You have signed out.
home-members = You are on a list
home-write = To write to everyone, write to the address of the list.
home-leave = To leave, press Unsubscribe in your mail program, or open the link in a mail of the list.
home-owner = To reach the people who look after a list, put -owner behind its name: for news@lists.example.org that is news-owner@lists.example.org.
home-owners = You look after lists, or write a program that does
home-api = The API: keys, calls to begin with, and every call
home-openapi = The same for programs, as openapi.json
home-commands = On the server itself, crier --help shows every command.

## Leaving a list by the link in a mail.

unsubscribe-title = Leave { $list }?
unsubscribe-next = You will get no more mail from this list. Nothing has changed yet.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = This is about the mail to { $address }.
unsubscribe-button = Leave the list
goodbye-title = You have left { $list }
goodbye-next = You will get no more mail from this list. Messages that were already on their way may still arrive in the next few minutes.
goodbye-undo = Was that a mistake? You can undo it for seven days.
goodbye-undo-button = Undo
not-a-member-title = You are not a member of { $list }
not-a-member-next = You get no mail from this list. To join it, please ask the people who look after it.
welcome-back-title = You are a member of { $list }
welcome-back-next = You get the mail of this list again.

## Leaving a list that asks for more than one click, and saying why.

leave-second-title = Do you really want to leave { $list }?
leave-second-button = Yes, leave the list
leave-approval-next = The people who look after this list have to agree. You will get a mail when they have decided, and the mail of the list until then. Nothing has changed yet.
leave-approval-button = Ask to leave the list
leave-waits-title = Your request to leave { $list } is waiting
leave-waits-next = The people who look after the list decide about it. You will get a mail when they have. Until then you get the mail of the list.
leave-closed-title = You cannot leave { $list } here
leave-closed-next = The people who look after this list decide who is on it. Please answer one of its mails, or write to them. The Unsubscribe button of your mail program works all the same.
leave-reason = Would you like to say why?
leave-reason-hint = Optional. The people who look after the list read it.
leave-reason-button = Send
leave-reason-kept = Thank you. The people who look after the list will read your words.
leave-reason-too-long = Please say it in { $count } characters at most.

## Mail to an address was paused, and goes on.

resume-title = Does mail reach you again?
resume-paused = Mail to { $address } is paused.
resume-unchanged = Nothing has changed yet. If mail still does not arrive, close this page.
resume-button = Send me mail again
resumed-title = Mail goes to { $address }
resumed-next = Your lists are sent to this address.

## An administrator chooses a password.

password-title = Choose a password
password-username = You will sign in as { $username }.
password-label = Password
password-hint = At least { $count } characters. Several words make a good one.
password-button = Set the password
password-too-short = A password must have at least { $count } characters; several words are a good one.
password-too-long = A password may have at most { $count } bytes.
password-chosen-title = Your password is set
password-chosen-next = It belongs to { $username }. The link that brought you here does not work any more.

## A moderator decides about a message.

moderate-title = A message to { $list } is waiting
moderate-from = From
moderate-subject = Subject
moderate-received = Received
moderate-size = Size
moderate-because = Waiting, because
moderate-due = If nobody decides
# $time is a text like "20 November 2026, 16:20 UTC".
moderate-due-value = it is discarded on { $time }
moderate-begins = The message begins
moderate-no-text = The message has no text.
moderate-reason = Your words, if you reject it
moderate-reason-told = The sender gets them by mail.
moderate-reason-kept = Only administrators see these words. The sender is not told.
moderate-buttons = Your decision
moderate-approve = Approve
moderate-reject = Reject
moderate-discard = Discard
moderate-next = What happens next
moderate-next-told = If you approve it, everybody on the list gets it. If you reject it, the sender gets it back with your words. If you discard it, nobody is told. The first decision counts.
moderate-next-untold = If you approve it, everybody on the list gets it. If you reject or discard it, nobody gets it, and the sender is not told. The first decision counts.
moderated-held = The message is waiting
moderated-held-next = Nobody has decided yet.
moderated-approved = The message is approved
moderated-approved-next = It is on its way to the members.
moderated-rejected = The message is rejected
moderated-rejected-next = The members do not get it.
moderated-discarded = The message is discarded
moderated-discarded-next = The members do not get it, and nobody is told.
# $by is a name or an address, $time a text like "20 November 2026, 16:20 UTC".
moderated-already-approved = It was approved already, by { $by } on { $time }.
moderated-already-rejected = It was rejected already, by { $by } on { $time }.
moderated-already-discarded = It was discarded already, by { $by } on { $time }.
moderated-already-by-time = It was discarded already, since nobody decided in time.
# $already is one of the sentences above.
moderated-unchanged = Nothing has changed. { $already }

## An administrator decides about a request.

approval-join-title = Somebody would like to join { $list }
approval-leave-title = Somebody would like to leave { $list }
approval-list-title = The new list { $list } is waiting
approval-name = Name
approval-address = Address
approval-description = Description
approval-list = List
approval-requested = Asked on
approval-confirmed = Confirmed on
approval-agreed = Agreed to
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, from { $client }
approval-done = { $time }, { $way }
approval-reason-label = Your words, if you reject it
approval-reason-told = The person gets them by mail.
approval-reason-kept = Only administrators read them.
approval-join-next = If you approve it, the person becomes a member and is told by mail. If you reject it, the person gets a mail with your words. If you discard it, nobody is told. The first decision counts.
approval-leave-next = If you approve it, the person is off the list and is told by mail. If you reject it, the person stays on it and gets a mail with your words. If you discard it, nothing changes, and nobody is told. The first decision counts.
approval-list-next = If you approve it, the list takes mail. If you reject or discard it, it is removed with its memberships. The first decision counts.
approval-impossible = This person cannot become a member: the address book is full, or does not take the address.
approval-waits = The request is waiting
approval-waits-next = Nobody has decided yet.
approval-approved = The request is approved
approval-rejected = The request is rejected
approval-discarded = The request is discarded
approval-joined-next = The person is a member now and is told by mail.
approval-left-next = The person is off the list and is told by mail.
approval-opened-next = The list takes mail now.
approval-removed-next = The list is removed with its memberships.
approval-rejected-next = The person is told by mail.
approval-discarded-next = Nothing has changed, and nobody is told.
# These three are the names of a fact; its value is an address, or the name of a list.
approval-join-fact = Joining { $list }
approval-leave-fact = Leaving { $list }
approval-list-fact = New list
# $by is a name or an address, $time a text like "20 November 2026, 16:20 UTC".
approval-already-approved = It was approved already, by { $by } on { $time }.
approval-already-rejected = It was rejected already, by { $by } on { $time }.
approval-already-discarded = It was discarded already, by { $by } on { $time }.

## Where somebody is signed in.

devices-title = Where you are signed in
devices-lede = Each browser in which you are signed in. End what you do not recognise.
devices-this = This one
devices-unknown = Unknown browser
# The times are texts like "20 November 2026, 16:20 UTC".
devices-used = Last used on { $time }
devices-since = signed in on { $time }
devices-until = ends on { $time }
devices-revoke = Sign out there
devices-revoked = You are signed out there.
devices-everywhere = Sign out everywhere

## The demo's mailbox, where everything that it sends ends.

demo-site = Crier demo
demo-title = Received mail
demo-lede = Everything that this demo sends ends here. The page looks again every three seconds.
demo-received = { $count ->
    [one] One mail so far.
   *[other] { $count } mails so far.
}
demo-newest = { $count ->
    [one] The newest one is below.
   *[other] The newest { $count } are below.
}
demo-nothing = Nothing has arrived yet.
demo-time = Time (UTC)
demo-to = To
demo-from = From
demo-subject = Subject
demo-no-subject = (no subject)
demo-all = All received mail
demo-envelope-from = Envelope sender
demo-envelope-to = Envelope recipient
demo-leave = Leave the list
demo-text = Text
demo-source = Source
demo-cut = The source goes on; only its beginning is shown.
demo-not-kept = This mail is not here
demo-not-kept-next = The demo keeps the newest mails alone, and forgets all when it ends.

## Confirming a request by the link of its mail.

confirm-title-join = Do you want to join { $list }?
confirm-title-leave = Do you want to leave { $list }?
confirm-title = Please confirm
confirm-asked = You, or someone who entered your address, asked for this on { $time }.
confirm-list = List
confirm-address = Address
confirm-changes = Changes
confirm-mail = Mail
confirm-mail-singly = each message as it comes
confirm-mail-digest = one mail a day
confirm-button-join = Yes, I want to join
confirm-button-leave = Yes, I want to leave
confirm-button = Yes, I confirm
confirm-next = What happens next
confirm-next-join = You are a member as soon as you have pressed the button, and new messages come to you from then on.
confirm-next-approval = The people who look after the list decide, and you get a mail when they have.
confirm-next-other = The change is made as soon as you have pressed the button.
confirm-not-you = If it was not you, close this page. Nothing has changed, and the link stops working on { $day }.
# After the button was pressed.
confirm-done = Thank you, that is confirmed
confirm-done-joined = You are a member of { $list }
confirm-done-waiting = Your request for { $list } waits for approval
confirm-done-already = You were already a member of { $list }
confirm-done-left = You have left { $list }
confirm-done-no-member = You are not a member of { $list }
confirm-done-changed = Done: { $change }
confirm-done-joined-next = New messages come to { $address }. Each has a link with which you can leave.
confirm-done-waiting-next = The people who look after the list have your request. You get a mail as soon as they have decided.
confirm-done-already-next = Nothing had to be changed.
confirm-done-left-next = New messages do not come to you any more.
confirm-done-no-member-next = Nothing had to be changed.
confirm-done-changed-next = It is in effect from now on.
confirm-refused = This could not be done: { $change }
confirm-refused-closed = The list does not take such requests at present. The people who look after it can help you.
confirm-refused-gone = The list is not there any more.
confirm-refused-address = Addresses like { $address } cannot be members here. Please ask with another one.
confirm-refused-taken = Somebody else uses { $address } here already.
confirm-refused-unknown = { $address } is not on any of these lists.
confirm-refused-full = There is no room for more members at present. Please ask the people who look after the list.
confirm-used-title = You have confirmed this already
confirm-used = You pressed the button on { $time }. There is nothing more to do.
confirm-expired-title = This link no longer works
confirm-expired = Such links work for seven days, and this one was sent on { $day }. Nothing has changed.
confirm-expired-next = If you still want this, please ask once more: you get a new link.
confirm-again = Ask again
## The other members.

people-title = Members
# $list is the title of a list.
people-title-of = Members of { $list }
people-lede = These people are on lists here. Their addresses are not shown to other members.
people-lede-with-email = These people are on lists here, with the addresses to which their mail goes.
people-search = Search for a name
people-search-button = Search
people-all = Show everybody
people-none = There is nobody yet.
people-not-found = Nobody has such a name. The beginning of a name is enough.
# In place of a name.
people-nameless = Somebody who gave no name
people-self = You
people-cut = Very many people have this name, and only some of them were looked at. Please add another word.
people-pages = Pages of this list of members
people-before = Previous
people-after = Next

## Joining and leaving by the form.

join-title = Join a list
join-title-list = Join { $list }
join-title-leave = Leave a list
join-title-leave-list = Leave { $list }
join-lede = We will send you a mail to check that the address is yours. Nothing happens until you confirm.
join-none = There is no list here that you can join or leave with this form.
join-name = Your name
join-name-hint = As the others on the list should read it.
join-email = Your address
join-lists = Which lists?
join-all-lists = There are more lists: see them all
join-often = How often?
join-singly = Each message as it comes
join-digest = One mail a day
join-digest-hint = Everything together.
join-hint-approval = The people who look after the list decide about each request.
join-button = Ask to join
join-button-leave = Ask to leave
# The words that people agree to by pressing the button; they are kept with the request.
join-agreed = We keep your name, your address, the day on which you joined and where you asked from, and use them only for these lists.
join-agreed-leave = We use your address only to ask you whether it was you.
join-instead-leave = Leave a list instead
join-instead-join = Join a list instead
# What is wrong with the form.
join-name-long = The name is longer than { $count } characters.
join-name-link = The name has characters that no name has. Please write it without links.
join-email-missing = Please enter your address.
join-email-without-at = The address has no @ in it. It should look like ines@example.org.
join-email-wrong = This is not the address of a mailbox. It should look like ines@example.org.
join-email-machine = Nobody reads mail at this address. Please enter your own.
join-email-refused = Addresses like this one cannot join here. Please use another one.
join-list-missing = Choose at least one list.
join-list-unknown = { $list } is not a list that you can choose here.
join-form-young = That was very quick. Please press the button once more.
join-form-old = This form was open for too long, or is not from this page. Please press the button once more.
# After it was sent: the same for everybody.
join-asked = We have sent you a mail
join-asked-next = Open the link in the mail to { $address }, or just reply to it. Until then, nothing has changed.
join-asked-missing = No mail after a few minutes? It may be in your spam folder. We send an address at most one such mail a day for each list, and five a day in all.
## Being forgotten.

data-title = What we know about you
data-lede = Your name, your addresses, your lists, and the messages that you wrote.
data-download = Download what we know
data-download-posts = Download your messages
data-erase-title = Erase my data
data-erase-lede = { $count ->
    [0] We delete everything that we keep about you.
    [one] You leave one list, and we delete everything that we keep about you.
   *[other] You leave { $count } lists, and we delete everything that we keep about you.
} This cannot be undone.
data-erase-what = What we delete
data-erase-record = Your name, your addresses and what was noted about you.
data-erase-evidence = When and how you joined, what you confirmed, and where you are signed in.
data-erase-waiting = Messages of yours that wait for a decision. They are not sent any more.
data-erase-posts = What happens to the messages that you wrote?
data-erase-keep = They stay, without you
data-erase-keep-hint = They appear under “former member”, and your name and your addresses are taken out of their text. Files that you attached stay as they are.
data-erase-remove = They are taken out
data-erase-remove-hint = Answers of other people stay where they are.
data-erase-others = What other people wrote stays: also where they quote you or call you by your name. Mail that was sent cannot be called back.
data-erase-button = Erase my data
data-erase-not-chosen = Please choose what happens to your messages.
data-erase-download = Download everything first
data-erased-title = Your data is deleted
data-erased-lede = You are on no list any more, and your name and your addresses are gone.
data-erased-keep = Your messages are being rewritten now, so that they appear under “former member”. That takes a few minutes, and longer where there are very many.
data-erased-remove = Your messages are being taken out of the archive now. That takes a few minutes, and longer where there are very many.
data-erased-traces = Records of mail that is on its way to you now are deleted when it has left the queue, within five days.

## Where to go on after a link. $list is a list's name.

onward-read = Read { $list }
onward-write = Write to { $list }
onward-lists = Your lists
confirm-signed-in = You are signed in here for a day, or until you sign out.

## Confirming another address, and other changes of how mail comes

# $site is what the organisation calls itself.
confirm-change-replace = Use this address for your lists of { $site }, in place of your earlier one
confirm-site = Lists of
confirm-title-replace = Move your mail to this address?
confirm-button-replace = Yes, move my mail here
confirm-next-replace = As soon as you have pressed the button, mail of your lists comes to this address, and no longer to your earlier one.
confirm-done-how = { $list } comes to you as you asked
confirm-done-digest-next = From now on it is one mail a day.
confirm-done-singly-next = From now on each message comes by itself.
confirm-done-paused = No mail of your lists goes to { $address } now
confirm-done-paused-next = You can switch it on again at any time.
confirm-done-resumed = Mail of your lists goes to { $address } again
confirm-done-resumed-next = It begins with the next message.
confirm-done-added = { $address } is one of your addresses now
confirm-done-added-next = Mail of your lists comes there as well, and you can write from it.
confirm-done-replaced = Mail of your lists goes to { $address } now
confirm-done-replaced-next = Your earlier address is gone. Your lists are as they were.

## An address of another server, from which the message did not come along. $list is a list's name.

old-link-title = This message was not brought along
old-link-lede = The address that you opened belongs to the earlier archive of { $list }. The list has moved here since, and this message did not come along.
old-link-subject = Its subject was “{ $subject }”.
# $month is a month like "November 2026".
old-link-month = All messages of { $month }

## The form of one list, for a member who is signed in
# $address is an address of mail.
join-own = You are signed in as { $address }, so one click is enough.
join-own-button = Join with this address
join-own-other = With another address
