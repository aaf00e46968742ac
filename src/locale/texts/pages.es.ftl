### Textos de las páginas.
