//! Mails an administrator who has forgotten the password a link to choose another. The answer is the same for every
//! address; whoever has a second factor still needs it.
//!
//! The mail also has a link that ends a lock of the address. Requests that send nothing count for nothing, and the links
//! of the last mail of a day work until the next may be sent: so strangers use nobody's mails up.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Button;
use crate::mail::notice::indented;
use crate::model::{Admin, EmailAddress, SystemMailKind};
use crate::ops::OpContext;
use crate::ops::accounts::admins::invite::{self, FORGOTTEN_LINK_WORKS_FOR, Link, SignInMail};
use crate::ops::accounts::sign_in::lockout;
use crate::ops::allowances::{self, PASSWORD_MAILS, REQUESTS_OF_CLIENT, Subject};
use crate::ops::domains::sites::Site;
use crate::schema::ADMIN_BY_USERNAME;
use crate::store::{Key, Read as _, StoreError, WriteTx};

/// Mails a link to an address if it is an administrator's who signs in at this site. A client that has caused too much
/// mail may go on at the returned time.
///
/// # Errors
/// If the store fails.
pub fn ask(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    site: &Site,
    address: &EmailAddress,
) -> Result<Result<(), Timestamp>, StoreError> {
    if let Err(until) = allowances::take(tx, REQUESTS_OF_CLIENT, &Subject::client(site.client), by.now)? {
        return Ok(Err(until));
    }
    for account in super::accounts_of(tx, site)? {
        let key = Key::new().u64(account.0).text(&address.folded());
        let admin: Option<Admin> = tx.find(&ADMIN_BY_USERNAME, &key)?;
        if let Some(admin) = admin.filter(|admin| admin.authn_provider.is_none()) {
            write_mail(tx, by, &admin)?;
        }
    }
    Ok(Ok(()))
}

fn write_mail(tx: &mut WriteTx<'_>, by: &OpContext, admin: &Admin) -> Result<(), StoreError> {
    let Some(mail) = SignInMail::to(tx, admin)? else { return Ok(()) };
    let subject = Subject::admin(admin.id);
    let Ok(last) = allowances::take_and_look(tx, PASSWORD_MAILS, &subject, by.now)? else { return Ok(()) };
    let context = &by.mail_context;
    let usual = by.now + FORGOTTEN_LINK_WORKS_FOR;
    let expiry = last.map_or(usual, |next| next.max(usual));
    let Some(Link { url, expiry }) = invite::link(tx, &context.signer, &context.links, admin, expiry)? else {
        return Ok(());
    };
    let unlock = lockout::link_until(tx, by, admin, expiry)?;
    let (language, site) = (mail.locale.language, mail.site.as_str());
    let text = text!(
        language,
        "forgotten-mail-text",
        address = mail.username.as_str(),
        site = site,
        link = indented(&url),
        unlock = indented(&unlock),
        until = mail.locale.local_moment(expiry)
    );
    let subject = text!(language, "forgotten-mail-subject", site = site);
    let buttons = [
        Button::new(url, text!(language, "mail-button-password")),
        Button::new(unlock, text!(language, "mail-button-unlock")),
    ];
    mail.write(tx, context, SystemMailKind::SignIn, (&subject, &text), &buttons, by.now)
}
