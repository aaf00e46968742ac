//! The controls of a form, with what a browser would send of them as they are.

use crate::harness::http::Response;

/// The fields of a form: names with their values, in the order of the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields of the first form of a page that has all of `marks` in it.
    #[track_caller]
    pub(crate) fn of(page: &Response, marks: &[&str]) -> Fields {
        let forms = page.body.split("<form ").skip(1).filter_map(|rest| rest.split("</form>").next());
        let form = forms.into_iter().find(|form| marks.iter().all(|mark| form.contains(mark)));
        let mut rest = form.unwrap_or_else(|| panic!("no form has {marks:?}: {}", page.body));
        let mut fields = Vec::new();
        while let Some(at) = rest.find('<') {
            rest = &rest[at + 1..];
            let tag = rest.split('>').next().unwrap();
            let name = attribute(tag, "name").unwrap_or_default();
            if tag.starts_with("input ") {
                let is_box = ["checkbox", "radio"].contains(&&*attribute(tag, "type").unwrap());
                if !is_box || tag.contains(" checked") {
                    fields.push((name, attribute(tag, "value").unwrap_or_default()));
                }
            } else if tag.starts_with("textarea ") {
                let text = rest[tag.len() + 1..].split("</textarea>").next().unwrap();
                fields.push((name, plain(text.strip_prefix('\n').unwrap_or(text))));
            } else if tag.starts_with("select ") {
                let inside = rest.split("</select>").next().unwrap();
                let options: Vec<&str> = inside.split("<option ").skip(1).collect();
                let chosen = options.iter().find(|option| option.contains(" selected"));
                let option = chosen.or(options.first()).unwrap();
                fields.push((name, attribute(&format!(" {option}"), "value").unwrap_or_default()));
            }
        }
        fields.retain(|(name, _)| !name.is_empty());
        Fields(fields)
    }

    /// The values of a field.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(field, _)| field == name).map(|(_, value)| &**value).collect()
    }

    /// Gives a field these values.
    pub(crate) fn set(&mut self, name: &str, values: &[&str]) {
        self.0.retain(|(field, _)| field != name);
        self.0.extend(values.iter().map(|value| (name.to_owned(), (*value).to_owned())));
    }

    /// The same with these values of a field.
    pub(crate) fn with(mut self, name: &str, values: &[&str]) -> Fields {
        self.set(name, values);
        self
    }

    /// The fields as they are sent.
    pub(crate) fn pairs(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value)).collect()
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let rest = tag.split(&format!(" {name}=\"")).nth(1)?;
    rest.split('"').next().map(plain)
}

/// A text of HTML without its character references.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for (reference, letter) in
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")]
    {
        plain = plain.replace(reference, letter);
    }
    plain
}
