//! Bracketed lists: arguments, keys, arrays and hashes.

use super::*;
use crate::TextRange;
use codes::Code;

/// Production for the elements of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListElement {
    /// `Argument: Assignment | KeyedEntry`
    Argument,
    /// `AccessKey: Expression | KeyedEntry`
    AccessKey,
    /// `Value: Assignment | KeyedEntry | 'type' | 'function'`
    Value,
}

/// `CallArguments: '(' (Argument (',' Argument)* ','?)? ')'`
pub(super) fn call_arguments(p: &mut Parser<'_>) {
    argument_list(p, R_PAREN, ListElement::Argument, true, false);
}

/// `MethodArguments: '(' (Argument (',' Argument)*)? ')'`; no trailing comma.
pub(super) fn method_arguments(p: &mut Parser<'_>) {
    argument_list(p, R_PAREN, ListElement::Argument, false, false);
}

/// `AccessKeys: '[' AccessKey (',' AccessKey)* ','? ']'`
pub(super) fn access_keys(p: &mut Parser<'_>) {
    argument_list(p, R_BRACK, ListElement::AccessKey, true, true);
}

/// Like [`access_keys`], without a trailing comma, as in types of parameters and return types.
pub(super) fn type_keys(p: &mut Parser<'_>) {
    argument_list(p, R_BRACK, ListElement::AccessKey, false, true);
}

fn argument_list(
    p: &mut Parser<'_>,
    end: SyntaxKind,
    element: ListElement,
    comma_at_end: bool,
    not_empty: bool,
) {
    let list = p.start();
    elements(p, end, element, comma_at_end, not_empty);
    p.complete(list, ARGUMENT_LIST);
}

/// `Array: '[' (Value (',' Value)* ','?)? ']'`
pub(super) fn array(p: &mut Parser<'_>) -> Completed {
    let array = p.start();
    elements(p, R_BRACK, ListElement::Value, true, false);
    p.complete(array, ARRAY_EXPR)
}

/// Parses the opening token, the comma-separated elements and the closing token.
fn elements(p: &mut Parser<'_>, end: SyntaxKind, element: ListElement, comma_at_end: bool, not_empty: bool) {
    let open = p.current_range();
    let closing = if end == R_PAREN { "`)`" } else { "`]`" };
    // The keys of a parameter type: the parameter name comes next.
    let is_type = not_empty && !comma_at_end;
    p.bump();
    if not_empty && p.at(end) {
        let range = open.cover(p.current_range());
        p.error_at(Code::SyntaxError, range, "expected at least one value between `[` and `]`");
    }
    if p.recovering_and(|p| recovery::lists::lacks_close(p, end)) {
        return recovery::blocks::missing_close(p, open, closing);
    }
    p.inside_list(|p| {
        while recovery::lists::is_at_element(p, "a value") {
            list_element(p, element);
            if p.at(COMMA) {
                if p.nth(1) == end && !comma_at_end {
                    let range = p.current_range();
                    p.error_at(Code::SyntaxError, range, format!("unexpected `,` before {closing}"));
                }
                p.bump();
            } else if !recovery::lists::element_without_comma(p, end, open, is_type) {
                break;
            }
        }
    });
    if !is_type {
        recovery::lists::skip_to_close(p, end, open);
    }
    close(p, end, open, closing);
}

/// Parses an `Assignment`, an `Expression`, a keyword, or a pair `key => value` of those.
fn list_element(p: &mut Parser<'_>, element: ListElement) {
    let is_keyword = is_keyword_entry(p);
    let key = if is_keyword && (element == ListElement::Value || p.nth(1) == FAT_ARROW) {
        keyword_entry(p)
    } else {
        let before = p.position();
        match expressions::assignment(p) {
            Some(key) => key,
            None => {
                if p.position() == before && !p.at_end() {
                    p.bump_into_error();
                }
                return;
            }
        }
    };
    if p.at(FAT_ARROW) {
        let entry = p.precede(key);
        p.bump();
        entry_value(p);
        p.complete(entry, KEYED_ENTRY);
    } else if element == ListElement::AccessKey && !is_expression(key.kind()) {
        let range = p.previous_range();
        p.error_at(
            Code::SyntaxError,
            range,
            "assignments, relationships and resources are not allowed in brackets",
        );
    }
}

/// Returns true for node kinds that the production `Expression` yields.
pub(super) fn is_expression(kind: SyntaxKind) -> bool {
    !matches!(
        kind,
        ASSIGNMENT_EXPR
            | RELATIONSHIP_EXPR
            | RESOURCE_EXPR
            | VIRTUAL_EXPR
            | RESOURCE_DEFAULTS
            | RESOURCE_OVERRIDE
            | UNTITLED_RESOURCE
    )
}

