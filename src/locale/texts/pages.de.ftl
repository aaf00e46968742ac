### Texte der Seiten.
