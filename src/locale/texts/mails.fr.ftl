### Textes des messages que le serveur écrit. Les termes sont expliqués dans common.fr.ftl.

## Pourquoi un message attend ou revient

reason-automated = le message a été envoyé automatiquement
reason-not-allowed = cette adresse n’est pas autorisée à écrire à la liste
reason-not-proven = l’expéditeur n’a pas pu être vérifié : ni DMARC ni un résultat SPF ou DKIM concordant n’a abouti
reason-every-message = chaque message à cette liste doit être approuvé
reason-reply = les réponses à cette liste doivent être approuvées
reason-closed-thread = la conversation à laquelle il répond est fermée
reason-known-id = un autre message portant le même Message-ID est arrivé avant lui
reason-taboo-header = un en-tête correspond au motif { $pattern }
reason-taboo-body = le contenu correspond au motif { $pattern }
reason-patterns-slow = l’examen des motifs a pris trop de temps
reason-pattern-large = l’examen des motifs a pris trop de temps : un motif est plus grand que ce qui est examiné aujourd’hui ; il faut le remplacer par un plus court
reason-text-long = l’examen des motifs a pris trop de temps : le texte est plus long que ce qui est examiné
reason-kind-pattern = un motif de la liste correspond
reason-kind-failed = le serveur n’a pas pu en décider ou l’envoyer
reason-banned = cette adresse est bannie de la liste
reason-too-large = le message dépasse les { $limit } que cette liste accepte
reason-not-approved = la modération de la liste ne l’a pas approuvé
reason-nobody-decided = personne ne l’a approuvé dans les délais ({ $time })
reason-failed-deciding = le serveur n’a pas pu en décider après { $tries } essais : { $words }
reason-failed-sending = le serveur n’a pas pu l’envoyer après { $tries } essais : { $words }

## À l’expéditeur d’un message qui attend ou qui revient

hold-subject = Votre message à { $list } attend d’être approuvé
hold-text =
    Votre message à { $list } est arrivé et attend d’être approuvé :

        Objet : { $subject }
        Raison : { $reason }

    Personne ne l’a encore reçu. La suite : les responsables de la liste le
    lisent et décident. Vous n’avez pas besoin de l’envoyer de nouveau.

reject-subject = Votre message à { $list } n’a pas été envoyé
reject-text =
    Votre message à { $list } n’a pas été envoyé aux membres de la
    liste :

        Objet : { $subject }
        Raison : { $reason }

    Si vous pensez qu’il s’agit d’une erreur, répondez à cet e-mail : votre
    réponse parvient aux responsables de la liste.

## À un nouveau membre

welcome-subject = Bienvenue dans { $list }
welcome-text =
    Bienvenue. Votre adresse { $email } a été ajoutée aux listes
    de { $list }.

    Chaque message d’une liste contient un lien pour la quitter.

## À la modération

moderate-mail-subject = En attente pour { $list } : { $subject }
moderate-text =
    Un message à { $list_address } attend votre décision :

        De :      { $sender }
        Objet :   { $subject }
        Reçu le : { $received }
        Taille :  { $size }
        Raison :  { $reason }

    Pour décider, ouvrez

    { $link }

    ou répondez à cet e-mail en commençant par l’une de ces lignes :

        approuver                     tout le monde le reçoit
        refuser et votre explication  il est refusé, avec votre explication
        supprimer                     il disparaît, et personne n’est prévenu

    La suite : la première décision compte. Si personne ne décide, le message
    est supprimé le { $due }, et personne n’est prévenu.
moderate-preview = Le message commence ainsi :

moderate-answer-subject = Re: En attente pour { $list } : { $subject }
moderate-answer-about = À propos du message « { $subject } » à { $list } :
moderate-answer-unchanged = Rien n’a changé : { $problem }.
moderate-answer-unknown = Votre réponse n’a pas été comprise, et rien n’a changé.
moderate-answer-two =
    Votre réponse contient deux décisions différentes ; rien n’a donc changé.
    Veuillez répondre de nouveau, avec une seule d’entre elles.
