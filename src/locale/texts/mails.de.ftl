### Texte der Mails, die der Server schreibt. Die Begriffe stehen in common.de.ftl.

## Warum eine Nachricht wartet oder zurückgeht

reason-automated = die Nachricht wurde automatisch verschickt
reason-not-allowed = diese Adresse darf nicht an die Liste schreiben
reason-not-proven = der Absender ließ sich nicht prüfen: weder DMARC noch ein passendes SPF- oder DKIM-Ergebnis war gültig
reason-every-message = jede Nachricht an diese Liste braucht eine Freigabe
reason-reply = Antworten an diese Liste brauchen eine Freigabe
reason-closed-thread = das Thema, auf das sie antwortet, ist geschlossen
reason-known-id = eine andere Nachricht mit derselben Message-ID kam vor ihr
reason-taboo-header = eine Kopfzeile passt auf das Muster { $pattern }
reason-taboo-body = der Inhalt passt auf das Muster { $pattern }
reason-patterns-slow = das Prüfen der Muster hat zu lange gedauert
reason-pattern-large = das Prüfen der Muster hat zu lange gedauert: ein Muster ist größer als heute erlaubt und muss durch ein kürzeres ersetzt werden
reason-text-long = das Prüfen der Muster hat zu lange gedauert: der Text ist länger, als geprüft wird
reason-kind-pattern = ein Muster der Liste passt
reason-kind-failed = der Server konnte nicht über sie entscheiden oder sie nicht verschicken
reason-banned = diese Adresse ist von der Liste ausgeschlossen
reason-too-large = die Nachricht ist größer als die { $limit }, die diese Liste annimmt
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

    Bisher hat sie niemand bekommen. Wie es weitergeht: Wer die Liste betreut,
    liest sie und entscheidet. Sie brauchen sie nicht noch einmal zu schicken.

reject-subject = Ihre Nachricht an { $list } wurde nicht verschickt
reject-text =
    Ihre Nachricht an { $list } wurde nicht an die Mitglieder der Liste
    verschickt:

        Betreff: { $subject }
        Grund:   { $reason }

    Wenn Sie das für einen Irrtum halten, antworten Sie bitte auf diese Mail:
    Sie erreicht alle, die die Liste betreuen.

## An ein neues Mitglied

welcome-subject = Willkommen bei { $list }
welcome-text =
    Willkommen! Ihre Adresse { $email } wurde in die Mailinglisten von { $list }
    aufgenommen.

    In jeder Mail einer Liste steht ein Link, mit dem Sie diese Liste verlassen
    können.

## An die Moderation

moderate-mail-subject = Wartet auf Freigabe für { $list }: { $subject }
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

        freigeben               alle bekommen sie
        ablehnen und Ihr Grund  sie ist abgelehnt, mit Ihren Worten
        verwerfen               sie fällt weg, und niemand erfährt davon

    Wie es weitergeht: Die erste Entscheidung zählt. Wenn niemand entscheidet,
    wird die Nachricht am { $due } verworfen.
moderate-preview = Die Nachricht beginnt so:

moderate-answer-subject = Re: Wartet auf Freigabe für { $list }: { $subject }
moderate-answer-about = Zur Nachricht „{ $subject }“ an { $list }:
moderate-answer-unchanged = Es wurde nichts geändert: { $problem }.
moderate-answer-unknown =
    Ihre Antwort wurde nicht verstanden, und es wurde nichts geändert.
moderate-answer-two =
    Ihre Antwort nennt zwei verschiedene Entscheidungen, deshalb wurde nichts
    geändert. Bitte antworten Sie noch einmal, nur mit einer davon.
moderate-answer-words =
    Bitte beginnen Sie Ihre Antwort mit einer dieser Zeilen:

        freigeben
        ablehnen und Ihr Grund
        verwerfen

decided-approved = die Nachricht wurde schon freigegeben, von { $by } am { $time }
decided-rejected = die Nachricht wurde schon abgelehnt, von { $by } am { $time }
decided-discarded = die Nachricht wurde schon verworfen, von { $by } am { $time }
decided-by-nobody = die Nachricht wurde schon verworfen, weil niemand rechtzeitig entschieden hat
decider-operator = wer den Server betreibt
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
    Jeder Link öffnet eine Seite mit der Nachricht und mit Knöpfen, um zu
    entscheiden.

