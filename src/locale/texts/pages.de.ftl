### Texte der Seiten.

## Rund um jede Seite.

frame-server = Mailinglisten
frame-skip = Zum Inhalt springen
frame-pages = Seiten
frame-language = Sprache
frame-sign-out = Abmelden
nav-devices = Ihre Geräte
frame-menu = Menü
frame-administration = Verwaltung
frame-public = Öffentliche Seiten

## Formulare.

# In front of the title of a page whose form came back wrong.
form-wrong-title = Fehler:
form-problems = { $count ->
    [one] Bitte sehen Sie sich das noch einmal an
   *[other] Bitte sehen Sie sich diese { $count } Angaben noch einmal an
}
problem-no-button = Bitte drücken Sie eine der Schaltflächen.

## Wenn etwas nicht geht: was geschehen ist und was als Nächstes hilft.

error-status = Fehler { $status }
error-home = Zur ersten Seite
error-request = Wenn Sie uns deshalb schreiben, nennen Sie bitte die Anfrage { $id }.
error-bad-request = Wir konnten das Gesendete nicht lesen
error-bad-request-next = Es wurde nichts geändert. Bitte gehen Sie zurück, laden Sie die Seite neu und senden Sie sie noch einmal.
error-sign-in = Bitte melden Sie sich zuerst an
error-sign-in-next = Diese Seite sehen nur Angemeldete. Vielleicht waren Sie bis vor Kurzem angemeldet: Das endet von selbst.
error-forbidden = Dazu sind Sie nicht berechtigt
error-forbidden-next = Ihre Rechte reichen für diese Seite nicht, und es wurde nichts geändert. Wer das Konto verwaltet, kann sie Ihnen geben.
error-forged = Dieses Formular kam nicht von seiner Seite
error-forged-next = Es wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal und drücken Sie dort die Schaltfläche. Ihr Browser muss die Cookies dieser Seite annehmen.
error-not-found = Unter dieser Adresse gibt es nichts
error-not-found-next = Die Seite ist vielleicht umgezogen, oder der Link wurde abgeschnitten. Wenn er in einer Mail über zwei Zeilen ging, kopieren Sie beide Teile in die Adresszeile.
error-unknown-host = Hier gibt es keine Seite
error-unknown-host-next = Vielleicht ist die Adresse vertippt, oder ein Teil davon fehlt.
error-dead-link = Dieser Link funktioniert nicht
error-dead-link-next = Vielleicht wurde er beim Kopieren abgeschnitten, oder das, wofür er da war, gibt es nicht mehr. Bitte öffnen Sie den Link in der neuesten Mail.
error-not-allowed = Dafür ist diese Seite nicht da
error-not-allowed-next = Es wurde nichts geändert. Bitte öffnen Sie die Seite über ihren Link und benutzen Sie die Schaltflächen, die sie zeigt.
error-conflict = Jemand anderes war schneller
error-conflict-next = Was Sie ändern wollten, hat sich inzwischen geändert. Bitte laden Sie die Seite neu und sehen Sie es sich noch einmal an.
error-spent-link = Dieser Link wurde schon benutzt
error-spent-link-next = Seit er gemacht wurde, ist ein Passwort gewählt worden. Wenn Sie das nicht waren, sagen Sie es bitte jemand anderem aus der Verwaltung.
error-expired-link = Dieser Link ist zu alt
error-expired-link-next = Links zum Wählen eines Passworts gelten sieben Tage, und eine Stunde, wenn Sie Ihres vergessen haben. Auf der Seite zum Anmelden können Sie um einen neuen bitten.
error-wrong-type = Diese Art von Formular können wir nicht lesen
error-wrong-type-next = Es wurde nichts geändert. Bitte benutzen Sie das Formular auf der Seite selbst.
error-too-many = Das war viel in kurzer Zeit
error-too-many-next = Es wurde nichts geändert. Bitte warten Sie einige Minuten und versuchen Sie es noch einmal.
error-too-large = Das ist zu groß
error-too-large-next = Es wurde nichts geändert. Ein Formular darf höchstens { $size } senden.
error-too-slow = Das hat zu lange gedauert
error-too-slow-next = Es wurde nichts geändert. Vielleicht ist die Verbindung gerade langsam. Bitte versuchen Sie es noch einmal.
error-outage = Hier kann im Augenblick nichts gespeichert werden
error-outage-next = Es wurde nichts geändert. Bitte versuchen Sie es später noch einmal.
error-busy = Im Augenblick sind zu viele Menschen hier
error-busy-next = Es wurde nichts geändert. Bitte versuchen Sie es in ein paar Sekunden noch einmal.
error-internal = Hier ist etwas schiefgegangen
error-internal-next = Das liegt an uns, nicht an Ihnen. Bitte versuchen Sie es in ein paar Minuten noch einmal.

