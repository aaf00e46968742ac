### Texte der Mails, die der Server schreibt. Welches Wort für was steht, sagt src/locale/terms.md.

## Warum eine Nachricht wartet oder zurückgeht

reason-automated = die Nachricht wurde automatisch verschickt
reason-not-allowed = diese Adresse darf nicht an die Liste schreiben
reason-not-proven = der Absender ließ sich nicht prüfen: weder DMARC noch ein passendes SPF- oder DKIM-Ergebnis bestätigt ihn
reason-every-message = jede Nachricht an diese Liste braucht eine Freigabe
reason-reply = Antworten an diese Liste brauchen eine Freigabe
reason-closed-thread = die Unterhaltung, in der sie antwortet, ist geschlossen
reason-known-id = eine frühere Nachricht hatte dieselbe Message-ID
reason-taboo-header = eine Kopfzeile entspricht dem Muster { $pattern }
reason-taboo-body = der Inhalt entspricht dem Muster { $pattern }
reason-patterns-slow = das Prüfen der Muster hat zu lange gedauert
reason-pattern-large = das Prüfen der Muster hat zu lange gedauert: ein Muster ist größer als inzwischen erlaubt und muss durch ein kürzeres ersetzt werden
reason-text-long = das Prüfen der Muster hat zu lange gedauert: der Text ist zu lang dafür
reason-kind-pattern = sie entspricht einem Muster der Liste
reason-kind-failed = der Server konnte nicht über sie entscheiden oder sie nicht verschicken
reason-banned = diese Adresse ist für die Liste gesperrt
reason-too-large = die Nachricht ist größer als { $limit }, und mehr nimmt diese Liste nicht an
reason-not-approved = die Moderation der Liste hat sie nicht freigegeben
reason-nobody-decided = innerhalb der Frist ({ $time }) hat niemand sie freigegeben
reason-failed-deciding = der Server konnte nach { $tries } Versuchen nicht über sie entscheiden: { $words }
reason-failed-sending = der Server konnte sie nach { $tries } Versuchen nicht verschicken: { $words }

## An den Absender einer Nachricht, die wartet oder zurückgeht

hold-subject = Ihre Nachricht an { $list } wartet auf Freigabe
hold-text =
    Ihre Nachricht an { $list } ist angekommen und wartet auf Freigabe:

        Betreff: { $subject }
        Grund:   { $reason }

    Bisher hat niemand sie bekommen. Wie es weitergeht: Wer die Liste betreut,
    liest sie und entscheidet. Sie brauchen sie nicht noch einmal zu schicken.

reject-subject = Ihre Nachricht an { $list } wurde nicht verschickt
reject-text =
    Ihre Nachricht an { $list } wurde nicht an die Mitglieder der Liste
    verschickt:

        Betreff: { $subject }
        Grund:   { $reason }

    Wenn Sie das für ein Versehen halten, antworten Sie bitte auf diese Mail:
    Ihre Antwort geht an die Betreuung der Liste.

## An ein neues Mitglied

welcome-subject = Willkommen bei { $list }
welcome-text =
    Willkommen bei den Mailinglisten von { $list }. Ihre Adresse
    { $email } wurde aufgenommen.

    In jeder Mail einer Liste steht ein Link, mit dem Sie diese Liste verlassen
    können.

## An die Moderation

moderate-mail-subject = Zur Freigabe bei { $list }: { $subject }
moderate-text =
    Eine Nachricht an { $list_address } wartet auf Ihre Freigabe:

        Von:         { $sender }
        Betreff:     { $subject }
        Eingegangen: { $received }
        Größe:       { $size }
        Grund:       { $reason }

    Um zu entscheiden, öffnen Sie

    { $link }

    oder antworten Sie auf diese Mail mit einem dieser Wörter in der ersten
    Zeile:

        freigeben                     alle bekommen sie
        ablehnen und Ihre Begründung  sie geht mit Ihren Worten zurück
        verwerfen                     sie entfällt, und niemand erfährt es

    Wie es weitergeht: Die erste Entscheidung gilt. Wenn niemand entscheidet,
    wird die Nachricht am { $due } verworfen.
moderate-preview = Die Nachricht beginnt so:

moderate-answer-subject = Re: Zur Freigabe bei { $list }: { $subject }
moderate-answer-about = Zur Nachricht „{ $subject }“ an { $list }:
moderate-answer-unchanged = Es hat sich nichts geändert: { $problem }.
moderate-answer-unknown =
    Ihre Antwort wurde nicht verstanden, und es hat sich nichts geändert.
