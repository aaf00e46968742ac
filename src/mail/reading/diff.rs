//! Finds patches in text: unified diffs, as `git`, `svn` and `diff -u` write them.

/// A line of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffLine {
    /// Names of files, places in them.
    Head(String),
    /// A line that was added.
    Added(String),
    /// A line that was taken away.
    Removed(String),
    /// A line that stays.
    Same(String),
}

/// Lines that belong to a patch around its hunks.
const HEADS: [&str; 17] = [
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "GIT binary patch",
    "Binary files ",
    "Index: ",
];

/// The number of lines at the beginning of `lines` that are a patch; 0 if it does not begin here.
pub(super) fn length<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> usize {
    if !begins(lines.clone()) {
        return 0;
    }
    let (mut hunk, mut end) = (Hunk::default(), 0);
    for (at, line) in lines.enumerate() {
        let is_part = if hunk.is_open() {
            hunk.takes(line)
        } else if let Some(next) = Hunk::of(line) {
            hunk = next;
            true
        } else {
            let is_rule = 20 <= line.len() && line.bytes().all(|byte| byte == b'=');
            is_rule || line.starts_with('\\') || HEADS.iter().any(|head| line.starts_with(head))
        };
        if is_part {
            end = at + 1;
        } else if !line.is_empty() || end + 1 < at {
            break;
        }
    }
    end
}

/// Whether a patch begins here.
fn begins<'a>(mut lines: impl Iterator<Item = &'a str>) -> bool {
    let Some(first) = lines.next() else { return false };
    let mut next_is = |start: &str| lines.next().is_some_and(|line| line.starts_with(start));
    first.starts_with("diff --git ")
        || Hunk::of(first).is_some()
        || (first.starts_with("diff ") && next_is("--- "))
        || (first.starts_with("--- ") && next_is("+++ "))
        || (first.starts_with("Index: ") && next_is("===="))
}

/// Lines of a hunk that are still to come.
#[derive(Debug, Clone, Copy, Default)]
struct Hunk {
    old: u32,
    new: u32,
}

impl Hunk {
    /// The hunk that a line like `@@ -1,5 +1,7 @@` begins.
    fn of(line: &str) -> Option<Hunk> {
        let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let count = |range: &str| match range.split_once(',') {
            Some((start, count)) => start.parse::<u32>().and(count.parse::<u32>()).ok(),
            None => range.parse::<u32>().ok().map(|_| 1),
        };
        Some(Hunk { old: count(old)?, new: count(new)? })
    }

    fn is_open(self) -> bool {
        self.old != 0 || self.new != 0
    }

    /// Takes the next line, if it can be part of the hunk.
    fn takes(&mut self, line: &str) -> bool {
        let (old, new) = match line.bytes().next() {
            // Programs take the blank of an empty line away.
            Some(b' ') | None => (1, 1),
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b'\\') => (0, 0),
            Some(_) => {
                *self = Hunk::default();
                return false;
            }
        };
        self.old = self.old.saturating_sub(old);
        self.new = self.new.saturating_sub(new);
        true
    }
}

/// The lines of a patch by their kind.
pub(super) fn read(lines: impl Iterator<Item = String>) -> Vec<DiffLine> {
    let mut hunk = Hunk::default();
    lines
        .map(|line| {
            if hunk.is_open() && hunk.takes(&line) {
                return match line.bytes().next() {
                    Some(b'+') => DiffLine::Added(line),
                    Some(b'-') => DiffLine::Removed(line),
                    _ => DiffLine::Same(line),
                };
            }
            if let Some(next) = Hunk::of(&line) {
                hunk = next;
            }
            DiffLine::Head(line)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_of(text: &str) -> usize {
        length(text.lines())
    }

    #[test]
    fn a_patch_ends_behind_its_last_hunk() {
        let patch =
            "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn x\n a\n-b\n+c\n";
        assert_eq!(length_of(&format!("{patch}-- \n2.39")), 8);
        assert_eq!(length_of(&format!("{patch}\n\nText")), 8);
        assert_eq!(length_of(&format!("{patch}\ndiff --git a/y b/y\nBinary files differ\n")), 11);
        assert_eq!(length_of("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\nnice, is it not?"), 5);
    }

    #[test]
    fn text_that_begins_with_dashes_is_none() {
        for text in ["--- \nhello", "- a\n+ b", "diff of opinion\nx", "@@ what", "@@ -x +y @@", ""] {
            assert_eq!(length_of(text), 0, "{text}");
        }
    }

    #[test]
    fn lines_of_a_patch_have_kinds() {
        let lines = ["--- a", "+++ b", "@@ -1,2 +1,1 @@", " a", "--- b"].map(str::to_owned);
        let kinds: Vec<String> = read(lines.into_iter()).iter().map(|line| format!("{line:?}")).collect();
        assert!(
            kinds[1].starts_with("Head") && kinds[3].starts_with("Same") && kinds[4].starts_with("Removed")
        );
    }
}
