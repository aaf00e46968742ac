### Texts around mails that people read on pages.

reading-quoted = Quoted text
# $number is $count as people write it, like "1,204".
reading-quoted-lines = { $count ->
    [one] { $number } quoted line
   *[other] { $number } quoted lines
}
reading-quoted-lines-from = { $count ->
    [one] { $number } quoted line from { $author }
   *[other] { $number } quoted lines from { $author }
}
reading-cut = This message is too long for a page, so its end is left out here.
reading-cut-whole = Open the whole message
reading-encrypted = This message is encrypted. Only those who hold the key can read it.
reading-images-off = This message has pictures on other servers. Whoever sent it could see that you look at them.
reading-images-show = Show the pictures
reading-fact-from = From
reading-fact-to = To
reading-fact-cc = Copy
reading-fact-date = Date
reading-fact-subject = Subject
