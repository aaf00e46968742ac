### Texte der Seiten für Mitglieder und der Mail, mit der sie sich anmelden.

nav-members = Ihre Listen

## Anmelden

me-sign-in-title = Bei Ihren Listen anmelden
me-sign-in-lede = Sie brauchen kein Passwort. Wir schicken einen Link an Ihre Adresse, und der öffnet Ihre Listen.
me-sign-in-button = Link schicken
me-email-label = Ihre Adresse
me-email-hint = Eine, an die Mail Ihrer Listen kommt.
me-email-missing = Bitte geben Sie Ihre Adresse ein.
me-email-without-at = In der Adresse fehlt das @.
me-email-wrong = An diese Adresse kann keine Mail geschickt werden.
me-stay-label = Auf diesem Gerät angemeldet bleiben
me-stay-hint = Für 90 Tage statt für einen. Nur, wenn sonst niemand an Ihr Gerät kommt.
me-mailed-title = Sehen Sie in Ihr Postfach
me-mailed-lede = Wenn wir { $address } kennen, ist eine Mail mit einem Link dorthin unterwegs. Er ist { $time } lang gültig.
me-mailed-nothing = Es kommt nichts an?
me-mailed-spam = Vielleicht liegt sie beim Spam.
me-mailed-other = Vielleicht kommen Ihre Listen an eine andere Ihrer Adressen.
me-mailed-often = Wir schicken einer Adresse eine Mail in der Minute und fünf am Tag, so oft sie hier auch eingegeben wird.
me-mailed-again = Eine andere Adresse eingeben

## Die Seite des Links

me-link-title = Willkommen zurück
me-link-lede = Sie melden sich mit { $address } an.
me-link-button = Anmelden
me-link-day = Sie bleiben einen Tag lang angemeldet, oder bis Sie sich abmelden.
me-link-long = Sie bleiben auf diesem Gerät 90 Tage lang angemeldet, oder bis Sie sich abmelden.
me-link-used = Dieser Link wurde schon benutzt
me-link-used-next = Jeder Link meldet Sie einmal an. Wenn Sie nicht angemeldet sind, lassen Sie sich einen neuen schicken.
me-link-expired = Dieser Link funktioniert nicht mehr
me-link-expired-next = Links zum Anmelden gelten eine Stunde. Lassen Sie sich einen neuen schicken; er kommt sofort.
me-link-again = Neuen Link schicken

## Die Mail mit dem Link

me-mail-subject = Ihr Link zum Anmelden bei { $account }
me-mail-text =
    Jemand, vermutlich Sie, möchte sich mit der Adresse { $address }
    bei den Mailinglisten von { $account } anmelden.

    Zum Anmelden öffnen Sie diese Seite und drücken den Knopf:

    { $link }

    Der Link funktioniert einmal, bis { $until }.

    Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ohne diese Mail
    kann sich niemand als Sie anmelden.
