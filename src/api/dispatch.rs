//! Maps each request to the resource's module that answers it, in one table for reads and one for writes.
//!
//! The router of [`api`](super) calls it after authentication.

use axum::body::Bytes;

use super::error::ApiError;
use super::request::{GetRequest, WriteRequest};
use super::route::{Resource, Target, Verb};
use super::{
    accounts, admins, aliases, audit, batch, contacts, deliveries, emails, events, held, lists, membership,
    messages, pending, simulate, webhooks,
};
use crate::params::Params;

/// Parses a GET of the target into its request.
pub(super) fn get_request(target: &Target<'_>, params: &mut Params) -> Result<Box<dyn GetRequest>, ApiError> {
    let object = target.object.as_deref();
    match target.resource {
        Resource::Contacts => Ok(Box::new(contacts::get_params(object, params)?)),
        // They accept only POST, or are answered without reading data.
        Resource::ContactBatch
        | Resource::ListSimulation
        | Resource::WebhookTest
        | Resource::WebhookRotation
        | Resource::WebhookReplay
        | Resource::Entry
        | Resource::Docs
        | Resource::Document => Err(ApiError::method(&target.allow())),
        // Addresses have no listing of their own: contacts show theirs.
        Resource::Emails => match object {
            Some(name) => Ok(Box::new(emails::get_params(name, params)?)),
            None => Err(ApiError::method(&target.allow())),
        },
        Resource::Membership => Ok(Box::new(membership::get_params(object, params)?)),
        Resource::Lists => Ok(Box::new(lists::get_params(object, params)?)),
        Resource::Messages => Ok(Box::new(messages::get_params(object, params)?)),
        Resource::Aliases => Ok(Box::new(aliases::get_params(object, params)?)),
        Resource::Pending => Ok(Box::new(pending::get_params(object, params)?)),
        Resource::Held => Ok(Box::new(held::get_params(object, params)?)),
        Resource::MessageRaw => Ok(Box::new(messages::raw(object)?)),
        Resource::MessageDeliveries => Ok(Box::new(deliveries::get_params(object, params)?)),
        Resource::Admins => Ok(Box::new(admins::get_params(object, params)?)),
        Resource::Accounts => Ok(Box::new(accounts::get_params(object, params)?)),
        Resource::Audit => Ok(Box::new(audit::get_params(params)?)),
        Resource::Events => Ok(Box::new(events::get_params(params)?)),
        Resource::Webhooks => Ok(Box::new(webhooks::get_params(object, params)?)),
        Resource::WebhookDeliveries => Ok(Box::new(webhooks::deliveries(object, params)?)),
    }
}

pub(super) async fn write(
    verb: Verb,
    target: &Target<'_>,
    writing: WriteRequest<'_>,
) -> Result<Bytes, ApiError> {
    let object = target.object.as_deref();
    match (target.resource, verb, object) {
        (Resource::ContactBatch, Verb::Post, None) => batch::create(writing).await,
        (Resource::Contacts, Verb::Post, None) => contacts::create(writing).await,
        (Resource::Contacts, Verb::Put, Some(name)) => contacts::update(writing, name).await,
        (Resource::Contacts, Verb::Delete, Some(name)) => contacts::delete(writing, name).await,
        (Resource::Emails, Verb::Post, None) => emails::create(writing).await,
        (Resource::Emails, Verb::Put, Some(name)) => emails::update(writing, name).await,
        (Resource::Emails, Verb::Delete, Some(name)) => emails::delete(writing, name).await,
        (Resource::Membership, Verb::Post, None) => membership::create(writing).await,
        (Resource::Membership, Verb::Put, Some(name)) => membership::update(writing, name).await,
        (Resource::Membership, Verb::Delete, Some(name)) => membership::delete(writing, name).await,
        (Resource::Lists, Verb::Post, None) => lists::create(writing).await,
        (Resource::Lists, Verb::Put, Some(name)) => lists::update(writing, name).await,
        (Resource::Lists, Verb::Delete, Some(name)) => lists::delete(writing, name).await,
        (Resource::ListSimulation, Verb::Post, Some(name)) => simulate::create(writing, name).await,
        (Resource::Messages, Verb::Post, None) => messages::create(writing).await,
        (Resource::Messages, Verb::Delete, Some(name)) => messages::delete(writing, name).await,
        (Resource::Admins, Verb::Post, None) => admins::create(writing).await,
        (Resource::Admins, Verb::Put, Some(name)) => admins::update(writing, name).await,
        (Resource::Admins, Verb::Delete, Some(name)) => admins::delete(writing, name).await,
        (Resource::Aliases, Verb::Post, None) => aliases::create(writing).await,
        (Resource::Aliases, Verb::Put, Some(name)) => aliases::update(writing, name).await,
        (Resource::Aliases, Verb::Delete, Some(name)) => aliases::delete(writing, name).await,
        (Resource::Pending, Verb::Put, Some(name)) => pending::update(writing, name).await,
        (Resource::Held, Verb::Put, None) => held::update_many(writing).await,
        (Resource::Held, Verb::Put, Some(name)) => held::update(writing, name).await,
        (Resource::Accounts, Verb::Post, None) => accounts::create(writing).await,
        (Resource::Accounts, Verb::Put, Some(name)) => accounts::update(writing, name).await,
        (Resource::Accounts, Verb::Delete, Some(name)) => accounts::delete(writing, name).await,
        (Resource::Webhooks, Verb::Post, None) => webhooks::create(writing).await,
        (Resource::Webhooks, Verb::Put, Some(name)) => webhooks::update(writing, name).await,
        (Resource::Webhooks, Verb::Delete, Some(name)) => webhooks::delete(writing, name).await,
        (Resource::WebhookTest, Verb::Post, Some(name)) => webhooks::test(writing, name).await,
        (Resource::WebhookRotation, Verb::Post, Some(name)) => webhooks::rotate(writing, name).await,
        (Resource::WebhookReplay, Verb::Post, Some(name)) => webhooks::replay(writing, name).await,
        (_, Verb::Get | Verb::Post | Verb::Put | Verb::Delete, _) => Err(ApiError::method(&target.allow())),
    }
}
