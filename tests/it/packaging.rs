//! The packages hold the same files, and every file that they name is there.

use std::collections::BTreeSet;
use std::path::Path;

const CARGO: &str = include_str!("../../Cargo.toml");

/// The lines of the assets of a table of `Cargo.toml`.
fn assets(table: &str) -> impl Iterator<Item = &'static str> {
    let (_, text) = CARGO.split_once(&format!("[package.metadata.{table}]")).expect("the table is there");
    let (_, text) = text.split_once("assets = [\n").expect("it has assets");
    let (text, _) = text.split_once("\n]").expect("they have an end");
    text.lines()
}

/// Source and target of each asset, which are the first two texts of its line. Folders that distributions name
/// differently have one name.
fn files(table: &str) -> BTreeSet<(String, String)> {
    let pair = |line: &'static str| {
        let mut texts = line.split('"').skip(1).step_by(2);
        let (source, target) = (texts.next()?, texts.next()?);
        let target = target.trim_start_matches('/').trim_end_matches('/');
        let target = target.strip_prefix("usr/lib/systemd").map(|rest| format!("lib/systemd{rest}"));
        let target = target.unwrap_or_else(|| line.split('"').nth(3).unwrap_or_default().to_owned());
        let target = target
            .trim_start_matches('/')
            .trim_end_matches('/')
            .replace("site-functions", "vendor-completions");
        Some((source.to_owned(), target.trim_end_matches("/crier.service").to_owned()))
    };
    assets(table).map(|line| pair(line).unwrap_or_else(|| panic!("no asset: {line}"))).collect()
}

#[test]
fn both_packages_hold_the_same_files() {
    // What only one kind of distribution wants.
    let own = [
        "packaging/debian/copyright",
        "packaging/debian/lintian-overrides",
        "target/package/root/changelog.gz",
    ];
    let shared = |table: &str| {
        let mut files = files(table);
        files.retain(|(source, _)| !own.contains(&source.as_str()));
        files
    };
    let deb = shared("deb");
    assert!(10 <= deb.len(), "{deb:?}");
    assert_eq!(deb, shared("generate-rpm"));
}

#[test]
fn every_file_of_the_repository_that_a_package_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (source, _) in files("deb").union(&files("generate-rpm")) {
        // What the build makes, and patterns, are the business of tests/packages.py.
        if !source.starts_with("target/") && !source.contains('*') {
            assert!(root.join(source).is_file(), "{source}");
        }
    }
}

/// The names of the socket units in the repository.
fn sockets() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "socket")).collect()
}

#[test]
fn both_packages_stop_every_socket_before_their_files_go() {
    let sockets = sockets();
    assert!(5 <= sockets.len(), "{sockets:?}");
    for script in [include_str!("../../packaging/debian/prerm"), include_str!("../../packaging/rpm/preun")] {
        for socket in &sockets {
            assert!(script.split_whitespace().any(|word| word == socket), "{socket} is not in {script}");
        }
    }
}

#[test]
fn the_service_does_not_start_again_on_a_data_file_that_cannot_be_brought_up_to_date() {
    let unit = include_str!("../../packaging/crier.service");
    assert!(unit.lines().any(|line| line == "RestartPreventExitStatus=2 78"), "{unit}");
}
