//! Signs a visitor of the demo in to each kind of page, by links below the page of received mail.
//!
//! A browser sends cookies to every port of a host, so the page of received mail can set those of the server.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::sample::People;
use crate::model::{AccountId, Person};
use crate::ops::sessions::{self, Device, NewSession, Stay};
use crate::service::Core;
use crate::web;

/// A kind of person as whom a visitor may sign in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    /// The last part of the link.
    pub(super) word: &'static str,
    /// Its description in the terminal.
    pub(super) about: &'static str,
    /// The first page.
    page: &'static str,
    person: fn(&People) -> (AccountId, Person),
}

/// The kinds of people, in the order in which they are told.
pub(super) const ROLES: [Role; 4] = [
    Role {
        word: "member",
        about: "A member",
        page: "/members/",
        person: |people| (people.account, people.member),
    },
    Role {
        word: "admin",
        about: "An administrator",
        page: "/admin/",
        person: |people| (people.account, people.admin),
    },
    Role {
        word: "moderator",
        about: "One list's admin",
        page: "/admin/",
        person: |people| (people.account, people.moderator),
    },
    Role {
        word: "server",
        about: "The whole server",
        page: "/admin/server/",
        person: |people| (AccountId::SERVER, people.server_admin),
    },
];

/// The server whose pages are opened, once it runs.
#[derive(Clone, Default)]
pub(super) struct SignIn(Arc<OnceLock<Open>>);

struct Open {
    core: Core,
    /// The beginning of the server's links.
    base: String,
    people: People,
}

impl SignIn {
    /// Lets visitors sign in to a server at this address as these people.
    pub(super) fn open(&self, core: Core, base: String, people: People) {
        // It is opened once.
        let _ = self.0.set(Open { core, base, people });
    }
}

/// The routes of the links.
pub(super) fn router(sign_in: SignIn) -> Router {
    Router::new().route("/in/{role}/", get(enter)).with_state(sign_in)
}

async fn enter(State(sign_in): State<SignIn>, Path(word): Path<String>) -> Response {
    let role = ROLES.iter().find(|role| role.word == word);
    let (Some(open), Some(role)) = (sign_in.0.get(), role) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match open.session(*role).await {
        Ok(cookie) => {
            let page = format!("{}{}", open.base, role.page);
            (StatusCode::SEE_OTHER, [(header::LOCATION, page)], [(header::SET_COOKIE, cookie)])
                .into_response()
        }
        Err(error) => {
            tracing::error!(error = %error, "The demo cannot sign anybody in");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

impl Open {
    /// Begins a session; returns the cookie that shows it.
    async fn session(&self, role: Role) -> Result<HeaderValue, crate::ops::OpError> {
        let (account, person) = (role.person)(&self.people);
        let (token, token_hash) = sessions::new_token(&self.core.secrets);
        let device = Device { words: String::new(), client: None };
        let new = NewSession { account, person, device, stay: Stay::Usual, token_hash };
        let now = self.core.now();
        let session = self.core.store.write(move |tx| sessions::begin(tx, new, now)).await?;
        Ok(web::session_cookie(&self.base, &session, &token, now))
    }
}
