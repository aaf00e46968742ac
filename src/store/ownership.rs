//! Gives files that root makes to the owner of their folder.
//!
//! People run commands as root, the server runs as a user of its own: without this it could not open a data file that
//! `crier setup` made for it. Whatever makes a file in the data folder calls it.

use std::fs::File;
use std::io;
use std::os::unix::fs::{MetadataExt as _, fchown};
use std::path::Path;

/// Gives an open file or folder the owner and the group of the folder in which `path` is. Does nothing unless this
/// process is root.
///
/// It takes the open file, because another process could put a link in the place of its name.
pub fn give_to_owner_of_folder(file: &File, path: &Path) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, found) = (folder.metadata()?, file.metadata()?);
    if (found.uid(), found.gid()) == (folder.uid(), folder.gid()) {
        return Ok(());
    }
    fchown(file, Some(folder.uid()), Some(folder.gid()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::chown;

    #[test]
    fn a_file_that_root_makes_belongs_to_the_owner_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        let owner = |path: &Path| path.metadata().map(|found| (found.uid(), found.gid())).unwrap();
        // Only root may give folders away; anybody else's files stay as they are.
        let expected = match chown(folder.path(), Some(4711), Some(4712)) {
            Ok(()) => (4711, 4712),
            Err(_) => owner(&path),
        };
        give_to_owner_of_folder(&file, &path).unwrap();
        assert_eq!(owner(&path), expected);
    }
}
