//! Names of classes.

use hir::DefinitionKind;

use super::item::{CompletionItem, CompletionKind, quoted};
use super::{Request, environment, usage};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Behind `include`, which takes it with and without quotes.
    Name,
    /// A text: `Class['...']`.
    Quoted,
    /// A text that is the title of a declaration.
    Title,
}

pub(super) fn items(request: &Request<'_>, form: Form) -> Vec<CompletionItem> {
    let own_module = environment::own_module(request.db, request.file);
    let in_quotes = request.context.in_quotes;
    let is_absolute = request.context.typed.starts_with("::");
    let classes = environment::definitions(request.db, request.file, DefinitionKind::Class);
    let usage = usage::usage(request);
    let item = |class: environment::Named| {
        let name = if is_absolute { format!("::{}", class.name) } else { class.name.to_string() };
        let text = match form {
            Form::Name => name.clone(),
            Form::Quoted => quoted(&name, in_quotes),
            Form::Title if in_quotes => name.clone(),
            Form::Title => format!("'{name}':"),
        };
        let module = environment::module_of(&class.name);
        let is_own = own_module.as_ref().is_some_and(|it| it == module);
        let uses = usage.and_then(|it| it.get(&class.name)).copied().unwrap_or(0);
        CompletionItem::new(CompletionKind::Class, class.name.to_string())
            .text(text)
            .filter(name)
            .detail(module)
            .tier(if is_own || uses > 0 { 0 } else { 1 })
            .weight(uses)
            .once()
    };
    classes.into_iter().map(item).collect()
}
