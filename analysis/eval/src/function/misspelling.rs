//! Names that are almost those of Puppet's own functions.

use scalars::similar::is_misspelt;

use crate::function::FunctionLibrary;

/// Puppet's own function that a name differs from by one letter.
pub fn similar_function(functions: &dyn FunctionLibrary, name: &str) -> Option<&'static str> {
    if functions.built_in(name).is_some() || functions.of_stdlib(name).is_some() {
        return None;
    }
    functions.built_in_names().into_iter().find(|known| is_misspelt(name, known))
}
