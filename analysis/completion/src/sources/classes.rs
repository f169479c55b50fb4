//! Names of classes.

use hir::DefinitionKind;

use rustc_hash::FxHashSet;
use syntax::{AstNode, SyntaxKind, ast};

use crate::context::FollowingCode;
use crate::item::{CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, environment, usage};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassNotation {
    /// After `include`, with or without quotes.
    Name,
    /// In a string: `Class['...']`.
    Quoted,
    /// In a string that is the title of a declaration.
    Title,
}

pub(crate) fn items(request: &CompletionRequest<'_>, form: ClassNotation) -> Vec<CompletionItem> {
    let own_module = environment::own_module(request.db, request.file);
    let in_quotes = request.context.in_quotes;
    let is_absolute = request.context.typed.starts_with("::");
    let classes = environment::definitions(request.db, request.file, DefinitionKind::Class);
    let usage = usage::usage(request);
    // A class need not be included twice.
    let included = if form == ClassNotation::Name { included(request) } else { FxHashSet::default() };
    let own = request.own_name(DefinitionKind::Class);
    let item = |class: environment::NamedDefinition| {
        let name = if is_absolute { format!("::{}", class.name) } else { class.name.to_string() };
        let text = match form {
            ClassNotation::Name => name.clone(),
            ClassNotation::Quoted => quoted(&name, in_quotes),
            ClassNotation::Title if in_quotes => name.clone(),
            ClassNotation::Title if request.context.following == FollowingCode::Colon => format!("'{name}'"),
            ClassNotation::Title => format!("'{name}':"),
        };
        let module = environment::module_of(&class.name);
        let is_own = own_module.as_ref().is_some_and(|it| it == module);
        let uses = usage.and_then(|it| it.get(&class.name)).copied().unwrap_or(0);
        let item = CompletionItem::new(CompletionKind::Class, class.name.to_string())
            .text(text)
            .filter(name)
            .detail(module)
            .weight(uses)
            .tier(if included.contains(class.name.as_str()) {
                2
            } else if is_own || uses > 0 {
                0
            } else {
                1
            });
        // References usually point to a class that is mentioned nearby.
        if form == ClassNotation::Quoted { item } else { item.once() }
    };
    // A class does not include, inherit from, or depend on itself.
    classes.into_iter().filter(|it| own.as_deref() != Some(&*it.name)).map(item).collect()
}

/// Returns the classes after `include` and similar functions in the file, except for the one being written.
fn included(request: &CompletionRequest<'_>) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for call in request.root.descendants().filter_map(ast::StatementCall::cast) {
        let names = call.arguments().into_iter().flat_map(|it| it.syntax().descendants_with_tokens());
        for token in names.filter_map(|it| it.into_token()).filter(|it| it.kind() == SyntaxKind::NAME) {
            if !token.text_range().contains_inclusive(request.offset) {
                found.insert(token.text().trim_start_matches("::").to_owned());
            }
        }
    }
    found
}
