### Administrators' pages: settings of lists and accounts, administrators and keys.

## Every form of settings.

# $label is the name of a field, $problem a sentence about its value.
set-problem = { $label }: { $problem }
set-save = Einstellungen speichern
set-saved = Die Einstellungen sind gespeichert.
set-discard = Änderungen verwerfen

## Settings of an account.

nav-settings = Einstellungen
set-account-title = Einstellungen von { $account }
set-account-parts = Teile der Einstellungen
set-account-fields = Felder für Personen
set-account-domains = Domains
set-group-identity = Wer Sie sind
set-group-identity-hint = Was auf Ihren Seiten und in Ihren Mails zu sehen ist.
set-acc-name = Kurzname
set-acc-name-help = Buchstaben, Ziffern, Punkt, Bindestrich und Unterstrich. Teilen sich mehrere Organisationen diesen Server, steht er in den Adressen Ihrer Seiten: Alte Links führen nach einer Änderung ins Leere.
set-acc-description = Angezeigter Name
set-acc-description-help = Er steht auf Ihren Seiten und in den Mails, die der Server für Sie schreibt. Ohne ihn steht dort der Kurzname.
set-acc-language = Sprache
set-acc-language-help = Für die Mails, die der Server schreibt, und für die Seiten, wenn ein Browser keine andere Sprache wünscht.
set-acc-timezone = Zeitzone
set-acc-timezone-help = Zum Beispiel Europe/Berlin. Sammelmails werden um sechs Uhr früh dortiger Zeit verschickt, und alle Tage und Zeiten richten sich danach.
set-acc-custom_image = Bild oben auf Ihren Seiten
set-acc-custom_image-help = Die Adresse eines Bildes, https://… Der Server holt es und bewahrt eine Kopie auf, damit beim Ansehen niemand sonst danach gefragt wird. Leer: kein Bild.
set-group-joining = Beitreten und Verlassen
set-group-joining-hint = Für jede Liste, bei der nichts anderes eingestellt ist. „Abbestellen“ im Mailprogramm funktioniert immer.
set-acc-subscriptions = Wer darf beitreten?
set-acc-subscriptions-help = Über die Seiten, per Mail und über Formulare auf Ihrer eigenen Website.
set-open = Alle
set-open-hint = Sobald die Adresse bestätigt ist.
set-open-confirm = Alle, mit unserer Zustimmung
set-open-confirm-hint = Anfragen warten unter Freigaben.
set-closed = Nur auf Einladung
set-closed-join-hint = Sie fügen Mitglieder hinzu. Die Liste steht dann nicht im Verzeichnis.
set-closed-leave-hint = Sie entfernen Mitglieder. „Abbestellen“ im Mailprogramm funktioniert trotzdem, wie große Mailanbieter es verlangen.
set-acc-unsubscriptions = Wer darf eine Liste verlassen?
set-acc-unsubscriptions-help = Über die Seiten und per Mail.
set-acc-unsubscribe_confirm = Noch einmal fragen, bevor jemand eine Liste über einen Link verlässt
set-acc-unsubscribe_confirm-help = Die Seite des Links fragt dann mit einer weiteren Schaltfläche nach. „Abbestellen“ im Mailprogramm wirkt trotzdem sofort.
set-acc-restrict_contact = Nur diese Adressen dürfen ins Adressbuch
set-acc-restrict_contact-help = Reguläre Ausdrücke, einer je Zeile, zum Beispiel @example\.org$. Eine Adresse, auf die keiner passt, wird abgewiesen, wer immer sie hinzufügt. Leer: alle erlaubt.
set-acc-restrict_contact_subscription = Nur diese Adressen dürfen von sich aus beitreten
set-acc-restrict_contact_subscription-help = Dasselbe für Personen, die von sich aus beitreten möchten. Sie selbst dürfen weiter andere hinzufügen.
set-group-welcome = Mails an neue Mitglieder
set-group-welcome-hint = Listen können eigene Texte haben. Variablen wie $NAME und $LIST werden ersetzt.
set-acc-confirmation_subject = Betreff der Bestätigungsmail
set-acc-confirmation_subject-help = Leer: unsere eigenen Worte in der Sprache des Kontos.
set-acc-confirmation_message = Text der Bestätigungsmail
set-acc-confirmation_message-help = Alle, die beitreten möchten, bekommen sie und werden durch den Link darin Mitglied. Fehlt $CONFIRM in Ihrem Text, setzen wir den Link darunter.
set-acc-welcome_message = Begrüßung
set-acc-welcome_message-help = Erscheint auf der Seite, wenn jemand bestätigt hat, und kommt per Mail, wo eines der nächsten beiden Häkchen gesetzt ist. Leer: unsere eigenen Worte.
set-acc-send_welcome_message_confirmation = Begrüßung schicken, wenn jemand eine Adresse bestätigt hat
set-acc-send_welcome_message_confirmation-help = Einmal, sobald der Link in der ersten Mail geöffnet wurde.
set-acc-send_welcome_message_contacts = Begrüßung an alle schicken, die Sie hinzufügen
set-acc-send_welcome_message_contacts-help = Sofort. Große Importe verschicken dann ebenso viele Mails.
set-group-admins = Verwaltung
set-group-admins-hint = Wie alle zusammenarbeiten, die Listen betreuen.
set-acc-notify_approval = Wann erfährt die Verwaltung, was wartet?
set-acc-notify_approval-help = Bei Nachrichten und Anfragen, die auf eine Entscheidung warten. Für Listen lässt sich anderes einstellen.
set-notify-none = Nie
set-notify-each = Jedes Mal
set-notify-daily = Einmal am Tag
set-acc-list_delegation = Wer eine Liste betreut, darf die Betreuung teilen
set-acc-list_delegation-help = Wer einzelne Listen betreut, darf dann andere dazu einladen, mit höchstens den eigenen Rechten.
set-acc-require_list_approval = Neue Listen brauchen eine Freigabe
set-acc-require_list_approval-help = Legt jemand eine Liste an, ohne das Konto ändern zu dürfen, nimmt sie keine Mails an, bis sie auf der Seite der Listen freigegeben ist.

