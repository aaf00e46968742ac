//! Binds Unix sockets that have their final mode from the first moment at which other users can reach them.
//!
//! `bind` gives a socket the mode that the umask leaves, and a `chmod` afterwards comes too late for a user who
//! connects in between. The umask is no solution: it belongs to the whole process, so that changing it for a moment
//! would change the files that other threads create meanwhile. A socket is therefore bound in a folder that only its
//! owner may enter, gets its mode there, and then its name. An existing file of that name is never replaced.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// Longest path that the address of a socket holds, with its final zero (`sockaddr_un`).
const PATH_BYTES_MAX: usize = 108;
/// Names that are tried for the private folder. A killed process can leave one behind.
const FOLDERS_MAX: usize = 100;

/// A path that is short enough for the address of a socket, however deep its folder is.
#[derive(Debug)]
pub struct SocketPath {
    path: PathBuf,
    /// The open folder, which keeps the short path valid.
    _folder: Option<File>,
}

impl SocketPath {
    /// The path of `name` in `folder`.
    pub fn new(folder: &Path, name: &str) -> io::Result<SocketPath> {
        let path = folder.join(name);
        if path.as_os_str().len() < PATH_BYTES_MAX {
            return Ok(SocketPath { path, _folder: None });
        }
        let folder = File::open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd()));
        Ok(SocketPath { path, _folder: Some(folder) })
    }

    /// The short path, valid as long as this value lives.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        &self.path
    }
}

/// Binds a socket at `path` with the permissions `mode`. Fails with [`io::ErrorKind::AddrInUse`] if the path exists.
///
/// # Panics
/// Outside of a tokio runtime.
pub fn bind(path: &Path, mode: u32) -> io::Result<UnixListener> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let private = PrivateFolder::create(parent)?;
    let hidden = SocketPath::new(&private.0, PrivateFolder::SOCKET_NAME)?;
    let listener = UnixListener::bind(hidden.as_path())?;
    fs::set_permissions(hidden.as_path(), Permissions::from_mode(mode))?;
    // A hard link, and not a new name: renaming would silently replace the socket of another server.
    match fs::hard_link(private.socket(), path) {
        Ok(()) => Ok(listener),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(io::ErrorKind::AddrInUse.into()),
        Err(error) => Err(error),
    }
}

/// A folder that only its owner may enter, removed with its socket when it is dropped.
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    const SOCKET_NAME: &str = "s";

    fn create(parent: &Path) -> io::Result<PrivateFolder> {
        let mut last = io::ErrorKind::AlreadyExists.into();
        for number in 0..FOLDERS_MAX {
            let path = parent.join(format!(".bind-{number}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(PrivateFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    fn socket(&self) -> PathBuf {
        self.0.join(PrivateFolder::SOCKET_NAME)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // A folder left behind blocks nothing: the next socket takes another name.
        let _ = fs::remove_file(self.socket());
        let _ = fs::remove_dir(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn mode(path: &Path) -> io::Result<u32> {
        Ok(fs::symlink_metadata(path)?.permissions().mode() & 0o777)
    }

    #[tokio::test]
    async fn a_socket_has_its_mode_whenever_it_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let is_over = Arc::new(AtomicBool::new(false));
        let watching = std::thread::spawn({
            let (path, is_over) = (path.clone(), is_over.clone());
            move || {
                let mut modes = BTreeSet::new();
                while !is_over.load(Ordering::Relaxed) {
                    modes.extend(mode(&path));
                }
                modes
            }
        });
        for _ in 0..500 {
            let _listener = bind(&path, 0o600).unwrap();
            assert_eq!(mode(&path).unwrap(), 0o600);
            fs::remove_file(&path).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        let seen = watching.join().unwrap();
        assert!(seen.is_subset(&BTreeSet::from([0o600])), "modes in decimal: {seen:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no private folder is left");
    }

    #[tokio::test]
    async fn clients_reach_a_socket_however_deep_its_folder_is() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("d".repeat(200));
        fs::create_dir(&deep).unwrap();
        let listener = bind(&deep.join("socket"), 0o666).unwrap();
        assert_eq!(mode(&deep.join("socket")).unwrap(), 0o666);
        let path = SocketPath::new(&deep, "socket").unwrap();
        let _client = std::os::unix::net::UnixStream::connect(path.as_path()).unwrap();
        listener.accept().await.unwrap();
    }

    #[tokio::test]
    async fn nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "kept").unwrap();
        assert_eq!(bind(&path, 0o600).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no private folder is left");
    }

    #[tokio::test]
    async fn a_folder_that_a_killed_process_left_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".bind-0")).unwrap();
        bind(&folder.path().join("socket"), 0o600).unwrap();
    }
}
