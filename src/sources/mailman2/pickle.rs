//! Reads the pickles of Python 2 in which Mailman 2 keeps a list, without executing anything.
//!
//! A pickle is a program for a stack machine. Only the instructions are known here that make plain values, and one
//! class, whose objects become their attributes; everything else is refused, above all what calls a function. Values
//! stand in one table and name one another by number, so neither depth nor circles cost anything. Size and number of
//! values are bounded.

use std::collections::HashMap;

/// Largest file.
pub(super) const BYTES_MAX: usize = 128 << 20;
/// Most values of a file: a million members have fewer.
const VALUES_MAX: usize = 8_000_000;
/// Most values that are remembered to be named again.
const MEMO_MAX: usize = 4_000_000;
/// Most marks that are open at a time: how deep containers may stand in one another.
const MARKS_MAX: usize = 1000;
/// Highest version of the format whose instructions are known.
const PROTOCOL_MAX: u8 = 2;
/// The class whose objects are read, and its module.
const KNOWN_CLASS: (&[u8], &[u8]) = (b"Mailman.Bouncer", b"_BounceInfo");

/// A file that is no such pickle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickleError {
    /// An instruction that is not carried out.
    #[error("byte {at} has an instruction that is never carried out ({code:#04x}): it could run a program")]
    Forbidden {
        /// Where it stands.
        at: usize,
        /// The instruction.
        code: u8,
    },
    /// A class that is not known.
    #[error("byte {at} names a class of Python that has no place in a list: {name}")]
    Class {
        /// Where it stands.
        at: usize,
        /// Module and name.
        name: String,
    },
    /// The file is damaged.
    #[error("it is damaged at byte {at}: {what}")]
    Damaged {
        /// Where.
        at: usize,
        /// In words.
        what: &'static str,
    },
    /// The file has more than is read.
    #[error("it has more {what} than are read")]
    TooMuch {
        /// Of what.
        what: &'static str,
    },
}

/// The number of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id(u32);

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    None,
    Int(i64),
    Float(f64),
    Bytes(Box<[u8]>),
    Text(Box<str>),
    List(Vec<Id>),
    Dict(Vec<(Id, Id)>),
    Tuple(Box<[Id]>),
    /// The only class that there is.
    Class,
    /// An object of it, with its attributes.
    Object(Option<Id>),
}

/// The values of a file.
#[derive(Debug, Default)]
pub(super) struct Pickles {
    values: Vec<Value>,
    /// What each pickle of the file is.
    pub(super) roots: Vec<Id>,
}

impl Pickles {
    /// The value of a number.
    pub(super) fn get(&self, id: Id) -> &Value {
        self.values.get(id.0 as usize).unwrap_or(&Value::None)
    }
}

/// Reads all pickles of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Pickles, PickleError> {
    if BYTES_MAX < bytes.len() {
        return Err(PickleError::TooMuch { what: "bytes" });
    }
    let mut machine = Machine { bytes, at: 0, pickles: Pickles::default() };
    while machine.at < bytes.len() {
        let root = machine.pickle()?;
        machine.pickles.roots.push(root);
    }
    Ok(machine.pickles)
}

/// The stack of one pickle.
#[derive(Default)]
struct Stack {
    all: Vec<Id>,
    /// How high the stack was at each open mark.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

impl Stack {
    fn push(&mut self, id: Id) -> Result<(), PickleError> {
        if VALUES_MAX <= self.all.len() {
            return Err(PickleError::TooMuch { what: "values" });
        }
        self.all.push(id);
        Ok(())
    }

    /// The lowest place that may be taken off.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }
}

struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    pickles: Pickles,
}

