//! Words what the API says of a request as people typed it: its fields by their flags.

use super::values::Problems;
use crate::control::values::Problem;

/// Words the problems of a request for the command line.
pub(super) fn describe(problems: Vec<Problem>) -> String {
    let pair = |Problem { field, problem }| (field, problem);
    problems_told(problems.into_iter().map(pair).collect(), flag_of)
}

/// Words problems, each with the flag that `flag_of` makes of the API's field.
pub(super) fn problems_told(
    problems: Vec<(String, String)>,
    flag_of: impl Fn(&str) -> Option<String>,
) -> String {
    let mut told = Problems::default();
    for (field, problem) in problems {
        told.note(sentence(flag_of(&field).as_deref(), &field, &problem));
    }
    told.to_string()
}

/// Words a problem as a sentence about a flag, or about an argument without one.
///
/// The API's problem is either the predicate of a sentence ("must be a zone"), which follows the flag's name, or a
/// sentence by itself ("there is no list x").
fn sentence(flag: Option<&str>, field: &str, problem: &str) -> String {
    const VERBS: [&str; 9] = ["must ", "may ", "has ", "have ", "is ", "are ", "names ", "needs ", "cannot "];
    let goes_on = |text: &str| VERBS.iter().any(|verb| text.starts_with(verb));
    // `fly: must be one of` is about one of several values.
    if let (Some(flag), Some((value, rest))) = (flag, problem.split_once(": "))
        && goes_on(rest)
        && !goes_on(problem)
    {
        return format!("{flag} {value:?} {rest}");
    }
    match flag {
        Some(flag) if goes_on(problem) => format!("{flag} {problem}"),
        Some(flag) => format!("{flag}: {problem}"),
        None if goes_on(problem) => format!("the {} {problem}", noun_of(field)),
        None => problem.to_owned(),
    }
}

/// The noun for a field that has no flag.
fn noun_of(field: &str) -> String {
    match field {
        "username" | "emails" => "address".to_owned(),
        field => field.replace('_', " "),
    }
}

/// The flag of a request's field; `None` for an argument without a flag.
pub(super) fn flag_of(field: &str) -> Option<String> {
    let flag = match field {
        "name" | "message" | "id" | "username" | "api" | "account" | "emails" | "contact" => return None,
        "administrator" => "admin".to_owned(),
        "domains" => "domain".to_owned(),
        "permissions" => "permission".to_owned(),
        "notifications" => "notification".to_owned(),
        "limit_lists" => "limit-list".to_owned(),
        "limit_metadata" => "limit-field".to_owned(),
        field => field.replace('_', "-"),
    };
    Some(format!("--{flag}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_as_a_sentence() {
        for (flag, field, problem, expected) in [
            (Some("--timezone"), "timezone", "must be a zone", "--timezone must be a zone"),
            (Some("--limit-list"), "limit_lists", "there is no list x", "--limit-list: there is no list x"),
            (
                Some("--permission"),
                "permissions",
                "fly: must be one of a, b",
                "--permission \"fly\" must be one of a, b",
            ),
            (None, "name", "another list has this name", "another list has this name"),
            (None, "username", "must be one address", "the address must be one address"),
        ] {
            assert_eq!(sentence(flag, field, problem), expected);
        }
    }
}
