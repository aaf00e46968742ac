//! Manages the applications that may ask people for permission (OAuth). They belong to the whole server, and the API
//! does not show them.
//!
//! `execute` calls it for `crier oauth-client …`.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, operator_of};
use crate::model::{AccountId, OauthClient};
use crate::ops::OpError;
use crate::ops::oauth::clients::{self, ClientInput, NewCredentials};

/// The actions on applications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OauthClientAction {
    /// Lists all.
    List,
    /// Shows one.
    Show {
        /// Its identifier.
        client_id: String,
    },
    /// Makes one known.
    Create {
        /// Its name, as people see it.
        name: String,
        /// The addresses to which browsers may be sent back.
        redirect_uris: Vec<String>,
        /// Whether it cannot keep a secret.
        public: bool,
    },
    /// Deletes one with everything that people allowed it.
    Delete {
        /// Its identifier.
        client_id: String,
    },
}

/// `crier oauth-client …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClientsRequest {
    /// The action.
    pub action: OauthClientAction,
}

/// An application.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClientReply {
    /// The identifier by which it names itself.
    pub client_id: String,
    /// Its name, as people see it.
    pub name: String,
    /// The addresses to which browsers may be sent back.
    pub redirect_uris: Vec<String>,
    /// Whether it has no secret.
    pub public: bool,
    /// When it was made (RFC 3339).
    pub created: String,
    /// Its secret, told when it is made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub client_secret: Option<String>,
}

impl std::fmt::Debug for OauthClientReply {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "OauthClientReply({})", self.client_id)
    }
}

/// Shows or changes applications.
pub(super) fn run(host: &Host, request: OauthClientsRequest) -> Result<Vec<OauthClientReply>, CommandError> {
    let core = &host.core;
    let caller = operator_of(AccountId::SERVER);
    Ok(match request.action {
        OauthClientAction::List => clients::list(&core.store.read()?, &caller)?
            .into_iter()
            .map(|client| reply(client, None))
            .collect(),
        OauthClientAction::Show { client_id } => {
            let found = clients::find(&core.store.read()?, &client_id)?;
            let client = found.ok_or(OpError::NotFound { what: "application" })?;
            vec![reply(client, None)]
        }
        OauthClientAction::Create { name, redirect_uris, public } => {
            let new = NewCredentials::draw(&core.secrets);
            let (drawn, input) = (new.clone(), ClientInput { name, redirect_uris, is_public: public });
            let client = core.perform_blocking(&caller, move |tx, by| {
                clients::create(tx, &by.caller, input, &drawn, by.now)
            })?;
            let secret = client.secret_hash.is_some().then_some(new.secret);
            vec![reply(client, secret)]
        }
        OauthClientAction::Delete { client_id } => {
            let gone = core.perform_blocking(&caller, move |tx, by| {
                clients::delete(tx, &by.caller, &client_id, by.now)
            })?;
            vec![reply(gone, None)]
        }
    })
}

fn reply(client: OauthClient, client_secret: Option<String>) -> OauthClientReply {
    let OauthClient { id: _, client_id, name, redirect_uris, secret_hash, created } = client;
    let (public, created) = (secret_hash.is_none(), created.rfc3339());
    OauthClientReply { client_id, name, redirect_uris, public, created, client_secret }
}
