//! Damages files for the tests of readers.

/// Bytes that mean something to readers, or nothing to anybody.
const BYTES: &[u8] = b"\n\n :@!^[](){}*$%\\\0\xff\xc3#09az";

/// Makes damaged copies of files, the same ones in each run.
#[derive(Debug)]
pub(super) struct Mutations(u64);

impl Default for Mutations {
    fn default() -> Mutations {
        Mutations(1)
    }
}

impl Mutations {
    /// A number below this one.
    pub(super) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    /// A damaged copy.
    pub(super) fn of(&mut self, whole: &[u8]) -> Vec<u8> {
        let mut bytes = whole.to_vec();
        for _ in 0..=self.below(5) {
            let at = self.below(bytes.len() + 1);
            let byte = BYTES[self.below(BYTES.len())];
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 if at < bytes.len() => bytes[at] = byte,
                3 if at < bytes.len() => drop(bytes.remove(at)),
                4 => {
                    let copied = bytes[at..].to_vec();
                    bytes.extend(copied);
                }
                _ => {}
            }
        }
        bytes
    }
}
