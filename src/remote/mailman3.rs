//! Reads lists of Mailman 3 by the REST API of its core.

use std::sync::Arc;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use tokio::task::JoinSet;

use super::client::{Remote, RemoteError};
use super::listing::Object;
use crate::sources::PEOPLE_MAX;
use crate::sources::mailman3::{Found, FoundMember};

/// Entries of a page.
const PAGE: usize = 500;
/// Held messages of a page, which have their whole text in them.
const HELD_PAGE: usize = 1;
/// Requests for preferences that are under way at a time.
const IN_FLIGHT_MAX: usize = 8;
/// Most lists of a server.
const LISTS_MAX: usize = 20_000;

/// The identifiers of all lists with their addresses.
///
/// # Errors
/// If the server does not answer as Mailman does.
pub async fn lists(remote: &Remote) -> Result<Vec<(String, String)>, RemoteError> {
    let entries = entries(remote, "/lists", LISTS_MAX).await?;
    let text = |entry: &Object, name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(entries
        .iter()
        .filter_map(|entry| Some((text(entry, "list_id")?, text(entry, "fqdn_listname")?)))
        .collect())
}

/// Everything that the server tells of a list.
///
/// # Errors
/// If the server does not answer as Mailman does.
pub async fn read(
    remote: &Arc<Remote>,
    id: &str,
    progress: &mut dyn FnMut(u64),
) -> Result<Found, RemoteError> {
    let list = format!("/lists/{}", utf8_percent_encode(id, NON_ALPHANUMERIC));
    let Value::Object(config) = remote.json(&format!("{list}/config")).await? else {
        return Err(unreadable(&list, "its settings are no object"));
    };
    let members = entries(remote, &format!("{list}/roster/member"), PEOPLE_MAX).await?;
    let held: Value = remote.json(&format!("{list}/held?count={HELD_PAGE}&page=1")).await?;
    let templates = optional(remote, &format!("{list}/uris")).await?;
    Ok(Found {
        config,
        members: with_preferences(remote, members, progress).await?,
        owners: entries(remote, &format!("{list}/roster/owner"), PEOPLE_MAX).await?,
        moderators: entries(remote, &format!("{list}/roster/moderator"), PEOPLE_MAX).await?,
        nonmembers: entries(remote, &format!("{list}/roster/nonmember"), PEOPLE_MAX).await?,
        bans: optional(remote, &format!("{list}/bans")).await?,
        header_matches: optional(remote, &format!("{list}/header-matches")).await?,
        requests: optional(remote, &format!("{list}/requests")).await?,
        templates: templates
            .iter()
            .filter_map(|template| template.get("name").and_then(Value::as_str).map(str::to_owned))
            .collect(),
        held: held.get("total_size").and_then(Value::as_u64).unwrap_or_default(),
    })
}

fn unreadable(path: &str, reason: &str) -> RemoteError {
    RemoteError::Unreadable { path: path.to_owned(), reason: reason.to_owned() }
}

/// Entries of what older versions do not have.
async fn optional(remote: &Remote, path: &str) -> Result<Vec<Object>, RemoteError> {
    match entries(remote, path, PEOPLE_MAX).await {
        Err(error) if error.status() == Some(404) => Ok(Vec::new()),
        entries => entries,
    }
}

/// All entries of a collection, page by page.
async fn entries(remote: &Remote, path: &str, most: usize) -> Result<Vec<Object>, RemoteError> {
    let mut all: Vec<Object> = Vec::new();
    for page in 1.. {
        let answer = remote.json(&format!("{path}?count={PAGE}&page={page}")).await?;
        let total = answer.get("total_size").and_then(Value::as_u64).unwrap_or_default();
        let found = match answer {
            Value::Object(mut answer) => answer.remove("entries"),
            _ => return Err(unreadable(path, "it is no collection")),
        };
        // A collection without entries has no member of this name.
        let Some(Value::Array(found)) = found else { break };
        let before = all.len();
        for entry in found {
            if let Value::Object(mut entry) = entry {
                entry.retain(|name, _| {
                    !["self_link", "http_etag", "user", "address"].contains(&name.as_str())
                });
                if before == 0 || !all[before.saturating_sub(PAGE)..before].contains(&entry) {
                    all.push(entry);
                }
            }
        }
        if most < all.len() {
            return Err(unreadable(path, "there are more entries than this program takes"));
        }
        // Some collections come whole, whatever page is asked for; then nothing is new.
        if all.len() == before || total <= all.len() as u64 {
            break;
        }
    }
    Ok(all)
}

/// The members with their preferences, in their order.
async fn with_preferences(
    remote: &Arc<Remote>,
    members: Vec<Object>,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<FoundMember>, RemoteError> {
    let mut all = Vec::with_capacity(members.len());
    for part in members.chunks(IN_FLIGHT_MAX) {
        let mut under_way = JoinSet::new();
        for (number, member) in part.iter().enumerate() {
            let Some(path) = preferences_path(member) else { continue };
            let remote = Arc::clone(remote);
            under_way.spawn(async move { (number, remote.json(&path).await) });
        }
        let mut found: Vec<Object> = part.iter().map(|_| Object::new()).collect();
        while let Some(done) = under_way.join_next().await {
            let Ok((number, answer)) = done else { continue };
            match answer {
                Ok(Value::Object(mut preferences)) => {
                    preferences.retain(|name, _| !["self_link", "http_etag"].contains(&name.as_str()));
                    found[number] = preferences;
                }
                Ok(_) => {}
                // The member left meanwhile.
                Err(error) if error.status() == Some(404) => {}
                Err(error) => return Err(error),
            }
        }
        let together = part.iter().cloned().zip(found);
        all.extend(together.map(|(member, preferences)| FoundMember { member, preferences }));
        progress(all.len() as u64);
    }
    Ok(all)
}

/// Where the preferences of a member are: version 3.0 has integers as identifiers, 3.1 hexadecimal numbers.
fn preferences_path(member: &Object) -> Option<String> {
    let id = match member.get("member_id")? {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    Some(format!("/members/{}/preferences", utf8_percent_encode(&id, NON_ALPHANUMERIC)))
}
