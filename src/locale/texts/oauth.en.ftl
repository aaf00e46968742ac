### Applications and providers: consent, grants, clients.

## What an application may do, behind "It could" and "It could not".

scope-read = read lists, people and messages
scope-manage-members = add people to lists, change their details and remove them
scope-manage-settings = create lists and aliases, and change their settings
scope-approve-messages = decide about messages and people that wait for approval
scope-send-messages = send messages to lists
scope-account-admin = change everything: settings, administrators and their keys too

## The page on which somebody allows an application something.

# $application is the name of an application.
oauth-consent-title = May “{ $application }” use your lists?
# $host is the name of the application's server.
oauth-consent-lede = { $application } comes from { $host }. It asks to act in your name until you withdraw your permission.
# $person is an address.
oauth-signed-in = You are signed in as { $person }.
oauth-not-you = Not you?
oauth-could = The application could
oauth-could-not = The application could not
oauth-not-password = see your password
oauth-only-lists = You manage only these lists, so it would see only these:
oauth-no-lists = You manage no list, so it would see none.
oauth-allow = Allow
oauth-deny = Deny
oauth-either-way = Either way you go back to { $host }. You can change your mind at any time on the page “Your sign-in”.

## When an application's request is wrong.

oauth-refused = This application cannot be given access
oauth-unknown-client = This server does not know the application that sent you here.
oauth-wrong-redirect = The application that sent you here wants to send you back to an address that is not its own.
oauth-refused-next = Nothing has happened. Please go back to the application, and tell whoever made it.

## Where several accounts live, people say first which one is meant.

oauth-account-title = Which account do you look after?
oauth-account-lede = { $application } asks for your permission. Sign in where you look after your lists.
oauth-account-label = Name of the account
oauth-account-hint = It follows the ~ in the address of your pages.
oauth-account-button = Continue
oauth-account-server = I look after the whole server
oauth-account-unknown = There is no account with this name.

## The page of the applications.

nav-oauth-clients = Applications
oauth-clients-title = Applications
oauth-clients-lede = Programs that may ask administrators for permission to act in their name. Each person decides, and can take the permission back.
oauth-clients-none = No applications yet.
oauth-clients-public = without a secret
oauth-clients-confidential = with a secret
# $day is a day.
oauth-clients-since = since { $day }
oauth-clients-delete = Delete
# $name is the name of an application.
oauth-clients-delete-name = Delete { $name }
oauth-clients-deleted = The application is gone, and with it every permission that people had given it.
oauth-clients-made = { $name } is registered. Give it these:
oauth-clients-secret-once = The secret is shown only this once. Keep it as you would a password.
oauth-clients-no-secret = It has no secret: it proves each request with PKCE.
oauth-clients-new = Register an application
oauth-clients-name = Name
oauth-clients-name-hint = People see it when they are asked for permission.
oauth-clients-redirect = Addresses to return to
oauth-clients-redirect-hint = Where browsers are sent once somebody has decided, for example https://diary.example.org/back. One per line.
oauth-clients-is-public = It cannot keep a secret
oauth-clients-is-public-hint = It runs in browsers or on phones. It gets no secret, and must use PKCE.
oauth-clients-create = Register

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Without a password
provider-sign-in = Sign in with { $name }
provider-back = Back to signing in
provider-down = { $name } does not answer
provider-down-next = You sign in there to get in here, and that is not possible at the moment. Please try again in a few minutes.
provider-wrong = { $name } sent an answer that does not fit
provider-wrong-next = It may be too old, or meant for another browser. Please start again.
provider-refused = You were not signed in with { $name }
provider-refused-next = The sign-in was cancelled there. You can start again at any time.
provider-nobody = Nobody here signs in with this account at { $name }
provider-nobody-next = Ask another administrator whether your address here is the one that you have confirmed there.
