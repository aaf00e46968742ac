### Signing in of administrators: passwords, second factors, sessions.

nav-login = For administrators

## The form for address and password

login-title = Sign in to manage the lists
login-lede = Only administrators need to sign in here.
login-members = Are you a member? A link by mail takes you to your lists, without a password.
login-username = Your address
login-password = Your password
login-forgotten = Forgotten your password?
login-button = Sign in
login-password-missing = Please enter your password.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = The address or the password is wrong.
password-is-address = Please do not use your address as your password: everybody knows it.
password-is-common = This password is too easy to guess: it is a common word, your name, a row of keys or repeated letters, perhaps with digits added. Several unusual words make a good one.

## Asked again before changes that matter

login-again-title = Please confirm that it is you
login-again-lede = You signed in a while ago, and this change matters, so we ask for your password once more.
login-again-password = Password of { $username }
login-again-button = Continue
login-again-wrong = The password is wrong.

## A forgotten password

forgotten-title = Choose a new password
forgotten-lede = We will send you a link to a page where you can choose another password.
forgotten-button = Send me the link
forgotten-back = Back to signing in
forgotten-mailed = Check your inbox
# $time is a text like "1 hour".
forgotten-mailed-lede = If { $address } belongs to an administrator, a mail with a link is on its way. The link works for { $time }.
forgotten-mailed-often = We send at most five of these mails a day to an address. If you sign in through another service, you have no password here and get no mail.
forgotten-again = Use another address
forgotten-mail-subject = Your new password for the mailing lists of { $site }
# $until is a text like "20 November 2026, 16:20".
forgotten-mail-text =
    Somebody, probably you, wants to choose a new password for { $address },
    an administrator of the mailing lists of { $site }.

    To choose it, open this page:

    { $link }

    The link works once, until { $until }.

    If the address is locked after wrong passwords, a new password unlocks it.
    To keep your password, you can unlock the address on this page instead:

    { $unlock }

    If it was not you, there is nothing that you need to do: your password
    stays as it is.

## An address that is locked after wrong passwords

lock-mail-subject = Signing in as an administrator of { $site } is locked
lock-mail-text =
    Somebody has typed a wrong password or a wrong code for { $address }
    several times in a row. Signing in with this address to the mailing
    lists of { $site } is locked until { $until }.
    Browsers in which you have signed in before are not locked, unless the
    wrong passwords came from there.

    If it was you, or you need to sign in now, unlock your address on this
    page, and sign in there:

    { $link }

    If it was not you, there is nothing that you need to do. A good password
    is not guessed within so few attempts, and the lock ends by itself.
# The end of the last such mail of a day.
lock-mail-last =
    This is the last mail of its kind for now. Its link unlocks your address
    as often as you need it, until { $until }.
unlock-title = Unlock your address
unlock-lede = There were too many wrong attempts to sign in as { $username }. Unlock the address, and you can try again at once.
unlock-button = Unlock it
unlock-done = Your address is unlocked
unlock-done-lede = You can sign in as { $username } again.
unlock-over = This link is no longer needed
unlock-over-lede = { $username } is not locked, or a newer mail has another link.

## The second factor was changed: the mail to its owner

factor-mail-subject = Two-factor sign-in at { $site } was changed
factor-mail-made = Two-factor sign-in was set up: from now on, signing in takes a code.
factor-mail-changed = Two-factor sign-in was changed: from now on, codes come from elsewhere.
factor-mail-off = Two-factor sign-in was turned off: the password alone is enough now.
factor-mail-codes = New recovery codes were made, and the old ones no longer work.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20".
factor-mail-text =
    { $what }

    This is about { $address }, an administrator of the
    mailing lists of { $site }. It happened on { $time }.

    If it was you, there is nothing that you need to do.

    If it was not you, choose a new password at once on this page, and tell
    the other administrators:

    { $link }

## The second step

