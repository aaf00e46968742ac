//! The reasons why a backup is not made or not restored, in words for the operator.

use std::io;
use std::path::Path;

use super::format::{HEADER, INDEXES, PACKS, POINTS};
use super::objects::ObjectsError;
use crate::store::StoreError;

/// The reason why a backup was not made, read or deleted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    /// The target failed.
    #[error(transparent)]
    Target(#[from] ObjectsError),
    /// The data file failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of this machine failed.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// The error of the system.
        reason: String,
    },
    /// The bytes in the target are not those that were written.
    #[error("{place}: {name} is damaged: {reason}{}", remedy(name))]
    Damaged {
        /// The target.
        place: String,
        /// The damaged object.
        name: String,
        /// A description of the damage.
        reason: String,
    },
    /// The target holds something else.
    #[error("{place} holds no backup of crier: name another target")]
    Foreign {
        /// The target.
        place: String,
    },
    /// The target holds the backups of another server.
    #[error("{place} holds the backups of another server: each server needs a target of its own")]
    OtherServer {
        /// The target.
        place: String,
    },
    /// A newer program wrote to the target.
    #[error("{place} was written by a newer crier: install the newer version")]
    Newer {
        /// The target.
        place: String,
    },
    /// Another backup to the same target is under way.
    #[error("{place}: another backup is under way: {who}")]
    Busy {
        /// The target.
        place: String,
        /// Who makes it, or what to do.
        who: String,
    },
    /// The target has no point that was asked for.
    #[error("{place} has no backup{when}")]
    NoPoint {
        /// The target.
        place: String,
        /// The time that was asked for, in words.
        when: String,
    },
    /// A key is missing, or is the wrong one.
    #[error("{0}")]
    Key(String),
}

impl BackupError {
    /// The error of a file of this machine.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
        let path = path.display().to_string();
        move |error| BackupError::File { path, reason: error.to_string() }
    }

    pub(super) fn damaged(place: &str, name: &str, reason: impl std::fmt::Display) -> BackupError {
        BackupError::Damaged { place: place.to_owned(), name: name.to_owned(), reason: reason.to_string() }
    }

    /// Whether the fault goes away once another backup has ended.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, BackupError::Busy { .. } | BackupError::Store(StoreError::CopyUnderWay))
    }

    /// Whether an object of the target is missing, or is not what was written there.
    pub(super) fn is_loss(&self) -> bool {
        matches!(self, BackupError::Damaged { .. })
    }
}

/// The advice to the operator about a damaged object.
fn remedy(name: &str) -> &'static str {
    if name == HEADER {
        "; name a new target"
    } else if name.starts_with(POINTS) {
        "; restore another backup with --at; old backups are thinned out again once this object is gone"
    } else if name.starts_with(PACKS) || name.starts_with(INDEXES) {
        "; restore another backup with --at; the next backup sends its chunks again once this object is gone"
    } else {
        "; take another backup"
    }
}
