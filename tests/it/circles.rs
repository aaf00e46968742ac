//! That no files of a folder need one another in a circle: each can be read with those below it alone. Every folder of
//! `src` is watched. Circles that are not opened yet are named ([`KNOWN`]) with the reason, so that none grows and none
//! comes; one that was opened is taken off.
//!
//! What a file names is read off its text: the paths of `use`, the paths that begin with `crate`, `super` or
//! `self`, and those that begin with a module below it. What a module hands on with `pub use` counts as the file
//! that it comes from, so that the head of a folder may show what stands below it. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{code, product, sources};

/// The circles that are not opened yet: the files of each, and the reason.
const KNOWN: &[(&[&str], &str)] = &[
    (
        &["migrate", "migrate::sharing", "migrate::upgrade"],
        "The head of the folder has what its files share, and calls them.",
    ),
    (
        &["ops::accounts::admins::invite", "ops::accounts::sign_in::lockout"],
        "A link to choose a password ends a lock, and a lock is told by a mail with such a link.",
    ),
    (
        &[
            "ops::accounts::admins::manage",
            "ops::accounts::factors",
            "ops::accounts::providers",
            "ops::accounts::sign_in",
        ],
        "Signing in asks factors and providers, whose changes are changes of the administrator.",
    ),
    (
        &[
            "ops::archive::indexing",
            "ops::archive::kept_months",
            "ops::archive::messages",
            "ops::archive::placing",
            "ops::archive::reindexing",
            "ops::archive::shown",
        ],
        "Publishing a message indexes it, and indexing reads messages as they are published.",
    ),
    (
        &["ops::delivery::bounces", "ops::delivery::outbound"],
        "A refusal at once is counted as a bounce, and a probe that bounces is sent.",
    ),
    (
        &["ops::lists", "ops::lists::pending"],
        "A list that needs approval is a request, and a request that is decided makes or deletes the list.",
    ),
    (
        &[
            "ops::moderation",
            "ops::moderation::moderation_digests",
            "ops::moderation::notices",
            "ops::moderation::quarantine",
            "ops::moderation::requests",
        ],
        "A decision tells moderators and senders, and what they are told is about decisions.",
    ),
    (
        &["ops::oauth::clients", "ops::oauth::grants", "ops::oauth::request"],
        "Deleting an application ends its grants, and a request is of an application.",
    ),
    (
        &[
            "ops::people::contact_search",
            "ops::people::contacts",
            "ops::people::emails",
            "ops::people::memberships",
            "ops::people::opt_outs",
            "ops::people::requests",
            "ops::people::requests::asking",
            "ops::people::requests::carry_out",
            "ops::people::subscribe",
        ],
        "Contacts, addresses, memberships and requests are deleted with one another, in one job.",
    ),
    (
        &["schema", "schema::digests", "schema::events"],
        "A change of a record notes what digests and events have to know, in the same declaration.",
    ),
    (
        &[
            "store",
            "store::copy",
            "store::disk",
            "store::entity",
            "store::fault",
            "store::preallocate",
            "store::staged",
            "store::tx::read",
            "store::tx::write",
            "store::writer",
        ],
        "The store, its writer, its disk and its transactions share their types; `store` is one unit with one interface.",
    ),
    (
        &["store::blob", "store::error", "store::tx", "store::tx::place"],
        "A blob that is missing is an error of the store, which names the blob.",
    ),
];
/// How often what is handed on is followed.
const HOPS_MAX: usize = 5;

/// Each file's module, such as `api::held`, with its code.
type Modules = BTreeMap<String, String>;

/// The module of a file of `src`; none for the roots of the crate.
fn module_of(path: &str) -> Option<String> {
    let path = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    (!matches!(path, "lib" | "main") && !path.ends_with("/tests")).then(|| path.replace('/', "::"))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The trees of the `use` declarations of a file, and whether each is handed on; and the code without them.
fn uses(code: &str) -> (Vec<(String, bool)>, String) {
    let (mut found, mut others) = (Vec::new(), String::new());
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let (before, declared) = rest.split_at(at + 4);
        let line = before[..at].rsplit('\n').next().unwrap_or_default().trim();
        let (tree, after) = declared.split_once(';').unwrap_or_default();
        let is_use = line.is_empty() || (line.starts_with("pub") && !line.contains(' '));
        others.push_str(before);
        if is_use && tree.chars().all(|c| is_word(c) || ":{}, \n*".contains(c)) {
            found.push((tree.split_whitespace().collect::<Vec<_>>().join(" "), line.starts_with("pub")));
            rest = after;
        } else {
            rest = declared;
        }
    }
    others.push_str(rest);
    (found, others)
}

/// The paths of a tree: of `a::{b, c::d}` they are `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<String> {
    let Some((head, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return vec![path.trim_end_matches("::self").to_owned()];
    };
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| paths(&format!("{}{}", head.trim(), part.trim()))).collect()
}

/// The paths in the code of a file that begin with one of these words.
fn named(code: &str, begins: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|c| !is_word(c)).map_or(0, |before| before + 1);
        if code[..start].ends_with("::") || !begins.iter().any(|word| *word == code[start..at]) {
            continue;
        }
        let end = code[at..].find(|c| !is_word(c) && c != ':').map_or(code.len(), |end| at + end);
        found.push(code[start..end].trim_end_matches(':').to_owned());
    }
    found
}

/// A path from the root of the crate; none for one that leads elsewhere.
fn absolute(module: &str, path: &str, below: &[String]) -> Option<String> {
    let mut base: Vec<&str> = module.split("::").collect();
    let mut segments: Vec<&str> = path.split("::").collect();
    match segments[0] {
        "crate" => base.clear(),
        "super" | "self" => {}
        first if below.iter().any(|word| word == first) => {
            base.extend(segments);
            return Some(base.join("::"));
        }
        _ => return None,
    }
    while segments.first().is_some_and(|first| matches!(*first, "crate" | "super" | "self")) {
        if segments.remove(0) == "super" {
            base.pop();
        }
    }
    base.extend(segments);
    Some(base.join("::"))
}

