### Texte der Suche in einem Archiv und seiner Feeds.

## Suchen

search-title = { $list } durchsuchen
search-results = Treffer
search-label = Suchwörter
search-button = Suchen
search-order = Reihenfolge
search-newest = Neueste
search-best = Beste Treffer
# $number is $count as people write it, like "1.204".
search-count-newest = { $count ->
    [0] Keine Nachrichten
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten, die neuesten zuerst
}
search-count-best = { $count ->
    [0] Keine Nachrichten
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten, die besten Treffer zuerst
}
# $number is at least 10.000.
search-least-newest = Mindestens { $number } Nachrichten, die neuesten zuerst
search-least-best = Mindestens { $number } Nachrichten, die besten Treffer zuerst
search-none = Keine Nachricht enthält das alles.
search-none-next = Versuchen Sie es mit weniger Wörtern oder mit einem Wortanfang und einem Stern dahinter: chor*
search-in-thread = { $count ->
    [one] { $number } Nachricht in der Unterhaltung
   *[other] { $number } Nachrichten in der Unterhaltung
}
search-pages = Seiten mit Treffern
search-previous = Vorige Seite
search-next = Nächste Seite

## What can be asked

search-help-label = So suchen Sie
search-help-title = Was Sie eingeben können
search-example-words = kuchen liste
search-help-words = beide Wörter, in beliebiger Reihenfolge; Großschreibung und Akzente spielen keine Rolle
search-example-phrase = "neue Noten"
search-help-phrase = genau diese Wörter hintereinander
search-example-begin = chor*
search-help-begin = Wörter, die so anfangen
search-example-not = -weihnachten
search-help-not = ohne dieses Wort
search-example-from = from:marta
search-help-from = von Marta geschrieben
search-example-subject = subject:noten
search-help-subject = im Betreff
search-help-after = ab September 2026
search-help-before = vor dem 20. November 2026
search-help-has = mit einem Anhang
search-help-thread = in der Unterhaltung mit dieser Nummer

## What is wrong with a query

search-wrong-title = Diese Suche konnten wir nicht lesen
search-wrong-empty = Sie enthält kein Wort. Geben Sie ein Wort oder mehrere ein.
search-wrong-long = Sie ist zu lang: Erlaubt sind bis zu { $count } Zeichen.
search-wrong-many = Sie hat zu viele Teile: Erlaubt sind bis zu { $count }.
search-wrong-quote = Am Ende einer Wortfolge fehlt ein Anführungszeichen, wie in "neue Noten".
# $operator is like "from:".
search-wrong-value = Hinter { $operator } steht in dieser Suche nichts. Schreiben Sie einen Wert direkt hinter den Doppelpunkt, wie in from:marta.
# $value is what the visitor typed, like "gestern".
search-wrong-date = „{ $value }“ ist kein Datum. Schreiben Sie { $operator }2026-11-20, { $operator }2026-11 oder { $operator }2026.
search-wrong-mark = Nach „has:{ $value }“ kann man nicht suchen. Um Nachrichten mit Anhang zu finden, schreiben Sie has:attachment.
search-wrong-thread = „{ $value }“ ist nicht die Nummer einer Unterhaltung. Schreiben Sie eine, wie in { "thread:12" }.
search-wrong-operator = Nach { $operator } kann man hier nicht suchen. Wonach Sie suchen können, steht auf dieser Seite.

## Feeds

# $list is a list's name.
feed-title = Nachrichten von { $list }

## Searching all lists of a member

search-all-label = In allen Ihren Listen suchen
search-all-title = In allen Ihren Listen suchen
search-all-lists = { $count ->
    [0] Sie stehen auf keiner Liste, deren Archiv Sie lesen können.
    [one] Das Archiv einer Liste
   *[other] Die Archive von { $count } Listen
}

## Eine Suche, die nichts findet, mit weniger

search-as-beginning = Keine Nachricht enthält das alles. Diese enthalten Wörter, die mit „{ $word }“ beginnen.
search-without = Keine Nachricht enthält das alles. Diese enthalten alles außer „{ $word }“.
search-meant = Meinten Sie { $words }?
