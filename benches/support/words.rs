//! Made-up words, of which the k-th is written one k-th as often as the first, as in languages.

/// Words that there are.
pub(crate) const VOCABULARY: usize = 400_000;
/// Words of a text, at least, and how many more it may have.
pub(crate) const WORDS: (usize, usize) = (40, 120);

/// Numbers that are the same in every run (`SplitMix64`).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).expect("fits")).expect("fits")
    }
}

/// Draws words of which the k-th is as likely as the first divided by k.
pub(crate) struct Zipf {
    /// The sum of the likelihoods up to each word.
    sums: Vec<f64>,
}

impl Zipf {
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    pub(crate) fn new(words: usize) -> Zipf {
        let mut sum = 0.0;
        let sums = (1..=words).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Zipf { sums: sums.collect() }
    }

    #[expect(clippy::cast_precision_loss, reason = "32 bits fit")]
    pub(crate) fn draw(&self, random: &mut Random) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = (random.next() >> 32) as f64 / f64::from(u32::MAX) * total;
        self.sums.partition_point(|sum| *sum < at).min(self.sums.len() - 1)
    }
}

/// A word by its rank: short where it is common, as in languages, and spread over the alphabet.
pub(crate) fn word(rank: usize) -> String {
    let mut word = String::new();
    let mut rest = rank.wrapping_mul(7919) % 1_000_003 + rank / 1_000_003;
    let syllables = 1 + (rank + 10).ilog10() as usize / 2;
    while word.len() < syllables * 2 || 0 < rest {
        word.push(char::from(b"bcdfghklmnprstvz"[rest % 16]));
        rest /= 16;
        word.push(char::from(b"aeiou"[rest % 5]));
        rest /= 5;
    }
    word
}

pub(crate) fn words_of(random: &mut Random, words: &Zipf, number: usize) -> String {
    let mut text = String::new();
    for at in 0..number {
        text.push_str(if at % 12 == 11 { "\r\n" } else { " " });
        text.push_str(&word(words.draw(random)));
    }
    text
}
