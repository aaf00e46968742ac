//! The rules of the repository that no compiler checks: which layer may name which, what only one module may
//! touch, and how long a file may get.

use std::path::{Path, PathBuf};

/// Lines that a file may have.
const FILE_LINES_MAX: usize = 700;

/// The layers, lowest first, and what each may name with `crate::`. A new edge is a reviewed change of this table.
const LAYERS: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("secret", &[]),
    ("log_id", &[]),
    ("shares", &[]),
    ("metrics", &[]),
    ("config", &["clock", "model"]),
    ("model", &["clock"]),
    ("store", &[]),
    ("schema", &["store", "model", "clock"]),
    ("migrate", &["schema", "store", "model", "secret", "clock"]),
    ("backup", &["migrate", "schema", "store", "model", "clock", "secret"]),
    ("locale", &["model", "clock"]),
    ("mail", &["model", "clock", "locale"]),
    ("net", &["mail", "model", "clock", "config"]),
    ("oidc", &["net", "clock", "secret", "config"]),
    ("ops", &["oidc", "locale", "schema", "store", "model", "mail", "metrics", "clock", "secret", "config"]),
    (
        "service",
        &[
            "ops", "oidc", "net", "schema", "store", "model", "mail", "metrics", "clock", "secret", "config",
            "shares",
        ],
    ),
    ("smtp", &["net", "service", "ops", "mail", "metrics", "model", "clock", "config", "log_id"]),
    ("s3", &["backup", "net", "config", "clock", "secret"]),
    (
        "jobs",
        &["service", "ops", "net", "smtp", "mail", "metrics", "model", "store", "clock", "secret", "config"],
    ),
    ("http", &["metrics", "config", "model", "log_id", "shares"]),
    ("params", &["http", "service", "ops", "mail", "model", "store", "clock"]),
    ("sources", &["params", "mail", "model", "clock"]),
    ("api", &["params", "http", "net", "service", "ops", "mail", "model", "store", "clock", "secret"]),
    (
        "web",
        &[
            "oidc", "net", "locale", "params", "http", "service", "ops", "mail", "model", "store", "clock",
            "secret",
        ],
    ),
    (
        "control",
        &[
            "backup", "s3", "api", "params", "service", "ops", "schema", "store", "model", "mail", "config",
            "clock", "secret", "net",
        ],
    ),
    ("remote", &["sources", "ops", "net", "config", "clock"]),
    ("acme", &["service", "ops", "net", "store", "secret", "config", "clock"]),
    (
        "app",
        &[
            "backup", "s3", "acme", "net", "oidc", "control", "api", "web", "params", "http", "jobs", "smtp",
            "service", "ops", "mail", "metrics", "migrate", "schema", "store", "model", "config", "clock",
            "secret",
        ],
    ),
    (
        "cli",
        &[
            "app", "backup", "s3", "control", "api", "locale", "web", "http", "jobs", "smtp", "service",
            "ops", "mail", "migrate", "schema", "store", "model", "config", "clock", "secret", "remote",
            "sources",
        ],
    ),
    ("lib", &[]),
    ("main", &["cli"]),
];

/// The rooms of `src/ops`, lowest first. A room may name those before it and none behind it, so that there are no
/// circles between them.
const ROOMS: &[&str] = &[
    // Values and counts that all others share.
    "paging",
    "problems",
    "limits",
    "authority",
    "events",
    "audit",
    "overdue",
    "allowances",
    "by_contact",
    "metric_labels",
    "patterns",
    "locales",
    "decisions",
    // What a room is named after.
    "domains",
    "context",
    "sessions",
    "oauth",
    "queue",
    "search",
    "notices",
    "people",
    "archive",
    "accounts",
    "webhooks",
    "lists",
    "undo",
    "moderation",
    "delivery",
    "digests",
    "server",
    "posting",
];

/// What the head of `ops` hands on of its rooms.
const HANDED_ON: &[(&str, &str)] =
    &[("Caller", "authority"), ("OpContext", "context"), ("Problems", "problems")];

/// Words that stand nowhere in `ops`, as words of their own: an operation waits for nothing and for nobody.
const NOT_IN_OPS: &[&str] = &["async", "await", "tokio", "Core"];

