//! Parses the forms that pages send, and collects the problems of their fields. Called by `serve` and the handlers; it
//! checks no value itself.

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart};
use axum::http::{HeaderMap, Request, header};

use super::error::PageError;
use crate::locale::text;
use crate::model::Language;
use crate::ops::Said;

/// Fields that a form may have.
const FIELDS_MAX: usize = 1000;

/// The fields of a form, in the order in which they were sent, and its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Form(Vec<(String, String)>, Vec<FormFile>);

/// A file that somebody chose in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormFile {
    /// The name of the field.
    pub(super) field: String,
    /// The name of the file, as the browser sent it.
    pub(super) name: String,
    /// The media type that the browser takes it for; blank if it says none.
    pub(super) media_type: String,
    /// Its bytes.
    pub(super) bytes: Bytes,
}

impl Form {
    /// Parses a form's body. A body without a content type is read as the type that browsers send.
    pub(super) async fn read(headers: &HeaderMap, body: Bytes) -> Result<Form, PageError> {
        let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or("?"));
        let essence = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        match essence.as_deref() {
            None | Some("application/x-www-form-urlencoded") => Form::urlencoded(&body),
            Some("multipart/form-data") => Form::multipart(kind.unwrap_or_default(), body).await,
            Some(_) => Err(PageError::WrongType),
        }
    }

    /// Parses a URL-encoded body or query.
    pub(super) fn urlencoded(text: &[u8]) -> Result<Form, PageError> {
        let decode = |part: &[u8]| {
            let spaced: Vec<u8> = part.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
            percent_encoding::percent_decode(&spaced).decode_utf8_lossy().into_owned()
        };
        let pairs = text.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
        let fields = pairs.take(FIELDS_MAX + 1).map(|pair| {
            let mut parts = pair.splitn(2, |byte| *byte == b'=');
            let mut next = || decode(parts.next().unwrap_or_default());
            (next(), next())
        });
        let fields: Vec<(String, String)> = fields.collect();
        if FIELDS_MAX < fields.len() { Err(PageError::BadRequest) } else { Ok(Form(fields, Vec::new())) }
    }

    async fn multipart(kind: &str, body: Bytes) -> Result<Form, PageError> {
        let request = Request::builder().header(header::CONTENT_TYPE, kind).body(Body::from(body));
        let mut request = request.map_err(|_| PageError::BadRequest)?;
        // The body was read within the limit of its page already.
        DefaultBodyLimit::disable().apply(&mut request);
        let parts = Multipart::from_request(request, &()).await;
        let mut parts = parts.map_err(|_| PageError::BadRequest)?;
        let (mut fields, mut files) = (Vec::new(), Vec::new());
        while let Some(part) = parts.next_field().await.map_err(|_| PageError::BadRequest)? {
            let field = part.name().unwrap_or_default().to_owned();
            let name = part.file_name().map(str::to_owned);
            let media_type = part.content_type().unwrap_or_default().to_owned();
            let bytes = part.bytes().await.map_err(|_| PageError::BadRequest)?;
            match name {
                None => fields.push((field, String::from_utf8_lossy(&bytes).into_owned())),
                // A browser sends a field in which no file was chosen, too.
                Some(name) if name.is_empty() && bytes.is_empty() => {}
                Some(name) => files.push(FormFile { field, name, media_type, bytes }),
            }
            if FIELDS_MAX < fields.len() + files.len() {
                return Err(PageError::BadRequest);
            }
        }
        Ok(Form(fields, files))
    }

    /// The first value of a field; blank if the form does not have it.
    pub(super) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map_or("", |(_, value)| value)
    }

    /// Whether the form has a field, blank or not.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    /// Every value of a field.
    pub(super) fn all<'form>(&'form self, name: &'form str) -> impl Iterator<Item = &'form str> {
        let found = self.0.iter().filter(move |(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The files that were chosen in a field.
    pub(super) fn files<'form>(&'form self, name: &'form str) -> impl Iterator<Item = &'form FormFile> {
        self.1.iter().filter(move |file| file.field == name)
    }

    /// Whether it has no field.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields whose name is not `name`.
    pub(super) fn without(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let others = self.0.iter().filter(move |(field, _)| field != name);
        others.map(|(field, value)| (field.as_str(), value.as_str()))
    }
}

/// The problems of a form's fields, each as a sentence, in the order in which the form shows the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldProblems(Vec<FieldProblem>);

/// The problem of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldProblem {
    /// The `id` of the field, which is its name unless the page has several of that name.
    pub(super) field: String,
    /// The problem, as a sentence.
    pub(super) text: String,
}

impl FieldProblems {
    /// A form with one problem.
    pub(super) fn one(field: impl Into<String>, text: String) -> FieldProblems {
        FieldProblems(vec![FieldProblem { field: field.into(), text }])
    }

    /// Adds the problem of one more field.
    pub(super) fn add(&mut self, field: impl Into<String>, text: String) {
        self.0.push(FieldProblem { field: field.into(), text });
    }

    /// Adds the problem of one more field, named by its label and said in the reader's language.
    pub(super) fn add_named(
        &mut self,
        language: Language,
        field: impl Into<String>,
        label: impl Into<String>,
        problem: &impl Said,
    ) {
        self.add(
            field,
            text!(language, "set-problem", label = label.into(), problem = problem.say(language)),
        );
    }

    /// Iterates over all problems.
    pub(super) fn all(&self) -> &[FieldProblem] {
        &self.0
    }

    /// The problem of a field.
    pub(super) fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|problem| problem.field == field).map(|problem| problem.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    async fn read(kind: Option<&'static str>, body: &'static str) -> Result<Form, String> {
        let mut headers = HeaderMap::new();
        if let Some(kind) = kind {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        Form::read(&headers, Bytes::from_static(body.as_bytes())).await.map_err(|error| format!("{error:?}"))
    }

    #[tokio::test]
    async fn forms_of_both_types_are_read_and_no_other_body() {
        let form = read(Some("application/x-www-form-urlencoded; charset=utf-8"), "a=1+2%26&b&a=3&=x")
            .await
            .unwrap();
        assert_eq!((form.get("a"), form.get("b"), form.get("c"), form.get("")), ("1 2&", "", "", "x"));
        assert_eq!(read(None, "a=1").await.unwrap().get("a"), "1");
        let parts = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\r\n--x--\r\n";
        let form = read(Some("Multipart/Form-Data; boundary=x"), parts).await.unwrap();
        assert_eq!(form.get("a"), "1\r\n2");
        let files = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n\
                     --x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\r\n--x--\r\n";
        let form = read(Some("multipart/form-data; boundary=x"), files).await.unwrap();
        let chosen: Vec<(&str, &str, &[u8])> =
            form.files("f").map(|file| (&*file.name, &*file.media_type, &file.bytes[..])).collect();
        assert_eq!(chosen, [("a.txt", "text/plain", &b"hi"[..])]);
        assert!(!form.has("f"), "a file is no text");
        assert_eq!(read(Some("multipart/form-data"), parts).await, Err("BadRequest".to_owned()));
        for other in ["application/json", "text/plain", "", "application/x-www-form-urlencodedx"] {
            assert_eq!(read(Some(other), "{}").await, Err("WrongType".to_owned()), "{other}");
        }
        let many = "a=1&".repeat(1001).leak();
        assert_eq!(read(None, many).await, Err("BadRequest".to_owned()));
    }
}
