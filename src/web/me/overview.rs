//! The first page of a member: the lists, the addresses and the name, each with its forms.

use askama::Template;

use crate::clock::Timestamp;
use crate::locale::{self, Locale, text};
use crate::model::contact::JoinWay;
use crate::model::{CustomField, Email, Language, List, ListId, Membership, PauseCause};
use crate::ops::lists::home::{self, HomeArchive, HomeList};
use crate::ops::people::memberview::Offered;
use crate::ops::people::own::addresses::{self, Away, OwnAddress};
use crate::ops::people::own::lists::{self, LeftList, OpenList, OpenLists, OwnLeaving, OwnList};
use crate::ops::people::own::{self, Me};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::{MEMBERS, SEARCH};

#[derive(Template)]
#[template(path = "me_overview.html", config = "src/web/askama.toml")]
pub(super) struct OverviewPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    told: Option<Told>,
    /// The first name; blank if there is none.
    greeted: String,
    lists: Vec<ListRow>,
    /// The path of the search of all archives that the member may read; `None` if it may read none.
    search: Option<String>,
    /// Why no mail comes at present, and until when, in words.
    absence: Option<Absence>,
    /// Whether a form pauses mail to all addresses.
    can_go_away: bool,
    left: Vec<LeftRow>,
    /// The page of the members of all lists, if they see one another.
    people: Option<String>,
    open: Vec<OpenRow>,
    /// The path of the next page of lists that can be joined.
    more: Option<String>,
    addresses: Vec<AddressRow>,
    /// The address that the member wants to add or to move to, if it has a problem.
    new_address: String,
    /// The day until which the member is away, or was to be away if that has a problem; blank for none.
    until: String,
    fields: Vec<FieldRow>,
    devices: String,
    download: String,
    erase: String,
    today: String,
}

/// The message about a change that was just made.
pub(super) struct Told {
    /// In words.
    pub(super) text: String,
    /// The list to which the member can come back by an undo.
    pub(super) undo: Option<ListId>,
}

/// Why no mail comes to the member.
struct Absence {
    /// In words: "until 7 January 2027, as you asked".
    words: String,
    /// Whether the member went away, and a button ends it.
    is_own: bool,
}

/// A list of the member.
struct ListRow {
    id: u64,
    title: String,
    /// The name, where the title is another.
    name: String,
    /// The page of the list with its archive, if the member may read it.
    page: Option<String>,
    /// The page on which the member writes, if the list takes that.
    write: Option<String>,
    /// How many messages are new; blank if none is.
    new: String,
    /// The newest message: when for people, exactly, and for machines.
    last: Option<(String, String, String)>,
    /// The day on which the member joined.
    since: String,
    /// When and how the member joined.
    evidence: String,
    how: How,
    /// Whether it can be left by a button.
    can_leave: bool,
    /// The page of the other members, if they see one another.
    people: Option<String>,
    /// The consequence of the button, or why there is none; blank if that needs no words.
    leaving: String,
}

/// How the messages of a list come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Single,
    Digest,
    Nothing,
}

/// A list that the member has left.
struct LeftRow {
    id: u64,
    title: String,
    until: String,
}

/// A list that the member can join.
struct OpenRow {
    id: u64,
    title: String,
    /// The name, where the title is another.
    name: String,
    needs_approval: bool,
    is_waiting: bool,
}

/// An address of the member.
struct AddressRow {
    id: u64,
    address: String,
    is_first: bool,
    is_paused: bool,
    /// Its state in words.
    state: String,
    can_remove: bool,
    /// Whether a button pauses it.
    can_pause: bool,
}

impl AddressRow {
    /// The address in pieces, between which a line may end.
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.address.split_inclusive(['@', '.'])
    }
}

/// The `id` of the field for the day until which the member is away.
pub(super) const UNTIL_ID: &str = "until";

/// The `id` of the part with an address.
pub(super) fn address_id(email: u64) -> String {
    format!("address-{email}")
}

/// The `id` of the part with a list.
pub(super) fn list_id(list: u64) -> String {
    format!("list-{list}")
}

/// The `id` of the choice how a list's messages come.
pub(super) fn digest_id(list: u64) -> String {
    format!("digest-{list}")
}

/// The `id` of a custom field.
pub(super) fn field_id(field: &CustomField) -> String {
    format!("field-{}", field.id.0)
}

/// A field of the member's name.
struct FieldRow {
    id: String,
    name: String,
    label: String,
    value: String,
    autocomplete: &'static str,
}

