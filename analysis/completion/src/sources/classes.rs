//! Names of classes.

use hir::DefinitionKind;

use rustc_hash::FxHashSet;
use syntax::{AstNode, SyntaxKind, ast};

use crate::item::{CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, environment, usage};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassNotation {
    /// Behind `include`, which takes it with and without quotes.
    Name,
    /// A text: `Class['...']`.
    Quoted,
    /// A text that is the title of a declaration.
    Title,
}

pub(crate) fn items(request: &CompletionRequest<'_>, form: ClassNotation) -> Vec<CompletionItem> {
    let own_module = environment::own_module(request.db, request.file);
    let in_quotes = request.context.in_quotes;
    let is_absolute = request.context.typed.starts_with("::");
    let classes = environment::definitions(request.db, request.file, DefinitionKind::Class);
    let usage = usage::usage(request);
    // Nobody includes a class twice.
    let included = if form == ClassNotation::Name { included(request) } else { FxHashSet::default() };
    let item = |class: environment::Named| {
        let name = if is_absolute { format!("::{}", class.name) } else { class.name.to_string() };
        let text = match form {
            ClassNotation::Name => name.clone(),
            ClassNotation::Quoted => quoted(&name, in_quotes),
            ClassNotation::Title if in_quotes => name.clone(),
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
            .tier(match is_own || uses > 0 {
                _ if included.contains(class.name.as_str()) => 2,
                true => 0,
                false => 1,
            });
        // Who refers to a class means one that is near.
        if form == ClassNotation::Quoted { item } else { item.once() }
    };
    classes.into_iter().map(item).collect()
}

/// The classes that the file names behind `include` and the like, without what is being written.
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
