//! Types of expressions in manifests.

use project::{Db, File};
use rewrites::epp::ValueShape;
use symbols::recorded_value::{self, Evaluated};
use syntax::TextRange;
use types::Type;

/// Maximum length of a type in code, in characters.
const MAX_LENGTH: usize = 400;

/// Returns the type of the expression at a range, for a value on every platform: its notation and its shape.
/// `None` if nothing is known.
pub(crate) fn expression_type(db: &dyn Db, file: File, range: TextRange) -> Option<(String, ValueShape)> {
    let parse = project::parse(db, file);
    let root = parse.syntax();
    let mut nodes = root.descendants().filter(|it| it.text_range() == range);
    let (evaluated, recorded) = nodes.find_map(|node| {
        let evaluated = Evaluated::around(db, file, &node)?;
        let recorded = evaluated.value(&node)?;
        Some((evaluated, recorded))
    })?;
    compile::with_world(db, evaluated.definition, |world| {
        let ty = recorded_value::type_of(&recorded, world);
        if matches!(ty, Type::Any | Type::Unit) {
            return None;
        }
        let text = match &ty {
            // The inferred length of a string is no requirement.
            Type::String(size) if (size.min, size.is_unlimited()) != (1, true) => "String".to_owned(),
            ty => recorded_value::short_type(ty, MAX_LENGTH, world),
        };
        let declaration = syntax::parse(&format!("function f({text} $x) {{}}"), syntax::Language::Manifest);
        let is_whole = !text.contains(['…', '\n', '$', '#']) && declaration.errors().is_empty();
        is_whole.then(|| (text, ValueShape::of(&ty, world)))
    })
    .flatten()
}
