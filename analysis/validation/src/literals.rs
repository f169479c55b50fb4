//! Rules on numbers, regular expressions and hash keys.

use codes::{Code, DowngradeReason, with_help};
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use syntax::ast::{
    AccessOrCallArgument, AstNode, AttributeOperation, Expr, KeyedEntry, LiteralNumber, LiteralRegex,
};
use syntax::ast::{LiteralString, NumberValue, TypeAlias, UntitledResource};
use syntax::{Severity, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::Strict;
use super::context::Walk;
use scalars::ruby_regex;

pub(super) fn check_number(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(number) = LiteralNumber::cast(node.clone()) else { return };
    // Sixteen digits always fit, in any base.
    if node.text_range().len() <= 16 {
        return;
    }
    if let Some(NumberValue::Integer { value, .. }) = number.value()
        && value > i64::MAX as u128
    {
        let message = format!("integer is larger than {}", i64::MAX);
        walk.error(Code::NumericOverflow, node.text_range(), message);
    }
}

pub(super) fn check_regex(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(pattern) = LiteralRegex::cast(node.clone()).and_then(|it| it.pattern()) else { return };
    if let Err(failure) = ruby_regex::check(&pattern) {
        let message = format!("invalid regular expression: {failure}");
        walk.error(Code::InvalidRegex, node.text_range(), message);
    }
}

/// Reports duplicate keys in a hash: in a `{ }`, or in adjacent bare pairs of a list or argument list.
pub(super) fn check_keys(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if walk.strict() == Strict::Off {
        return;
    }
    let mut keys = LiteralKeys::default();
    if node.kind() == HASH_EXPR && node.parent().is_some_and(|it| it.kind() == TYPE_ALIAS) {
        keys.add_parent_of_object(node);
    }
    for child in node.children() {
        match child.kind() {
            KEYED_ENTRY => {
                let Some(key) = KeyedEntry::cast(child).and_then(|it| it.key()) else { continue };
                if let Some(first) = keys.add(&key) {
                    report_duplicate(walk, key.syntax().text(), key.syntax().text_range(), first);
                }
            }
            HEREDOC_BODY | ERROR => {}
            _ => keys.clear(),
        }
    }
}

/// Like [`check_keys`], for the hash that a statement call takes in the form of a resource body.
pub(super) fn check_attribute_names(walk: &mut Walk<'_>, resource: &UntitledResource) {
    if walk.strict() == Strict::Off {
        return;
    }
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for operation in resource.operations() {
        let AttributeOperation::Attribute(attribute) = operation else { continue };
        let Some(name) = attribute.name_token() else { continue };
        match seen.get(name.text()) {
            Some(&first) => report_duplicate(walk, name.text(), name.text_range(), first),
            None => {
                seen.insert(name.text().to_owned(), name.text_range());
            }
        }
    }
}

fn report_duplicate(walk: &mut Walk<'_>, key: &str, range: TextRange, first: TextRange) {
    let strict = walk.strict();
    if strict == Strict::Off {
        return;
    }
    let problem = if key.contains('\n') {
        "duplicate key".to_owned()
    } else {
        format!("duplicate key `{}`", key.trim_matches(['\'', '"']))
    };
    let message = with_help(problem, "remove one of the entries");
    let finding =
        TextFinding::new(Code::DuplicateKey, range, message).with_related(first, "first defined here");
    walk.findings.report(match strict {
        Strict::Warning => finding.downgraded(DowngradeReason::Strict, Severity::Warning),
        _ => finding,
    });
}

/// Literal keys of one hash by hash code: the first ones in a list, further ones in a map.
#[derive(Default)]
struct LiteralKeys {
    few: Vec<(u64, Expr)>,
    many: FxHashMap<u64, Expr>,
    /// Origin of a key `parent` that is not among the entries.
    parent: Option<TextRange>,
}

const MAX_LISTED_KEYS: usize = 16;

impl LiteralKeys {
    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    /// Adds a key. Returns the range of an equal key that is already present.
    fn add(&mut self, key: &Expr) -> Option<TextRange> {
        if let Some(parent) = self.parent
            && is_string(key, "parent")
        {
            return Some(parent);
        }
        let code = hash_code(key)?;
        let known = match self.few.iter().find(|it| it.0 == code) {
            Some((_, known)) => Some(known),
            None => self.many.get(&code),
        };
        if let Some(known) = known {
            return (encoded(known) == encoded(key)).then(|| known.syntax().text_range());
        }
        if self.few.len() < MAX_LISTED_KEYS {
            self.few.push((code, key.clone()));
        } else {
            self.many.insert(code, key.clone());
        }
        None
    }

    /// Handles `type A = B { }`, which is short for `Object[{ parent => B, ... }]`.
    fn add_parent_of_object(&mut self, hash: &SyntaxNode) {
        let Some(alias) = hash.parent().and_then(TypeAlias::cast) else { return };
        if let Some(Expr::QualifiedReference(parent)) = alias.type_expr()
            && !matches!(parent.text().as_str(), "Object" | "TypeSet")
        {
            self.parent = Some(parent.syntax().text_range());
        }
    }
}

const STRING: u8 = b's';
const OTHER: u8 = b'o';

fn write_string(code: &mut FxHasher, text: &str) {
    code.write_u8(STRING);
    code.write(text.as_bytes());
}

fn is_string(key: &Expr, wanted: &str) -> bool {
    match key {
        Expr::QualifiedName(name) => name.text() == wanted,
        Expr::LiteralString(string) => string.value() == wanted,
        _ => false,
    }
}

/// Returns a hash code that is the same for equal keys; `None` for a key that is not a literal.
fn hash_code(key: &Expr) -> Option<u64> {
    let mut code = FxHasher::default();
    match key {
        Expr::QualifiedName(name) => write_string(&mut code, name.token()?.text()),
        Expr::LiteralString(string) => with_value(string, |text| write_string(&mut code, text))?,
        _ => {
            code.write_u8(OTHER);
            code.write(&encoded(key)?);
        }
    }
    Some(code.finish())
}

/// Calls `receive` with the value of a string. Avoids a copy if the value equals the source text.
fn with_value<R>(string: &LiteralString, receive: impl FnOnce(&str) -> R) -> Option<R> {
    let token = string.token()?;
    let text = token.text();
    let quote = match token.kind() {
        SQ_STRING => '\'',
        DQ_STRING => '"',
        _ => return Some(receive(text)),
    };
    match text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote)) {
        Some(inner) if !inner.contains(['\\', '\r']) => Some(receive(inner)),
        _ => Some(receive(&string.value())),
    }
}

