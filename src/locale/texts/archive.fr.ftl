### An archive that the visitor may not read

archive-closed-title = Ces archives sont réservées aux membres
archive-closed-sign-in = Les membres de { $list } lisent ici ses messages. Saisissez l’adresse à laquelle vous les recevez : nous y envoyons un lien qui vous connecte et vous ramène à cette page.
archive-closed-other = Les membres de { $list } lisent ici ses messages. Votre session est ouverte, mais avec cette adresse vous n’êtes pas membre de la liste.
archive-closed-list = Aller à la page de { $list }
archive-closed-read = Lire les archives comme membre

## Textes des pages des archives d'une liste.

## The password of an archive

archive-password-have = Saisir le mot de passe des archives
archive-password-title = Les archives de { $list }
archive-password-lede = Ces messages ne sont pas publics. Le mot de passe des archives vous permet de les lire ; ce navigateur s’en souvient ensuite pendant 30 jours.
archive-password-label = Mot de passe des archives
archive-password-button = Ouvrir les archives
archive-password-wrong = Ce n’est pas le mot de passe de ces archives. Les responsables de la liste peuvent vous donner le bon.

## Threads and messages

archive-thread = Conversation
archive-no-subject = (sans objet)
# $number is $count as people write it, like "1,204".
archive-messages = { $count ->
    [one] { $number } message
   *[other] { $number } messages
}
archive-people = { $count ->
    [one] par { $count } personne
   *[other] par { $count } personnes
}
# $first and $last are days like "17 November 2026".
archive-days = du { $first } au { $last }
archive-gone = Un message qui n’est plus dans les archives
archive-gone-short = n’est plus ici
archive-in-reply-to = en réponse à
archive-reply-to = En réponse à
archive-reply-mail = Répondre par e-mail
# What people hear who have the page read aloud, in place of "Reply by mail".
archive-reply-mail-to = Répondre par e-mail à { $name }, { $time }
archive-from = De
archive-to = À
archive-date = Date
archive-outline = Dans cette conversation
archive-outline-label = Plan de cette conversation
archive-thread-pages = Pages de cette conversation
archive-messages-before = Messages précédents
archive-messages-after = Messages suivants
archive-other-messages = Autres messages
archive-message-before = Précédent : { $name }
archive-message-after = Suivant : { $name }
archive-about-message = À propos de ce message
archive-this-message = Ce message
archive-whole-thread = Lire toute la conversation
archive-permalink = Lien permanent
archive-addresses-hidden = Les adresses sont abrégées ici.
archive-addresses-sign-in = Les membres connectés les voient en entier

## The page of a list, and its months

archive-newest = Conversations récentes
archive-empty = Personne n’a encore écrit à cette liste.
archive-about-list = À propos de cette liste
archive-about-fold = Écrire, quitter la liste, mois
archive-feed = Suivre cette liste par un flux
archive-search-label = Rechercher dans cette liste
archive-search-button = Rechercher
# $number is $count as people write it, like "1,204".
archive-search-hint = { $count ->
    [one] Rechercher dans { $number } message
   *[other] Rechercher dans { $number } messages
}
archive-by-and-others = { $count ->
    [one] { $name } et { $count } autre personne
   *[other] { $name } et { $count } autres personnes
}
archive-by-and-many = { $name } et beaucoup d’autres
archive-closed = Fermée
archive-threads-pages = Pages des conversations
archive-threads-newer = Conversations plus récentes
archive-threads-older = Conversations plus anciennes
# Three letters or so, below a bar.
archive-month-short = { $month ->
    [1] janv.
    [2] févr.
    [3] mars
    [4] avr.
    [5] mai
    [6] juin
    [7] juil.
    [8] août
    [9] sept.
    [10] oct.
    [11] nov.
   *[12] déc.
}
# $month is a text like archive-month-short.
archive-day-short = { $day ->
    [1] 1er
   *[other] { $day }
} { $month }
archive-month = { $month ->
    [1] janvier
    [2] février
    [3] mars
    [4] avril
    [5] mai
    [6] juin
    [7] juillet
    [8] août
    [9] septembre
    [10] octobre
    [11] novembre
   *[12] décembre
} { $year }
archive-month-messages = Messages de ce mois
archive-month-pages = Pages de ce mois
archive-other-months = Autres mois
archive-month-mbox = Télécharger ce mois (mbox)

## Around a thread

archive-other-threads = Autres conversations
archive-thread-older = Plus ancienne : { $subject }
archive-thread-newer = Plus récente : { $subject }
archive-quotes-unfold = Déplier toutes les citations
archive-quotes-fold = Replier toutes les citations
archive-thread-feed = Flux de cette conversation
archive-reply-here = Répondre ici
# What people hear who have the page read aloud, in place of "Reply here".
archive-reply-here-to = Répondre ici à { $name }, { $time }
archive-long = Ce message est long.
archive-long-open = L’ouvrir sur une page à part
archive-thread-cut = Cette conversation a d’autres messages. Les plus récents sont sur les pages de leurs mois :

## Attachments

archive-files = Pièces jointes
# What an attachment is, in front of its size.
archive-file-picture = image
archive-file-sound = audio
archive-file-film = vidéo
archive-file-text = texte
archive-file-message = message
archive-file = fichier
archive-raw = Télécharger au format e-mail
