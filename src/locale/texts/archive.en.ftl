### An archive that the visitor may not read

archive-closed-title = This archive is for members
archive-closed-sign-in = Members of { $list } read its messages here. Type the address at which you get them: we send a link to it, which signs you in and leads back to this page.
archive-closed-other = Members of { $list } read its messages here. You are signed in, but with this address you are not a member of the list.
archive-closed-list = To the page of { $list }
archive-closed-read = Read the archive as a member

## Texts of the pages of a list's archive.

## The password of an archive

archive-password-have = Enter the password of the archive
archive-password-title = The archive of { $list }
archive-password-lede = These messages are not for everyone. With the password of the archive you can read them; this browser then remembers it for 30 days.
archive-password-label = Password of the archive
archive-password-button = Open the archive
archive-password-wrong = This is not the password of this archive. The people who look after the list can tell you the right one.

## Threads and messages

archive-thread = Conversation
archive-no-subject = (no subject)
# $number is $count as people write it, like "1,204".
archive-messages = { $count ->
    [one] { $number } message
   *[other] { $number } messages
}
archive-people = { $count ->
    [one] by { $count } person
   *[other] by { $count } people
}
# $first and $last are days like "17 November 2026".
archive-days = { $first } to { $last }
archive-gone = A message that is no longer in the archive
archive-gone-short = no longer here
archive-in-reply-to = in reply to
archive-reply-to = In reply to
archive-reply-mail = Reply by mail
# What people hear who have the page read aloud, in place of "Reply by mail".
archive-reply-mail-to = Reply by mail to { $name }, { $time }
archive-from = From
archive-to = To
archive-date = Date
archive-outline = In this conversation
archive-outline-label = Outline of this conversation
archive-thread-pages = Pages of this conversation
archive-messages-before = Earlier messages
archive-messages-after = Later messages
archive-other-messages = Other messages
archive-message-before = Before: { $name }
archive-message-after = After: { $name }
archive-about-message = About this message
archive-this-message = This message
archive-whole-thread = Read the whole conversation
archive-permalink = Permalink
archive-addresses-hidden = Addresses are shortened here.
archive-addresses-sign-in = Members who sign in see them in full

## The page of a list, and its months

archive-newest = Newest conversations
archive-empty = Nobody has written to this list yet.
archive-about-list = About this list
archive-about-fold = How to write, how to leave, months
archive-feed = Follow this list as a feed
archive-search-label = Search this list
archive-search-button = Search
# $number is $count as people write it, like "1,204".
archive-search-hint = { $count ->
    [one] Search { $number } message
   *[other] Search { $number } messages
}
archive-by-and-others = { $count ->
    [one] { $name } and { $count } other
   *[other] { $name } and { $count } others
}
archive-by-and-many = { $name } and many others
archive-closed = Closed
archive-threads-pages = Pages of conversations
archive-threads-newer = Newer conversations
archive-threads-older = Older conversations
# Three letters or so, below a bar.
archive-month-short = { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Oct
    [11] Nov
   *[12] Dec
}
# $month is a text like archive-month-short.
archive-day-short = { $day } { $month }
archive-month = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $year }
archive-month-messages = Messages of this month
archive-month-pages = Pages of this month
archive-other-months = Other months
archive-month-mbox = This month as a mailbox file

## Around a thread

archive-other-threads = Other conversations
archive-thread-older = Older: { $subject }
archive-thread-newer = Newer: { $subject }
archive-quotes-unfold = Unfold all quotes
archive-quotes-fold = Fold all quotes
archive-thread-feed = Feed of this conversation
archive-reply-here = Reply here
# What people hear who have the page read aloud, in place of "Reply here".
archive-reply-here-to = Reply here to { $name }, { $time }
archive-long = This message is long.
archive-long-open = Open it on a page of its own
archive-thread-cut = This conversation has more messages. The newest are on the pages of their months:

## Attachments

archive-files = Attachments
# What an attachment is, in front of its size.
archive-file-picture = picture
archive-file-sound = sound
archive-file-film = film
archive-file-text = text
archive-file-message = message
archive-file = file
archive-raw = Download as mail