## Settings of a list: its groups.

set-lg-name = Name
set-lg-name-hint = Was im Verzeichnis und im Posteingang zu sehen ist.
set-lg-joining = Beitreten und Verlassen
set-lg-joining-hint = „Abbestellen“ im Mailprogramm funktioniert immer, was Sie hier auch wählen.
set-lg-posting = Schreiben und antworten
set-lg-posting-hint = Mails von allen anderen warten, gehen zurück oder werden verworfen, wie Sie es unter Schreiben einstellen.
set-lg-holding = Zur Freigabe zurückhalten
set-lg-holding-hint = Auch von denen, die schreiben dürfen. Was zurückgehalten wird, wartet unter Freigaben.
set-lg-content = Nachrichten
set-lg-content-hint = Was die Liste an jeder Nachricht ändert, bevor sie verschickt wird.
set-lg-footers = Über und unter jeder Nachricht
set-lg-footers-hint = Möglich sind $NAME, $EMAIL, $LIST, $LISTADDRESS, $DESCRIPTION, $UNSUBSCRIBE, $MANAGE, $ARCHIVE und $DATE; ein Dollarzeichen ist $$.
set-lg-archive = Archiv
set-lg-archive-hint = Was nicht gelesen werden darf, ist auch nicht zu finden: nicht durch Suche, Feeds oder Zahlen.

## Settings of a list: its fields.

