//! Makes the sample data of a demo: an account, lists, members, and a first post.
//!
//! All addresses are in domains reserved for examples (RFC 2606), so no mail could reach a person.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::contact::JoinWay;
use crate::model::{
    Account, AccountId, Contact, ContactId, DkimKeys, Domain, Email, EmailAddress, EmailId, Joined, Language,
    List, ListId, ListName, Membership, MembershipId, Permission, Person,
};
use crate::ops::accounts::admins::{self, Kind, NewAdmin};
use crate::ops::accounts::{self, NewAccount};
use crate::ops::{OpError, Wrong};
use crate::schema::{EMAIL_BY_ADDRESS, LIST_BY_NAME, MESSAGE_COUNT_BY_LIST, archive_of};
use crate::store::{Key, Read, StoreError, WriteTx};

/// The account of the demo.
pub(super) const ACCOUNT: &str = "demo";
/// Its domain, reserved for examples (RFC 2606).
pub(super) const DOMAIN: &str = "lists.example.org";
/// Its list.
pub(super) const LIST: &str = "news";
/// The list that gets an archive.
pub(super) const CHOIR: &str = "choir";

/// First name and surname of the members; addresses are made of them.
pub(super) const MEMBERS: [(&str, &str); 25] = [
    ("Ada", "Abara"),
    ("Ben", "Brook"),
    ("Chiara", "Conti"),
    ("Dmitri", "Danilov"),
    ("Elif", "Erdem"),
    ("Farid", "Fahmy"),
    ("Greta", "Gruber"),
    ("Hugo", "Hansen"),
    ("Ines", "Iglesias"),
    ("Jun", "Jimbo"),
    ("Kofi", "Kamara"),
    ("Lena", "Lindqvist"),
    ("Mateo", "Morales"),
    ("Nadia", "Novak"),
    ("Oskar", "Olsen"),
    ("Priya", "Patel"),
    ("Quentin", "Quirin"),
    ("Rosa", "Ribeiro"),
    ("Sven", "Schmidt"),
    ("Tala", "Torres"),
    ("Umar", "Usman"),
    ("Vera", "Vasquez"),
    ("Wim", "Willems"),
    ("Xenia", "Xydis"),
    ("Yara", "Yilmaz"),
];

/// The list's footer, whose variables are filled in for each copy.
const FOOTER: &str = "-- \r\n$NAME, you get this as a member of $LIST. Leave: $UNSUBSCRIBE";

/// The address of a member, by its index in the table.
pub(super) fn address_of(member: usize) -> String {
    format!("{}@example.net", MEMBERS[member].0.to_lowercase())
}

/// Makes an account, a list and members, unless an earlier demo did so in the same folder. Makes a key in either
/// case.
pub(super) fn fill(
    tx: &mut WriteTx<'_>,
    dkim: DkimKeys,
    key_hash: [u8; 32],
    now: Timestamp,
) -> Result<Account, OpError> {
    let account = match accounts::find_by_name(tx, ACCOUNT)? {
        Some(account) => account,
        None => make_account(tx, dkim, now)?,
    };
    let kind = Kind::Program { description: "Made by the demo".to_owned(), cidr: Vec::new() };
    let admin = admins::create(tx, NewAdmin::new(Some(account.id), kind, admins::all_grants()), now)?;
    admins::create_key(tx, &admin, key_hash, None, now)?;
    Ok(account)
}

