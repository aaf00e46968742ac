//! The first step of signing in: compares the password, and begins the session or asks for the second factor.

use std::sync::Arc;

use super::code;
use super::form::{address_of, wrong};
use super::session::{signed_in, too_many};
use crate::locale::text;
use crate::model::EmailAddress;
use crate::ops::accounts::sign_in::{self, Attempt, Browser, Match, Outcome};
use crate::ops::sessions;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::paths::next_path;

/// `POST /login/`, with `username`, `password` and `next`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let next = next_path(context.form.get("next"));
    let password = context.form.get("password");
    let address = match address_of(&context) {
        Ok(address) if !password.is_empty() => address,
        read => return wrong(&context, next, problems_of(&context, read.err(), password)),
    };
    let (token, token_hash) = sessions::new_token(&context.core.secrets);
    match outcome(&context, &address, password, token_hash).await? {
        Outcome::In(session) => signed_in(&context, &session, &token, &next),
        Outcome::NeedsCode(token) => code::begin(&context, &token, &next).await,
        Outcome::Wrong => {
            let problem = text!(context.language, "login-wrong");
            wrong(&context, next, FieldProblems::one("password", problem))
        }
    }
}

/// Compares the password with as many hashes as any address has, and settles the attempt.
async fn outcome(
    context: &Arc<Context>,
    address: &EmailAddress,
    password: &str,
    token_hash: [u8; 32],
) -> Result<Outcome, PageError> {
    let core = &context.core;
    let _turn = core.passwords.turn(&sign_in::subject_of(address)).await;
    let known = context.known_as();
    let browser = Browser { signer: &core.signer, tokens: &known };
    let attempt = sign_in::attempt(&context.read()?, &context.site, browser, address, core.now())?;
    let attempt = attempt.map_err(|until| too_many(context, until))?;
    let found = compare(context, &attempt, password).await?;
    let device = context.device().clone();
    let caller = sign_in::visitor(&context.site);
    let settled = core.perform_reserved(&caller, move |tx, by| {
        sign_in::settle(tx, by, &attempt, found, device, token_hash)
    });
    Ok(settled.await?)
}

async fn compare(context: &Context, attempt: &Attempt, password: &str) -> Result<Option<Match>, PageError> {
    let core = &context.core;
    let mut found = None;
    for (place, candidate) in attempt.candidates.iter().enumerate() {
        let hash = candidate.hash.clone();
        // The others are computed as well: how long it takes tells nothing.
        if core.passwords.is_somebodys(hash, password.to_owned()).await? && found.is_none() {
            found = Some(place);
        }
    }
    let Some(place) = found else { return Ok(None) };
    let hash = attempt.candidates[place].hash.as_deref().unwrap_or_default();
    let renewed = core.passwords.renewed(&core.secrets, hash, password.to_owned()).await?;
    Ok(Some(Match { place, renewed }))
}

fn problems_of(context: &Context, address: Option<String>, password: &str) -> FieldProblems {
    let mut problems = FieldProblems::default();
    if let Some(problem) = address {
        problems.add("username", problem);
    }
    if password.is_empty() {
        problems.add("password", text!(context.language, "login-password-missing"));
    }
    problems
}
