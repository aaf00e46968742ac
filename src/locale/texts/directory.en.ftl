### Texts of the directory of an account, and of the page of a list.

nav-lists = Lists

## The directory

directory-title = Mailing lists
directory-lede = Joining takes a minute and no password.
directory-lists = All lists
directory-empty = There is no list here that you can join.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } member
   *[other] { $number } members
}
directory-is-member = You are a member
directory-open = Open to everyone
directory-approval = New members are approved
directory-closed = Closed to new members
directory-join = Join
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = Join { $list }
directory-pages = Pages of lists
directory-previous = Earlier lists
directory-next = More lists
directory-help = Help
directory-member = Already a member?
directory-member-next = You need no password. Type your address, and a link to your lists comes by mail:
directory-new = New here?
directory-new-next = We send you a mail to check that the address is yours. Confirm, and you are in. You can leave again whenever you like.
directory-who = Questions?
directory-write = Write to the people who run these lists

## The page of a list

list-where = Where you are
list-join = Join this list
list-write = Write to the list
list-posting = How to write to everyone
list-posting-all = Everybody can write to this address. The mail goes to everyone on the list.
list-posting-members = Members write to this address, and their mail goes to everyone on the list.
list-posting-some = Only some people can write to this list. Their mail goes to everyone on it.
list-posting-moderated = Somebody reads each mail before it goes out.
list-posting-others-wait = Mail from others waits until somebody has read it.
list-posting-others-refused = Mail from others is not taken.
list-leaving = How to leave
list-leaving-member = You can leave, or change how mail comes to you, on the page of your lists:
list-leaving-next = Press Unsubscribe in your mail program, or say here which address should leave:
list-leave = Leave this list
list-leaving-owner = The people who look after this list decide who is on it. Please write to them.
list-owner = Who looks after this list
list-owner-write = Write to them

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Banner of { $account }
directory-banner-unreachable = The banner at { $url } could not be fetched: no server answers there.
directory-banner-missing = The banner at { $url } could not be fetched: the server does not have it.
directory-banner-too-large = The banner at { $url } is larger than five megabytes.
directory-banner-no-image = The file at { $url } is not a PNG, JPEG, GIF or WebP image.
directory-banner-pixels = The banner at { $url } has too many pixels.
directory-banner-again = We try again on { $time }.
directory-banner-given-up = We do not try again, unless another address is set.

## Who may write, for a visitor who may not

list-writers-members = Only members can write to this list.
list-writers-some = Only some people can write to this list.
list-writers-sign-in = Sign in to write
