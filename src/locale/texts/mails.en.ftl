### Texts of the mails that the server writes. The terms are explained in common.en.ftl.
###
### Indented lines stay indented. The words for decisions are typed by people into answers: each language has those of
### its buttons (moderate-approve, moderate-reject, moderate-discard) here, and the English ones work everywhere.

## Why a message waits or goes back: shown behind "Reason:", so each is a phrase without a full stop

reason-automated = the message was sent automatically
reason-not-allowed = the sender may not post to this list
reason-not-proven = the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed
reason-every-message = every message to this list needs approval
reason-reply = replies to this list need approval
reason-closed-thread = the conversation that it replies to is closed
reason-known-id = another message with the same Message-ID came before it
reason-taboo-header = a header matches the pattern { $pattern }
reason-taboo-body = the content matches the pattern { $pattern }
reason-patterns-slow = patterns took too long
reason-pattern-large = patterns took too long: a pattern is larger than is judged today; a shorter one must be set in its place
reason-text-long = patterns took too long: the text is longer than is judged
reason-kind-pattern = a pattern of the list matches
reason-kind-failed = the server failed to decide about it or to send it
reason-banned = the sender is banned from this list
reason-too-large = the message is larger than the { $limit } that this list takes
reason-not-approved = the moderators of the list did not approve it
reason-nobody-decided = nobody approved it within { $time }
# $words is what the server noted of its failure, in English.
reason-failed-deciding = the server failed { $tries } times to decide about it: { $words }
reason-failed-sending = the server failed { $tries } times to send it: { $words }

## To the sender of a message that waits, or that goes back

hold-subject = Your message to { $list } waits for approval
hold-text =
    Your message to { $list } has arrived and waits for approval:

        Subject: { $subject }
        Reason:  { $reason }

    Nobody has got it yet. What happens next: the people who look after the
    list read it and decide. You need not send it again.

reject-subject = Your message to { $list } was not sent
reject-text =
    Your message to { $list } was not sent to the members of the list:

        Subject: { $subject }
        Reason:  { $reason }

    If you think that this is a mistake, please answer this mail: it reaches
    the people who look after the list.

## To a new member

welcome-subject = Welcome to { $list }
# $list is what the organisation calls itself.
welcome-text =
    Welcome! Your address { $email } was added to the mailing lists of { $list }.

    Every mail of a list has a link with which you can leave that list.

## To moderators

moderate-mail-subject = Held for { $list }: { $subject }
moderate-text =
    A message to { $list_address } waits for your approval:

        From:     { $sender }
        Subject:  { $subject }
        Received: { $received }
        Size:     { $size }
        Reason:   { $reason }

    To decide, open

    { $link }

    or answer this mail, with one of these words first:

        approve                 everybody gets it
        reject and your reason  it is turned down, with your words
        discard                 it is dropped, and nobody is told

    What happens next: the first decision counts. If nobody decides, the
    message is discarded on { $due }.
moderate-preview = The message begins:

moderate-answer-subject = Re: Held for { $list }: { $subject }
moderate-answer-about = About the message "{ $subject }" to { $list }:
moderate-answer-unchanged = Nothing was changed: { $problem }.
moderate-answer-unknown = Your answer was not understood, and nothing was changed.
moderate-answer-two =
    Your answer names two different decisions, so nothing was changed. Please
    answer once more, with one of them alone.
moderate-answer-words =
    Please begin your answer with one of these lines:

        approve
        reject and your reason
        discard

# What was decided of a message; parts of a sentence without a full stop. $by is a name or an address.
decided-approved = the message was approved already, by { $by } on { $time }
decided-rejected = the message was rejected already, by { $by } on { $time }
decided-discarded = the message was discarded already, by { $by } on { $time }
decided-by-nobody = the message was discarded already, since nobody decided in time
decider-operator = the operator
decider-administrator = administrator { $number }

