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
    [one] Bitte sehen Sie sich diese Angabe noch einmal an
   *[other] Bitte sehen Sie sich diese { $count } Angaben noch einmal an
}
problem-no-button = Bitte klicken Sie auf eine der Schaltflächen.

## Wenn etwas nicht geht: was geschehen ist und was als Nächstes hilft.

error-status = Fehler { $status }
error-home = Zur Startseite
error-request = Wenn Sie uns deswegen schreiben, nennen Sie bitte die Kennung { $id }.
error-bad-request = Was gesendet wurde, konnten wir nicht lesen
error-bad-request-next = Es hat sich nichts geändert. Bitte gehen Sie zurück, laden Sie die Seite neu und senden Sie sie noch einmal.
error-sign-in = Bitte melden Sie sich zuerst an
error-sign-in-next = Diese Seite ist nur für Angemeldete. Falls Sie schon angemeldet waren, ist Ihre Sitzung abgelaufen.
error-forbidden = Dazu fehlen Ihnen die Rechte
error-forbidden-next = Ihre Rechte reichen für diese Seite nicht, und es hat sich nichts geändert. Wer das Konto verwaltet, kann sie Ihnen geben.
error-forged = Dieses Formular stammt nicht von dieser Seite
error-forged-next = Es hat sich nichts geändert. Bitte öffnen Sie die Seite noch einmal und klicken Sie dort auf die Schaltfläche. Ihr Browser muss die Cookies dieser Seite annehmen.
error-not-found = Unter dieser Adresse gibt es nichts
error-not-found-next = Vielleicht ist die Seite umgezogen, oder der Link ist unvollständig. Wenn er in einer Mail über zwei Zeilen lief, kopieren Sie beide Teile in die Adresszeile.
error-unknown-host = Hier gibt es keine Seite
error-unknown-host-next = Vielleicht enthält die Adresse einen Tippfehler, oder ein Teil davon fehlt.
error-dead-link = Dieser Link funktioniert nicht
error-dead-link-next = Vielleicht wurde er beim Kopieren abgeschnitten, oder er gilt nicht mehr. Bitte öffnen Sie den Link in der neuesten Mail.
error-not-allowed = Das kann diese Seite nicht
error-not-allowed-next = Es hat sich nichts geändert. Bitte öffnen Sie die Seite über ihren Link und benutzen Sie die Schaltflächen dort.
error-conflict = Jemand anderes war schneller
error-conflict-next = Was Sie ändern wollten, hat sich inzwischen geändert. Bitte laden Sie die Seite neu und prüfen Sie es noch einmal.
error-spent-link = Dieser Link wurde schon benutzt
error-spent-link-next = Seit er verschickt wurde, ist ein Passwort gewählt worden. Wenn Sie das nicht waren, sagen Sie bitte jemand anderem aus der Verwaltung Bescheid.
error-expired-link = Dieser Link ist zu alt
error-expired-link-next = Links, mit denen man ein Passwort wählt, gelten sieben Tage; wenn Sie Ihr Passwort vergessen haben, eine Stunde. Auf der Anmeldeseite können Sie einen neuen anfordern.
error-wrong-type = Diese Art von Formular können wir nicht lesen
error-wrong-type-next = Es hat sich nichts geändert. Bitte benutzen Sie das Formular auf der Seite selbst.
error-too-many = Das war viel in kurzer Zeit
error-too-many-next = Es hat sich nichts geändert. Bitte warten Sie ein paar Minuten und versuchen Sie es noch einmal.
error-too-large = Das ist zu groß
error-too-large-next = Es hat sich nichts geändert. Ein Formular darf höchstens { $size } groß sein.
error-too-slow = Das hat zu lange gedauert
error-too-slow-next = Es hat sich nichts geändert. Vielleicht ist die Verbindung gerade langsam. Bitte versuchen Sie es noch einmal.
error-outage = Zurzeit kann hier nichts gespeichert werden
error-outage-next = Es hat sich nichts geändert. Bitte versuchen Sie es später noch einmal.
error-busy = Gerade ist hier zu viel los
error-busy-next = Es hat sich nichts geändert. Bitte versuchen Sie es in ein paar Sekunden noch einmal.
error-internal = Hier ist etwas schiefgegangen
error-internal-next = Das liegt an uns, nicht an Ihnen. Bitte versuchen Sie es in ein paar Minuten noch einmal.

