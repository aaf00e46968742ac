### Texte der Seiten für Mitglieder und der Mail, mit der sie sich anmelden.

nav-members = Ihre Listen

## Anmelden

me-sign-in-title = Bei Ihren Listen anmelden
me-sign-in-lede = Sie brauchen kein Passwort. Wir schicken Ihnen einen Link per Mail, und der öffnet Ihre Listen.
me-sign-in-button = Link schicken
me-email-label = Ihre Adresse
me-email-hint = Die Adresse, an die die Mails Ihrer Listen gehen.
me-email-missing = Bitte geben Sie Ihre Adresse ein.
me-email-without-at = In der Adresse fehlt das @.
me-email-wrong = An diese Adresse lassen sich keine Mails schicken.
me-stay-label = Auf diesem Gerät angemeldet bleiben
me-stay-hint = 90 Tage lang statt nur einen. Nur auf einem Gerät, das sonst niemand benutzt.
me-mailed-title = Schauen Sie in Ihr Postfach
me-mailed-lede = Wenn wir { $address } kennen, ist eine Mail mit einem Link dorthin unterwegs. Der Link gilt { $time }.
me-mailed-nothing = Es kommt nichts an?
me-mailed-spam = Vielleicht liegt die Mail im Spam-Ordner.
me-mailed-other = Vielleicht kommen Ihre Listen an eine andere Adresse von Ihnen.
me-mailed-often = Wenn Sie vor weniger als einer Minute schon einen Link angefordert haben, suchen Sie die frühere Mail: Ihr Link gilt noch. Wir schicken einer Adresse höchstens eine Mail in der Minute und fünf am Tag; der Link der fünften gilt bis zum nächsten Tag.
me-mailed-again = Andere Adresse eingeben

## Die Seite des Links

me-link-title = Willkommen zurück
me-link-lede = Sie melden sich gleich mit { $address } an.
me-link-button = Anmelden
me-link-day = Sie bleiben einen Tag lang angemeldet, oder bis Sie sich abmelden.
me-link-long = Sie bleiben auf diesem Gerät 90 Tage lang angemeldet, oder bis Sie sich abmelden.
me-link-used = Dieser Link wurde schon benutzt
me-link-used-next = Mit jedem Link können Sie sich einmal anmelden. Wenn Sie nicht angemeldet sind, fordern Sie einen neuen an.
me-link-expired = Dieser Link gilt nicht mehr
me-link-expired-next = Links zum Anmelden gelten eine Stunde. Fordern Sie einen neuen an; er kommt sofort.
me-link-again = Neuen Link schicken

## Die Mail mit dem Link

me-mail-subject = Ihr Link zum Anmelden bei { $account }
me-mail-text =
    Jemand, wahrscheinlich Sie, möchte sich mit der Adresse { $address }
    bei den Mailinglisten von { $account } anmelden.

    Zum Anmelden öffnen Sie diese Seite und klicken auf die Schaltfläche:

    { $link }

    Der Link funktioniert einmal, bis zum { $until }.

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ohne diese Mail
    kann sich niemand in Ihrem Namen anmelden.

## Die erste Seite eines Mitglieds

me-hello = Hallo { $name }
me-count = { $count ->
    [0] Sie stehen zurzeit auf keiner Liste.
    [one] Sie stehen auf einer Liste.
   *[other] Sie stehen auf { $count } Listen.
}
me-how-single = Jede Nachricht einzeln
me-how-digest = Eine Sammelmail am Tag
me-how-none = Keine Mails, ich lese hier
me-people = Mitglieder aller Listen
me-people-list = Mitglieder von { $list }
me-people-here = Mitglieder
me-save = Speichern
me-leave = Verlassen
me-leave-approval = Wenn Sie die Liste verlassen möchten, muss ihre Betreuung zustimmen.
me-leave-waits = Sie haben angefragt, die Liste zu verlassen. Wer sie betreut, entscheidet darüber.
me-leave-closed = Um diese Liste zu verlassen, schreiben Sie bitte an ihre Betreuung.
me-left = Sie haben diese Liste verlassen. Bis zum { $day } können Sie das rückgängig machen.
me-joined = Mitglied seit dem { $time }, { $way }.
me-joined-from = Mitglied seit dem { $time }, { $way }, von { $from } aus.
me-way-administrator = hinzugefügt von der Verwaltung
me-way-web = über eine Webseite
me-way-mail = per Mail

me-addresses = Ihre Adressen
me-first = Hauptadresse
me-paused = Pausiert
me-state-active = An diese Adresse gehen die Mails Ihrer Listen.
me-state-paused = Pausiert, bis Sie den Versand fortsetzen. Schreiben können Sie von dieser Adresse weiterhin.
me-state-until = Pausiert bis zum { $day }.
me-state-dead = Pausiert seit dem { $day }, weil es dieses Postfach laut seinem Server nicht gibt.
me-state-soft = Pausiert seit dem { $day }, weil Mails dorthin acht Tage lang zurückkamen.
me-state-complaint = Pausiert seit dem { $day }, weil eine Nachricht als unerwünscht gemeldet wurde.
me-state-next = { $why } Wir versuchen es am { $day } wieder.
me-until = Keine Mails bis zum
me-until-hint = Lassen Sie das Feld leer, wenn Sie den Tag noch nicht wissen.
me-until-wrong = Bitte wählen Sie einen Tag ab morgen, höchstens ein paar Jahre im Voraus.
me-pause = Versand pausieren
me-resume = Versand fortsetzen
me-make-first = Zur Hauptadresse machen
me-remove = Entfernen
me-last-address = Das ist Ihre einzige Adresse. Fügen Sie eine andere hinzu, bevor Sie sie entfernen.
me-paused-already = Der Versand dorthin ist schon pausiert, weil Mails zurückkamen oder als unerwünscht gemeldet wurden.

