//! Decides who acts and what the actor may do. It is the only place that does.
//!
//! A [`Caller`] is made by the constructor of its source, from a record or a token that proves the actor, and never
//! from parts: a missing fact never grants a right. Its [`Limits`] decide which lists and custom fields exist for it.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::model::contact::JoinWay;
use crate::model::{
    AccountId, Actor, ActorKind, Admin, AdminId, Contact, ContactId, Decider, EmailAddress, Joined, List,
    ListId, Message, OauthScope, Permission, Via,
};
use crate::ops::OpError;
use crate::ops::limits::{Limits, list_in_key};
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{IndexRange, Key, Read, StoreError};

/// The actor of an operation, with its permissions and limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    actor: Actor,
    /// The actor's name for people; blank for a contact.
    name: Arc<str>,
    /// The account whose objects the operation sees; [`AccountId::SERVER`] for those of no account.
    pub account: AccountId,
    permissions: BTreeSet<Permission>,
    /// Whether it may read without a permission that grants something: by the scopes of an application's token.
    reads: bool,
    /// The lists and custom fields it is confined to.
    pub limits: Limits,
    /// Whether it may work in any account of the server.
    pub is_global: bool,
    /// Whether it may make others powerful, as far as its permissions go: an application may not, unless its person
    /// proved the identity before it allowed that.
    empowers: bool,
}

/// Whether a permission only limits its holder and grants nothing.
#[must_use]
pub fn is_limit(permission: Permission) -> bool {
    match permission {
        Permission::LimitLists | Permission::LimitMetadata => true,
        Permission::AccountAdmin
        | Permission::ManageSettings
        | Permission::ManageMembers
        | Permission::ApproveMessages
        | Permission::SendMessages => false,
    }
}

/// Every permission that grants something; the two that limit are left out.
#[must_use]
pub fn all_grants() -> BTreeSet<Permission> {
    Permission::ALL.iter().copied().filter(|permission| !is_limit(*permission)).collect()
}

/// Whether these permissions include this one, directly or as part of `account_admin`. No permission includes a limit.
fn includes(permissions: &BTreeSet<Permission>, permission: Permission) -> bool {
    permissions.contains(&permission)
        || (!is_limit(permission) && permissions.contains(&Permission::AccountAdmin))
}

/// Whether an administrator has a permission, directly or as part of `account_admin`.
#[must_use]
pub fn holds(admin: &Admin, permission: Permission) -> bool {
    includes(&admin.permissions, permission)
}

/// Whether an administrator has a permission for this list of its account.
#[must_use]
pub fn holds_for(admin: &Admin, permission: Permission, list: ListId) -> bool {
    holds(admin, permission) && limits_of(admin).sees_list(list)
}

/// The limits of an administrator, as far as its permissions activate them.
#[must_use]
pub fn limits_of(admin: &Admin) -> Limits {
    let has = |permission| admin.permissions.contains(&permission);
    Limits::to(
        has(Permission::LimitLists).then(|| admin.limit_lists.iter().copied().collect()),
        has(Permission::LimitMetadata).then(|| admin.limit_metadata.iter().copied().collect()),
    )
}

impl Caller {
    /// The operator at the command line, who may do everything in `account`.
    #[must_use]
    pub fn operator(account: AccountId) -> Caller {
        let actor = Actor { kind: ActorKind::Operator, via: Via::Command, client: None };
        Caller {
            permissions: all_grants(),
            limits: Limits::default(),
            is_global: true,
            ..Caller::without_permissions(account, actor, "operator")
        }
    }

    /// An administrator whose key, link or mail was proven. It works in `account`, which is its own unless it is
    /// global.
    #[must_use]
    pub fn admin(admin: &Admin, account: AccountId, via: Via, client: Option<IpAddr>) -> Caller {
        let name = admin.username.as_ref().map_or(&*admin.description, EmailAddress::as_str);
        Caller {
            actor: Actor { kind: ActorKind::Admin(admin.id), via, client },
            name: name.into(),
            account,
            permissions: admin.permissions.clone(),
            reads: false,
            limits: limits_of(admin),
            is_global: admin.account.is_none(),
            empowers: true,
        }
    }

    /// A contact, who may act on its own memberships and addresses.
    #[must_use]
    pub fn member(contact: &Contact, via: Via, client: Option<IpAddr>) -> Caller {
        Caller::without_permissions(
            contact.account,
            Actor { kind: ActorKind::Member(contact.id), via, client },
            "",
        )
    }

    /// The moderator address of a list, which may approve for this list alone.
    #[must_use]
    pub fn moderator(list: &List, address: EmailAddress, via: Via, client: Option<IpAddr>) -> Caller {
        Caller {
            permissions: [Permission::ApproveMessages].into(),
            limits: Limits::to(Some([list.id].into()), Some(BTreeSet::new())),
            name: address.as_str().into(),
            ..Caller::without_permissions(
                list.account,
                Actor { kind: ActorKind::Moderator(address), via, client },
                "",
            )
        }
    }