set-list-description = Angezeigter Name
set-list-description-help = Er steht im Verzeichnis, als Absender und in Fußzeilen. Ohne ihn steht dort die Adresse.
set-list-name = Adresse
set-list-name-help = Der Teil vor dem @: Buchstaben, Ziffern, Punkt, Bindestrich und Unterstrich. Nach einer Änderung führen alte Links zu den neuen Seiten, aber Mails an die alte Adresse kommen zurück.
set-list-subject_prefix = Vor jedem Betreff
set-list-subject_prefix-help = Zum Beispiel [4B]. Es steht nur einmal da, in Antworten nicht noch einmal.
set-list-clid = Nummer in einem anderen System
set-list-clid-help = Unter ihr kennen Ihre eigenen Programme die Liste. Keine zwei Listen dürfen dieselbe haben.
set-list-notes = Notizen
set-list-notes-help = Nur die Verwaltung sieht sie.
set-list-subscriptions = Wer darf beitreten?
set-list-subscriptions-help = Über die Seiten, per Mail und über Formulare auf Ihrer eigenen Website.
set-list-unsubscriptions = Wer darf die Liste verlassen?
set-list-unsubscriptions-help = Über die Seiten und per Mail.
set-as-account = Wie in den Einstellungen des Kontos
set-list-memberview = Wer sieht die anderen Mitglieder?
set-list-memberview-help = Auf den Seiten angemeldeter Mitglieder.
set-view-nobody = Niemand
set-view-noemail = Mitglieder sehen die Namen der Mitglieder dieser Liste
set-view-withemail = Mitglieder sehen Namen und Adressen der Mitglieder dieser Liste
set-view-all-noemail = Mitglieder sehen die Namen aller im Konto
set-view-all-withemail = Mitglieder sehen Namen und Adressen aller im Konto
set-list-moderate = Schalter dafür, wer schreiben darf
set-list-moderate-help = Die Frage unter Grundlegendes stellt sie für Sie ein. Ist nichts angekreuzt, dürfen alle schreiben. „Nur diese Absender“ braucht mindestens eines der beiden darunter.
set-bit-1 = Jede Nachricht zur Freigabe zurückhalten
set-bit-2 = Nur diese Absender dürfen schreiben:
set-bit-4 = Mitglieder der unten angekreuzten Listen
set-bit-8 = die Adressen unter Grundlegendes
set-bit-16 = Die gesperrten Adressen abweisen (unter Schreiben)
set-list-restrict_post_lists = Listen, deren Mitglieder schreiben dürfen
set-list-restrict_post_lists-help = Gilt, wenn oben Mitglieder angekreuzt sind. Sollen nur Mitglieder dieser Liste schreiben, kreuzen Sie die Liste selbst an.
set-list-restrict_post_allowed_emails = Adressen, die schreiben dürfen
set-list-restrict_post_allowed_emails-help = Eine je Zeile. Von dort darf man schreiben, auch ohne Mitglied zu sein. Gilt, wenn Ihre Antwort oben Adressen nennt.
set-list-restrict_post_banned_emails = Gesperrte Adressen
set-list-restrict_post_banned_emails-help = Eine je Zeile.
set-list-message_rejections = Was geschieht mit Mails von anderen?
set-list-message_rejections-help = Mails von allen, die nicht an die Liste schreiben dürfen.
set-rejections-hold = Mails warten auf Freigabe
set-rejections-hold-hint = Sie entscheiden unter Freigaben.
set-rejections-reject = Mails gehen zurück
set-rejections-reject-hint = Wer sie geschickt hat, erfährt den Grund vom eigenen Mailserver.
set-rejections-discard = Mails werden verworfen
set-rejections-discard-hint = Niemand erfährt davon, und nichts wird aufbewahrt.
set-list-hold_automated = Automatische Mails zurückhalten
set-list-hold_automated-help = Newsletter, Kalendereinladungen, Abwesenheitsnotizen und was Maschinen sonst verschicken. Sonst werden Abwesenheitsnotizen verworfen, und alles andere geht hinaus.
set-list-hold_replies = Antworten auf Nachrichten der Liste zurückhalten
set-list-hold_replies-help = Für Ankündigungen, aus denen keine Diskussion werden soll.
set-list-hold_new = Erste Nachrichten neuer Mitglieder zurückhalten
set-list-hold_new-help = 0 bis 20 Nachrichten je Mitglied; 0 für keine.
set-list-taboo_headers = Nach Kopfzeile zurückhalten
set-list-taboo_headers-help = Reguläre Ausdrücke, einer je Zeile, höchstens 100. Eine Nachricht mit einer passenden Kopfzeile wird zurückgehalten, zum Beispiel ^Subject:.*Lotterie.
set-list-taboo_body = Nach Text zurückhalten
set-list-taboo_body-help = Dasselbe für den Text einer Nachricht. Was sich nicht in 0,2 Sekunden prüfen lässt, wird zurückgehalten.
set-list-moderator = Moderation
set-list-moderator-help = Eine Adresse. Wer dort die Mails liest, entscheidet statt der Verwaltung über Nachrichten dieser Liste, mit einer Antwort oder über den Link in der Mail.
set-list-notify_approval = Wann erfährt die Verwaltung, was wartet?
set-list-notify_approval-help = Per Mail, bei Nachrichten und Anfragen dieser Liste.
set-list-maxlength = Größte Nachricht
set-list-maxlength-help = In KB, höchstens 51.200; 1.024 KB sind ein Megabyte. Größere Mails gehen zurück.
set-list-truncate = Nachrichten kürzen nach
set-list-truncate-help = In Byte. Der Rest entfällt, und eine Zeile sagt das. Leer: nie kürzen.
set-list-strip_attachments = Anhänge entfernen
set-list-strip_attachments-help = Mitglieder bekommen nur den Text, und eine Zeile sagt, was entfernt wurde.
set-list-reply_to = Andere Adresse für Antworten
set-list-reply_to-help = Gilt, wenn Sie „An eine andere Adresse“ gewählt haben.
set-list-rewrite_sender = Immer im Namen der Liste senden
set-list-rewrite_sender-help = Sonst nur, wenn die Mail wegen des Anbieters der Absenderadresse als Fälschung gälte.
set-list-original_sender_mode = Wo dann steht, wer geschrieben hat
set-list-original_sender_mode-help = Wenn eine Nachricht im Namen der Liste verschickt wird.
set-sender-reply-to = Als Adresse für Antworten
set-sender-cc = In Cc
set-sender-notice = In einer Zeile über dem Text
set-sender-hide = Nirgends
set-sender-hide-hint = Mitglieder und Archive erfahren die Adresse nie.
set-list-merge_tags_enabled = Namen in Nachrichten einsetzen
set-list-merge_tags_enabled-help = $NAME, $FIRSTNAME, $EMAIL und andere, in Betreff und Text. Jedes Mitglied bekommt dann eine eigene Kopie.
set-list-merge_tags_default_name = Anstelle eines fehlenden Namens
set-list-merge_tags_default_name-help = Zum Beispiel „Mitglied“, damit niemand „Guten Tag ,“ liest.
set-list-message_fronter = Text darüber
set-list-message_fronter-help = Über dem reinen Text jeder Nachricht.
set-list-message_fronter_html = HTML darüber
set-list-message_fronter_html-help = Über dem formatierten Text. Leer: der Text darüber.
set-list-message_footer = Text darunter
set-list-message_footer-help = Unter dem reinen Text jeder Nachricht.
set-list-message_footer_html = HTML darunter
set-list-message_footer_html-help = Unter dem formatierten Text. Leer: der Text darunter.
set-list-archive_enabled = Archiv führen
set-list-archive_enabled-help = Nachrichten lassen sich auf den Seiten der Liste lesen und durchsuchen.
set-list-archive_protected = Archiv schützen
set-list-archive_protected-help = Zum Lesen braucht man dann das Passwort oder, wenn das Nächste angekreuzt ist, die Mitgliedschaft.
set-list-archive_memberview = Mitglieder dürfen es lesen
set-list-archive_memberview-help = Ein geschütztes Archiv, sobald sie angemeldet sind.
set-list-archive_password = Passwort des Archivs
set-list-archive_password-help = Es öffnet ein geschütztes Archiv. Es wird nie gezeigt; bleibt das Feld leer, ändert es sich nicht.
set-list-password-none = Passwort entfernen
set-list-archive_spammode = Adressen im Archiv verbergen
set-list-archive_spammode-help = Vor allen, die nicht Mitglied sind, damit niemand sie sammelt.
set-list-archive_index_noshow = In der öffentlichen Liste der Archive weglassen
set-list-archive_index_noshow-help = Auch Suchmaschinen erfahren nichts davon.
set-list-welcome_message_subject = Betreff der Begrüßung
set-list-welcome_message_subject-help = In der Mail an neue Mitglieder dieser Liste.
set-list-welcome_message = Begrüßung
set-list-welcome_message-help = Geht an neue Mitglieder. Leer: wie im Konto eingestellt.
set-list-confirmation_subject = Betreff der Bestätigungsmail
set-list-confirmation_subject-help = Leer: wie im Konto eingestellt.
set-list-confirmation_message = Text der Bestätigungsmail
set-list-confirmation_message-help = Geht an alle, die beitreten möchten. Fehlt $CONFIRM in Ihrem Text, setzen wir den Link darunter.
set-list-send_hold_message = Absendern mitteilen, dass ihre Nachricht wartet
set-list-send_hold_message-help = Nur wenn die Absenderadresse nachgewiesen ist, damit niemand Mails bekommt, der nichts geschickt hat.
set-list-hold_subject = Betreff der Mail über eine wartende Nachricht
set-list-hold_subject-help = Möglich sind $LIST und $REASON.
set-list-hold_message = Text der Mail über eine wartende Nachricht
set-list-hold_message-help = $REASON sagt, warum die Nachricht wartet.
set-list-send_reject_message = Absendern mitteilen, dass ihre Nachricht abgelehnt wurde
set-list-send_reject_message-help = Wenn die Moderation eine wartende Nachricht ablehnt.
set-list-reject_subject = Betreff der Mail bei einer Ablehnung
set-list-reject_subject-help = Auch hier sind $LIST und $REASON möglich.
set-list-reject_message = Text der Mail bei einer Ablehnung
set-list-reject_message-help = $REASON ist die Begründung der Moderation.