## Die erste Seite.

home-title = Hier sind Mailinglisten zu Hause
home-lede = Eine Mail an die Adresse einer Liste geht an alle, die auf ihr stehen.
home-signed-out = Sie haben sich abgemeldet.
home-members = Sie stehen auf einer Liste
home-write = Was Sie an die Adresse der Liste schreiben, bekommen alle.
home-leave = Um die Liste zu verlassen, klicken Sie in Ihrem Mailprogramm auf „Abbestellen“ oder öffnen Sie den Link in einer Mail der Liste.
home-owner = Um die Betreuung einer Liste zu erreichen, setzen Sie -owner hinter den Namen der Liste: Für news@lists.example.org ist das news-owner@lists.example.org.
home-owners = Sie betreuen Listen oder schreiben ein Programm dafür
home-api = Die API: Schlüssel, erste Aufrufe und alle weiteren (englisch)
home-openapi = Dasselbe für Programme, als openapi.json
home-commands = Auf dem Server selbst zeigt crier --help alle Befehle.

## Eine Liste über den Link in einer Mail verlassen.

unsubscribe-title = { $list } verlassen?
unsubscribe-next = Sie bekommen dann keine Mails mehr von dieser Liste. Noch hat sich nichts geändert.
# $address is the beginning and the domain of an address: "a…@example.org".
unsubscribe-for = Es geht um die Mails an { $address }.
unsubscribe-button = Die Liste verlassen
goodbye-title = Sie haben { $list } verlassen
goodbye-next = Sie bekommen keine Mails mehr von dieser Liste. Nachrichten, die schon unterwegs waren, können in den nächsten Minuten noch ankommen.
goodbye-undo = War das ein Versehen? Sieben Tage lang können Sie es rückgängig machen.
goodbye-undo-button = Rückgängig machen
not-a-member-title = Sie sind kein Mitglied von { $list }
not-a-member-next = Sie bekommen keine Mails von dieser Liste. Wenn Sie beitreten möchten, fragen Sie bitte die Betreuung der Liste.
welcome-back-title = Sie sind Mitglied von { $list }
welcome-back-next = Sie bekommen die Mails dieser Liste wieder.

## Eine Liste verlassen, die mehr als einen Klick verlangt, und sagen, warum.

leave-second-title = Möchten Sie { $list } wirklich verlassen?
leave-second-button = Ja, die Liste verlassen
leave-approval-next = Wer die Liste betreut, muss zustimmen. Sobald entschieden ist, bekommen Sie eine Mail. Bis dahin bekommen Sie weiter die Mails der Liste. Noch hat sich nichts geändert.
leave-approval-button = Anfrage senden
leave-waits-title = Ihre Anfrage, { $list } zu verlassen, wartet
leave-waits-next = Wer die Liste betreut, entscheidet darüber. Danach bekommen Sie eine Mail. Bis dahin bekommen Sie weiter die Mails der Liste.
leave-closed-title = Hier können Sie { $list } nicht verlassen
leave-closed-next = Wer auf dieser Liste steht, entscheidet ihre Betreuung. Bitte antworten Sie auf eine Mail der Liste oder schreiben Sie der Betreuung. „Abbestellen“ in Ihrem Mailprogramm funktioniert trotzdem.
leave-reason = Möchten Sie sagen, warum?
leave-reason-hint = Freiwillig. Wer die Liste betreut, liest es.
leave-reason-button = Senden
leave-reason-kept = Danke. Wer die Liste betreut, wird Ihre Worte lesen.
leave-reason-too-long = Bitte fassen Sie sich kürzer: höchstens { $count } Zeichen.

## Der Versand an eine Adresse ruhte und geht weiter.

