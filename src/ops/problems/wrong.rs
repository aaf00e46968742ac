//! Everything that can be wrong with a value of a call or a form, as a table.
//!
//! To add a problem, add a row here and its text under the same key to `src/locale/texts/problems.*.ftl` in every
//! language. The English of a row is what the API says, and names fields as the API does. The texts are what pages and
//! mails say, and name things as the pages' labels do. Both stand after the name of the field and a colon.

use super::facts::{AnyOf, Fact, Right, Said, TooLate};
use super::kept::{Kept, Parts};
use super::table::wrongs;
use crate::locale::{Value, text};
use crate::mail::pattern::{PatternError, Unjudged};
use crate::mail::template::TemplateError;
use crate::model::address::AddressError;
use crate::model::admin::CidrError;
use crate::model::kept_problem::{KeptFact, KeptPart, KeptProblem};
use crate::model::list::{ModerateError, NameError};
use crate::model::{ContactId, Domain, EmailAddress, Language, ListName};

wrongs! {
    /// What is wrong with a value, with the facts of the sentence that says so. Its `Display` is the API's English.
    Wrong {
        // The form of any value.
        NotText = "wrong-text", "must be a text";
        ControlCharacter = "wrong-control", "has a control character";
        NotTruth = "wrong-bool", "must be true or false";
        NotTexts = "wrong-array", "must be an array of texts";
        NotTextsOrObjects = "wrong-array-mixed", "must be an array of texts or objects";
        WholeBetween { min: u64, max: u64 } = "wrong-whole-between", "must be a whole number from {min} to {max}";
        WholeLeast { min: u64 } = "wrong-whole-least", "must be a whole number, {min} or more";
        OneOf { words: String } = "wrong-one-of", "must be one of {words}";
        TooLong { max: usize } = "wrong-chars", "must have at most {max} characters";
        NotOneLine = "wrong-line", "must be one line";
        NotPrintable { max: usize } = "wrong-printable", "must have 1 to {max} printable characters";
        CharsBetween { max: usize } = "wrong-between-chars", "must have 1 to {max} characters";
        Needed = "wrong-needed", "is needed";
        CannotChange = "wrong-cannot-change", "cannot be changed";
        Taken { name: String } = "wrong-taken", "{name} is taken";
        Forgotten = "wrong-forgotten", "is wrong in a way that this version has no words for";
        About { about: String, problem: Box<Wrong> } = "wrong-about", "{about}: {problem}";

        // Settings.
        Timezone = "wrong-timezone", "must be the IANA name of a timezone, for example Europe/Berlin";
        Image = "wrong-image", "must be the address of an image, https://…";
        ImagePrivate = "wrong-image-private", "must be at a public address: this server fetches no image from a private network";
        WebhookUrl = "wrong-webhook-url", "must be the address of a program, https://…";
        WebhookPrivate = "wrong-webhook-private", "must be at a public address";
        TooManyWebhooks { max: usize } = "wrong-webhooks", "an account may have at most {max} webhooks";
        TooManyReplays { max: usize } = "wrong-replays", "at most {max} ranges wait to be sent once more";
        TooManyNetworks { max: usize } = "wrong-networks", "may have at most {max} networks";
        TooManyPatterns { max: usize } = "wrong-patterns", "may have at most {max} patterns";
        PatternsUnread = "wrong-patterns-unread", "could not be compiled";
        Months = "wrong-months", "must be 1, 3, 6 or 12";

        // Names of lists, aliases, accounts and fields.
        TakenByListOrAlias { name: ListName } = "wrong-taken-alias", "{name} is taken by a list or an alias";
        TakenByList { name: ListName } = "wrong-taken-by-list", "{name} is taken by a list";
        TakenByOtherAlias { name: ListName } = "wrong-taken-by-alias", "{name} is taken by another alias";
        ListIdTaken = "wrong-taken-clid", "another list has it";
        AccountTaken = "wrong-taken-account", "another account has this name";
        NoList { name: String } = "wrong-no-list", "there is no list {name}";
        NoListOfAccount { name: String } = "wrong-no-list-here", "there is no list {name} in this account";
        NamesNoList { name: String } = "wrong-names-no-list", "names no list of the account ({name:?})";
        MustNameList = "wrong-name-list", "must name a list of the account";
        ListNameNeeded = "wrong-list-needed", "the name of a list is needed";
        OwnListNeeded = "wrong-limited-list", "one of the lists that you are limited to is needed";
        LeadsBack { address: EmailAddress, source: ListName } = "wrong-leads-back", "{address} leads back to {source}";
        Destinations { max: usize } = "wrong-destinations", "must have from 1 to {max} addresses";
        AliasOutside { max: usize } = "wrong-alias-outside", "the alias leads to more than {max} addresses outside of the lists";
        AliasFollowed { max: usize } = "wrong-alias-followed", "the alias leads through more than {max} addresses";
        OtherAlias { leading: ListName, problem: Box<Wrong> } = "wrong-alias-other", "would make another alias, {leading}, too large: {problem}";
        TooManyFields { max: usize } = "wrong-fields", "an account has at most {max} fields";
        FieldOfAll { name: String } = "wrong-field-own", "{name} is a field that every contact has";
        FieldTaken { name: String } = "wrong-field-there", "there is a field {name} already";
        NoField { name: String } = "wrong-no-field", "there is no field {name}";
        NamesNoField { name: String, known: String } = "wrong-names-no-field", "names no field ({name:?}); there is {known}";
        NamesNoFieldYet { name: String } = "wrong-names-no-field-yet", "names no field ({name:?}); there is none yet";
        NotAsExported = "wrong-not-as-exported", "is not as an export writes it";

        // Addresses and people.
        AddressNeeded = "wrong-address-needed", "an address is needed";
        OneAddressNeeded = "wrong-addresses-one", "at least one address is needed";
        OneAddressStays = "wrong-addresses-stay", "at least one address must stay";
        ContactAddresses { max: usize } = "wrong-addresses-contact", "a contact may have at most {max} addresses";
        NoMoreAddresses { max: usize } = "wrong-addresses-room", "has {max} addresses, and may have no more";
        AddressRefused { address: EmailAddress } = "wrong-no-pattern", "{address} matches none of the patterns of restrict_contact";
        AddressUnjudged { address: EmailAddress, unjudged: Unjudged } = "wrong-address-unjudged", "{address} could not be checked against restrict_contact ({unjudged}); simpler patterns can be";
        PatternsChanged = "wrong-patterns-changed", "restrict_contact was changed at the same moment; the same call will do now";
        NotApprovable { address: EmailAddress } = "wrong-not-approvable", "cannot be approved: restrict_contact does not permit {address}";
        ContactIdTaken = "wrong-taken-ccid", "another contact has it";
        ContactIdForm = "wrong-ccid", "may not contain / or control characters, begin with ~, or be batch";
        ContactIdOfPath = "wrong-ccid-path", "is another one than the path's";
        ContactThere { id: ContactId } = "wrong-contact-there", "contact {id} is there already";
        DifferentContacts { one: ContactId, other: ContactId } = "wrong-contacts-differ", "are those of different contacts, {one} and {other}";
        MustNameContact = "wrong-name-contact", "must name a contact of the account";
        MemberAlready { list: ListName } = "wrong-member-already", "is a member of {list} already";
        DigestWord = "wrong-digest", "must be null, 1 or 0";

        // Rows of imports.
        RowUnconfirmed { said: String } = "wrong-row-unconfirmed", "is not subscribed where it comes from ({said}): not added";
        RowUnknown { said: String } = "wrong-row-unknown", "has a state that is not known ({said}): not added; known are such as subscribed, unsubscribed, cleaned, pending, bouncing";
        RowCleaned { said: String } = "wrong-row-cleaned", "was taken out where it comes from, because mail failed ({said}): not added";
        RowOptedOut { said: String } = "wrong-row-opted-out", "opted out where it comes from ({said}): not added, nor by a later import unless the person asks for it";
        TooManyCells { has: usize, wanted: usize } = "wrong-row-cells", "has {has} cells where the first row has {wanted}";
        TooManyValues = "wrong-row-values", "has too many values";
        ImportBegun = "wrong-import-begun", "this import was begun already";
        ImportNotStopped = "wrong-import-not-stopped", "this import is not stopped";
        ImportNotRunning = "wrong-import-not-running", "this import does not run";

        // Domains of accounts.
        OneWord { name: Domain } = "wrong-one-word", "{name} is one word: give the whole domain, such as {name}.example.org";
        TakenOnServer { name: Domain } = "wrong-taken-server", "{name} is taken on this server";
        OwnName { name: Domain } = "wrong-own-name", "{name} is this server's own name";
        AboveOrBelow { name: Domain } = "wrong-above-below", "{name} is above or below a domain of another account";
        Twice { name: Domain } = "wrong-twice", "{name} is there twice";
        TooManyDomains { max: usize } = "wrong-domains", "an account has at most {max} domains";
        OneMainDomain = "wrong-domains-main", "exactly one must be is_main, and it must be a verified one";
        OneWebDomain = "wrong-domains-web", "only one can be is_web";
        DomainUnverified { name: Domain } = "wrong-domain-unverified", "{name} is not verified yet: add it first, and make it is_main or is_web once it is";
        TooManyClaims { max: usize } = "wrong-claims", "at most {max} may wait for their proof at a time";
        MadeByOperator { names: AnyOf } = "wrong-domain-operator", "{names}, made by the operator, must stay: only the operator can remove it";
        DomainsChanged = "wrong-domains-changed", "the account has other domains by now: read them again";
        DomainChanging { name: Domain, selector: String } = "wrong-domain-changing", "{name} is being changed by another call under {selector}; ask again";
        DomainStays { name: Domain } = "wrong-domain-stays", "{name} stays";
        NoNewKeys { name: Domain } = "wrong-no-new-keys", "no new keys of {name} wait: make some first, without --activate";

        // Administrators, and the state of accounts.
        AdminKind = "wrong-admin-kind", "must be 0 for a person, or 2 for the holder of a key";
        PersonNeeded = "wrong-person-needed", "the address of a person is needed";
        PersonOrKeyNeeded = "wrong-person-or-key", "the address of a person is needed, or api=2 for the holder of a key";
        PersonKeepsAddress = "wrong-person-address", "a person's address cannot be taken away";
        AdminTaken = "wrong-taken-admin", "another administrator has this address";
        OtherFactor = "wrong-other-factor", "the person has another second factor; null takes it off";
        NoProvider { name: String } = "wrong-no-provider", "there is no provider {name}";
        OfPeopleAlone = "wrong-of-people", "only administrators of api 0 have it";
        OfKeysAlone = "wrong-of-keys", "only administrators of api 2 have it";
        KeysAlone = "wrong-keys-alone", "only administrators of api 2 have a key";
        PeopleInvited = "wrong-people-invited", "only a person is invited";
        LastHead = "wrong-last-head", "this is the last administrator with account_admin";
        NoListChosen = "admins-limit-lists-none", "Choose at least one list.";
        NoFieldChosen = "admins-limit-metadata-none", "Choose at least one field.";
        RightNeeded = "wrong-right-needed", "at least one is needed";
        KeyOfNothing = "wrong-key-of-nothing", "tick what the key may do";
        CannotGive { right: Right } = "wrong-cannot-give", "you cannot give {right}";
        LooksAfter = "wrong-looks-after", "looks after this list already";
        OtherRights = "wrong-other-rights", "has rights that you cannot give; an administrator of the account can";
        SuspendedAlready = "wrong-suspended", "the account is suspended already";
        DeletedAlready = "wrong-deleted", "the account is to be deleted already";
        NotSuspended = "wrong-not-suspended", "the account is not suspended";
        NotDeleted = "wrong-not-deleted", "the account is not to be deleted";

        // Messages, and decisions.
        TakesNoMail = "wrong-takes-no-mail", "waits for approval and takes no mail yet";
        TakesNoMessages = "wrong-takes-no-messages", "waits for approval and takes no messages yet";
        ContentNeeded = "wrong-content-needed", "content_plain or content_html is needed";
        NoParent = "wrong-no-parent", "is no message of this list";
        ParentForm = "wrong-parent", "must be the id of a message of the list";
        TooManyScheduled { max: usize } = "wrong-scheduled", "at most {max} messages may wait to be sent";
        Changed = "wrong-changed", "was changed meanwhile";
        NoSender = "wrong-no-sender", "the message has no address of a sender";
        RequestOver = "wrong-request-over", "was confirmed already, or its time is over";

        // Applications that people allow to act for them.
        AppNameNeeded = "wrong-app-needed", "is needed: people see it when they are asked for permission";
        AppName { max: usize } = "wrong-app-name", "may have {max} characters, and no control characters";
        AppBackNeeded = "wrong-app-back", "is needed: where people come back to the application";
        TooManyBack { max: usize } = "wrong-app-backs", "there may be {max} of them";
        TooManyApps { max: usize } = "wrong-apps", "there are {max} applications already: delete some";
        BackAscii { max: usize } = "wrong-app-ascii", "must have at most {max} characters, of ASCII and without spaces";
        BackFragment = "wrong-app-fragment", "must have no fragment";
        BackQuotes = "wrong-app-quotes", "must have no quotes, commas, semicolons, angle brackets or backslashes";
        BackScheme = "wrong-app-scheme", "must begin with a scheme, such as https://";
        BackAbsolute = "wrong-app-absolute", "must be an absolute address, such as https://app.example.org/back";
        BackOtherScheme = "wrong-app-other-scheme", "must have another scheme";
        BackHost = "wrong-app-host", "must name a host, and nobody's name or password";
        BackHostForm = "wrong-app-host-form", "must have a host of letters, digits, periods and hyphens, and a port from 1 to 65535";

        // Calls of the API.
        TooManyParams = "wrong-call-fields", "there are too many";
        RepeatKeyForm { max: usize } = "wrong-call-key", "must have from 1 to {max} ASCII characters";
        RepeatKeyUsed = "wrong-call-key-used", "was used for another request in the last 24 hours";
        PageOrAfter = "wrong-call-page", "cannot be combined with page: give one of them";
        SearchTooLong { max: usize } = "wrong-call-search", "may have at most {max} characters";
        Instant = "wrong-call-instant", "must be seconds since 1970 or an instant such as 2026-11-20T15:04:05Z";
        Time = "wrong-call-time", "must be a time such as 2026-11-20T15:04:05Z";
        ThreadForm = "wrong-call-thread", "must be the thread_id of a message";
        ContentsTooLarge = "wrong-call-contents", "asks for the contents of too large messages: take fewer, or name `fields` without contents";
        WholeMessage = "wrong-call-message", "is needed: a whole message, its header first";
        ObjectKindNeeded = "wrong-call-object", "is needed beside object_id: every kind of object has its own numbers";
        IdsOrFilter = "wrong-call-ids-needed", "ids, or one of list, from and search, must say which messages are decided";
        IdsAlone = "wrong-call-ids-alone", "is not taken together with list, from or search";
        TooManyIds { max: usize } = "wrong-call-ids", "at most {max} at a time";
        IdsForm = "wrong-call-ids-form", "must be numbers of held messages";

        // Lists to which a simulated message goes.
        NoDomainHere { name: String } = "wrong-no-domain-here", "{name} is no domain of this server";
        SeveralLists { count: usize, name: String } = "wrong-several-lists", "{count} accounts have a list {name}: give its address";
        LeavingRefused { local: String, list: ListName } = "wrong-leaving-refused", "{local} refuses mail, since members of the list {list} do not leave on their own";
        JoiningRefused { local: String, list: ListName } = "wrong-joining-refused", "{local} refuses mail, since nobody joins the list {list} on their own";
        TakesJoining { local: String, list: ListName } = "wrong-takes-joining", "{local} takes requests to join the list {list}, which their author must confirm";
        TakesLeaving { local: String, list: ListName } = "wrong-takes-leaving", "{local} takes requests to leave the list {list}, which their author must confirm";
        TakesCommands { local: String, list: ListName } = "wrong-takes-commands", "{local} takes commands for the list {list}, and answers them; nothing is posted";
        AnswersHelp { local: String, list: ListName } = "wrong-answers-help", "{local} answers with the commands that the list {list} takes; nothing is posted";

        // Commands of the operator.
        SecretRotated { max: usize } = "wrong-secret-rotated", "the secret was rotated {max} times within 30 days; wait until the first of the old ones ends";
        NoAccountYet = "wrong-no-account-yet", "there is no account yet: run crier setup first";
        SeveralAccounts { names: String } = "wrong-several-accounts", "this server has several accounts: name one of {names} with --account";
        NoAccount { name: String, names: String } = "wrong-no-account", "there is no account {name:?}; there is {names}";
        SetUpAlready { name: Domain, main: Domain, account: String } = "wrong-set-up", "{name} is not a domain of this server, which is set up already for {main} (account {account}). For more lists of the same people: crier domain create {name}; for another organization: crier account create NAME --domain {name} --admin EMAIL";
        IdMissing = "wrong-id-missing", "is missing";
        NoMessage { id: String } = "wrong-no-message", "{id} names no message";
        OtherAccounts { name: String } = "wrong-other-accounts", "{name} is another account's";
        OtherServer { account: String } = "wrong-other-server", "the folder holds the data of another server (account {account})";
    }
    of {
        /// With the name of a list, an alias or an account.
        Name(NameError);
        /// With an address or a domain.
        Address(AddressError);
        /// With the choice of those who may post.
        Moderate(ModerateError);
        /// With the network of a client.
        Network(CidrError);
        /// With a text in which `${…}` stands for values.
        Template(TemplateError);
        /// With a regular expression.
        Pattern(PatternError);
        /// With a decision: somebody else decided before.
        TooLate(TooLate);
    }
}

