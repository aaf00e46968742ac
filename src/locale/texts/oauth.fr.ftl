### Applications et services de connexion : accord, autorisations, applications connues.

## What an application may do, behind "It could" and "It could not".

scope-read = lire les listes, les personnes et les messages
scope-manage-members = inscrire des personnes, les modifier et les retirer des listes
scope-manage-settings = créer des listes et des alias, et changer leurs réglages
scope-approve-messages = décider des messages et des personnes en attente d’approbation
scope-send-messages = envoyer des messages aux listes
scope-account-admin = tout changer, y compris les réglages, les administrateurs et leurs clés

## The page on which somebody allows an application something.

# $application is the name of an application.
oauth-consent-title = « { $application } » peut-elle utiliser vos listes ?
# $host is the name of the application's server.
oauth-consent-lede = { $application } vient de { $host }. Elle demande à agir en votre nom jusqu’à ce que vous retiriez votre accord.
# $person is an address.
oauth-signed-in = Vous êtes connecté en tant que { $person }.
oauth-not-you = Ce n’est pas vous ?
oauth-could = Elle pourrait
oauth-could-not = Elle ne pourrait pas
oauth-not-password = voir votre mot de passe
oauth-only-lists = Vous ne gérez que ces listes, elle ne verrait donc que celles-ci :
oauth-no-lists = Vous ne gérez aucune liste, elle n’en verrait donc aucune.
oauth-allow = Autoriser
oauth-deny = Refuser
oauth-either-way = Dans les deux cas, vous retournez à { $host }. Vous pouvez changer d’avis à tout moment sur la page « Votre connexion ».

## When an application's request is wrong.

oauth-refused = Rien ne peut être autorisé à cette application
oauth-unknown-client = Ce serveur ne connaît pas l’application qui vous a envoyé ici.
oauth-wrong-redirect = L’application qui vous a envoyé ici veut vous ramener à une adresse qui n’est pas la sienne.
oauth-refused-next = Il ne s’est rien passé. Retournez à l’application et prévenez les personnes qui l’ont faite.

## Where several accounts live, people say first which one is meant.

oauth-account-title = De quel compte vous occupez-vous ?
oauth-account-lede = { $application } demande votre accord. Connectez-vous là où vous gérez vos listes.
oauth-account-label = Nom du compte
oauth-account-hint = Il se trouve après le ~ dans l’adresse de vos pages.
oauth-account-button = Continuer
oauth-account-server = Je m’occupe de tout le serveur
oauth-account-unknown = Il n’y a pas de compte de ce nom.

## The page of the applications.

nav-oauth-clients = Applications
oauth-clients-title = Applications
oauth-clients-lede = Programmes qui peuvent demander aux administrateurs l’accord d’agir en leur nom. Chaque personne décide et peut retirer son accord.
oauth-clients-none = Aucune application n’est encore connue.
oauth-clients-public = sans secret
oauth-clients-confidential = avec un secret
# $day is a day.
oauth-clients-since = depuis { $day }
oauth-clients-delete = Supprimer
# $name is the name of an application.
oauth-clients-delete-name = Supprimer { $name }
oauth-clients-deleted = L’application est supprimée. Tout ce qui lui était autorisé a pris fin.
oauth-clients-made = { $name } est maintenant connue. Donnez ceci à l’application.
oauth-clients-secret-once = Le secret n’est montré que cette fois. Gardez-le comme un mot de passe.
oauth-clients-no-secret = Elle n’a pas de secret : elle prouve chaque demande par PKCE.
oauth-clients-new = Faire connaître une application
oauth-clients-name = Nom
oauth-clients-name-hint = Les personnes le voient quand leur accord est demandé.
oauth-clients-redirect = Adresses de retour
oauth-clients-redirect-hint = Où les navigateurs sont envoyés après la décision, par exemple https://diary.example.org/back. Une par ligne.
oauth-clients-is-public = Elle ne peut pas garder de secret
oauth-clients-is-public-hint = Elle fonctionne dans des navigateurs ou sur des téléphones. Elle ne reçoit pas de secret et doit utiliser PKCE.
oauth-clients-create = Faire connaître

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Sans mot de passe
provider-sign-in = Se connecter avec { $name }
provider-back = Retour à la connexion
provider-down = { $name } ne répond pas
provider-down-next = Vous vous connectez là-bas pour entrer ici, et ce n’est pas possible en ce moment. Réessayez dans quelques minutes.
provider-wrong = La réponse de { $name } ne convient pas
provider-wrong-next = Elle est peut-être trop ancienne, ou destinée à un autre navigateur. Recommencez, s’il vous plaît.
provider-refused = Vous n’êtes pas connecté avec { $name }
provider-refused-next = La connexion a été interrompue là-bas. Vous pouvez recommencer à tout moment.
provider-nobody = Personne ici ne se connecte avec ce compte de { $name }
provider-nobody-next = Demandez à un autre administrateur si votre adresse ici est celle que vous avez confirmée là-bas.