resume-title = Kommen wieder Mails bei Ihnen an?
resume-paused = Der Versand an { $address } ist pausiert.
resume-unchanged = Noch hat sich nichts geändert. Wenn weiterhin keine Mails ankommen, schließen Sie diese Seite.
resume-button = Versand fortsetzen
resumed-title = Mails gehen wieder an { $address }
resumed-next = An diese Adresse gehen die Mails Ihrer Listen.

## Jemand aus der Verwaltung wählt ein Passwort.

password-title = Passwort wählen
password-username = Sie melden sich als { $username } an.
password-label = Passwort
password-hint = Mindestens { $count } Zeichen. Gut sind mehrere Wörter.
password-button = Passwort festlegen
password-too-short = Ein Passwort muss mindestens { $count } Zeichen haben; gut sind mehrere Wörter.
password-too-long = Ein Passwort darf höchstens { $count } Byte lang sein.
password-chosen-title = Ihr Passwort ist festgelegt
password-chosen-next = Es gehört zu { $username }. Der Link, über den Sie hierherkamen, gilt nicht mehr.

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
moderate-reason = Begründung, falls Sie ablehnen
moderate-reason-told = Wer die Nachricht geschickt hat, bekommt sie per Mail.
moderate-reason-kept = Nur die Verwaltung sieht sie. Wer die Nachricht geschickt hat, erfährt nichts.
moderate-buttons = Ihre Entscheidung
moderate-approve = Freigeben
moderate-reject = Ablehnen
moderate-discard = Verwerfen
moderate-next = Wie es weitergeht
moderate-next-told = Geben Sie die Nachricht frei, geht sie an alle auf der Liste. Lehnen Sie sie ab, geht sie mit Ihrer Begründung zurück. Verwerfen Sie sie, erfährt niemand davon. Die erste Entscheidung gilt.
moderate-next-untold = Geben Sie die Nachricht frei, geht sie an alle auf der Liste. Wenn Sie sie ablehnen oder verwerfen, bekommt sie niemand, und wer sie geschickt hat, erfährt nichts. Die erste Entscheidung gilt.
moderated-held = Die Nachricht wartet
moderated-held-next = Es hat noch niemand entschieden.
moderated-approved = Die Nachricht ist freigegeben
moderated-approved-next = Sie ist auf dem Weg zu den Mitgliedern.
moderated-rejected = Die Nachricht ist abgelehnt
moderated-rejected-next = Die Mitglieder bekommen sie nicht.
moderated-discarded = Die Nachricht ist verworfen
moderated-discarded-next = Die Mitglieder bekommen sie nicht, und niemand erfährt davon.
moderated-already-approved = Sie wurde schon freigegeben ({ $by }, { $time }).
moderated-already-rejected = Sie wurde schon abgelehnt ({ $by }, { $time }).
moderated-already-discarded = Sie wurde schon verworfen ({ $by }, { $time }).
moderated-already-by-time = Sie wurde schon verworfen, weil niemand rechtzeitig entschieden hat.
moderated-unchanged = Es hat sich nichts geändert. { $already }

## Jemand von der Verwaltung entscheidet über eine Bitte.