/// The file that a path leads to.
fn resolve(
    path: &str,
    modules: &Modules,
    handed_on: &BTreeMap<String, String>,
    hops: usize,
) -> Option<String> {
    if let Some(onward) = handed_on.get(path).filter(|_| hops < HOPS_MAX) {
        return resolve(onward, modules, handed_on, hops + 1);
    }
    if modules.contains_key(path) {
        return Some(path.to_owned());
    }
    resolve(path.rsplit_once("::")?.0, modules, handed_on, hops)
}

/// The code without the paths of `pub(in …)`: who may see something is no need of it.
fn without_visibility(code: &str) -> String {
    let mut parts = code.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        before + "pub " + part.split_once(')').map_or(part, |(_, rest)| rest.trim_start())
    })
}

/// Which files each file names.
fn edges(modules: &Modules) -> BTreeMap<&str, BTreeSet<String>> {
    let mut handed_on = BTreeMap::new();
    let mut names = Vec::new();
    for (module, code) in modules {
        let prefix = format!("{module}::");
        let below = modules.keys().filter_map(|name| name.strip_prefix(&prefix));
        let below: Vec<String> = below.filter(|name| !name.contains("::")).map(str::to_owned).collect();
        let mut begins = below.clone();
        begins.extend(["crate", "super", "self"].map(str::to_owned));
        let (uses, others) = uses(code);
        let mut all = named(&others, &begins);
        for (tree, is_handed_on) in uses {
            for path in paths(&tree) {
                let Some(absolute) = absolute(module, &path, &below).filter(|_| is_handed_on) else {
                    all.push(path);
                    continue;
                };
                let name = path.rsplit("::").next().unwrap_or_default();
                handed_on.insert(format!("{module}::{name}"), absolute);
            }
        }
        let all = all.into_iter().filter_map(|path| absolute(module, &path, &below));
        names.push((module.as_str(), all.collect::<Vec<_>>()));
    }
    let resolved = names.into_iter().map(|(module, paths)| {
        let files = paths.iter().filter_map(|path| resolve(path, modules, &handed_on, 0));
        (module, files.filter(|file| file != module).collect())
    });
    resolved.collect()
}

/// Everything that a file needs, directly or not, within its folder.
fn needs<'a>(from: &str, edges: &'a BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let folder = from.split("::").next();
    let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(file) = next.pop() {
        for needed in edges.get(file).into_iter().flatten().filter(|file| file.split("::").next() == folder) {
            if seen.insert(needed.as_str()) {
                next.push(needed);
            }
        }
    }
    seen
}

/// The circles among files: each circle's files, in order.
fn circles<'a>(edges: &'a BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<Vec<&'a str>> {
    let needed: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|file| (*file, needs(file, edges))).collect();
    let in_circle = needed.iter().filter(|(file, needs)| needs.contains(**file));
    let circle = in_circle.map(|(file, needs)| {
        needs.iter().copied().filter(|other| needed[other].contains(file)).collect::<Vec<_>>()
    });
    circle.collect()
}

/// A circle in words: which of its files each of them names.
fn told(circle: &[&str], edges: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let names = |file: &&str| {
        let named = edges[*file].iter().filter(|named| circle.contains(&named.as_str()));
        format!("{file} names {}", named.map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    circle.iter().map(names).collect()
}

#[test]
fn no_files_of_a_folder_need_one_another() {
    let found = sources().into_iter().filter_map(|(path, text)| {
        let code = code(&text);
        Some((module_of(&path)?, without_visibility(product(&path, &code))))
    });
    let modules: Modules = found.collect();
    assert!(500 < modules.len(), "the files were not found");
    let edges = edges(&modules);
    let circles = circles(&edges);
    let known: BTreeSet<Vec<&str>> = KNOWN.iter().map(|(files, _)| files.to_vec()).collect();
    let new = circles.difference(&known).flat_map(|circle| told(circle, &edges));
    let new = new.collect::<Vec<_>>();
    assert!(new.is_empty(), "files in circles that are not known:\n{}\n", new.join("\n"));
    let gone: Vec<_> = known.difference(&circles).collect();
    assert!(gone.is_empty(), "circles that were opened, to be taken off the list:\n{gone:#?}");
    assert!(KNOWN.iter().all(|(_, reason)| !reason.is_empty()), "each has a reason");
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let modules = files.iter().map(|(module, code)| ((*module).to_owned(), (*code).to_owned())).collect();
    let edges = edges(&modules);
    let told: Vec<String> = circles(&edges).iter().flat_map(|circle| told(circle, &edges)).collect();
    assert_eq!(told, expected);
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    check(&[("a", ""), ("a::b", "use super::c::X;"), ("a::c", "fn f() {}")], &[]);
    check(
        &[("a", ""), ("a::b", "use super::{c::{self, X}, d};"), ("a::c", "fn f() { super::b::g() }")],
        &["a::b names a::c", "a::c names a::b"],
    );
    check(&[("a", "fn f() { b::g() }"), ("a::b", "use crate::a::f;")], &["a names a::b", "a::b names a"]);
    // What the head of a folder hands on is no part of it.
    check(&[("a", "pub use b::X;"), ("a::b", "pub struct X;"), ("a::c", "use super::X;")], &[]);
    check(
        &[("a", "pub use c::X;"), ("a::b", "use super::X;"), ("a::c", "use super::b::Y;")],
        &["a::b names a::c", "a::c names a::b"],
    );
}
