//! A bucket as backups see it: a place of named objects, whose functions block.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::watch;

use super::{S3Client, S3Error};
use crate::backup::{Listed, Objects, ObjectsError, Target};
use crate::config::Config;
use crate::config::backup::{BackupPlace, S3Settings};

/// The size for which a small object is waited for.
const SMALL_BYTES: u64 = 1 << 20;
/// The size for which any other is: somewhat more than that of a pack.
const LARGE_BYTES: u64 = 20 << 20;

/// The objects of a bucket below a prefix.
#[derive(Debug, Clone)]
pub struct S3Objects {
    /// The client, or the reason why there is none: each request then fails for it.
    client: Result<S3Client, S3Error>,
    place: String,
    runtime: Handle,
    /// Requests under way fail when that becomes true. Deletions go on, so that locks can be removed.
    stop: Option<watch::Receiver<bool>>,
}

impl S3Objects {
    /// The objects at that place, for threads that may block while the runtime does the work.
    #[must_use]
    pub fn new(settings: S3Settings, config: &Config, runtime: Handle) -> S3Objects {
        let place = settings.to_string();
        S3Objects { client: S3Client::new(settings, config), place, runtime, stop: None }
    }

    fn failed(&self, name: &str, error: S3Error) -> ObjectsError {
        let (place, name) = (self.place.clone(), name.to_owned());
        match error {
            S3Error::NotFound => ObjectsError::NotFound { place, name },
            S3Error::Failed(reason) => ObjectsError::Failed { place, name, reason },
        }
    }

    /// Waits for a request, which ends when the server stops.
    fn wait<'a, T>(
        &'a self,
        name: &str,
        request: impl AsyncFnOnce(&'a S3Client) -> Result<T, S3Error>,
    ) -> Result<T, ObjectsError> {
        let stop = self.stop.clone();
        let stopped = async move {
            match stop {
                Some(mut stop) => drop(stop.wait_for(|stop| *stop).await),
                None => std::future::pending().await,
            }
        };
        let answered = self.client.as_ref().map_err(Clone::clone).and_then(|client| {
            self.runtime.block_on(async {
                tokio::select! {
                    answered = request(client) => answered,
                    () = stopped => Err(S3Error::Failed("the server stops".to_owned())),
                }
            })
        });
        answered.map_err(|error| self.failed(name, error))
    }
}

impl Objects for S3Objects {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectsError> {
        self.wait(name, async |client| client.put(name, bytes).await)
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.wait(name, async |client| client.get(name, LARGE_BYTES).await)
    }

    fn get_small(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.wait(name, async |client| client.get(name, SMALL_BYTES).await)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsError> {
        let found = self.wait(prefix, async |client| client.list(prefix).await)?;
        Ok(found.into_iter().map(|object| Listed { name: object.name, bytes: object.size_bytes }).collect())
    }

    fn delete(&self, name: &str) -> Result<(), ObjectsError> {
        let deleting = S3Objects { stop: None, ..self.clone() };
        deleting.wait(name, async |client| client.delete(name).await)
    }
}

/// The target of backups at a place of this machine, or of a storage service, which is asked by means of the runtime. With
/// `stop`, a backup to it fails when that becomes true.
#[must_use]
pub fn target_of(
    place: &BackupPlace,
    config: &Config,
    runtime: &Handle,
    stop: Option<watch::Receiver<bool>>,
) -> Target {
    let target = match place {
        BackupPlace::Local(path) => Target::of_path(Path::new(path)),
        BackupPlace::S3(settings) => {
            let objects = S3Objects::new(settings.clone(), config, runtime.clone());
            Target::of_objects(Arc::new(S3Objects { stop: stop.clone(), ..objects }))
        }
    };
    match stop {
        Some(stop) => target.until(stop),
        None => target,
    }
}