approval-join-title = Jemand möchte { $list } beitreten
approval-leave-title = Jemand möchte { $list } verlassen
approval-list-title = Die neue Liste { $list } wartet
approval-name = Name
approval-address = Adresse
approval-description = Beschreibung
approval-list = Liste
approval-requested = Angefragt am
approval-confirmed = Bestätigt am
approval-agreed = Einwilligung
# $way is a text such as "by mail".
approval-done-from = { $time }, { $way }, von { $client } aus
approval-done = { $time }, { $way }
approval-reason-label = Begründung, falls Sie ablehnen
approval-reason-told = Die Person bekommt sie per Mail.
approval-reason-kept = Nur die Verwaltung liest sie.
approval-join-next = Nehmen Sie die Anfrage an, ist die Person Mitglied und erfährt es per Mail. Lehnen Sie sie ab, bekommt die Person eine Mail mit Ihrer Begründung. Verwerfen Sie sie, erfährt niemand davon. Die erste Entscheidung gilt.
approval-leave-next = Nehmen Sie die Anfrage an, steht die Person nicht mehr auf der Liste und erfährt es per Mail. Lehnen Sie sie ab, bleibt die Person auf der Liste und bekommt eine Mail mit Ihrer Begründung. Verwerfen Sie sie, ändert sich nichts, und niemand erfährt davon. Die erste Entscheidung gilt.
approval-list-next = Geben Sie die Liste frei, nimmt sie Mails an. Wenn Sie sie ablehnen oder verwerfen, wird sie mit ihren Mitgliedschaften gelöscht. Die erste Entscheidung gilt.
approval-impossible = Diese Person kann nicht Mitglied werden: Das Adressbuch ist voll, oder es nimmt die Adresse nicht an.
approval-waits = Die Anfrage wartet
approval-waits-next = Es hat noch niemand entschieden.
approval-approved = Die Anfrage ist freigegeben
approval-rejected = Die Anfrage ist abgelehnt
approval-discarded = Die Anfrage ist verworfen
approval-joined-next = Die Person ist jetzt Mitglied und erfährt es per Mail.
approval-left-next = Die Person steht nicht mehr auf der Liste und erfährt es per Mail.
approval-opened-next = Die Liste nimmt jetzt Mails an.
approval-removed-next = Die Liste wird mit ihren Mitgliedschaften gelöscht.
approval-rejected-next = Die Person erfährt es per Mail.
approval-discarded-next = Es hat sich nichts geändert, und niemand erfährt davon.
approval-join-fact = { $list } beitreten
approval-leave-fact = { $list } verlassen
approval-list-fact = Neue Liste
approval-already-approved = Sie wurde schon freigegeben ({ $by }, { $time }).
approval-already-rejected = Sie wurde schon abgelehnt ({ $by }, { $time }).
approval-already-discarded = Sie wurde schon verworfen ({ $by }, { $time }).

## Wo jemand angemeldet ist.

devices-title = Wo Sie angemeldet sind
devices-lede = Alle Browser, in denen Sie angemeldet sind. Melden Sie ab, was Sie nicht wiedererkennen.
devices-this = Dieser Browser
devices-unknown = Unbekannter Browser
devices-used = Zuletzt benutzt am { $time }
devices-since = angemeldet am { $time }
devices-until = gilt bis zum { $time }
devices-revoke = Dort abmelden
devices-revoked = Sie sind dort abgemeldet.
devices-everywhere = Überall abmelden

## Der Briefkasten der Vorführung, in dem alles endet, was sie sendet.

demo-site = Crier-Demo
demo-title = Eingegangene Mails
demo-lede = Hier landet alles, was diese Demo verschickt. Die Seite sieht alle drei Sekunden nach.
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
demo-all = Alle eingegangenen Mails
demo-envelope-from = Absender (Umschlag)
demo-envelope-to = Empfänger (Umschlag)
demo-leave = Die Liste verlassen
demo-text = Text
demo-source = Quelltext
demo-cut = Der Quelltext geht noch weiter; hier steht nur sein Anfang.
demo-not-kept = Diese Mail gibt es hier nicht
demo-not-kept-next = Die Demo behält nur die neuesten Mails und löscht alle, wenn sie endet.

## Eine Bitte über den Link ihrer Mail bestätigen.

