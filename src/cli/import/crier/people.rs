//! Brings the people of an export in, some at a time.

use std::fs::File;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};

use super::{Count, Run};
use crate::cli::import::progress::Progress;
use crate::cli::{Failure, told, unexpected};
use crate::control::export::{CONTACTS_FILE, sheet};
use crate::control::import::put_back::{Merging, PEOPLE_MAX, PutBackReply, PutBackRequest};
use crate::control::{Reply, Request};
use crate::ops::people::whole::WholeContact;

impl Run {
    /// Brings everybody in. In a dry run the lists and fields count as being there that would be made.
    pub(super) fn people(
        &mut self,
        directory: &Path,
        lists: Vec<String>,
        fields: Vec<String>,
    ) -> Result<(), Failure> {
        let path = directory.join(CONTACTS_FILE);
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::Failed(format!("{} cannot be read: {error}", path.display()))
        };
        let file = File::open(&path).map_err(|error| unreadable(&error))?;
        let size_bytes = file.metadata().ok().map(|found| found.len());
        let mut reader = ReaderBuilder::new().from_reader(file);
        let head = reader.headers().map_err(|error| unreadable(&error))?;
        let own = sheet::fields_of(head).map_err(|reason| unreadable(&reason))?;
        let rehearsal = self.is_rehearsed.then_some((lists, fields));
        let mut sending = Sending::of(CONTACTS_FILE, "row", rehearsal);
        let mut progress = Progress::start("people", size_bytes);
        let (mut row, mut number) = (StringRecord::new(), 1);
        while reader.read_record(&mut row).map_err(|error| unreadable(&error))? {
            // As a spreadsheet counts them: the head is the first.
            number += 1;
            let at_bytes = reader.position().byte();
            match sheet::person(&own, &row) {
                Ok(whole) => sending.people.push((number, whole)),
                Err(reason) => self.refuse_person(&sending, number, &reason)?,
            }
            if sending.people.len() == PEOPLE_MAX {
                self.send(&mut sending, None)?;
            }
            progress.at(at_bytes, self.summary.contacts.created);
        }
        self.send(&mut sending, None)?;
        progress.finish();
        self.end_people(&mut sending)
    }

    /// Writes the numbers of all people into the audit log.
    pub(in crate::cli::import) fn end_people(&mut self, sending: &mut Sending) -> Result<(), Failure> {
        let Count { created, skipped, rejected } = &self.summary.contacts;
        let result = format!("{created} made, {skipped} skipped, {rejected} refused");
        if sending.noted.is_some() {
            self.send(sending, Some(result))?;
        }
        Ok(())
    }

    /// Sends the people who wait to be sent.
    pub(in crate::cli::import) fn send(
        &mut self,
        sending: &mut Sending,
        result: Option<String>,
    ) -> Result<(), Failure> {
        let people = std::mem::take(&mut sending.people);
        if people.is_empty() && result.is_none() {
            return Ok(());
        }
        let request = PutBackRequest {
            account: self.account.clone(),
            people,
            rehearsal: sending.rehearsal.clone(),
            noted: sending.noted,
            result,
            source: Some(sending.source.clone()),
            merging: sending.merging.clone(),
            ..PutBackRequest::default()
        };
        let PutBackReply { created, known, updated, refused, noted, .. } =
            match told(self.reached.ask(Request::PutBack(request))?)? {
                Reply::PutBack(reply) => reply,
                other => return Err(unexpected(&other)),
            };
        sending.noted = noted;
        self.summary.contacts.created += created + updated;
        self.summary.contacts.skipped += known;
        for (number, reason) in refused {
            self.refuse_person(sending, number, &reason)?;
        }
        Ok(())
    }

    fn refuse_person(&mut self, sending: &Sending, number: u64, reason: &str) -> Result<(), Failure> {
        self.summary.contacts.rejected += 1;
        self.refuse(&sending.source, &format!("{} {number}", sending.noun), reason)
    }
}

/// People who are about to be sent.
pub(in crate::cli::import) struct Sending {
    /// Where they come from.
    source: String,
    /// What their numbers are numbers of.
    noun: &'static str,
    /// In a dry run, the lists and fields that would be there.
    pub(in crate::cli::import) rehearsal: Option<(Vec<String>, Vec<String>)>,
    noted: Option<u64>,
    /// How people are taken who are contacts already; they stay as they are if unset.
    pub(in crate::cli::import) merging: Option<Merging>,
    /// The people with their numbers, at most [`PEOPLE_MAX`].
    pub(in crate::cli::import) people: Vec<(u64, WholeContact)>,
}

impl Sending {
    /// Nobody yet.
    pub(in crate::cli::import) fn of(
        source: &str,
        noun: &'static str,
        rehearsal: Option<(Vec<String>, Vec<String>)>,
    ) -> Sending {
        Sending { source: source.to_owned(), noun, rehearsal, noted: None, merging: None, people: Vec::new() }
    }
}
