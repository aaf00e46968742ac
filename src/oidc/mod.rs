//! `OpenID` Connect, as the party that relies on a provider: finds a provider's endpoints and keys, makes the address to
//! which a browser is sent to sign in there, and learns from the answer who the person is.
//!
//! Whom a person is here is decided in `ops::accounts::providers`. Nothing is stored: endpoints and keys are kept in
//! memory for an hour, so that a provider that changes its keys is followed, and one that is down is asked again.
//! PKCE (`S256`), a nonce and a state are part of each sign-in.

mod id_token;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use jsonwebtoken::jwk::JwkSet;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::clock::{Clock, Timestamp};
use crate::config::OidcProvider;
use crate::net::web_client::{WebAnswer, WebClient, WebRequest};
use crate::secret::sha256;

/// How long endpoints and keys are used before they are fetched again.
const KNOWN_FOR: Duration = Duration::from_hours(1);
/// How long keys are used at least, if a token names another.
const KEYS_KNOWN_FOR: Duration = Duration::from_mins(1);
/// Where a provider describes itself, below its issuer.
const DISCOVERY: &str = "/.well-known/openid-configuration";
/// The type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// The reason why a provider signs nobody in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It cannot be reached, or fails.
    #[error("{0}")]
    Down(String),
    /// Its answer is wrong, too old or not meant for this server.
    #[error("{0}")]
    Wrong(String),
}

fn wrong(problem: impl std::fmt::Display) -> ProviderError {
    ProviderError::Wrong(problem.to_string())
}

/// A sign-in that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begin<'a> {
    /// Where the provider sends the browser back to.
    pub redirect_uri: &'a str,
    /// The text that comes back with the answer.
    pub state: &'a str,
    /// The text that the token must hold.
    pub nonce: &'a str,
    /// The secret whose hash is the challenge (RFC 7636).
    pub verifier: &'a str,
    /// Whether the person is to prove the identity again, signed in there or not.
    pub is_again: bool,
}

/// A provider's answer, as the browser brought it.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The code.
    pub code: &'a str,
    /// The provider's name, if it gives one (RFC 9207); blank if not.
    pub issuer: &'a str,
    /// Where the provider sent the browser back to.
    pub redirect_uri: &'a str,
    /// The text that the token must hold.
    pub nonce: &'a str,
    /// The secret whose hash was the challenge.
    pub verifier: &'a str,
    /// If the person was to prove the identity again: since when that counts.
    pub proven_since: Option<Timestamp>,
}

/// A person, as a provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's own name.
    pub issuer: String,
    /// The provider's name for the person, which never changes.
    pub subject: String,
    /// The person's address, if the provider has proven that it is the person's.
    pub verified_email: Option<String>,
}

/// A provider's description of itself.
#[derive(Debug, Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// A provider's endpoints and keys, and when they were fetched.
#[derive(Debug)]
struct Known {
    metadata: Metadata,
    keys: JwkSet,
    fetched: Timestamp,
}

/// The answer of a token endpoint.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    #[serde(default)]
    access_token: String,
}

/// Facts about a person that a provider tells beside the token.
#[derive(Deserialize)]
struct Userinfo {
    sub: String,
    #[serde(flatten)]
    email: id_token::Email,
}

/// Signs people in at providers.
#[derive(Debug)]
pub struct Providers {
    client: Arc<dyn WebClient>,
    clock: Clock,
    known: Mutex<HashMap<String, Arc<Known>>>,
}

impl Providers {
    /// No provider is asked before somebody wants to sign in there.
    #[must_use]
    pub fn new(client: Arc<dyn WebClient>, clock: Clock) -> Providers {
        Providers { client, clock, known: Mutex::default() }
    }