## Lists.

nav-admin-lists = Listen
lists-new = Neue Liste
lists-new-lede = Wählen Sie, was am besten passt. Alles lässt sich später ändern.
lists-kind = Wofür ist die Liste?
lists-kind-missing = Bitte wählen Sie, wofür die Liste ist.
lists-kind-announcements = Ankündigungen
lists-kind-announcements-hint = Sie schreiben, andere lesen. Wer beitreten möchte, fragt an, und Sie entscheiden; Antworten gehen nur an Sie.
lists-kind-discussion = Diskussion
lists-kind-discussion-hint = Mitglieder schreiben einander, und Antworten gehen an die Liste. Wer beitreten möchte, fragt an, und Sie entscheiden; nur Mitglieder lesen das Archiv.
lists-kind-moderated = Moderierte Diskussion
lists-kind-moderated-hint = Mitglieder schreiben einander; jede Nachricht und jedes neue Mitglied wartet auf Ihre Freigabe.
lists-kind-private = Privates Team
lists-kind-private-hint = Nur Personen, die Sie hinzufügen. Alle sehen einander, und niemand sonst findet die Liste oder ihr Archiv.
# $domain is a domain like lists.example.org.
lists-name-hint = Der Teil vor @{ $domain }: Buchstaben, Ziffern, Punkt, Bindestrich und Unterstrich.
lists-make = Liste anlegen
lists-search = Name und Beschreibung durchsuchen
lists-none = Es gibt noch keine Liste.
lists-none-found = Keine Liste enthält diese Wörter.
lists-list = Liste
lists-members = Mitglieder
lists-posting = Wer schreibt
lists-posting-held = jede Nachricht wird erst freigegeben
lists-posting-members = Mitglieder
lists-posting-some = einige Adressen
lists-posting-all = alle
lists-pending = wartet auf Freigabe
lists-waiting = Listen, die auf Ihre Freigabe warten
lists-reason = Begründung, falls Sie ablehnen
lists-approved = Die Liste nimmt jetzt Mails an.
lists-rejected = Die Liste ist gelöscht.
lists-discarded = Die Liste ist gelöscht, und niemand erfährt davon.
lists-deleted = Die Liste ist gelöscht, mit ihren Mitgliedschaften, ihrem Archiv und allem, was wartete.

## The page of a list.

list-parts = Teile dieser Liste
list-public = Öffentliche Seite
list-made = Die Liste ist angelegt. Sehen Sie ihre Einstellungen durch und fügen Sie dann Mitglieder hinzu.
list-read-only = So ist die Liste eingerichtet. Sie dürfen die Einstellungen ansehen; ändern dürfen sie andere.
list-preview = Vorschau aktualisieren
list-preview-title = Was ein Mitglied bekommt
list-preview-real = Die neueste Nachricht der Liste, mit diesen Texten.
list-preview-made = Die Liste hat noch keine Nachricht, deshalb ist diese erfunden.
list-sample-subject = Herzlich willkommen
list-sample-text = So sieht eine Nachricht dieser Liste aus.
list-delete = Liste löschen
list-delete-lede = Mit ihr verschwinden Mitgliedschaften, Archiv und alles, was auf Freigabe wartet. Das lässt sich nicht rückgängig machen. Die Personen bleiben im Adressbuch.
# The page that asks before a list is deleted; $name is its name.
list-delete-open = Ansehen, was mitgeht, und löschen
list-delete-ask = { $name } löschen?
list-delete-members = { $count ->
    [0] Die Liste hat keine Mitglieder.
    [one] { $count } Person wird von der Liste genommen und bleibt im Adressbuch.
   *[other] { $count } Personen werden von der Liste genommen und bleiben im Adressbuch.
}
list-delete-messages = { $count ->
    [0] Das Archiv ist leer.
    [one] Das Archiv mit { $count } Nachricht verschwindet.
   *[other] Das Archiv mit { $count } Nachrichten verschwindet.
}
# Messages and requests of people.
list-delete-waiting = { $count ->
    [one] { $count } Eintrag, der auf Freigabe wartet, wird verworfen.
   *[other] { $count } Einträge, die auf Freigabe warten, werden verworfen.
}
list-delete-address = Mails an ihre Adresse werden dann abgewiesen, und Links auf ihre Seiten führen ins Leere.
list-delete-forever = Eine gelöschte Liste lässt sich nicht zurückholen.
list-delete-now = { $name } endgültig löschen
list-delete-not = Liste behalten

## What would happen to a mail.

