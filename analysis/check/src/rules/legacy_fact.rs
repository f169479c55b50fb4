#![doc = include_str!("../../pages/legacy-fact.md")]

use plugins::built_in;
use syntax::{SyntaxKind, TextRange};

use super::unknown_fact;
use crate::FixData;
use crate::context::RuleContext;

/// Reports the legacy fact `name`; `range` is where its name alone stands.
pub(super) fn report(context: &mut RuleContext<'_>, name: &str, range: TextRange) {
    let mut diagnostic = unknown_fact::legacy(context, name, range);
    if let (Some(text), Some((range, is_interpolated))) =
        (built_in::replacement_of_legacy_fact(name), whole_access(context, range))
    {
        let text = if is_interpolated { format!("{{{}}}", text.trim_start_matches('$')) } else { text };
        let text = if is_interpolated { format!("${text}") } else { text };
        diagnostic = diagnostic.with_data(FixData::ReplaceWith { range, text: text.into() });
    }
    context.report(diagnostic);
}

/// The expression that reads the fact: `$::name`, `$facts['name']`; and whether it is the whole of an interpolation whose
/// braces have to be written anew.
fn whole_access(context: &RuleContext<'_>, range: TextRange) -> Option<(TextRange, bool)> {
    let node = context.tree().covering_element(range)?.parent()?;
    let access = node.ancestors().find(|it| {
        matches!(it.kind(), SyntaxKind::VARIABLE_EXPR | SyntaxKind::ACCESS_EXPR | SyntaxKind::INTERPOLATION)
    })?;
    match access.kind() {
        SyntaxKind::INTERPOLATION => Some((access.text_range(), true)),
        SyntaxKind::VARIABLE_EXPR => {
            let parent = access.parent()?;
            match parent.kind() == SyntaxKind::INTERPOLATION {
                true => Some((parent.text_range(), true)),
                false => Some((access.text_range(), false)),
            }
        }
        _ => {
            let parent = access.parent()?;
            match parent.kind() == SyntaxKind::INTERPOLATION {
                true => Some((parent.text_range(), true)),
                false => Some((access.text_range(), false)),
            }
        }
    }
}
