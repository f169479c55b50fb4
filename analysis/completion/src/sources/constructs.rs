//! Keywords, and snippets for whole constructs.

use project::FileRole;
use syntax::{Language, SyntaxKind};
use validation::ExpectedNamespace;

use crate::CompletionRequest;
use crate::context::FollowingCode;
use crate::context::position::Expectation;
use crate::item::{CompletionItem, CompletionKind, literal};

pub(crate) fn keyword(word: &str) -> CompletionItem {
    CompletionItem::new(CompletionKind::Keyword, word).tier(1)
}

fn construct(word: &str, detail: &str, snippet: String) -> CompletionItem {
    CompletionItem::new(CompletionKind::Construct, word).snippet(Some(snippet)).detail(detail).tier(0)
}

/// Returns the constructs that begin a statement.
pub(crate) fn statements(request: &CompletionRequest<'_>, is_top: bool) -> Vec<CompletionItem> {
    let following = request.context.following;
    if following != FollowingCode::Nothing {
        // The condition, the name or the body is written already.
        let definitions = ["define", "node", "function", "type", "plan"];
        let constructs = ["if", "unless", "case", "class"];
        let defines = following == FollowingCode::Operand && is_top && request.language != Language::Epp;
        let words = constructs.into_iter().chain(definitions.into_iter().filter(|_| defines));
        return words.map(|word| keyword(word).tier(0)).collect();
    }
    let mut items = vec![
        construct("if", "if … { }", "if $1 {\n  $0\n}".to_owned()),
        construct("unless", "unless … { }", "unless $1 {\n  $0\n}".to_owned()),
        construct("case", "case … { }", "case $1 {\n  $2: {\n    $0\n  }\n  default: {\n  }\n}".to_owned()),
    ];
    let class = construct("class", "declare a class: class { '…': }", "class { '$1':\n  $0\n}".to_owned());
    if request.has_catalog() {
        items.push(class.tier(2));
    }
    let may_define = is_top && request.language != Language::Epp;
    if may_define {
        items.extend(definitions(request));
    }
    items
}

/// Returns snippets for definitions, with the name that the path of the file requires.
fn definitions(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let name = expected_name(request);
    let position = || match &name {
        Some(name) => literal(name),
        None => "$1".to_owned(),
    };
    let folder = folder(request);
    // The documentation may be written already.
    let head = if follows_comment(request) { "" } else { "# @summary $2\n" };
    let mut items = Vec::new();
    if matches!(folder, None | Some("manifests")) {
        let name = position();
        let class = format!("{head}class {name} (\n  $3\n) {{\n  $0\n}}");
        items.push(construct("class", "define a class", class).tier(0).filter("class").text("class"));
        let define = format!("{head}define {name} (\n  $3\n) {{\n  $0\n}}");
        items.push(construct("define", "define a resource type", define));
        let node = "node '$1' {\n  $0\n}".to_owned();
        items.push(construct("node", "define a node", node));
    }
    if matches!(folder, None | Some("functions")) {
        let name = position();
        let function = format!("{head}function {name}($3) >> $4 {{\n  $0\n}}");
        items.push(construct("function", "define a function", function));
    }
    if matches!(folder, None | Some("types")) {
        let name = match &name {
            Some(name) => literal(&hir::capitalized(name)),
            None => "$1".to_owned(),
        };
        items.push(construct("type", "define a type alias", format!("type {name} = $2")));
    }
    if request.language == Language::Plan {
        let name = position();
        let plan = format!("{head}plan {name}(\n  TargetSpec \\$targets,\n) {{\n  $0\n}}");
        items.push(construct("plan", "define a plan", plan));
    }
    items
}

/// Returns true if the line before the cursor's is a comment.
fn follows_comment(request: &CompletionRequest<'_>) -> bool {
    let text = project::text(request.db, request.file).unwrap_or_default();
    let before = text.get(..request.context.range.start as usize).unwrap_or_default();
    before.trim_end().lines().last().is_some_and(|line| line.trim_start().starts_with('#'))
}

/// Returns the file's folder in its module; `None` outside of modules.
fn folder<'r>(request: &'r CompletionRequest<'_>) -> Option<&'r str> {
    match request.file.role(request.db) {
        FileRole::Module { relative, .. } => relative.split('/').next(),
        _ => None,
    }
}

/// Returns the name that the path of the file requires for its definition, in lower case.
fn expected_name(request: &CompletionRequest<'_>) -> Option<String> {
    match project::likely_location(request.db, request.file) {
        ExpectedNamespace::Module { namespace } => Some(namespace),
        ExpectedNamespace::Free | ExpectedNamespace::Misplaced => None,
    }
}

/// Returns the name that the path of the file requires, after the keyword of a definition.
pub(crate) fn definition_names(
    request: &CompletionRequest<'_>,
    keyword: SyntaxKind,
) -> Option<Vec<CompletionItem>> {
    let name = expected_name(request)?;
    let fits = matches!(
        (keyword, folder(request)?),
        (SyntaxKind::CLASS_KW | SyntaxKind::DEFINE_KW, "manifests")
            | (SyntaxKind::FUNCTION_KW, "functions")
            | (SyntaxKind::TYPE_KW, "types")
            | (SyntaxKind::PLAN_KW, "plans")
    );
    let name = match keyword {
        SyntaxKind::TYPE_KW => hir::capitalized(&name),
        _ => name,
    };
    fits.then(|| {
        let item = CompletionItem::new(CompletionKind::DefinitionName, name);
        vec![item.detail("expected by the path").tier(0)]
    })
}

/// Returns keywords that are values.
pub(crate) fn values(expected: &Expectation) -> Vec<CompletionItem> {
    let mut items = vec![keyword("true"), keyword("false"), keyword("undef"), keyword("default")];
    if let Expectation::SameAs(_) = expected
        && let Some(default) = items.last_mut()
    {
        default.tier = 0;
    }
    items.extend(["if", "unless", "case"].map(|word| keyword(word).tier(5)));
    items
}

/// Returns the keywords after the block of an `if` or `unless`.
pub(crate) fn alternatives(following: FollowingCode) -> Vec<CompletionItem> {
    if following != FollowingCode::Nothing {
        return ["else", "elsif"].map(|word| keyword(word).tier(0)).into();
    }
    vec![
        construct("else", "else { }", "else {\n  $0\n}".to_owned()).tier(0),
        construct("elsif", "elsif … { }", "elsif $1 {\n  $0\n}".to_owned()).tier(0),
    ]
}
