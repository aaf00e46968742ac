### Textes du répertoire d’un compte et de la page d’une liste.

nav-lists = Listes

## The directory

directory-title = Listes de diffusion
directory-lede = S’inscrire prend une minute et ne demande aucun mot de passe.
directory-lists = Toutes les listes
directory-empty = Il n’y a ici aucune liste à laquelle vous puissiez vous inscrire.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } membre
   *[other] { $number } membres
}
directory-is-member = Vous êtes membre
directory-open = Ouverte à tout le monde
directory-approval = Les nouveaux membres sont approuvés
directory-closed = Pas de nouveaux membres
directory-join = S’inscrire
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = S’inscrire à { $list }
directory-pages = Pages du répertoire
directory-previous = Listes précédentes
directory-next = Autres listes
directory-help = Aide
directory-member = Déjà membre ?
directory-member-next = Vous n’avez besoin d’aucun mot de passe. Donnez votre adresse, et un lien vers vos listes vous parvient par un message :
directory-new = Nouveau ici ?
directory-new-next = Nous vous envoyons un message pour vérifier que l’adresse est bien la vôtre. Confirmez, et vous y êtes. Vous pouvez quitter la liste quand vous voulez.
directory-who = Des questions ?
directory-write = Écrivez aux responsables de ces listes

## The page of a list

list-where = Où vous êtes
list-join = S’inscrire à cette liste
list-write = Écrire à la liste
list-posting = Pour écrire à tout le monde
list-posting-all = Tout le monde peut écrire à cette adresse. Le message parvient à toutes les personnes inscrites.
list-posting-members = Les membres écrivent à cette adresse, et leurs messages parviennent à toutes les personnes inscrites.
list-posting-some = Seules quelques personnes peuvent écrire à cette liste. Leurs messages parviennent à toutes les personnes inscrites.
list-posting-moderated = Quelqu’un lit chaque message avant qu’il ne parte.
list-posting-others-wait = Les messages des autres attendent que quelqu’un les ait lus.
list-posting-others-refused = Les messages des autres ne sont pas acceptés.
list-leaving = Pour quitter la liste
list-leaving-member = Vous pouvez quitter la liste, ou changer la façon de recevoir les messages, parmi vos listes :
list-leaving-next = Appuyez sur « Se désabonner » dans votre logiciel de messagerie, ou dites ici quelle adresse doit quitter la liste :
list-leave = Quitter cette liste
list-leaving-owner = Les responsables de cette liste décident qui y est inscrit. Veuillez leur écrire.
list-owner = Responsables de cette liste
list-owner-write = Écrivez-leur

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Bannière de { $account }
directory-banner-unreachable = La bannière à l’adresse { $url } n’a pas pu être chargée : aucun serveur n’y répond.
directory-banner-missing = La bannière à l’adresse { $url } n’a pas pu être chargée : le serveur ne l’a pas.
directory-banner-too-large = La bannière à l’adresse { $url } dépasse cinq mégaoctets.
directory-banner-no-image = Ce qui se trouve à l’adresse { $url } n’est pas une image de forme PNG, JPEG, GIF ou WebP.
directory-banner-pixels = La bannière à l’adresse { $url } a trop de pixels.
directory-banner-again = Nous essaierons de nouveau le { $time }.
directory-banner-given-up = Nous n’essaierons plus, sauf si une autre adresse est donnée.

## Qui peut écrire, pour une personne qui ne le peut pas

list-writers-members = Seuls les membres peuvent écrire à cette liste.
list-writers-some = Seules quelques personnes peuvent écrire à cette liste.
list-writers-sign-in = Se connecter pour écrire