## Die erste Seite.

home-title = Auf diesem Server gibt es Mailinglisten
home-lede = Eine Mail an die Adresse einer Liste geht an alle, die darauf stehen.
home-signed-out = Sie haben sich abgemeldet.
home-members = Sie stehen auf einer Liste
home-write = Um allen zu schreiben, schreiben Sie an die Adresse der Liste.
home-leave = Um auszutreten, drücken Sie in Ihrem Mailprogramm auf „Abbestellen“ oder öffnen Sie den Link in einer Mail der Liste.
home-owner = Um die Menschen zu erreichen, die eine Liste betreuen, setzen Sie -owner hinter ihren Namen: Für news@lists.example.org ist das news-owner@lists.example.org.
home-owners = Sie betreuen Listen oder schreiben ein Programm, das es tut
home-api = Die API: Schlüssel, erste Aufrufe und jeder Aufruf (englisch)
home-openapi = Dasselbe für Programme, als openapi.json
home-commands = Auf dem Server selbst zeigt crier --help jeden Befehl.

## Eine Liste über den Link in einer Mail verlassen.

unsubscribe-title = { $list } verlassen?
unsubscribe-next = Sie bekommen dann keine Mail mehr von dieser Liste. Noch wurde nichts geändert.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Es geht um die Mails an { $address }.
unsubscribe-button = Die Liste verlassen
goodbye-title = Sie haben { $list } verlassen
goodbye-next = Sie bekommen keine Mail mehr von dieser Liste. Nachrichten, die schon unterwegs waren, können noch in den nächsten Minuten ankommen.
goodbye-undo = War das ein Versehen? Sie können es sieben Tage lang rückgängig machen.
goodbye-undo-button = Rückgängig machen
not-a-member-title = Sie sind nicht Mitglied von { $list }
not-a-member-next = Sie bekommen keine Mail von dieser Liste. Wenn Sie beitreten möchten, fragen Sie bitte bei denen an, die sie betreuen.
welcome-back-title = Sie sind Mitglied von { $list }
welcome-back-next = Sie bekommen die Mail dieser Liste wieder.

## Eine Liste verlassen, die mehr als einen Klick verlangt, und sagen, warum.

leave-second-title = Möchten Sie { $list } wirklich verlassen?
leave-second-button = Ja, die Liste verlassen
leave-approval-next = Wer diese Liste betreut, muss zustimmen. Sie bekommen eine Mail, sobald entschieden ist, und bis dahin die Mail der Liste. Noch wurde nichts geändert.
leave-approval-button = Austritt anfragen
leave-waits-title = Ihre Anfrage, { $list } zu verlassen, wartet
leave-waits-next = Wer die Liste betreut, entscheidet darüber. Danach bekommen Sie eine Mail. Bis dahin bekommen Sie die Mail der Liste.
leave-closed-title = { $list } lässt sich hier nicht verlassen
leave-closed-next = Wer auf dieser Liste steht, bestimmt ihre Betreuung. Bitte antworten Sie auf eine ihrer Mails, oder schreiben Sie an die Betreuung. Der Knopf „Abbestellen“ Ihres Mailprogramms wirkt trotzdem.
leave-reason = Möchten Sie sagen, warum?
leave-reason-hint = Freiwillig. Wer die Liste betreut, liest es.
leave-reason-button = Senden
leave-reason-kept = Danke. Wer die Liste betreut, wird Ihre Worte lesen.
leave-reason-too-long = Bitte sagen Sie es in höchstens { $count } Zeichen.