/// Encodes the value of a literal as bytes that are equal for equal keys of a Ruby hash. `1` and `1.0`
/// differ.
fn encoded(expr: &Expr) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    encode(expr, &mut out)?;
    Some(out)
}

fn encode(expr: &Expr, out: &mut Vec<u8>) -> Option<()> {
    match expr {
        Expr::QualifiedName(name) => push(out, STRING, name.token()?.text().as_bytes()),
        Expr::LiteralString(string) => with_value(string, |text| push(out, STRING, text.as_bytes()))?,
        Expr::LiteralNumber(number) => match number.value()? {
            NumberValue::Integer { value, .. } => push(out, b'i', &value.to_be_bytes()),
            NumberValue::Float(value) => push(out, b'f', &value.to_bits().to_be_bytes()),
        },
        Expr::LiteralBoolean(boolean) => push(out, b'b', &[boolean.value() as u8]),
        Expr::LiteralUndef(_) => push(out, b'u', &[]),
        Expr::LiteralDefault(_) => push(out, b'd', &[]),
        Expr::LiteralRegex(regex) => push(out, b'r', regex.pattern()?.as_bytes()),
        Expr::ArrayExpr(array) => {
            let mut inner = Vec::new();
            for element in array.elements() {
                match element {
                    AccessOrCallArgument::Expr(element) => encode(&element, &mut inner)?,
                    AccessOrCallArgument::BareHash(entries) => encode_hash(entries.into_iter(), &mut inner)?,
                }
            }
            push(out, b'a', &inner);
        }
        Expr::HashExpr(hash) => encode_hash(hash.entries(), out)?,
        _ => return None,
    }
    Some(())
}

/// Encodes a hash independently of the order of its entries. The last of several equal keys counts.
fn encode_hash(entries: impl Iterator<Item = KeyedEntry>, out: &mut Vec<u8>) -> Option<()> {
    let mut encoded_entries = std::collections::BTreeMap::new();
    for entry in entries {
        encoded_entries.insert(encoded(&entry.key()?)?, encoded(&entry.value()?)?);
    }
    let mut inner = Vec::new();
    for (key, value) in encoded_entries {
        inner.extend(key);
        inner.extend(value);
    }
    push(out, b'h', &inner);
    Some(())
}

fn push(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend((bytes.len() as u64).to_be_bytes());
    out.extend(bytes);
}
