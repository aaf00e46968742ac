### Textes des messages que le serveur écrit.