## Der Versand an eine Adresse ruhte und geht weiter.

resume-title = Kommt Mail wieder bei Ihnen an?
resume-paused = Der Versand an { $address } ruht.
resume-unchanged = Noch wurde nichts geändert. Wenn weiterhin keine Mail ankommt, schließen Sie diese Seite.
resume-button = Schicken Sie mir wieder Mail
resumed-title = Mail geht an { $address }
resumed-next = Ihre Listen werden an diese Adresse geschickt.

## Jemand aus der Verwaltung wählt ein Passwort.

password-title = Wählen Sie ein Passwort
password-username = Sie melden sich als { $username } an.
password-label = Passwort
password-hint = Mindestens { $count } Zeichen. Mehrere Wörter ergeben ein gutes.
password-button = Passwort festlegen
password-too-short = Ein Passwort muss mindestens { $count } Zeichen haben; mehrere Wörter sind ein gutes.
password-too-long = Ein Passwort darf höchstens { $count } Bytes haben.
password-chosen-title = Ihr Passwort ist festgelegt
password-chosen-next = Es gehört zu { $username }. Der Link, mit dem Sie hierher kamen, funktioniert nun nicht mehr.

## Jemand entscheidet über eine Nachricht.

moderate-title = Eine Nachricht an { $list } wartet
moderate-from = Von
moderate-subject = Betreff
moderate-received = Eingegangen
moderate-size = Größe
moderate-because = Grund
moderate-due = Ohne Entscheidung
moderate-due-value = wird sie am { $time } verworfen
moderate-begins = So beginnt die Nachricht
moderate-no-text = Die Nachricht hat keinen Text.
moderate-reason = Ihre Worte, falls Sie sie ablehnen
moderate-reason-told = Der Absender bekommt sie per Mail.
moderate-reason-kept = Nur die Verwaltung sieht diese Worte. Der Absender erfährt nichts.
moderate-buttons = Ihre Entscheidung
moderate-approve = Freigeben
moderate-reject = Ablehnen
moderate-discard = Verwerfen
moderate-next = Was dann geschieht
moderate-next-told = Freigegeben geht sie an alle auf der Liste. Abgelehnt geht sie mit Ihren Worten an den Absender zurück. Verworfen erfährt niemand davon. Die erste Entscheidung gilt.
moderate-next-untold = Freigegeben geht sie an alle auf der Liste. Abgelehnt oder verworfen bekommt sie niemand, und der Absender erfährt nichts. Die erste Entscheidung gilt.
moderated-held = Die Nachricht wartet
moderated-held-next = Noch hat niemand entschieden.
moderated-approved = Die Nachricht ist freigegeben
moderated-approved-next = Sie ist auf dem Weg zu den Mitgliedern.
moderated-rejected = Die Nachricht ist abgelehnt
moderated-rejected-next = Die Mitglieder bekommen sie nicht.
moderated-discarded = Die Nachricht ist verworfen
moderated-discarded-next = Die Mitglieder bekommen sie nicht, und niemand erfährt davon.
moderated-already-approved = Sie wurde schon freigegeben, von { $by } am { $time }.
moderated-already-rejected = Sie wurde schon abgelehnt, von { $by } am { $time }.
moderated-already-discarded = Sie wurde schon verworfen, von { $by } am { $time }.
moderated-already-by-time = Sie wurde schon verworfen, weil niemand rechtzeitig entschieden hat.
moderated-unchanged = Es wurde nichts geändert. { $already }

## Jemand von der Verwaltung entscheidet über eine Bitte.

