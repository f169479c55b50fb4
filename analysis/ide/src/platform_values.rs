//! Values of expressions in a class on each platform that its module supports.
//!
//! This takes two steps: [`platform_values`] compiles the class, which may take long, and
//! [`values_by_platform`] reads the results.

use std::sync::Arc;

use compile::Summary;
use eval::{RecordedValue, World};
use hir::DefinitionKind;
use output::markdown::code_span;
use project::{Db, DefinitionId, File, FileKind};
use symbols::recorded_value::{self, Evaluated};
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxNode};

use crate::class_catalogs;
use crate::hover::{MAX_TYPE_LENGTH, MAX_VALUE_LENGTH, is_statement, token_at};

/// Maximum number of distinct values to show; further values are only counted.
const MAX_DISTINCT_VALUES: usize = 4;

/// A class that can be compiled for the platforms of its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlatformClass(DefinitionId);

/// Values of the expressions in a class, recorded while compiling it for each of its platforms.
#[derive(Debug)]
pub struct PlatformValues {
    /// Names of the platforms, each with its recorded values.
    compiled: Vec<(String, Arc<Summary>)>,
}

/// Returns the class around an offset, if the value there may differ between platforms. Compiles nothing.
pub(crate) fn class_with_values(db: &dyn Db, file: File, offset: u32) -> Option<PlatformClass> {
    let (evaluated, node) = evaluated_at(db, file, offset)?;
    // An expression without a value in the general evaluation has none on a platform either.
    recorded_around(&evaluated, &node)?;
    let class = class_catalogs::class_of(db, evaluated.definition).filter(|it| it.module.is_some())?;
    let platforms = compile::class_platforms(db, class.environment.0, class.module);
    (platforms.len() > 1).then_some(PlatformClass(evaluated.definition))
}

/// Compiles a class for all its platforms, as far as that is not done yet. The result is empty if a required
/// file cannot be loaded.
pub(crate) fn platform_values(db: &dyn Db, PlatformClass(definition): PlatformClass) -> PlatformValues {
    let compiled = class_catalogs::class_of(db, definition).and_then(|class| {
        let environment = class.environment.0;
        let platforms = compile::class_platforms(db, environment, class.module).into_iter();
        let compiled = platforms.map(|(facts, platform)| {
            let summary = compile::values_in_class(db, environment, definition, facts)?;
            Some((platform.to_string(), summary))
        });
        compiled.collect()
    });
    PlatformValues { compiled: compiled.unwrap_or_default() }
}

/// Formats the values at an offset by platform as a Markdown sentence; `None` if the value is the same
/// everywhere. Compiles nothing.
pub(crate) fn values_by_platform(
    db: &dyn Db,
    file: File,
    offset: u32,
    values: &PlatformValues,
) -> Option<String> {
    let (evaluated, node) = evaluated_at(db, file, offset)?;
    let definition = evaluated.definition;
    let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
    for (platform, summary) in &values.compiled {
        let there = Evaluated { summary: summary.clone(), ..evaluated.clone() };
        // Evaluation may not have reached this expression on that platform.
        let Some(recorded) = recorded_around(&there, &node) else { continue };
        let text = compile::with_world(db, definition, |world| text_of(&recorded, world))?;
        match shown.iter_mut().find(|(known, _)| *known == text) {
            Some((_, platforms)) => platforms.push(platform),
            None => shown.push((text, vec![platform])),
        }
    }
    if shown.len() < 2 {
        return None;
    }
    let others = shown.len().saturating_sub(MAX_DISTINCT_VALUES);
    let parts = shown.iter().take(MAX_DISTINCT_VALUES);
    let mut parts: Vec<String> =
        parts.map(|(text, platforms)| format!("{text} ({})", platforms.join(", "))).collect();
    if others > 0 {
        parts.push(format!("{others} more"));
    }
    Some(format!("By platform: {}", parts.join(", ")))
}

/// Returns the general evaluation of the class around an offset, and the node at the offset.
fn evaluated_at(db: &dyn Db, file: File, offset: u32) -> Option<(Evaluated, SyntaxNode)> {
    if file.is_large(db) || project::file_kind(db, file) != FileKind::Manifest {
        return None;
    }
    let node = token_at(project::parse(db, file).tree().syntax(), offset)?.parent()?;
    let evaluated = Evaluated::around(db, file, &node)?;
    (evaluated.definition.key(db).kind == DefinitionKind::Class).then_some((evaluated, node))
}

/// Returns the value of the parameter, or of the smallest expression, around a node.
fn recorded_around(evaluated: &Evaluated, node: &SyntaxNode) -> Option<RecordedValue> {
    if let Some(parameter) = ast::Parameter::cast(node.clone()) {
        return evaluated.parameter(&parameter)?.1;
    }
    for node in node.ancestors() {
        if is_statement(node.kind()) {
            return None;
        }
        let Some(expr) = Expr::cast(node.clone()) else { continue };
        match (evaluated.value(&node), expr) {
            (Some(recorded), _) => return Some(recorded),
            // A variable that was never evaluated is not explained by the expression around it.
            (None, Expr::VariableExpr(_)) => return None,
            (None, _) => {}
        }
    }
    None
}

/// Formats the recorded values if they are known, otherwise the type.
fn text_of(recorded: &RecordedValue, world: &World<'_>) -> String {
    match recorded_value::known_values(recorded) {
        Some(values) => {
            let texts =
                values.iter().map(|it| code_span(&recorded_value::short_value(it, MAX_VALUE_LENGTH, world)));
            texts.collect::<Vec<_>>().join(" or ")
        }
        None => code_span(&recorded_value::short_type(
            &recorded_value::type_of(recorded, world),
            MAX_TYPE_LENGTH,
            world,
        )),
    }
}