sim-title = Eine Nachricht ausprobieren
sim-lede = Was würde mit einer Mail an diese Liste geschehen? Nichts wird gesendet, und nichts wird aufbewahrt.
sim-message = Die ganze Mail
sim-message-hint = Erst die Kopfzeilen, dann eine Leerzeile und der Text: „From: …“, „Subject: …“. Mailprogramme nennen das Quelltext.
sim-button = Ausprobieren
sim-missing = Bitte fügen Sie eine Mail ein.
sim-posted = Sie würde an die Mitglieder gesendet
sim-held = Sie würde auf Freigabe warten: { $reason }
sim-discarded = Sie würde verworfen: { $reason }
sim-returned = Sie würde an den Absender zurückgehen: { $reason }
sim-refused = Die Liste würde sie nicht annehmen: { $reason }
sim-deferred = Sie würde aufgeschoben, und der Server des Absenders würde es wieder versuchen: { $reason }
sim-loop = die Nachricht lief schon durch diese Liste
sim-hops = die Nachricht lief über zu viele Server
sim-duplicate = diese Liste hat diese Nachricht schon bekommen
sim-automatic = die Nachricht ist eine automatische Antwort oder ein Zustellbericht
sim-recipients = { $count ->
    [0] Keine Adresse würde sie bekommen.
    [one] Eine Adresse würde sie bekommen.
   *[other] { $count } Adressen würden sie bekommen.
}
sim-recipients-later = { $count ->
    [0] Auch nach der Freigabe würde sie niemand bekommen.
    [one] Nach der Freigabe würde eine Adresse sie bekommen.
   *[other] Nach der Freigabe würden { $count } Adressen sie bekommen.
}
sim-paused = { $count ->
    [one] Eine Adresse ist pausiert und bekommt nichts.
   *[other] { $count } Adressen sind pausiert und bekommen nichts.
}
# $answer is a reply of SMTP, in English.
sim-answer = Der Server des Absenders bekäme die Antwort: { $answer }
sim-changes = Was die Liste ändern würde
sim-header = Die Kopfzeilen einer Kopie

## People who look after a list.

helpers-lede = Alle hier Genannten sehen nur diese Liste, wenn sie nicht noch andere betreuen. Mehr Rechte als die eigenen kann niemand geben.
helpers-none = Noch niemand außer der Verwaltung des Kontos.
helpers-you = Sie
helpers-take-out = Entfernen
helpers-taken-out = Diese Person betreut die Liste nicht mehr.
helpers-invite = Jemanden einladen
helpers-address = Adresse
helpers-firstname = Vorname
helpers-surname = Nachname
helpers-rights = Was darf diese Person?
helpers-invite-button = Einladung senden
helpers-invited = Erledigt. Wer neu ist, bekommt eine Mail mit einem Link, um ein Passwort zu wählen.

## Members of a list.

members-add = Mitglieder hinzufügen
members-emails = Adressen
members-emails-hint = Eine je Zeile oder wie in Mailprogrammen: Ada Lovelace <ada@example.org>, bob@example.org. Alle sind sofort Mitglied; bitte fügen Sie nur Personen hinzu, die das möchten.
members-add-button = Hinzufügen
members-mail = Zustellung
members-digest-button = Für die Auswahl einstellen
# $count is the number of members whose setting was changed.
members-digest-set = { $count ->
    [one] Ein Mitglied bekommt Nachrichten jetzt wie gewählt.
   *[other] { $count } Mitglieder bekommen Nachrichten jetzt wie gewählt.
}
members-added = { $count ->
    [0] Alle sind schon Mitglied.
    [one] Ein Mitglied ist hinzugefügt.
   *[other] { $count } Mitglieder sind hinzugefügt.
}
members-added-known = { $count } hinzugefügt. Schon Mitglied: { $known }.
members-removed = { $count ->
    [one] Ein Mitglied ist von der Liste entfernt.
   *[other] { $count } Mitglieder sind von der Liste entfernt.
}
members-none-typed = Bitte geben Sie eine Adresse ein.
members-too-many = Bitte fügen Sie höchstens { $count } Personen auf einmal hinzu; ein Import nimmt mehr.
# $line is what somebody typed.
members-wrong-line = Das ist keine Adresse: { $line }. Es wurde niemand hinzugefügt.
members-none-selected = Bitte wählen Sie zuerst jemanden aus.
members-remove = Von der Liste entfernen
members-search = Namen und Adressen durchsuchen
members-none = Noch ist niemand Mitglied.
members-none-found = Diese Wörter passen auf kein Mitglied.
members-count = { $count ->
    [one] Ein Mitglied
   *[other] { $count } Mitglieder
}
members-choose = Auswählen
members-person = Person
members-addresses = Adressen
members-since = Seit

## Aliases.

nav-aliases = Aliasse
aliases-lede = Ein Alias ist eine weitere Adresse, die ihre Mails unverändert an andere weiterleitet.
aliases-new = Neuer Alias
aliases-group = Alias
aliases-group-hint = Mitglieder einer Liste erfahren davon nichts; gedacht ist er für Ämter wie vorstand oder info.
aliases-source = Adresse
aliases-source-help = Der Teil vor dem @. Keine Liste darf denselben haben.
aliases-destination = Geht an
aliases-destination-help = Adressen, eine je Zeile, höchstens 20. Auch Listen und andere Aliasse sind möglich.
aliases-make = Alias anlegen
aliases-made = Der Alias nimmt jetzt Mails an.
aliases-delete = Alias löschen
aliases-deleted = Der Alias ist gelöscht. Mails an ihn kommen jetzt zurück.
aliases-none = Es gibt noch keinen Alias.

## Custom fields.

fields-lede = Was Sie über Personen außer Namen und Adressen festhalten, etwa eine Mitgliedsnummer. Importe und Programme können die Felder füllen, Fußzeilen können sie zeigen.
fields-none = Es gibt noch keine weiteren Felder.
fields-name = Name
fields-id = Kennung
fields-id-hint = Optional: ein kurzer Name ohne Leerzeichen, den Programme statt des Namens benutzen.
fields-members-edit = Mitglieder dürfen es auf ihren eigenen Seiten ändern
fields-new = Neues Feld
fields-new-hint = Jede Person im Adressbuch hat es von da an, zunächst leer.
fields-add = Feld anlegen
fields-added = Das Feld ist angelegt.
fields-saved = Das Feld ist geändert. Was bei Personen darin steht, bleibt.
fields-delete = Feld mit allen Werten löschen
fields-deleted = Das Feld ist gelöscht, mit allem, was bei Personen darin stand.

## Domains and their DNS records.

