//! OAuth 2.0 (RFC 6749): applications that act for administrators who allowed it.
//!
//! The operator makes an application known ([`clients`]). It sends a person's browser to the authorization endpoint,
//! whose request [`request`] reads; what the person allows becomes a grant with a code ([`grants`]). The application
//! gets tokens for the code, and new ones for a refresh token ([`tokens`]). A grant is the family of all its tokens: it
//! ends when somebody withdraws it, and when a code or a refresh token is used a second time.
//!
//! Secrets, codes and tokens are drawn outside the write job, and only their hashes are known here.

pub mod clients;
pub mod grants;
pub mod request;
pub mod tokens;