approval-join-title = Jemand möchte { $list } beitreten
approval-leave-title = Jemand möchte { $list } verlassen
approval-list-title = Die neue Liste { $list } wartet
approval-name = Name
approval-address = Adresse
approval-description = Beschreibung
approval-list = Liste
approval-requested = Gefragt am
approval-confirmed = Bestätigt am
approval-agreed = Zugestimmt zu
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, von { $client }
approval-done = { $time }, { $way }
approval-reason-label = Ihre Worte, falls Sie ablehnen
approval-reason-told = Die Person bekommt sie per Mail.
approval-reason-kept = Nur die Verwaltung liest sie.
approval-join-next = Stimmen Sie zu, ist die Person Mitglied und erfährt es per Mail. Lehnen Sie ab, bekommt sie eine Mail mit Ihren Worten. Verwerfen Sie die Bitte, erfährt niemand davon. Die erste Entscheidung gilt.
approval-leave-next = Stimmen Sie zu, steht die Person nicht mehr auf der Liste und erfährt es per Mail. Lehnen Sie ab, bleibt sie auf der Liste und bekommt eine Mail mit Ihren Worten. Verwerfen Sie die Bitte, ändert sich nichts, und niemand erfährt davon. Die erste Entscheidung gilt.
approval-list-next = Stimmen Sie zu, nimmt die Liste Mail an. Lehnen Sie ab oder verwerfen Sie die Bitte, wird sie mit ihren Mitgliedern gelöscht. Die erste Entscheidung gilt.
approval-impossible = Diese Person kann nicht Mitglied werden: Das Adressbuch ist voll, oder es nimmt die Adresse nicht an.
approval-waits = Die Bitte wartet
approval-waits-next = Noch hat niemand entschieden.
approval-approved = Der Bitte ist zugestimmt
approval-rejected = Die Bitte ist abgelehnt
approval-discarded = Die Bitte ist verworfen
approval-joined-next = Die Person ist jetzt Mitglied und erfährt es per Mail.
approval-left-next = Die Person steht nicht mehr auf der Liste und erfährt es per Mail.
approval-opened-next = Die Liste nimmt jetzt Mail an.
approval-removed-next = Die Liste wird mit ihren Mitgliedern gelöscht.
approval-rejected-next = Die Person erfährt es per Mail.
approval-discarded-next = Es wurde nichts geändert, und niemand erfährt davon.
approval-join-fact = Beitritt zu { $list }
approval-leave-fact = Austritt aus { $list }
approval-list-fact = Neue Liste
approval-already-approved = Ihr wurde schon zugestimmt, von { $by } am { $time }.
approval-already-rejected = Sie wurde schon abgelehnt, von { $by } am { $time }.
approval-already-discarded = Sie wurde schon verworfen, von { $by } am { $time }.

## Wo jemand angemeldet ist.

devices-title = Wo Sie angemeldet sind
devices-lede = Jeder Browser, in dem Sie angemeldet sind. Beenden Sie, was Sie nicht wiedererkennen.
devices-this = Dieser hier
devices-unknown = Unbekannter Browser
devices-used = Zuletzt benutzt am { $time }
devices-since = angemeldet am { $time }
devices-until = endet am { $time }
devices-revoke = Dort abmelden
devices-revoked = Sie sind dort abgemeldet.
devices-everywhere = Überall abmelden

## Der Briefkasten der Vorführung, in dem alles endet, was sie sendet.

demo-site = Crier-Vorführung
demo-title = Eingegangene Mail
demo-lede = Alles, was diese Vorführung sendet, endet hier. Die Seite sieht alle drei Sekunden wieder nach.
demo-received = { $count ->
    [one] Bisher eine Mail.
   *[other] Bisher { $count } Mails.
}
demo-newest = { $count ->
    [one] Die neueste steht unten.
   *[other] Die neuesten { $count } stehen unten.
}
demo-nothing = Noch ist nichts angekommen.
demo-time = Zeit (UTC)
demo-to = An
demo-from = Von
demo-subject = Betreff
demo-no-subject = (ohne Betreff)
demo-all = Alle eingegangene Mail
demo-envelope-from = Absender des Umschlags
demo-envelope-to = Empfänger des Umschlags
demo-leave = Die Liste verlassen
demo-text = Text
demo-source = Quelltext
demo-cut = Der Quelltext geht weiter; gezeigt wird nur sein Anfang.
demo-not-kept = Diese Mail ist nicht hier
demo-not-kept-next = Die Vorführung behält nur die neuesten Mails und vergisst alle, wenn sie endet.

