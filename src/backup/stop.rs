//! Ends a backup when its server stops: its target refuses what it would read or write next, and so it ends without a
//! point. Deletions go on, so that its lock is removed.

use std::io::{self, Read};
use std::sync::Arc;

use tokio::sync::watch;

use super::objects::{Listed, Objects, ObjectsError};

/// Becomes true when the server stops.
pub(super) type Stop = watch::Receiver<bool>;

const REASON: &str = "the server stops";

/// Objects that can no longer be read or written once the server stops.
#[derive(Debug)]
pub(super) struct UntilStop {
    pub(super) objects: Arc<dyn Objects>,
    pub(super) stop: Stop,
}

impl UntilStop {
    fn check(&self, name: &str) -> Result<(), ObjectsError> {
        if *self.stop.borrow() {
            let reason = REASON.to_owned();
            return Err(ObjectsError::Failed { place: self.place(), name: name.to_owned(), reason });
        }
        Ok(())
    }
}

impl Objects for UntilStop {
    fn place(&self) -> String {
        self.objects.place()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectsError> {
        self.check(name).and_then(|()| self.objects.put(name, bytes))
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.check(name).and_then(|()| self.objects.get(name))
    }

    fn get_small(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.check(name).and_then(|()| self.objects.get_small(name))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsError> {
        self.check(prefix).and_then(|()| self.objects.list(prefix))
    }

    fn delete(&self, name: &str) -> Result<(), ObjectsError> {
        self.objects.delete(name)
    }

    fn remove_drafts(&self) -> Result<(), ObjectsError> {
        self.objects.remove_drafts()
    }
}

/// A data file that can no longer be read once the server stops.
pub(super) struct ReadUntilStop<R> {
    pub(super) file: R,
    pub(super) stop: Option<Stop>,
}

impl<R: Read> Read for ReadUntilStop<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.stop.as_ref().is_some_and(|stop| *stop.borrow()) {
            return Err(io::Error::other(REASON));
        }
        self.file.read(out)
    }
}
