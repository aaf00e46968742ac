//! The banners of accounts: notes which image must be fetched, and stores the fetched one. `jobs` fetches it.

use crate::clock::Timestamp;
use crate::model::banner::BannerImage;
use crate::model::{Account, AccountId, Banner, BannerProblem, BlobId};
use crate::ops::overdue::overdue_rows;
use crate::schema::BANNER_BY_DUE;
use crate::secret::sha256;
use crate::store::{self, Read, StoreError, WriteTx};

/// Bytes of the hash that names an image.
const HASH_BYTES: usize = 16;

/// An image that was made of what was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The PNG file.
    pub png: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Makes the banner of an account follow its `custom_image`: a new address is fetched, and an image of another one is
/// no longer shown.
pub fn follow(tx: &mut WriteTx<'_>, account: &Account, now: Timestamp) -> Result<(), StoreError> {
    let known = tx.get::<Banner>(account.id.0)?;
    match (&account.settings.custom_image, known) {
        (Some(url), Some(known)) if known.url == *url => Ok(()),
        (Some(url), _) => tx.put(&Banner::new(account.id, url.clone(), now)),
        (None, Some(_)) => tx.delete::<Banner>(account.id.0).map(|_| ()),
        (None, None) => Ok(()),
    }
}

/// The banners that are to be fetched now.
pub fn due(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<Banner>, StoreError> {
    let ids = overdue_rows(tx, &BANNER_BY_DUE, now, limit)?;
    Ok(tx.records::<Banner>(&ids)?.into_iter().flatten().collect())
}

/// The banner of an account.
pub fn find(tx: &impl Read, account: AccountId) -> Result<Option<Banner>, StoreError> {
    tx.get(account.0)
}

/// The file of an image.
pub fn file(tx: &impl Read, image: &BannerImage) -> Result<Vec<u8>, StoreError> {
    tx.blob(store::BlobId(image.blob.0))
}

/// Stores what a try to fetch `tried` resulted in, unless the account names another image by now.
pub fn settle(
    tx: &mut WriteTx<'_>,
    tried: &Banner,
    result: Result<Picture, BannerProblem>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(mut banner) = tx.get::<Banner>(tried.account.0)?.filter(|banner| banner.url == tried.url) else {
        return Ok(());
    };
    match result {
        Err(problem) => banner.note_failure(problem, now),
        Ok(Picture { png, width, height }) => {
            let hash = data_encoding::HEXLOWER.encode(&sha256(&png)[..HASH_BYTES]);
            let blob = BlobId(tx.put_blob(&png)?.0);
            banner.image = Some(BannerImage { blob, hash, width, height });
            (banner.problem, banner.tries, banner.due) = (None, 0, None);
        }
    }
    tx.put(&banner)
}