fn make_account(tx: &mut WriteTx<'_>, dkim: DkimKeys, now: Timestamp) -> Result<Account, OpError> {
    if let Some(other) = tx.all::<Account>(0, 1)?.pop() {
        return Err(OpError::conflict("data", Wrong::OtherServer { account: other.name }));
    }
    let input = NewAccount {
        name: ACCOUNT.to_owned(),
        description: "A sample".to_owned(),
        domain: Domain::parse(DOMAIN).map_err(|problem| OpError::invalid("domain", problem))?,
        dkim,
        ccid_enabled: false,
    };
    let (account, _) = accounts::create(tx, input, now)?;
    let name = ListName::parse(LIST).map_err(|problem| OpError::invalid("name", problem))?;
    let list = List {
        description: "News of the demo".to_owned(),
        subject_prefix: "[news]".to_owned(),
        message_footer: FOOTER.to_owned(),
        send_hold_message: true,
        send_reject_message: true,
        ..List::new(ListId(tx.next_id::<List>()?), account.id, name, now)
    };
    tx.put(&list)?;
    let name = ListName::parse(CHOIR).map_err(|problem| OpError::invalid("name", problem))?;
    let choir = List {
        description: "A choir, with an archive of two years".to_owned(),
        message_footer: format!("-- \n{}", text!(Language::English, "list-footer")),
        send_hold_message: true,
        send_reject_message: true,
        ..List::new(ListId(tx.next_id::<List>()?), account.id, name, now)
    };
    tx.put(&choir)?;
    (0..MEMBERS.len()).try_for_each(|member| add_member(tx, [&list, &choir], member, now))?;
    Ok(account)
}

/// The people as whom a visitor of the demo may sign in.
#[derive(Debug, Clone, Copy)]
pub(super) struct People {
    pub(super) account: AccountId,
    /// A member of both lists.
    pub(super) member: Person,
    /// An administrator of the account.
    pub(super) admin: Person,
    /// An administrator who looks after one list.
    pub(super) moderator: Person,
    /// An administrator of the server.
    pub(super) server_admin: Person,
}

/// Makes the people as whom a visitor may sign in, unless an earlier demo did so in the same folder.
pub(super) fn people(tx: &mut WriteTx<'_>, account: &Account, now: Timestamp) -> Result<People, OpError> {
    let id = account.id;
    let key = Key::new().u64(id.0).text(&parsed(&address_of(0))?.folded());
    let member: Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)?;
    let member = member.ok_or(OpError::NotFound { what: "member" })?.contact;
    let list = tx.find_id(&LIST_BY_NAME, &Key::new().u64(id.0).text(CHOIR))?.map(ListId);
    let mut admin =
        |account: Option<AccountId>, (firstname, surname): (&str, &str), permissions: &[Permission]| {
            let username = parsed(&format!("{}@example.net", firstname.to_lowercase()))?;
            let known = admins::of_account(tx, account)?;
            if let Some(known) = known.iter().find(|known| known.username.as_ref() == Some(&username)) {
                return Ok::<Person, OpError>(Person::Admin(known.id));
            }
            let permissions = permissions.iter().copied().collect();
            let limit_lists = list.into_iter().collect();
            let new = NewAdmin::new(account, Kind::Person { username }, permissions);
            let (firstname, surname) = (firstname.to_owned(), surname.to_owned());
            let made = admins::create(tx, NewAdmin { firstname, surname, limit_lists, ..new }, now)?;
            Ok(Person::Admin(made.id))
        };
    Ok(People {
        account: id,
        member: Person::Member(member),
        admin: admin(Some(id), ("Ruth", "Okonjo"), &[Permission::AccountAdmin])?,
        moderator: admin(
            Some(id),
            ("Milan", "Horvat"),
            &[Permission::LimitLists, Permission::ManageMembers, Permission::ApproveMessages],
        )?,
        server_admin: admin(None, ("Olga", "Petrov"), &[Permission::AccountAdmin])?,
    })
}

fn parsed(address: &str) -> Result<EmailAddress, OpError> {
    EmailAddress::parse(address).map_err(|problem| OpError::invalid("email", problem))
}

