//! Folders for a while: under a name that nobody can guess, for their owner only, and removed at the end.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process;

use tokio::runtime::Handle;

use super::Failure;
use super::serve::Signals;
use crate::secret::Secrets;

/// Most tries to remove a folder in which this process may still make files.
const TRIES: u32 = 1000;
/// The status of a process that ends because it was interrupted.
const INTERRUPTED: i32 = 130;

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes a new folder below `above`, whose name begins with `prefix`.
    pub(super) fn make(above: &Path, prefix: &str, secrets: &Secrets) -> Result<TemporaryFolder, Failure> {
        let path = above.join(format!("{prefix}{}", secrets.token(12)));
        // One that somebody else has made, or a link, is an error.
        let made = DirBuilder::new().mode(0o700).create(&path);
        made.map_err(|error| Failure::Failed(format!("{} cannot be made: {error}", path.display())))?;
        Ok(TemporaryFolder(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Has the process end, and the folder with it, at the first signal to stop.
    pub(super) fn remove_at_signal(&self, runtime: &Handle) -> Result<(), Failure> {
        let path = self.0.clone();
        let _entered = runtime.enter();
        let mut signals = Signals::new()?;
        runtime.spawn(async move {
            signals.stop().await;
            // Until it is gone, another thread may make a file in it.
            for _ in 0..TRIES {
                let _ = fs::remove_dir_all(&path);
                if !path.exists() {
                    break;
                }
            }
            process::exit(INTERRUPTED);
        });
        Ok(())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Files that cannot be deleted stay in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_folder_is_new_its_owners_alone_and_gone_at_the_end() {
        let above = tempfile::tempdir().unwrap();
        let folder = TemporaryFolder::make(above.path(), "crier-", &Secrets::seeded(1)).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
        // Somebody knew the name.
        let elsewhere = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), &path).unwrap();
        assert!(TemporaryFolder::make(above.path(), "crier-", &Secrets::seeded(1)).is_err());
        assert!(elsewhere.path().exists());
    }
}
