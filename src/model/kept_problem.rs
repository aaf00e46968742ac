//! A problem as records keep it: which one it is, with the facts of its sentence, and no sentence.
//!
//! `ops::problems` makes it of a problem, and a problem of it, which is then said in the language of the reader.

use serde::{Deserialize, Serialize};

/// A problem. One that is about another one is followed by it, and so on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptProblem {
    /// The outermost first.
    pub parts: Vec<KeptPart>,
}

/// One of the problems of a [`KeptProblem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPart {
    /// The name of its kind.
    pub name: String,
    /// Its facts, in their order.
    pub facts: Vec<KeptFact>,
}

/// A fact of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeptFact {
    /// A text, or the word of a value.
    Text(String),
    /// A number.
    Number(u64),
    /// Several texts.
    Texts(Vec<String>),
    /// The part behind.
    Next,
}
