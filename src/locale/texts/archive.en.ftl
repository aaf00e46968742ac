### Texts of the pages of a list's archive.

## The password of an archive

archive-password-have = Enter the password of the archive
archive-password-title = The archive of { $list }
archive-password-lede = These messages are not for everyone. Whoever has the password of the archive can read them; this browser then remembers it for 30 days.
archive-password-label = Password of the archive
archive-password-button = Open the archive
archive-password-wrong = This is not the password of this archive.

## Threads and messages

archive-thread = Thread
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
archive-outline = In this thread
archive-outline-label = Outline of this thread
archive-thread-pages = Pages of this thread
archive-messages-before = Earlier messages
archive-messages-after = Later messages
archive-other-messages = Other messages
archive-message-before = Before: { $name }
archive-message-after = After: { $name }
archive-about-message = About this message
archive-this-message = This message
archive-whole-thread = Read the whole thread
archive-permalink = Permalink
archive-addresses-hidden = Addresses are shortened here.
archive-addresses-sign-in = Members who sign in see them whole