/// The list that gets an archive, as long as nothing is in it.
pub(super) fn list_to_fill(tx: &impl Read, account: &Account) -> Result<Option<List>, StoreError> {
    let key = Key::new().u64(account.id.0).text(CHOIR);
    let Some(list) = tx.find_id(&LIST_BY_NAME, &key)?.map_or(Ok(None), |id| tx.get::<List>(id))? else {
        return Ok(None);
    };
    let messages = tx.count(&MESSAGE_COUNT_BY_LIST, &archive_of(account.id, list.id))?;
    Ok(Some(list).filter(|_| messages == 0))
}

fn add_member(tx: &mut WriteTx<'_>, lists: [&List; 2], member: usize, now: Timestamp) -> Result<(), OpError> {
    let account = lists[0].account;
    let (firstname, surname) = MEMBERS[member];
    let contact = Contact {
        id: ContactId(tx.next_id::<Contact>()?),
        account,
        ccid: None,
        firstname: firstname.to_owned(),
        surname: surname.to_owned(),
        notes: String::new(),
        custom: std::collections::BTreeMap::new(),
        created: now,
    };
    tx.put(&contact)?;
    let address = parsed(&address_of(member))?;
    let id = EmailId(tx.next_id::<Email>()?);
    tx.put(&Email {
        id,
        account,
        contact: contact.id,
        address,
        digest: false,
        paused: false,
        confirmed: true,
        ceid: None,
        evidence: None,
    })?;
    let joined = Joined { when: now, from: None, way: JoinWay::Command };
    for list in lists {
        let id = MembershipId(tx.next_id::<Membership>()?);
        let joined = joined.clone();
        let contact = contact.id;
        tx.put(&Membership { id, account, contact, list: list.id, digest: None, paused: false, joined })?;
    }
    Ok(())
}

/// Posts to the list by SMTP: as its first member, and as a stranger, whose post waits for approval.
pub(super) async fn post(smtp: SocketAddr, now: Timestamp) -> std::io::Result<()> {
    let (firstname, surname) = MEMBERS[0];
    let text = "Hello,\r\n\r\nthis post went in by SMTP. Every member gets a copy of their own, with an envelope\r\n\
                sender and a link for leaving that belong to them alone.\r\n";
    let member = (format!("{firstname} {surname}"), address_of(0));
    send(smtp, &member, "Welcome to the demo", text, now).await?;
    let text = "Good morning,\r\n\r\nI am not on this list yet. May I bring a cake to the summer party?\r\n";
    let stranger = ("Noor Haddad".to_owned(), "noor@example.com".to_owned());
    send(smtp, &stranger, "Cake for the summer party", text, now).await
}

async fn send(
    smtp: SocketAddr,
    (name, from): &(String, String),
    subject: &str,
    text: &str,
    now: Timestamp,
) -> std::io::Result<()> {
    let mail = format!(
        "From: {name} <{from}>\r\nTo: {LIST}@{DOMAIN}\r\nSubject: {subject}\r\n\
         Date: {}\r\nMessage-ID: <demo.{}.{from}>\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{text}",
        now.rfc2822(),
        now.ms()
    );
    let (read, mut write) = TcpStream::connect(smtp).await?.into_split();
    let mut replies = BufReader::new(read).lines();
    let mut commands = vec![
        format!("EHLO demo.example.net\r\n"),
        format!("MAIL FROM:<{from}>\r\n"),
        format!("RCPT TO:<{LIST}@{DOMAIN}>\r\n"),
        "DATA\r\n".to_owned(),
        format!("{mail}.\r\n"),
        "QUIT\r\n".to_owned(),
    ]
    .into_iter();
    loop {
        let Some(reply) = replies.next_line().await? else { return Ok(()) };
        // A hyphen after the code means that more lines follow.
        if reply.as_bytes().get(3) == Some(&b'-') {
            continue;
        }
        if !reply.starts_with(['2', '3']) {
            return Err(std::io::Error::other(format!("the server refused the sample post: {reply}")));
        }
        let Some(command) = commands.next() else { return Ok(()) };
        write.write_all(command.as_bytes()).await?;
    }
}