summary-subject = { $list }: { $count ->
    [one] { $count } message waits
   *[other] { $count } messages wait
} for approval
summary-begin = { $count ->
    [one] { $count } message waits
   *[other] { $count } messages wait
} for your approval on { $list_address }:
summary-message =
    From:     { $sender }
    Subject:  { $subject }
    Received: { $received }
    Reason:   { $reason }
    { $link }
summary-more = and { $count ->
    [one] { $count } more
   *[other] { $count } more
}.
summary-end = Each link opens a page with the message and buttons to decide.

problem-subject = Problem with a message to { $list }: { $subject }
problem-text =
    A message to { $list_address } was put aside. Everything else goes on.

        From:    { $sender }
        Subject: { $subject }
        Reason:  { $reason }

    Members who have not got it yet wait for it. Once the cause is removed,
    approve it, and they get it; or discard it:

    { $link }

## To administrators: a request waits for approval. $person is a name and an address.

approval-join-subject = { $list }: somebody would like to join
approval-join-text =
    Somebody would like to join { $list_address }:

        Person:   { $person }
        Asked on: { $requested }
approval-leave-subject = { $list }: somebody would like to leave
approval-leave-text =
    Somebody would like to leave { $list_address }:

        Person:   { $person }
        Asked on: { $requested }
approval-list-subject = New list { $list } waits for approval
approval-list-text =
    The new list { $list_address } waits for approval:

        Description: { $description }
        Asked on:    { $requested }
approval-text =
    To decide, open

    { $link }

    or answer this mail, with one of these words first:

        approve                 it is done
        reject and your reason  the person is told, with your words
        discard                 nobody is told

    What happens next: the first decision counts. A person whose request is
    approved or rejected gets a mail that says so, with your reason. Nobody
    is told of a request that is discarded.
approval-answer-subject = Re: a request for { $list }
approval-answer-about = About a request for { $list }:
# What was decided of a request; parts of a sentence without a full stop. $by is a name or an address.
approval-decided-approved = the request was approved already, by { $by } on { $time }
approval-decided-rejected = the request was rejected already, by { $by } on { $time }
approval-decided-discarded = the request was discarded already, by { $by } on { $time }
approval-summary-subject = { $list }: { $count ->
    [one] { $count } request waits
   *[other] { $count } requests wait
} for approval
approval-summary-both-subject = { $list }: messages and requests wait for approval
approval-summary-begin = { $count ->
    [one] { $count } request waits
   *[other] { $count } requests wait
} for your approval on { $list_address }:

## To a person whose request to join or leave was decided

approval-joined-subject = You are a member of { $list }
approval-joined-text =
    The people who look after { $list } have approved your request.
    You are a member of the list now and get its mail.
approval-not-joined-subject = Your request to join { $list }
approval-not-joined-text =
    The people who look after { $list } have not approved your request
    to join the list. If you think that this is a mistake, please answer this
    mail: it reaches them.
approval-left-subject = You have left { $list }
approval-left-text =
    The people who look after { $list } have approved your request.
    You have left the list and get no more mail from it.
approval-not-left-subject = Your request to leave { $list }
approval-not-left-text =
    The people who look after { $list } have not approved your request
    to leave the list, so you stay on it. If you think that this is a mistake,
    please answer this mail: it reaches them.
approval-opened-subject = Your list { $list } is approved
approval-opened-text =
    Your list { $list } is approved. It takes mail from now on.
approval-refused-subject = Your list { $list } is not approved
approval-refused-text =
    Your list { $list } was not approved and is removed.
approval-reason = They give this reason:

## To administrators: who joined and who left

news-joined-subject = { $list }: a new member
news-joined-text = Somebody has joined { $list_address }:
news-left-subject = { $list }: a member has left
news-left-text = Somebody has left { $list_address }:
news-why-subject = { $list }: why a member left
news-why-text = Somebody who has left { $list_address } says why:
news-line = { $person }, { $time }
news-reason = In their own words:
news-summary-subject = { $list }: who has joined and left
news-summary-joined = { $count ->
    [one] { $count } person has
   *[other] { $count } people have
} joined { $list_address }:
news-summary-left = { $count ->
    [one] { $count } person has
   *[other] { $count } people have
} left { $list_address }:
news-summary-why = { $count ->
    [one] { $count } person who has left { $list_address } says
   *[other] { $count } people who have left { $list_address } say
} why:

