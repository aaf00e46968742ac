### Texte der Seiten für Mitglieder und der Mail, mit der sie sich anmelden.

nav-members = Ihre Listen

## Anmelden

me-sign-in-title = Bei Ihren Listen anmelden
me-sign-in-lede = Sie brauchen kein Passwort. Wir schicken einen Link an Ihre Adresse, und der öffnet Ihre Listen.
me-sign-in-button = Link schicken
me-email-label = Ihre Adresse
me-email-hint = Eine, an die Mail Ihrer Listen kommt.
me-email-missing = Bitte geben Sie Ihre Adresse ein.
me-email-without-at = In der Adresse fehlt das @.
me-email-wrong = An diese Adresse kann keine Mail geschickt werden.
me-stay-label = Auf diesem Gerät angemeldet bleiben
me-stay-hint = Für 90 Tage statt für einen. Nur, wenn sonst niemand an Ihr Gerät kommt.
me-mailed-title = Schauen Sie in Ihr Postfach
me-mailed-lede = Wenn wir { $address } kennen, ist eine Mail mit einem Link dorthin unterwegs. Er ist { $time } lang gültig.
me-mailed-nothing = Es kommt nichts an?
me-mailed-spam = Vielleicht liegt sie beim Spam.
me-mailed-other = Vielleicht kommen Ihre Listen an eine andere Ihrer Adressen.
me-mailed-often = Wenn Sie vor weniger als einer Minute schon gefragt haben, suchen Sie die frühere Mail: Ihr Link gilt noch. Wir schicken einer Adresse eine Mail in der Minute und fünf am Tag, und der Link der fünften gilt bis zum nächsten Tag.
me-mailed-again = Eine andere Adresse eingeben

## Die Seite des Links

me-link-title = Willkommen zurück
me-link-lede = Sie melden sich mit { $address } an.
me-link-button = Anmelden
me-link-day = Sie bleiben einen Tag lang angemeldet, oder bis Sie sich abmelden.
me-link-long = Sie bleiben auf diesem Gerät 90 Tage lang angemeldet, oder bis Sie sich abmelden.
me-link-used = Dieser Link wurde schon benutzt
me-link-used-next = Jeder Link meldet Sie einmal an. Wenn Sie nicht angemeldet sind, lassen Sie sich einen neuen schicken.
me-link-expired = Dieser Link funktioniert nicht mehr
me-link-expired-next = Links zum Anmelden gelten eine Stunde. Lassen Sie sich einen neuen schicken; er kommt sofort.
me-link-again = Neuen Link schicken

## Die Mail mit dem Link

me-mail-subject = Ihr Link zum Anmelden bei { $account }
me-mail-text =
    Jemand, vermutlich Sie, möchte sich mit der Adresse { $address }
    bei den Mailinglisten von { $account } anmelden.

    Zum Anmelden öffnen Sie diese Seite und drücken den Knopf:

    { $link }

    Der Link funktioniert einmal, bis { $until }.

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ohne diese Mail
    kann sich niemand als Sie anmelden.

## Die erste Seite eines Mitglieds

me-hello = Hallo { $name }
me-count = { $count ->
    [0] Sie sind zurzeit auf keiner Liste.
    [one] Sie sind auf einer Liste.
   *[other] Sie sind auf { $count } Listen.
}
me-how-single = Jede Nachricht einzeln
me-how-digest = Eine Mail am Tag
me-how-none = Nichts, ich lese hier
me-people = Mitglieder aller Listen
me-people-list = Mitglieder von { $list }
me-people-here = Mitglieder
me-save = Speichern
me-leave = Verlassen
me-leave-approval = Wer die Liste betreut, muss dem Verlassen zustimmen.
me-leave-waits = Sie haben darum gebeten, die Liste zu verlassen. Wer sie betreut, entscheidet darüber.
me-leave-closed = Um diese Liste zu verlassen, schreiben Sie bitte an die Betreuung der Liste.
me-left = Sie haben diese Liste verlassen. Bis zum { $day } können Sie das rückgängig machen.
me-joined = Sie sind seit { $time } dabei, { $way }.
me-joined-from = Sie sind seit { $time } dabei, { $way }, von { $from } aus.
me-way-administrator = hinzugefügt von der Verwaltung
me-way-web = über eine Seite
me-way-mail = per Mail