    /// An unknown visitor, who may do nothing that needs a permission.
    #[must_use]
    pub fn anonymous(account: AccountId, via: Via, client: Option<IpAddr>) -> Caller {
        Caller::without_permissions(account, Actor { kind: ActorKind::Anonymous, via, client }, "")
    }

    /// The server itself, for work that is due by time and needs no permission.
    #[must_use]
    pub fn server(account: AccountId) -> Caller {
        Caller::without_permissions(
            account,
            Actor { kind: ActorKind::Server, via: Via::Server, client: None },
            "",
        )
    }

    /// The server itself in no account, for work on several accounts.
    #[must_use]
    pub fn of_server() -> Arc<Caller> {
        Arc::new(Caller::server(AccountId::SERVER))
    }

    /// A caller with every permission of an account, for the examples in the API's description.
    #[must_use]
    pub fn example_of_key() -> Caller {
        let actor = Actor { kind: ActorKind::Admin(AdminId(0)), via: Via::Api, client: None };
        Caller {
            permissions: all_grants(),
            limits: Limits::default(),
            ..Caller::without_permissions(AccountId::SERVER, actor, "")
        }
    }

    /// A caller without permissions, for whom no list and no custom field exists.
    fn without_permissions(account: AccountId, actor: Actor, name: &str) -> Caller {
        let limits = Limits::to(Some(BTreeSet::new()), Some(BTreeSet::new()));
        let name = name.into();
        let permissions = BTreeSet::new();
        let (reads, is_global, empowers) = (false, false, true);
        Caller { actor, name, account, permissions, reads, limits, is_global, empowers }
    }

    /// The same caller working in another account, which it must have the right to name.
    #[must_use]
    pub fn at(&self, account: AccountId) -> Caller {
        Caller { account, ..self.clone() }
    }

    /// The same caller acting through an application: it may do what these scopes allow, and no more than before. Each
    /// scope reads. It makes others powerful only if `is_proven`: the person proved the identity before it allowed this.
    #[must_use]
    pub fn within(&self, scopes: &BTreeSet<OauthScope>, is_proven: bool) -> Caller {
        let allowed: BTreeSet<Permission> = scopes.iter().filter_map(|scope| scope.permission()).collect();
        let keeps = |permission: &Permission| {
            if is_limit(*permission) {
                self.permissions.contains(permission)
            } else {
                self.holds(*permission) && includes(&allowed, *permission)
            }
        };
        let permissions = Permission::ALL.iter().copied().filter(keeps).collect();
        let reads = !scopes.is_empty() && self.require_read().is_ok();
        Caller { permissions, reads, empowers: is_proven, ..self.clone() }
    }

    /// The same caller, with the address of the client.
    #[must_use]
    pub fn from_client(&self, client: IpAddr) -> Caller {
        let mut caller = self.clone();
        caller.actor.client = Some(client);
        caller
    }

    /// The actor.
    #[must_use]
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The actor's name for people: the address of a person, the description of a key; blank for a contact.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The actor as the author of a decision.
    #[must_use]
    pub fn decider(&self) -> Decider {
        match &self.actor.kind {
            ActorKind::Operator => Decider::Operator,
            ActorKind::Admin(id) => Decider::Admin(*id),
            ActorKind::Moderator(address) => Decider::Moderator(address.clone()),
            // None of these has the permission that a decision needs. A decision by expiry has no author.
            ActorKind::Member(_) | ActorKind::Anonymous | ActorKind::Server => Decider::Time,
        }
    }

    /// Whether this is the operator, who decides what no administrator of an account can.
    #[must_use]
    pub fn is_operator(&self) -> bool {
        self.actor.kind == ActorKind::Operator
    }

    /// Whether this is the administrator `id`.
    #[must_use]
    pub fn is_admin(&self, id: AdminId) -> bool {
        self.actor.kind == ActorKind::Admin(id)
    }

    /// Whether this is a contact, who proved to be that person.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self.actor.kind, ActorKind::Member(_))
    }

    /// Whether this is the contact `id` itself.
    #[must_use]
    pub fn is_member(&self, id: ContactId) -> bool {
        self.actor.kind == ActorKind::Member(id)
    }

    /// The evidence of a membership that the caller makes.
    #[must_use]
    pub fn joins(&self, now: Timestamp) -> Joined {
        let way = if self.is_operator() { JoinWay::Command } else { JoinWay::Api };
        Joined { when: now, from: None, way }
    }

    /// The account whose objects the operation sees; `None` if they are the server's.
    #[must_use]
    pub fn tenant(&self) -> Option<AccountId> {
        Some(self.account).filter(|account| *account != AccountId::SERVER)
    }

    /// Whether the caller holds `permission`, directly or as part of `account_admin`.
    #[must_use]
    pub fn holds(&self, permission: Permission) -> bool {
        includes(&self.permissions, permission)
    }

    /// Passes if the caller holds `permission`, directly or as part of `account_admin`.
    pub fn require(&self, permission: Permission) -> Result<(), OpError> {
        if self.holds(permission) { Ok(()) } else { Err(OpError::Forbidden { permission }) }
    }

    /// Passes if the caller may act on `contact`'s objects: it is the contact, or it manages members.
    pub fn require_over(&self, contact: ContactId) -> Result<(), OpError> {
        if self.is_member(contact) { Ok(()) } else { self.require(Permission::ManageMembers) }
    }

    /// Passes if the caller may make keys and administrators, and change what they are and how they sign in: everybody
    /// whose permissions allow it, but for applications whose person did not prove the identity for that.
    pub fn require_to_empower(&self) -> Result<(), OpError> {
        if self.empowers { Ok(()) } else { Err(OpError::NotProven) }
    }

    /// Passes if the caller may grant `permission`: it holds it, or the permission only limits.
    pub fn require_to_grant(&self, permission: Permission) -> Result<(), OpError> {
        if is_limit(permission) { Ok(()) } else { self.require(permission) }
    }

    /// Passes if the caller may read: any permission that grants something is enough, and so is any scope.
    pub fn require_read(&self) -> Result<(), OpError> {
        if self.reads || self.permissions.iter().any(|permission| !is_limit(*permission)) {
            Ok(())
        } else {
            Err(OpError::Forbidden { permission: Permission::ManageMembers })
        }
    }
}

