### Texts of the search of an archive, and of its feeds.

## Searching

search-title = Search { $list }
search-results = Results
search-label = Words to look for
search-button = Search
search-order = Order
search-newest = Newest
search-best = Best match
# $number is $count as people write it, like "1,204".
search-count-newest = { $count ->
    [0] No messages
    [one] { $number } message
   *[other] { $number } messages, newest first
}
search-count-best = { $count ->
    [0] No messages
    [one] { $number } message
   *[other] { $number } messages, best match first
}
# $number is at least 10,000.
search-least-newest = At least { $number } messages, newest first
search-least-best = At least { $number } messages, best match first
search-none = No message has all of that.
search-none-next = Try fewer words, or the beginning of a word with a star after it: choir*
search-in-thread = { $count ->
    [one] { $number } message in the conversation
   *[other] { $number } messages in the conversation
}
search-pages = Pages of results
search-previous = Previous page
search-next = Next page

## What can be asked

search-help-label = How to search
search-help-title = What you can type
search-example-words = tea rota
search-help-words = both words, in any order; capitals and accents do not matter
search-example-phrase = "side door"
search-help-phrase = exactly these words together
search-example-begin = choir*
search-help-begin = words that begin like this
search-example-not = -carol
search-help-not = without this word
search-example-from = from:marta
search-help-from = written by Marta
search-example-subject = subject:scores
search-help-subject = in the subject
search-help-after = from September 2026 on
search-help-before = earlier than 20 November 2026
search-help-has = with a file
search-help-thread = in the conversation with this number

## What is wrong with a query

search-wrong-title = We could not read this search
search-wrong-empty = There is no word in it. Type one or more words to look for.
search-wrong-long = It is too long: a search may have up to { $count } characters.
search-wrong-many = It has too many parts: a search may have up to { $count }.
search-wrong-quote = A quotation mark is missing at the end of a phrase, as in "side door".
# $operator is like "from:".
search-wrong-value = Nothing stands behind { $operator } in this search. Write a value right after the colon, as in from:marta.
# $value is what the visitor typed, like "yesterday".
search-wrong-date = “{ $value }” is no day. Write { $operator }2026-11-20, { $operator }2026-11 or { $operator }2026.
search-wrong-mark = You cannot search for “has:{ $value }”. To find messages with files, write has:attachment.
search-wrong-thread = “{ $value }” is not the number of a conversation. Write one, as in { "thread:12" }.
search-wrong-operator = { $operator } cannot be asked here. This page lists what you can search by.

## Feeds

# $list is a list's name.
feed-title = Messages of { $list }

## Searching all lists of a member

search-all-label = Search all your lists
search-all-title = Search all your lists
search-all-lists = { $count ->
    [0] You are on no list whose archive you can read.
    [one] The archive of one list
   *[other] The archives of { $count } lists
}

## A search that finds nothing, asked with less. $word is a word of it.

search-as-beginning = No message has all of that. These have words that begin with “{ $word }”.
search-without = No message has all of that. These are without “{ $word }”.
# $words are the words of the search, as the archive has them.
search-meant = Did you mean { $words }?