moderate-answer-two =
    Ihre Antwort nennt zwei verschiedene Entscheidungen, deshalb hat sich
    nichts geändert. Bitte antworten Sie noch einmal, nur mit einer davon.
moderate-answer-words =
    Bitte beginnen Sie Ihre Antwort mit einer dieser Zeilen:

        freigeben
        ablehnen und Ihre Begründung
        verwerfen

decided-approved = die Nachricht wurde schon freigegeben ({ $by }, { $time })
decided-rejected = die Nachricht wurde schon abgelehnt ({ $by }, { $time })
decided-discarded = die Nachricht wurde schon verworfen ({ $by }, { $time })
decided-by-nobody = die Nachricht wurde schon verworfen, weil niemand rechtzeitig entschieden hat
decider-operator = Serverbetrieb
decider-administrator = Verwaltung Nr. { $number }

summary-subject = { $list }: { $count ->
    [one] { $count } Nachricht wartet
   *[other] { $count } Nachrichten warten
} auf Freigabe
summary-begin = { $count ->
    [one] { $count } Nachricht wartet
   *[other] { $count } Nachrichten warten
} bei { $list_address } auf Ihre Freigabe:
summary-message =
    Von:         { $sender }
    Betreff:     { $subject }
    Eingegangen: { $received }
    Grund:       { $reason }
    { $link }
summary-more = und { $count ->
    [one] { $count } weitere
   *[other] { $count } weitere
}.
summary-end =
    Jeder Link öffnet eine Seite mit der Nachricht und mit Schaltflächen, um
    zu entscheiden.

problem-subject = Problem mit einer Nachricht an { $list }: { $subject }
problem-text =
    Eine Nachricht an { $list_address } wurde beiseitegelegt.
    Alles andere läuft weiter.

        Von:     { $sender }
        Betreff: { $subject }
        Grund:   { $reason }

    Mitglieder, die sie noch nicht haben, warten darauf. Sobald die Ursache
    behoben ist, geben Sie die Nachricht frei, dann wird sie zugestellt; oder
    verwerfen Sie sie:

    { $link }

## An die Verwaltung: Eine Anfrage wartet. $person ist ein Name mit Adresse.

approval-join-subject = { $list }: Jemand möchte beitreten
approval-join-text =
    Jemand möchte { $list_address } beitreten:

        Person:       { $person }
        Angefragt am: { $requested }
approval-leave-subject = { $list }: Jemand möchte die Liste verlassen
approval-leave-text =
    Jemand möchte { $list_address } verlassen:

        Person:       { $person }
        Angefragt am: { $requested }
approval-list-subject = Die neue Liste { $list } wartet auf Freigabe
approval-list-text =
    Die neue Liste { $list_address } wartet auf Freigabe:

        Beschreibung: { $description }
        Angefragt am: { $requested }
approval-text =
    Um zu entscheiden, öffnen Sie

    { $link }

    oder antworten Sie auf diese Mail mit einem dieser Wörter in der ersten
    Zeile:

        freigeben                     die Anfrage ist freigegeben
        ablehnen und Ihre Begründung  die Person erfährt es von Ihnen
        verwerfen                     niemand erfährt davon

    Wie es weitergeht: Die erste Entscheidung gilt. Wird eine Anfrage
    freigegeben oder abgelehnt, erfährt es die Person per Mail, mit Ihrer
    Begründung. Von einer verworfenen Anfrage erfährt niemand.
approval-answer-subject = Re: eine Anfrage zu { $list }
approval-answer-about = Zu einer Anfrage, die { $list } betrifft:
approval-decided-approved = die Anfrage wurde schon freigegeben ({ $by }, { $time })
approval-decided-rejected = die Anfrage wurde schon abgelehnt ({ $by }, { $time })
approval-decided-discarded = die Anfrage wurde schon verworfen ({ $by }, { $time })
approval-summary-subject = { $list }: { $count ->
    [one] { $count } Anfrage wartet
   *[other] { $count } Anfragen warten
} auf eine Entscheidung
approval-summary-both-subject = { $list }: Nachrichten und Anfragen warten
approval-summary-begin = { $count ->
    [one] { $count } Anfrage wartet
   *[other] { $count } Anfragen warten
} bei { $list_address } auf Ihre Entscheidung:

## An jemanden, über dessen Anfrage entschieden wurde

approval-joined-subject = Sie sind Mitglied von { $list }
approval-joined-text =
    Wer { $list } betreut, hat Ihre Anfrage freigegeben. Sie sind jetzt
    Mitglied der Liste und bekommen ihre Mails.
