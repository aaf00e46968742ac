//! Compiles administrators' patterns within limits of size, and matches them within a time budget.
//!
//! A search checks its budget every few bytes and stops at once, so it ends soon after its budget whatever the pattern
//! and the text are. A lazy DFA does the work. It cannot decide Unicode word boundaries in text that is not ASCII:
//! there the NFA is simulated, slower and in the same small steps. `mail::taboo` and `ops::patterns` call this; no
//! write job does.

use std::fmt;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, NFA, State, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, Span};

pub use crate::model::Unjudged;

/// Memory that one compiled pattern may take.
pub const PATTERN_BYTES_MAX: usize = 256 * 1024;
/// Memory that all compiled patterns of a list or an account may take together.
pub const PATTERNS_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Memory for the states of one lazy DFA during one search.
const CACHE_BYTES: usize = 128 * 1024;
/// Bytes of text between two checks of the budget.
const STEP_BYTES: usize = 256;

/// A time budget: a function that tells whether the time is over. It is called often, so it should be cheap.
#[derive(Clone, Copy)]
pub struct Budget<'a>(&'a dyn Fn() -> bool);

impl<'a> Budget<'a> {
    /// A budget that ends when `is_over` returns true.
    #[must_use]
    pub fn new(is_over: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget(is_over)
    }

    fn check(self) -> Result<(), Unjudged> {
        if (self.0)() { Err(Unjudged::OutOfTime) } else { Ok(()) }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if (self.0)() { "Budget(over)" } else { "Budget(left)" })
    }
}

/// The reason why a pattern is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is no regular expression.
    #[error("{0}")]
    Syntax(String),
    /// It compiles to more than [`PATTERN_BYTES_MAX`].
    #[error("compiles to more than {} KiB: repeat less in it, for example \\w{{1,9}} in place of \\w{{1,900}}", PATTERN_BYTES_MAX / 1024)]
    TooLarge,
    /// With those before it, it compiles to more than [`PATTERNS_BYTES_MAX`].
    #[error("compiles, with the other patterns, to more than {} MiB: use fewer or shorter ones", PATTERNS_BYTES_MAX / (1024 * 1024))]
    TooManyLarge,
}

/// One compiled regular expression, matched anywhere in a text and without regard to case.
#[derive(Debug)]
struct Pattern {
    text: String,
    nfa: NFA,
    dfa: DFA,
    /// Finds possible beginnings of a match, if every match begins with one of few texts.
    prefilter: Option<Prefilter>,
}

impl Pattern {
    fn compile(text: &str) -> Result<Pattern, PatternError> {
        // The last line says what is wrong; the lines before it show the position.
        let syntax_error = |error: &dyn fmt::Display| {
            let error = error.to_string();
            let last = error.lines().last().unwrap_or_default();
            PatternError::Syntax(last.trim().to_owned())
        };
        let syntax = syntax::Config::new().case_insensitive(true);
        let hir = syntax::parse_with(text, &syntax).map_err(|error| syntax_error(&error))?;
        let config = thompson::Config::new()
            .nfa_size_limit(Some(PATTERN_BYTES_MAX))
            .which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(&hir);
        let nfa = nfa.map_err(|error| match error.size_limit() {
            Some(_) => PatternError::TooLarge,
            None => syntax_error(&error),
        })?;
        let config = DFA::config()
            .unicode_word_boundary(true)
            .cache_capacity(CACHE_BYTES)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(None);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone());
        let dfa = dfa.map_err(|error| syntax_error(&error))?;
        let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, &hir);
        Ok(Pattern { text: text.to_owned(), nfa, dfa, prefilter })
    }

    /// The first position from `at` on where a match can begin; `None` if there is none.
    fn candidate(&self, text: &[u8], at: usize) -> Option<usize> {
        match &self.prefilter {
            Some(prefilter) => Some(prefilter.find(text, Span { start: at, end: text.len() })?.start),
            None => Some(at),
        }
    }

    fn is_match(&self, cache: &mut Option<Cache>, text: &str, budget: Budget<'_>) -> Result<bool, Unjudged> {
        budget.check()?;
        let Some(start) = self.candidate(text.as_bytes(), 0) else { return Ok(false) };
        let cache = cache.get_or_insert_with(|| self.dfa.create_cache());
        match self.search(cache, text.as_bytes(), start, budget)? {
            Some(found) => Ok(found),
            None => self.simulate(text.as_bytes(), start, budget),
        }
    }

    /// Runs the lazy DFA from `start` on; `None` if it cannot decide this text.
    fn search(
        &self,
        cache: &mut Cache,
        text: &[u8],
        start: usize,
        budget: Budget<'_>,
    ) -> Result<Option<bool>, Unjudged> {
        let input = Input::new(text).range(start..);
        let Ok(mut state) = self.dfa.start_state_forward(cache, &input) else { return Ok(None) };
        for chunk in text[start..].chunks(STEP_BYTES) {
            budget.check()?;
            for byte in chunk {
                let Ok(next) = self.dfa.next_state(cache, state, *byte) else { return Ok(None) };
                state = next;
                if state.is_tagged() {
                    if state.is_match() {
                        return Ok(Some(true));
                    } else if state.is_dead() {
                        return Ok(Some(false));
                    } else if state.is_quit() {
                        return Ok(None);
                    }
                }
            }
        }
        let end = self.dfa.next_eoi_state(cache, state);
        Ok(end.ok().filter(|end| !end.is_quit()).map(|end| end.is_match()))
    }

    /// Simulates the NFA from `start` on: slower, but it can decide every text.
    fn simulate(&self, text: &[u8], start: usize, budget: Budget<'_>) -> Result<bool, Unjudged> {
        let mut threads = Threads::new(&self.nfa, text);
        let mut at = start;
        let mut steps = 0_usize;
        loop {
            if steps.is_multiple_of(STEP_BYTES) {
                budget.check()?;
            }
            steps += 1;
            if threads.current.is_empty() {
                match self.candidate(text, at) {
                    Some(next) => at = next,
                    None => return Ok(false),
                }
            }
            if threads.begin(at) {
                return Ok(true);
            }
            if at == text.len() {
                return Ok(false);
            }
            if threads.step(at) {
                return Ok(true);
            }
            at += 1;
        }
    }
}

