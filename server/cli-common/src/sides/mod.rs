//! What differs before and after a change apart from the code: module path, Hiera configuration, facts, and
//! classification.

mod arguments;
mod classifier;
mod compared_side;
mod overrides;

pub use self::arguments::SideArguments;
pub use self::classifier::NodeClassifier;
pub use self::compared_side::ComparedSide;