approval-not-joined-subject = Ihre Anfrage, { $list } beizutreten
approval-not-joined-text =
    Wer { $list } betreut, hat Ihre Anfrage, der Liste beizutreten,
    nicht freigegeben. Wenn Sie das für ein Versehen halten, antworten Sie
    bitte auf diese Mail: Ihre Antwort geht an die Betreuung der Liste.
approval-left-subject = Sie haben { $list } verlassen
approval-left-text =
    Wer { $list } betreut, hat Ihre Anfrage freigegeben. Sie haben die
    Liste verlassen und bekommen keine Mails mehr von ihr.
approval-not-left-subject = Ihre Anfrage, { $list } zu verlassen
approval-not-left-text =
    Wer { $list } betreut, hat Ihre Anfrage, die Liste zu verlassen,
    nicht freigegeben. Sie bleiben also auf der Liste. Wenn Sie das für ein
    Versehen halten, antworten Sie bitte auf diese Mail: Ihre Antwort geht
    an die Betreuung der Liste.
approval-opened-subject = Ihre Liste { $list } ist freigegeben
approval-opened-text =
    Ihre Liste { $list } ist freigegeben. Sie nimmt ab jetzt Mails an.
approval-refused-subject = Ihre Liste { $list } wurde nicht freigegeben
approval-refused-text =
    Ihre Liste { $list } wurde nicht freigegeben und ist gelöscht.
approval-reason = Die Begründung:

## An die Verwaltung: wer beigetreten und wer gegangen ist

news-joined-subject = { $list }: ein neues Mitglied
news-joined-text = Jemand ist { $list_address } beigetreten:
news-left-subject = { $list }: Ein Mitglied hat die Liste verlassen
news-left-text = Jemand hat { $list_address } verlassen:
news-why-subject = { $list }: warum ein Mitglied die Liste verlassen hat
news-why-text = Jemand hat { $list_address } verlassen und sagt, warum:
news-line = { $person }, { $time }
news-reason = In eigenen Worten:
news-summary-subject = { $list }: wer beigetreten und wer gegangen ist
news-summary-joined = { $count ->
    [one] { $count } Person ist
   *[other] { $count } Personen sind
} { $list_address } beigetreten:
news-summary-left = { $count ->
    [one] { $count } Person hat
   *[other] { $count } Personen haben
} { $list_address } verlassen:
news-summary-why = { $count ->
    [one] { $count } Person, die { $list_address } verlassen hat, sagt
   *[other] { $count } Personen, die { $list_address } verlassen haben, sagen
}, warum:

## An die Verwaltung

invite-from = Mailinglisten von { $domain }
invite-subject = Wählen Sie Ihr Passwort für die Mailinglisten von { $site }
invite-text =
    Sie gehören jetzt zur Verwaltung der Mailinglisten von { $site }.

    Bitte wählen Sie das Passwort, mit dem Sie sich als { $username }
    anmelden:

    { $link }

    Der Link funktioniert einmal, bis zum { $day }. Wenn
    Sie diese Mail nicht erwartet haben, brauchen Sie nichts zu tun.

alert-bounce-subject = Der Versand an eine Adresse ist pausiert
alert-bounce-text =
    Mails an diese Adressen sind endgültig zurückgekommen, deshalb schicken
    wir ihnen nichts mehr. Alle drei Tage versuchen wir es noch einmal,
    insgesamt viermal. Sobald eine Mail ankommt oder Sie den Versand
    fortsetzen, bekommen sie wieder die Mails ihrer Listen.
alert-complaint-subject = Jemand hat sich beschwert
alert-complaint-text =
    Diese Mitglieder haben ihrem Anbieter gemeldet, dass sie Mails einer Liste
    nicht wünschen. Wir schicken ihnen nichts mehr, bis sie selbst oder Sie
    es anders entscheiden.
alert-backup-subject = Sicherungen von { $host } schlagen fehl
alert-backup-text = Die letzten { $count } Sicherungen nach { $place } sind fehlgeschlagen, die letzte aus diesem Grund:
alert-backup-newest = Die neueste Sicherung ist vom { $time }. Der Server versucht es weiter.
alert-backup-none = Dort wurde noch keine Sicherung angelegt. Der Server versucht es weiter.
alert-provider-subject = Ein Anbieter weist Mails ab
alert-provider-text =
    Ein Anbieter weist ab, was eine Liste verschickt, aus Gründen, die nichts
    mit den Mitgliedern zu tun haben. Der Rest der Nachricht wird diesem
    Anbieter vorerst nicht zugestellt. Kein Mitglied wurde pausiert.
