//! Shards of a fleet.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Part of a fleet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub index: u32,
    /// Number of all shards.
    pub count: u32,
}

impl Shard {
    /// The whole fleet.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Returns true if a node belongs to this shard. Depends on nothing but the name and the number of shards.
    pub fn contains(self, certname: &str) -> bool {
        let hash = Sha256::digest(certname);
        let number = hash.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        number % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts =
            text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
            Some(_) => Err("the shard must be between 1 and the number of shards".to_owned()),
            None => Err("expected `I/N`, such as `1/8`".to_owned()),
        }
    }
}
