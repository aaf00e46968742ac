### Texte um Mails, die Leute auf Seiten lesen.

reading-quoted = Zitierter Text
reading-quoted-lines = { $count ->
    [one] { $number } zitierte Zeile
   *[other] { $number } zitierte Zeilen
}
reading-quoted-lines-from = { $count ->
    [one] { $number } zitierte Zeile von { $author }
   *[other] { $number } zitierte Zeilen von { $author }
}
reading-cut = Diese Nachricht ist zu lang für eine Seite, darum fehlt hier ihr Ende.
reading-cut-whole = Die ganze Nachricht öffnen
reading-encrypted = Diese Nachricht ist verschlüsselt. Nur wer den Schlüssel hat, kann sie lesen.
reading-images-off = Diese Nachricht enthält Bilder von anderen Servern. Wer sie geschickt hat, könnte sehen, dass Sie die Bilder ansehen.
reading-images-show = Bilder anzeigen
reading-fact-from = Von
reading-fact-to = An
reading-fact-cc = Kopie
reading-fact-date = Datum
reading-fact-subject = Betreff
