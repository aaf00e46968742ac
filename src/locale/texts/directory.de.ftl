### Texte des Verzeichnisses eines Kontos und der Seite einer Liste.

nav-lists = Listen

## The directory

directory-title = Mailinglisten
directory-lede = Beitreten dauert eine Minute, und Sie brauchen kein Passwort.
directory-lists = Alle Listen
directory-empty = Hier gibt es keine Liste, der Sie beitreten können.
# $number is $count as people write it, like "1,204".
directory-members = { $count ->
    [one] { $number } Mitglied
   *[other] { $number } Mitglieder
}
directory-is-member = Sie sind Mitglied
directory-open = Offen für alle
directory-approval = Beitritt auf Anfrage
directory-closed = Keine neuen Mitglieder
directory-join = Beitreten
# What people hear who have the page read aloud, in place of "Join".
directory-join-list = { $list } beitreten
directory-pages = Seiten mit Listen
directory-previous = Vorige Listen
directory-next = Weitere Listen
directory-help = Hilfe
directory-member = Schon Mitglied?
directory-member-next = Sie brauchen kein Passwort. Geben Sie Ihre Adresse ein, dann bekommen Sie per Mail einen Link zu Ihren Listen:
directory-new = Neu hier?
directory-new-next = Wir schicken Ihnen eine Mail, um zu prüfen, ob die Adresse Ihnen gehört. Sobald Sie bestätigen, sind Sie dabei. Sie können die Liste jederzeit wieder verlassen.
directory-who = Fragen?
directory-write = Schreiben Sie an die Betreuung dieser Listen

## The page of a list

list-where = Wo Sie sind
list-join = Dieser Liste beitreten
list-write = An die Liste schreiben
list-posting = So schreiben Sie an alle
list-posting-all = An diese Adresse können alle schreiben. Die Nachrichten gehen an alle auf der Liste.
list-posting-members = An diese Adresse schreiben Mitglieder. Ihre Nachrichten gehen an alle auf der Liste.
list-posting-some = Nur einige können an diese Liste schreiben. Ihre Nachrichten gehen an alle auf der Liste.
list-posting-moderated = Jemand liest jede Nachricht, bevor sie verschickt wird.
list-posting-others-wait = Nachrichten von anderen warten, bis jemand sie gelesen hat.
list-posting-others-refused = Nachrichten von anderen werden nicht angenommen.
list-leaving = So verlassen Sie die Liste
list-leaving-member = Auf der Seite Ihrer Listen können Sie diese Liste verlassen oder ändern, wie Sie ihre Mails bekommen:
list-leaving-next = Klicken Sie in Ihrem Mailprogramm auf „Abbestellen“, oder nennen Sie hier die Adresse, die von der Liste genommen werden soll:
list-leave = Diese Liste verlassen
list-leaving-owner = Wer auf dieser Liste steht, entscheidet ihre Betreuung. Bitte schreiben Sie ihr.
list-owner = Wer diese Liste betreut
list-owner-write = An die Betreuung schreiben

## The image of an account

# What people hear who have the page read aloud.
frame-banner = Banner von { $account }
directory-banner-unreachable = Das Banner unter { $url } ließ sich nicht abrufen: Dort antwortet kein Server.
directory-banner-missing = Das Banner unter { $url } ließ sich nicht abrufen: Der Server hat es nicht.
directory-banner-too-large = Das Banner unter { $url } ist größer als fünf Megabyte.
directory-banner-no-image = Die Datei unter { $url } ist kein Bild im Format PNG, JPEG, GIF oder WebP.
directory-banner-pixels = Das Banner unter { $url } hat zu viele Bildpunkte.
directory-banner-again = Wir versuchen es am { $time } wieder.
directory-banner-given-up = Wir versuchen es erst wieder, wenn eine andere Adresse eingestellt wird.

## Wer schreiben darf, für alle, die es nicht dürfen

list-writers-members = An diese Liste können nur Mitglieder schreiben.
list-writers-some = An diese Liste können nur einige schreiben.
list-writers-sign-in = Zum Schreiben anmelden