/// The page, with what has just been done, or the problems of the form that was sent.
pub(super) fn page(
    context: &Context,
    told: Option<Told>,
    problems: FieldProblems,
) -> Result<OverviewPage, PageError> {
    let (caller, now) = (context.person()?, context.core.now());
    let tx = context.read()?;
    let me = own::me(&tx, &caller)?;
    let locale = context.locale();
    let own_lists = home::lists(&tx, &me.contact, &context.reader(&tx)?, now)?;
    let left = lists::left(&tx, &me.contact, now)?;
    let after = context.query.get("after").parse().unwrap_or(0);
    let OpenLists { lists: open, next } = lists::open(&tx, &me, ListId(after), now)?;
    let offered = Offered::of(&tx, me.contact.account)?;
    let emails = addresses::list(&tx, &me.contact)?;
    let has_digest = emails.first().is_some_and(|own| own.email.digest);
    let away = Away::of(&emails);
    let day = |instant: Timestamp| instant.in_zone(locale.zone.clone()).date().to_string();
    let until = match away {
        _ if problems.of(UNTIL_ID).is_some() => typed(context, "until", true),
        Some(Away::Until(until)) => day(until),
        Some(Away::Open) | None => String::new(),
    };
    let rows = emails.iter().enumerate();
    let rows = rows.map(|(place, own)| address_row(&locale, own, place == 0, 1 < emails.len()));
    let new_address = typed(context, "email", problems.of("email").is_some());
    let is_any_readable = own_lists.iter().any(|list| list.archive.is_some());
    let list_row = |home: &HomeList| {
        let people = format!("/members/lists/{}/people/", home.own.list.name);
        let people = offered.of_list(&home.own.list).then(|| context.href(&people));
        ListRow { people, ..list_row(context, &locale, home, has_digest) }
    };
    let absence = absence(&locale, away, &emails);
    Ok(OverviewPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(MEMBERS),
        told,
        greeted: me.contact.firstname.clone(),
        search: is_any_readable.then(|| context.href(SEARCH)),
        can_go_away: absence.as_ref().is_none_or(|absence| absence.is_own),
        absence,
        people: offered.of_account(own_lists.len()).then(|| context.href("/members/people/")),
        lists: own_lists.iter().map(list_row).collect(),
        left: left.iter().map(|left| left_row(&locale, left)).collect(),
        open: open.iter().map(open_row).collect(),
        more: next.map(|next| format!("{}?after={next}#open", context.href(MEMBERS))),
        addresses: rows.collect(),
        new_address,
        until,
        fields: field_rows(context, &me, !problems.all().is_empty()),
        devices: context.href("/members/devices/"),
        download: context.href("/members/download/"),
        erase: context.href("/members/erase/"),
        today: day(now),
        problems,
    })
}

/// The text that was typed into a field, if the form is shown again.
fn typed(context: &Context, field: &str, is_wrong: bool) -> String {
    if is_wrong { context.form.get(field).to_owned() } else { String::new() }
}

/// Why no mail comes to a member with these addresses; `None` if it comes to one of them.
fn absence(locale: &Locale, away: Option<Away>, emails: &[OwnAddress]) -> Option<Absence> {
    let language = locale.language;
    let words = match away {
        Some(Away::Until(until)) => text!(language, "me-away-until", day = locale.day(until)),
        Some(Away::Open) => text!(language, "me-away-open"),
        None if !emails.is_empty() && emails.iter().all(|own| own.email.paused) => {
            text!(language, "me-away-by-server")
        }
        None => return None,
    };
    Some(Absence { words, is_own: away.is_some() })
}

/// The row of a list; `has_digest` says how mail comes where nothing is set for the list.
fn list_row(context: &Context, locale: &Locale, home: &HomeList, has_digest: bool) -> ListRow {
    let HomeList { own: OwnList { membership, list, leaving }, archive, takes_mail } = home;
    let (language, now) = (locale.language, context.core.now());
    let joined = &membership.joined;
    let words = match leaving {
        OwnLeaving::AtOnce => String::new(),
        OwnLeaving::AfterApproval => text!(language, "me-leave-approval"),
        OwnLeaving::Waits => text!(language, "me-leave-waits"),
        OwnLeaving::Closed => text!(language, "me-leave-closed"),
    };
    let last = archive.and_then(|archive| archive.last);
    ListRow {
        id: list.id.0,
        title: list.title().to_owned(),
        name: name_beside_title(list),
        page: archive.is_some().then(|| context.list_path(list)),
        write: takes_mail.then(|| format!("{}write/", context.list_path(list))),
        new: archive.map(|archive| new_in_words(language, archive)).unwrap_or_default(),
        last: last.map(|last| (locale.near(last, now), locale.moment(last), last.rfc3339())),
        since: locale.day(joined.when),
        evidence: evidence(locale, membership),
        how: match (membership.paused, membership.digest.unwrap_or(has_digest)) {
            (true, _) => How::Nothing,
            (false, true) => How::Digest,
            (false, false) => How::Single,
        },
        can_leave: matches!(leaving, OwnLeaving::AtOnce | OwnLeaving::AfterApproval),
        people: None,
        leaving: words,
    }
}