impl<'a> Machine<'a> {
    fn damaged<T>(&self, what: &'static str) -> Result<T, PickleError> {
        Err(PickleError::Damaged { at: self.at, what })
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], PickleError> {
        match self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => self.damaged("it ends in the middle"),
        }
    }

    fn byte(&mut self) -> Result<u8, PickleError> {
        self.take(1).map(|taken| taken[0])
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], PickleError> {
        let taken = self.take(N)?;
        taken.try_into().or_else(|_| self.damaged("it ends in the middle"))
    }

    fn line(&mut self) -> Result<&'a [u8], PickleError> {
        let rest = &self.bytes[self.at..];
        match memchr::memchr(b'\n', rest) {
            Some(end) => {
                self.at += end + 1;
                Ok(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))
            }
            None => self.damaged("a line has no end"),
        }
    }

    fn counted(&mut self) -> Result<&'a [u8], PickleError> {
        let length = i32::from_le_bytes(self.number()?);
        let Ok(length) = usize::try_from(length) else { return self.damaged("a length is negative") };
        self.take(length)
    }

    fn add(&mut self, value: Value) -> Result<Id, PickleError> {
        if VALUES_MAX <= self.pickles.values.len() {
            return Err(PickleError::TooMuch { what: "values" });
        }
        let id = Id(u32::try_from(self.pickles.values.len()).unwrap_or(u32::MAX));
        self.pickles.values.push(value);
        Ok(id)
    }

    /// Reads one pickle up to its end.
    fn pickle(&mut self) -> Result<Id, PickleError> {
        let mut stack = Stack::default();
        loop {
            let code = self.byte()?;
            match code {
                b'.' => return self.pop(&mut stack),
                b'(' => {
                    if MARKS_MAX <= stack.marks.len() {
                        return Err(PickleError::TooMuch { what: "containers in one another" });
                    }
                    stack.marks.push(stack.all.len());
                }
                b'0' => {
                    if stack.all.len() <= stack.floor() {
                        if stack.marks.pop().is_none() {
                            return self.damaged("there is nothing to take off");
                        }
                    } else {
                        self.pop(&mut stack)?;
                    }
                }
                b'2' => {
                    let top = self.top(&stack)?;
                    stack.push(top)?;
                }
                b'\x80' => {
                    if PROTOCOL_MAX < self.byte()? {
                        return self.damaged("it is of a newer format");
                    }
                }
                b'p' | b'q' | b'r' | b'g' | b'h' | b'j' => self.remember(&mut stack, code)?,
                b'a' | b'e' | b's' | b'u' | b'b' => self.fill(&mut stack, code)?,
                b'd' | b'l' | b't' | b'o' | b'i' | b'c' | b'\x85'..=b'\x87' => {
                    let value = self.gathered(&mut stack, code)?;
                    let id = self.add(value)?;
                    stack.push(id)?;
                }
                _ => {
                    let value = self.scalar(code)?;
                    let id = self.add(value)?;
                    stack.push(id)?;
                }
            }
        }
    }

    fn pop(&self, stack: &mut Stack) -> Result<Id, PickleError> {
        if stack.all.len() <= stack.floor() {
            return self.damaged("there is nothing to take off");
        }
        stack.all.pop().map_or_else(|| self.damaged("there is nothing to take off"), Ok)
    }

    fn top(&self, stack: &Stack) -> Result<Id, PickleError> {
        stack.all.last().copied().map_or_else(|| self.damaged("a value is missing"), Ok)
    }

    /// Everything above the last mark.
    fn above_mark(&self, stack: &mut Stack) -> Result<Vec<Id>, PickleError> {
        match stack.marks.pop() {
            Some(mark) if mark <= stack.all.len() => Ok(stack.all.split_off(mark)),
            _ => self.damaged("a mark is missing"),
        }
    }

    fn pairs(&self, items: &[Id]) -> Result<Vec<(Id, Id)>, PickleError> {
        if items.len() % 2 == 1 {
            return self.damaged("a key has no value");
        }
        Ok(items.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    }

    /// Remembers the value on top, or puts one there that was remembered.
    fn remember(&mut self, stack: &mut Stack, code: u8) -> Result<(), PickleError> {
        let key = match code {
            b'q' | b'h' => u32::from(self.byte()?),
            b'r' | b'j' => u32::from_le_bytes(self.number()?),
            _ => match self.decimal()?.and_then(|number| u32::try_from(number).ok()) {
                Some(key) => key,
                None => return self.damaged("a number is missing"),
            },
        };
        if matches!(code, b'p' | b'q' | b'r') {
            if MEMO_MAX <= stack.memo.len() {
                return Err(PickleError::TooMuch { what: "remembered values" });
            }
            let top = self.top(stack)?;
            stack.memo.insert(key, top);
            return Ok(());
        }
        match stack.memo.get(&key).copied() {
            Some(known) => stack.push(known),
            None => self.damaged("it names a value that is not there"),
        }
    }

    /// Puts values into the container below them.
    fn fill(&mut self, stack: &mut Stack, code: u8) -> Result<(), PickleError> {
        let items = match code {
            b'a' | b'b' => vec![self.pop(stack)?],
            b's' => {
                let value = self.pop(stack)?;
                vec![self.pop(stack)?, value]
            }
            _ => self.above_mark(stack)?,
        };
        let container = self.top(stack)?;
        let pairs = if matches!(code, b's' | b'u') { self.pairs(&items)? } else { Vec::new() };
        match (code, self.pickles.values.get_mut(container.0 as usize)) {
            (b'a' | b'e', Some(Value::List(list))) => list.extend(items),
            (b's' | b'u', Some(Value::Dict(dict))) => dict.extend(pairs),
            (b'b', Some(Value::Object(state))) => *state = items.first().copied(),
            _ => return self.damaged("something stands in what is no container"),
        }
        Ok(())
    }

    /// A value that is made of others.
    fn gathered(&mut self, stack: &mut Stack, code: u8) -> Result<Value, PickleError> {
        Ok(match code {
            b'c' => {
                self.class()?;
                Value::Class
            }
            b'i' => {
                self.class()?;
                self.above_mark(stack)?;
                Value::Object(None)
            }
            b'o' => {
                let items = self.above_mark(stack)?;
                match items.first().map(|&id| self.pickles.get(id)) {
                    Some(Value::Class) => Value::Object(None),
                    _ => return self.damaged("an object has no class"),
                }
            }
            b'd' => {
                let items = self.above_mark(stack)?;
                Value::Dict(self.pairs(&items)?)
            }
            b'l' => Value::List(self.above_mark(stack)?),
            b't' => Value::Tuple(self.above_mark(stack)?.into()),
            _ => {
                let count = usize::from(code - b'\x84');
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.pop(stack)?);
                }
                items.reverse();
                Value::Tuple(items.into())
            }
        })
    }

    fn class(&mut self) -> Result<(), PickleError> {
        let at = self.at;
        let (module, name) = (self.line()?, self.line()?);
        if (module, name) == KNOWN_CLASS {
            return Ok(());
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        Err(PickleError::Class { at, name: format!("{}.{}", text(module), text(name)) })
    }

    /// A value by itself.
    fn scalar(&mut self, code: u8) -> Result<Value, PickleError> {
        let at = self.at - 1;
        Ok(match code {
            b'N' => Value::None,
            b'\x88' => Value::Int(1),
            b'\x89' => Value::Int(0),
            b']' => Value::List(Vec::new()),
            b'}' => Value::Dict(Vec::new()),
            b')' => Value::Tuple(Box::default()),
            b'K' => Value::Int(i64::from(self.byte()?)),
            b'M' => Value::Int(i64::from(u16::from_le_bytes(self.number()?))),
            b'J' => Value::Int(i64::from(i32::from_le_bytes(self.number()?))),
            b'G' => Value::Float(f64::from_be_bytes(self.number()?)),
            b'I' | b'L' => match self.decimal()? {
                Some(number) => Value::Int(number),
                None => return self.damaged("a number is missing"),
            },
            b'F' => {
                let line = self.line()?;
                let number = std::str::from_utf8(line).ok().and_then(|text| text.trim().parse().ok());
                match number {
                    Some(number) => Value::Float(number),
                    None => return self.damaged("a number is missing"),
                }
            }
            b'\x8a' => {
                let length = usize::from(self.byte()?);
                Value::Int(little_endian(self.take(length)?))
            }
            b'T' => Value::Bytes(self.counted()?.into()),
            b'U' => {
                let length = usize::from(self.byte()?);
                Value::Bytes(self.take(length)?.into())
            }
            b'S' => match quoted(self.line()?) {
                Some(bytes) => Value::Bytes(bytes.into()),
                None => return self.damaged("a text has no quotes"),
            },
            b'X' => Value::Text(String::from_utf8_lossy(self.counted()?).into()),
            b'V' => Value::Text(raw_unicode(self.line()?).into()),
            code => return Err(PickleError::Forbidden { at, code }),
        })
    }

    /// The number on a line; beyond 64 bits the greatest that there is. `None` if it is none.
    fn decimal(&mut self) -> Result<Option<i64>, PickleError> {
        let Ok(text) = std::str::from_utf8(self.line()?) else { return Ok(None) };
        let text = text.trim().trim_end_matches(['L', 'l']);
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        Ok(Some(text.parse().unwrap_or(limit)))
    }
}

