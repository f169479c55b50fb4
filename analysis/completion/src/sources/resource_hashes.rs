//! Hashes whose keys are attributes of a resource: `* => { }`, and arguments of `create_resources` and similar
//! functions.

use super::attributes;
use crate::CompletionRequest;

use crate::context::position::{Expectation, ResourceAtCursor};
use crate::item::{CompletionItem, literal, quoted};

/// Returns the resource whose attributes a hash contains.
pub(crate) fn resource(hash: &Expectation) -> Option<ResourceAtCursor> {
    match hash {
        Expectation::Attribute { resource, name } if name == "*" => Some(resource.clone()),
        Expectation::Argument { function, index, earlier, .. } => match (base_name(function), index) {
            ("create_resources" | "ensure_resource" | "ensure_resources", 2) => {
                of_type(earlier.first()?, None)
            }
            ("ensure_packages", 1) => of_type("package", None),
            _ => None,
        },
        Expectation::Entry { hash, key } => match &**hash {
            Expectation::Argument { function, index: 1, earlier, .. }
                if matches!(base_name(function), "create_resources" | "ensure_resources") =>
            {
                of_type(earlier.first()?, Some(key))
            }
            Expectation::Argument { function, index: 0, .. } if base_name(function) == "ensure_packages" => {
                of_type("package", None)
            }
            _ => None,
        },
        _ => None,
    }
}

fn base_name(function: &str) -> &str {
    function.strip_prefix("stdlib::").unwrap_or(function)
}

/// Returns a resource of a type, or the class with the given title.
fn of_type(name: &str, title: Option<&str>) -> Option<ResourceAtCursor> {
    let name = name.trim_start_matches("::").to_ascii_lowercase();
    match title {
        _ if name.is_empty() => None,
        _ if name != "class" => Some(ResourceAtCursor::OfType(name)),
        title => Some(ResourceAtCursor::Class(title?.trim_start_matches("::").to_ascii_lowercase())),
    }
}

/// Returns the attributes that a hash does not set yet; `None` for other hashes.
pub(crate) fn keys(
    request: &CompletionRequest<'_>,
    hash: &Expectation,
    given: &[String],
) -> Option<Vec<CompletionItem>> {
    let in_quotes = request.context.in_quotes;
    let items = attributes::items(request, &resource(hash)?, given).into_iter();
    let key = |item: CompletionItem| {
        let written = quoted(&item.label, in_quotes);
        let snippet = item.snippet.as_ref().filter(|_| !in_quotes);
        let snippet = snippet.map(|it| it.replacen(&item.label, &literal(&written), 1));
        item.text(written).snippet(snippet)
    };
    Some(items.filter(|it| it.label != "*").map(key).collect())
}