moderate-answer-words =
    Veuillez commencer votre réponse par l’une de ces lignes :

        approuver
        refuser et votre explication
        supprimer

decided-approved = le message a déjà été approuvé par { $by }, le { $time }
decided-rejected = le message a déjà été refusé par { $by }, le { $time }
decided-discarded = le message a déjà été supprimé par { $by }, le { $time }
decided-by-nobody = le message a déjà été supprimé, car personne n’a décidé à temps
decider-operator = la personne qui gère le serveur
decider-administrator = l’administration (nº { $number })

summary-subject = { $list } : { $count ->
    [one] { $count } message attend
   *[other] { $count } messages attendent
} votre décision
summary-begin = { $count ->
    [one] { $count } message à { $list_address } attend votre décision :
   *[other] { $count } messages à { $list_address } attendent votre décision :
}
summary-message =
    De :      { $sender }
    Objet :   { $subject }
    Reçu le : { $received }
    Raison :  { $reason }
    { $link }
summary-more = et { $count ->
    [one] { $count } autre
   *[other] { $count } autres
}.
summary-end =
    Chaque lien ouvre une page avec le message et les boutons pour décider.

problem-subject = Problème avec un message à { $list } : { $subject }
problem-text =
    Un message à { $list_address } a été mis de côté. Tout le reste
    fonctionne.

        De :     { $sender }
        Objet :  { $subject }
        Raison : { $reason }

    Les membres qui ne l’ont pas encore reçu l’attendent. Une fois la cause
    éliminée, approuvez-le et ils le recevront ; sinon, supprimez-le :

    { $link }

## À l’administration : une demande attend une décision. $person est un nom avec une adresse.

approval-join-subject = { $list } : quelqu’un souhaite s’inscrire
approval-join-text =
    Quelqu’un souhaite s’inscrire à { $list_address } :

        Personne :   { $person }
        Demandé le : { $requested }
approval-leave-subject = { $list } : quelqu’un souhaite quitter la liste
approval-leave-text =
    Quelqu’un souhaite quitter { $list_address } :

        Personne :   { $person }
        Demandé le : { $requested }
approval-list-subject = La nouvelle liste { $list } attend d’être approuvée
approval-list-text =
    La nouvelle liste { $list_address } attend d’être approuvée :

        Description : { $description }
        Demandée le : { $requested }
approval-text =
    Pour décider, ouvrez

    { $link }

    ou répondez à cet e-mail en commençant par l’une de ces lignes :

        approuver                     la demande est acceptée
        refuser et votre explication  la personne est prévenue, avec vos mots
        supprimer                     personne n’est prévenu

    La suite : la première décision compte. Si la demande est approuvée ou
    refusée, la personne reçoit un e-mail qui le dit, avec votre explication.
    Si elle est supprimée, personne n’est prévenu.
approval-answer-subject = Re: une demande pour { $list }
approval-answer-about = À propos d’une demande pour { $list } :
approval-decided-approved = la demande a déjà été approuvée par { $by }, le { $time }
approval-decided-rejected = la demande a déjà été refusée par { $by }, le { $time }
approval-decided-discarded = la demande a déjà été supprimée par { $by }, le { $time }
approval-summary-subject = { $list } : { $count ->
    [one] { $count } demande attend
   *[other] { $count } demandes attendent
} votre décision
approval-summary-both-subject = { $list } : des messages et des demandes attendent votre décision
approval-summary-begin = { $count ->
    [one] { $count } demande attend
   *[other] { $count } demandes attendent
} votre décision pour { $list_address } :

## À une personne dont la demande de rejoindre ou de quitter une liste a reçu une décision

approval-joined-subject = Vous êtes membre de { $list }
approval-joined-text =
    Les responsables de { $list } ont approuvé votre demande.
    Vous êtes maintenant membre de la liste et recevez ses messages.
approval-not-joined-subject = Votre demande d’inscription à { $list }
approval-not-joined-text =
    Les responsables de { $list } n’ont pas approuvé votre
    demande d’inscription. Si vous pensez qu’il s’agit d’une erreur, répondez
    à cet e-mail : votre réponse leur parvient.
