//! Similar names of Puppet's own functions.

use scalars::similar::is_misspelled;

use crate::function::FunctionLibrary;

/// Returns the built-in function whose name differs by one letter.
pub fn similar_function(functions: &dyn FunctionLibrary, name: &str) -> Option<&'static str> {
    if functions.built_in(name).is_some() || functions.of_stdlib(name).is_some() {
        return None;
    }
    functions.built_in_names().into_iter().find(|known| is_misspelled(name, known))
}