## To administrators

invite-from = Mailing lists of { $domain }
invite-subject = Choose your password for the mailing lists of { $site }
invite-text =
    You have been made an administrator of the mailing lists of { $site }.

    Please choose the password with which you will sign in as { $username }:

    { $link }

    The link works once, until { $day }. If you did not expect this mail,
    there is nothing that you need to do.

alert-bounce-subject = Mail to an address is paused
alert-bounce-text =
    Mail to these addresses has come back for good, so nothing more is sent to
    them. They are tried again every three days, four times in all, and get
    mail again as soon as one arrives, or when you say so.
alert-complaint-subject = A reader complained
alert-complaint-text =
    These readers told their provider that mail of a list is not wanted.
    Nothing more is sent to them until they or you say otherwise.
alert-backup-subject = Backups of { $host } fail
alert-backup-text = The last { $count } backups to { $place } have failed, the last one for this reason:
alert-backup-newest = The newest backup was made on { $time }. The server goes on trying.
alert-backup-none = No backup has been made there yet. The server goes on trying.
alert-provider-subject = A provider refuses mail
alert-provider-text =
    A provider refuses what a list sends, for reasons that have nothing to do
    with its members. The rest of the message is held back from that provider.
    No member was paused.
alert-webhook-subject = A webhook fails
alert-webhook-text =
    Events could not be sent to these webhooks of the account. After ten
    attempts a webhook is paused; what it did not get can be sent once more.

alert-report-subject = A report on mail to a member was not believed
alert-report-text =
    Reports say that mail to these members failed or is not wanted. Nothing
    proves that the reports come from the members' providers: members who
    share a copy of a message (--delivery batched) know its return address,
    and any of them could have written such a report. Nobody was paused. If
    you know that an address does not work, pause it yourself.

# Lines of these mails. $words is what a server or a report said.
alert-line-dead = { $address }: the address does not exist ({ $words })
alert-line-soft = { $address }: mail to the address has failed for 8 days ({ $words })
alert-line-complaint = { $address }: the reader complained ({ $words })
alert-line-report = { $address }: { $words }
alert-line-webhook-fails = { $host }: three attempts in a row failed ({ $words })
alert-line-webhook-paused = { $host }: the webhook was paused ({ $words })
alert-line-provider = { $provider } refused { $refused } of { $copies } copies of "{ $subject }" to { $list } ({ $words })
alert-more = and { $count ->
    [one] { $count } more
   *[other] { $count } more
}.
# $kind is a word of the report itself, such as abuse.
complaint-words = a report of the kind { $kind }

## To a member whose mail came back

probe-subject = Does mail reach you again?
probe-text =
    Mail of the lists of { $account } to this address has come back, so nothing
    more is sent to it for now. The last report was:

    { $words }

    This mail asks whether the address works again. If you can read it, you
    need do nothing: your lists go on within a few days. To have them at
    once, open this page and press its button:

    { $link }

## The part for people of a delivery report that a sender asked for

report-from = Mail delivery
report-subject = Your message was delivered
report-begin = This is the report that you asked for. Your message has arrived:
report-delivered = { $address }: delivered
report-relayed = { $address }: it was passed on to those whom the address stands for
report-end = Delivery to each single reader is not reported.

## In the copies that members get

copy-cut-off = [This message was cut off here by the mailing list.]
copy-attachment-removed = [Attachment removed: { $name } ({ $kind }, { $size })]
copy-attachment-nameless = without a name

## To the owner of an address for which somebody asked something, to confirm it