confirm-title-join = Möchten Sie { $list } beitreten?
confirm-title-leave = Möchten Sie { $list } verlassen?
confirm-title = Bitte bestätigen Sie
confirm-asked = Am { $time } haben Sie darum gebeten, oder jemand hat Ihre Adresse eingegeben.
confirm-list = Liste
confirm-address = Adresse
confirm-changes = Änderungen
confirm-mail = Mails
confirm-mail-singly = jede Nachricht einzeln
confirm-mail-digest = eine Sammelmail am Tag
confirm-button-join = Ja, ich möchte beitreten
confirm-button-leave = Ja, ich möchte die Liste verlassen
confirm-button = Ja, ich bestätige
confirm-next = Wie es weitergeht
confirm-next-join = Sobald Sie auf die Schaltfläche geklickt haben, sind Sie Mitglied und bekommen neue Nachrichten.
confirm-next-approval = Wer die Liste betreut, entscheidet. Danach bekommen Sie eine Mail.
confirm-next-other = Sobald Sie auf die Schaltfläche geklickt haben, gilt die Änderung.
confirm-not-you = Wenn Sie es nicht waren, schließen Sie diese Seite. Es hat sich nichts geändert, und der Link gilt nur bis zum { $day }.
confirm-done = Danke, das ist bestätigt
confirm-done-joined = Sie sind Mitglied von { $list }
confirm-done-waiting = Ihre Anfrage zu { $list } wartet auf eine Entscheidung
confirm-done-already = Sie waren schon Mitglied von { $list }
confirm-done-left = Sie haben { $list } verlassen
confirm-done-no-member = Sie sind kein Mitglied von { $list }
confirm-done-changed = Erledigt: { $change }
confirm-done-joined-next = Neue Nachrichten kommen an { $address }. In jeder steht ein Link, mit dem Sie die Liste verlassen können.
confirm-done-waiting-next = Ihre Anfrage liegt bei der Betreuung der Liste. Sobald entschieden ist, bekommen Sie eine Mail.
confirm-done-already-next = Es musste nichts geändert werden.
confirm-done-left-next = Sie bekommen keine neuen Nachrichten mehr.
confirm-done-no-member-next = Es musste nichts geändert werden.
confirm-done-changed-next = Das gilt ab jetzt.
confirm-refused = Das war nicht möglich: { $change }
confirm-refused-closed = Die Liste nimmt solche Anfragen zurzeit nicht an. Wer sie betreut, kann Ihnen helfen.
confirm-refused-gone = Diese Liste gibt es nicht mehr.
confirm-refused-address = Adressen wie { $address } können hier nicht Mitglied sein. Bitte versuchen Sie es mit einer anderen.
confirm-refused-taken = { $address } wird hier schon von jemand anderem verwendet.
confirm-refused-unknown = { $address } steht auf keiner dieser Listen.
confirm-refused-full = Zurzeit ist kein Platz für weitere Mitglieder. Bitte wenden Sie sich an die Betreuung der Liste.
confirm-used-title = Das haben Sie schon bestätigt
confirm-used = Sie haben am { $time } auf die Schaltfläche geklickt. Mehr müssen Sie nicht tun.
confirm-expired-title = Dieser Link gilt nicht mehr
confirm-expired = Solche Links gelten sieben Tage, und dieser wurde am { $day } verschickt. Es hat sich nichts geändert.
confirm-expired-next = Wenn Sie das noch möchten, fragen Sie bitte noch einmal an: Sie bekommen einen neuen Link.
confirm-again = Noch einmal anfragen
## The other members.

people-title = Mitglieder
people-title-of = Mitglieder von { $list }
people-lede = Diese Personen stehen hier auf Listen. Ihre Adressen sehen andere Mitglieder nicht.
people-lede-with-email = Diese Personen stehen hier auf Listen, mit den Adressen, an die ihre Mails gehen.
people-search = Nach einem Namen suchen
people-search-button = Suchen
people-all = Alle anzeigen
people-none = Noch ist niemand da.
people-not-found = So heißt hier niemand. Der Anfang eines Namens genügt.
people-nameless = Jemand ohne Namen
people-self = Sie selbst
people-cut = Sehr viele heißen so, und nur ein Teil wurde durchgesehen. Bitte geben Sie ein weiteres Wort ein.
people-pages = Seiten mit Mitgliedern
people-before = Zurück
people-after = Weiter

## Beitreten und austreten über das Formular.

