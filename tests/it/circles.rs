//! That no files of a folder need one another in a circle: each can be read with those below it alone.
//!
//! What a file names is read off its text: the paths of `use`, the paths that begin with `crate`, `super` or
//! `self`, and those that begin with a module below it. What a module hands on with `pub use` counts as the file
//! that it comes from, so that the head of a folder may show what stands below it. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{code, product, sources};

/// The folders of `src` whose files stand in layers.
const FOLDERS: [&str; 5] = ["api", "control", "jobs", "net", "smtp"];
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

/// The files of folders that need themselves, each with those of its circle that it names.
fn circles(modules: &Modules) -> Vec<String> {
    let edges = edges(modules);
    let in_circle = |file: &&&str| needs(file, &edges).contains(**file);
    let told = edges.keys().filter(in_circle).map(|file| {
        let back = edges[file].iter().filter(|needed| needs(needed, &edges).contains(file));
        format!("{file} names {}", back.map(String::as_str).collect::<Vec<_>>().join(", "))
    });
    told.collect()
}

#[test]
fn no_files_of_a_folder_need_one_another() {
    for folder in FOLDERS {
        let of_folder = |path: &str| {
            module_of(path).filter(|module| module.split("::").next().is_some_and(|first| first == folder))
        };
        let found = sources().into_iter().filter_map(|(path, text)| {
            let code = code(&text);
            Some((of_folder(&path)?, product(&path, &code).to_owned()))
        });
        let modules: Modules = found.collect();
        assert!(5 < modules.len(), "the files of {folder} were not found");
        let circles = circles(&modules);
        assert!(circles.is_empty(), "\n{}\n", circles.join("\n"));
    }
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let modules = files.iter().map(|(module, code)| ((*module).to_owned(), (*code).to_owned())).collect();
    assert_eq!(circles(&modules), expected);
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
