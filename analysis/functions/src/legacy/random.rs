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
mod tests {
    use super::Random;

    /// What Ruby 3.1 says: the first three of `Random.new(seed).rand(count)`.
    #[test]
    fn numbers_are_those_of_ruby() {
        for (seed, count, expected) in EXPECTED {
            let mut random = Random::from_hexadecimal(seed);
            let numbers: Vec<u64> = (0..3).map(|_| random.below(*count)).collect();
            assert_eq!(numbers, *expected, "{seed} {count}");
        }
    }

    const EXPECTED: &[(&str, u64, [u64; 3])] = &[
        ("0", 1, [0, 0, 0]),
        ("0", 2, [0, 1, 1]),
        ("0", 30, [12, 15, 21]),
        ("0", 1000, [684, 559, 629]),
        ("0", 4294967296, [2357136044, 2546248239, 3071714933]),
        ("0", 5000000000, [2546248239, 1277901399, 243580376]),
        ("0", 9223372036854775807, [900450186894289455, 3969543146641149120, 1895649597198586619]),
        ("1", 1, [0, 0, 0]),
        ("1", 2, [1, 1, 0]),
        ("1", 30, [5, 11, 12]),
        ("1", 1000, [37, 235, 908]),
        ("1", 4294967296, [1791095845, 4282876139, 3093770124]),
        ("1", 5000000000, [4005303368, 4845257609, 1703301249]),
        ("1", 9223372036854775807, [7692698082559361259, 4064269471072392264, 2109959069025161]),
        ("2a", 1, [0, 0, 0]),
        ("2a", 2, [0, 1, 0]),
        ("2a", 30, [6, 19, 28]),
        ("2a", 1000, [102, 435, 860]),
        ("2a", 4294967296, [1608637542, 3421126067, 4083286876]),
        ("2a", 5000000000, [3421126067, 787846414, 3348747335]),
        ("2a", 9223372036854775807, [6909045637428952499, 8314211556539077902, 4279532810384561223]),
        ("ffffffff", 1, [0, 0, 0]),
        ("ffffffff", 2, [1, 0, 0]),
        ("ffffffff", 30, [3, 2, 12]),
        ("ffffffff", 1000, [419, 290, 12]),
        ("ffffffff", 4294967296, [419326371, 479346978, 3918654476]),
        ("ffffffff", 5000000000, [4774314274, 2416749639, 2260532800]),
        ("ffffffff", 9223372036854775807, [1800993050274709794, 7607120784305990727, 5331760257347419712]),
        ("100000000", 1, [0, 0, 0]),
        ("100000000", 2, [0, 1, 1]),
        ("100000000", 30, [12, 15, 21]),
        ("100000000", 1000, [684, 559, 629]),
        ("100000000", 4294967296, [2357136044, 2546248239, 3071714933]),
        ("100000000", 5000000000, [2546248239, 1277901399, 243580376]),
        ("100000000", 9223372036854775807, [900450186894289455, 3969543146641149120, 1895649597198586619]),
        ("100000001", 1, [0, 0, 0]),
        ("100000001", 2, [1, 1, 0]),
        ("100000001", 30, [5, 11, 12]),
        ("100000001", 1000, [37, 235, 908]),
        ("100000001", 4294967296, [1791095845, 4282876139, 3093770124]),
        ("100000001", 5000000000, [4005303368, 4845257609, 1703301249]),
        ("100000001", 9223372036854775807, [7692698082559361259, 4064269471072392264, 2109959069025161]),
        ("1ffffffff", 1, [0, 0, 0]),
        ("1ffffffff", 2, [1, 0, 0]),
        ("1ffffffff", 30, [3, 2, 12]),
        ("1ffffffff", 1000, [419, 290, 12]),
        ("1ffffffff", 4294967296, [419326371, 479346978, 3918654476]),
        ("1ffffffff", 5000000000, [4774314274, 2416749639, 2260532800]),
        ("1ffffffff", 9223372036854775807, [1800993050274709794, 7607120784305990727, 5331760257347419712]),
        ("2ffffffff", 1, [0, 0, 0]),
        ("2ffffffff", 2, [1, 0, 1]),
        ("2ffffffff", 30, [13, 20, 21]),
        ("2ffffffff", 1000, [109, 52, 127]),
        ("2ffffffff", 4294967296, [643500141, 1827900468, 1677327487]),
        ("2ffffffff", 5000000000, [1563483202, 1460351414, 2640640136]),
        ("2ffffffff", 9223372036854775807, [2763812062394289204, 7204066704294725621, 2555725442676767645]),
        ("123456789abcdef0", 1, [0, 0, 0]),
        ("123456789abcdef0", 2, [0, 0, 0]),
        ("123456789abcdef0", 30, [24, 8, 22]),
        ("123456789abcdef0", 1000, [888, 936, 54]),
        ("123456789abcdef0", 4294967296, [3646699384, 2523371432, 4144361526]),
        ("123456789abcdef0", 5000000000, [2523371432, 3901169663, 1493822412]),
        (
            "123456789abcdef0",
            9223372036854775807,
            [6439082558291941288, 8576525184017047551, 7122650564589308686],
        ),
        ("0cc175b9c0f1b6a831c399e269772661", 1, [0, 0, 0]),
        ("0cc175b9c0f1b6a831c399e269772661", 2, [1, 0, 1]),
        ("0cc175b9c0f1b6a831c399e269772661", 30, [26, 26, 4]),
        ("0cc175b9c0f1b6a831c399e269772661", 1000, [159, 474, 191]),
        ("0cc175b9c0f1b6a831c399e269772661", 4294967296, [2017928351, 2962998746, 3829016767]),
        ("0cc175b9c0f1b6a831c399e269772661", 5000000000, [3609532260, 2547060890, 529845055]),
        (
            "0cc175b9c0f1b6a831c399e269772661",
            9223372036854775807,
            [8666936276179207642, 7222129757271345274, 5207477992642910052],
        ),
        ("00000001c0f1b6a831c399e269772661", 1, [0, 0, 0]),
        ("00000001c0f1b6a831c399e269772661", 2, [1, 1, 0]),
        ("00000001c0f1b6a831c399e269772661", 30, [15, 15, 4]),
        ("00000001c0f1b6a831c399e269772661", 1000, [303, 463, 356]),
        ("00000001c0f1b6a831c399e269772661", 4294967296, [3817561391, 2810200527, 2474440036]),
        ("00000001c0f1b6a831c399e269772661", 5000000000, [4151618053, 402965489, 4434543522]),
        (
            "00000001c0f1b6a831c399e269772661",
            9223372036854775807,
            [7172929290772693455, 1404266997829904901, 4361510717270735224],
        ),
        ("00000000c0f1b6a831c399e269772661", 1, [0, 0, 0]),
        ("00000000c0f1b6a831c399e269772661", 2, [1, 1, 0]),
        ("00000000c0f1b6a831c399e269772661", 30, [15, 15, 4]),
        ("00000000c0f1b6a831c399e269772661", 1000, [303, 463, 356]),
        ("00000000c0f1b6a831c399e269772661", 4294967296, [3817561391, 2810200527, 2474440036]),
        ("00000000c0f1b6a831c399e269772661", 5000000000, [4151618053, 402965489, 4434543522]),
        (
            "00000000c0f1b6a831c399e269772661",
            9223372036854775807,
            [7172929290772693455, 1404266997829904901, 4361510717270735224],
        ),
        ("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 1, [0, 0, 0]),
        ("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 2, [1, 0, 0]),
        ("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 30, [19, 28, 19]),
        ("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 1000, [179, 284, 990]),
        (
            "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
            4294967296,
            [2864819379, 2494690588, 202967006],
        ),
        (
            "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
            5000000000,
            [3718099475, 2448725832, 4209869472],
        ),
        (
            "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
            9223372036854775807,
            [3080933507391943964, 871736656655135251, 3073706400376126218],
        ),
    ];
}