alert-webhook-subject = Ein Webhook nimmt nichts an
alert-webhook-text =
    Ereignisse konnten nicht an diese Webhooks des Kontos gesendet werden. Nach
    zehn Versuchen wird ein Webhook angehalten; was er nicht bekam, lässt sich
    noch einmal senden.

alert-report-subject = Ein Bericht über Mails an ein Mitglied ist nicht glaubhaft
alert-report-text =
    Berichten zufolge sind Mails an diese Mitglieder nicht angekommen oder
    nicht erwünscht. Nichts belegt, dass die Berichte von den Anbietern der
    Mitglieder stammen: Wer sich mit anderen eine Kopie einer Nachricht teilt
    (--delivery batched), kennt ihre Rücksendeadresse und könnte einen solchen
    Bericht geschrieben haben. Niemand wurde pausiert. Wenn Sie wissen, dass
    eine Adresse nicht funktioniert, pausieren Sie sie bitte selbst.

alert-line-dead = { $address }: diese Adresse gibt es nicht ({ $words })
alert-line-soft = { $address }: Mails an diese Adresse kommen seit 8 Tagen nicht an ({ $words })
alert-line-complaint = { $address }: das Mitglied hat sich beschwert ({ $words })
alert-line-report = { $address }: { $words }
alert-line-webhook-fails = { $host }: drei Versuche hintereinander sind gescheitert ({ $words })
alert-line-webhook-paused = { $host }: der Webhook wurde angehalten ({ $words })
alert-line-provider = { $provider } hat { $refused } von { $copies } Kopien von „{ $subject }“ an { $list } abgewiesen ({ $words })
alert-more = und { $count ->
    [one] { $count } weitere
   *[other] { $count } weitere
}.
complaint-words = ein Bericht der Art { $kind }

## An ein Mitglied, dessen Mail zurückkam

probe-subject = Kommen wieder Mails bei Ihnen an?
probe-text =
    Mails der Listen von { $account } an diese Adresse sind
    zurückgekommen, deshalb schicken wir ihr vorerst nichts mehr. Zuletzt
    hieß es:

    { $words }

    Mit dieser Mail fragen wir, ob die Adresse wieder funktioniert. Wenn Sie
    sie lesen können, brauchen Sie nichts zu tun: In wenigen Tagen bekommen
    Sie Ihre Listen wieder. Wenn Sie sie sofort wieder bekommen möchten,
    öffnen Sie diese Seite und klicken Sie auf die Schaltfläche:

    { $link }

## Der lesbare Teil eines Zustellberichts, um den ein Absender gebeten hat

report-from = Mailzustellung
report-subject = Ihre Nachricht wurde zugestellt
report-begin = Dies ist der Bericht, um den Sie gebeten haben. Ihre Nachricht ist angekommen:
report-delivered = { $address }: am Ziel angekommen
report-relayed = { $address }: weitergegeben an alle, für die diese Adresse steht
report-end = Die Zustellung an die einzelnen Mitglieder wird nicht gemeldet.

## In den Kopien, die Mitglieder bekommen

copy-cut-off = [Die Mailingliste hat diese Nachricht hier gekürzt.]
copy-attachment-removed = [Anhang entfernt: { $name } ({ $kind }, { $size })]
copy-attachment-nameless = ohne Namen

## An die Inhaberin oder den Inhaber einer Adresse, für die um etwas gebeten wurde

confirm-mail-subject = Bitte bestätigen: { $list }
confirm-mail-text =
    Sie haben uns um Folgendes gebeten, oder jemand hat Ihre Adresse
    { $address } eingegeben:

    { $changes }

    Wenn Sie es waren, öffnen Sie diese Seite und klicken Sie auf die
    Schaltfläche:

    { $link }

    Oder antworten Sie einfach auf diese Mail; Sie müssen nichts schreiben.

    Wenn Sie es nicht waren, tun Sie nichts. Es hat sich nichts geändert, und
    der Link gilt nur bis zum { $until }.
confirm-mail-approval =
    Wie es nach Ihrer Bestätigung weitergeht: Wer die Liste betreut,
    entscheidet. Danach bekommen Sie eine Mail.
confirm-change-join = Der Liste { $list } beitreten
confirm-change-leave = Die Liste { $list } verlassen
confirm-change-digest = Von der Liste { $list } eine Sammelmail am Tag bekommen
confirm-change-singly = Von der Liste { $list } jede Nachricht einzeln bekommen
confirm-change-as-address = Die Liste { $list } so bekommen, wie es für Ihre Adresse eingestellt ist
confirm-change-pause = Den Versand aller Listen an diese Adresse pausieren
confirm-change-resume = Den Versand der Listen an diese Adresse fortsetzen
confirm-change-add = Diese Adresse für Ihre Listen von { $site } verwenden