## Eine Bitte über den Link ihrer Mail bestätigen.

confirm-title-join = Möchten Sie { $list } beitreten?
confirm-title-leave = Möchten Sie { $list } verlassen?
confirm-title = Bitte bestätigen Sie
confirm-asked = Sie, oder jemand, der Ihre Adresse eingegeben hat, haben am { $time } darum gebeten.
confirm-list = Liste
confirm-address = Adresse
confirm-changes = Änderungen
confirm-mail = Mails
confirm-mail-singly = jede Nachricht einzeln
confirm-mail-digest = eine Mail am Tag
confirm-button-join = Ja, ich möchte beitreten
confirm-button-leave = Ja, ich möchte austreten
confirm-button = Ja, ich bestätige
confirm-next = Wie es weitergeht
confirm-next-join = Sobald Sie den Knopf gedrückt haben, sind Sie Mitglied und bekommen neue Nachrichten.
confirm-next-approval = Wer die Liste betreut, entscheidet, und Sie bekommen dann eine Mail.
confirm-next-other = Sobald Sie den Knopf gedrückt haben, gilt die Änderung.
confirm-not-you = Wenn Sie es nicht waren, schließen Sie diese Seite. Es hat sich nichts geändert, und der Link gilt nur bis zum { $day }.
confirm-done = Danke, das ist bestätigt
confirm-done-joined = Sie sind Mitglied von { $list }
confirm-done-waiting = Ihre Anfrage für { $list } wartet auf Freigabe
confirm-done-already = Sie waren schon Mitglied von { $list }
confirm-done-left = Sie haben { $list } verlassen
confirm-done-no-member = Sie sind kein Mitglied von { $list }
confirm-done-changed = Erledigt: { $change }
confirm-done-joined-next = Neue Nachrichten kommen an { $address }. Jede hat einen Link, mit dem Sie die Liste verlassen können.
confirm-done-waiting-next = Ihre Anfrage liegt bei denen, die die Liste betreuen. Sobald entschieden ist, bekommen Sie eine Mail.
confirm-done-already-next = Es musste nichts geändert werden.
confirm-done-left-next = Neue Nachrichten kommen nicht mehr zu Ihnen.
confirm-done-no-member-next = Es musste nichts geändert werden.
confirm-done-changed-next = Das gilt von jetzt an.
confirm-refused = Das war nicht möglich: { $change }
confirm-refused-closed = Die Liste nimmt solche Anfragen zurzeit nicht an. Wer sie betreut, kann Ihnen helfen.
confirm-refused-gone = Die Liste gibt es nicht mehr.
confirm-refused-address = Adressen wie { $address } können hier nicht Mitglied sein. Bitte versuchen Sie es mit einer anderen.
confirm-refused-taken = Jemand anders verwendet { $address } hier schon.
confirm-refused-unknown = { $address } ist in keiner dieser Listen.
confirm-refused-full = Zurzeit ist kein Platz für weitere Mitglieder. Bitte fragen Sie, wer die Liste betreut.
confirm-used-title = Das haben Sie schon bestätigt
confirm-used = Sie haben den Knopf am { $time } gedrückt. Mehr ist nicht zu tun.
confirm-expired-title = Dieser Link gilt nicht mehr
confirm-expired = Solche Links gelten sieben Tage, und dieser wurde am { $day } verschickt. Es hat sich nichts geändert.
confirm-expired-next = Wenn Sie das noch möchten, bitten Sie noch einmal darum: Sie bekommen einen neuen Link.
confirm-again = Noch einmal anfragen
## The other members.

