//! Checks a data folder before a command works on it, and words the problem if the command cannot.
//!
//! It changes nothing in the folder.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::migrate::FILE_NAME;

/// The file with the names of users by their numbers.
const USERS: &str = "/etc/passwd";

/// The reason why a command cannot work on a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FolderProblem {
    /// The reason in words, with what would be right.
    pub(super) text: String,
    /// Whether it is a matter of permissions.
    pub(super) is_forbidden: bool,
}

/// Passes if the data file of a folder exists and this process may open it.
pub(super) fn check(data_dir: &Path) -> Result<(), FolderProblem> {
    let file = data_dir.join(FILE_NAME);
    let opened = fs::metadata(data_dir).and_then(|folder| {
        if folder.is_dir() {
            fs::File::options().read(true).write(true).open(&file)
        } else {
            Err(ErrorKind::NotADirectory.into())
        }
    });
    opened.map(|_| ()).map_err(|error| problem(data_dir, &file, &error))
}

fn problem(data_dir: &Path, file: &Path, error: &io::Error) -> FolderProblem {
    let folder = data_dir.display();
    let advice = "name its folder with --data, or begin with crier setup";
    let absent = |text: String| FolderProblem { text, is_forbidden: false };
    match error.kind() {
        ErrorKind::NotFound if data_dir.exists() => {
            absent(format!("there is no data file ({FILE_NAME}) in {folder}: {advice}"))
        }
        ErrorKind::NotFound => absent(format!(
            "there is no data file ({FILE_NAME}): the folder {folder} does not exist: {advice}"
        )),
        ErrorKind::NotADirectory => {
            absent(format!("{folder} is not a folder: name the folder of {FILE_NAME} with --data"))
        }
        ErrorKind::PermissionDenied => {
            let text = forbidden(data_dir, owner(file, data_dir), own_user());
            FolderProblem { text, is_forbidden: true }
        }
        _ => absent(format!("{} cannot be opened: {error}", file.display())),
    }
}

/// Words the error of a folder on which this process may not work.
pub(super) fn forbidden(data_dir: &Path, owner: Option<u32>, own_user: Option<u32>) -> String {
    let folder = data_dir.display();
    match owner {
        Some(owner) if Some(owner) != own_user => {
            let name = name_of(owner).unwrap_or_else(|| format!("#{owner}"));
            format!("you may not open {folder}: it belongs to user {name}; use sudo -u {name}")
        }
        Some(_) => format!("you may not open {folder}, although it is yours: its permissions forbid it"),
        None => format!("you may not open {folder}: ask for permission, or use sudo"),
    }
}

/// The owner of the first of these that can be examined: the file, its folder, the folders above it.
pub(super) fn owner(file: &Path, data_dir: &Path) -> Option<u32> {
    let seen = [file].into_iter().chain(data_dir.ancestors()).find_map(|path| fs::metadata(path).ok());
    seen.map(|metadata| metadata.uid())
}

/// The user that runs this process.
pub(super) fn own_user() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|process| process.uid())
}

/// The name of a user by its number.
fn name_of(user: u32) -> Option<String> {
    let users = fs::read_to_string(USERS).ok()?;
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == user.to_string()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_somebody_else_says_whose_it_is() {
        let folder = Path::new("/var/lib/crier");
        let told = forbidden(folder, Some(0), Some(1000));
        assert_eq!(told, "you may not open /var/lib/crier: it belongs to user root; use sudo -u root");
        let told = forbidden(folder, Some(4_000_000_001), Some(1000));
        assert!(told.contains("user #4000000001; use sudo -u #4000000001"), "{told}");
        assert!(forbidden(folder, Some(1000), Some(1000)).contains("although it is yours"));
    }

    #[test]
    fn a_folder_without_a_data_file_is_told_apart_from_one_that_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let told = |path: &Path| check(path).unwrap_err().text;
        assert!(told(folder.path()).starts_with("there is no data file (crier.redb) in"));
        assert!(told(&folder.path().join("x")).contains("does not exist"));
        let file = folder.path().join(FILE_NAME);
        fs::write(&file, "").unwrap();
        assert!(told(&file).contains("is not a folder"));
        assert_eq!(check(folder.path()), Ok(()));
    }
}
