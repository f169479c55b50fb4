//! Random numbers that are the same as Ruby's for the same seed: its Mersenne Twister, MT19937.

const SIZE: usize = 624;
const SHIFT: usize = 397;

/// `Random.new(seed)`
pub(crate) struct Random {
    state: [u32; SIZE],
    next: usize,
}

impl Random {
    /// `seed`: a number that is not negative, its lowest 32 bits first.
    pub(crate) fn new(seed: &[u32]) -> Random {
        let length = seed.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
        let mut words = &seed[..length.min(seed.len())];
        // Ruby takes a highest word of 1 for a guard of its own.
        if words.len() > 1 && words.last() == Some(&1) {
            words = &words[..words.len() - 1];
        }
        match words {
            [] => Random::from_number(0),
            [word] => Random::from_number(*word),
            words => Random::from_words(words),
        }
    }

    /// The seed as a number in hexadecimal digits.
    pub(crate) fn from_hexadecimal(digits: &str) -> Random {
        let words: Vec<u32> = digits
            .as_bytes()
            .rchunks(8)
            .map(|chunk| {
                chunk.iter().fold(0, |word, digit| word << 4 | char::from(*digit).to_digit(16).unwrap_or(0))
            })
            .collect();
        Random::new(&words)
    }

    fn from_number(seed: u32) -> Random {
        let mut state = [0; SIZE];
        state[0] = seed;
        for index in 1..SIZE {
            let before: u32 = state[index - 1];
            state[index] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(index as u32);
        }
        Random { state, next: SIZE }
    }

    fn from_words(words: &[u32]) -> Random {
        let mut random = Random::from_number(19_650_218);
        let state = &mut random.state;
        let (mut at, mut word) = (1, 0);
        for _ in 0..SIZE.max(words.len()) {
            let before = state[at - 1];
            state[at] = (state[at] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(words[word])
                .wrapping_add(word as u32);
            at += 1;
            word = (word + 1) % words.len();
            if at >= SIZE {
                state[0] = state[SIZE - 1];
                at = 1;
            }
        }
        for _ in 1..SIZE {
            let before = state[at - 1];
            state[at] =
                (state[at] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(at as u32);
            at += 1;
            if at >= SIZE {
                state[0] = state[SIZE - 1];
                at = 1;
            }
        }
        state[0] = 0x8000_0000;
        random
    }

    fn fill(&mut self) {
        for index in 0..SIZE {
            let joined = self.state[index] & 0x8000_0000 | self.state[(index + 1) % SIZE] & 0x7fff_ffff;
            let twist = if joined & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[index] = self.state[(index + SHIFT) % SIZE] ^ joined >> 1 ^ twist;
        }
        self.next = 0;
    }

    fn word(&mut self) -> u32 {
        if self.next >= SIZE {
            self.fill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// `rand(count)`: from 0 to below `count`, which must not be 0.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        let limit = count.saturating_sub(1);
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        'again: loop {
            let mut value = 0;
            for half in [32, 0] {
                if mask >> half & 0xffff_ffff != 0 {
                    value = (value | u64::from(self.word()) << half) & mask;
                    if value > limit {
                        continue 'again;
                    }
                }
            }
            return value;
        }
    }
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
