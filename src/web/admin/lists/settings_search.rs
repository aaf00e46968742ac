//! The settings of a list by their words: `/admin/lists/{name}/settings/`. Without words it shows all of them.

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::list::{PartView, parts};
use super::list_table::{FOLDED, Part};
use super::loading::load;
use super::{index, questions};
use crate::locale::text;
use crate::model::{Language, Words};
use crate::web::admin::parts::fields::Found;
use crate::web::context::Context;
use crate::web::error::PageResult;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Characters of a search that are looked at.
const SEARCH_CHARS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "admin_list_search.html", config = "src/web/askama.toml")]
struct SearchPage {
    frame: Frame,
    head: Head,
    parts: Vec<PartView>,
    search: String,
    /// The words that are searched for.
    words: String,
    problems: FieldProblems,
    told: Option<String>,
    /// The pages on which something was found, each with its name and its settings.
    found: Vec<(String, Vec<Hit>)>,
}

/// A setting that was found.
struct Hit {
    href: String,
    label: String,
    help: String,
}

/// `GET /admin/lists/{name}/settings/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let (detail, _) = load(context)?;
    let list = &detail.list;
    let path = index::path_of(list.name.as_str());
    let words: String = context.query.get("search").trim().chars().take(SEARCH_CHARS_MAX).collect();
    let question = Words::of_question(&words);
    let found = Part::ALL.into_iter().map(|part| {
        let hits = hits(context.language, part, &question).into_iter().map(|found| {
            let Found { group, name, label, help } = found;
            // What is folded away is opened, so that the browser can go there.
            let open = if FOLDED.contains(&group) { format!("?open={group}") } else { String::new() };
            let href = context.href(&format!("{path}{}{open}#{name}", part.path()));
            Hit { href, label, help }
        });
        (part.title(context.language), hits.collect::<Vec<_>>())
    });
    let page = SearchPage {
        frame: Frame::of(context),
        head: head::of(context, list, Tab::Settings)?,
        parts: parts(context, list, None),
        search: context.href(&format!("{path}settings/")),
        words,
        problems: FieldProblems::default(),
        told: None,
        found: found.filter(|(_, hits)| !hits.is_empty()).collect(),
    };
    context.html(StatusCode::OK, &page)
}

/// The questions and fields of a page that have all words.
fn hits(language: Language, part: Part, question: &Words) -> Vec<Found> {
    let questions = questions::all(part, language).into_iter();
    let questions = questions.filter(|(.., words)| Words::of(words).answer(question));
    let questions = questions.map(|(name, label, help, _)| Found { group: "", name, label, help });
    questions.chain(part.table().search(language, question)).collect()
}
