//! Names that are almost those of Puppet's own functions and types.

use crate::function::FunctionLibrary;

/// Shorter names are too easily something else.
const SHORTEST: usize = 4;

/// Puppet's own function that a name differs from by one letter.
pub fn similar_function(functions: &dyn FunctionLibrary, name: &str) -> Option<&'static str> {
    if functions.built_in(name).is_some() || functions.of_stdlib(name).is_some() {
        return None;
    }
    functions.built_in_names().into_iter().find(|known| is_misspelt(name, known))
}

/// Puppet's own data type that a name differs from by one letter; case does not matter.
pub fn similar_type(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let types = plugins::built_in::data_types().iter().filter(|it| it.is_offered).map(|it| it.name);
    types.into_iter().find(|known| is_misspelt(&name, &known.to_ascii_lowercase()))
}

/// Does one letter too many, too few, wrong, or changed with its neighbour make the difference?
fn is_misspelt(name: &str, known: &str) -> bool {
    let (name, known) = (name.as_bytes(), known.as_bytes());
    if known.len() < SHORTEST || name.len().abs_diff(known.len()) > 1 || name == known {
        return false;
    }
    let start = name.iter().zip(known).take_while(|(a, b)| a == b).count();
    let (name, known) = (&name[start..], &known[start..]);
    match (name, known) {
        ([a, b, name @ ..], [c, d, known @ ..]) if (a, b) == (d, c) && name == known => true,
        ([_, name @ ..], [_, known @ ..]) if name == known => true,
        ([_, name @ ..], known) if name == known => true,
        (name, [_, known @ ..]) => name == known,
        _ => false,
    }
}
