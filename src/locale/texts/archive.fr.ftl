### Textes des pages des archives d'une liste.

## The password of an archive

archive-password-have = Saisir le mot de passe des archives
archive-password-title = Les archives de { $list }
archive-password-lede = Ces messages ne sont pas pour tout le monde. Avec le mot de passe des archives, vous pouvez les lire ; ce navigateur s’en souvient ensuite pendant 30 jours.
archive-password-label = Mot de passe des archives
archive-password-button = Ouvrir les archives
archive-password-wrong = Ce n’est pas le mot de passe de ces archives.

## Threads and messages

archive-thread = Discussion
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
archive-reply-mail = Répondre par courriel
# What people hear who have the page read aloud, in place of "Reply by mail".
archive-reply-mail-to = Répondre par courriel à { $name }, { $time }
archive-from = De
archive-to = À
archive-date = Date
archive-outline = Dans cette discussion
archive-outline-label = Plan de cette discussion
archive-thread-pages = Pages de cette discussion
archive-messages-before = Messages précédents
archive-messages-after = Messages suivants
archive-other-messages = Autres messages
archive-message-before = Avant : { $name }
archive-message-after = Après : { $name }
archive-about-message = À propos de ce message
archive-this-message = Ce message
archive-whole-thread = Lire toute la discussion
archive-permalink = Lien permanent
archive-addresses-hidden = Les adresses sont abrégées ici.
archive-addresses-sign-in = Les membres connectés les voient en entier
