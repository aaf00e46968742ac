### Texts of pages and mails alike: days, sizes, spans of time.
###
### For translators. Write as to somebody whom you respect and like: plain words, the second person ("Sie", "vous",
### "usted"), no exclamation marks, no blame, no codes. Say first what happened, then what happens next. Lines of mails
### are at most 78 characters long where their values are short. A value in braces, { $list }, stays as it is; all
### values of a text are there in every language. Words that people type into an answer to a mail (approve, reject,
### discard) stay English.
###
### Words that have one meaning on every page and in every mail:
###
### account         the organisation whose lists these are; people see its name, not this word
### address         an e-mail address, never a street
### administrator   somebody who signs in and changes settings
### alias           an address whose mail goes on to other addresses
### approve         let a message that waits go to the members
### archive         the pages on which messages of a list can be read
### confirm         show by a link or an answer that an address is one's own
### digest          one mail a day in place of single messages
### discard         drop a message without telling anybody
### held, waiting   a message about which somebody has yet to decide
### list            a mailing list
### member          somebody who gets the mail of a list
### message         what somebody wrote to a list
### moderator       somebody who decides about messages that wait
### owner           somebody who looks after a list
### paused          an address to which nothing is sent for the time being
### provider        the company that keeps the mailboxes of an address
### reject          send a message back to its sender with a reason
### subject         the subject line of a message

language-name = English

number = { $number }

date-day = { $day } { $month ->
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
# $day is a text like date-day, $time one like "16:20 CET".
date-moment = { $day }, { $time }

duration-seconds = { $count ->
    [one] { $count } second
   *[other] { $count } seconds
}
duration-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}
duration-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
}
duration-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}

size-kb = { $count } KB
size-mb = { $count } MB

## People who are gone.

# In place of the name of an author who was erased, in a header and in the archive.
former-member = former member

## Times near to now, as lists of what happened show them: “today, 20:59”, “yesterday”, “tomorrow, 20:59”, “20 November”, then whole dates. $time is one like “20:59”
date-today = today, { $time }
date-yesterday = yesterday
date-tomorrow = tomorrow, { $time }
date-this-year = { $day } { $month ->
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
}
