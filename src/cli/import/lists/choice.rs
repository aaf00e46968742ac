//! Which lists of a source are taken, and what they are called here.

use crate::cli::Failure;
use crate::sources::SourceList;

/// A list that is taken.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Its name here.
    pub(super) name: String,
    pub(super) list: SourceList,
}

/// Chooses lists by names, of which each is `NAME` or `OLD=NEW`, and by a domain. The only list that there is may be
/// called by a name that it has not yet.
pub(super) fn choose(
    lists: Vec<SourceList>,
    names: &[String],
    domain: Option<&str>,
) -> Result<Vec<Chosen>, Failure> {
    let is_same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let mut lists = lists;
    let all: Vec<String> = lists.iter().map(SourceList::address).collect();
    if let Some(domain) = domain {
        lists.retain(|list| list.domain.is_empty() || is_same(&list.domain, domain));
    }
    let there = || Failure::Failed(format!("there is no such list; there are {}", all.join(", ")));
    if lists.is_empty() {
        return Err(there());
    }
    if names.is_empty() {
        let chosen = |list: SourceList| Chosen { name: list.name.clone(), list };
        return unambiguous(lists.into_iter().map(chosen).collect());
    }
    let mut chosen = Vec::with_capacity(names.len());
    for name in names {
        let (old, new) = name.split_once('=').unwrap_or((name, name));
        let found = lists.iter().position(|list| is_same(&list.name, old) || is_same(&list.address(), old));
        let is_only = lists.len() == 1 && names.len() == 1 && old == new;
        let place = match found {
            Some(place) => place,
            None if is_only => 0,
            None => return Err(there()),
        };
        let list = lists.remove(place);
        let name = if found.is_some() && old == new { list.name.clone() } else { new.to_owned() };
        chosen.push(Chosen { name, list });
    }
    unambiguous(chosen)
}

/// Passes if no two lists get the same name.
fn unambiguous(chosen: Vec<Chosen>) -> Result<Vec<Chosen>, Failure> {
    for (place, one) in chosen.iter().enumerate() {
        if let Some(other) = chosen[..place].iter().find(|other| other.name.eq_ignore_ascii_case(&one.name)) {
            return Err(Failure::Failed(format!(
                "{} and {} would both be the list {}: name one otherwise, such as --list {}={}-2",
                other.list.address(),
                one.list.address(),
                one.name,
                one.list.address(),
                one.name
            )));
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lists: &[&str], names: &[&str], domain: Option<&str>) -> Result<Vec<String>, String> {
        let list = |address: &&str| {
            let (name, domain) = address.split_once('@').unwrap_or((address, ""));
            SourceList { name: name.to_owned(), domain: domain.to_owned(), ..SourceList::default() }
        };
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        match choose(lists.iter().map(list).collect(), &names, domain) {
            Ok(chosen) => Ok(chosen.into_iter().map(|it| format!("{} {}", it.list.name, it.name)).collect()),
            Err(Failure::Failed(text) | Failure::Usage(text)) => Err(text),
        }
    }

    #[test]
    fn lists_are_chosen_by_name_and_domain() {
        let lists = ["a@x.example", "b@x.example", "a@y.example"];
        assert_eq!(names(&lists[..2], &[], None).unwrap(), ["a a", "b b"]);
        assert_eq!(names(&lists, &[], Some("Y.example")).unwrap(), ["a a"]);
        assert_eq!(names(&lists, &["A"], None).unwrap(), ["a a"]);
        assert_eq!(names(&lists, &["a", "a@y.example=c"], None).unwrap(), ["a a", "a c"]);
        assert_eq!(names(&lists[..1], &["new"], None).unwrap(), ["a new"]);
        assert!(names(&lists, &["new"], None).unwrap_err().contains("there are a@x.example, b@x.example"));
        assert!(names(&lists, &[], Some("z.example")).is_err());
        assert!(names(&lists, &[], None).unwrap_err().contains("would both be the list a"));
    }
}
