//! Code completion in possibly broken files, with the likeliest items first.
//!
//! `context` determines what is valid at the cursor from the text before it alone (`walk` goes back bracket
//! by bracket), each file of `sources` provides one kind of items, and `rank` filters and sorts them by the
//! typed word. At most 200 items are returned; details are computed on request (`details`).

mod attribute_usage;
mod context;
mod dependencies;
mod details;
mod environment;
mod item;
mod rank;
mod sources;
mod usage;

use hir::{DefinitionKind, ReferenceKind};
use project::{Db, DefinitionId, File, FileKind};
use syntax::{AstNode, Language, SyntaxKind, SyntaxNode, TextRange};

use context::CursorContext;
use sources::{
    attributes, bolt, classes, comments, constructs, data_files, erb, fact_names, functions, hiera_keys,
    metadata_json, resource_types, type_names, values, variables,
};

use crate::context::position::{CursorPosition, Expectation};
pub use context::position::ResourceAtCursor;
pub use context::resource_around;
pub use details::details;
pub use item::{CompletionDetails, CompletionItem, CompletionKind};

/// Completion items at an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// Range that the items replace: the part of the word before the cursor.
    pub range: TextRange,
    /// Items, best first.
    pub items: Vec<CompletionItem>,
    /// True if items were left out, so that the client should request them again after more typing.
    pub is_incomplete: bool,
}

/// Input of all sources.
struct CompletionRequest<'r> {
    db: &'r dyn Db,
    file: File,
    root: &'r SyntaxNode,
    context: &'r CursorContext,
    offset: u32,
    language: Language,
}

/// Returns the completions at an offset; `None` if nothing can be completed.
pub fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    if file.is_large(db) {
        return None;
    }
    if let Some(table) = data_files::bolt_config::table_of(db, file) {
        return data_files::bolt_config::completions(db, file, table, offset);
    }
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_json::completions(db, file, offset),
        FileKind::Data => {
            let keys = hiera_keys::completions(db, file, offset);
            return keys.or_else(|| data_files::hiera_values::completions(db, file, offset));
        }
        FileKind::ErbTemplate => return erb::completions(db, file, offset),
        FileKind::HieraConfiguration => return data_files::hiera_config::completions(db, file, offset),
        FileKind::Puppetfile => return data_files::puppetfile::completions(db, file, offset),
        kind if !kind.is_source() => return None,
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
    if context.takes_barewords() {
        rank::remove_weak_matches(&mut items, &context.typed);
    }
    let (mut items, is_cut) = rank::ranked(items, &context.typed, &text, offset);
    if rank::is_complete(&items, &context.typed) {
        items.clear();
    }
    dependencies::mark_missing(db, file, &mut items);
    // Each letter may complete a word, after which nothing is offered. A variable is filtered by the client: while it
    // asks again, VS Code keeps the old items, and Enter after `$title,` would still accept one.
    let is_variable = matches!(context.position, CursorPosition::Variable { .. });
    Some(Completions { range: context.range, items, is_incomplete: is_cut || !is_variable })
}