join-title = Einer Liste beitreten
join-title-list = { $list } beitreten
join-title-leave = Eine Liste verlassen
join-title-leave-list = { $list } verlassen
join-lede = Wir schicken Ihnen eine Mail, um zu prüfen, ob die Adresse Ihnen gehört. Solange Sie nicht bestätigen, geschieht nichts.
join-none = Hier gibt es keine Liste, der Sie mit diesem Formular beitreten oder die Sie damit verlassen können.
join-name = Ihr Name
join-name-hint = So, wie ihn die anderen auf der Liste lesen sollen.
join-email = Ihre Adresse
join-lists = Welche Listen?
join-all-lists = Es gibt noch mehr Listen: alle ansehen
join-often = Wie oft?
join-singly = Jede Nachricht einzeln
join-digest = Eine Sammelmail am Tag
join-digest-hint = Mit allen Nachrichten.
join-hint-approval = Wer die Liste betreut, entscheidet über jede Anfrage.
join-button = Anfrage senden
join-button-leave = Anfrage senden
join-agreed = Wir speichern Ihren Namen, Ihre Adresse, den Tag Ihres Beitritts und von wo Sie angefragt haben, und verwenden das nur für diese Listen.
join-agreed-leave = Wir verwenden Ihre Adresse nur, um Sie zu fragen, ob Sie es waren.
join-instead-leave = Stattdessen eine Liste verlassen
join-instead-join = Stattdessen einer Liste beitreten
join-name-long = Der Name ist länger als { $count } Zeichen.
join-name-link = Der Name enthält Zeichen, die in Namen nicht vorkommen. Bitte schreiben Sie ihn ohne Links.
join-email-missing = Bitte geben Sie Ihre Adresse ein.
join-email-without-at = In der Adresse fehlt das @. Sie sollte so aussehen: ines@example.org.
join-email-wrong = Das ist nicht die Adresse eines Postfachs. Sie sollte so aussehen: ines@example.org.
join-email-machine = An dieser Adresse liest niemand Mails. Bitte geben Sie Ihre eigene ein.
join-email-refused = Adressen wie diese können hier nicht beitreten. Bitte nehmen Sie eine andere.
join-list-missing = Bitte wählen Sie mindestens eine Liste.
join-list-unknown = { $list } ist keine Liste, die Sie hier wählen können.
join-form-young = Das ging sehr schnell. Bitte klicken Sie noch einmal auf die Schaltfläche.
join-form-old = Dieses Formular war zu lange offen oder ist nicht von dieser Seite. Bitte klicken Sie noch einmal auf die Schaltfläche.
join-asked = Wir haben Ihnen eine Mail geschickt
join-asked-next = Öffnen Sie den Link in der Mail an { $address }, oder antworten Sie einfach darauf. Bis dahin hat sich nichts geändert.
join-asked-missing = Nach ein paar Minuten noch keine Mail? Vielleicht liegt sie im Spam-Ordner. Wir schicken einer Adresse höchstens eine solche Mail am Tag für jede Liste und höchstens fünf am Tag insgesamt.
## Being forgotten.