approval-left-subject = Vous avez quitté { $list }
approval-left-text =
    Les responsables de { $list } ont approuvé votre demande.
    Vous avez quitté la liste et ne recevrez plus ses messages.
approval-not-left-subject = Votre demande de quitter { $list }
approval-not-left-text =
    Les responsables de { $list } n’ont pas approuvé votre
    demande de quitter la liste : vous en restez donc membre. Si vous pensez
    qu’il s’agit d’une erreur, répondez à cet e-mail : votre réponse leur
    parvient.
approval-opened-subject = Votre liste { $list } est approuvée
approval-opened-text =
    Votre liste { $list } est approuvée. Elle accepte les messages
    dès maintenant.
approval-refused-subject = Votre liste { $list } n’est pas approuvée
approval-refused-text =
    Votre liste { $list } n’a pas été approuvée et est supprimée.
approval-reason = L’explication donnée :

## À l’administration : qui a rejoint une liste et qui l’a quittée

news-joined-subject = { $list } : un nouveau membre
news-joined-text = Quelqu’un est devenu membre de { $list_address } :
news-left-subject = { $list } : un membre a quitté la liste
news-left-text = Quelqu’un a quitté { $list_address } :
news-why-subject = { $list } : pourquoi un membre a quitté la liste
news-why-text = Quelqu’un qui a quitté { $list_address } dit pourquoi :
news-line = { $person }, { $time }
news-reason = Avec ses propres mots :
news-summary-subject = { $list } : inscriptions et départs
news-summary-joined = { $count ->
    [one] { $count } personne est devenue membre
   *[other] { $count } personnes sont devenues membres
} de { $list_address } :
news-summary-left = { $count ->
    [one] { $count } personne a
   *[other] { $count } personnes ont
} quitté { $list_address } :
news-summary-why = { $count ->
    [one] { $count } personne qui a quitté { $list_address } dit
   *[other] { $count } personnes qui ont quitté { $list_address } disent
} pourquoi :

## À l’administration

invite-from = Listes de diffusion de { $domain }
invite-subject = Choisissez votre mot de passe pour les listes de { $site }
invite-text =
    Vous faites désormais partie de l’administration des listes
    de { $site }.

    Choisissez le mot de passe avec lequel vous vous connecterez comme
    { $username } :

    { $link }

    Le lien fonctionne une fois, jusqu’au { $day }. Si vous
    n’attendiez pas cet e-mail, vous n’avez rien à faire.

alert-bounce-subject = Une adresse ne reçoit plus de messages pour le moment
alert-bounce-text =
    Les messages envoyés à ces adresses sont revenus avec une erreur
    définitive ; plus rien ne leur est donc envoyé. Nous réessayons tous les
    trois jours, quatre fois en tout. Elles recevront de nouveau les messages
    dès que l’un d’eux arrivera, ou dès que vous reprendrez l’envoi.
alert-complaint-subject = Un membre a signalé un message comme spam
alert-complaint-text =
    Ces membres ont signalé à leur fournisseur qu’ils ne veulent pas des
    messages d’une liste. Plus rien ne leur est envoyé jusqu’à ce qu’eux ou
    vous en décidiez autrement.
alert-backup-subject = Les sauvegardes de { $host } échouent
alert-backup-text = Les { $count } dernières sauvegardes vers { $place } ont échoué, la dernière pour cette raison :
alert-backup-newest = La sauvegarde la plus récente date du { $time }. Le serveur continue d’essayer.
alert-backup-none = Aucune sauvegarde n’y a encore été faite. Le serveur continue d’essayer.
alert-provider-subject = Un fournisseur refuse des messages
alert-provider-text =
    Un fournisseur refuse ce qu’une liste envoie, pour des raisons qui n’ont
    rien à voir avec ses membres. Le reste du message n’est pas envoyé à ce
    fournisseur pour le moment. Aucun membre n’a été suspendu.
alert-webhook-subject = Un webhook ne répond pas
alert-webhook-text =
    Des évènements n’ont pas pu être envoyés à ces webhooks du compte. Après dix
    tentatives, un webhook est suspendu ; ce qu’il n’a pas reçu peut être
    renvoyé.