impl CompletionRequest<'_> {
    fn items(&self) -> Option<Vec<CompletionItem>> {
        let mut items = Vec::new();
        let in_quotes = self.context.in_quotes;
        match &self.context.position {
            CursorPosition::Comment(comment_part) => items.extend(comments::items(self, comment_part)),
            CursorPosition::Variable { .. } => items.extend(variables::items(self)),
            CursorPosition::Expression(expected) => {
                items.extend(values::items(self, expected));
                if in_quotes && items.is_empty() {
                    return None;
                }
                if !in_quotes && !is_certain(expected) {
                    items.extend(self.expression(expected).into_iter().map(CompletionItem::after_values));
                }
            }
            CursorPosition::ClassName => items.extend(classes::items(self, classes::ClassNotation::Name)),
            CursorPosition::ClassTitle => items.extend(classes::items(self, classes::ClassNotation::Title)),
            _ if in_quotes => return None,
            CursorPosition::Statement { is_top, is_alternative } => {
                if *is_alternative {
                    items.extend(constructs::alternatives(self.context.following));
                }
                items.extend(constructs::statements(self, *is_top));
                if self.has_catalog() {
                    items.extend(resource_types::declarations(self));
                }
                items.extend(functions::statements(self));
                items.extend(variables::items(self).into_iter().map(|item| item.tier(6)));
                if self.has_catalog() {
                    items.extend(type_names::references(self).into_iter().map(|item| item.tier(6)));
                }
            }
            CursorPosition::Type => items.extend(type_names::by_usage(self)),
            CursorPosition::Method(receiver) => {
                items.extend(bolt::members(self, receiver.as_ref()));
                items.extend(functions::items(self, Some(receiver.as_ref())));
            }
            CursorPosition::Interpolation => {
                items.extend(variables::items(self));
                items.extend(functions::items(self, None).into_iter().map(|item| item.tier(5)));
            }
            CursorPosition::ResourceType => items.extend(resource_types::declarations(self)),
            CursorPosition::AttributeName { resource, given } => {
                items.extend(attributes::items(self, resource, given));
            }
            CursorPosition::QueryAttribute(resource) => items.extend(attributes::query_items(self, resource)),
            CursorPosition::DefinitionName(keyword) => {
                items.extend(constructs::definition_names(self, *keyword)?)
            }
            CursorPosition::ClassHead => items.push(constructs::keyword("inherits")),
            CursorPosition::Operator => items.extend(["and", "or", "in"].map(constructs::keyword)),
            CursorPosition::AfterConditional => {
                items.extend(constructs::alternatives(self.context.following))
            }
        }
        Some(items)
    }

    /// Returns the items that are valid as any expression.
    fn expression(&self, expected: &Expectation) -> Vec<CompletionItem> {
        if let Expectation::TypeArgument { name } = expected {
            // The brackets of a data type contain types, which are known to match.
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
        items.extend(variables::items(self).into_iter().map(|item| {
            // Those of the scope come before all functions.
            let tier = item.tier.min(2);
            item.tier(tier)
        }));
        items
    }

    /// Returns true where resources can be declared: in plans, only in `apply` blocks.
    fn has_catalog(&self) -> bool {
        let in_apply = || {
            let mut tokens = self.root.tokens_at(self.context.range.start);
            tokens.any(|token| token.ancestors().any(|it| it.kind() == SyntaxKind::APPLY_EXPR))
        };
        self.language != Language::Plan || in_apply()
    }

    /// Returns the name of the definition around the cursor, in lower case, if it is of this kind.
    fn own_name(&self, kind: DefinitionKind) -> Option<String> {
        match self.definition() {
            Some(around) => {
                let key = around.key(self.db);
                (key.kind == kind).then(|| key.name.to_ascii_lowercase())
            }
            None => self.name_in_head(kind),
        }
    }

    /// Returns the name in the head of a definition before the cursor, which is incomplete.
    fn name_in_head(&self, kind: DefinitionKind) -> Option<String> {
        let keyword = match kind {
            DefinitionKind::Class => "class",
            DefinitionKind::DefinedType => "define",
            DefinitionKind::TypeAlias => "type",
            _ => return None,
        };
        let text = project::text(self.db, self.file)?;
        let mut lines = text.get(..self.offset as usize)?.lines().rev().take(MAX_HEAD_LINES);
        let head = lines.find(|line| line.starts_with(|it: char| it.is_ascii_alphabetic() || it == '}'))?;
        let mut words = head.split([' ', '(', '=', '{']).filter(|it| !it.is_empty());
        words.next().filter(|it| *it == keyword)?;
        Some(words.next()?.trim_start_matches("::").to_ascii_lowercase())
    }

    /// Returns the definition of this file around the cursor.
    fn definition(&self) -> Option<DefinitionId> {
        let token = self.root.tokens_at(self.context.range.start).next()?;
        let around = symbols::recorded_value::definition_around(self.db, self.file, &token.parent()?)?;
        (around.key(self.db).kind != DefinitionKind::Main).then_some(around)
    }
}

/// Maximum number of lines before the cursor in which the head of a definition is searched.
const MAX_HEAD_LINES: usize = 100;

/// Returns true if all matching values are known, so that other items would be noise.
fn is_certain(expected: &Expectation) -> bool {
    match expected {
        Expectation::AccessKey { variable, .. } => fact_names::is_tree(variable),
        Expectation::Key { .. } => true,
        _ => false,
    }
}
