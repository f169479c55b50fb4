//! Fixes of strings that contain a `Sensitive` or a `Deferred`.

use syntax::SyntaxKind::{CALL_EXPR, INTERPOLATION};
use syntax::ast::{self, AstNode, Expr, StringPart};
use syntax::{SyntaxNode, TextRange};

use super::subject::FixSubject;
use crate::{CodeAction, SourceEdit};

pub(super) fn fix(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let root = project::parse(subject.db, subject.file).syntax();
    let token = root.tokens_at(subject.diagnostic.range.start).last()?;
    let string = || token.ancestors().find_map(ast::InterpolatedString::cast);
    if help.starts_with("unwrap the value") {
        return sensitive(subject, &string()?);
    }
    if help.starts_with("use `Deferred('sprintf'") {
        return deferred(subject, &string()?);
    }
    let calls = token.ancestors().filter_map(ast::CallExpr::cast);
    let call = calls.into_iter().find(|it| it.functor().is_some_and(|it| it.syntax().text() == "epp"))?;
    // Modules before stdlib 9 lack the function.
    project::resolve_in_file(subject.db, subject.file, project::NameKind::Function, FUNCTION)?;
    let functor = call.functor()?.syntax().text_range();
    Some(subject.edit(format!("Replace with `{FUNCTION}`"), functor, FUNCTION))
}

/// Function of stdlib that renders a template on the node if a parameter is deferred.
const FUNCTION: &str = "stdlib::deferrable_epp";

/// Unwraps a value and makes the string around it sensitive.
fn sensitive(subject: &FixSubject<'_>, string: &ast::InterpolatedString) -> Option<CodeAction> {
    let range = string.syntax().text_range();
    let part = string.parts().into_iter().find_map(|part| match part {
        StringPart::Expr(it) if it.syntax().text_range().intersects(subject.diagnostic.range) => Some(it),
        _ => None,
    })?;
    let part_range = part.syntax().text_range();
    let name = variable_text(&part)?;
    let name = name.trim_start_matches('$');
    let is_in_braces = part.syntax().parent().is_some_and(|it| it.kind() == INTERPOLATION);
    let unwrapped = if is_in_braces { format!("{name}.unwrap") } else { format!("${{{name}.unwrap}}") };
    let mut edits = vec![SourceEdit { range: part_range, text: unwrapped }];
    if !is_sensitive(string.syntax()) {
        edits.insert(0, SourceEdit { range: TextRange::empty(range.start), text: "Sensitive(".to_owned() });
        edits.push(SourceEdit { range: TextRange::empty(range.end), text: ")".to_owned() });
    }
    let file = symbols::FileId(subject.file);
    let change = crate::SourceChange { edits: vec![(file, edits)], ..Default::default() };
    Some(subject.fix("Make the string sensitive", change))
}

/// Returns true if a string is the argument of `Sensitive()`.
fn is_sensitive(string: &SyntaxNode) -> bool {
    let call = string.ancestors().skip(1).find(|it| it.kind() == CALL_EXPR).and_then(ast::CallExpr::cast);
    call.and_then(|it| it.functor()).is_some_and(|it| it.syntax().text() == "Sensitive")
}

/// Formats a string on the node.
fn deferred(subject: &FixSubject<'_>, string: &ast::InterpolatedString) -> Option<CodeAction> {
    let (mut format, mut values) = (String::new(), String::new());
    for part in string.parts() {
        match part {
            StringPart::Text(text) => format.push_str(&text.replace('%', "%%")),
            StringPart::Expr(part) => {
                format.push_str("%s");
                values.push_str(&format!(", {}", variable_text(&part)?));
            }
            StringPart::Missing => return None,
        }
    }
    let format = format.replace('\\', "\\\\").replace('\'', "\\'");
    let new = format!("Deferred('sprintf', ['{format}'{values}])");
    Some(subject.edit("Format the string on the node", string.syntax().text_range(), new))
}

/// Returns a variable, or an element of one, as it is written outside of a string.
fn variable_text(part: &Expr) -> Option<String> {
    match part {
        Expr::VariableExpr(_) | Expr::AccessExpr(_) => {
            let text = part.syntax().text();
            Some(format!("${}", text.trim_start_matches('$')))
        }
        _ => None,
    }
}
