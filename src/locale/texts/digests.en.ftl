### Texts of digests: one mail a day with all messages of a list.

# The subject, behind the list's prefix. $day is a text like date-day.
digest-subject = Digest, { $day } ({ $count ->
    [one] { $count } message
   *[other] { $count } messages
})
digest-weekday = { $number ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}
# $weekday is a text like digest-weekday, $day one like date-day.
digest-date = { $weekday }, { $day }
# When a message came: $clock is a time like 18:40.
digest-time = { $weekday } { $clock }
digest-intro = { $count ->
    [one] Good morning. { $count } message came since the last digest; it is attached whole.
   *[other] Good morning. { $count } messages came since the last digest; they are attached whole, in this order.
}
# Who wrote a message and when: $time is a text like digest-time.
digest-sender = { $name }, { $time }
digest-attachments = { $count ->
    [one] { $count } attachment
   *[other] { $count } attachments
}
digest-no-subject = (no subject)
digest-too-large = This message is too large for this mail.
digest-too-large-archive = This message is too large for this mail; you can read it in the archive.
# Links. The first leads to the message in the archive.
digest-read = Read in the archive
digest-archive = In the archive
digest-reply = Reply
digest-why = You get this once a day because you asked for one mail a day.
digest-single = Send me each message instead
digest-leave = Leave the list

## In the place of a file in a digest that would be too large with it.

digest-file = [Attachment: { $name } ({ $kind }, { $size })]
digest-file-link = [Attachment: { $name } ({ $kind }, { $size }), in the archive: { $link } ]

## To administrators.

digest-alert = A digest of { $list } ("{ $subject }") could not be sent to some members, because this server failed: { $words }
