### Textes des pages.
