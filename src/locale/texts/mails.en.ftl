### Texts of the mails that the server writes.
