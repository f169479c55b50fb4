//! Random numbers identical to Ruby's for the same seed. The generator is MT19937; seeding with large numbers
//! and the reduction to a limit are specific to Ruby.

use rand_mt::Mt;

/// Generator equivalent to Ruby's `Random.new(seed)`.
pub struct Random {
    words: Mt,
}

impl Random {
    /// Creates a generator. `seed` is a nonnegative number as 32-bit words in little-endian order.
    pub fn new(seed: &[u32]) -> Random {
        let length = seed.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
        let mut words = &seed[..length.min(seed.len())];
        // Ruby treats a highest word of 1 as a guard.
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

    /// Creates a generator with a seed in hexadecimal digits.
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

    /// Evaluates `rand(count)`: returns a number below `count`, which must not be 0.
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