/// A number of any length with its lowest byte first; beyond 64 bits the greatest that there is.
fn little_endian(bytes: &[u8]) -> i64 {
    let is_negative = bytes.last().is_some_and(|byte| 0x80 <= *byte);
    if 8 < bytes.len() {
        return if is_negative { i64::MIN } else { i64::MAX };
    }
    let mut all = [if is_negative { 0xff } else { 0 }; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(all)
}

/// The bytes of a text as Python 2 writes it between quotes; `None` if it has none.
fn quoted(line: &[u8]) -> Option<Vec<u8>> {
    let [quote @ (b'\'' | b'"'), inner @ .., last] = line else { return None };
    if last != quote {
        return None;
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some((&escape, behind)) = rest.split_first() else { break };
        rest = behind;
        match escape {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'\\' | b'\'' | b'"' => bytes.push(escape),
            b'x' => {
                match rest.split_at_checked(2).and_then(|(digits, behind)| Some((hex(digits)?, behind))) {
                    Some((code, behind)) => {
                        bytes.push(u8::try_from(code).unwrap_or(b'?'));
                        rest = behind;
                    }
                    None => bytes.extend(b"\\x"),
                }
            }
            other => bytes.extend([b'\\', other]),
        }
    }
    Some(bytes)
}

/// A text in which characters beyond Latin-1 are written as `\u20ac`.
fn raw_unicode(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, behind)) = rest.split_first() {
        let length = match behind.first() {
            Some(b'u') if byte == b'\\' => 4,
            Some(b'U') if byte == b'\\' => 8,
            _ => 0,
        };
        let code = behind.get(1..=length).filter(|_| 0 < length).and_then(hex);
        if let Some(code) = code {
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &behind[1 + length..];
        } else {
            text.push(char::from(byte));
            rest = behind;
        }
    }
    text
}