domains-lede = Tragen Sie diese Einträge dort ein, wo das DNS Ihrer Domain verwaltet wird. Wenn Sie diese Seite öffnen, werden sie geprüft.
domains-name = Domain
domains-add = Domain hinzufügen
domains-add-hint = Zum Beispiel lists.example.org. Sie nimmt Mails an, sobald das DNS zeigt, dass sie Ihnen gehört.
domains-added = Die Domain ist hinzugefügt. Jetzt braucht sie ihre Einträge.
domains-there = { $name } gehört schon zu Ihren Domains.
domains-main = Listen
domains-web = Seiten
domains-make-main = Für Listenadressen verwenden
domains-main-done = Die Listen haben ihre Adressen jetzt unter dieser Domain. Mails an die andere kommen weiterhin an.
domains-make-web = Für Seiten verwenden
domains-web-done = Links führen zu dieser Domain, sobald sie dort antwortet.
domains-remove = Domain entfernen
domains-removed = Die Domain ist entfernt. Mails an sie werden jetzt abgewiesen.
domains-check = Jetzt noch einmal prüfen
domains-checked = Gerade geprüft.
domains-unproven = noch nicht bestätigt
domains-unproven-next = Einer dieser Einträge bestätigt, dass die Domain Ihnen gehört. Bis dahin nimmt sie keine Mails an.
# $right of $count records are right.
domains-right = { $right } von { $count } Einträgen stimmen
dns-use = Zweck
dns-type = Typ
dns-name = Name
dns-value = Wert
dns-status = Status
dns-right = Stimmt
dns-missing = Fehlt
dns-wrong = Falsch
dns-unknown = Unbekannt
dns-found = Im DNS steht:
dns-own-address = die Adresse dieses Servers; wer ihn betreibt, kennt sie
dns-mail = Mails kommen hierher (MX)
dns-host = Adresse des Mailservers (A)
dns-web = Seiten (A)
dns-sending = Wer senden darf (SPF)
dns-signature = Signatur (DKIM)
dns-next-signature = Nächste Signatur (DKIM)
dns-policy = Regel für gefälschte Mails (DMARC)
dns-reverse = Reverse-DNS (PTR), bei Ihrem Hoster einzustellen
dns-proof = Bestätigung, dass sie Ihnen gehört

## Administrators and keys.

nav-administrators = Verwaltung und Schlüssel
admins-people = Personen
admins-invite = Person einladen
admins-invited = noch nie angemeldet
admins-invited-lede = Vielleicht ist die Mail mit dem Link verloren gegangen. Ein neuer gilt sieben Tage; ältere enden, sobald er benutzt wird.
admins-invite-again = Link noch einmal senden
admins-invited-done = Eine Mail mit einem Link, um ein Passwort zu wählen, ist unterwegs.
admins-keys = Schlüssel für Programme
admins-keys-lede = Ein Programm benutzt einen Schlüssel statt Name und Passwort und darf, was der Schlüssel darf.
admins-key = Schlüssel
admins-new-key = Neuer Schlüssel
admins-make-key = Schlüssel anlegen
admins-key-made = Der Schlüssel ist eingerichtet. Zeigen Sie ihn jetzt an, und setzen Sie ihn ins Programm ein.
admins-get-key = Neuen Schlüssel erzeugen
admins-get-key-lede = Er wird nur einmal gezeigt. Ein früherer Schlüssel gilt dann nicht mehr.
admins-key-new = Das ist der Schlüssel. Kopieren Sie ihn jetzt: Er wird nicht noch einmal gezeigt.
admins-no-key = noch nicht erzeugt
admins-expiry = Gilt bis
admins-expiry-months = Wie lange soll er gelten?
admins-no-expiry = unbegrenzt
admins-months = { $count ->
    [one] Ein Monat
   *[other] { $count } Monate
}
admins-since = Seit
admins-last-use = Zuletzt benutzt
admins-never-used = noch nicht benutzt
admins-anywhere = überall
admins-nothing = nichts
# $rights and $lists are enumerations.
admins-only-lists = { $rights }, nur für { $lists }
admins-no-list = { $rights }, aber für keine Liste
admins-all-lists = { $rights }, für alle Listen
# $rights is what the person or program may do, and for which lists.
admins-given = Die Rechte von { $who }: { $rights }.
admins-username = Adresse
admins-username-help = Mit ihr meldet sich die Person an. Wenn jemand anderes sie ändert, wählt die Person unter der neuen Adresse ein neues Passwort.
admins-firstname-help = Optional.
admins-surname-help = Optional.
admins-description = Zweck
admins-description-help = Damit Sie später wissen, welches Programm ihn benutzt. Der Zweck steht im Protokoll.
admins-cidr = Erlaubte Netze
admins-cidr-help = Eines je Zeile, zum Beispiel 192.0.2.0/24. Der Schlüssel gilt nur von dort; leer: von überall.
admins-image = Dieser Person das Bild des Kontos zeigen
admins-image-help = Oben auf den Seiten.
admins-notifications = Mails über
admins-notifications-help = Wovon diese Person erfahren möchte.
admins-permissions = Darf
admins-permissions-help = Sie können Rechte geben, die Sie selbst haben. Eine Änderung beendet die Sitzungen der Person.
admins-limit-lists = Für welche Listen?
admins-limit-lists-help = Wer auf Listen beschränkt ist, sieht sonst nichts, auch nicht über die Suche.
admins-limit-lists-only = Nur für diese Listen; ohne Häkchen für alle
admins-limit-lists-none = Bitte wählen Sie mindestens eine Liste.
admins-limit-metadata = Welche Felder der Personen?
admins-limit-metadata-help = Wer auf Felder beschränkt ist, sieht die anderen nicht.
admins-limit-metadata-only = Nur diese Felder; ohne Häkchen alle
admins-limit-metadata-none = Bitte wählen Sie mindestens ein Feld.
admins-group-rights = Rechte
admins-group-rights-hint = Was die Person oder das Programm darf.
admins-group-person = Person
admins-group-person-hint = Wer sich auf diesen Seiten anmeldet.
admins-group-mail = Mails
admins-group-mail-hint = Was der Server der Person von sich aus schreibt.
admins-group-key = Schlüssel
admins-group-key-hint = Für ein Programm, damit er sich einzeln entziehen lässt.
admins-delete = Löschen
admins-delete-lede = Die Person wird überall abgemeldet und kommt nicht mehr herein. Was sie getan hat, bleibt im Protokoll.
admins-delete-key-lede = Das Programm, das ihn benutzt, wird ab sofort abgewiesen.
admins-deleted = Gelöscht.
right-account-admin = alles
right-account-admin-hint = Die Einstellungen des Kontos, Verwaltung und Schlüssel sowie alles Folgende.
right-manage-settings = Listen und Aliasse einrichten
right-manage-members = Personen und Mitglieder verwalten
right-approve-messages = über Nachrichten und Anfragen entscheiden
right-send-messages = Nachrichten senden
tell-held-message = eine Nachricht, die auf Freigabe wartet
tell-pending-member = eine Anfrage, die wartet
tell-pending-list = eine neue Liste, die auf Freigabe wartet
tell-member-joined = ein neues Mitglied
tell-member-left = ein Mitglied, das die Liste verlassen hat
tell-bounce = eine Adresse, die keine Mails annimmt
tell-complaint = eine Beschwerde über Spam
tell-delivery-problem = Probleme bei der Zustellung
tell-security = auffällige Anmeldungen und Schlüssel
admins-grants = Anwendungen, denen Personen etwas erlaubt haben
# $person allowed it on $day, and the application last used it on $last.
admins-grant = Erlaubt von { $person } am { $day }, zuletzt benutzt am { $last }
admins-revoke = Erlaubnis zurücknehmen
admins-revoked = Die Anwendung darf nicht mehr für diese Person handeln.
admins-provider = Meldet sich an bei
admins-provider-help = Der Name eines Anbieters, den dieser Server kennt. Leer: mit einem Passwort hier.

