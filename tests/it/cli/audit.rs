//! `crier audit`, and what it has of the operator's commands.

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told};
use super::{crier, text};

/// The newest entry of an account's log, or of the server's.
fn newest(data: &str, scope: &str) -> Value {
    shown(data, &format!("audit --limit 1 {scope}"))["data"][0].clone()
}

/// Has a command noted as the operator's, once, as this action.
#[track_caller]
fn noted(data: &str, line: &str, scope: &str, action: &str, detail: &str) {
    let count = || shown(data, &format!("audit {scope}"))["count"].as_u64().unwrap();
    let before = count();
    told(data, line);
    assert!(before < count(), "{line}");
    let entry = newest(data, scope);
    assert_eq!((&entry["action"], &entry["via"]), (&json!(action), &json!("command")), "{line}: {entry}");
    assert_eq!(entry["actor"], json!({"kind": "operator", "id": null, "name": "operator"}), "{line}");
    assert_eq!((&entry["detail"], &entry["client"]), (&json!(detail), &Value::Null), "{line}");
}

#[test]
fn commands_that_change_something_are_in_the_log_as_the_operators() {
    on_both(|data| {
        let first = shown(data, "audit --global");
        assert_eq!(first["data"][0]["action"], "account.created", "{first}");
        assert_eq!(newest(data, "")["detail"], "setup");
        noted(data, "list create news", "", "list.created", "");
        noted(data, "list set news --description News", "", "list.updated", "description");
        noted(data, "contact create ada@example.org", "", "contact.created", "");
        noted(data, "member add news ada@example.org", "", "membership.created", "news");
        noted(data, "member remove news ada@example.org --yes", "", "membership.deleted", "news");
        noted(data, "key create --description Website", "", "admin.updated", "key");
        noted(data, "field add Team", "", "field.created", "");
        noted(data, "field set Team --rename Club", "", "field.updated", "");
        noted(data, "field delete Club --yes", "", "field.deleted", "");
        noted(data, "domain add club.example.org", "", "account.updated", "domains");
        noted(data, "domain delete club.example.org --yes", "", "account.updated", "domains");
        noted(data, "dkim rotate --domain lists.example.org", "", "domain.updated", "new keys");
        noted(
            data,
            "dkim rotate --domain lists.example.org --activate",
            "",
            "domain.updated",
            "signs with new keys",
        );
        noted(data, "links rotate", "--global", "server.updated", "link secret");
        let account = "account create club --domain club.example.org --admin head@example.org";
        noted(data, account, "--global", "account.created", "");
        noted(data, "account delete club --yes", "--global", "account.deleted", "");
        noted(data, "list delete news --yes", "", "list.deleted", "");
    });
}

#[test]
fn an_import_is_one_entry_with_its_counts_and_a_rehearsal_none() {
    on_both(|data| {
        let rows = std::path::Path::new(data).join("rows.csv");
        std::fs::write(&rows, "email\nada@example.org\nbob@example.org\nnobody\n").unwrap();
        let import = |flags: &[&str]| {
            let file = rows.to_str().unwrap();
            let command = [&["import", "contacts", file, "--data", data], flags].concat();
            text(&crier(&command).output().unwrap().stderr)
        };
        import(&["--dry-run"]);
        assert_eq!(shown(data, "audit")["count"], 1, "setup alone");
        let told = import(&[]);
        let log = shown(data, "audit --action contact.imported");
        assert_eq!(log["count"], 1, "{log} {told}");
        assert_eq!(log["data"][0]["detail"], "2 made, 0 changed, 0 skipped, 1 refused", "{log}");
    });
}

#[test]
fn the_log_is_a_table_that_filters_narrow() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "contact create ada@example.org");
        let table = told(data, "audit");
        assert!(table.starts_with("TIME"), "{table}");
        assert!(table.contains("operator  command") && table.contains("list.created"), "{table}");
        assert!(table.contains("contact 1 ada@example.org"), "{table}");
        let lists = told(data, "audit --object list");
        assert!(lists.contains("list.created") && !lists.contains("contact.created"), "{lists}");
        assert!(told(data, "audit --since 2099-01-01T00:00:00Z").contains("The log has no such entries"));
        for since in ["yesterday", "2d", "2026-11-20", "today"] {
            let filtered = told(data, &format!("audit --since {since}"));
            assert!(filtered.contains("list.created"), "{since}: {filtered}");
        }
        assert!(told(data, "audit --before yesterday").contains("The log has no such entries"));
        refused(data, "audit --since later", (2, "--since \"later\" must be a day such as 2026-11-20"));
        refused(data, "audit --object-id 3", (1, "object is needed beside object_id"));
        refused(data, "audit --action list.made", (1, "action must be one of"));
    });
}