problem-subject = Schwierigkeit mit einer Nachricht an { $list }: { $subject }
problem-text =
    Eine Nachricht an { $list_address } wurde beiseitegelegt. Alles andere geht
    weiter.

        Von:     { $sender }
        Betreff: { $subject }
        Grund:   { $reason }

    Wer von den Mitgliedern sie noch nicht hat, wartet darauf. Geben Sie sie
    frei, sobald die Ursache behoben ist, dann wird sie zugestellt; oder
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
approval-list-subject = Die neue Liste { $list } wartet auf Genehmigung
approval-list-text =
    Die neue Liste { $list_address } wartet auf Genehmigung:

        Beschreibung: { $description }
        Angefragt am: { $requested }
approval-text =
    Um zu entscheiden, öffnen Sie

    { $link }

    oder antworten Sie auf diese Mail mit einem dieser Wörter in der ersten
    Zeile:

        freigeben               die Anfrage ist angenommen
        ablehnen und Ihr Grund  die Person erfährt es, mit Ihren Worten
        verwerfen               niemand erfährt davon

    Wie es weitergeht: Die erste Entscheidung zählt. Wird eine Anfrage
    angenommen oder abgelehnt, erfährt es die Person per Mail, mit Ihrem
    Grund. Von einer verworfenen Anfrage erfährt niemand.
approval-answer-subject = Re: eine Anfrage zu { $list }
approval-answer-about = Zu einer Anfrage, die { $list } betrifft:
approval-decided-approved = die Anfrage wurde schon angenommen, von { $by } am { $time }
approval-decided-rejected = die Anfrage wurde schon abgelehnt, von { $by } am { $time }
approval-decided-discarded = die Anfrage wurde schon verworfen, von { $by } am { $time }
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
    Ihre Anfrage ist angenommen. Sie sind jetzt Mitglied von { $list }
    und bekommen die Nachrichten der Liste.
approval-not-joined-subject = Ihre Anfrage, { $list } beizutreten
approval-not-joined-text =
    Ihre Anfrage, { $list } beizutreten, wurde abgelehnt. Wenn Sie das für ein
    Versehen halten, antworten Sie bitte auf diese Mail: Sie erreicht alle, die
    die Liste betreuen.
approval-left-subject = Sie haben { $list } verlassen
approval-left-text =
    Ihre Anfrage ist angenommen. Sie haben { $list } verlassen und bekommen
    keine Nachrichten der Liste mehr.
approval-not-left-subject = Ihre Anfrage, { $list } zu verlassen
approval-not-left-text =
    Ihre Anfrage, { $list } zu verlassen, wurde abgelehnt. Sie bleiben also
    Mitglied. Wenn Sie das für ein Versehen halten, antworten Sie bitte auf
    diese Mail: Sie erreicht alle, die die Liste betreuen.
approval-opened-subject = Ihre Liste { $list } ist genehmigt
approval-opened-text =
    Ihre Liste { $list } ist genehmigt. Sie nimmt ab jetzt Nachrichten an.
approval-refused-subject = Ihre Liste { $list } ist nicht genehmigt
approval-refused-text =
    Ihre Liste { $list } wurde nicht genehmigt und ist gelöscht.
approval-reason = Die Begründung:

## An die Verwaltung: wer beigetreten und wer gegangen ist

news-joined-subject = { $list }: ein neues Mitglied
news-joined-text = Jemand ist { $list_address } beigetreten:
news-left-subject = { $list }: Ein Mitglied ist gegangen
news-left-text = Jemand hat { $list_address } verlassen:
news-why-subject = { $list }: warum ein Mitglied gegangen ist
news-why-text = Jemand, der { $list_address } verlassen hat, sagt, warum:
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
    Sie wurden in die Verwaltung der Mailinglisten von { $site } aufgenommen.

    Bitte wählen Sie das Passwort, mit dem Sie sich als { $username } anmelden:

    { $link }

    Der Link funktioniert einmal, bis zum { $day }. Wenn Sie diese Mail nicht
    erwartet haben, brauchen Sie nichts zu tun.

alert-bounce-subject = Eine Adresse bekommt vorerst keine Mail
alert-bounce-text =
    Mail an diese Adressen ist endgültig zurückgekommen, deshalb wird ihnen
    nichts mehr geschickt. Alle drei Tage wird es noch einmal versucht,
    insgesamt viermal. Sobald eine Mail ankommt oder Sie es erlauben, bekommen
    sie wieder Mail.
alert-complaint-subject = Jemand hat sich beschwert
alert-complaint-text =
    Diese Mitglieder haben ihrem Anbieter gesagt, dass sie Mail einer Liste
    nicht wünschen. Ihnen wird nichts mehr geschickt, bis sie oder Sie es
    anders entscheiden.