fn hex(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only pickle of a file, as a text that a person can compare.
    fn shown(bytes: &[u8]) -> Result<String, PickleError> {
        fn show(pickles: &Pickles, id: Id) -> String {
            let many = |ids: &[Id]| ids.iter().map(|id| show(pickles, *id)).collect::<Vec<_>>().join(", ");
            match pickles.get(id) {
                Value::None => "None".to_owned(),
                Value::Int(number) => number.to_string(),
                Value::Float(number) => format!("{number:?}"),
                Value::Bytes(bytes) => {
                    format!("b{:?}", bytes.iter().map(|&b| char::from(b)).collect::<String>())
                }
                Value::Text(text) => format!("{text:?}"),
                Value::List(ids) => format!("[{}]", many(ids)),
                Value::Tuple(ids) => format!("({})", many(ids)),
                Value::Dict(pairs) => {
                    let pair = |(key, value): &(Id, Id)| {
                        format!("{}: {}", show(pickles, *key), show(pickles, *value))
                    };
                    format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
                }
                Value::Class => "class".to_owned(),
                Value::Object(state) => {
                    format!("object {}", state.map_or_else(String::new, |id| show(pickles, id)))
                }
            }
        }
        let pickles = read(bytes)?;
        Ok(pickles.roots.iter().map(|id| show(&pickles, *id)).collect::<Vec<_>>().join("; "))
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(shown(bytes).as_deref(), Ok(expected), "{}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn plain_values_are_read_in_every_form() {
        check(b"N.", "None");
        check(
            b"(K\x01M\x00\x01J\xff\xff\xff\xffI-7\nI01\nL12345678901234567890L\n\x8a\x02\x00\xfft.",
            "(1, 256, -1, -7, 1, 9223372036854775807, -256)",
        );
        check(b"(F1.5\nG\x3f\xf8\x00\x00\x00\x00\x00\x00l.", "[1.5, 1.5]");
        check(
            b"(S'a\\'\\xe9\\n\\\\'\nU\x02\xe9bT\x01\x00\x00\x00ct.",
            "(b\"a'\u{e9}\\n\\\\\", b\"\u{e9}b\", b\"c\")",
        );
        check(
            b"(V\xe9\\u20ac\\U0001f600\nX\x03\x00\x00\x00\xe2\x82\xact.",
            "(\"\u{e9}\u{20ac}\u{1f600}\", \"\u{20ac}\")",
        );
        check(b"\x80\x02K\x01K\x02\x86K\x03\x85\x86.", "((1, 2), (3))");
        check(b"(K\x01K\x02d.}K\x03.", "{1: 2}; 3");
    }

    #[test]
    fn containers_are_filled_and_named_again() {
        check(
            b"}q\x00(U\x01aq\x01]q\x02(K\x01h\x01eU\x01bh\x02u.",
            "{b\"a\": [1, b\"a\"], b\"b\": [1, b\"a\"]}",
        );
        check(b"(lp0\nS'a'\np1\nag1\na.", "[b\"a\", b\"a\"]");
        check(b"]r\x00\x01\x00\x00K\x01aj\x00\x01\x00\x00\x86.", "([1], [1])");
        check(b"K\x01K\x0220\x86.", "(1, 2)");
        // A mark is taken off as a value is.
        check(b"K\x01(0.", "1");
    }

    #[test]
    fn the_only_class_becomes_its_attributes() {
        check(b"(iMailman.Bouncer\n_BounceInfo\n(dS'score'\nF1.0\nsb.", "object {b\"score\": 1.0}");
        check(b"(cMailman.Bouncer\n_BounceInfo\no}U\x05scoreK\x02sb.", "object {b\"score\": 2}");
    }

    #[test]
    fn what_could_run_a_program_is_refused() {
        let os = b"cos\nsystem\n(S'true'\ntR.";
        assert_eq!(shown(os), Err(PickleError::Class { at: 1, name: "os.system".to_owned() }));
        for code in [b'R', b'\x81', b'\x82', b'P', b'Q', b'B', b'\x93', b'\x97'] {
            let bytes = [b'N', b'N', code, b'.'];
            assert_eq!(shown(&bytes), Err(PickleError::Forbidden { at: 2, code }));
        }
        assert!(matches!(shown(b"(i__builtin__\neval\n."), Err(PickleError::Class { .. })));
    }

    #[test]
    fn damage_is_told_and_nothing_is_made_up() {
        for bytes in [
            &b"K"[..],
            b".",
            b"(.",
            b"T\xff\xff\xff\x7fa.",
            b"T\xff\xff\xff\xffa.",
            b"g5\n.",
            b"a.",
            b"N)a.",
            b"(NNNd.",
            b"}K\x01s.",
            b"Sabc\n.",
            b"Ix\n.",
            b"\x80\x05N.",
            b"(K\x01o.",
            b"N0N",
            b"\x86.",
            b"(\x85.",
        ] {
            assert!(
                matches!(shown(bytes), Err(PickleError::Damaged { .. })),
                "{bytes:?}: {:?}",
                shown(bytes)
            );
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let deep = [vec![b'('; MARKS_MAX + 1], vec![b'.']].concat();
        assert_eq!(shown(&deep), Err(PickleError::TooMuch { what: "containers in one another" }));
        let many = vec![b'N'; VALUES_MAX + 1];
        assert_eq!(read(&many).map(|_| ()), Err(PickleError::TooMuch { what: "values" }));
        // Lists in one another, which nothing walks: neither reading nor forgetting them goes deep.
        let mut nested = vec![b']'];
        for _ in 0..200_000 {
            nested.extend(b"]q\x002h\x00a0");
        }
        nested.push(b'.');
        assert!(read(&nested).is_ok());
    }
}