/// Words that stand in the named modules of `src` alone.
const CONFINED: &[(&str, &[&str], &str)] = &[
    ("SystemTime", &["clock"], "only `clock` reads time"),
    ("Timestamp::now", &["clock"], "only `clock` reads time"),
    ("Zoned::now", &["clock"], "only `clock` reads time"),
    (
        "Instant::now",
        &["clock", "net", "smtp", "jobs", "http", "store", "cli"],
        "only work that waits for others is measured",
    ),
    ("SystemRandom", &["secret"], "only `secret` reads randomness"),
    ("redb::", &["store"], "only `store` knows the data file"),
    (
        "serde_json",
        &["api", "params", "http", "control", "cli", "oidc", "acme", "sources", "remote"],
        "only `api`, its parameters, providers' answers, accounts at them, lists of other servers and the operator's \
         commands know JSON",
    ),
    ("askama", &["web", "cli"], "only `web`, and the demo's page of mail, know HTML"),
    ("ammonia", &["web"], "only `web` cleans HTML"),
    ("mail_send", &["smtp"], "only `smtp` speaks to mail servers"),
];

/// Layers whose every change somebody makes, so that it goes through `Core::perform`, which has it in the audit log.
const AUDITED: &[&str] = &["api", "web", "control"];

/// Words that stand nowhere.
const BANNED: &[(&str, &str)] = &[
    ("[allow(", "`#[expect(lint, reason)]` says why, and ends when its reason does"),
    ("TODO", "what is not done belongs into an issue"),
    ("FIXME", "what is not done belongs into an issue"),
    ("unimplemented!", "no stubs"),
];

/// Words that stand in no test.
const BANNED_IN_TESTS: &[(&str, &str)] = &[
    ("sleep(", "a test waits for what it waits for, not for time"),
    ("SystemTime", "time in tests is moved by hand"),
];

/// Every source file of the repository, by its path from the root.
pub(crate) fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> =
        ["src", "tests", "benches"].iter().map(|folder| root.join(folder)).collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).expect("below the root").display().to_string();
                sources.push((name, std::fs::read_to_string(&path).expect("sources are UTF-8")));
            }
        }
    }
    sources
}

/// The module of `src` that a file belongs to: `src/ops/lists.rs` to `ops`.
fn module(path: &str) -> Option<&str> {
    let path = path.strip_prefix("src/")?;
    Some(path.split('/').next().unwrap_or(path).trim_end_matches(".rs"))
}

