//! People as the API shows them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::listing::Object;
use crate::clock::Timestamp;
use crate::ops::people::whole::{WholeAddress, WholeContact, WholeMembership, WholeStep};

/// Members of a contact that are no custom fields, and are not taken over.
const PASSED_OVER: [&str; 2] = ["id", "description"];

/// A person, and the values that are no text and have no place here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// The person; custom fields stand under the names that the API shows.
    pub whole: WholeContact,
    /// Names of members that are neither texts nor numbers.
    pub strange: Vec<String>,
}

/// Reads a contact. The API does not say how somebody joined, so memberships say that they were imported `now`.
#[must_use]
pub fn person_of(mut contact: Object, now: Timestamp) -> Person {
    for name in PASSED_OVER {
        contact.remove(name);
    }
    let mut text = |name: &str| text_of(contact.remove(name).unwrap_or_default());
    let (firstname, surname, notes) = (text("firstname"), text("surname"), text("notes"));
    let ccid = Some(text("ccid")).filter(|ccid| !ccid.is_empty());
    let created = time_of(contact.remove("created").as_ref()).unwrap_or(now).rfc3339();
    let addresses = each(contact.remove("emails")).into_iter().filter_map(address_of).collect();
    let joined = WholeStep { time: now.rfc3339(), from: None, way: "command".to_owned() };
    let lists = each(contact.remove("lists"));
    let memberships = lists.into_iter().filter_map(|list| membership_of(list, &joined)).collect();
    let (mut fields, mut strange) = (BTreeMap::new(), Vec::new());
    for (name, value) in contact {
        match value {
            Value::Null => {}
            Value::Array(_) | Value::Object(_) => strange.push(name),
            value => drop(fields.insert(name, text_of(value))),
        }
    }
    let whole = WholeContact {
        ccid,
        firstname,
        surname,
        notes,
        created,
        fields,
        addresses,
        memberships,
        ..WholeContact::default()
    };
    Person { whole, strange }
}

/// The values of an array; a value of another kind is the only one.
fn each(value: Option<Value>) -> Vec<Value> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(values)) => values,
        Some(value) => vec![value],
    }
}

fn address_of(value: Value) -> Option<WholeAddress> {
    let address = |email: String, object: &Object| WholeAddress {
        email,
        digest: is_true(object.get("digest")),
        paused: is_true(object.get("paused")),
        paused_until: None,
        confirmed: is_true(object.get("confirmed")),
        ceid: object.get("ceid").cloned().map(text_of).filter(|ceid| !ceid.is_empty()),
        bounces: None,
    };
    match value {
        Value::String(email) => Some(address(email, &Map::new())),
        Value::Object(object) => {
            // The document does not show the name of the field.
            let email = object.get("email").or_else(|| object.get("address"))?.as_str()?.to_owned();
            Some(address(email, &object))
        }
        _ => None,
    }
}

fn membership_of(value: Value, joined: &WholeStep) -> Option<WholeMembership> {
    let joined = joined.clone();
    match value {
        Value::String(list) => Some(WholeMembership { list, digest: None, paused: false, joined }),
        Value::Object(object) => Some(WholeMembership {
            list: object.get("list").or_else(|| object.get("name"))?.as_str()?.to_owned(),
            digest: object
                .get("digest")
                .filter(|digest| !digest.is_null())
                .map(|digest| is_true(Some(digest))),
            paused: is_true(object.get("paused")),
            joined,
        }),
        _ => None,
    }
}

/// Whether a value stands for true, by the API's rule for booleans.
#[must_use]
pub fn is_true(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(value)) => *value,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => {
            !["", "0", "false", "no", "off"].contains(&text.to_ascii_lowercase().as_str())
        }
        Some(Value::Array(_) | Value::Object(_)) => true,
    }
}

/// A value as text; null is blank.
#[must_use]
pub fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

/// A time as servers write it: RFC 3339, with a space in place of the T and in UTC if it says no more, or in seconds
/// since 1970.
#[must_use]
pub fn time_of(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::Number(seconds) => seconds.as_i64()?.checked_mul(1000).map(Timestamp::from_ms),
        Value::String(text) => Timestamp::parse_rfc3339(text)
            .or_else(|| Timestamp::parse_rfc3339(&format!("{}Z", text.trim().replacen(' ', "T", 1))))
            .or_else(|| text.parse::<i64>().ok()?.checked_mul(1000).map(Timestamp::from_ms)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(contact: Value) -> Person {
        let Value::Object(contact) = contact else { panic!("no object") };
        person_of(contact, Timestamp::from_ms(1_000_000_000_000))
    }

    #[test]
    fn other_members_are_custom_fields() {
        let Person { whole, strange } = read(
            json!({"id": 1, "description": "x", "town": "Bern", "age": 7, "tags": ["a"], "unset": null}),
        );
        let fields: Vec<(&str, &str)> =
            whole.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(fields, [("age", "7"), ("town", "Bern")]);
        assert_eq!(strange, ["tags"]);
    }

    #[test]
    fn addresses_and_lists_are_objects_or_texts() {
        let whole = read(json!({
            "emails": [{"email": "a@x.org", "paused": true, "confirmed": 1}, {"address": "b@x.org", "digest": "1"}, "c@x.org"],
            "lists": [{"list": "club", "digest": 0, "paused": true}, "news"],
        }))
        .whole;
        let addresses: Vec<(&str, bool, bool, bool)> = whole
            .addresses
            .iter()
            .map(|it| (it.email.as_str(), it.digest, it.paused, it.confirmed))
            .collect();
        assert_eq!(
            addresses,
            [
                ("a@x.org", false, true, true),
                ("b@x.org", true, false, false),
                ("c@x.org", false, false, false)
            ]
        );
        let lists: Vec<(&str, Option<bool>, bool)> =
            whole.memberships.iter().map(|it| (it.list.as_str(), it.digest, it.paused)).collect();
        assert_eq!(lists, [("club", Some(false), true), ("news", None, false)]);
    }

    #[track_caller]
    fn check_time(value: &Value, expected: Option<&str>) {
        assert_eq!(time_of(Some(value)).map(Timestamp::rfc3339).as_deref(), expected);
    }

    #[test]
    fn times_are_read_in_several_forms() {
        check_time(&json!("2026-11-20T15:04:05Z"), Some("2026-11-20T15:04:05Z"));
        check_time(&json!("2026-11-20 15:04:05"), Some("2026-11-20T15:04:05Z"));
        check_time(&json!(1_000_000_000), Some("2001-09-09T01:46:40Z"));
        check_time(&json!("1000000000"), Some("2001-09-09T01:46:40Z"));
        check_time(&json!("soon"), None);
        check_time(&json!(i64::MAX), None);
    }
}
