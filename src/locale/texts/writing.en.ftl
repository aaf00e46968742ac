### Writing to a list on its pages, and what moderators do there.

writing-where = Write
writing-title = Write to { $list }
writing-reply-title = Reply to { $list }
writing-from = From
writing-from-wrong = Please choose one of your own addresses.
writing-subject = Subject
writing-subject-missing = Please say in a few words what it is about.
writing-subject-long = A subject may have up to { $count } characters.
writing-content = Message
writing-content-hint = Plain text. It goes to everybody on the list, by mail.
writing-content-missing = The message has no text yet.
writing-send = Send
writing-preview = Preview
writing-preview-title = What you are about to send
writing-quote = Quote the message
writing-quote-parts = Quote parts of the message
writing-quote-parts-hint = Choose what you answer. Without a choice, the whole message is quoted.
writing-quote-chosen = Quote what is chosen
writing-quote-head = On { $time }, { $author } wrote:
writing-nobody = somebody
writing-draft = You had to sign in again, so nothing was sent. Here is what you wrote.
writing-sent = Your message is on its way
writing-sent-next = The list has taken it and sends it to everybody now.
writing-held = Your message waits for approval
writing-held-next = The people who look after the list read it first. Nobody else has it until then.
writing-held-because = The reason: { $reason }.
writing-read = Read it in the archive
writing-back = Back to { $list }
writing-refused = The list does not take this message: { $reason }.
writing-too-large = This message is too large: the list takes messages of up to { $size }.
writing-too-many-held = Too many messages wait for approval right now. Please try again later; what you wrote stays here.
writing-malformed = This message cannot be sent as it is. A very long line without a blank may be the reason.

## What moderators do

redacted = [removed]
moderator-title = Moderate
moderator-words = Words or addresses to remove
moderator-words-hint = One a line. They are removed from the subject, the author’s name and the text, wherever they stand as whole words.
moderator-redact = Remove them
moderator-no-words = None of these words is in the message.
moderator-words-missing = Please write what is to be removed: a word or an address on each line.
moderator-words-many = Up to { $words } words or addresses can be removed at once, of up to { $chars } characters each. Nothing has changed.
moderator-delete = Remove this message
moderator-sealed = The original stays sealed for 30 days. Only an account administrator can restore it. Mail that was sent cannot be called back.
moderator-restore = Restore the original
moderator-restore-until = Possible until { $day }.
moderator-sealed-lost = The original cannot be opened any more, because the secret that sealed it was replaced. The message stays as it is.
moderator-close = Close this conversation
moderator-close-hint = Replies then wait for approval.
moderator-open = Open this conversation again
moderator-deleted = The message is out of the archive
moderator-deleted-next = Replies to it keep their places. The original stays sealed for 30 days; only an account administrator can restore it.
moderator-redacted = The words are removed
moderator-redacted-next = The archive has the message without them, and members who have no copy yet get it without them too. The original stays sealed for 30 days; only an account administrator can restore it.
moderator-restored = The message is what it was
moderator-restored-next = The archive has the original again.
moderator-closed = The conversation is closed
moderator-closed-next = Replies wait for approval from now on.
moderator-opened = The conversation is open again
moderator-opened-next = Replies are taken as the list says.
moderator-gone = This message was removed
moderator-gone-next = Nobody else sees it. Its original is sealed, and you may restore it.
moderator-back = Back to where you were

## A moderator stopped a sender
moderator-stopped = The sender is stopped
