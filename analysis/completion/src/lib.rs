//! What may be written at a place, while the file is broken: names, values and words that fit, the likeliest first.
//!
//! [`context`] says what may stand there; one file for each source of words (`sources`) then says which there are, and [`rank`] which of
//! them fit what is typed.

mod context;
mod details;
mod environment;
mod item;
mod rank;
mod sources;
mod usage;

use hir::{DefinitionKind, ReferenceKind};
use project::{Db, DefinitionId, File, FileKind};
use syntax::{AstNode, Language, SyntaxNode, TextRange};

use context::{CursorContext, CursorPlace, Expectation};
use sources::{
    attributes, classes, comments, constructs, erb, fact_names, functions, hiera_keys, metadata_json,
    resource_types, type_names, values, variables,
};

pub use context::{ResourceAtCursor, resource_around};
pub use details::{CompletionDetails, details};
pub use item::{CompletionItem, CompletionKind};

/// What may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// What they replace: the part of a word in front of the cursor.
    pub range: TextRange,
    /// The best first.
    pub items: Vec<CompletionItem>,
    /// Were some left out, so that it is worth asking again when more is typed?
    pub is_cut: bool,
}

/// What all sources of completions are asked with.
struct CompletionRequest<'r> {
    db: &'r dyn Db,
    file: File,
    root: &'r SyntaxNode,
    context: &'r CursorContext,
    offset: u32,
    language: Language,
}

/// What may be written at an offset; `None` where nothing may.
pub fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    if file.is_large(db) {
        return None;
    }
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_json::completions(db, file, offset),
        FileKind::Data => return hiera_keys::completions(db, file, offset),
        FileKind::ErbTemplate => return erb::completions(db, file, offset),
        FileKind::HieraConfiguration => return None,
        _ => {}
    }
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let text = project::text(db, file)?;
    let context = context::context(&root, &text, offset)?;
    let language = project::language(db, file);
    let request = CompletionRequest { db, file, root: &root, context: &context, offset, language };
    let mut items = request.items()?;
    if context.ends_in_half_separator() {
        let typed = context.typed.trim_start_matches(':');
        items.retain(|it| it.filter.trim_start_matches(['$', ':', '\'']).starts_with(typed));
    }
    let (items, is_cut) = rank::ranked(items, &context.typed, &text, offset);
    Some(Completions { range: context.range, items, is_cut })
}

impl CompletionRequest<'_> {
    fn items(&self) -> Option<Vec<CompletionItem>> {
        let mut items = Vec::new();
        let in_quotes = self.context.in_quotes;
        match &self.context.place {
            CursorPlace::Comment(remark) => items.extend(comments::items(self, remark)),
            CursorPlace::Variable { .. } => items.extend(variables::items(self)),
            CursorPlace::Expression(expected) => {
                items.extend(values::items(self, expected));
                if in_quotes && items.is_empty() {
                    return None;
                }
                if !in_quotes && !is_certain(expected) {
                    items.extend(self.expression(expected).into_iter().map(CompletionItem::behind_values));
                }
            }
            CursorPlace::ClassName => items.extend(classes::items(self, classes::ClassNotation::Name)),
            CursorPlace::ClassTitle => items.extend(classes::items(self, classes::ClassNotation::Title)),
            _ if in_quotes => return None,
            CursorPlace::Statement { is_top, is_alternative } => {
                if *is_alternative {
                    items.extend(constructs::alternatives());
                }
                items.extend(constructs::statements(self, *is_top));
                items.extend(resource_types::declarations(self));
                items.extend(functions::statements(self));
                items.extend(variables::items(self).into_iter().map(|item| item.tier(6)));
                items.extend(type_names::references(self).into_iter().map(|item| item.tier(6)));
            }
            CursorPlace::Type => items.extend(type_names::items(self)),
            CursorPlace::Method(receiver) => items.extend(functions::items(self, Some(receiver.as_ref()))),
            CursorPlace::Interpolation => {
                items.extend(variables::items(self));
                items.extend(functions::items(self, None).into_iter().map(|item| item.tier(5)));
            }
            CursorPlace::ResourceType => items.extend(resource_types::declarations(self)),
            CursorPlace::AttributeName { resource, given } => {
                items.extend(attributes::items(self, resource, given));
            }
            CursorPlace::QueryAttribute(resource) => items.extend(attributes::query_items(self, resource)),
            CursorPlace::DefinitionName(keyword) => {
                items.extend(constructs::definition_names(self, *keyword)?)
            }
            CursorPlace::ClassHead => items.push(constructs::keyword("inherits")),
            CursorPlace::Operator => items.extend(["and", "or", "in"].map(constructs::keyword)),
            CursorPlace::BehindConditional => items.extend(constructs::alternatives()),
        }
        Some(items)
    }

    /// What may stand where any value may.
    fn expression(&self, expected: &Expectation) -> Vec<CompletionItem> {
        if let Expectation::TypeArgument { name } = expected {
            // In the brackets of a data type stand types, which are known to fit.
            let takes_titles = ReferenceKind::is_class(name) || plugins::built_in::data_type(name).is_none();
            return if takes_titles { variables::items(self) } else { Vec::new() };
        }
        let mut items = functions::items(self, None);
        if let Expectation::Relationship = expected {
            items.extend(type_names::references(self).into_iter().map(|item| item.tier(0)));
            items.extend(resource_types::declarations(self));
            return items;
        }
        items.extend(type_names::items(self));
        items.extend(type_names::references(self));
        items.extend(constructs::values(expected));
        items.extend(variables::items(self).into_iter().map(|item| item.tier(2)));
        items
    }

    /// The definition of this file around the cursor.
    fn definition(&self) -> Option<DefinitionId> {
        let token = self.root.tokens_at(self.context.range.start).next()?;
        let around = symbols::recorded_value::definition_around(self.db, self.file, &token.parent()?)?;
        (around.key(self.db).kind != DefinitionKind::Main).then_some(around)
    }
}

/// Are the values that fit known, so that others would only be in the way?
fn is_certain(expected: &Expectation) -> bool {
    match expected {
        Expectation::AccessKey { variable, .. } => fact_names::is_tree(variable),
        Expectation::Key { .. } => true,
        _ => false,
    }
}
