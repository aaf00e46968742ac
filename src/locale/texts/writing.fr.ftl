### Écrire à une liste sur ses pages, et ce que les modérateurs y font.

writing-where = Écrire
writing-title = Écrire à { $list }
writing-reply-title = Répondre à { $list }
writing-from = De
writing-from-wrong = Veuillez choisir une de vos propres adresses.
writing-subject = Objet
writing-subject-missing = Veuillez dire en quelques mots de quoi il s’agit.
writing-subject-long = Un objet peut avoir jusqu’à { $count } caractères.
writing-content = Message
writing-content-hint = Texte sans mise en forme. Il part par e-mail à toute la liste.
writing-content-missing = Le message n’a pas encore de texte.
writing-send = Envoyer
writing-preview = Prévisualiser
writing-preview-title = Ce que vous allez envoyer
writing-quote = Citer le message
writing-quote-parts = Citer des passages du message
writing-quote-parts-hint = Choisissez les passages auxquels vous répondez. Sans choix, tout le message est cité.
writing-quote-chosen = Citer les passages choisis
writing-quote-head = Le { $time }, { $author } a écrit :
writing-nobody = quelqu’un
writing-draft = Vous avez dû vous reconnecter, et rien n’a été envoyé. Voici ce que vous aviez écrit.
writing-sent = Votre message est parti
writing-sent-next = La liste l’a accepté et l’envoie maintenant à tous ses membres.
writing-held = Votre message attend d’être approuvé
writing-held-next = Les responsables de la liste le lisent d’abord. D’ici là, personne d’autre ne le reçoit.
writing-held-because = Raison : { $reason }.
writing-read = Le lire dans les archives
writing-back = Retour à { $list }
writing-refused = La liste n’accepte pas ce message : { $reason }.
writing-too-large = Ce message est trop volumineux : la liste accepte des messages jusqu’à { $size }.
writing-too-many-held = Trop de messages attendent d’être approuvés en ce moment. Veuillez réessayer plus tard ; ce que vous avez écrit reste ici.
writing-malformed = Ce message ne peut pas être envoyé tel quel. Une très longue ligne sans espace en est peut-être la cause.

## What moderators do

redacted = [retiré]
moderator-title = Modérer
moderator-words = Mots ou adresses à retirer
moderator-words-hint = Un par ligne. Ils sont retirés de l’objet, du nom de l’auteur et du texte, partout où ils forment des mots entiers.
moderator-redact = Retirer ces mots
moderator-no-words = Le message ne contient aucun de ces mots.
moderator-words-missing = Veuillez écrire ce qu’il faut retirer : un mot ou une adresse par ligne.
moderator-words-many = On peut retirer jusqu’à { $words } mots ou adresses à la fois, de { $chars } caractères au plus chacun. Rien n’a changé.
moderator-delete = Retirer ce message
moderator-sealed = L’original reste scellé pendant 30 jours. Seule une personne qui administre tout le compte peut le rétablir. Les messages déjà envoyés ne peuvent pas être rappelés.
moderator-restore = Rétablir l’original
moderator-restore-until = Possible jusqu’au { $day }.
moderator-sealed-lost = L’original ne peut plus être ouvert, car le secret qui le scellait a été remplacé. Le message reste tel quel.
moderator-close = Fermer cette conversation
moderator-close-hint = Les réponses attendent alors d’être approuvées.
moderator-open = Rouvrir cette conversation
moderator-deleted = Le message n’est plus dans les archives
moderator-deleted-next = Les réponses gardent leur place. L’original reste scellé pendant 30 jours ; seule une personne qui administre tout le compte peut le rétablir.
moderator-redacted = Les mots sont retirés
moderator-redacted-next = Les archives ne contiennent plus ces mots, et les membres qui n’ont pas encore leur copie la recevront sans eux. L’original reste scellé pendant 30 jours ; seule une personne qui administre tout le compte peut le rétablir.
moderator-restored = Le message est rétabli
moderator-restored-next = Les archives affichent de nouveau l’original.
moderator-closed = La conversation est fermée
moderator-closed-next = Les réponses attendent désormais d’être approuvées.
moderator-opened = La conversation est rouverte
moderator-opened-next = Les réponses sont acceptées selon les réglages de la liste.
moderator-gone = Ce message a été retiré
moderator-gone-next = Personne d’autre ne le voit. Son original est scellé, et vous pouvez le rétablir.
moderator-back = Retour

## A moderator stopped a sender
moderator-stopped = L’expéditeur est bloqué