/// The modules that a line names: of `use crate::{a::b, c}` it is `a` and `c`.
fn named<'text>(text: &'text str, root: &str) -> Vec<&'text str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (start, _) in text.match_indices(root) {
        if text[..start].ends_with(is_word) {
            continue;
        }
        let rest = &text[start + root.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(rest.split(|c| !is_word(c)).next().unwrap_or_default());
            continue;
        };
        let mut depth = 0;
        let mut at_name = true;
        for (at, c) in group.char_indices() {
            match c {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' => at_name |= depth == 0,
                c if at_name && is_word(c) => {
                    names.push(group[at..].split(|c| !is_word(c)).next().unwrap_or_default());
                    at_name = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// The text without its comments: words about other modules are free.
pub(crate) fn code(text: &str) -> String {
    let lines = text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// The code of a file of `src` without its tests, which may use what is above them.
pub(crate) fn product<'code>(path: &str, code: &'code str) -> &'code str {
    let tests = if path.ends_with("/tests.rs") { Some(0) } else { code.find("#[cfg(test)]\nmod tests {") };
    &code[..tests.unwrap_or(code.len())]
}

/// Words of a file of `ops` by which it would wait.
fn waits(path: &str, module: &str, product: &str) -> Vec<String> {
    if module != "ops" {
        return Vec::new();
    }
    let words: Vec<&str> = product.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let found = NOT_IN_OPS.iter().filter(|word| words.contains(*word));
    found.map(|word| format!("{path}: {word}: what waits is a procedure of `service`")).collect()
}

/// A file of `web` by which a page would look records up itself: all look-ups are methods of the trait [`Read`].
///
/// [`Read`]: crier::store::Read
fn looks_up(path: &str, module: &str, product: &str) -> Option<String> {
    let is_wrong = module == "web" && named(product, "crate::store::").contains(&"Read");
    is_wrong.then(|| format!("{path}: Read: a function of `ops` gives what a page shows"))
}

/// What is wrong with the rooms of `ops` that a file of one of them names.
fn room_problems(path: &str, product: &str) -> Vec<String> {
    let Some(room) = path.strip_prefix("src/ops/").and_then(|path| path.split(['/', '.']).next()) else {
        return Vec::new();
    };
    if room == "mod" {
        return Vec::new();
    }
    let place_of = |name: &str| ROOMS.iter().position(|room| *room == name);
    let Some(place) = place_of(room) else {
        return vec![format!("{path}: the room {room} is not in the list")];
    };
    let mut names = named(product, "crate::ops::");
    if path.strip_prefix("src/ops/").is_some_and(|path| !path.contains('/') || path.ends_with("/mod.rs")) {
        names.extend(named(product, "super::"));
    }
    let room_of = |name| HANDED_ON.iter().find(|(shown, _)| *shown == name).map_or(name, |(_, room)| *room);
    let names = names.into_iter().map(room_of);
    let wrong = names.filter(|name| place_of(name).is_some_and(|other| place < other));
    wrong.map(|name| format!("{path}: the room {room} may not name {name}")).collect()
}

/// Writes of a file that the audit log would not have.
fn unaudited(path: &str, module: &str, product: &str) -> Vec<String> {
    if !AUDITED.contains(&module) {
        return Vec::new();
    }
    let squeezed: String = product.split_whitespace().collect();
    let writes = ["store.write", "store.submit"].into_iter().filter(|write| squeezed.contains(write));
    writes.map(|write| format!("{path}: {write}: a change goes through `Core::perform`")).collect()
}

/// Everything that is wrong with one file.
fn problems(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let code = code(text);
    let lines = text.lines().count();
    if FILE_LINES_MAX < lines {
        problems.push(format!("{path}: {lines} lines; make it a folder"));
    }
    if !text.starts_with("//!") {
        problems.push(format!("{path}: begins without saying what it is for"));
    }
    let mut banned: Vec<(&str, &str)> = BANNED.to_vec();
    if let Some(module) = module(path) {
        let root = if module == "main" { "crier::" } else { "crate::" };
        let product = product(path, &code);
        match LAYERS.iter().find(|(layer, _)| *layer == module) {
            None => problems.push(format!("{path}: the layer {module} is not in the table")),
            Some((_, may)) => {
                let names = named(product, root).into_iter();
                let wrong = names.filter(|name| *name != module && !may.contains(name));
                problems.extend(wrong.map(|name| format!("{path}: {module} may not name {name}")));
            }
        }
        problems.extend(room_problems(path, product));
        problems.extend(waits(path, module, product));
        problems.extend(looks_up(path, module, product));
        problems.extend(unaudited(path, module, product));
        let confined = CONFINED.iter().filter(|(_, modules, _)| !modules.contains(&module));
        let found = confined.filter(|(word, _, _)| product.contains(word));
        problems.extend(found.map(|(word, _, why)| format!("{path}: {word}: {why}")));
        let tests = &code[product.len()..];
        let found = BANNED_IN_TESTS.iter().filter(|(word, _)| tests.contains(word));
        problems.extend(found.map(|(word, why)| format!("{path}: {word}: {why}")));
    } else if path.starts_with("tests/") {
        banned.extend(BANNED_IN_TESTS);
    }
    let found = banned.into_iter().filter(|(word, _)| code.contains(word));
    problems.extend(found.map(|(word, why)| format!("{path}: {word}: {why}")));
    problems
}

#[test]
fn every_file_keeps_the_rules() {
    let sources = sources();
    assert!(10 < sources.len(), "the sources were not found");
    // This file spells out what it bans.
    let sources = sources.iter().filter(|(path, _)| path != "tests/it/tidy.rs");
    let problems: Vec<String> = sources.flat_map(|(path, text)| problems(path, text)).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(problems(path, &format!("//! Doc.\n{text}\n")), expected);
}

#[test]
fn an_edge_that_is_not_in_the_table_is_found() {
    check("src/ops/lists.rs", "use crate::store::Store;\nuse crate::ops::OpError;", &[]);
    check(
        "src/model/list.rs",
        "use crate::{clock::{self, Clock}, store, ops::X};",
        &["src/model/list.rs: model may not name store", "src/model/list.rs: model may not name ops"],
    );
    check("src/api/mod.rs", "fn f() { crate::web::g() }", &["src/api/mod.rs: api may not name web"]);
    check("src/extra.rs", "", &["src/extra.rs: the layer extra is not in the table"]);
    check("src/model/list.rs", "#[cfg(test)]\nmod tests {\n    use crate::store;\n}", &[]);
    check("src/ops/posting/inbound.rs", "use crate::ops::people::contacts;", &[]);
    check(
        "src/ops/people/contacts.rs",
        "use crate::ops::{OpError, people::emails, posting::inbound};",
        &["src/ops/people/contacts.rs: the room people may not name posting"],
    );
    check(
        "src/ops/domains/links.rs",
        "use crate::ops::{Caller, OpContext};",
        &["src/ops/domains/links.rs: the room domains may not name context"],
    );
    check("src/ops/queue.rs", "use super::lists;", &["src/ops/queue.rs: the room queue may not name lists"]);
    check("src/ops/extra.rs", "", &["src/ops/extra.rs: the room extra is not in the list"]);
    check("src/main.rs", "use crier::store;", &["src/main.rs: main may not name store"]);
}

#[test]
fn an_operation_that_waits_is_found() {
    check("src/ops/lists.rs", "fn f(core_of: u8, awaited: u8) {}", &[]);
    check(
        "src/ops/lists.rs",
        "use crate::service::Core;",
        &[
            "src/ops/lists.rs: ops may not name service",
            "src/ops/lists.rs: Core: what waits is a procedure of `service`",
        ],
    );
    check(
        "src/ops/lists.rs",
        "async fn f() { tokio::task::yield_now().await }",
        &[
            "src/ops/lists.rs: async: what waits is a procedure of `service`",
            "src/ops/lists.rs: await: what waits is a procedure of `service`",
            "src/ops/lists.rs: tokio: what waits is a procedure of `service`",
        ],
    );
    check("src/service/core.rs", "async fn f() {}", &[]);
}

#[test]
fn a_page_that_looks_a_record_up_is_found() {
    check("src/web/lists.rs", "use crate::store::{ReadTx, Store};", &[]);
    check("src/api/lists.rs", "use crate::store::Read as _;", &[]);
    for line in ["use crate::store::{Read as _, ReadTx};", "use crate::store::Read;"] {
        check(
            "src/web/lists.rs",
            line,
            &["src/web/lists.rs: Read: a function of `ops` gives what a page shows"],
        );
    }
}

#[test]
fn a_write_that_the_audit_log_would_not_have_is_found() {
    check("src/api/lists.rs", "core.perform(&caller, move |tx, by| f(tx))", &[]);
    check("src/ops/lists.rs", "core.store.write(job)", &[]);
    check(
        "src/web/members.rs",
        "core\n    .store\n    .write_reserved(job)",
        &["src/web/members.rs: store.write: a change goes through `Core::perform`"],
    );
}

#[test]
fn a_word_outside_its_module_is_found_unless_in_a_comment() {
    check("src/clock.rs", "use std::time::SystemTime;", &[]);
    check(
        "src/smtp/receive/listener/tests.rs",
        "sleep(second)",
        &["src/smtp/receive/listener/tests.rs: sleep(: a test waits for what it waits for, not for time"],
    );
    check("src/ops/mod.rs", "/// Never `SystemTime`.\nfn f() {}", &[]);
    check("src/ops/mod.rs", "SystemTime::now()", &["src/ops/mod.rs: SystemTime: only `clock` reads time"]);
    check(
        "tests/it/api.rs",
        "sleep(second)",
        &["tests/it/api.rs: sleep(: a test waits for what it waits for, not for time"],
    );
    assert_eq!(problems("src/clock.rs", "fn f() {}"), ["src/clock.rs: begins without saying what it is for"]);
}
