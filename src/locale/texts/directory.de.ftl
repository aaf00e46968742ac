### Texte des Verzeichnisses eines Kontos und der Seite einer Liste.

nav-lists = Listen

## The directory

directory-title = Mailinglisten
directory-lede = Beitreten dauert eine Minute und braucht kein Passwort.
directory-lists = Alle Listen
directory-empty = Hier gibt es keine Liste, der Sie beitreten können.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } Mitglied
   *[other] { $number } Mitglieder
}
directory-is-member = Sie sind Mitglied
directory-open = Offen für alle
directory-approval = Beitritt nach Freigabe
directory-closed = Keine neuen Mitglieder
directory-join = Beitreten
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = { $list } beitreten
directory-pages = Seiten des Verzeichnisses
directory-previous = Frühere Listen
directory-next = Weitere Listen
directory-help = Hilfe
directory-member = Schon Mitglied?
directory-member-next = Sie brauchen kein Passwort. Geben Sie Ihre Adresse ein, dann kommt ein Link zu Ihren Listen per Mail:
directory-new = Neu hier?
directory-new-next = Wir schicken Ihnen eine Mail, um zu prüfen, ob die Adresse Ihre ist. Bestätigen Sie, dann sind Sie dabei. Austreten können Sie jederzeit.
directory-who = Fragen?
directory-write = Schreiben Sie denen, die diese Listen betreuen

## The page of a list

list-where = Wo Sie sind
list-join = Dieser Liste beitreten
list-write = An die Liste schreiben
list-posting = So schreiben Sie an alle
list-posting-all = An diese Adresse können alle schreiben. Die Mail geht an alle auf der Liste.
list-posting-members = Mitglieder schreiben an diese Adresse, und ihre Mail geht an alle auf der Liste.
list-posting-some = Nur einige können an diese Liste schreiben. Ihre Mail geht an alle, die darauf stehen.
list-posting-moderated = Jemand liest jede Mail, bevor sie hinausgeht.
list-posting-others-wait = Mail von anderen wartet, bis jemand sie gelesen hat.
list-posting-others-refused = Mail von anderen wird nicht angenommen.
list-leaving = So treten Sie aus
list-leaving-member = Bei Ihren Listen können Sie austreten oder ändern, wie Mail zu Ihnen kommt:
list-leaving-next = Drücken Sie in Ihrem Mailprogramm auf „Abbestellen“, oder nennen Sie hier die Adresse, die austreten soll:
list-leave = Diese Liste verlassen
list-leaving-owner = Wer diese Liste betreut, bestimmt, wer darauf steht. Bitte schreiben Sie an die Betreuung.
list-owner = Wer diese Liste betreut
list-owner-write = Schreiben Sie ihnen

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Banner von { $account }
directory-banner-unreachable = Das Banner unter { $url } kam nicht an: Dort antwortet kein Server.
directory-banner-missing = Das Banner unter { $url } kam nicht an: Der Server hat es nicht.
directory-banner-too-large = Das Banner unter { $url } ist größer als fünf Megabyte.
directory-banner-no-image = Unter { $url } liegt kein Bild in der Form PNG, JPEG, GIF oder WebP.
directory-banner-pixels = Das Banner unter { $url } hat zu viele Bildpunkte.
directory-banner-again = Wir versuchen es wieder am { $time }.
directory-banner-given-up = Wir versuchen es nicht wieder, es sei denn, eine andere Adresse wird eingetragen.

## Wer schreiben darf, für alle, die es nicht dürfen

list-writers-members = An diese Liste können nur Mitglieder schreiben.
list-writers-some = An diese Liste können nur einige schreiben.
list-writers-sign-in = Zum Schreiben anmelden
