//! The endpoints to which applications post, and what each of them reads of a request.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::request::Parts;

use super::error::OauthError;
use crate::api::error::ApiError;
use crate::model::{AccountId, Via};
use crate::ops::Caller;
use crate::params::Params;
use crate::service::Core;

/// The paths below `/api/2/oauth/`.
pub(super) const PATH: &str = "/api/2/oauth/";
/// The page on which people decide, which `web` answers.
pub(super) const AUTHORIZE: &str = "authorize/";

/// An endpoint to which applications post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endpoint {
    Token,
    Refresh,
    Revoke,
}

impl Endpoint {
    pub(super) const ALL: [Endpoint; 3] = [Endpoint::Token, Endpoint::Refresh, Endpoint::Revoke];

    /// Its path below [`PATH`].
    pub(super) fn path(self) -> &'static str {
        match self {
            Endpoint::Token => "token/",
            Endpoint::Refresh => "refresh/",
            Endpoint::Revoke => "revoke/",
        }
    }
}

/// An application's request.
pub(super) struct Call<'call> {
    pub(super) core: &'call Core,
    pub(super) parts: &'call Parts,
    pub(super) params: Params,
    pub(super) client: IpAddr,
}

impl Call<'_> {
    /// A parameter; `None` if it is missing or blank. A parameter that stands there twice is an error.
    pub(super) fn one(&mut self, name: &str) -> Result<Option<String>, OauthError> {
        let mut values = self.params.texts(name).unwrap_or_default();
        if 1 < values.len() {
            return Err(OauthError::invalid(format!("{name} stands there twice")));
        }
        if self.params.take_problems().into_result().is_err() {
            return Err(OauthError::invalid(format!("{name} must be a text")));
        }
        Ok(values.pop().filter(|value| !value.is_empty()))
    }

    /// A parameter that must be there.
    pub(super) fn needed(&mut self, name: &str) -> Result<String, OauthError> {
        self.one(name)?.ok_or_else(|| OauthError::invalid(format!("{name} is missing")))
    }

    /// Nobody in particular: what an application may do follows from its secret and its tokens.
    pub(super) fn caller(&self) -> Arc<Caller> {
        Arc::new(Caller::anonymous(AccountId::SERVER, Via::Api, Some(self.client)))
    }

    /// Counts a wrong secret, code or token of this client; returns the error that it is told.
    pub(super) fn guessed(&self, error: OauthError) -> OauthError {
        match self.core.auth_failures.count(self.client) {
            Ok(()) => error,
            Err(too_many) => ApiError::from(too_many).into(),
        }
    }
}
