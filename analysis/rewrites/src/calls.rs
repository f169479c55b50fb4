//! Rewrites of calls of removed functions.

use syntax::ast::{self, AccessOrCallArgument, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxNode, TextRange};

/// Rewrite of the calls of a function.
#[derive(Clone, Copy, Debug)]
pub enum Rewrite {
    /// No rewrite is known.
    Manual,
    /// `f(x)` becomes `x =~ Type`. If `is_exact`, the function accepted the same values.
    Match { ty: &'static str, is_exact: bool },
    /// `has_key(hash, key)` becomes `key in hash`, which ignores the case of strings.
    KeyIn,
    /// `dig44(data, [keys])` becomes `dig(data, keys)`.
    Dig,
    /// `validate_x(value)` becomes the type of a parameter, or a call of `assert_type`.
    Assert(&'static str),
    /// Like [`Rewrite::Assert`], for functions that take a maximum and a minimum after the value.
    AssertRange(&'static str),
    /// Like [`Rewrite::Assert`], for `validate_re`.
    AssertPattern,
    /// Like [`Rewrite::Assert`], for `validate_slength`.
    AssertLength,
    /// Like [`Rewrite::Assert`], for `validate_legacy`.
    AssertLegacy,
    /// Another function takes the same arguments.
    Rename(&'static str),
    /// `hiera_x('key', default)` becomes `lookup('key', { options })`.
    Lookup { merge: Option<&'static str>, includes: bool },
}

/// Edits that rewrite a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RewrittenCall {
    /// Replaced ranges with their new text, in order.
    pub edits: Vec<(TextRange, String)>,
    /// True if the value of the call stays the same whatever its arguments are.
    pub is_safe: bool,
}

/// A call of a removed function.
struct RemovedCall {
    node: SyntaxNode,
    /// Arguments, including the receiver of a method call.
    arguments: Vec<Expr>,
    /// True if the value of the call is not used.
    is_statement: bool,
}

/// Returns the edits that replace the call of a function in a tree; `name` is the range of the function's name. `None` if the
/// arguments do not allow it.
pub fn rewritten_call(tree: &SyntaxNode, rewrite: Rewrite, name: TextRange) -> Option<RewrittenCall> {
    let unsafe_edit = |range, text: String| RewrittenCall { edits: vec![(range, text)], is_safe: false };
    if let Rewrite::Rename(new) = rewrite {
        return Some(unsafe_edit(name, new.to_owned()));
    }
    let call = call_at(tree, name)?;
    let range = call.node.text_range();
    let arguments = call.arguments.as_slice();
    match (rewrite, arguments) {
        (Rewrite::Match { ty, is_exact }, [value]) => {
            let text = call.in_parentheses(format!("{} =~ {ty}", operand(value)));
            Some(RewrittenCall { edits: vec![(range, text)], is_safe: is_exact })
        }
        (Rewrite::KeyIn, [hash, key]) => {
            Some(unsafe_edit(range, call.in_parentheses(format!("{} in {}", operand(key), operand(hash)))))
        }
        (Rewrite::Dig, [data, Expr::ArrayExpr(keys), default]) => {
            let keys: Option<Vec<String>> =
                keys.elements().iter().map(|it| segment(&expression_text(it)?)).collect();
            let path = keys.filter(|it| !it.is_empty())?.join(".");
            Some(unsafe_edit(range, format!("get({}, '{path}', {})", text(data), text(default))))
        }
        (Rewrite::Dig, [data, Expr::ArrayExpr(keys)]) => {
            let keys: Option<Vec<String>> = keys.elements().iter().map(expression_text).collect();
            Some(unsafe_edit(range, format!("dig({}, {})", text(data), keys?.join(", "))))
        }
        (_, _) if call.is_statement && asserts(rewrite) => assertion(&call, rewrite),
        (Rewrite::Lookup { merge, includes }, [key] | [key, _]) => {
            let merge = merge.map(|it| format!("'merge' => '{it}'"));
            let default = match arguments.get(1) {
                Some(default) if includes && is_empty(default) => Some("[]".to_owned()),
                default => default.map(text),
            };
            let default = default.map(|it| format!("'default_value' => {it}"));
            let options: Vec<String> = merge.into_iter().chain(default).collect();
            let options =
                if options.is_empty() { String::new() } else { format!(", {{ {} }}", options.join(", ")) };
            let suffix = if includes { ".include" } else { "" };
            Some(unsafe_edit(range, format!("lookup({}{options}){suffix}", text(key))))
        }
        _ => None,
    }
}

/// Returns true for a default with which `hiera_include` includes nothing, and `include` fails.
fn is_empty(default: &Expr) -> bool {
    match default {
        Expr::HashExpr(hash) => hash.entries().next().is_none(),
        Expr::LiteralString(string) => string.value().is_empty(),
        _ => false,
    }
}

/// Returns true for functions that check values.
fn asserts(rewrite: Rewrite) -> bool {
    matches!(
        rewrite,
        Rewrite::Assert(_)
            | Rewrite::AssertRange(_)
            | Rewrite::AssertPattern
            | Rewrite::AssertLength
            | Rewrite::AssertLegacy
    )
}

/// Returns the edits for a statement that checks values.
fn assertion(call: &RemovedCall, rewrite: Rewrite) -> Option<RewrittenCall> {
    let checked = match (rewrite, call.arguments.as_slice()) {
        (Rewrite::Assert(ty), values @ [_, ..]) => values.iter().map(|it| (ty.to_owned(), it)).collect(),
        (Rewrite::AssertRange(ty), [value]) => vec![(ty.to_owned(), value)],
        (Rewrite::AssertRange(ty), [value, bounds @ ..]) => vec![(range_type(ty, bounds)?, value)],
        (Rewrite::AssertPattern, [value, pattern] | [value, pattern, _]) => vec![(patterns(pattern)?, value)],
        (Rewrite::AssertLength, [value, length @ ..]) => {
            if !length.iter().all(|it| matches!(it, Expr::LiteralNumber(_))) {
                return None;
            }
            let lengths: Vec<String> = length.iter().map(text).collect();
            let ty = match lengths.as_slice() {
                [max] => format!("String[0, {max}]"),
                [max, min] => format!("String[{min}, {max}]"),
                _ => return None,
            };
            vec![(ty, value)]
        }
        (Rewrite::AssertLegacy, [ty, _, value, ..]) => {
            vec![(legacy_type(&text(ty))?, value)]
        }
        _ => return None,
    };
    Some(assertions(call, checked))
}

/// Returns the type of the numbers in a range; `bounds` are its maximum and its minimum, each a literal number
/// or `undef`.
fn range_type(ty: &str, bounds: &[Expr]) -> Option<String> {
    let bound = |expr: &Expr| match expr {
        Expr::LiteralNumber(_) => Some(text(expr)),
        expr => (text(expr) == "undef").then(|| "default".to_owned()),
    };
    match bounds {
        [max] => Some(format!("{ty}[default, {}]", bound(max)?)),
        [max, min] => Some(format!("{ty}[{}, {}]", bound(min)?, bound(max)?)),
        _ => None,
    }
}

/// Returns the type that a call of `validate_legacy` names, as an expression or as a string.
fn legacy_type(written: &str) -> Option<String> {
    let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'));
    let inner = match quote {
        Some(quote) => written.strip_prefix(quote)?.strip_suffix(quote)?,
        None => written,
    };
    let is_plain = quote.is_none() || !inner.contains(['\\', '$', '\'', '"']);
    (is_plain && inner.starts_with(|it: char| it.is_ascii_uppercase())).then(|| inner.to_owned())
}

/// Returns a literal key or index as a segment of a dotted path.
fn segment(written: &str) -> Option<String> {
    let inner = written.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_word = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    match inner {
        Some(key) => is_word(key).then(|| key.to_owned()),
        None => is_number(written).then(|| written.to_owned()),
    }
}

/// Returns the call whose function is named at `name`; `None` if it has a lambda or unusual arguments.
fn call_at(tree: &SyntaxNode, name: TextRange) -> Option<RemovedCall> {
    let element = tree.covering_element(name)?;
    let start = element.as_node().cloned().or_else(|| element.parent())?;
    let is_call = |it: &SyntaxNode| {
        matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL_EXPR | SyntaxKind::STATEMENT_CALL)
    };
    let node = start.ancestors().find(is_call)?;
    let (callee, receiver, list, lambda) = if let Some(call) = ast::CallExpr::cast(node.clone()) {
        (call.functor()?.syntax().text_range(), None, call.arguments(), call.lambda())
    } else if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
        (call.name_token()?.text_range(), Some(call.receiver()?), call.arguments(), call.lambda())
    } else {
        let call = ast::StatementCall::cast(node.clone())?;
        (call.name()?.syntax().text_range(), None, call.arguments(), None)
    };
    if callee != name || lambda.is_some() {
        return None;
    }
    let mut arguments: Vec<Expr> = receiver.into_iter().collect();
    for argument in list.iter().flat_map(|it| it.arguments()) {
        match argument {
            AccessOrCallArgument::Expr(Expr::UnaryExpr(it))
                if it.operator() == Some(ast::UnaryOperator::Unfold) =>
            {
                return None;
            }
            AccessOrCallArgument::Expr(expr) => arguments.push(expr),
            AccessOrCallArgument::BareHash(_) => return None,
        }
    }
    let is_statement = node.parent().is_none_or(|it| it.kind() == SyntaxKind::BLOCK || it.parent().is_none());
    Some(RemovedCall { node, arguments, is_statement })
}

impl RemovedCall {
    /// Puts an operator expression in parentheses, unless nothing around the call binds more tightly.
    fn in_parentheses(&self, text: String) -> String {
        use SyntaxKind::*;
        let is_junction = |it: &SyntaxNode| {
            let operator = ast::BinaryExpr::cast(it.clone()).and_then(|it| it.operator());
            matches!(operator, Some(ast::BinaryOperator::And | ast::BinaryOperator::Or))
        };
        let is_loose = self.node.parent().is_none_or(|it| {
            is_junction(&it)
                || matches!(
                    it.kind(),
                    BLOCK
                        | PAREN_EXPR
                        | ARGUMENT_LIST
                        | ASSIGNMENT_EXPR
                        | ATTRIBUTE
                        | IF_EXPR
                        | ELSIF_CLAUSE
                        | UNLESS_EXPR
                )
        });
        if is_loose { text } else { format!("({text})") }
    }
}

fn text(expr: &Expr) -> String {
    expr.syntax().text().to_string()
}

fn expression_text(argument: &AccessOrCallArgument) -> Option<String> {
    match argument {
        AccessOrCallArgument::Expr(expr) => Some(text(expr)),
        AccessOrCallArgument::BareHash(_) => None,
    }
}

/// Returns the source of an operand, in parentheses if it is itself an operation.
fn operand(expr: &Expr) -> String {
    use SyntaxKind::*;
    let is_operation = matches!(
        expr.syntax().kind(),
        BINARY_EXPR
            | UNARY_EXPR
            | ASSIGNMENT_EXPR
            | SELECTOR_EXPR
            | HASH_EXPR
            | IF_EXPR
            | CASE_EXPR
            | UNLESS_EXPR
    );
    if is_operation { format!("({})", text(expr)) } else { text(expr) }
}

/// Returns the type of the strings that match a pattern, or one in a list, given as literal strings.
fn patterns(expr: &Expr) -> Option<String> {
    let pattern = |written: &str| {
        let inner = written.strip_prefix('\'')?.strip_suffix('\'')?;
        let is_plain = !inner.contains("\\\\") && !inner.contains(['\'', '\n']);
        is_plain.then(|| format!("/{}/", inner.replace("\\/", "/").replace('/', "\\/")))
    };
    let all: Option<Vec<String>> = match expr {
        Expr::ArrayExpr(list) => list.elements().iter().map(|it| pattern(&expression_text(it)?)).collect(),
        expr => Some(vec![pattern(&text(expr))?]),
    };
    let all = all.filter(|it| !it.is_empty())?;
    Some(format!("Pattern[{}]", all.join(", ")))
}

/// Replaces a statement that checks values by types: those of the parameters if the values are parameters
/// without a type that are checked whatever else happens, otherwise by calls of `assert_type`.
fn assertions(call: &RemovedCall, checked: Vec<(String, &Expr)>) -> RewrittenCall {
    let node = &call.node;
    let parameters: Option<Vec<_>> = checked.iter().map(|(ty, it)| typed_parameter(node, ty, it)).collect();
    if let Some(mut edits) = parameters {
        edits.push((whole_lines(node), String::new()));
        edits.sort_by_key(|(range, _)| range.start);
        return RewrittenCall { edits, is_safe: false };
    }
    let indentation = format!("\n{}", " ".repeat(column(node) as usize));
    let calls: Vec<String> =
        checked.iter().map(|(ty, value)| format!("assert_type({ty}, {})", text(value))).collect();
    RewrittenCall { edits: vec![(node.text_range(), calls.join(&indentation))], is_safe: false }
}

/// Returns the edit that gives a parameter a type, if the value is a parameter without one and `node` is a
/// statement of its class or defined type.
fn typed_parameter(node: &SyntaxNode, ty: &str, value: &Expr) -> Option<(TextRange, String)> {
    let Expr::VariableExpr(variable) = value else { return None };
    let written = variable.syntax().text().to_string();
    let definition = node.parent()?.parent()?;
    let parameters = match definition.kind() {
        SyntaxKind::CLASS_DEFINITION => ast::ClassDefinition::cast(definition)?.parameters()?,
        SyntaxKind::DEFINED_TYPE => ast::DefinedType::cast(definition)?.parameters()?,
        _ => return None,
    };
    let is_meant = |it: &ast::Parameter| it.variable().is_some_and(|it| it.text() == written);
    let parameter = parameters.parameters().find(is_meant)?;
    if parameter.type_expr().is_some() || parameter.splat().is_some() {
        return None;
    }
    let is_optional = parameter.default().is_some_and(|it| text(&it) == "undef");
    let ty = if is_optional { format!("Optional[{ty}] ") } else { format!("{ty} ") };
    Some((TextRange::empty(parameter.variable()?.text_range().start), ty))
}

/// Returns the number of spaces before a node on its line.
fn column(node: &SyntaxNode) -> u32 {
    let before = node.first_token().and_then(|it| it.prev_token());
    let space = before.filter(|it| it.kind() == SyntaxKind::WHITESPACE);
    space.map_or(0, |it| it.text().rsplit('\n').next().map_or(0, |it| it.len() as u32))
}

/// Returns the range of a statement with the line break and the indentation before it.
fn whole_lines(node: &SyntaxNode) -> TextRange {
    let range = node.text_range();
    let before = node.first_token().and_then(|it| it.prev_token());
    let space = before.filter(|it| it.kind() == SyntaxKind::WHITESPACE);
    let removed = space.and_then(|it| Some(it.text().len() - it.text().rfind('\n')?));
    TextRange::new(range.start - removed.unwrap_or(0) as u32, range.end)
}
