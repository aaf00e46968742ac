### Texte der Mails, die der Server schreibt.
