//! Listings as CSV files: UTF-8 with its mark, an attachment, and no cell that a spreadsheet would take for a formula.
//!
//! A file of many rows is made while it is sent, a part of it in a snapshot of its own, so that a slow client holds
//! neither memory nor a snapshot. The head of a file has names of the API, in no language.

use std::fmt::Display;
use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;

use crate::http::chunks;
use crate::model::{AuditAction, ContactId};
use crate::ops::audit::{self, Note};
use crate::params::sheet;
use crate::store::{ReadTx, Store};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Parts of a file that are read ahead of the client.
const READ_AHEAD: usize = 1;
/// The mark of UTF-8, without which Excel takes a file for one of an older encoding.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Rows as they stand in the file.
pub(in crate::web) fn render<R, C>(rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item = C>,
    C: AsRef<str>,
{
    let mut file = String::new();
    for row in rows {
        for (place, cell) in row.into_iter().enumerate() {
            if 0 < place {
                file.push(',');
            }
            push_cell(&mut file, cell.as_ref());
        }
        file.push_str("\r\n");
    }
    file.into_bytes()
}

fn push_cell(file: &mut String, cell: &str) {
    let is_formula = is_guarded(cell);
    let is_quoted = cell.contains(['"', ',', ';', '\n', '\r', '\t']) || cell.trim() != cell;
    if is_quoted {
        file.push('"');
    }
    if is_formula {
        file.push('\'');
    }
    if is_quoted {
        file.push_str(&cell.replace('"', "\"\""));
        file.push('"');
    } else {
        file.push_str(cell);
    }
}

/// Whether a cell gets an apostrophe in front: a spreadsheet would take it for a formula, or an import would take an
/// apostrophe off that is the cell's own. A number of a telephone is no formula.
fn is_guarded(cell: &str) -> bool {
    let is_number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == ' ');
    match cell.strip_prefix('+') {
        Some(rest) => !is_number(rest),
        None => cell.starts_with(['=', '-', '@', '\t', '\r']) || sheet::unguarded(cell) != cell,
    }
}

/// The first line of a file, behind the mark by which spreadsheets know UTF-8.
fn head_of(head: &[&str]) -> Vec<u8> {
    let mut bytes = BYTE_ORDER_MARK.to_vec();
    bytes.extend(render([head]));
    bytes
}

/// A file whose rows are all in memory. `name` is that of the file, without its ending.
pub(in crate::web) fn file<R, C>(name: &str, head: &[&str], rows: impl IntoIterator<Item = R>) -> Response
where
    R: IntoIterator<Item = C>,
    C: AsRef<str>,
{
    let mut bytes = head_of(head);
    bytes.extend(render(rows));
    attached(name, Body::from(bytes))
}

/// A file that is made while it is sent. `next` reads the next rows in a snapshot that ends before the client is waited
/// for; `None` ends the file. After an error the connection is cut, so that no client takes what it has for the whole.
pub(in crate::web) fn streamed<E: Display + Send + 'static>(
    context: &Context,
    name: &str,
    head: &[&str],
    next: impl FnMut(&ReadTx) -> Result<Option<Vec<Vec<String>>>, E> + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let (store, permit) = (context.core.store.clone(), context.permit());
    let sending = send(store, head_of(head), next, sender);
    tokio::task::spawn(async move {
        // The file counts until it is sent.
        let _permit = permit;
        sending.await;
    });
    attached(name, chunks::streamed_or_cut(receiver))
}

async fn send<E: Display + Send + 'static>(
    store: Store,
    head: Vec<u8>,
    mut next: impl FnMut(&ReadTx) -> Result<Option<Vec<Vec<String>>>, E> + Send + 'static,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    if sender.send(Ok(head.into())).await.is_err() {
        return;
    }
    loop {
        let store = store.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let read = store.read().map_err(|error| error.to_string());
            let rows = read.and_then(|tx| next(&tx).map_err(|error| error.to_string()));
            (next, rows)
        });
        let Ok((again, rows)) = reading.await else { return };
        next = again;
        let part = match rows {
            Ok(Some(rows)) => Ok(render(rows).into()),
            Ok(None) => return,
            Err(error) => {
                tracing::error!(error, "A CSV file could not be read to its end");
                Err(io::Error::other("the file could not be read to its end"))
            }
        };
        let is_end = part.is_err();
        // The client may be gone.
        if sender.send(part).await.is_err() || is_end {
            return;
        }
    }
}

fn attached(name: &str, body: Body) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    let disposition = format!("attachment; filename=\"{name}.csv\"");
    let plain = || HeaderValue::from_static("attachment; filename=\"rows.csv\"");
    let disposition = HeaderValue::try_from(disposition).unwrap_or_else(|_| plain());
    headers.insert(header::CONTENT_DISPOSITION, disposition);
    response
}

/// Notes in the audit log that the administrator takes data about people away in bulk: what, and which or how much of it.
/// The address book itself is named `people`.
pub(in crate::web) async fn note_export(
    context: &Context,
    what: &str,
    detail: &str,
) -> Result<(), PageError> {
    note(context, Note::new(AuditAction::Exported, 0).named(what).detail(detail)).await
}

/// Notes that the administrator takes away what is kept about one person.
pub(in crate::web::admin) async fn note_export_of(
    context: &Context,
    contact: ContactId,
    detail: &str,
) -> Result<(), PageError> {
    note(context, Note::new(AuditAction::Exported, contact.0).about(contact).detail(detail)).await
}

async fn note(context: &Context, noted: Note) -> Result<(), PageError> {
    let caller = context.administrator()?;
    context.core.perform(caller, move |tx, by| audit::note(tx, &by.caller, noted, by.now)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, expected: &str) {
        assert_eq!(String::from_utf8(render([[cell]])).unwrap(), format!("{expected}\r\n"));
    }

    #[test]
    fn no_cell_is_a_formula_and_none_ends_early() {
        check("Ada", "Ada");
        check("", "");
        for sign in ["=", "+", "-", "@"] {
            check(&format!("{sign}SUM(A1)"), &format!("'{sign}SUM(A1)"));
        }
        check("+49 30 1234", "+49 30 1234");
        check("+49-30", "'+49-30");
        check("'=1", "''=1");
        check("'+49 30", "''+49 30");
        check("'tis", "'tis");
        check("\t=1", "\"'\t=1\"");
        check("\r=1", "\"'\r=1\"");
        check("=1,2", "\"'=1,2\"");
        check("a \"b\"; c\nd", "\"a \"\"b\"\"; c\nd\"");
        check(" a", "\" a\"");
        check("Élan", "Élan");
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read_again_as_it_was(value in "['=+@a1 \",;\n-]{0,12}") {
            let value = value.trim();
            let file = String::from_utf8(render([[value, "x"]])).unwrap();
            let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(file.as_bytes());
            let record = reader.records().next().unwrap().unwrap();
            proptest::prop_assert_eq!(sheet::unguarded(&record[0]), value);
        }
    }
}
