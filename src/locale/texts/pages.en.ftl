### Texts of the pages.
