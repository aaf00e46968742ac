//! The licences of everything that is built in are on the list of `packaging/deny.toml`.

use std::process::Command;

use serde_json::Value;

const DENY: &str = include_str!("../../packaging/deny.toml");

/// The licences of the list, as SPDX names them.
fn allowed() -> Vec<&'static str> {
    let (_, list) = DENY.split_once("allow = [").expect("deny.toml has the list");
    let (list, _) = list.split_once(']').expect("the list has an end");
    list.split('"').skip(1).step_by(2).collect()
}

/// The licences that the list allows this package alone, beside those that all may have.
fn exceptions(package: &str) -> Vec<&'static str> {
    let (_, list) = DENY.split_once("exceptions = [").expect("deny.toml has exceptions");
    let (list, _) = list.split_once("\n]").expect("the exceptions have an end");
    let rows = list.lines().filter(|row| row.contains(&format!("crate = \"{package}\"")));
    rows.filter_map(|row| row.split('"').nth(1)).collect()
}

/// Whether an SPDX expression can be satisfied with `allowed` licences alone.
fn satisfied(expression: &str, allowed: &[&str]) -> bool {
    // "MIT/Apache-2.0" is how packages said OR before SPDX.
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut at = 0;
    let satisfied = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "no SPDX expression: {expression}");
    satisfied
}

fn any(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut satisfied = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        satisfied |= all(words, at, allowed);
    }
    satisfied
}

fn all(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut satisfied = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        satisfied &= one(words, at, allowed);
    }
    satisfied
}

fn one(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let word = words[*at];
    *at += 1;
    if word == "(" {
        let satisfied = any(words, at, allowed);
        *at += 1;
        return satisfied;
    }
    if words.get(*at) == Some(&"WITH") {
        *at += 2;
        return allowed.contains(&format!("{word} WITH {}", words[*at - 1]).as_str());
    }
    allowed.contains(&word)
}

#[test]
fn every_dependency_has_a_licence_of_the_list() {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    assert!(100 < packages.len(), "the dependencies were not found");
    let allowed = allowed();
    let wrong: Vec<String> = packages
        .iter()
        .filter(|package| {
            let own = exceptions(package["name"].as_str().unwrap_or_default());
            let allowed: Vec<&str> = allowed.iter().copied().chain(own).collect();
            !package["license"].as_str().is_some_and(|text| satisfied(text, &allowed))
        })
        .map(|package| format!("{} {}", package["name"], package["license"]))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_exception_is_for_its_package_alone() {
    assert_eq!(exceptions("cssparser"), ["MPL-2.0"]);
    assert!(exceptions("ammonia").is_empty() && !allowed().contains(&"MPL-2.0"));
}

#[test]
fn an_expression_is_satisfied_as_spdx_says() {
    let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"];
    for expression in
        ["MIT", "GPL-3.0 OR MIT", "GPL/MIT", "ISC AND (MIT OR X)", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(satisfied(expression, &allowed), "{expression}");
    }
    for expression in ["GPL-3.0", "MIT AND X", "X AND (MIT OR ISC)", "Apache-2.0", "MIT WITH X"] {
        assert!(!satisfied(expression, &allowed), "{expression}");
    }
}
