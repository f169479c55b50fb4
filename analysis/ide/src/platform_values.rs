//! What an expression of a class is worth on each platform that its module supports.
//!
//! Two steps: [`platform_values`] compiles the class, which takes its time, and [`values_by_platform`] reads in what came of it.

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
use crate::hover::{MAX_TYPE, MAX_VALUE, is_statement, token_at};

/// More different values are counted, not shown.
const MAX_DIFFERENT: usize = 4;

/// A class that can be compiled for the platforms of its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlatformClass(DefinitionId);

/// What the expressions of a class were worth when it was compiled for each of its platforms.
#[derive(Debug)]
pub struct PlatformValues {
    /// The names of the platforms, each with what was found there.
    compiled: Vec<(String, Arc<Summary>)>,
}

/// The class around an offset, where the thing there may be worth something else on each platform. Compiles nothing.
pub(crate) fn class_with_values(db: &dyn Db, file: File, offset: u32) -> Option<PlatformClass> {
    let (evaluated, node) = evaluated_at(db, file, offset)?;
    // What has no worth by itself has none on a platform.
    worth(&evaluated, &node)?;
    let class = class_catalogs::class_of(db, evaluated.definition)?;
    let platforms = compile::class_platforms(db, class.environment.0, class.module);
    (platforms.len() > 1).then_some(PlatformClass(evaluated.definition))
}

/// Compiles a class for all its platforms, as far as that was not done yet. Nothing is known where a file that is needed cannot be
/// loaded.
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

/// A sentence in Markdown about the thing at an offset of a class, of which the `values` are known; `None` where it is worth the
/// same everywhere. Compiles nothing.
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
        // It may not have come that far.
        let Some(worth) = worth(&there, &node) else { continue };
        let text = compile::with_world(db, definition, |world| text_of(&worth, world))?;
        match shown.iter_mut().find(|(known, _)| *known == text) {
            Some((_, platforms)) => platforms.push(platform),
            None => shown.push((text, vec![platform])),
        }
    }
    if shown.len() < 2 {
        return None;
    }
    let others = shown.len().saturating_sub(MAX_DIFFERENT);
    let parts = shown.iter().take(MAX_DIFFERENT);
    let mut parts: Vec<String> =
        parts.map(|(text, platforms)| format!("{text} ({})", platforms.join(", "))).collect();
    if others > 0 {
        parts.push(format!("{others} other values elsewhere"));
    }
    Some(format!("By platform: {}", parts.join(", ")))
}

/// The class around an offset as it is evaluated by itself, and what stands there.
fn evaluated_at(db: &dyn Db, file: File, offset: u32) -> Option<(Evaluated, SyntaxNode)> {
    if file.is_large(db) || project::file_kind(db, file) != FileKind::Manifest {
        return None;
    }
    let node = token_at(project::parse(db, file).tree().syntax(), offset)?.parent()?;
    let evaluated = Evaluated::around(db, file, &node)?;
    (evaluated.definition.key(db).kind == DefinitionKind::Class).then_some((evaluated, node))
}

/// What the parameter, or the smallest expression, around a token was worth.
fn worth(evaluated: &Evaluated, node: &SyntaxNode) -> Option<RecordedValue> {
    if let Some(parameter) = ast::Parameter::cast(node.clone()) {
        return evaluated.parameter(&parameter)?.1;
    }
    for node in node.ancestors() {
        if is_statement(node.kind()) {
            return None;
        }
        let Some(expr) = Expr::cast(node.clone()) else { continue };
        match (evaluated.worth(&node), expr) {
            (Some(worth), _) => return Some(worth),
            // What was never evaluated is not explained by what is around it.
            (None, Expr::VariableExpr(_)) => return None,
            (None, _) => {}
        }
    }
    None
}

/// The values of a fact, where they are known; else its type.
fn text_of(worth: &RecordedValue, world: &World<'_>) -> String {
    match recorded_value::known_values(worth) {
        Some(values) => {
            let texts = values.iter().map(|it| code_span(&recorded_value::short_value(it, MAX_VALUE, world)));
            texts.collect::<Vec<_>>().join(" or ")
        }
        None => {
            code_span(&recorded_value::short_type(&recorded_value::type_of(worth, world), MAX_TYPE, world))
        }
    }
}