/// The states of a simulated NFA at one position of a text.
struct Threads<'a> {
    nfa: &'a NFA,
    text: &'a [u8],
    /// States that read the next byte.
    current: Vec<StateID>,
    next: Vec<StateID>,
    /// For each state, the position at which it was last entered, plus one.
    entered: Vec<usize>,
    stack: Vec<StateID>,
}

impl<'a> Threads<'a> {
    fn new(nfa: &'a NFA, text: &'a [u8]) -> Threads<'a> {
        let entered = vec![0; nfa.states().len()];
        Threads { nfa, text, current: Vec::new(), next: Vec::new(), entered, stack: Vec::new() }
    }

    /// Begins a match at `at`; `true` if the empty text there is a match.
    fn begin(&mut self, at: usize) -> bool {
        let mut current = std::mem::take(&mut self.current);
        let is_match = self.enter(self.nfa.start_anchored(), at, &mut current);
        self.current = current;
        is_match
    }

    /// Reads the byte at `at`; `true` if a match ends after it.
    fn step(&mut self, at: usize) -> bool {
        let current = std::mem::take(&mut self.current);
        let mut next = std::mem::take(&mut self.next);
        let mut is_match = false;
        for state in &current {
            let target = match self.nfa.state(*state) {
                State::ByteRange { trans } => trans.matches(self.text, at).then_some(trans.next),
                State::Sparse(transitions) => transitions.matches(self.text, at),
                State::Dense(transitions) => transitions.matches(self.text, at),
                _ => None,
            };
            if let Some(target) = target
                && self.enter(target, at + 1, &mut next)
            {
                is_match = true;
                break;
            }
        }
        self.current = next;
        self.next = current;
        self.next.clear();
        is_match
    }

    /// Adds a state at a position, and all states reachable from it without reading; `true` if one of them ends a
    /// match.
    fn enter(&mut self, state: StateID, at: usize, into: &mut Vec<StateID>) -> bool {
        self.stack.push(state);
        while let Some(state) = self.stack.pop() {
            if std::mem::replace(&mut self.entered[state], at + 1) == at + 1 {
                continue;
            }
            match self.nfa.state(state) {
                State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) => into.push(state),
                State::Look { look, next } => {
                    if self.nfa.look_matcher().matches(*look, self.text, at) {
                        self.stack.push(*next);
                    }
                }
                State::Union { alternates } => self.stack.extend(alternates.iter().copied()),
                State::BinaryUnion { alt1, alt2 } => self.stack.extend([*alt1, *alt2]),
                State::Capture { next, .. } => self.stack.push(*next),
                State::Fail => {}
                State::Match { .. } => {
                    self.stack.clear();
                    return true;
                }
            }
        }
        false
    }
}

