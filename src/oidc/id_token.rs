//! Verifies an ID token (`OpenID` Connect Core 3.1.3.7): who signed it, for whom, when, and for which sign-in.

use std::time::Duration;

use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clock::Timestamp;

/// How far the clocks of two machines may be apart.
const LEEWAY: Duration = Duration::from_mins(1);
/// How old a token may be: it is fetched in the moment of the sign-in.
const AGE_MAX: Duration = Duration::from_mins(10);
/// The algorithms that are taken: those with a public key. Secrets that two parties share sign nobody in.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The values that a token must hold.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
    /// When the person must have proven the identity at the earliest.
    pub(super) proven_since: Option<Timestamp>,
}

/// The claims of a token.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    pub(super) sub: String,
    #[serde(flatten)]
    pub(super) email: Email,
    nonce: Option<String>,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    auth_time: Option<f64>,
}

/// An address, and whether the provider has proven it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Email {
    #[serde(rename = "email")]
    pub(super) address: Option<String>,
    #[serde(rename = "email_verified")]
    is_verified: Option<Truth>,
}

/// A boolean; some providers write it as a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Truth {
    Boolean(bool),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    Many(Vec<String>),
    One(IgnoredAny),
}

impl Email {
    /// The address, if it is proven.
    pub(super) fn verified(self) -> Option<String> {
        let is_verified = match self.is_verified {
            Some(Truth::Boolean(is_verified)) => is_verified,
            Some(Truth::Text(text)) => text == "true",
            None => false,
        };
        self.address.filter(|_| is_verified)
    }
}

/// Whether the key that a token names is known.
pub(super) fn has_key(keys: &JwkSet, token: &str) -> bool {
    decode_header(token).is_ok_and(|header| !candidates(keys, &header).is_empty())
}

/// The keys by which a token may be signed: the one that it names, or all if it names none.
fn candidates<'k>(keys: &'k JwkSet, header: &Header) -> Vec<&'k Jwk> {
    let is_named = |key: &&Jwk| match (&header.kid, &key.common.key_id) {
        (Some(named), Some(known)) => named == known,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let signs = |key: &&Jwk| !matches!(key.common.public_key_use, Some(PublicKeyUse::Encryption));
    keys.keys.iter().filter(is_named).filter(signs).collect()
}

/// The claims of a token, if it is right.
pub(super) fn verify(token: &str, keys: &JwkSet, expected: &Expected<'_>) -> Result<Claims, String> {
    let header = decode_header(token).map_err(|error| format!("the token cannot be read: {error}"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(format!("the token is signed by {:?}", header.alg));
    }
    let mut validation = Validation::new(header.alg);
    validation.set_issuer(&[expected.issuer]);
    validation.set_audience(&[expected.client_id]);
    validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
    // The time is compared below, with this server's clock.
    validation.validate_exp = false;
    validation.validate_nbf = false;
    let mut problem = "no key of the provider fits".to_owned();
    for key in candidates(keys, &header) {
        let decoded = DecodingKey::from_jwk(key).and_then(|key| decode::<Claims>(token, &key, &validation));
        match decoded {
            Ok(token) => return check(token.claims, expected),
            Err(error) => problem = format!("the token is not right: {error}"),
        }
    }
    Err(problem)
}

fn check(claims: Claims, expected: &Expected<'_>) -> Result<Claims, String> {
    let now = seconds(expected.now);
    let leeway = LEEWAY.as_secs_f64();
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err("the token is for another sign-in".to_owned());
    }
    let is_shared = matches!(&claims.aud, Audience::Many(all) if 1 < all.len());
    let is_others = claims.azp.as_deref().map_or(is_shared, |azp| azp != expected.client_id);
    if is_others {
        return Err("the token is for another application".to_owned());
    }
    if claims.exp + leeway <= now || claims.iat + AGE_MAX.as_secs_f64() < now || now + leeway < claims.iat {
        return Err("the token is too old, or from the future".to_owned());
    }
    if let Some(since) = expected.proven_since
        && claims.auth_time.is_none_or(|time| time + leeway < seconds(since))
    {
        return Err("the person did not prove the identity again".to_owned());
    }
    if claims.sub.is_empty() || 255 < claims.sub.len() {
        return Err("the token names nobody".to_owned());
    }
    Ok(claims)
}

fn seconds(time: Timestamp) -> f64 {
    Duration::from_millis(time.key()).as_secs_f64()
}
