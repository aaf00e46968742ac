### Signing in of administrators: passwords, second factors, sessions.

nav-login = For administrators

## The form for address and password

login-title = Sign in to manage the lists
login-lede = Only administrators need this.
login-members = Members get to their lists by a link, without a password.
login-username = Your address
login-password = Your password
login-forgotten = I have forgotten it
login-button = Sign in
login-password-missing = Please type your password.
# It is also shown where nobody has the address, or where it is locked.
login-wrong = The address or the password is not right.
password-is-address = A password must not be the address, since everybody knows that.
password-is-common = A password must not be one of the common ones: words such as "password", your name, rows of keys or repeated letters, also with digits added. Several unusual words are a good one.

## Asked again before changes that matter

login-again-title = Please confirm that it is you
login-again-lede = You signed in a while ago, and what you want to change matters. So we ask for your password once more.
login-again-password = The password of { $username }
login-again-button = Go on
login-again-wrong = The password is not right.

## A forgotten password

forgotten-title = Choose a new password
forgotten-lede = We send a link to your address. It leads to a page on which you choose another password.
forgotten-button = Send me the link
forgotten-back = Back to signing in
forgotten-mailed = Look into your mailbox
# $time is a text like "1 hour".
forgotten-mailed-lede = If { $address } is the address of an administrator, a mail with a link is on its way there. The link works for { $time }.
forgotten-mailed-often = We send five mails a day to an address at most. If you sign in at another service, you have no password here and get no mail.
forgotten-again = Type another address
forgotten-mail-subject = Your new password for the mailing lists of { $domain }
# $until is a text like "20 November 2026, 16:20 UTC".
forgotten-mail-text =
    Somebody, probably you, wants to choose a new password for { $address },
    an administrator of the mailing lists of { $domain }.

    To choose it, open this page:

    { $link }

    The link works once, until { $until }.

    If the address is locked after wrong passwords, a new password unlocks it.
    To keep your password, you can unlock the address on this page instead:

    { $unlock }

    If it was not you, there is nothing that you need to do: your password
    stays as it is.

## An address that is locked after wrong passwords

lock-mail-subject = Signing in as an administrator of { $domain } is locked
lock-mail-text =
    Somebody has typed a wrong password or a wrong code for { $address }
    several times in a row. Signing in with this address to the mailing
    lists of { $domain } is locked until { $until }.
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
unlock-lede = Somebody was wrong too often when signing in as { $username }. If you unlock the address, you can try again at once.
unlock-button = Unlock it
unlock-done = Your address is unlocked
unlock-done-lede = You can sign in as { $username } again.
unlock-over = This link is not needed any more
unlock-over-lede = { $username } is not locked, or a newer mail has another link.

## The second factor was changed: the mail to its owner

factor-mail-subject = Two-factor sign-in at { $domain } was changed
factor-mail-made = Two-factor sign-in was set up: signing in takes a code from now on.
factor-mail-changed = The second factor was replaced: codes come from elsewhere from now on.
factor-mail-off = Two-factor sign-in was taken off: the password alone is enough now.
factor-mail-codes = New recovery codes were made, and the old ones no longer work.
# $what is one of the sentences above, $time a text like "20 November 2026, 16:20 UTC".
factor-mail-text =
    { $what }

    This is about { $address }, an administrator of the
    mailing lists of { $domain }. It happened on { $time }.

    If it was you, there is nothing that you need to do.

    If it was not you, choose a new password at once on this page, and tell
    the other administrators:

    { $link }

## The second step

code-title = One more step
code-lede-otp = Please type the code that your authenticator app shows now.
# $digits are the last digits of the number.
code-lede-sms = We have sent a code to your telephone, to the number that ends in { $digits }.
code-label = Code
code-hint = 6 digits. One of your recovery codes works too.
code-again = Send another code
code-sent-again = Another code is on its way. Only the newest one works.
code-back = Start again
code-missing = Please type the code.
code-wrong = That code is not right, or was used already. Please wait for the next one.
code-over = That took too long. Please start again.
# The text message. $code is six digits.
sms-text = { $code } is your code to sign in to the mailing lists. It works for ten minutes. We never ask for it by telephone or mail.
sms-refused = The code could not be sent. Please try again in a while; a recovery code works at any time.
sms-unsent = The code could not be sent. Please ask for another one in a while, or use a recovery code.
# $time is a text like "20 November 2026, 16:20 UTC".
sms-not-before = We send ten codes an hour at most. The next one can be sent on { $time }.

## An administrator's own page

own-title = Your sign-in
own-lede = You sign in as { $username }.
own-factor-title = A second key
own-factor-asked = Before you go on, please add a second key: whoever manages the administrators asks for it.
own-factor-none = Your password alone is enough to sign in. With a second key, a stolen password is not enough any more.
own-factor-otp = Signing in takes your password and a code from your authenticator app.
own-factor-sms = Signing in takes your password and a code that we send to the number that ends in { $digits }.
own-factor-begin-otp = Use an authenticator app
own-factor-other-otp = Change to another app
own-factor-off = Take the second key off
own-factor-off-done = The second key is taken off. Your password alone is enough now.
own-factor-done = Your second key is set up. From now on, signing in takes a code.
own-recovery-title = Your recovery codes
own-recovery-lede = Each of them works once in place of a code, in case you lose your telephone. Print them, or keep them where you keep your passwords: we show them only now.
# A link to the page that could not be opened without a factor.
own-go-on = Go on with what you were asked for
own-recovery-button = Make new recovery codes
own-recovery-done = These are your new recovery codes. The old ones do not work any more.
own-recovery-left = { $count ->
    [0] You have no recovery code left.
    [one] You have { $count } recovery code left.
   *[other] You have { $count } recovery codes left.
}
own-setup-scan = Scan this with an authenticator app
own-setup-scan-hint = Any app for one-time codes will do.
own-setup-qr = QR code with the key below
own-setup-type = I cannot scan it
own-setup-type-hint = Type this key into the app instead. The kind is “time-based”, with 6 digits.
own-setup-code-otp = Type the code that the app shows
own-setup-code-sms = Type the code that we have sent to { $number }
own-setup-code-hint = 6 digits. Nothing changes until you have entered one correct code.
own-setup-confirm = Check the code
own-setup-cancel = Not now
own-code-wrong = That code is not right. An app’s code may just have changed; a code that was sent works for one try, so please have another one sent.
own-phone-label = Telephone number
own-phone-hint = With the code of the country, such as +49 151 12345678.
own-phone-button = Get codes by text message
own-phone-wrong = Please type the number with a plus sign and the code of the country, such as +49 151 12345678.
own-password-title = Your password
own-password-lede = If you choose another one, you stay signed in here and are signed out everywhere else.
own-password-present = Your present password
own-password-new = Your new password
own-password-done = Your new password is set. Other browsers are signed out.
own-sessions-title = Where you are signed in
own-sessions-this = This session
own-grant-done = The application has no access any more.
own-grants-title = Applications that act for you
own-grants-lede = You have allowed these applications to do this with your permissions.
# Both are texts like "20 November 2026, 16:20 UTC".
own-grants-made = allowed on { $made } · last used on { $used }
own-grants-revoke = Take it back