# $list is the title of the list, or the name of the organisation if it is about several lists.
confirm-mail-subject = Please confirm: { $list }
confirm-mail-text =
    You, or someone who entered your address
    { $address }, asked us for this:

    { $changes }

    If it was you, open this page and press the button:

    { $link }

    Or simply reply to this mail; you need not write anything.

    If it was not you, do nothing. Nothing has changed, and the link stops
    working on { $until }.
confirm-mail-approval =
    What happens next, once you have confirmed: the people who look after
    the list decide, and you get a mail when they have.
# Requests, each on a line of its own.
confirm-change-join = Join the list { $list }
confirm-change-leave = Leave the list { $list }
confirm-change-digest = Get the list { $list } as one mail a day
confirm-change-singly = Get each message of the list { $list } as it comes
confirm-change-as-address = Get the list { $list } as set for your address
confirm-change-pause = Pause all mail of lists to this address
confirm-change-resume = Get the mail of lists at this address again
# $site is the name of the organisation.
confirm-change-add = Use this address for your lists of { $site }

## Answers to mail with commands, and to replies that confirm a request. The commands are typed by people: they are the
## same in every language.

command-subject = Your request to { $list }
command-results = The result of your request:
command-to-confirm = Please confirm this with the link below.
command-mailed-before = A link to confirm this was mailed to you within the last day: please look for it.
command-confirm =
    To confirm, open this page and press the button:

    { $link }

    Or simply reply to this mail; you need not write anything.

    If you did not ask for this, do nothing. Nothing has changed, and the link
    stops working on { $until }.
command-none = Your mail had no command that we understand.
command-other-lines = Some lines of your mail are no commands. They were passed over.
command-member-already = You are a member of { $list } already.
command-join-closed = You cannot join { $list } on your own. Please ask the people who look after it.
command-leave-closed = You cannot leave { $list } on your own. Please ask the people who look after it.
command-not-permitted = Addresses like { $address } cannot be members of { $list }.
command-no-member = { $address } is not a member of { $list }. If its mail comes to another address of yours, please write from there.
command-unknown = { $address } is not on any of our lists.
command-digest-already = Mail of { $list } comes to you as one mail a day already.
command-singly-already = Each message of { $list } comes to you singly already.
command-paused-already = Mail to { $address } is paused already.
command-not-paused = Mail to { $address } is not paused.
# $name is the name of a list, $title what it is called.
command-which-singly = { $name } ({ $title }): each message as it comes
command-which-digest = { $name } ({ $title }): one mail a day
command-which-web = { $name } ({ $title }): nothing by mail, to be read on the web
command-which-paused = Mail to { $address } is paused for now.
command-help =
    { $list } takes these commands. Write each on a line of its own, and mail
    them to { $address }:
command-help-help = this help
command-help-subscribe = to join the list
command-help-subscribe-digest = to join, and get one mail a day
command-help-unsubscribe = to leave the list
command-help-digest-on = to get the list as one mail a day
command-help-digest-off = to get each message as it comes
command-help-pause = to pause all mail of our lists to your address
command-help-resume = to get it again
command-help-which = to see which of our lists you are on
command-help-end =
    Before anything changes, you get a link to confirm it. To reach the people
    who look after the list, write to { $owner }.
command-help-page = The list has a page:
command-expired =
    Your request of { $day } could not be confirmed: that works for seven days,
    and they are over. Nothing has changed. If you still want it, please ask
    once more.

## The buttons of mails in HTML: each stands where the text has the link

mail-button-decide = Read and decide
mail-button-decide-request = Decide
mail-button-confirm = Confirm
mail-button-sign-in = Sign in
mail-button-password = Choose a password
mail-button-unlock = Unlock my address
mail-button-resume = Send me mail again
mail-button-leave = Leave the list
mail-button-manage = Your lists
mail-button-archive = Read the archive
mail-button-list = The list’s page
alert-lists = Member of { $lists }
alert-person = { $name }, member of { $lists }
mail-button-person = See this person
# Told to the sender of a message, behind "Reason:".
reason-your-address = your address may not write to this list; if you are a member, write from the address at which you get its mail
