//! What an expression of a class is worth on each platform that its module supports.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eval::{World, Worth};
use hir::DefinitionKind;
use output::markdown::code_span;
use project::{Db, File, FileKind};
use symbols::worth::{self, Evaluated};
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxNode};

use crate::class_catalogs;
use crate::hover::{MOST_TYPE, MOST_VALUE, is_statement, token_at};

/// More different values are counted, not shown.
const MOST_DIFFERENT: usize = 4;

/// A sentence in Markdown about the thing at an offset; `None` where it is worth the same everywhere, nothing is
/// known, or the compiles take longer than `budget`.
pub(crate) fn values_by_platform(db: &dyn Db, file: File, offset: u32, budget: Duration) -> Option<String> {
    if file.is_large(db) || project::file_kind(db, file) != FileKind::Manifest {
        return None;
    }
    let parse = project::parse(db, file);
    let node = token_at(parse.tree().syntax(), offset)?.parent()?;
    let evaluated = Evaluated::around(db, file, &node)?;
    let definition = evaluated.definition;
    if definition.key(db).kind != DefinitionKind::Class {
        return None;
    }
    // What has no worth by itself has none on a platform.
    worth(&evaluated, &node)?;
    let class = class_catalogs::class_of(db, definition)?;
    let start = Instant::now();
    let mut shown: Vec<(String, Vec<String>)> = Vec::new();
    for (facts, platform) in compile::class_platforms(db, class.environment.0, class.module) {
        if start.elapsed() > budget {
            return None;
        }
        let name = &definition.key(db).name;
        let summary = compile::values_in_class(db, class.environment.0, name, facts, definition)?;
        let there = Evaluated { summary: Arc::new(summary), ..evaluated.clone() };
        // It may not have come that far.
        let Some(worth) = worth(&there, &node) else { continue };
        let text = compile::with_world(db, definition, |world| text_of(&worth, world))?;
        match shown.iter_mut().find(|(known, _)| *known == text) {
            Some((_, platforms)) => platforms.push(platform.to_string()),
            None => shown.push((text, vec![platform.to_string()])),
        }
    }
    if shown.len() < 2 {
        return None;
    }
    let others = shown.len().saturating_sub(MOST_DIFFERENT);
    let parts = shown.iter().take(MOST_DIFFERENT);
    let mut parts: Vec<String> =
        parts.map(|(text, platforms)| format!("{text} ({})", platforms.join(", "))).collect();
    if others > 0 {
        parts.push(format!("{others} other values elsewhere"));
    }
    Some(format!("By platform: {}", parts.join(", ")))
}

/// What the parameter, or the smallest expression, around a token was worth.
fn worth(evaluated: &Evaluated, node: &SyntaxNode) -> Option<Worth> {
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
fn text_of(worth: &Worth, world: &World<'_>) -> String {
    match worth::known_values(worth) {
        Some(values) => {
            let texts = values.iter().map(|it| code_span(&worth::short_value(it, MOST_VALUE, world)));
            texts.collect::<Vec<_>>().join(" or ")
        }
        None => code_span(&worth::short_type(&worth::type_of(worth, world), MOST_TYPE, world)),
    }
}