/// How many messages are new since the last visit; blank for none.
fn new_in_words(language: Language, archive: HomeArchive) -> String {
    let (count, number) = (archive.newer.count, locale::number(language, archive.newer.count));
    match (count, archive.newer.is_cut) {
        (0, _) => String::new(),
        (_, false) => text!(language, "me-new", count = count, number = number),
        (_, true) => text!(language, "me-new-many", number = number),
    }
}

/// When and how a member joined.
fn evidence(locale: &Locale, membership: &Membership) -> String {
    let (language, joined) = (locale.language, &membership.joined);
    let (day, from) = (locale.moment(joined.when), joined.from.map(|from| from.to_string()));
    let way = way_in_words(language, joined.way);
    match from {
        Some(from) => text!(language, "me-joined-from", time = day, way = way, from = from),
        None => text!(language, "me-joined", time = day, way = way),
    }
}

fn open_row(open: &OpenList) -> OpenRow {
    let OpenList { list, needs_approval, is_waiting } = open;
    OpenRow {
        id: list.id.0,
        title: list.title().to_owned(),
        name: name_beside_title(list),
        needs_approval: *needs_approval,
        is_waiting: *is_waiting,
    }
}

/// The name of a list, if people see another text as its title; else blank.
fn name_beside_title(list: &List) -> String {
    if list.title() == list.name.as_str() { String::new() } else { list.name.to_string() }
}

/// The way in which somebody joined, in words.
fn way_in_words(language: Language, way: JoinWay) -> String {
    match way {
        JoinWay::Api | JoinWay::Command => text!(language, "me-way-administrator"),
        JoinWay::Web => text!(language, "me-way-web"),
        JoinWay::Mail => text!(language, "me-way-mail"),
    }
}

fn left_row(locale: &Locale, left: &LeftList) -> LeftRow {
    let LeftList { list, until } = left;
    LeftRow { id: list.id.0, title: list.title().to_owned(), until: locale.day(*until) }
}

fn address_row(locale: &Locale, own: &OwnAddress, is_first: bool, is_one_of_several: bool) -> AddressRow {
    let OwnAddress { email, until } = own;
    AddressRow {
        id: email.id.0,
        address: email.address.to_string(),
        is_first,
        is_paused: email.paused,
        state: state_in_words(locale, email, *until),
        can_remove: is_one_of_several,
        can_pause: !email.paused,
    }
}

/// Whether mail goes to an address, and why not.
fn state_in_words(locale: &Locale, email: &Email, until: Option<Timestamp>) -> String {
    let language = locale.language;
    if !email.paused {
        return text!(language, "me-state-active");
    }
    let pause = email.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
    let Some(pause) = pause else {
        return match until {
            Some(until) => text!(language, "me-state-until", day = locale.day(until)),
            None => text!(language, "me-state-paused"),
        };
    };
    let since = locale.day(pause.since);
    let why = match pause.cause {
        PauseCause::Dead => text!(language, "me-state-dead", day = since),
        PauseCause::Soft => text!(language, "me-state-soft", day = since),
        PauseCause::Complaint => text!(language, "me-state-complaint", day = since),
    };
    match pause.next_probe {
        Some(next) => text!(language, "me-state-next", why = why, day = locale.day(next)),
        None => why,
    }
}

fn field_rows(context: &Context, me: &Me, comes_back: bool) -> Vec<FieldRow> {
    let language = context.language;
    let value = |name: &str, known: &str| {
        if comes_back && context.form.has(name) { context.form.get(name) } else { known }.to_owned()
    };
    let name = |name: &'static str, label, known: &str, autocomplete| FieldRow {
        id: name.to_owned(),
        name: name.to_owned(),
        label,
        value: value(name, known),
        autocomplete,
    };
    let Me { contact, account: _, fields } = me;
    let mut rows = vec![
        name("firstname", text!(language, "me-firstname"), &contact.firstname, "given-name"),
        name("surname", text!(language, "me-surname"), &contact.surname, "family-name"),
    ];
    rows.extend(fields.iter().map(|field| FieldRow {
        id: field_id(field),
        name: field.key().to_owned(),
        label: field.name.clone(),
        value: value(field.key(), contact.custom.get(&field.id).map_or("", String::as_str)),
        autocomplete: "off",
    }));
    rows
}