people-title = Mitglieder
people-title-of = Mitglieder von { $list }
people-lede = Diese Menschen sind hier auf Listen. Ihre Adressen sehen andere Mitglieder nicht.
people-lede-with-email = Diese Menschen sind hier auf Listen, mit den Adressen, an die ihre Post geht.
people-search = Nach einem Namen suchen
people-search-button = Suchen
people-all = Alle zeigen
people-none = Noch ist niemand da.
people-not-found = So heißt hier niemand. Der Anfang eines Namens genügt.
people-nameless = Jemand ohne Namen
people-self = Sie selbst
people-cut = Sehr viele Menschen heißen so, und nur ein Teil wurde angesehen. Bitte geben Sie ein weiteres Wort an.
people-pages = Seiten dieser Mitglieder
people-before = Zurück
people-after = Weiter

## Beitreten und austreten über das Formular.

join-title = Einer Liste beitreten
join-title-list = { $list } beitreten
join-title-leave = Eine Liste verlassen
join-title-leave-list = { $list } verlassen
join-lede = Wir schicken Ihnen eine Mail, um zu prüfen, ob die Adresse Ihre ist. Bis Sie bestätigen, geschieht nichts.
join-none = Hier gibt es keine Liste, der Sie mit diesem Formular beitreten oder die Sie damit verlassen können.
join-name = Ihr Name
join-name-hint = So, wie ihn die anderen auf der Liste lesen sollen.
join-email = Ihre Adresse
join-lists = Welche Listen?
join-all-lists = Es gibt noch mehr Listen: alle ansehen
join-often = Wie oft?
join-singly = Jede Nachricht einzeln
join-digest = Eine Mail am Tag
join-digest-hint = Alles zusammen.
join-hint-approval = Wer die Liste betreut, entscheidet über jede Anfrage.
join-button = Beitritt anfragen
join-button-leave = Austritt anfragen
join-agreed = Wir behalten Ihren Namen, Ihre Adresse, den Tag Ihres Beitritts und von wo Sie angefragt haben, und verwenden das nur für diese Listen.
join-agreed-leave = Wir verwenden Ihre Adresse nur, um Sie zu fragen, ob Sie es waren.
join-instead-leave = Stattdessen eine Liste verlassen
join-instead-join = Stattdessen einer Liste beitreten
join-name-long = Der Name ist länger als { $count } Zeichen.
join-name-link = Der Name hat Zeichen, die kein Name hat. Bitte schreiben Sie ihn ohne Links.
join-email-missing = Bitte geben Sie Ihre Adresse ein.
join-email-without-at = In der Adresse fehlt das @. Sie sollte aussehen wie ines@example.org.
join-email-wrong = Das ist nicht die Adresse eines Postfachs. Sie sollte aussehen wie ines@example.org.
join-email-machine = An dieser Adresse liest niemand Mails. Bitte geben Sie Ihre eigene ein.
join-email-refused = Adressen wie diese können hier nicht beitreten. Bitte nehmen Sie eine andere.
join-list-missing = Wählen Sie mindestens eine Liste.
join-list-unknown = { $list } ist keine Liste, die Sie hier wählen können.
join-form-young = Das ging sehr schnell. Bitte drücken Sie den Knopf noch einmal.
join-form-old = Dieses Formular war zu lange offen oder ist nicht von dieser Seite. Bitte drücken Sie den Knopf noch einmal.
join-asked = Wir haben Ihnen eine Mail geschickt
join-asked-next = Öffnen Sie den Link in der Mail an { $address }, oder antworten Sie einfach darauf. Bis dahin hat sich nichts geändert.
join-asked-missing = Nach ein paar Minuten noch keine Mail? Sehen Sie im Ordner für unerwünschte Mails nach. Wir fragen eine Adresse höchstens einmal am Tag für jede Liste und höchstens fünfmal am Tag insgesamt.
## Being forgotten.

