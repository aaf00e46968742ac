### Texts of the pages for members, and of the mail by which they sign in.

nav-members = Your lists

## Signing in

me-sign-in-title = Sign in to your lists
me-sign-in-lede = You need no password. We send a link to your address, and it opens your lists.
me-sign-in-button = Send me the link
me-email-label = Your address
me-email-hint = One to which mail of your lists comes.
me-email-missing = Please type your address.
me-email-without-at = The address has no @ in it.
me-email-wrong = This is not an address that mail can be sent to.
me-stay-label = Stay signed in on this device
me-stay-hint = For 90 days instead of one. Only where nobody else comes to your device.
me-mailed-title = Look into your mailbox
me-mailed-lede = If we know { $address }, a mail with a link is on its way there. The link works for { $time }.
me-mailed-nothing = Nothing arrives?
me-mailed-spam = It may lie with the spam.
me-mailed-other = Your lists may come to another address of yours.
me-mailed-often = We send one mail a minute and five a day to an address, however often it is typed here.
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
# $until is a text like "20 November 2026, 16:20 UTC".
me-mail-text =
    Somebody, probably you, wants to sign in with the address { $address }
    to the mailing lists of { $account }.

    To sign in, open this page and press its button:

    { $link }

    The link works once, until { $until }.

    If it was not you, there is nothing that you need to do: without this
    mail, nobody can sign in as you.