/// A stored pattern.
#[derive(Debug)]
enum Kept {
    Ready(Box<Pattern>),
    /// It was accepted under an earlier limit.
    TooLarge,
}

/// The patterns of one field.
#[derive(Debug, Default)]
pub struct PatternSet(Vec<Kept>);

impl PatternSet {
    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Begins to match one text after the other within a budget.
    #[must_use]
    pub fn matcher<'a>(&'a self, budget: Budget<'a>) -> Matcher<'a> {
        Matcher { set: self, budget, caches: self.0.iter().map(|_| None).collect() }
    }
}

/// Matches texts against the patterns of a set.
#[derive(Debug)]
pub struct Matcher<'a> {
    set: &'a PatternSet,
    budget: Budget<'a>,
    /// The states that the lazy DFA of each pattern has computed so far.
    caches: Vec<Option<Cache>>,
}

impl<'a> Matcher<'a> {
    /// The first pattern that matches somewhere in `text`. A pattern that cannot be decided is an error only if no
    /// other pattern matches.
    pub fn find(&mut self, text: &str) -> Result<Option<&'a str>, Unjudged> {
        let mut result = Ok(None);
        for (kept, cache) in self.set.0.iter().zip(&mut self.caches) {
            match kept {
                Kept::Ready(pattern) if pattern.is_match(cache, text, self.budget)? => {
                    return Ok(Some(&pattern.text));
                }
                Kept::Ready(_) => {}
                Kept::TooLarge => result = Err(Unjudged::TooLarge),
            }
        }
        result
    }
}

/// The patterns of the two fields of a list or an account, which share one limit of size.
#[derive(Debug, Default)]
pub struct PatternPair {
    /// `taboo_headers` of a list, `restrict_contact` of an account.
    pub first: PatternSet,
    /// `taboo_body` of a list, `restrict_contact_subscription` of an account.
    pub second: PatternSet,
    /// The memory that they take.
    pub size_bytes: usize,
}

impl PatternPair {
    /// Compiles patterns that were accepted earlier. Those that are too large under today's limit are kept as such; one
    /// that does not compile at all is ignored.
    #[must_use]
    pub fn compile(first: &[String], second: &[String]) -> PatternPair {
        let mut compiler = Compiler::default();
        let mut set = |texts: &[String]| {
            let kept = texts.iter().filter_map(|text| match compiler.add(text) {
                Ok(pattern) => Some(Kept::Ready(Box::new(pattern))),
                Err(PatternError::TooLarge | PatternError::TooManyLarge) => Some(Kept::TooLarge),
                Err(PatternError::Syntax(_)) => None,
            });
            PatternSet(kept.collect())
        };
        let (first, second) = (set(first), set(second));
        PatternPair { first, second, size_bytes: compiler.size_bytes + compiler.extra_bytes }
    }

    /// Checks new patterns beside those that stay: for each field, returns its name, the first wrong pattern and the
    /// error.
    pub fn check<'a>(
        unchanged: impl Iterator<Item = &'a String>,
        new: impl Iterator<Item = (&'static str, &'a [String])>,
    ) -> Vec<(&'static str, String, PatternError)> {
        let mut compiler = Compiler::default();
        for text in unchanged {
            // A stored pattern beyond today's limit does not block others.
            let _ = compiler.add(text);
        }
        let mut wrong = Vec::new();
        for (field, texts) in new {
            let found = texts.iter().find_map(|text| Some((field, text.clone(), compiler.add(text).err()?)));
            wrong.extend(found);
        }
        wrong
    }
}

/// Compiles patterns within the limits.
#[derive(Default)]
struct Compiler {
    size_bytes: usize,
    /// Memory beside that of the patterns which the limit counts.
    extra_bytes: usize,
}

impl Compiler {
    fn add(&mut self, text: &str) -> Result<Pattern, PatternError> {
        if PATTERNS_BYTES_MAX <= self.size_bytes {
            return Err(PatternError::TooManyLarge);
        }
        let pattern = Pattern::compile(text)?;
        let size_bytes = self.size_bytes + pattern.nfa.memory_usage();
        if PATTERNS_BYTES_MAX < size_bytes {
            return Err(PatternError::TooManyLarge);
        }
        self.size_bytes = size_bytes;
        let prefilter_bytes = pattern.prefilter.as_ref().map_or(0, Prefilter::memory_usage);
        self.extra_bytes += prefilter_bytes + pattern.dfa.memory_usage() + pattern.text.len();
        Ok(pattern)
    }
}

#[cfg(test)]
mod tests;