alert-backup-subject = Sicherungen von { $host } schlagen fehl
alert-backup-text = Die letzten { $count } Sicherungen nach { $place } sind fehlgeschlagen, die letzte aus diesem Grund:
alert-backup-newest = Die neueste Sicherung ist vom { $time }. Der Server versucht es weiter.
alert-backup-none = Dort wurde noch keine Sicherung angelegt. Der Server versucht es weiter.
alert-provider-subject = Ein Anbieter lehnt Mail ab
alert-provider-text =
    Ein Anbieter lehnt ab, was eine Liste verschickt, aus Gründen, die nichts
    mit den Mitgliedern zu tun haben. Der Rest der Nachricht wird diesem
    Anbieter vorerst nicht zugestellt. Kein Mitglied wurde pausiert.
alert-report-subject = Ein Bericht über Mail an ein Mitglied war nicht glaubhaft
alert-report-text =
    Berichten zufolge ist Mail an diese Mitglieder nicht angekommen oder nicht
    erwünscht. Nichts belegt, dass die Berichte von den Anbietern der
    Mitglieder stammen: Wer sich mit anderen eine Kopie einer Nachricht teilt
    (--delivery batched), kennt ihre Rückadresse und könnte einen solchen
    Bericht geschrieben haben. Niemand wurde pausiert. Wenn Sie wissen, dass
    eine Adresse nicht funktioniert, pausieren Sie sie bitte selbst.

alert-line-dead = { $address }: diese Adresse gibt es nicht ({ $words })
alert-line-soft = { $address }: Mail an diese Adresse kommt seit 8 Tagen nicht an ({ $words })
alert-line-complaint = { $address }: das Mitglied hat sich beschwert ({ $words })
alert-line-report = { $address }: { $words }
alert-line-provider = { $provider } hat { $refused } von { $copies } Kopien von „{ $subject }“ an { $list } abgelehnt ({ $words })
alert-more = und { $count ->
    [one] { $count } weitere
   *[other] { $count } weitere
}.
complaint-words = ein Bericht der Art { $kind }

## An ein Mitglied, dessen Mail zurückkam

probe-subject = Erreicht Sie wieder Mail?
probe-text =
    Mail der Listen von { $account } an diese Adresse ist zurückgekommen, deshalb
    wird ihr vorerst nichts geschickt. Zuletzt hieß es:

    { $words }

    Diese Mail fragt, ob die Adresse wieder funktioniert. Wenn Sie sie lesen
    können, brauchen Sie nichts zu tun: Ihre Listen gehen in wenigen Tagen
    weiter. Wenn Sie sie gleich wieder bekommen möchten, öffnen Sie diese
    Seite und drücken Sie den Knopf:

    { $link }

## Der lesbare Teil eines Zustellberichts, um den ein Absender gebeten hat

report-from = Mailzustellung
report-subject = Ihre Nachricht wurde zugestellt
report-begin = Dies ist der Bericht, um den Sie gebeten haben. Ihre Nachricht ist angekommen:
report-delivered = { $address }: sie ist dort, wohin Sie sie geschickt haben
report-relayed = { $address }: sie wurde an alle weitergegeben, für die diese Adresse steht
report-end = Was bei den einzelnen Empfängern mit ihr geschieht, wird nicht berichtet.

## In den Kopien, die Mitglieder bekommen

copy-cut-off = [Die Mailingliste hat diese Nachricht hier gekürzt.]
copy-attachment-removed = [Anhang entfernt: { $name } ({ $kind }, { $size })]
copy-attachment-nameless = ohne Namen

## An die Inhaberin oder den Inhaber einer Adresse, für die um etwas gebeten wurde

confirm-mail-subject = Bitte bestätigen: { $list }
confirm-mail-text =
    Sie, oder jemand, der Ihre Adresse
    { $address }
    eingegeben hat, haben uns darum gebeten:

    { $changes }

    Wenn Sie es waren, öffnen Sie diese Seite und drücken Sie den Knopf:

    { $link }

    Oder antworten Sie einfach auf diese Mail; schreiben müssen Sie nichts.

    Wenn Sie es nicht waren, tun Sie nichts. Es hat sich nichts geändert, und
    der Link gilt nur bis zum { $until }.
confirm-mail-approval =
    Wie es nach Ihrer Bestätigung weitergeht: Wer die Liste betreut,
    entscheidet, und Sie bekommen dann eine Mail.
confirm-change-join = Der Liste { $list } beitreten
confirm-change-leave = Die Liste { $list } verlassen
confirm-change-digest = Die Liste { $list } als eine Mail am Tag bekommen
confirm-change-singly = Jede Nachricht der Liste { $list } einzeln bekommen
confirm-change-as-address = Die Liste { $list } so bekommen, wie es für Ihre Adresse gilt
confirm-change-pause = Alle Mails von Listen an diese Adresse anhalten
confirm-change-resume = Mails von Listen wieder an diese Adresse bekommen
confirm-change-add = Diese Adresse für Ihre Listen von { $site } verwenden