## Antworten auf Mails mit Befehlen und auf Antworten, die eine Anfrage bestätigen. Die Befehle werden von Menschen
## getippt: Sie sind in jeder Sprache gleich.

command-subject = Ihre Anfrage an { $list }
command-results = Das Ergebnis Ihrer Anfrage:
command-to-confirm = Bitte bestätigen Sie das mit dem Link unten.
command-mailed-before = Den Link zum Bestätigen haben wir Ihnen im Lauf des letzten Tages schon geschickt: Bitte suchen Sie diese Mail.
command-confirm =
    Zum Bestätigen öffnen Sie diese Seite und klicken auf die Schaltfläche:

    { $link }

    Oder antworten Sie einfach auf diese Mail; Sie müssen nichts schreiben.

    Wenn Sie nicht darum gebeten haben, tun Sie nichts. Es hat sich nichts
    geändert, und der Link gilt nur bis zum { $until }.
command-none = In Ihrer Mail stand kein Befehl, den wir verstehen.
command-other-lines = In Ihrer Mail standen Zeilen, die keine Befehle sind. Wir haben sie übergangen.
command-member-already = Sie sind schon Mitglied von { $list }.
command-join-closed = { $list } können Sie nicht von sich aus beitreten. Bitte fragen Sie die Betreuung der Liste.
command-leave-closed = { $list } können Sie nicht von sich aus verlassen. Bitte fragen Sie die Betreuung der Liste.
command-not-permitted = Adressen wie { $address } können nicht Mitglied von { $list } sein.
command-no-member = { $address } ist kein Mitglied von { $list }. Falls Sie die Mails unter einer anderen Adresse bekommen, schreiben Sie bitte von dort.
command-unknown = { $address } steht auf keiner unserer Listen.
command-digest-already = Von { $list } bekommen Sie schon eine Sammelmail am Tag.
command-singly-already = Von { $list } bekommen Sie schon jede Nachricht einzeln.
command-paused-already = Der Versand an { $address } ist schon pausiert.
command-not-paused = Der Versand an { $address } ist nicht pausiert.
command-which-singly = { $name } ({ $title }): jede Nachricht einzeln
command-which-digest = { $name } ({ $title }): eine Sammelmail am Tag
command-which-web = { $name } ({ $title }): keine Mails, nur im Web zu lesen
command-which-paused = Der Versand an { $address } ist zurzeit pausiert.
command-help =
    { $list } versteht diese Befehle. Schreiben Sie jeden
    auf eine eigene Zeile, und schicken Sie sie an { $address }:
command-help-help = diese Hilfe
command-help-subscribe = um der Liste beizutreten
command-help-subscribe-digest = um beizutreten und eine Sammelmail am Tag zu bekommen
command-help-unsubscribe = um die Liste zu verlassen
command-help-digest-on = um eine Sammelmail am Tag zu bekommen
command-help-digest-off = um jede Nachricht einzeln zu bekommen
command-help-pause = um den Versand unserer Listen an Sie zu pausieren
command-help-resume = um ihn fortzusetzen
command-help-which = um zu sehen, auf welchen unserer Listen Sie stehen
command-help-end =
    Bevor sich etwas ändert, bekommen Sie einen Link zum Bestätigen. Wer die
    Liste betreut, ist unter { $owner } zu erreichen.
command-help-page = Die Liste hat eine Seite:
command-expired =
    Ihre Anfrage vom { $day } ließ sich nicht bestätigen:
    Das geht sieben Tage lang, und die sind vorbei. Es hat sich nichts
    geändert. Wenn Sie es noch möchten, fragen Sie bitte noch einmal an.

## Die Schaltflächen der Mails in HTML: Jede steht dort, wo der Text den Link hat

mail-button-decide = Lesen und entscheiden
mail-button-decide-request = Entscheiden
mail-button-confirm = Bestätigen
mail-button-sign-in = Anmelden
mail-button-password = Passwort wählen
mail-button-unlock = Adresse entsperren
mail-button-resume = Versand fortsetzen
mail-button-leave = Die Liste verlassen
mail-button-manage = Ihre Listen
mail-button-archive = Im Archiv lesen
mail-button-list = Seite der Liste
alert-lists = Mitglied von { $lists }
alert-person = { $name }, Mitglied von { $lists }
mail-button-person = Diese Person ansehen
# Told to the sender of a message, behind "Reason:".
reason-your-address = Ihre Adresse darf nicht an diese Liste schreiben; wenn Sie Mitglied sind, schreiben Sie von der Adresse, an der Sie ihre Mails bekommen
