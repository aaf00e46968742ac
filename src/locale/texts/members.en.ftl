### Texts of the pages for members, and of the mail by which they sign in.

nav-members = Your lists

## Signing in

me-sign-in-title = Sign in to your lists
me-sign-in-lede = You need no password. We send a link to your address, and it opens your lists.
me-sign-in-button = Send me the link
me-email-label = Your address
me-email-hint = The address to which the mail of your lists comes.
me-email-missing = Please type your address.
me-email-without-at = The address has no @ in it.
me-email-wrong = This is not an address that mail can be sent to.
me-stay-label = Stay signed in on this device
me-stay-hint = For 90 days instead of one. Only on a device that nobody else uses.
me-mailed-title = Check your inbox
me-mailed-lede = If we know { $address }, a mail with a link is on its way there. The link works for { $time }.
me-mailed-nothing = Nothing arrives?
me-mailed-spam = It may be in your spam folder.
me-mailed-other = Your lists may come to another address of yours.
me-mailed-often = If you asked less than a minute ago, look for the earlier mail: its link still works. We send one mail a minute and five a day to an address, and the link of the fifth works until the next day.
me-mailed-again = Type another address

## The page of the link

me-link-title = Welcome back
me-link-lede = You are about to sign in with { $address }.
me-link-button = Sign in
me-link-day = You stay signed in for a day, or until you sign out.
me-link-long = You stay signed in on this device for 90 days, or until you sign out.
me-link-used = This link was used already
me-link-used-next = Each link signs you in once. If you are not signed in, ask for a new one.
me-link-expired = This link no longer works
me-link-expired-next = Links to sign in last one hour. Ask for a new one; it comes at once.
me-link-again = Send me a new link

## The mail with the link. $account is what the organisation calls itself.

me-mail-subject = Your link to sign in to { $account }
# $until is a text like "20 November 2026, 16:20".
me-mail-text =
    Somebody, probably you, wants to sign in with the address { $address }
    to the mailing lists of { $account }.

    To sign in, open this page and press its button:

    { $link }

    The link works once, until { $until }.

    If it was not you, there is nothing that you need to do: without this
    mail, nobody can sign in as you.

## A member's first page

# $name is a first name.
me-hello = Hello, { $name }
me-count = { $count ->
    [0] You are not on any list at the moment.
    [one] You are on one list.
   *[other] You are on { $count } lists.
}
me-how-single = Each message
me-how-digest = One mail a day
me-how-none = Nothing, I read here
me-people = Members of all lists
me-people-list = Members of { $list }
me-people-here = Members
me-save = Save
me-leave = Leave
me-leave-approval = The people who look after the list have to approve that you leave.
me-leave-waits = You have asked to leave. The people who look after the list decide.
me-leave-closed = To leave this list, please write to the people who look after it.
# $day is a text like "20 November 2026".
me-left = You have left this list. You can undo it until { $day }.
# $time is a text like "20 November 2026, 16:20 UTC", $way one of the phrases below, $from a network address.
me-joined = You joined on { $time }, { $way }.
me-joined-from = You joined on { $time }, { $way }, from { $from }.
me-way-administrator = added by an administrator
me-way-web = on a page
me-way-mail = by mail

me-addresses = Your addresses
me-first = Main address
me-paused = Paused
me-state-active = Mail of your lists comes here.
me-state-paused = No mail comes here until you switch it on again. You can write from it.
me-state-until = No mail comes here until { $day }.
me-state-dead = Paused since { $day }, because its server said that there is no such mailbox.
me-state-soft = Paused since { $day }, because mail to it had come back for eight days.
me-state-complaint = Paused since { $day }, because a message was reported as unwanted.
# $why is one of the sentences above.
me-state-next = { $why } We try again on { $day }.
me-until = No mail until
me-until-hint = Leave it blank if you do not know the day yet.
me-until-wrong = Please choose a day from tomorrow on, at most some years ahead.
me-pause = Stop mail to this address
me-resume = Send mail here again
me-make-first = Make this my main address
me-remove = Remove
me-last-address = This is your only address. Add another one before you remove it.
me-paused-already = No mail goes there at present: it came back, or was reported as unwanted.

me-name = Your name
me-firstname = First name
me-surname = Surname
me-save-name = Save your name
me-too-long = Please use at most { $count } characters.
me-unprintable = This has characters that cannot be shown.
me-devices = Your devices, and signing out everywhere

me-digest-wrong = Please choose one of the ways to get it.
me-done-name = Saved.
me-done-first = { $address } is your main address now.
me-done-remove = { $address } is removed. No more mail comes there.
me-done-pause = No mail goes to { $address } until you switch it on again.
me-done-pause-until = No mail goes to { $address } until { $day }.
me-done-resume = Mail goes to { $address } again.
me-done-digest = { $address } gets one mail a day, except for lists where you chose otherwise.
me-done-single = { $address } gets each message, except for lists where you chose otherwise.
me-done-list = Saved for { $list }.
me-done-leave-waits = You have asked to leave { $list }. The people who look after the list decide, and you are told by mail.

me-open = Lists that you can join
me-open-hint = Your address is confirmed already, so one press of the button is enough.
me-open-more = More lists
me-join = Join
me-join-approval = The people who look after the list decide.
me-join-waits = You have asked to join. The people who look after the list decide.
me-join-refused = Lists here do not take addresses like { $address }.
me-done-join = You are on { $list } now.
me-done-join-waits = You have asked to join { $list }. The people who look after the list decide, and you are told by mail.
me-add-label = Send my mail to
me-add-hint = We send a link to the new address first, to be sure that it is yours. Until you have opened it, all stays as it is.
me-add = Keep both addresses
me-own-already = You have this address already.
me-done-add = Check the inbox of { $address }. Mail comes there as well once you have opened the link that we send.

## A member's lists: what is new, how mail comes, going away, moving to another address

# The visible words of links, with the name of the list in front.
me-write = Write
me-read = Read
# $number is $count as people write it.
me-new = { $count ->
    [one] { $number } new
   *[other] { $number } new
}
me-new-many = more than { $number } new
# A day and time like "today, 16:20" follow.
me-last = last message
# $day is a text like "20 November 2026".
me-since = member since { $day }
me-how-joined = How you joined
# What people hear who have the page read aloud, before the choice.
me-how-list = How you get { $list }
me-done-how-single = From now on you get each message of { $list }.
me-done-how-digest = From now on you get { $list } as one mail a day.
me-done-how-none = { $list } sends you no more mail. You read it here.
me-away = Going away?
me-away-now = No mail of your lists comes to you at present:
# Behind the word "Paused", or behind the sentence above.
me-away-until = until { $day }, as you asked
me-away-open = until you switch it on again
me-away-by-server = mail to your address came back, or was reported as unwanted; see “Your addresses”
me-go-away = Stop mail
me-back = Send me mail again
me-done-away = No mail of your lists comes to you until you switch it on again.
me-done-away-until = No mail of your lists comes to you until { $day }.
me-done-back = Mail of your lists comes to you again.
# Before a choice among the member's addresses.
me-move-label = In place of
me-move = Move my mail there
me-done-move = Check the inbox of { $address }. Your mail moves there once you have opened the link that we send.

## The mail to an address that its member gave up

moved-mail-subject = Your mail of { $account } goes to another address
moved-mail-text =
    Mail of your lists of { $account } no longer goes to
    { $address }. It goes to { $new } now,
    as somebody asked who was signed in as you and reads mail there.

    If that was you, there is nothing that you need to do.

    If it was not you, please answer this mail: your answer reaches the
    administrators, who can put the address right.
