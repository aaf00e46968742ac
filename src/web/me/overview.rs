//! The first page of a member: the lists, the addresses and the name, each with its forms.

use askama::Template;

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::model::contact::JoinWay;
use crate::model::{CustomField, Email, Language, List, ListId, PauseCause};
use crate::ops::people::memberview::Offered;
use crate::ops::people::own::addresses::{self, OwnAddress};
use crate::ops::people::own::lists::{self, LeftList, OpenList, OpenLists, OwnLeaving, OwnList};
use crate::ops::people::own::{self, Me};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::MEMBERS;

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
    left: Vec<LeftRow>,
    /// The page of the members of all lists, if they see one another.
    people: Option<String>,
    open: Vec<OpenRow>,
    /// The path of the next page of lists that can be joined.
    more: Option<String>,
    addresses: Vec<AddressRow>,
    /// The address that the member wants to add, if it has a problem.
    new_address: String,
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

/// A list of the member.
struct ListRow {
    id: u64,
    title: String,
    /// The name, where the title is another.
    name: String,
    /// When and how the member joined.
    evidence: String,
    digest: Option<bool>,
    is_paused: bool,
    /// Whether it can be left by a button.
    can_leave: bool,
    /// The page of the other members, if they see one another.
    people: Option<String>,
    /// The consequence of the button, or why there is none; blank if that needs no words.
    leaving: String,
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
    has_digest: bool,
    can_remove: bool,
    /// The day until which it is paused, or was to be paused if that has a problem; blank for none.
    until: String,
    /// Whether a button pauses it.
    can_pause: bool,
}

impl AddressRow {
    /// The address in pieces, between which a line may end.
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.address.split_inclusive(['@', '.'])
    }

    /// The `id` of its field for a day.
    fn until_id(&self) -> String {
        until_id(self.id)
    }
}

/// The `id` of the field for the day until which an address is paused.
pub(super) fn until_id(email: u64) -> String {
    format!("until-{email}")
}

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
    let own_lists = lists::list(&tx, &me.contact, now)?;
    let left = lists::left(&tx, &me.contact, now)?;
    let after = context.query.get("after").parse().unwrap_or(0);
    let OpenLists { lists: open, next } = lists::open(&tx, &me, ListId(after), now)?;
    let offered = Offered::of(&tx, me.contact.account)?;
    let emails = addresses::list(&tx, &me.contact)?;
    let can_remove = 1 < emails.len();
    let emails = emails.iter().enumerate().map(|(place, own)| {
        let row = address_row(&locale, own, place == 0, can_remove);
        let is_wrong = problems.of(&row.until_id()).is_some();
        let until = if is_wrong { typed(context, "until", true) } else { row.until.clone() };
        AddressRow { until, ..row }
    });
    let addresses = emails.collect();
    let new_address = typed(context, "email", problems.of("email").is_some());
    Ok(OverviewPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(MEMBERS),
        told,
        greeted: me.contact.firstname.clone(),
        lists: own_lists
            .iter()
            .map(|own| {
                let path = format!("/members/lists/{}/people/", own.list.name);
                ListRow {
                    people: offered.of_list(&own.list).then(|| context.href(&path)),
                    ..list_row(&locale, own)
                }
            })
            .collect(),
        people: offered.of_account(own_lists.len()).then(|| context.href("/members/people/")),
        left: left.iter().map(|left| left_row(&locale, left)).collect(),
        open: open.iter().map(open_row).collect(),
        more: next.map(|next| format!("{}?after={next}#open", context.href(MEMBERS))),
        addresses,
        new_address,
        fields: field_rows(context, &me, !problems.all().is_empty()),
        devices: context.href("/members/devices/"),
        download: context.href("/members/download/"),
        erase: context.href("/members/erase/"),
        today: now.in_zone(locale.zone.clone()).date().to_string(),
        problems,
    })
}

/// The text that was typed into a field, if the form is shown again.
fn typed(context: &Context, field: &str, is_wrong: bool) -> String {
    if is_wrong { context.form.get(field).to_owned() } else { String::new() }
}

fn list_row(locale: &Locale, own: &OwnList) -> ListRow {
    let OwnList { membership, list, leaving } = own;
    let language = locale.language;
    let (title, name) = (list.title().to_owned(), name_beside_title(list));
    let joined = &membership.joined;
    let (day, from) = (locale.moment(joined.when), joined.from.map(|from| from.to_string()));
    let way = way_in_words(language, joined.way);
    let evidence = match from {
        Some(from) => text!(language, "me-joined-from", time = day, way = way, from = from),
        None => text!(language, "me-joined", time = day, way = way),
    };
    let words = match leaving {
        OwnLeaving::AtOnce => String::new(),
        OwnLeaving::AfterApproval => text!(language, "me-leave-approval"),
        OwnLeaving::Waits => text!(language, "me-leave-waits"),
        OwnLeaving::Closed => text!(language, "me-leave-closed"),
    };
    ListRow {
        id: list.id.0,
        title,
        name,
        evidence,
        digest: membership.digest,
        is_paused: membership.paused,
        can_leave: matches!(leaving, OwnLeaving::AtOnce | OwnLeaving::AfterApproval),
        people: None,
        leaving: words,
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

fn address_row(locale: &Locale, own: &OwnAddress, is_first: bool, can_remove: bool) -> AddressRow {
    let OwnAddress { email, until } = own;
    AddressRow {
        id: email.id.0,
        address: email.address.to_string(),
        is_first,
        is_paused: email.paused,
        state: state_in_words(locale, email, *until),
        has_digest: email.digest,
        can_remove,
        until: until.map(|until| until.in_zone(locale.zone.clone()).date().to_string()).unwrap_or_default(),
        can_pause: !addresses::is_paused_by_server(email),
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
