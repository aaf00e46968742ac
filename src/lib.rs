//! Crier, a mailing-list server in one executable: an HTTP API, mail in and out, pages for people, and one
//! data file.
//!
//! # How it is built
//!
//! Each folder is a layer and each file a noun. Read `schema` (what exists), then `ops` (what can happen), then
//! `mail::policy` (what a list's rules say of a post) and `ops::posting::acceptance` (what follows from it, with proof
//! and limits); the rest is edges.
//!
//! | layer | what it is |
//! |---|---|
//! | [`cli`], [`app`], [`control`] | the command line; start and stop; commands that reach a running server |
//! | [`backup`] | backups of the data file: a folder, a bucket or one file, of which any point in time is restored |
//! | [`api`], [`web`] | HTTP: the JSON of `/api/2/`, and pages for people |
//! | [`sources`] | lists of other list servers, as their files say what they are |
//! | [`params`] | what calls and forms set: the fields of each kind of object, read and checked |
//! | [`http`] | connections and bodies of HTTP with their limits; the address of the client |
//! | [`remote`] | other list servers, which are read by HTTP for those who move in |
//! | [`acme`] | certificates of this server, which it orders of an authority and renews |
//! | [`jobs`] | the scheduler: expands posts and digests into batches, claims what is due, writes what was answered; upkeep |
//! | [`smtp`] | mail over the network: a receiving state machine, a sending connection |
//! | [`service`] | what the edges share to carry operations out, and the procedures that wait: for the DNS, a hash, several jobs |
//! | [`ops`] | every operation of the service: plain functions over a transaction, which wait for nothing |
//! | [`mail`] | functions over message bytes: parse, decide, rewrite, compose, sign |
//! | [`schema`], [`migrate`] | every table, index and count; what older files need |
//! | [`store`] | the engine: typed records, declared indexes, one writer, snapshots |
//! | [`locale`] | the texts of pages and mails in every language; days and numbers as each writes them |
//! | [`config`] | what the operator decided |
//! | [`model`] | plain records and their rules |
//! | [`metrics`] | what is counted and measured: one value, handed along |
//! | [`clock`], [`secret`] | time; randomness |
//! | [`oidc`] | signing in at a provider of identities, as the party that relies on it |
//! | [`s3`] | storage services to which backups go |
//! | [`net`] | the network without the protocol of mail: DNS, certificates, TLS, requests over HTTPS, sockets |
//! | [`log_id`] | short ids by which the lines of the log are found that belong together |
//! | [`shares`] | sharing out what is scarce, such as memory, by client and by account |
//!
//! Names point downwards only: a layer may use those further down that `tests/it/tidy.rs` names for it. The rooms of
//! [`ops`] keep an order of the same kind among themselves:
//!
//! | room | what it is |
//! |---|---|
//! | [`ops::posting`] | mail that comes in: posts, commands by mail, what members write on pages, and the simulator, which shows what a post *would* lead to |
//! | [`ops::server`] | what time alone brings about, and what callers used up |
//! | [`ops::digests`] | one mail a day in place of each post: when, for whom, of what |
//! | [`ops::delivery`] | what servers answered to copies: retries, bounces, blocks by providers |
//! | [`ops::moderation`] | held messages and requests: who decides, how they are asked; mail on which the server itself failed |
//! | [`ops::undo`] | what administrators did to people, lists and aliases, kept for a day so that it can be undone |
//! | [`ops::lists`], [`ops::accounts`] | lists and aliases; accounts, administrators, keys |
//! | [`ops::archive`] | messages, their threads and search, archives that come in from elsewhere, and what moderators take out |
//! | [`ops::people`] | contacts, their addresses, memberships, imports; what members do for themselves |
//! | [`ops::notices`] | mail that the server writes itself |
//! | [`ops::queue`] | what waits to be sent |
//! | [`ops::oauth`] | applications, what people allowed them, and their tokens |
//! | [`ops::sessions`], `ops::search` | who is signed in; the intersection of words |
//! | [`ops::context`] | what an operation is given: who acts, the time, the means to write mail |
//! | [`ops::domains`] | the domains of accounts: their proof, records, keys and links |
//! | [`ops::audit`], [`ops::authority`] | what was done; who may do it |
//! | values | [`ops::limits`], [`ops::paging`], [`ops::patterns`], `ops::allowances` and counts |
//!
//! # A post, from socket to members
//!
//! `smtp::receive` answers most commands by itself; [`service`] says what the address of a recipient means
//! (`service::route`) and what becomes of the message. At the end of the data, the sender is
//! verified ([`net::verify`]) and the message is parsed (`service::receive`). The patterns of its lists judge it outside
//! of the writer (`service::judge`, in turns of [`service::patterns`]). Then one write job
//! ([`ops::posting::inbound`]) asks [`ops::posting::acceptance`], as the simulator does, and that asks [`mail::decide`]
//! for each list; it keeps what follows: the bytes once, the message in its thread (`ops::archive::placing`), one
//! fan-out row. Then the commit, and only then `250`.
//!
//! The scheduler reads the members from a snapshot and writes them into batches of up to 64 recipients that
//! share a destination; the cursor of the fan-out moves in the same job, so a crash skips and repeats nobody. A
//! batch is claimed before the network is touched (its next attempt moves into the future), its copies
//! (one for several members, where they share it) are rendered and signed as the connection takes them, and what was
//! answered is settled together, within a hundredth of a second. What a crash repeats is what was in flight: sent, and
//! not settled. What the operator orders of a batch ([`ops::queue`]) is written beside an attempt that is under way,
//! and obeyed where it is settled.
//!
//! Members who take digests get no copy: the post waits for six o'clock in the account's time zone ([`ops::digests`]).
//! Then the posts of a list become one row in one job, which is expanded as a post is, into the same batches. What an
//! address took when a post was accepted decides which of the two has it, so that each post reaches it once. "When" is
//! a number from the sequence of messages and no time, and every change of what somebody takes is kept by the table
//! itself ([`store::Entity::keep_of_change`]) for as long as a post needs it.
//!
//! No destination slows another: they take turns, have places by whether they take mail, and one that cannot be
//! reached is left alone for a while, with all that waits for it, which is not even read (`jobs::destinations`,
//! [`ops::queue::due`]).
//!
//! What the server writes itself (to senders, to moderators, to new members), and what it passes on for an
//! alias or an owner, is a system mail. Its own have HTML beside the text, made of the text in one form
//! ([`mail::Notice`]): only links that the code names as buttons are links there. A system mail is queued in the job of its cause ([`ops::notices::system_mails`]) and delivered
//! by the same batches. A message on which the server itself fails is quarantined after three tries
//! ([`ops::moderation::quarantine`]), so that everything else flows on.
//!
//! Mail that is no post is settled first: a report on a copy ([`ops::delivery::bounces`]), a reply that leaves a list,
//! a moderator's answer, and what people ask of a list by mail: [`mail::commands`] reads it,
//! `ops::posting::inbound::commands` answers it, and what it would change waits to be confirmed
//! ([`ops::people::requests`]), by the link or by a reply. By mail, by link and by the API, a held message is decided
//! in `ops::moderation::decide`, and a request to join, leave or make a list in [`ops::lists::pending`].
//!
//! What an administrator writes to be sent at a time is composed at once and waits with its form
//! ([`ops::archive::scheduled`]), so that it can be changed; it is published in the job that deletes its record. Until a
//! message is sent, its form and its files are a draft ([`ops::archive::compose_drafts`]). A form of a page that sends
//! carries a key, under which its answer is saved like that of a repeated call. Every other form of members and
//! administrators carries a proof of whose it is: sent when the session has ended, it is kept encrypted for a day and
//! comes back after signing in ([`ops::server::typed_forms`]). Why somebody did not get a message, [`ops::delivery::why_not`] says as plain data.
//!
//! # Search in archives
//!
//! Accepting a post writes no words. In the pauses of the mail, [`ops::archive::indexing`] reads the words of new
//! messages from a snapshot and writes them: a few messages by themselves, many as a *segment*, in which messages are
//! numbered from the newest to the oldest and each word has the numbers of its messages. Segments of one size are merged
//! into larger ones, in steps that a crash neither loses nor repeats. [`ops::archive::query`] reads a question, and
//! [`ops::archive::find`] walks the postings of its words from the newest on and stops behind a page. What is taken out
//! is marked in the same job, and dropped when segments are merged. A query of a page that finds nothing is asked with
//! less (`web::archive::search`), and with words of the archive that are spelled alike ([`ops::archive::spelling`]).
//!
//! # Whose page, and where links lead
//!
//! [`http`] finds the address of the client of each request, behind trusted proxies too; every limit for a client reads
//! [`http::client_addr`]. Before the path of a page is looked at, `web::site` finds whose page it is, by the host or by
//! `/~ACCOUNT/` ([`ops::domains::sites`]); its handlers take the [`Site`](ops::domains::sites::Site), and a link that
//! belongs to another account is not answered there. The API is the same at every host: its key says whose call it is.
//!
//! Addresses that another server had lead to the pages that they meant ([`ops::archive::old_links`]): at its hosts
//! ([`ops::domains::old_names`]), where nothing else answers (`web::old_host`), and at an account's own host wherever no
//! page has the path (`web::old_links`). [`model::old_place`] reads them; what no computation tells is kept as an
//! [`model::OldLink`].
//!
//! Every link to a page of an account is a function of [`model::Links`], which [`ops::domains::links`] makes for an
//! account, once for a message, a system mail or a page, and which says what all of them begin with. A member's own
//! link to leave is made in `jobs::copies`, as a copy is rendered; a copy that several members share has none, but an
//! address to write to. Pages and addresses of lists that mail may name are [`model::Place`]: what does not answer yet
//! is left out of mail until it is switched on there.
//!
//! # A mail on a page
//!
//! [`ops::archive::shown`] reads a stored message as its members got it, less what is personal. [`mail::reading`] says
//! which of its parts are shown, what its plain text is made of and which parts are files. [`web::reading`] makes HTML
//! of that: HTML of others is first made to fit into the page, known elements in the page's own classes and not too
//! deep, so that the work is bounded; then ammonia, with a list of what a page may have, has the last word. Pages,
//! feeds, downloads and digests show mail by these alone, and hide addresses by [`mail::reading::hide_addresses`] alone;
//! [`model::hiding`] says what an address is, also for the search index.
//! `tests/fixtures/xss` has the mails that try to get around it. HTML that an administrator writes is bounded as well
//! before ammonia reads it; it keeps its own form, since it goes into mail.
//! All of them split HTML by [`mail::html`], as do the patterns of lists and what is put into messages or cut off
//! them: what a rule judges is what a reader sees.
//!
//! # Who reads archives
//!
//! [`ops::archive::access`] alone decides who may read an archive. Each page, feed and download of an archive asks it
//! through `web::archive::access` before it reads anything else; a visitor who may not read gets the same answer
//! whatever the path names: the ways in for members, below a list whose own page is open to the visitor. A page shows a
//! message as members got it, less what is personal ([`ops::archive::shown`]), and hides addresses from visitors who
//! are no members where the list says so. Pages that everybody may read carry `ETag`s; all others are kept nowhere. The
//! password of an archive is compared with its hash; the cookie for the right one is signed, and no longer opens the
//! archive when the password has changed ([`ops::archive::passwords`]).
//!
//! Whatever reads stored mail takes its memory from [`service::memory`], which shares it out by client and by
//! account, with small messages apart from large ones, and limits searches and downloads at a time. Where the files of a
//! large message stand is noted after it is indexed ([`ops::archive::part_notes`]); a file is then read a piece at a
//! time, each in a snapshot of its own, so that a slow client holds neither memory nor a snapshot
//! ([`ops::archive::parts`]). The mailbox file of a month is made in the same way while it is sent
//! ([`ops::archive::mbox`]), and kept when the month is over ([`ops::archive::kept_months`]). Feeds have the newest
//! messages of a list or of a thread, and read the beginning of each ([`ops::archive::feeds`]). Search engines are told of the archives that everybody
//! may read, unless the list is left out of the public index ([`ops::archive::sitemap`]).
//!
//! # The address book on pages
//!
//! [`ops::people::browse`] reads a page of people from a position, in either direction ([`ops::paging`]), so that a page
//! of a million people costs what a page of a hundred does. `web::admin::parts::listing` keeps search, filters, order and
//! position of every listing in its address, and `web::admin::parts::csv` makes the same rows a file while it is sent.
//!
//! Exports of other services are known by the names of their columns (`params::origins`); what a cell says against mail
//! is read in `params::decisions`, and what has no place here is counted by `params::left_behind`. A list is made the
//! same as a file in [`ops::people::synchronizing`].
//!
//! An import is kept with its text while somebody looks at what would happen, and then runs in steps of some hundred
//! rows, each row an operation like any other ([`service::rows::stored`]). A step notes how far it has come
//! ([`ops::people::import_tasks`]), so that
//! the next start goes on behind it; each asks anew what the administrator may do. Charts of administrators show what
//! [`ops::server::figures`] notes once a day.
//!
//! # Moving out
//!
//! [`control::export`] makes the files of an export piece by piece, each in a snapshot of its own: people with
//! everything that is known of them ([`ops::people::whole`]), what the API shows of lists, aliases and administrators, and
//! archives with the bytes of their messages. `crier export` writes them into a folder, also through the socket of a
//! running server; pages hand them out as a zip file that is made while it is sent ([`service::exports`]). `crier import
//! crier` puts everything back as it was, without the operations that would welcome people or tell administrators
//! ([`ops::people::whole::taking`]); whoever is there already stays as he is. Lists of other list servers come in by the
//! same steps: a reader of [`sources`] says what its files have as plain data, and people are merged with those who are
//! there ([`ops::people::whole::merging`]). A further fact about a person is a field
//! of `WholeContact`: the compiler asks for it.
//!
//! # What moderators take out
//!
//! A message that a moderator takes out, or takes words out of, keeps its original for 30 days, encrypted; only an
//! administrator with `account_admin` can restore it ([`ops::archive::redaction`]). The record of a message that was
//! taken out stays, so that its thread keeps its shape. Its bytes are freed when none of its copies is to be sent any
//! more (`ops::archive::emptying`).
//!
//! # What a commit writes
//!
//! A row has its place in the order of all rows, so those that a change touches lie far from one another, and a commit
//! would write the pages on the way to each of them. A small commit writes all of them as one row of a log instead, and
//! keeps them in memory, where every read looks first. When the log is long, a commit is large or has many jobs, or
//! the file is closed, everything is brought to its place at once (`store::tx`, files `recent` and `log`). Nothing above [`store`] knows of it. A further index so
//! costs a small commit some bytes and no page; `tests/it/commit_costs.rs` holds what the usual changes write.
//!
//! # Records that grow
//!
//! A record says its version in its first byte. A field that is added at its end is a row of
//! [`store::Entity::OLDER`] with the value that records without it have; any other change keeps the old struct in
//! `schema::frozen`. Both cost no pass over a table: an older record is read as the newest wherever it is read, its rows
//! are those of the newest, and it gets the newest form when it is next written. A version raises the schema number
//! (`migrate::steps`), so that no older program meets a record that it cannot read. Before the number is raised,
//! `tests/fixtures/db/make.py` makes the data file of the schema so far with the executable of the last commit
//! (`tests/it/fixtures.rs` asks for it, and for its snapshot); `CRIER_FREEZE=1 cargo test --test it records` then freezes
//! what is new. While the last step has not been released, further versions join it: its name says so, and a line for each
//! is put at the end of `tests/fixtures/versions.txt` by hand.
//!
//! # Backups
//!
//! A backup reads the data file while the server writes to it: [`store::Store::copy_file`] gives the file as it was between two
//! commits, since pages that change before they were read are kept. What a target does not have yet of it is sent in
//! packs of chunks, and a point, which lists the chunks of the file, is written last ([`backup`]). A restored file is
//! like one after a crash: it is opened, brought up to date and verified before it gets its name, and says of which time
//! it is, so that mail that was waiting then is held.
//!
//! # What strangers can make it do
//!
//! Anybody can send mail to a list. How much of it waits for approval, how many requests moderators get, how much
//! reaches owners and postmasters, and how far an alias leads are limited (`ops::posting::inbound`, `ops::moderation`,
//! [`ops::lists::aliases`]). Notices and reports go to envelope senders that SPF or DMARC proves, and to others
//! rarely, so that nobody uses this server to write to third parties (`ops::notices::backscatter`). A request to join
//! or leave must be confirmed by a mail to its address, of which an address gets one a day for each list and five in
//! all; the page that takes the request says the same for every address ([`ops::people::requests`]). Counts for an
//! address or a client are rows that end with their hour or day (`ops::allowances`); where mail goes to an address that
//! somebody names, all addresses that differ in what follows a `+` count as one. Pages that calculate much take their
//! turn, for an account and for a client ([`http::costly`]), and take so much text that one is done within a second.
//!
//! # Who acts
//!
//! Every operation is told by an [`ops::Caller`] who acts (the operator, an administrator, a member, a moderator, the
//! server itself), by which way and from where, in which account, and with which permissions and limits. A caller is
//! made by the constructor of its source alone ([`ops::authority`]): from the administrator of a key that was proven,
//! from the contact of a signed link. Nothing that is missing gives a right.
//!
//! Every change that somebody makes is noted in the job that makes it ([`ops::audit`]). The edges write through
//! [`service::Core::perform`] alone, which takes a job back that changed something and noted nothing: an operation that
//! forgets its note does not work. The log holds no values of fields, and contacts by their numbers, so that it
//! forgets with the address book; lists, administrators and messages keep the names that they had then.
//!
//! What administrators do by a button to members, people and aliases, and an import, is carried out by
//! [`ops::undo::actions`], which keeps in the same job what each record was before, for a day. Undoing it
//! ([`ops::undo::carry_out`]) is for whoever could do it, once; it overwrites nothing that somebody changed since, and
//! puts nobody back who opted out since.
//!
//! An account that is suspended ([`ops::accounts::suspension`]) takes no mail, and neither its keys nor its sessions nor
//! its pages open; one that is deleted on the server's pages is suspended, and deleted for good 30 days later.
//!
//! An application acts for an administrator who allowed it (OAuth 2.0, [`ops::oauth`]): its caller is that person
//! within the scopes of its token ([`ops::Caller::within`]), so it may do what both allow at that moment. The page on
//! which people decide is `web::oauth::consent`, though its path is one of the API's; what applications ask is answered
//! in `api::oauth`, in the words of RFC 6749. To allow more than reading takes a proof of the identity that is younger
//! than a quarter of an hour; without the proof an application makes no keys and changes no administrators. Whoever signs in at a provider of identities is found by the name that
//! the provider gave the person at the first time ([`ops::accounts::providers`]); [`oidc`] speaks to the provider.
//!
//! Who left a list without an administrator, complained, or was imported as unsubscribed is kept as an
//! [`model::OptOut`], which outlives the contact and holds addresses as salted hashes alone. Every operation by which an
//! administrator, a program or an import puts somebody on a list asks [`ops::people::opt_outs`] first; joining by
//! oneself ends the record.
//!
//! A person who asks to be forgotten leaves all lists at once ([`ops::people::erasure`]); posts, system mails and traces
//! follow in steps ([`ops::server::erasure`]). Data about a person is deleted with the contact (`ops::people::contacts`)
//! or in those steps. What goes with a contact, a list, an account and with time, each entity declares ([`schema::Life`]).
//!
//! To add a permission: put it behind the others in [`model::Permission`] (`model/admin.rs`), whose places are stored;
//! say in `ops::authority::is_limit` whether it grants or confines, and in `api::describe` what it is for (the compiler
//! asks for both); ask for it with [`ops::Caller::require`] at the head of the operations that need it; name it in
//! `PERMISSION_HELP` of `cli/objects/kinds/accounts.rs` and in the list of `tests/it/api/openapi.rs`. One that grants
//! is within `account_admin` from then on; one that confines needs its field in `Admin` and
//! `ops::authority::limits_of`.
//!
//! # Who signs in as an administrator
//!
//! `web::login` asks for address and password, and [`ops::accounts::sign_in`] decides. Every address costs the same
//! hashes and gets the same answer ([`service::passwords`] computes them, a few at a time). Guesses at one address
//! take turns; errors of passwords, codes and answers when asked again are counted for the address, which they lock, and
//! for the client, which they hold off. A lock is no weapon: browsers in which the person signed in before, and open
//! sessions, have counts of their own; the mailed links, a provider and the operator end every lock; and the link of the
//! last mail of a day works for the rest of it ([`ops::accounts::sign_in::lockout`]). A second factor ([`ops::accounts::factors`]) is asked for between the password
//! and the session. What is sensitive calls `Context::ask_again`, which wants a proof that is younger than a quarter of
//! an hour. A link to choose a password carries a fingerprint of the present one, so that choosing ends all others
//! ([`ops::accounts::admins::invite`]). Sessions end with the password, the factor, the permissions and the person. A
//! member's session lasts on while it is used ([`ops::sessions`]), and begins with a mailed link: one that was asked for, or
//! one that confirmed something, once ([`ops::people::sign_in`]). When a member was there last is kept as well, since the
//! first page says what is new since then ([`ops::lists::home`]).
//!
//! # An operation, from an edge to the disk
//!
//! `api`, `web`, `control`, `smtp` and `jobs` carry operations out by [`service::Core::perform`]: it tells the operation
//! who acts, when, and what mail needs, runs it in a write job, writes in that job the mails to administrators about
//! what it announced ([`ops::moderation`]), and wakes the scheduler behind the commit if the job queued mail. The
//! scheduler's own jobs, which claim and settle, and those of the start and of the server's own upkeep go to the store
//! themselves.
//!
//! Batches of the API, imports of every edge and people who are added to a list are one flow of many rows
//! ([`service::rows`]): their addresses are judged outside of the writer, each row is a job, one entry of the audit log
//! stands for all, and gets their counts. An edge reads its own form into rows, and shows what became of each.
//!
//! What has to wait before or between jobs is a procedure of [`service`]: it asks the DNS, hashes a password, parses a
//! message or matches patterns, and then carries an operation out, which looks whether what was found outside still
//! holds. `tests/it/tidy.rs` keeps the words for waiting out of [`ops`].
//!
//! # When the disk fails
//!
//! Before a disk is full, [`store`] refuses new work and lets go on what ends work or makes room
//! ([`store::Store::write_reserved`]). After a commit that failed, nobody knows what the file holds: it is opened
//! again, read from the disk and not from memory, and everything is refused until a write succeeds. What was said to
//! have failed may have happened all the same; so senders try again, and a mail is known by its Message-ID and its
//! text, whether it was published, is held, was passed on or sent back. The scheduler keeps what was answered meanwhile
//! and writes it then, so a copy comes twice only after a crash. [`store::fault`] has a disk on which all of this is
//! rehearsed, write by write.
//!
//! # What the API says of itself
//!
//! A path is a row in `api::route`, and what can be asked of it stands as rows beside the code that does it. The
//! readers of parameters tell what they ask for, and the types of answers what they show; of these `api` makes
//! the description that it answers with as `OpenAPI`, and hands it, as the plain data of [`http::reference`], to
//! `web`'s page. So neither knows the other's language, and a new endpoint describes itself. Every answer of
//! every test is held against it.
//!
//! A setting of a list or an account is one row of a table beside its record ([`model::fields`]). Of the row come the
//! field of the record, the change of a call, its reader, its member in answers with the description, its place on the
//! page of settings with the keys of its texts, and the heading of its flag.
//! A list has five pages of settings; `web::admin::lists::list_table` says which groups of rows stand on which, and
//! `web::admin::lists::questions` asks in one question what several settings say together, such as who may write. New
//! lists begin by a kind ([`ops::lists::kinds`]) on the page and by command; a call of the API has defaults of its own.
//!
//! # A call of the API
//!
//! [`http`] takes the connection, counts it for its client, and gives bodies a share of the memory for bodies. `api`
//! finds the path in its table (`api::route`), then the key: of an unknown caller at most 16 KiB of a body are read
//! before the refusal. The body is read within its share, its parameters are parsed, and `api::dispatch` hands them to the
//! resource, which calls one operation in one snapshot or one write job and shows what it answers.
//!
//! A *generation* is a number of each account that grows with every commit that changes something of it. Answers to GET
//! and what a key stands for are kept with the generation that they were made of, and are used again while it is the
//! same (`api::cache`, `api::auth`), so no answer is older than a write that was acknowledged.
//!
//! A POST with an `Idempotency-Key` is kept with its answer in the job that carries it out, for a day
//! ([`ops::server::saved_answers`]): the same call gets the same answer and does nothing again, also after a crash.
//!
//! # Words that people read
//!
//! Texts of pages and mails stand in catalogues, `src/locale/texts/SUBJECT.LANGUAGE.ftl`, which are compiled in. Code
//! names a text by `text!(language, "key", name = value)`. Mails are in the language of their account; a page is in the
//! one that its visitor chose, else the browser's, else the account's ([`locale::negotiate`]). A new text goes under
//! one key into the file of its subject in every language. A new language is a variant of [`model::Language`] and a
//! file for each subject. `tests/it/locale.rs` finds keys, values and plural forms that are missing, and texts that
//! nothing uses. Replies of SMTP, the API and the log speak English.
//!
//! What is wrong with a value is an [`ops::Wrong`] with its facts. Its `Display` is the API's English, which names fields
//! as the API does; pages and mails say it by [`ops::Said::say`], in texts that name things by the pages' labels. No code
//! asks a sentence what it means. Records keep facts, too, and are told in the language of who reads them: why a row of
//! an import was refused ([`model::RowRefusal`], of [`ops::Wrong::keep`]), why an import stopped, why a message waits
//! ([`model::HeldReason`]). What an earlier version kept as a sentence stays one.
//!
//! # Where do I add …
//!
//! … *a page*?
//!
//! 1. A row of [`web::table::PAGES`] says its path, method and authority, which handler answers, and where it is offered
//!    in header, footer or menu; other pages are linked by the templates of those from which they are reached.
//! 2. A file of `web` has the handler: it takes the request's `Context`, has a function of [`ops`] read what the page
//!    shows of one snapshot (`Context::read`), or carries one operation out, and shows a template. `web` looks up no
//!    record itself, which `tests/it/tidy.rs` holds; pages of administrators stand in a room of `web::admin` by subject.
//! 3. A file of `web/templates` extends `base.html`, which brings the header, the navigation and the footer.
//! 4. Its texts go into the file of their subject, under the same keys in each of the four languages: of administrators'
//!    pages `admin` (overview, people, imports), `settings` (lists, settings, administrators) or `desk` (approvals,
//!    messages, audit log, server); of others `members`, `archive`, `archive_search`, `directory`, `reading`, `writing`,
//!    `signin`, `oauth`, else `pages`.
//! 5. Its views go into `tests/browser/pages.json`, which a real browser then opens in light and dark, narrow and wide.
//!
//! The compiler asks for 2 and 3, `tests/it/locale.rs` for 4, and `tests/it/browser.rs` for 5; `tests/it/web.rs` walks
//! the table with every person, method and missing token. A session, its cookies and the CSRF token are checked before
//! a handler runs ([`web`], [`ops::sessions`]); whatever fails, a panic too, becomes a page that names its request.
//!
//! … *a setting of lists*?
//!
//! 1. Its row at the end of `list_fields!` in `model/list/fields.rs`, of which everything else is made: [`model::fields`]
//!    says how a row reads.
//! 2. A new version of the record in [`schema`], with what older records get as a row of [`store::Entity::OLDER`].
//! 3. A step of `migrate::steps` that has nothing to do but to raise the schema number, with the data file of the number
//!    so far ("Records that grow").
//! 4. Its label and what follows from it in `locale/texts/settings.LANGUAGE.ftl`, as `set-list-NAME` and
//!    `set-list-NAME-help`.
//! 5. A value in `tests/it/settings/fields.rs`, which sets and reads it by the page and by the API, and its default in
//!    `tests/it/api/lists.rs`.
//!
//! `tests/it/records.rs` asks for 2 and 3, `tests/it/locale.rs` for 4, and the tests of 5 for themselves. What it does is
//! a rule elsewhere, such as in `mail::policy`. A setting of accounts is a row in `model/account/fields.rs`, and further
//! takes the same way.
//!
//! … *a rule for a value*? A row in `ops::problems::wrong` with the facts and the API's English, and its text under the same
//! key in `locale/texts/problems.LANGUAGE.ftl` in every language. The compiler asks for the key, `tests/it/locale.rs` for
//! the texts. A fact of a new type also says in `ops::problems::kept` how records keep it.
//!
//! … *a call of many rows*? What reads its form into rows, in the edge; [`service::Core::submit_rows`] with the operation
//! that each row is, and with how the audit log has them ([`service::rows::Keeping`]); what the edge shows of the
//! results, and the counts for the log.
//!
//! … *an endpoint*? A variant of `Resource` in `api::route` with a row of `ENDPOINTS`, or of `PARTS` for a path below an
//! object; a file of `api` with its operations and the `view!` that it shows; its arms in `api::dispatch`; and the operation
//! in `ops` (in `service`, if it waits). What depends on time, or on records whose `scope` is 0, is `Kind::Fresh`. It
//! describes itself, but for objects inside of others, which stand in `describe::INSIDE`; an answer to a POST below an
//! object is a type of its own, after which the body is named, and a POST without fields has the reader `|_| ()`. The
//! walks of `tests/it/api/rules.rs` ask for an object of a new kind and for a member `id`, `tests/it/audit.rs` for what
//! the log has of a change; a row of `tests/it/api/limits.rs` shows what a limited key does not see.
//!
//! … *a command*? One that makes, lists, shows, changes or deletes objects of the API: a `Kind` or a `Subcommand` in
//! `cli::objects::kinds`, with its words and examples; flags, checks and help come from the API's description. One that is
//! another call of the API: a file of `cli::manage` that calls it by `cli::objects::calls` (as `manage/audit.rs` does); below the
//! command of a kind it is hung in `cli::objects::command` and `run`, as `admin link` is. One that does what the API cannot: a
//! file of [`control`] with its request, its reply and what it does; a variant in `Request`, `Command` and `Reply` of
//! `control::protocol`; an arm in [`control::execute`]; a file of `cli` with its flags and what it prints, its variant in
//! `cli::commands`, and its arm in `cli`. A further subcommand of such a group, as of `queue`, is a variant of the group's
//! action in its files of `control` and `cli` alone. `cli::help` has the places of commands in the help (`ORDER`), and the
//! examples of those that no `Kind` has (`EXAMPLES`).
//!
//! … *a table*? The record in [`model`] with its id; in a file of [`schema`] its `Entity` with indexes, and its
//! [`schema::Life`]: what becomes of its records with their account, with a contact, with a list and with time, and
//! where a person reads them (then also its field in `ops::people::download`); its row among the entities in `schema.rs`; and a step of
//! `migrate::steps` as for a setting, so that no older program opens the file. The compiler asks for the life, and
//! `tests/it/records.rs` for the frozen sample, for every index, for the field of the download, and for what the deletion
//! of an account, a contact or a list does. **Nobody asks** for the step, nor for this: a life knows no threads, and records
//! that name one are deleted with it in `ops::archive::threads`. Only what more than a deletion is needed for has an
//! operation as well, which the life names.
//!
//! … *an event* of the audit log? A variant of [`model::AuditAction`] behind the others, whose places are stored, with its
//! word, `object.done`, and the kind of object that it is about (`model/audit.rs`); a [`Note`](ops::audit::Note) of it in the
//! operation; its words in `web::admin::parts::audit_words` and `locale/texts/audit.LANGUAGE.ftl`. The compiler asks for
//! the object and the words, `tests/it/locale.rs` for the texts, `tests/it/records.rs` for further samples
//! (`CRIER_FREEZE=1`). A change by an administrator, a member, a moderator or the operator that notes nothing panics and
//! is undone.
//!
//! # What never happens
//!
//! - `model` and `mail` do no I/O, and fail by what they are given alone.
//! - Nothing but `store::tx` writes rows of an index, a count or a blob.
//! - Nothing but `clock` reads the time of day, and nothing but `secret` reads randomness; the order of servers of
//!   equal preference, the hashes of caches and the ids of log lines alone are left to the standard library's.
//! - Nothing but `api` and the operator's commands knows JSON shapes, but for the file that a member downloads
//!   ([`ops::people::download`]), and for the answers of providers of identities ([`oidc`]); nothing but `web` and the
//!   demo's page makes pages of HTML, and nothing but `mail` the HTML of mails; `api` and `web` do not name one another.
//! - A write job runs no pattern of a tenant.
//! - An operation ([`ops`]) waits for nothing: no network peer is ever awaited inside a write job, nor while a snapshot
//!   is held.
//! - A domain that an account adds for itself takes no mail and signs nothing before the DNS proves it: until then it
//!   is a claim ([`ops::domains::claims`]), which no look-up of a domain finds.
//! - No module keeps global state: the catalogues, parsed once, never change. The only exceptions are in [`backup`],
//!   for what two backups of one process must not share: the folders in use, and the names of files being written.

pub mod acme;
pub mod api;
pub mod app;
pub mod backup;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod http;
pub mod jobs;
pub mod locale;
pub mod log_id;
pub mod mail;
pub mod metrics;
pub mod migrate;
pub mod model;
pub mod net;
pub mod oidc;
pub mod ops;
pub mod params;
pub mod remote;
pub mod s3;
pub mod schema;
pub mod secret;
pub mod service;
pub mod shares;
pub mod smtp;
pub mod sources;
pub mod store;
pub mod web;
