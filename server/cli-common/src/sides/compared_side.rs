//! Sides of a comparison.

/// Side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparedSide {
    /// Before the change.
    Base,
    /// After the change.
    Head,
}

impl ComparedSide {
    /// Returns what belongs to this side.
    pub fn choose<T>(self, base: T, head: T) -> T {
        match self {
            ComparedSide::Base => base,
            ComparedSide::Head => head,
        }
    }
}