alert-report-subject = Un rapport sur un message à un membre n’a pas été retenu
alert-report-text =
    D’après des rapports, les messages à ces membres n’arrivent pas ou ne
    sont pas souhaités. Rien ne prouve que ces rapports viennent des
    fournisseurs des membres : les membres qui partagent la copie d’un message
    (--delivery batched) connaissent son adresse de retour, et n’importe
    lequel d’entre eux aurait pu écrire un tel rapport. Personne n’a été
    suspendu. Si vous savez qu’une adresse ne fonctionne pas, suspendez-la
    vous-même.

alert-line-dead = { $address } : l’adresse n’existe pas ({ $words })
alert-line-soft = { $address } : les messages reviennent en erreur depuis 8 jours ({ $words })
alert-line-complaint = { $address } : un message a été signalé comme spam ({ $words })
alert-line-report = { $address } : { $words }
alert-line-webhook-fails = { $host } : trois tentatives de suite ont échoué ({ $words })
alert-line-webhook-paused = { $host } : le webhook a été suspendu ({ $words })
alert-line-provider = { $provider } a refusé { $refused } copies sur { $copies } de « { $subject } » à { $list } ({ $words })
alert-more = et { $count ->
    [one] { $count } autre
   *[other] { $count } autres
}.
complaint-words = un rapport du type { $kind }

## À un membre dont les messages sont revenus

probe-subject = Recevez-vous de nouveau les messages ?
probe-text =
    Des messages des listes de { $account } à cette adresse sont revenus en
    erreur ; plus rien ne lui est donc envoyé pour le moment. Voici le dernier
    rapport :

    { $words }

    Cet e-mail sert à savoir si l’adresse fonctionne de nouveau. Si vous
    pouvez le lire, vous n’avez rien à faire : vos listes reprennent dans
    quelques jours. Pour les recevoir tout de suite, ouvrez cette page et
    appuyez sur le bouton :

    { $link }

## La partie lisible d’un avis de remise qu’un expéditeur a demandé

report-from = Remise des messages
report-subject = Votre message a été remis
report-begin = Voici le rapport que vous avez demandé. Votre message est arrivé :
report-delivered = { $address } : le message est arrivé à destination
report-relayed = { $address } : le message a été transmis aux personnes que cette adresse désigne
report-end = La remise à chaque membre n’est pas indiquée.

## Dans les copies que reçoivent les membres

copy-cut-off = [La liste de diffusion a coupé ce message ici.]
copy-attachment-removed = [Pièce jointe retirée : { $name } ({ $kind }, { $size })]
copy-attachment-nameless = sans nom

## À la personne dont l’adresse a servi à une demande, pour qu’elle la confirme

confirm-mail-subject = À confirmer : { $list }
confirm-mail-text =
    Vous, ou quelqu’un qui a saisi votre adresse
    { $address }, nous avez demandé ceci :

    { $changes }

    Si cette demande vient de vous, ouvrez cette page et appuyez sur le
    bouton :

    { $link }

    Ou répondez simplement à cet e-mail ; vous n’avez rien à écrire.

    Si elle ne vient pas de vous, ne faites rien. Rien n’a changé, et le lien
    cessera de fonctionner le { $until }.
confirm-mail-approval =
    La suite, une fois que vous avez confirmé : les responsables de la liste
    décident, et un e-mail vous préviendra.
confirm-change-join = Inscription à la liste { $list }
confirm-change-leave = Départ de la liste { $list }
confirm-change-digest = Réception de la liste { $list } en un récapitulatif par jour
confirm-change-singly = Réception de chaque message de la liste { $list } dès son arrivée
confirm-change-as-address = Réception de la liste { $list } selon le réglage de votre adresse
confirm-change-pause = Suspension de tous les messages des listes à cette adresse
confirm-change-resume = Reprise des messages des listes à cette adresse
confirm-change-add = Utilisation de cette adresse pour vos listes de { $site }

## Réponses aux messages qui contiennent des commandes, et aux réponses qui confirment une demande. Les commandes sont
## tapées par des personnes : elles sont les mêmes dans toutes les langues.