data-title = Was wir über Sie wissen
data-lede = Ihr Name, Ihre Adressen, Ihre Listen und die Nachrichten, die Sie geschrieben haben.
data-download = Meine Daten herunterladen
data-download-posts = Meine Nachrichten herunterladen
data-erase-title = Meine Daten löschen
data-erase-lede = { $count ->
    [0] Wir löschen Ihre Daten.
    [one] Sie verlassen eine Liste, und wir löschen Ihre Daten.
   *[other] Sie verlassen { $count } Listen, und wir löschen Ihre Daten.
} Das lässt sich nicht rückgängig machen.
data-erase-what = Was wir löschen
data-erase-record = Ihr Name, Ihre Adressen und was über Sie notiert wurde.
data-erase-evidence = Wann und wie Sie beigetreten sind, was Sie bestätigt haben und wo Sie angemeldet sind.
data-erase-waiting = Ihre Nachrichten, über die noch nicht entschieden ist. Sie werden nicht mehr verschickt.
data-erase-posts = Was soll mit den Nachrichten geschehen, die Sie geschrieben haben?
data-erase-keep = Die Nachrichten bleiben, ohne Ihren Namen
data-erase-keep-hint = Als Absender steht dann „ehemaliges Mitglied“ da, und Ihr Name und Ihre Adressen werden aus dem Text entfernt. Angehängte Dateien bleiben, wie sie sind.
data-erase-remove = Die Nachrichten werden aus dem Archiv genommen
data-erase-remove-hint = Antworten von anderen bleiben, wo sie sind.
data-erase-others = Was andere geschrieben haben, bleibt, auch wo sie Sie zitieren oder beim Namen nennen. Verschickte Mails lassen sich nicht zurückholen.
data-erase-button = Meine Daten löschen
data-erase-not-chosen = Bitte wählen Sie, was mit Ihren Nachrichten geschehen soll.
data-erase-download = Vorher alles herunterladen
data-erased-title = Ihre Daten sind gelöscht
data-erased-lede = Sie stehen auf keiner Liste mehr, und Ihr Name und Ihre Adressen sind gelöscht.
data-erased-keep = Ihre Nachrichten werden gerade umgeschrieben, sodass als Absender „ehemaliges Mitglied“ dasteht. Das dauert einige Minuten, bei sehr vielen länger.
data-erased-remove = Ihre Nachrichten werden gerade aus dem Archiv genommen. Das dauert einige Minuten, bei sehr vielen länger.
data-erased-traces = Aufzeichnungen über Mails, die gerade zu Ihnen unterwegs sind, werden mit dem Ende des Versands gelöscht, spätestens nach fünf Tagen.

## Wohin es nach einem Link weitergeht

onward-read = { $list } lesen
onward-write = An { $list } schreiben
onward-lists = Ihre Listen
confirm-signed-in = Sie sind hier einen Tag lang angemeldet, oder bis Sie sich abmelden.

## Eine andere Adresse bestätigen, und andere Änderungen daran, wie Mail kommt

confirm-change-replace = Diese Adresse anstelle der bisherigen für Ihre Listen von { $site } verwenden
confirm-site = Listen von
confirm-title-replace = Soll diese Adresse Ihre bisherige ersetzen?
confirm-button-replace = Ja, Adresse ersetzen
confirm-next-replace = Sobald Sie auf die Schaltfläche geklickt haben, kommen die Mails Ihrer Listen an diese Adresse und nicht mehr an die bisherige.
confirm-done-how = Sie bekommen { $list } jetzt so, wie Sie es wollten
confirm-done-digest-next = Von jetzt an bekommen Sie eine Sammelmail am Tag.
confirm-done-singly-next = Von jetzt an bekommen Sie jede Nachricht einzeln.
confirm-done-paused = Der Versand Ihrer Listen an { $address } ist pausiert
confirm-done-paused-next = Sie können ihn jederzeit fortsetzen.
confirm-done-resumed = Die Mails Ihrer Listen gehen wieder an { $address }
confirm-done-resumed-next = Das gilt ab der nächsten Nachricht.
confirm-done-added = { $address } ist jetzt eine Ihrer Adressen
confirm-done-added-next = Die Mails Ihrer Listen kommen auch dorthin, und Sie können von dort schreiben.
confirm-done-replaced = Die Mails Ihrer Listen gehen jetzt an { $address }
confirm-done-replaced-next = Ihre bisherige Adresse ist entfernt. An Ihren Listen hat sich nichts geändert.

## An address of another server, from which the message did not come along. $list is a list's name.

old-link-title = Diese Nachricht ist nicht mit umgezogen
old-link-lede = Die Adresse, die Sie geöffnet haben, gehört zum früheren Archiv von { $list }. Die Liste ist inzwischen hierher umgezogen, diese Nachricht aber nicht.
old-link-subject = Ihr Betreff war „{ $subject }“.
# $month is a month like "November 2026".
old-link-month = Alle Nachrichten im { $month }

## The form of one list, for a member who is signed in
# $address is an address of mail.
join-own = Sie sind als { $address } angemeldet: Ein Klick genügt.
join-own-button = Mit dieser Adresse beitreten
join-own-other = Mit einer anderen Adresse
