//! Random numbers that are the same as Ruby's for the same seed: its generator is MT19937. How Ruby makes a state of a seed
//! that is a large number, and a number below a limit of the generator's words, is its own.

use rand_mt::Mt;

/// `Random.new(seed)`
pub struct Random {
    words: Mt,
}

impl Random {
    /// `seed`: a number that is not negative, its lowest 32 bits first.
    pub fn new(seed: &[u32]) -> Random {
        let length = seed.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
        let mut words = &seed[..length.min(seed.len())];
        // Ruby takes a highest word of 1 for a guard of its own.
        if words.len() > 1 && words.last() == Some(&1) {
            words = &words[..words.len() - 1];
        }
        let words = match words {
            [] => Mt::new(0),
            [word] => Mt::new(*word),
            words => Mt::new_with_key(words.iter().copied()),
        };
        Random { words }
    }

    /// The seed as a number in hexadecimal digits.
    pub fn from_hexadecimal(digits: &str) -> Random {
        let words: Vec<u32> = digits
            .as_bytes()
            .rchunks(8)
            .map(|chunk| {
                chunk.iter().fold(0, |word, digit| word << 4 | char::from(*digit).to_digit(16).unwrap_or(0))
            })
            .collect();
        Random::new(&words)
    }

    /// `rand(count)`: from 0 to below `count`, which must not be 0.
    pub fn below(&mut self, count: u64) -> u64 {
        let limit = count.saturating_sub(1);
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        'again: loop {
            let mut value = 0;
            for half in [32, 0] {
                if mask >> half & 0xffff_ffff != 0 {
                    value = (value | u64::from(self.words.next_u32()) << half) & mask;
                    if value > limit {
                        continue 'again;
                    }
                }
            }
            return value;
        }
    }
}