/// Returns true if `type` or `function` is a plain word in a list or hash rather than the start of a
/// definition or call.
fn is_keyword_entry(p: &Parser<'_>) -> bool {
    match p.current() {
        TYPE_KW => !matches!(p.nth(1), CLASSREF | L_PAREN),
        FUNCTION_KW => !matches!(p.nth(1), NAME | WORD | CLASSREF | CLASS_KW | SQ_STRING | DQ_STRING),
        _ => false,
    }
}

fn keyword_entry(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    p.complete(marker, LITERAL_STRING)
}

/// `HashEntry: Assignment | 'type' | 'function'`, as the value of an entry.
pub(crate) fn entry_value(p: &mut Parser<'_>) {
    if is_keyword_entry(p) {
        keyword_entry(p);
    } else if starts_expression(p.current()) && !p.recovering_and(recovery::lists::leaves_list) {
        if let Some(value) = expressions::assignment(p) {
            recovery::lists::hash_without_brace(p, value);
        }
    } else {
        p.expected_here("a value");
    }
}

/// `Hash: '{' (KeyedEntry (',' KeyedEntry)* ','?)? '}'`
pub(super) fn hash(p: &mut Parser<'_>) -> Completed {
    let hash = p.start();
    if p.recovering_and(recovery::titles::holds_resource_bodies) {
        return recovery::resources::resource_without_type(p, hash);
    }
    let open = p.current_range();
    p.bump();
    rest_of_hash(p, open);
    p.complete(hash, HASH_EXPR)
}

/// Parses the rest of a hash after the opening brace, or after a first entry and its comma.
fn rest_of_hash(p: &mut Parser<'_>, open: TextRange) {
    hash_entries(p, open);
    recovery::lists::skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
}

/// `(KeyedEntry (',' KeyedEntry)* ','?)?`
pub(crate) fn hash_entries(p: &mut Parser<'_>, open: TextRange) {
    if p.recovering_and(|p| p.at(COMMA)) {
        return; // `{,`: the brace that closes is missing
    }
    p.inside_list(|p| {
        while recovery::lists::is_at_element(p, "a key") {
            hash_entry(p, None);
            if !p.eat(COMMA) && !recovery::lists::element_without_comma(p, R_BRACE, open, false) {
                break;
            }
        }
    });
}

/// `KeyedEntry: HashEntry '=>' HashEntry`; an already parsed key can be passed in.
pub(crate) fn hash_entry(p: &mut Parser<'_>, key: Option<Completed>) -> Option<Completed> {
    let before = p.position();
    let key = match key {
        Some(key) => Some(key),
        None if is_keyword_entry(p) => Some(keyword_entry(p)),
        None => expressions::assignment(p),
    };
    let Some(key) = key else {
        if p.position() == before && !p.at_end() {
            p.bump_into_error();
        }
        return None;
    };
    let entry = p.precede(key);
    if p.eat(FAT_ARROW) {
        entry_value(p);
    } else {
        recovery::lists::entry_without_arrow(p);
    }
    Some(p.complete(entry, KEYED_ENTRY))
}

/// Parses `{ key => value }` or `{ statements }` after `<%=`, distinguished by the token after the first
/// expression.
pub(super) fn hash_or_block(p: &mut Parser<'_>) {
    let marker = p.start();
    let open = p.current_range();
    p.bump();
    let first = if p.at(R_BRACE) || is_keyword_entry(p) { None } else { Some(statement(p)) };
    let is_hash = match first {
        None => true,
        Some(key) => p.at(FAT_ARROW) && key.is_some(),
    };
    if is_hash {
        if let Some(key) = first {
            hash_entry(p, key);
        }
        if first.is_none() || p.eat(COMMA) {
            hash_entries(p, open);
        }
        recovery::lists::skip_to_close(p, R_BRACE, open);
        close(p, R_BRACE, open, "`}`");
        let hash = p.complete(marker, HASH_EXPR);
        expressions::expression_after(p, hash);
    } else {
        p.inside(RecoveryContext::Block, |p| {
            after_first_statement(p);
            statements(p);
        });
        close(p, R_BRACE, open, "`}`");
        p.complete(marker, BLOCK);
    }
}

/// Parses the separator after the first statement of a block.
fn after_first_statement(p: &mut Parser<'_>) {
    if p.recovers() {
        recovery::statements::after_statement(p);
    } else if p.at(SEMICOLON) && starts_expression(p.nth(1)) {
        p.bump();
    }
}