me-addresses = Ihre Adressen
me-first = Hauptadresse
me-paused = Pausiert
me-state-active = Hierher kommt Mail Ihrer Listen.
me-state-paused = Hierher kommt nichts, bis Sie es wieder einschalten. Schreiben können Sie von hier.
me-state-until = Hierher kommt bis zum { $day } nichts.
me-state-dead = Der Versand ruht seit dem { $day }, weil es laut ihrem Server kein solches Postfach gibt.
me-state-soft = Der Versand ruht seit dem { $day }, weil Mail acht Tage lang zurückkam.
me-state-complaint = Der Versand ruht seit dem { $day }, weil eine Nachricht als unerwünscht gemeldet wurde.
me-state-next = { $why } Wir versuchen es am { $day } wieder.
me-until = Keine Mail bis zum
me-until-hint = Lassen Sie das Feld leer, wenn Sie den Tag noch nicht wissen.
me-until-wrong = Bitte wählen Sie einen Tag ab morgen, höchstens einige Jahre im Voraus.
me-pause = Nichts mehr hierher schicken
me-resume = Wieder hierher schicken
me-make-first = Zur Hauptadresse machen
me-remove = Entfernen
me-last-address = Das ist Ihre einzige Adresse. Fügen Sie eine andere hinzu, bevor Sie sie entfernen.
me-paused-already = Dorthin geht zurzeit nichts, weil Mail zurückkam oder als unerwünscht gemeldet wurde.

me-name = Ihr Name
me-firstname = Vorname
me-surname = Nachname
me-save-name = Namen speichern
me-too-long = Bitte verwenden Sie höchstens { $count } Zeichen.
me-unprintable = Hier stehen Zeichen, die sich nicht anzeigen lassen.
me-devices = Ihre Geräte, und überall abmelden

me-digest-wrong = Bitte wählen Sie eine der Möglichkeiten.
me-done-name = Gespeichert.
me-done-first = { $address } ist nun Ihre Hauptadresse.
me-done-remove = { $address } ist entfernt. Dorthin kommt keine Mail mehr.
me-done-pause = An { $address } geht nichts mehr, bis Sie es wieder einschalten.
me-done-pause-until = An { $address } geht bis zum { $day } nichts mehr.
me-done-resume = Mail geht wieder an { $address }.
me-done-digest = { $address } bekommt eine Mail am Tag, wo eine Liste nichts anderes sagt.
me-done-single = { $address } bekommt jede Nachricht einzeln, wo eine Liste nichts anderes sagt.
me-done-list = Für { $list } gespeichert.
me-done-leave-waits = Sie möchten { $list } verlassen. Wer die Liste betreut, entscheidet darüber, und Sie erfahren es per Mail.

me-open = Listen, denen Sie beitreten können
me-open-hint = Ihre Adresse ist schon bestätigt, deshalb genügt ein Klick.
me-open-more = Weitere Listen
me-join = Beitreten
me-join-approval = Wer die Liste betreut, entscheidet darüber.
me-join-waits = Sie haben angefragt, ob Sie beitreten können. Wer die Liste betreut, entscheidet darüber.
me-join-refused = Die Listen hier nehmen keine Adressen wie { $address } auf.
me-done-join = Sie sind nun auf { $list }.
me-done-join-waits = Sie möchten { $list } beitreten. Wer die Liste betreut, entscheidet darüber, und Sie erfahren es per Mail.
me-add-label = Meine Mail schicken an
me-add-hint = Wir schicken zuerst einen Link an die neue Adresse, damit sicher ist, dass sie Ihnen gehört. Bis Sie ihn geöffnet haben, bleibt alles, wie es ist.
me-add = Beide Adressen behalten
me-own-already = Diese Adresse haben Sie schon.
me-done-add = Schauen Sie in das Postfach von { $address }. Sobald Sie den Link geöffnet haben, den wir schicken, kommt Ihre Mail auch dorthin.

## Die Listen eines Mitglieds: was neu ist, wie Mail kommt, Abwesenheit, Umzug an eine andere Adresse

me-write = Schreiben
me-read = Lesen
me-new = { $count ->
    [one] { $number } neu
   *[other] { $number } neu
}
me-new-many = mehr als { $number } neu
me-last = letzte Nachricht
me-since = Mitglied seit { $day }
me-how-joined = Wie Sie Mitglied wurden
me-how-list = Wie Sie { $list } bekommen
me-done-how-single = Von jetzt an bekommen Sie jede Nachricht von { $list } einzeln.
me-done-how-digest = Von jetzt an bekommen Sie { $list } als eine Mail am Tag.
me-done-how-none = { $list } schickt Ihnen keine Mail mehr. Sie lesen hier.
me-away = Verreist?
me-away-now = Zurzeit kommt keine Mail Ihrer Listen zu Ihnen:
me-away-until = bis zum { $day }, wie Sie es wollten
me-away-open = bis Sie sie wieder einschalten
me-away-by-server = Mail an Ihre Adresse kam zurück oder wurde als unerwünscht gemeldet; siehe „Ihre Adressen“
me-go-away = Mail anhalten
me-back = Wieder Mail schicken
me-done-away = Mail Ihrer Listen kommt erst wieder, wenn Sie sie einschalten.
me-done-away-until = Bis zum { $day } kommt keine Mail Ihrer Listen zu Ihnen.
me-done-back = Mail Ihrer Listen kommt wieder zu Ihnen.
me-move-label = Anstelle von
me-move = Meine Mail dorthin umziehen
me-done-move = Schauen Sie in das Postfach von { $address }. Sobald Sie den Link geöffnet haben, den wir schicken, zieht Ihre Mail dorthin um.