## Below each message of a new list. The words with $ stay as they are: they are variables of the text.

list-footer = Sie bekommen dies als Mitglied von $LIST.
    Verlassen: $UNSUBSCRIBE
    Archiv: $ARCHIVE

## The five pages of the settings of a list, and their groups.

set-parts = Seiten der Einstellungen
set-part-basics = Grundlegendes
set-part-writing = Schreiben
set-part-texts = Texte
set-part-archive = Archiv
set-part-advanced = Erweitert
set-lg-others = Mails von anderen
set-lg-others-hint = Von allen, die nicht an die Liste schreiben dürfen.
set-lg-html = Dasselbe als HTML
set-lg-html-hint = Für Nachrichten mit formatiertem Text. Die meisten Listen lassen dies leer: Dann entsteht es aus den Texten oben.
set-lg-names = Namen in Nachrichten
set-lg-names-hint = Für Rundbriefe, die jedes Mitglied mit Namen ansprechen.
set-lg-welcome = Mail an neue Mitglieder
set-lg-welcome-hint = Bleibt ein Feld leer, nehmen wir unsere eigenen Worte, in der Sprache des Kontos.
set-lg-asking = Mail, die um Bestätigung bittet
set-lg-asking-hint = An alle, die beitreten oder die Liste verlassen möchten. Bleibt ein Feld leer, nehmen wir unsere eigenen Worte.
set-lg-held = Mail an Absender, deren Nachricht wartet
set-lg-held-hint = Wird gesendet, wenn es unter Schreiben angekreuzt ist. Bleibt ein Feld leer, nehmen wir unsere eigenen Worte.
set-lg-rejected = Mail an Absender, deren Nachricht abgelehnt wird
set-lg-rejected-hint = Wird gesendet, wenn es unter Schreiben angekreuzt ist. Bleibt ein Feld leer, nehmen wir unsere eigenen Worte.
set-lg-bits = Einzelne Schalter
set-lg-bits-hint = Für Kombinationen, die keine Antwort unter Grundlegendes bietet.
set-lg-patterns = Muster
set-lg-patterns-hint = Nachrichten, auf die eines passt, warten auf Freigabe.
set-lg-sizes = Größen
set-lg-ids = Nummern und Notizen
set-fold-changed = in Gebrauch
set-single = Durch einzelne Schalter unter Erweitert festgelegt
set-single-archive = Durch einzelne Schalter unter Archiv festgelegt

## Questions of the settings of a list that stand for several fields.

set-who = Wer darf schreiben?
set-who-help = Ohne auf eine Freigabe zu warten, sofern die Antwort nichts anderes sagt.
set-who-members = Mitglieder
set-who-approved = Mitglieder, mit Freigabe
set-who-approved-hint = Jede Nachricht wartet zuerst unter Freigaben.
set-who-addresses = Nur diese Adressen
set-who-moderators = Niemand ohne Freigabe
set-who-everybody = Alle
set-who-everybody-hint = Auch Fremde. Rechnen Sie mit unerwünschten Mails.
set-answers = Wohin gehen Antworten?
set-answers-help = Wenn jemand im Mailprogramm auf „Antworten“ klickt.
set-answers-list = An die Liste
set-answers-author = An die Person, die geschrieben hat
set-answers-other = An eine andere Adresse
set-answers-missing = Bitte geben Sie die Adresse für Antworten ein.
set-archive-for = Wer darf das Archiv lesen?
set-archive-for-help = Ein Passwort für andere lässt sich unter Archiv festlegen.
set-archive-for-members = Mitglieder
set-archive-for-everybody = Alle
set-archive-for-everybody-hint = Auch Suchmaschinen.
set-archive-for-nobody = Niemand: kein Archiv führen
set-refuse-banned = Die Adressen unten abweisen
set-refuse-banned-help = Sie dürfen nicht schreiben, auch nicht als Mitglied.
set-closed-leave = Niemand von sich aus
set-yes = Ja
set-no = Nein
set-nothing = –

