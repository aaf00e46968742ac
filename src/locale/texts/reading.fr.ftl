### Textes autour des messages que l’on lit sur les pages.

reading-quoted = Texte cité
reading-quoted-lines = { $count ->
    [one] { $number } ligne citée
   *[other] { $number } lignes citées
}
reading-quoted-lines-from = { $count ->
    [one] { $number } ligne citée de { $author }
   *[other] { $number } lignes citées de { $author }
}
reading-cut = Ce message est trop long pour une page ; la fin n’est pas affichée ici.
reading-cut-whole = Ouvrir le message entier
reading-encrypted = Ce message est chiffré. Seules les personnes qui ont la clé peuvent le lire.
reading-images-off = Ce message contient des images placées sur d’autres serveurs. La personne qui l’a envoyé pourrait voir que vous les regardez.
reading-images-show = Afficher les images
reading-fact-from = De
reading-fact-to = À
reading-fact-cc = Copie
reading-fact-date = Date
reading-fact-subject = Objet