code-title = One more step
code-lede-otp = Please enter the code that your authenticator app shows now.
# $digits are the last digits of the number.
code-lede-sms = We have sent a code to your phone, to the number ending in { $digits }.
code-label = Code
code-hint = 6 digits. One of your recovery codes works too.
code-again = Send a new code
code-sent-again = A new code is on its way. Only the newest one works.
code-back = Start again
code-missing = Please enter the code.
code-wrong = That code is wrong or was used already. Please wait for the next one.
code-over = That took too long. Please start again.
# The text message. $code is six digits.
sms-text = { $code } is your code to sign in to the mailing lists. It works for ten minutes. We never ask for it by phone or mail.
sms-refused = The code could not be sent. Please try again in a while; a recovery code works at any time.
sms-unsent = The code could not be sent. Please ask for another one in a while, or use a recovery code.
# $time is a text like "20 November 2026, 16:20".
sms-not-before = We send at most ten codes an hour. The next one can be sent on { $time }.

## An administrator's own page

own-title = Your sign-in
own-lede = You sign in as { $username }.
own-factor-title = Two-factor sign-in
own-factor-asked = Before you go on, please set up two-factor sign-in: whoever manages the administrators requires it.
own-factor-none = Your password alone is enough to sign in. With two-factor sign-in, a stolen password is not.
own-factor-otp = Signing in takes your password and a code from your authenticator app.
own-factor-sms = Signing in takes your password and a code that we send to the number that ends in { $digits }.
own-factor-begin-otp = Use an authenticator app
own-factor-other-otp = Change to another app
own-factor-off = Turn two-factor sign-in off
own-factor-off-done = Two-factor sign-in is off. Your password alone is enough now.
own-factor-done = Two-factor sign-in is set up. From now on, signing in takes a code.
own-recovery-title = Your recovery codes
own-recovery-lede = Each works once in place of a code, in case you lose your phone. Print them, or keep them where you keep your passwords: we show them only now.
# A link to the page that could not be opened without a factor.
own-go-on = Continue with what you were doing
own-recovery-button = Make new recovery codes
own-recovery-done = These are your new recovery codes. The old ones no longer work.
own-recovery-left = { $count ->
    [0] You have no recovery code left.
    [one] You have { $count } recovery code left.
   *[other] You have { $count } recovery codes left.
}
own-setup-scan = Scan this with an authenticator app
own-setup-scan-hint = Any app for one-time codes will do.
own-setup-qr = QR code with the key below
own-setup-type = I cannot scan it
own-setup-type-hint = Enter this key in the app instead. Choose “time-based”, with 6 digits.
own-setup-code-otp = Enter the code that the app shows
own-setup-code-sms = Enter the code that we have sent to { $number }
own-setup-code-hint = 6 digits. Nothing changes until you have entered a correct code.
own-setup-confirm = Check the code
own-setup-cancel = Not now
own-code-wrong = That code is wrong. An app’s code may just have changed; a code sent to your phone works for one try, so please ask for a new one.
own-phone-label = Phone number
own-phone-hint = With the country code, such as +49 151 12345678.
own-phone-button = Get codes by text message
own-phone-wrong = Please enter the number with a plus sign and the country code, such as +49 151 12345678.
own-password-title = Your password
own-password-lede = If you choose a new one, you stay signed in here and are signed out everywhere else.
own-password-present = Your current password
own-password-new = Your new password
own-password-done = Your new password is set. You are signed out in all other browsers.
own-sessions-title = Where you are signed in
own-sessions-this = This session
own-grant-done = The application no longer has access.
own-grants-title = Applications that act for you
own-grants-lede = You have allowed these applications to act with your permissions.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = allowed on { $made } · last used on { $used }
own-grants-revoke = Withdraw permission

## A form that somebody sent when the session had ended

typed-title = Here is what you typed
typed-note = You had to sign in again, so nothing was saved.
typed-lede = Send it now, go back to the page without it, or throw it away. It is kept for a day, and only you see it.
typed-send = Send it now
typed-back = Back to the page
typed-discard = Throw it away
# The labels of what was typed, where the page has none of its own.
typed-addresses = Addresses
typed-name = Name
typed-field = What you chose or typed