impl Caller {
    /// Whether this list exists for the caller.
    #[must_use]
    pub fn sees_list(&self, list: &List) -> bool {
        list.account == self.account && self.limits.sees_list(list.id)
    }

    /// Whether this message exists for the caller: its list must.
    #[must_use]
    pub fn sees_message(&self, message: &Message) -> bool {
        message.account == self.account && self.limits.sees_list(message.list)
    }

    /// Whether this contact exists for the caller. A caller with limited lists sees only their members.
    pub fn sees_contact(&self, tx: &impl Read, contact: ContactId) -> Result<bool, StoreError> {
        if self.limits.lists().is_none() {
            return Ok(true);
        }
        self.any_list(tx, contact, |list| self.limits.sees_list(list))
    }

    /// Passes if the contact is in no list that the caller does not see: such a contact is shared with others, so the
    /// caller must not change it.
    pub(in crate::ops) fn require_whole(&self, tx: &impl Read, contact: ContactId) -> Result<(), OpError> {
        let is_elsewhere = self.limits.lists().is_some()
            && self.any_list(tx, contact, |list| !self.limits.sees_list(list))?;
        if is_elsewhere {
            Err(OpError::Limited { what: "changing a contact that is in other lists too" })
        } else {
            Ok(())
        }
    }

    /// Passes if the caller sees every list of its account.
    pub fn require_all_lists(&self, what: &'static str) -> Result<(), OpError> {
        if self.limits.lists().is_none() { Ok(()) } else { Err(OpError::Limited { what }) }
    }

    fn any_list(
        &self,
        tx: &impl Read,
        contact: ContactId,
        test: impl Fn(ListId) -> bool,
    ) -> Result<bool, StoreError> {
        let of_contact = IndexRange::prefix(Key::new().u64(self.account.0).u64(contact.0));
        let found = tx.scan(&MEMBERSHIP_BY_CONTACT, &of_contact, |key, _| {
            if list_in_key(key).is_some_and(&test) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(found.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ListName;

    fn admin(permissions: &[Permission]) -> Admin {
        Admin {
            permissions: permissions.iter().copied().collect(),
            ..Admin::new(AdminId(3), Some(AccountId(1)), 2, Timestamp::default())
        }
    }

    #[test]
    fn account_admin_has_every_permission_that_grants_and_no_limit() {
        let head = admin(&[Permission::AccountAdmin]);
        for permission in Permission::ALL {
            assert_eq!(holds(&head, *permission), !is_limit(*permission), "{}", permission.word());
        }
        assert!(limits_of(&head).sees_list(ListId(9)));
        let limited = admin(&[Permission::AccountAdmin, Permission::LimitLists]);
        assert!(!limits_of(&limited).sees_list(ListId(9)));
        assert!(!holds_for(&limited, Permission::ApproveMessages, ListId(9)));
    }

    #[test]
    fn nobody_but_the_operator_is_the_operator_and_nobody_unknown_may_anything() {
        let account = AccountId(1);
        assert!(Caller::operator(account).is_operator());
        let address = EmailAddress::parse("ada@x.org").unwrap();
        let list = List::new(ListId(7), account, ListName::parse("news").unwrap(), Timestamp::default());
        let moderator = Caller::moderator(&list, address, Via::Link, None);
        let others = [
            Caller::admin(&admin(&[]), account, Via::Api, None),
            Caller::anonymous(account, Via::Page, None),
            Caller::server(account),
        ];
        for caller in &others {
            assert!(!caller.is_operator() && !caller.is_global, "{caller:?}");
            assert!(caller.require_read().is_err(), "{caller:?}");
            assert!(Permission::ALL.iter().all(|permission| !caller.holds(*permission)), "{caller:?}");
        }
        assert!(moderator.holds(Permission::ApproveMessages) && !moderator.holds(Permission::ManageMembers));
        assert!(moderator.limits.sees_list(ListId(7)) && !moderator.limits.sees_list(ListId(8)));
        assert!(moderator.require_over(ContactId(1)).is_err());
    }
}