## What is set now, at the top of each page of the settings of a list.

set-now-write-everybody = Alle dürfen schreiben.
set-now-write-members = Mitglieder dürfen schreiben.
set-now-write-approved = Mitglieder dürfen schreiben, und jede Nachricht wartet auf Freigabe.
set-now-write-addresses = Nur bestimmte Adressen dürfen schreiben.
set-now-write-moderators = Jede Nachricht wartet auf Freigabe.
set-now-write-single = Wer schreiben darf, bestimmen einzelne Schalter unter Erweitert.
set-now-join-open = Alle dürfen beitreten.
set-now-join-asking = Alle dürfen anfragen, und Sie entscheiden.
set-now-join-closed = Sie fügen die Mitglieder hinzu.
set-now-answers-list = Antworten gehen an die Liste.
set-now-answers-author = Antworten gehen an die Person, die geschrieben hat.
# $address is an address of mail.
set-now-answers-other = Antworten gehen an { $address }.
set-now-archive-everybody = Alle dürfen das Archiv lesen.
set-now-archive-members = Mitglieder dürfen das Archiv lesen.
set-now-archive-password = Wer das Passwort kennt, darf das Archiv lesen.
set-now-archive-closed = Nur die Verwaltung darf das Archiv lesen.
set-now-archive-none = Es wird kein Archiv geführt.
set-now-others-hold = Mails von anderen warten auf Freigabe.
set-now-others-reject = Mails von anderen gehen zurück.
set-now-others-discard = Mails von anderen werden verworfen.
set-now-told = Absender erfahren es, wenn eine Nachricht wartet oder abgelehnt wird.
set-now-told-held = Absender erfahren es, wenn eine Nachricht wartet, aber nicht, wenn sie abgelehnt wird.
set-now-told-rejected = Absender erfahren es, wenn eine Nachricht abgelehnt wird, aber nicht, wenn sie wartet.
set-now-told-nothing = Absender erfahren nicht, was mit ihrer Nachricht geschieht.
set-now-around-both = Über und unter jeder Nachricht steht ein Text.
set-now-around-above = Über jeder Nachricht steht ein Text.
set-now-around-below = Unter jeder Nachricht steht ein Text.
set-now-around-nothing = Nachrichten bekommen keinen Zusatz und zeigen deshalb keinen Weg, die Liste zu verlassen.
set-now-mails = { $count ->
    [0] Die eigenen Mails der Liste haben unsere Worte.
    [one] Eine der eigenen Mails der Liste hat Ihre Worte.
   *[other] { $count } der eigenen Mails der Liste haben Ihre Worte.
}
set-now-addresses-hidden = Adressen darin sehen nur Mitglieder.
set-now-addresses-shown = Adressen darin sehen alle, die es lesen.
# $size is a number.
set-now-size = Nachrichten dürfen bis zu { $size } KB groß sein.
set-now-patterns = { $count ->
    [0] Kein Muster hält Nachrichten zurück.
    [one] Ein Muster hält Nachrichten zurück.
   *[other] { $count } Muster halten Nachrichten zurück.
}

## The other pages of a list, and the search over its settings.

list-helpers = Betreuung
list-preview-unsaved = Noch ist nichts gespeichert.
set-search = Einstellung suchen
set-search-none = Auf diese Wörter passt keine Einstellung. Versuchen Sie es mit weniger oder anderen.

## A new key in place of the one that there is: asked first
admins-key-again = Den Schlüssel ersetzen?
admins-key-again-ends = Der jetzige Schlüssel von „{ $name }“ gilt dann sofort nicht mehr und lässt sich nicht zurückholen. Was ihn benutzt, braucht den neuen.
# $time is a moment, or that it was never used.
admins-key-again-used = Zuletzt benutzt: { $time }.
admins-key-again-button = Ersetzen und neuen zeigen
admins-key-again-back = Jetzigen behalten

## The buttons that take an account or a list along, on /admin/settings/ and /admin/lists/…/advanced/
export-title = Alles mitnehmen
export-lede = Eine Zip-Datei in offenen Formaten: die Personen mit allem, was über sie bekannt ist, Listen mit Einstellungen und Archiven, Aliasse und wer sie verwaltet. Passwörter und Schlüssel sind nicht dabei. Ein großes Archiv dauert eine Weile.
export-button = Alles herunterladen
export-list-title = Die Liste mitnehmen
export-list-lede = Eine Zip-Datei in offenen Formaten: die Mitglieder mit allem, was über sie bekannt ist, die Einstellungen und das ganze Archiv.
export-list-button = Liste herunterladen

## Who writes to a list: members, and addresses besides; on the page of its settings
set-who-members-addresses = Mitglieder und die Adressen unten
set-who-members-addresses-approved = Mitglieder und die Adressen unten, mit Freigabe
set-now-write-members-addresses = { $count ->
    [0] Mitglieder dürfen schreiben.
    [one] Mitglieder und 1 weitere Adresse dürfen schreiben.
   *[other] Mitglieder und { $count } weitere Adressen dürfen schreiben.
}
set-now-write-members-addresses-approved = { $count ->
    [0] Mitglieder dürfen schreiben, und jede Nachricht wartet auf Freigabe.
    [one] Mitglieder und 1 weitere Adresse dürfen schreiben, und jede Nachricht wartet auf Freigabe.
   *[other] Mitglieder und { $count } weitere Adressen dürfen schreiben, und jede Nachricht wartet auf Freigabe.
}

## Rights of a person or a key: the question above the boxes
admins-allowed = Was ist erlaubt?
admins-key-allowed-help = Sie können Rechte geben, die Sie selbst haben.
# $who is a name.
admins-given-nothing = { $who } darf noch nichts.

## The members of a list: a page behind the last one
members-none-further = Weitere Mitglieder gibt es nicht.