## Antworten auf Mails mit Befehlen und auf Antworten, die eine Anfrage bestätigen. Die Befehle werden von Menschen
## getippt: Sie sind in jeder Sprache gleich.

command-subject = Ihre Anfrage an { $list }
command-results = Das ist aus Ihrer Anfrage geworden:
command-to-confirm = Bitte bestätigen Sie das mit dem Link unten.
command-mailed-before = Den Link zum Bestätigen haben Sie innerhalb des letzten Tages per Mail bekommen: Bitte sehen Sie dort nach.
command-confirm =
    Zum Bestätigen öffnen Sie diese Seite und drücken den Knopf:

    { $link }

    Oder antworten Sie einfach auf diese Mail; Sie müssen nichts schreiben.

    Wenn Sie nicht darum gebeten haben, tun Sie nichts. Es hat sich nichts
    geändert, und der Link funktioniert nur bis zum { $until }.
command-none = In Ihrer Mail stand kein Befehl, den wir verstehen.
command-other-lines = In Ihrer Mail standen Zeilen, die keine Befehle sind. Sie wurden übergangen.
command-member-already = Sie sind schon Mitglied von { $list }.
command-join-closed = Bei { $list } kann man sich nicht selbst anmelden. Bitte fragen Sie, wer die Liste betreut.
command-leave-closed = Von { $list } kann man sich nicht selbst abmelden. Bitte fragen Sie, wer die Liste betreut.
command-not-permitted = Adressen wie { $address } können nicht Mitglied von { $list } sein.
command-no-member = { $address } ist kein Mitglied von { $list }. Falls die Mails an eine andere Adresse von Ihnen gehen, schreiben Sie bitte von dort.
command-unknown = { $address } ist in keiner unserer Listen.
command-digest-already = { $list } kommt bei Ihnen schon als eine Mail am Tag.
command-singly-already = { $list } kommt bei Ihnen schon Nachricht für Nachricht.
command-paused-already = Mails an { $address } pausieren schon.
command-not-paused = Mails an { $address } pausieren nicht.
command-which-singly = { $name } ({ $title }): jede Nachricht einzeln
command-which-digest = { $name } ({ $title }): eine Mail am Tag
command-which-web = { $name } ({ $title }): keine Mails, nur im Web zu lesen
command-which-paused = Mails an { $address } pausieren derzeit.
command-help =
    { $list } versteht diese Befehle. Schreiben Sie jeden auf eine eigene Zeile,
    und schicken Sie sie an { $address }:
command-help-help = diese Hilfe
command-help-subscribe = um der Liste beizutreten
command-help-subscribe-digest = um beizutreten und eine Mail am Tag zu bekommen
command-help-unsubscribe = um die Liste zu verlassen
command-help-digest-on = um die Liste als eine Mail am Tag zu bekommen
command-help-digest-off = um jede Nachricht einzeln zu bekommen
command-help-pause = um alle Mails unserer Listen an Ihre Adresse anzuhalten
command-help-resume = um sie wieder zu bekommen
command-help-which = um zu sehen, in welchen unserer Listen Sie sind
command-help-end =
    Bevor sich etwas ändert, bekommen Sie einen Link zum Bestätigen. Alle, die
    die Liste betreuen, erreichen Sie unter { $owner }.
command-help-page = Die Liste hat eine Seite:
command-expired =
    Ihre Anfrage vom { $day } konnte nicht bestätigt werden: Das geht sieben
    Tage lang, und die sind vorbei. Es hat sich nichts geändert. Wenn Sie es
    noch möchten, fragen Sie bitte noch einmal an.

## Die Knöpfe der Mails in HTML: Jeder steht dort, wo der Text den Link hat

mail-button-decide = Lesen und entscheiden
mail-button-decide-request = Entscheiden
mail-button-confirm = Bestätigen
mail-button-sign-in = Anmelden
mail-button-password = Passwort wählen
mail-button-unlock = Adresse entsperren
mail-button-resume = Wieder Mail bekommen
mail-button-leave = Die Liste verlassen
mail-button-manage = Ihre Listen
mail-button-archive = Im Archiv lesen
mail-button-list = Seite der Liste
alert-lists = Mitglied von { $lists }
alert-person = { $name }, Mitglied von { $lists }
mail-button-person = Diese Person ansehen