    /// The address to which a browser is sent to sign in at a provider.
    ///
    /// # Errors
    /// If the provider is down, or is not what it should be.
    pub async fn begin(&self, provider: &OidcProvider, begin: &Begin<'_>) -> Result<String, ProviderError> {
        let known = self.known(provider, KNOWN_FOR).await?;
        let challenge = BASE64URL_NOPAD.encode(&sha256(begin.verifier.as_bytes()));
        let mut pairs = vec![
            ("response_type", "code"),
            ("client_id", &provider.client_id),
            ("redirect_uri", begin.redirect_uri),
            ("scope", "openid email"),
            ("state", begin.state),
            ("nonce", begin.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        if begin.is_again {
            pairs.extend([("prompt", "login"), ("max_age", "0")]);
        }
        let endpoint = &known.metadata.authorization_endpoint;
        let joint = if endpoint.contains('?') { '&' } else { '?' };
        Ok(format!("{endpoint}{joint}{}", form(&pairs)))
    }

    /// The person of an answer.
    ///
    /// # Errors
    /// If the provider is down, or the answer is wrong.
    pub async fn identity(
        &self,
        provider: &OidcProvider,
        answer: &Answer<'_>,
    ) -> Result<Identity, ProviderError> {
        let known = self.known(provider, KNOWN_FOR).await?;
        let names_itself = known.metadata.authorization_response_iss_parameter_supported;
        if (names_itself || !answer.issuer.is_empty()) && answer.issuer != provider.issuer {
            return Err(wrong("the answer is another provider's"));
        }
        let tokens = self.tokens(provider, &known.metadata, answer).await?;
        let keys = if id_token::has_key(&known.keys, &tokens.id_token) {
            known
        } else {
            self.known(provider, KEYS_KNOWN_FOR).await?
        };
        let expected = id_token::Expected {
            issuer: &provider.issuer,
            client_id: &provider.client_id,
            nonce: answer.nonce,
            now: self.clock.now(),
            proven_since: answer.proven_since,
        };
        let claims = id_token::verify(&tokens.id_token, &keys.keys, &expected).map_err(wrong)?;
        let mut email = claims.email;
        if email.address.is_none()
            && let Some(endpoint) = &keys.metadata.userinfo_endpoint
        {
            email = self.userinfo(endpoint, &tokens.access_token, &claims.sub).await?;
        }
        let verified_email = email.verified();
        Ok(Identity { issuer: provider.issuer.clone(), subject: claims.sub, verified_email })
    }

    async fn tokens(
        &self,
        provider: &OidcProvider,
        metadata: &Metadata,
        answer: &Answer<'_>,
    ) -> Result<Tokens, ProviderError> {
        let mut pairs = vec![
            ("grant_type", "authorization_code"),
            ("code", answer.code),
            ("redirect_uri", answer.redirect_uri),
            ("code_verifier", answer.verifier),
        ];
        if provider.client_secret.is_none() {
            pairs.push(("client_id", &provider.client_id));
        }
        let mut request = WebRequest::post(&metadata.token_endpoint, FORM, form(&pairs));
        if let Some(secret) = &provider.client_secret {
            let pair = format!("{}:{}", encoded(&provider.client_id), encoded(secret));
            request = request.authorized(format!("Basic {}", BASE64.encode(pair.as_bytes())));
        }
        self.ask(request).await
    }

    async fn userinfo(
        &self,
        endpoint: &str,
        access: &str,
        subject: &str,
    ) -> Result<id_token::Email, ProviderError> {
        let request = WebRequest::get(endpoint).authorized(format!("Bearer {access}"));
        let Userinfo { sub, email } = self.ask(request).await?;
        if sub == subject { Ok(email) } else { Err(wrong("what it says of the person is about another one")) }
    }

    /// The endpoints and keys of a provider, fetched again if that was longer ago than `for_at_most`.
    async fn known(
        &self,
        provider: &OidcProvider,
        for_at_most: Duration,
    ) -> Result<Arc<Known>, ProviderError> {
        let now = self.clock.now();
        let is_fresh = |known: &Arc<Known>| known.fetched <= now && now < known.fetched + for_at_most;
        if let Some(known) = self.lock().get(&provider.name).cloned().filter(is_fresh) {
            return Ok(known);
        }
        let url = format!("{}{DISCOVERY}", provider.issuer.trim_end_matches('/'));
        let metadata: Metadata = self.ask(WebRequest::get(&url)).await?;
        if metadata.issuer != provider.issuer {
            return Err(wrong(format_args!(
                "it calls itself {}, and not {}",
                metadata.issuer, provider.issuer
            )));
        }
        let keys: JwkSet = self.ask(WebRequest::get(&metadata.jwks_uri)).await?;
        let known = Arc::new(Known { metadata, keys, fetched: now });
        self.lock().insert(provider.name.clone(), Arc::clone(&known));
        Ok(known)
    }

    /// Sends a request, and reads the JSON of the answer.
    async fn ask<T: DeserializeOwned>(&self, request: WebRequest) -> Result<T, ProviderError> {
        let url = request.url.clone();
        let failed = |problem: &dyn std::fmt::Display| format!("{url}: {problem}");
        let answer = self.client.send(request).await.map_err(|error| ProviderError::Down(failed(&error)))?;
        let WebAnswer { status, ref body } = answer;
        if answer.is_success() {
            return serde_json::from_slice(body).map_err(|error| ProviderError::Wrong(failed(&error)));
        }
        let problem = failed(&format_args!("the answer is {status}"));
        // A provider that refuses a code is well, and so is one that cannot find itself: but nobody can sign in there.
        let is_well = matches!(status, 400..=403);
        Err(if is_well { ProviderError::Wrong(problem) } else { ProviderError::Down(problem) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Known>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn form(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}
