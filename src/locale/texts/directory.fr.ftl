### Textes du répertoire d’un compte et de la page d’une liste.

nav-lists = Listes

## The directory

directory-title = Listes de diffusion
directory-lede = L’inscription prend une minute, sans mot de passe.
directory-lists = Toutes les listes
directory-empty = Il n’y a ici aucune liste ouverte aux inscriptions.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } membre
   *[other] { $number } membres
}
directory-is-member = Vous êtes membre
directory-open = Ouverte à tout le monde
directory-approval = Inscription sur approbation
directory-closed = Inscriptions fermées
directory-join = S’inscrire
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = S’inscrire à { $list }
directory-pages = Pages de l’annuaire
directory-previous = Listes précédentes
directory-next = Autres listes
directory-help = Aide
directory-member = Déjà membre ?
directory-member-next = Aucun mot de passe n’est nécessaire. Saisissez votre adresse, et un lien vers vos listes vous arrive par e-mail :
directory-new = Première visite ?
directory-new-next = Nous vous envoyons un e-mail pour vérifier que l’adresse est bien la vôtre. Confirmez, et c’est fait. Vous pourrez quitter la liste quand vous voudrez.
directory-who = Des questions ?
directory-write = Écrire aux responsables de ces listes

## The page of a list

list-where = Vous êtes ici
list-join = S’inscrire à cette liste
list-write = Écrire à la liste
list-posting = Pour écrire à toute la liste
list-posting-all = Tout le monde peut écrire à cette adresse. Le message parvient à tous les membres de la liste.
list-posting-members = Les membres écrivent à cette adresse, et leurs messages parviennent à toute la liste.
list-posting-some = Seules certaines personnes peuvent écrire à cette liste. Leurs messages parviennent à tous les membres.
list-posting-moderated = Chaque message est lu avant d’être envoyé.
list-posting-others-wait = Les messages des autres personnes sont en attente jusqu’à ce que quelqu’un les ait lus.
list-posting-others-refused = Les messages des autres personnes ne sont pas acceptés.
list-leaving = Pour quitter la liste
list-leaving-member = Vous pouvez quitter la liste, ou choisir comment recevoir les messages, sur la page de vos listes :
list-leaving-next = Appuyez sur « Se désabonner » dans votre messagerie, ou indiquez ici l’adresse qui doit quitter la liste :
list-leave = Quitter cette liste
list-leaving-owner = Les responsables de cette liste décident qui en fait partie. Veuillez leur écrire.
list-owner = Responsables de cette liste
list-owner-write = Leur écrire

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Bannière de { $account }
directory-banner-unreachable = La bannière à l’adresse { $url } n’a pas pu être chargée : aucun serveur n’y répond.
directory-banner-missing = La bannière à l’adresse { $url } n’a pas pu être chargée : le serveur ne la trouve pas.
directory-banner-too-large = La bannière à l’adresse { $url } dépasse cinq mégaoctets.
directory-banner-no-image = Le fichier à l’adresse { $url } n’est pas une image PNG, JPEG, GIF ou WebP.
directory-banner-pixels = La bannière à l’adresse { $url } a trop de pixels.
directory-banner-again = Nous essaierons de nouveau le { $time }.
directory-banner-given-up = Nous n’essaierons plus, sauf si l’adresse est modifiée.

## Qui peut écrire, pour une personne qui ne le peut pas

list-writers-members = Seuls les membres peuvent écrire à cette liste.
list-writers-some = Seules certaines personnes peuvent écrire à cette liste.
list-writers-sign-in = Se connecter pour écrire
