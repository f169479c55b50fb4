//! Almost valid inputs: deterministic mutations of seeds.

/// Maximum length of an input in bytes; longer ones are truncated.
const MAX_LENGTH: usize = 4096;

/// Strings with a meaning to at least one of the parsers.
const WORDS: &[&str] = &[
    "%{",
    "}",
    "%{lookup('a')}",
    "%{alias('a')}",
    "<%",
    "<%=",
    "-%>",
    "%>",
    "&a ",
    "*a",
    "<<: ",
    "? ",
    "- ",
    ": ",
    "{",
    "[",
    "]",
    "${a}",
    "${?a}",
    "+=",
    "include \"a\"",
    "\"\"\"",
    "\\u0000",
    "\\",
    "'",
    "\"",
    "#{",
    "@(E)",
    "| E",
    "::",
    "=>",
    "(",
    ")",
    "$a",
    "Array[",
    "Variant[",
    "%999999d",
    "%-*d",
    "(?<a>",
    "(?=",
    "\\1",
    "{1,1000}",
    "+)+",
    "[^",
    "&&[",
    "\\p{L}",
    "do |a|",
    "end\n",
    "Content-Length: 99\r\n\r\n",
    "\r\n",
    "\n",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "9999999999999999999",
    "-1",
    "1e999",
    "!ruby/object:A",
    "---\n",
    "...\n",
    "|+2\n",
    ">-\n",
    "!!binary ",
    "mod 'a', ",
    ":git => ",
    "version: 5\n",
    "mapped_paths: [a, b, c]",
];

/// Pseudorandom numbers that depend only on the seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct SeededRandom(u64);

impl SeededRandom {
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = (length - start).min(1 << self.below(8));
        start..start + self.below(longest + 1)
    }
}

/// Returns one of the seeds with a few changes, which may insert parts of other seeds.
pub fn mutated(seeds: &[Vec<u8>], chance: &mut SeededRandom) -> Vec<u8> {
    let one = |chance: &mut SeededRandom| seeds.get(chance.below(seeds.len())).cloned().unwrap_or_default();
    let mut bytes = one(chance);
    for _ in 0..=chance.below(8) {
        let range = chance.range(bytes.len());
        match chance.below(7) {
            0 => {
                bytes.drain(range);
            }
            1 => {
                let other = one(chance);
                let part = chance.range(other.len());
                bytes.splice(range, other[part].iter().copied());
            }
            2 => {
                let copied = bytes[range.clone()].repeat(1 + chance.below(40));
                bytes.splice(range, copied);
            }
            3 => {
                for at in range {
                    bytes[at] = chance.next() as u8;
                }
            }
            4 => {
                let times = 1 + chance.below(3) * chance.below(200);
                let word = WORDS[chance.below(WORDS.len())].as_bytes().repeat(times);
                bytes.splice(range.start..range.start, word);
            }
            5 => {
                if let Some(byte) = bytes.get_mut(range.start) {
                    *byte ^= 1 << chance.below(8);
                }
            }
            _ => {
                let to = chance.below(bytes.len() + 1 - range.len());
                let moved: Vec<u8> = bytes.drain(range).collect();
                bytes.splice(to..to, moved);
            }
        }
        bytes.truncate(MAX_LENGTH);
    }
    bytes
}