me-name = Ihr Name
me-firstname = Vorname
me-surname = Nachname
me-save-name = Namen speichern
me-too-long = Bitte verwenden Sie höchstens { $count } Zeichen.
me-unprintable = Hier stehen Zeichen, die sich nicht anzeigen lassen.
me-devices = Ihre Geräte und überall abmelden

me-digest-wrong = Bitte wählen Sie eine der Möglichkeiten.
me-done-name = Gespeichert.
me-done-first = { $address } ist jetzt Ihre Hauptadresse.
me-done-remove = { $address } ist entfernt. Dorthin gehen keine Mails mehr.
me-done-pause = Der Versand an { $address } ist pausiert, bis Sie ihn fortsetzen.
me-done-pause-until = Der Versand an { $address } ist bis zum { $day } pausiert.
me-done-resume = Mails gehen wieder an { $address }.
me-done-digest = { $address } bekommt eine Sammelmail am Tag, außer bei Listen, für die Sie etwas anderes gewählt haben.
me-done-single = { $address } bekommt jede Nachricht einzeln, außer bei Listen, für die Sie etwas anderes gewählt haben.
me-done-list = Für { $list } gespeichert.
me-done-leave-waits = Sie haben angefragt, { $list } zu verlassen. Wer die Liste betreut, entscheidet darüber, und Sie erfahren es per Mail.

me-open = Listen, denen Sie beitreten können
me-open-hint = Ihre Adresse ist schon bestätigt, deshalb genügt ein Klick.
me-open-more = Weitere Listen
me-join = Beitreten
me-join-approval = Wer die Liste betreut, entscheidet darüber.
me-join-waits = Sie haben angefragt, beizutreten. Wer die Liste betreut, entscheidet darüber.
me-join-refused = Die Listen hier nehmen keine Adressen wie { $address } auf.
me-done-join = Sie sind jetzt Mitglied von { $list }.
me-done-join-waits = Sie haben angefragt, { $list } beizutreten. Wer die Liste betreut, entscheidet darüber, und Sie erfahren es per Mail.
me-add-label = Meine Mails schicken an
me-add-hint = Wir schicken zuerst einen Link an die neue Adresse, um sicher zu sein, dass sie Ihnen gehört. Bis Sie ihn geöffnet haben, bleibt alles, wie es ist.
me-add = Beide Adressen behalten
me-own-already = Diese Adresse haben Sie schon.
me-done-add = Schauen Sie in das Postfach von { $address }. Sobald Sie den Link geöffnet haben, den wir dorthin schicken, kommen Ihre Mails auch dort an.

## Die Listen eines Mitglieds: was neu ist, wie Mail kommt, Abwesenheit, Umzug an eine andere Adresse

me-write = Schreiben
me-read = Lesen
me-new = { $count ->
    [one] { $number } neu
   *[other] { $number } neu
}
me-new-many = mehr als { $number } neu
me-last = letzte Nachricht
me-since = Mitglied seit dem { $day }
me-how-joined = Wie Sie Mitglied wurden
me-how-list = Wie Sie { $list } bekommen
me-done-how-single = Von jetzt an bekommen Sie jede Nachricht von { $list } einzeln.
me-done-how-digest = Von jetzt an bekommen Sie von { $list } eine Sammelmail am Tag.
me-done-how-none = Sie bekommen keine Mails mehr von { $list }. Die Nachrichten lesen Sie hier.
me-away = Verreist?
me-away-now = Zurzeit kommen keine Mails Ihrer Listen zu Ihnen:
me-away-until = bis zum { $day }, wie Sie es wollten
me-away-open = bis Sie den Versand fortsetzen
me-away-by-server = Mails an Ihre Adresse kamen zurück oder wurden als unerwünscht gemeldet; siehe „Ihre Adressen“
me-go-away = Versand pausieren
me-back = Versand fortsetzen
me-done-away = Der Versand Ihrer Listen an Sie ist pausiert, bis Sie ihn fortsetzen.
me-done-away-until = Der Versand Ihrer Listen an Sie ist bis zum { $day } pausiert.
me-done-back = Sie bekommen wieder die Mails Ihrer Listen.
me-move-label = Anstelle von
me-move = Adresse ersetzen
me-done-move = Schauen Sie in das Postfach von { $address }. Sobald Sie den Link geöffnet haben, den wir dorthin schicken, kommen Ihre Mails dort an und nicht mehr an der bisherigen Adresse.

## Die Mail an eine Adresse, die ein Mitglied ersetzt hat

moved-mail-subject = Ihre Mails von { $account } gehen an eine andere Adresse
moved-mail-text =
    Die Mails Ihrer Listen von { $account } gehen nicht mehr an
    { $address }, sondern an { $new }.
    Das hat jemand veranlasst, der in Ihrem Namen angemeldet war und
    dort Mails liest.

    Wenn Sie es waren, brauchen Sie nichts zu tun.

    Wenn Sie es nicht waren, antworten Sie bitte auf diese Mail: Ihre
    Antwort erreicht die Verwaltung, die die Adresse berichtigen kann.
