### Auf den Seiten einer Liste schreiben, und was Moderierende dort tun.

writing-where = Schreiben
writing-title = An { $list } schreiben
writing-reply-title = An { $list } antworten
writing-from = Von
writing-from-wrong = Bitte wählen Sie eine Ihrer eigenen Adressen.
writing-subject = Betreff
writing-subject-missing = Bitte sagen Sie in ein paar Worten, worum es geht.
writing-subject-long = Ein Betreff darf höchstens { $count } Zeichen haben.
writing-content = Nachricht
writing-content-hint = Reiner Text. Die Nachricht geht per Mail an alle auf der Liste.
writing-content-missing = Die Nachricht hat noch keinen Text.
writing-send = Senden
writing-preview = Vorschau
writing-preview-title = Das senden Sie gleich
writing-quote = Nachricht zitieren
writing-quote-parts = Teile der Nachricht zitieren
writing-quote-parts-hint = Wählen Sie aus, worauf Sie antworten. Ohne Auswahl wird die ganze Nachricht zitiert.
writing-quote-chosen = Auswahl zitieren
writing-quote-head = { $author } schrieb ({ $time }):
writing-nobody = jemand
writing-draft = Sie mussten sich neu anmelden, darum wurde nichts gesendet. Hier steht, was Sie geschrieben haben.
writing-sent = Ihre Nachricht ist unterwegs
writing-sent-next = Die Liste hat sie angenommen und verschickt sie jetzt an alle.
writing-held = Ihre Nachricht wartet auf Freigabe
writing-held-next = Wer die Liste betreut, liest sie zuerst. Bis dahin bekommt sie sonst niemand.
writing-held-because = Grund: { $reason }.
writing-read = Im Archiv lesen
writing-back = Zurück zu { $list }
writing-refused = Die Liste nimmt diese Nachricht nicht an: { $reason }.
writing-too-large = Diese Nachricht ist zu groß: Die Liste nimmt Nachrichten bis { $size } an.
writing-too-many-held = Gerade warten zu viele Nachrichten auf Freigabe. Bitte versuchen Sie es später noch einmal; was Sie geschrieben haben, bleibt hier stehen.
writing-malformed = So kann diese Nachricht nicht gesendet werden. Vielleicht liegt es an einer sehr langen Zeile ohne Leerzeichen.

## What moderators do

redacted = [entfernt]
moderator-title = Moderieren
moderator-words = Wörter oder Adressen, die entfernt werden sollen
moderator-words-hint = Je Zeile eines. Diese Wörter werden aus dem Betreff, dem Absendernamen und dem Text entfernt, wo sie als ganze Wörter stehen.
moderator-redact = Entfernen
moderator-no-words = Keines dieser Wörter steht in der Nachricht.
moderator-words-missing = Bitte schreiben Sie, was entfernt werden soll: je Zeile ein Wort oder eine Adresse.
moderator-words-many = Auf einmal lassen sich bis zu { $words } Wörter oder Adressen mit je bis zu { $chars } Zeichen entfernen. Es hat sich nichts geändert.
moderator-delete = Diese Nachricht entfernen
moderator-sealed = Das Original bleibt 30 Tage lang versiegelt. Nur wer das ganze Konto verwaltet, kann es wiederherstellen. Verschickte Mails lassen sich nicht zurückholen.
moderator-restore = Original wiederherstellen
moderator-restore-until = Möglich bis zum { $day }.
moderator-sealed-lost = Das Original lässt sich nicht mehr öffnen, weil das Geheimnis, das es versiegelt hat, ersetzt wurde. Die Nachricht bleibt, wie sie ist.
moderator-close = Diese Unterhaltung schließen
moderator-close-hint = Antworten warten dann auf Freigabe.
moderator-open = Diese Unterhaltung wieder öffnen
moderator-deleted = Die Nachricht ist nicht mehr im Archiv
moderator-deleted-next = Antworten darauf behalten ihren Platz. Das Original bleibt 30 Tage lang versiegelt; nur wer das ganze Konto verwaltet, kann es wiederherstellen.
moderator-redacted = Die Wörter sind entfernt
moderator-redacted-next = Die Nachricht steht jetzt ohne sie im Archiv, und wer noch keine Kopie hat, bekommt sie ebenfalls ohne sie. Das Original bleibt 30 Tage lang versiegelt; nur wer das ganze Konto verwaltet, kann es wiederherstellen.
moderator-restored = Die Nachricht ist wieder, wie sie war
moderator-restored-next = Im Archiv steht wieder das Original.
moderator-closed = Die Unterhaltung ist geschlossen
moderator-closed-next = Antworten warten ab jetzt auf Freigabe.
moderator-opened = Die Unterhaltung ist wieder offen
moderator-opened-next = Antworten werden wieder so angenommen, wie die Liste es vorsieht.
moderator-gone = Diese Nachricht wurde entfernt
moderator-gone-next = Sonst sieht sie niemand. Ihr Original ist versiegelt, und Sie dürfen es wiederherstellen.
moderator-back = Zurück

## A moderator stopped a sender
moderator-stopped = Der Absender ist gesperrt
