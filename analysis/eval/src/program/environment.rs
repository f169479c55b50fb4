//! Everything that an evaluation reads, as one interface.

use super::definitions::{Definitions, Loading, Precomputed};
use super::facts_and_data::{FactsAndData, OtherNodes};
use super::files::Files;
use super::observer::{Observer, ReadObserver};

/// Environment of an evaluation.
pub trait Program:
    Definitions + Precomputed + Files + FactsAndData + OtherNodes + Loading + ReadObserver + Observer
{
}

impl<P: Definitions + Precomputed + Files + FactsAndData + OtherNodes + Loading + ReadObserver + Observer>
    Program for P
{
}
