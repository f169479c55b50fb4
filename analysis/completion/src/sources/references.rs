//! References to the resources in the file.

use syntax::ast::{self, AccessOrCallArgument, Expr};
use syntax::{AstNode, SyntaxNode};

use crate::CompletionRequest;
use crate::item::{CompletionItem, CompletionKind, quoted};

/// Returns references such as `File['/etc/motd']`: complete ones to resources of this file, followed by the
/// beginnings of others.
pub(crate) fn items(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let related = related_code(request);
    let mut items: Vec<CompletionItem> = declared(request.root, request.offset)
        .into_iter()
        .map(|it| format!("{}[{}]", hir::capitalized(&it.type_name), it.title))
        .filter(|written| !related.contains(written.as_str()))
        .map(|written| CompletionItem::new(CompletionKind::Resource, written).tier(0))
        .collect();
    let classes = super::classes::items(request, super::classes::ClassNotation::Name).into_iter();
    let classes = classes.map(|class| (format!("Class['{}']", class.label), class.tier + 2));
    let classes = classes.filter(|(written, _)| !related.contains(written.as_str()));
    items.extend(
        classes.map(|(written, tier)| CompletionItem::new(CompletionKind::Resource, written).tier(tier)),
    );
    items
}

/// Returns the code of the statement before a relationship operator, whose resources are not related to themselves;
/// empty at other positions.
fn related_code(request: &CompletionRequest<'_>) -> String {
    let text = project::text(request.db, request.file).unwrap_or_default();
    let before = text.get(..request.context.range.start as usize).unwrap_or_default();
    let operators = ["->", "~>", "<-", "<~"];
    let mut related = String::new();
    let mut is_continued = false;
    let lines = before.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.take(MAX_CHAIN_LINES) {
        if !is_continued && !operators.iter().any(|it| line.ends_with(it)) {
            break;
        }
        related.push_str(line);
        is_continued = operators.iter().any(|it| line.starts_with(it));
    }
    related
}

/// Maximum number of lines of a chain before the cursor whose resources are not offered again.
const MAX_CHAIN_LINES: usize = 20;

/// Returns the titles for the brackets after a resource type.
pub(crate) fn titles(request: &CompletionRequest<'_>, type_name: &str) -> Vec<CompletionItem> {
    let type_name = type_name.to_ascii_lowercase();
    let in_quotes = request.context.in_quotes;
    let own = declared(request.root, request.offset).into_iter().filter(|it| it.type_name == type_name);
    own.filter_map(|it| {
        let plain = it.title.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
        let (label, text) = match plain {
            Some(plain) => (plain.to_owned(), if in_quotes { plain.to_owned() } else { it.title.clone() }),
            // A variable, or a string with interpolations.
            None if in_quotes => {
                let inner = it.title.strip_prefix('"')?.strip_suffix('"')?;
                (inner.to_owned(), inner.to_owned())
            }
            None => (it.title.clone(), it.title.clone()),
        };
        Some(CompletionItem::new(CompletionKind::Resource, label).text(text).tier(0))
    })
    .collect()
}

struct DeclaredResource {
    /// Name of the type, in lower case.
    type_name: String,
    /// Title as written; strings without interpolation are in single quotes.
    title: String,
}

fn declared(root: &SyntaxNode, offset: u32) -> Vec<DeclaredResource> {
    let mut found = Vec::new();
    let resources = root.descendants().filter_map(ast::ResourceExpr::cast);
    for resource in resources {
        let Some(Expr::QualifiedName(name)) = resource.type_expr() else { continue };
        let type_name = name.text().trim_start_matches("::").to_ascii_lowercase();
        // A resource does not refer to itself.
        let range = resource.syntax().text_range();
        let is_around = range.start < offset && offset <= range.end;
        let own = resource.bodies().filter(|it| is_around && it.syntax().text_range().start < offset).last();
        for body in resource.bodies() {
            let Some(title) = body.title().filter(|_| own.as_ref() != Some(&body)) else { continue };
            let titles: Vec<Expr> = match &title {
                Expr::ArrayExpr(list) => list
                    .elements()
                    .into_iter()
                    .filter_map(|it| match it {
                        AccessOrCallArgument::Expr(expr) => Some(expr),
                        AccessOrCallArgument::BareHash(_) => None,
                    })
                    .collect(),
                _ => vec![title],
            };
            found.extend(titles.iter().filter_map(written).map(|title| {
                let type_name = type_name.clone();
                DeclaredResource { type_name, title }
            }));
        }
    }
    found
}

fn written(title: &Expr) -> Option<String> {
    match title {
        Expr::LiteralString(text) => Some(quoted(&text.value(), false)),
        Expr::QualifiedName(name) => Some(quoted(&name.text(), false)),
        Expr::InterpolatedString(_) | Expr::VariableExpr(_) => {
            let text = title.syntax().text();
            (!text.contains('\n')).then(|| text.to_owned())
        }
        _ => None,
    }
}