command-subject = Votre demande à { $list }
command-results = Le résultat de votre demande :
command-to-confirm = Veuillez confirmer par le lien ci-dessous.
command-mailed-before = Un lien de confirmation vous a été envoyé dans les dernières vingt-quatre heures : veuillez le chercher dans votre boîte de réception.
command-confirm =
    Pour confirmer, ouvrez cette page et appuyez sur le bouton :

    { $link }

    Ou répondez simplement à cet e-mail ; vous n’avez rien à écrire.

    Si vous n’avez rien demandé, ne faites rien. Rien n’a changé, et le lien
    cessera de fonctionner le { $until }.
command-none = Votre e-mail ne contenait aucune commande que nous comprenons.
command-other-lines = Votre e-mail contenait des lignes qui ne sont pas des commandes. Nous les avons ignorées.
command-member-already = Vous êtes déjà membre de { $list }.
command-join-closed = On ne peut pas s’inscrire soi-même à { $list }. Veuillez vous adresser aux responsables de la liste.
command-leave-closed = On ne peut pas quitter { $list } soi-même. Veuillez vous adresser aux responsables de la liste.
command-not-permitted = Les adresses comme { $address } ne peuvent pas être membres de { $list }.
command-no-member = { $address } n’est pas membre de { $list }. Si vous recevez ses messages à une autre adresse, veuillez écrire depuis celle-là.
command-unknown = { $address } n’est inscrite à aucune de nos listes.
command-digest-already = Vous recevez déjà { $list } en un récapitulatif par jour.
command-singly-already = Vous recevez déjà chaque message de { $list } dès son arrivée.
command-paused-already = L’envoi à { $address } est déjà suspendu.
command-not-paused = L’envoi à { $address } n’est pas suspendu.
command-which-singly = { $name } ({ $title }) : chaque message dès son arrivée
command-which-digest = { $name } ({ $title }) : un récapitulatif par jour
command-which-web = { $name } ({ $title }) : aucun e-mail, à lire sur le web
command-which-paused = L’envoi à { $address } est suspendu pour le moment.
command-help =
    { $list } accepte ces commandes. Écrivez chacune sur une ligne à part, et
    envoyez-les à { $address } :
command-help-help = cette aide
command-help-subscribe = pour s’inscrire à la liste
command-help-subscribe-digest = pour s’inscrire et recevoir un récapitulatif par jour
command-help-unsubscribe = pour quitter la liste
command-help-digest-on = pour recevoir la liste en un récapitulatif par jour
command-help-digest-off = pour recevoir chaque message dès son arrivée
command-help-pause = pour suspendre tous les messages de nos listes à votre adresse
command-help-resume = pour les recevoir de nouveau
command-help-which = pour voir de quelles listes vous êtes membre ici
command-help-end =
    Avant toute modification, vous recevez un lien pour la confirmer. Pour
    joindre les responsables de la liste, écrivez à { $owner }.
command-help-page = La liste a une page :
command-expired =
    Votre demande du { $day } n’a pas pu être confirmée : c’est possible
    pendant sept jours, et ils sont passés. Rien n’a changé. Si vous le
    souhaitez toujours, veuillez refaire votre demande.

## Les boutons des messages en HTML : chacun est là où le texte a le lien

mail-button-decide = Lire et décider
mail-button-decide-request = Décider
mail-button-confirm = Confirmer
mail-button-sign-in = Se connecter
mail-button-password = Choisir un mot de passe
mail-button-unlock = Débloquer mon adresse
mail-button-resume = Reprendre l’envoi
mail-button-leave = Quitter la liste
mail-button-manage = Vos listes
mail-button-archive = Lire les archives
mail-button-list = Page de la liste
alert-lists = Membre de { $lists }
alert-person = { $name }, membre de { $lists }
mail-button-person = Voir cette personne
# Told to the sender of a message, behind "Reason:".
reason-your-address = votre adresse n’est pas autorisée à écrire à cette liste ; si vous en êtes membre, écrivez depuis l’adresse où vous recevez ses messages