impl From<std::convert::Infallible> for Wrong {
    fn from(never: std::convert::Infallible) -> Wrong {
        match never {}
    }
}

impl Fact for Box<Wrong> {
    fn value(&self, language: Language) -> Value<'_> {
        Value::from(self.say(language))
    }

    #[cfg(test)]
    fn sample() -> Box<Wrong> {
        Box::new(Wrong::Needed)
    }
}

impl Kept for Box<Wrong> {
    fn keep(&self, rest: &mut Vec<KeptPart>) -> KeptFact {
        self.keep_into(rest);
        KeptFact::Next
    }

    fn restored(kept: &KeptFact, rest: &mut Parts<'_>) -> Option<Box<Wrong>> {
        if *kept == KeptFact::Next { Wrong::restored_from(rest).map(Box::new) } else { None }
    }
}

impl Wrong {
    /// The problem as records keep it: with its facts, of which long ones are cut, and without its sentence.
    #[must_use]
    pub fn keep(&self) -> KeptProblem {
        let mut parts = Vec::new();
        self.keep_into(&mut parts);
        KeptProblem { parts }
    }

    /// The problem that a record keeps. One of a kind that this version does not know is [`Wrong::Forgotten`].
    #[must_use]
    pub fn restored(kept: &KeptProblem) -> Wrong {
        Wrong::restored_from(&mut kept.parts.iter()).unwrap_or(Wrong::Forgotten)
    }
}