data-title = Was wir über Sie wissen
data-lede = Ihren Namen, Ihre Adressen, Ihre Listen und die Nachrichten, die Sie geschrieben haben.
data-download = Herunterladen, was wir wissen
data-download-posts = Ihre Nachrichten herunterladen
data-erase-title = Meine Daten löschen
data-erase-lede = { $count ->
    [0] Wir vergessen Sie.
    [one] Sie verlassen eine Liste, und wir vergessen Sie.
   *[other] Sie verlassen { $count } Listen, und wir vergessen Sie.
} Das lässt sich nicht rückgängig machen.
data-erase-what = Was wir löschen
data-erase-record = Ihren Namen, Ihre Adressen und was über Sie notiert wurde.
data-erase-evidence = Wann und wie Sie beigetreten sind, was Sie bestätigt haben und wo Sie angemeldet sind.
data-erase-waiting = Ihre Nachrichten, über die noch entschieden wird. Sie werden nicht mehr versandt.
data-erase-posts = Was soll mit den Nachrichten geschehen, die Sie geschrieben haben?
data-erase-keep = Sie bleiben, ohne Sie
data-erase-keep-hint = Sie stammen dann von „ehemaliges Mitglied“, und Ihr Name und Ihre Adressen werden aus dem Text genommen. Angehängte Dateien bleiben, wie sie sind.
data-erase-remove = Sie werden herausgenommen
data-erase-remove-hint = Antworten anderer bleiben, wo sie sind.
data-erase-others = Was andere geschrieben haben, bleibt: auch wo sie Sie zitieren oder beim Namen nennen. Versandte Post lässt sich nicht zurückholen.
data-erase-button = Meine Daten löschen
data-erase-not-chosen = Bitte wählen Sie, was mit Ihren Nachrichten geschehen soll.
data-erase-download = Vorher alles herunterladen
data-erased-title = Ihre Daten sind gelöscht
data-erased-lede = Sie sind auf keiner Liste mehr, und Ihr Name und Ihre Adressen sind gelöscht.
data-erased-keep = Ihre Nachrichten werden gerade umgeschrieben, sodass sie von „ehemaliges Mitglied“ stammen. Das dauert einige Minuten, bei sehr vielen länger.
data-erased-remove = Ihre Nachrichten werden gerade aus dem Archiv genommen. Das dauert einige Minuten, bei sehr vielen länger.
data-erased-traces = Aufzeichnungen über Post, die gerade zu Ihnen unterwegs ist, enden mit ihr, binnen fünf Tagen.

## Wohin es nach einem Link weitergeht

onward-read = { $list } lesen
onward-write = An { $list } schreiben
onward-lists = Ihre Listen
confirm-signed-in = Sie sind hier für einen Tag angemeldet, oder bis Sie sich abmelden.

## Eine andere Adresse bestätigen, und andere Änderungen daran, wie Mail kommt

confirm-change-replace = Diese Adresse für Ihre Listen von { $site } verwenden, anstelle der bisherigen
confirm-site = Listen von
confirm-title-replace = Soll Ihre Mail an diese Adresse umziehen?
confirm-button-replace = Ja, meine Mail soll hierher
confirm-next-replace = Sobald Sie den Knopf gedrückt haben, kommt Mail Ihrer Listen an diese Adresse und nicht mehr an die bisherige.
confirm-done-how = { $list } kommt so, wie Sie es wollten
confirm-done-digest-next = Von jetzt an ist es eine Mail am Tag.
confirm-done-singly-next = Von jetzt an kommt jede Nachricht einzeln.
confirm-done-paused = An { $address } geht jetzt keine Mail Ihrer Listen
confirm-done-paused-next = Sie können das jederzeit wieder einschalten.
confirm-done-resumed = Mail Ihrer Listen geht wieder an { $address }
confirm-done-resumed-next = Das beginnt mit der nächsten Nachricht.
confirm-done-added = { $address } ist nun eine Ihrer Adressen
confirm-done-added-next = Mail Ihrer Listen kommt auch dorthin, und Sie können von dort schreiben.
confirm-done-replaced = Mail Ihrer Listen geht nun an { $address }
confirm-done-replaced-next = Ihre bisherige Adresse ist entfernt. An Ihren Listen ändert sich nichts.
