### Applications et services de connexion : accord, autorisations, applications connues.

## What an application may do, behind "It could" and "It could not".

scope-read = lire les listes, les personnes et les messages
scope-manage-members = ajouter des personnes aux listes, modifier leurs données et les retirer
scope-manage-settings = créer des listes et des alias, et modifier leurs réglages
scope-approve-messages = décider des messages et des personnes en attente
scope-send-messages = envoyer des messages aux listes
scope-account-admin = tout modifier, y compris les réglages, l’administration et ses clés

## The page on which somebody allows an application something.

# $application is the name of an application.
oauth-consent-title = Autoriser « { $application } » à utiliser vos listes ?
# $host is the name of the application's server.
oauth-consent-lede = { $application } vient de { $host }. Elle demande à agir en votre nom jusqu’à ce que vous retiriez votre autorisation.
# $person is an address.
oauth-signed-in = Votre session est ouverte avec { $person }.
oauth-not-you = Ce n’est pas vous ?
oauth-could = Elle pourrait
oauth-could-not = Elle ne pourrait pas
oauth-not-password = voir votre mot de passe
oauth-only-lists = Vous ne gérez que ces listes ; elle ne verrait donc que celles-ci :
oauth-no-lists = Vous ne gérez aucune liste ; elle n’en verrait donc aucune.
oauth-allow = Autoriser
oauth-deny = Refuser
oauth-either-way = Dans les deux cas, vous retournez à { $host }. Vous pouvez changer d’avis à tout moment sur la page « Votre connexion ».

## When an application's request is wrong.

oauth-refused = Cette application ne peut pas obtenir d’accès
oauth-unknown-client = Ce serveur ne connaît pas l’application d’où vous venez.
oauth-wrong-redirect = L’application d’où vous venez veut vous renvoyer à une adresse qui n’est pas la sienne.
oauth-refused-next = Rien n’a changé. Retournez à l’application, et prévenez les personnes qui l’ont créée.

## Where several accounts live, people say first which one is meant.

oauth-account-title = De quel compte vous occupez-vous ?
oauth-account-lede = { $application } demande votre autorisation. Connectez-vous là où vous gérez vos listes.
oauth-account-label = Nom du compte
oauth-account-hint = Il se trouve après le ~ dans l’adresse de vos pages.
oauth-account-button = Continuer
oauth-account-server = Je m’occupe de l’ensemble du serveur
oauth-account-unknown = Aucun compte ne porte ce nom.

## The page of the applications.

nav-oauth-clients = Applications
oauth-clients-title = Applications
oauth-clients-lede = Des programmes qui peuvent demander l’autorisation d’agir au nom des personnes qui administrent les listes. Chacune décide, et peut retirer son autorisation.
oauth-clients-none = Il n’y a pas encore d’application.
oauth-clients-public = sans secret
oauth-clients-confidential = avec un secret
# $day is a day.
oauth-clients-since = depuis { $day }
oauth-clients-delete = Supprimer
# $name is the name of an application.
oauth-clients-delete-name = Supprimer { $name }
oauth-clients-deleted = L’application est supprimée, et avec elle toutes les autorisations qu’elle avait reçues.
oauth-clients-made = { $name } est enregistrée. Donnez-lui ceci :
oauth-clients-secret-once = Le secret ne s’affiche que cette fois. Gardez-le comme un mot de passe.
oauth-clients-no-secret = Elle n’a pas de secret : elle justifie chaque demande par PKCE.
oauth-clients-new = Enregistrer une application
oauth-clients-name = Nom
oauth-clients-name-hint = On le voit quand l’application demande une autorisation.
oauth-clients-redirect = Adresses de retour
oauth-clients-redirect-hint = Où le navigateur est renvoyé une fois la décision prise, par exemple https://diary.example.org/back. Une par ligne.
oauth-clients-is-public = Elle ne peut pas garder de secret
oauth-clients-is-public-hint = Elle fonctionne dans des navigateurs ou sur des téléphones. Elle ne reçoit pas de secret et doit utiliser PKCE.
oauth-clients-create = Enregistrer

## Signing in at a provider of identities.

# $name is the name of a provider.
provider-elsewhere = Sans mot de passe
provider-sign-in = Se connecter avec { $name }
provider-back = Retour à la connexion
provider-down = { $name } ne répond pas
provider-down-next = C’est là-bas que vous vous connectez, et ce n’est pas possible en ce moment. Réessayez dans quelques minutes.
provider-wrong = La réponse de { $name } n’est pas celle attendue
provider-wrong-next = Elle est peut-être trop ancienne, ou destinée à un autre navigateur. Veuillez recommencer.
provider-refused = La connexion avec { $name } n’a pas eu lieu
provider-refused-next = Elle a été annulée là-bas. Vous pouvez recommencer à tout moment.
provider-nobody = Personne ici ne se connecte avec ce compte { $name }
provider-nobody-next = Demandez à une autre personne de l’administration si votre adresse ici est bien celle que vous avez confirmée là-bas.
