//! Fetches the banners of accounts: once for each address, and again after a while if that failed. The file is decoded
//! and encoded anew on a blocking thread; neither a write job nor a snapshot waits for it.

mod picture;

use tokio::task::JoinSet;

use crate::model::{Banner, BannerProblem};
use crate::net::fetch::{FileClient, FileError};
use crate::ops::Caller;
use crate::ops::accounts::banners::{self, Picture};
use crate::service::Core;
use crate::store::StoreError;

/// Banners that one step fetches, all at once.
const BANNERS_PER_STEP: usize = 4;
/// The largest file that is fetched.
const FILE_BYTES_MAX: usize = 5 * 1024 * 1024;

/// Fetches some of the banners that are due; returns whether there may be more.
pub(super) async fn step(core: &Core) -> Result<bool, StoreError> {
    let due = banners::due(&core.store.read()?, core.now(), BANNERS_PER_STEP)?;
    if due.is_empty() {
        return Ok(false);
    }
    let is_more = due.len() == BANNERS_PER_STEP;
    let client = match FileClient::new(&core.config) {
        Ok(client) => client,
        Err(error) => {
            tracing::warn!(error = %error, "Banners cannot be fetched: {error}");
            return Ok(false);
        }
    };
    let mut fetches = JoinSet::new();
    for banner in due {
        let (core, client) = (core.clone(), client.clone());
        fetches.spawn(async move {
            let result = fetch(&client, &banner).await;
            let server = Caller::of_server();
            core.perform_reserved(&server, move |tx, by| banners::settle(tx, &banner, result, by.now)).await
        });
    }
    for settled in fetches.join_all().await {
        settled?;
    }
    Ok(is_more)
}

async fn fetch(client: &FileClient, banner: &Banner) -> Result<Picture, BannerProblem> {
    let (account, tries) = (banner.account, banner.tries + 1);
    let result = match client.fetch(&banner.url, FILE_BYTES_MAX).await {
        Ok(bytes) => tokio::task::spawn_blocking(move || picture::make(&bytes))
            .await
            // A decoder that panicked.
            .unwrap_or(Err(BannerProblem::NoImage)),
        Err(error) => {
            tracing::debug!(account.id = account.0, error = %error, "The server of a banner: {error}");
            Err(match error {
                FileError::Status(_) => BannerProblem::Missing,
                FileError::TooLarge => BannerProblem::TooLarge,
                FileError::Unreachable(_) | FileError::TimedOut => BannerProblem::Unreachable,
            })
        }
    };
    match &result {
        Ok(picture) => tracing::info!(
            account.id = account.0,
            "The banner of account {account} is fetched: {} x {} pixels",
            picture.width,
            picture.height
        ),
        Err(problem) => tracing::warn!(
            account.id = account.0,
            banner.tries = tries,
            problem = problem.word(),
            "The banner of account {account} could not be fetched ({}), try {tries}",
            problem.word()
        ),
    }
    result
}
