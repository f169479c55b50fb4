#![doc = include_str!("page.md")]

use codes::Code;
use eval::similar::similar;
use hir::{AttributeOperation, Body, Expr, ExprId, Name, ReferenceKind};
use memchr::memmem;
use plugins::built_in::RelationshipMetaparameter;
use project::{Db, Environment, File};
use rustc_hash::FxHashMap;

use super::unknown::with_suggestion;
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Reports references to resources whose title seems to be misspelled.
///
/// Only a complete catalog shows which resources exist. Within a definition, a title is reported if another
/// resource there has nearly the same title, and the words that differ occur nowhere else in the environment.
pub(super) fn check(context: &mut RuleContext<'_>) {
    let found: Vec<Diagnostic> =
        context.definitions.iter().flat_map(|definition| check_definition(context, definition)).collect();
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn check_definition(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> Vec<Diagnostic> {
    let body = &definition.body;
    let references = references(body);
    if references.is_empty() {
        return Vec::new();
    }
    let declared = declared(body);
    let missing = references.iter().filter_map(|reference| {
        let titles = declared.get(&reference.type_name)?;
        if titles.iter().any(|title| **title == *reference.title) {
            return None;
        }
        let near = similar(reference.title, titles.iter());
        if near.is_empty() {
            return None;
        }
        let written = references.iter().filter(|it| it.title == reference.title).count();
        let word = words(reference.title).find(|word| {
            near.iter().all(|title| words(title).all(|known| known != *word))
                && is_only_here(context, word, written)
        });
        word?;
        let type_name = types::display::capitalized_segments(&reference.type_name);
        let message =
            with_suggestion(format!("unknown resource `{type_name}['{}']`", reference.title), near.first());
        Some(Diagnostic::new(Code::UnknownReference, definition.range(reference.title_expr)?, message))
    });
    missing.collect()
}

/// Reference `Type['title']` in a relationship.
struct OrderReference<'a> {
    /// Name of the type in lowercase.
    type_name: Name,
    title: &'a Name,
    /// Expression of the title.
    title_expr: ExprId,
}

fn references(body: &Body) -> Vec<OrderReference<'_>> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs.iter() {
        match expr {
            Expr::Relationship { lhs, rhs, .. } => {
                [*lhs, *rhs].into_iter().for_each(|it| references_in(body, it, &mut found))
            }
            Expr::Resource { bodies, .. } => {
                for operation in bodies.iter().flat_map(|it| it.operations.iter()) {
                    let AttributeOperation::Set { name, value, .. } = operation else { continue };
                    if RelationshipMetaparameter::ALL.iter().any(|it| it.name() == name) {
                        references_in(body, *value, &mut found);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn references_in<'a>(body: &'a Body, expr: ExprId, found: &mut Vec<OrderReference<'a>>) {
    match &body[expr] {
        Expr::Array(elements) => elements.iter().for_each(|it| references_in(body, *it, found)),
        Expr::Access { lhs, keys } => {
            let Expr::TypeReference(type_name) = &body[*lhs] else { return };
            let type_name = hir::fold_name(type_name);
            if ReferenceKind::is_class(&type_name) {
                return;
            }
            found.extend(keys.iter().filter_map(|key| match &body[*key] {
                Expr::String(title) | Expr::Name(title) => {
                    Some(OrderReference { type_name: type_name.clone(), title, title_expr: *key })
                }
                _ => None,
            }));
        }
        _ => {}
    }
}

/// Returns the literal titles of resources, by type.
fn declared(body: &Body) -> FxHashMap<Name, Vec<&Name>> {
    let mut titles: FxHashMap<Name, Vec<&Name>> = FxHashMap::default();
    for (_, expr) in body.exprs.iter() {
        let Expr::Resource { type_expr, bodies, .. } = expr else { continue };
        let Expr::Name(type_name) = &body[*type_expr] else { continue };
        let of_type = titles.entry(hir::fold_name(type_name)).or_default();
        for resource in bodies {
            let written: Vec<&Expr> = match &body[resource.title] {
                Expr::Array(elements) => elements.iter().map(|it| &body[*it]).collect(),
                single => vec![single],
            };
            of_type.extend(written.into_iter().filter_map(|title| match title {
                Expr::String(title) | Expr::Name(title) => Some(title),
                _ => None,
            }));
        }
    }
    titles
}

fn words(title: &str) -> impl Iterator<Item = &str> {
    title.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty())
}

/// Returns true if the word occurs exactly `written` times in this file and nowhere else in the environment.
fn is_only_here(context: &RuleContext<'_>, word: &str, written: usize) -> bool {
    let here = project::text(context.db, context.file);
    let count = here.map_or(0, |text| words(&text).filter(|it| *it == word).count());
    let is_mentioned = || match mentioned_in(context.db, context.environment, word.into()) {
        Mentions::Nowhere => false,
        Mentions::In(file) => file != context.file,
        Mentions::Several => true,
    };
    count == written && !is_mentioned()
}

/// Files that contain a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mentions {
    Nowhere,
    In(File),
    Several,
}

#[salsa::tracked(returns(copy))]
fn mentioned_in(db: &dyn Db, environment: Environment, word: Name) -> Mentions {
    let own = project::environment_tree(db, environment);
    let trees = environment.modules(db).values().copied().chain(own);
    let files = trees.flat_map(|tree| tree.files(db).values().copied().collect::<Vec<_>>());
    let files = files.chain(environment.main_manifests(db).iter().copied());
    let finder = memmem::Finder::new(word.as_str());
    let mut having = files.filter(|file| {
        let text = project::text(db, *file).filter(|text| finder.find(text.as_bytes()).is_some());
        text.is_some_and(|text| words(&text).any(|it| it == word.as_str()))
    });
    match having.next() {
        None => Mentions::Nowhere,
        Some(first) if having.all(|other| other == first) => Mentions::In(first),
        Some(_) => Mentions::Several,
    }
}
