//! Lists in brackets: arguments, keys, arrays and hashes.

use super::*;
use crate::TextRange;

/// What the elements of a list may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// `Argument: Assignment | KeyedEntry`
    Argument,
    /// `AccessKey: Expression | KeyedEntry`
    AccessKey,
    /// `Value: Assignment | KeyedEntry | 'type' | 'function'`
    Value,
}

/// `CallArguments: '(' (Argument (',' Argument)* ','?)? ')'`
pub(super) fn call_arguments(p: &mut Parser<'_>) {
    argument_list(p, R_PAREN, Element::Argument, true, false);
}

/// `MethodArguments: '(' (Argument (',' Argument)*)? ')'`: no comma at the end.
pub(super) fn method_arguments(p: &mut Parser<'_>) {
    argument_list(p, R_PAREN, Element::Argument, false, false);
}

/// `AccessKeys: '[' AccessKey (',' AccessKey)* ','? ']'`
pub(super) fn access_keys(p: &mut Parser<'_>) {
    argument_list(p, R_BRACK, Element::AccessKey, true, true);
}

/// As [`access_keys`], but the types of parameters and return types take no comma at the end.
pub(super) fn type_keys(p: &mut Parser<'_>) {
    argument_list(p, R_BRACK, Element::AccessKey, false, true);
}

fn argument_list(p: &mut Parser<'_>, end: SyntaxKind, element: Element, comma_at_end: bool, not_empty: bool) {
    let list = p.start();
    elements(p, end, element, comma_at_end, not_empty);
    p.complete(list, ARGUMENT_LIST);
}

/// `Array: '[' (Value (',' Value)* ','?)? ']'`
pub(super) fn array(p: &mut Parser<'_>) -> Completed {
    let array = p.start();
    elements(p, R_BRACK, Element::Value, true, false);
    p.complete(array, ARRAY_EXPR)
}

/// `Type 'key']` or `$variable'key']` lacks its opening bracket.
pub(super) fn lacks_bracket(p: &Parser<'_>, lhs: Completed) -> bool {
    p.nth(1) == R_BRACK
        && !p.line_break_before(0)
        && (lhs.kind() == QUALIFIED_REFERENCE
            || (matches!(lhs.kind(), VARIABLE_EXPR | ACCESS_EXPR) && p.is_joined_to_previous()))
}

pub(super) fn keys_without_bracket(p: &mut Parser<'_>) {
    p.expected("`[`");
    let keys = p.start();
    primary::primary(p);
    p.eat(R_BRACK);
    p.complete(keys, ARGUMENT_LIST);
}

/// The opening token, the elements with commas between them, the closing token.
fn elements(p: &mut Parser<'_>, end: SyntaxKind, element: Element, comma_at_end: bool, not_empty: bool) {
    let condition = std::mem::replace(&mut p.in_condition, false);
    elements_inside(p, end, element, comma_at_end, not_empty);
    p.in_condition = condition;
}

fn elements_inside(
    p: &mut Parser<'_>,
    end: SyntaxKind,
    element: Element,
    comma_at_end: bool,
    not_empty: bool,
) {
    let open = p.current_range();
    // The keys of a parameter's type: the parameter's name comes next.
    let is_type = not_empty && !comma_at_end;
    let closing = if end == R_PAREN { "`)`" } else { "`]`" };
    p.bump();
    p.speak();
    let errors = p.error_count();
    if not_empty && p.at(end) {
        let range = open.cover(p.current_range());
        p.error_at("syntax-error", range, "expected at least one value between `[` and `]`");
    }
    while !p.at(end) && !p.at_end() {
        if p.at(COMMA) {
            p.expected("a value");
            p.bump_into_error();
            continue;
        }
        if !starts_expression(p.current()) || leaves_list(p) {
            break;
        }
        list_element(p, element);
        if p.at(COMMA) {
            if p.nth(1) == end && !comma_at_end {
                let range = p.current_range();
                p.error_at("syntax-error", range, format!("no `,` may stand before this {closing}"));
            }
            p.bump();
            p.speak_if_clean(errors);
            continue;
        }
        let is_complete = p.at(end) || (is_type && p.at(VARIABLE));
        if is_complete || (!missing_comma(p, open) && (is_type || !skip_to_comma(p, end, open))) {
            break;
        }
    }
    if !is_type {
        skip_to_close(p, end, open);
    }
    close(p, end, open, closing);
}

/// Behind an element without a comma: reports it and is true if another element follows all the same.
fn missing_comma(p: &mut Parser<'_>, open: TextRange) -> bool {
    if !starts_expression(p.current())
        || p.is_outside_of(0, open)
        || leaves_list(p)
        || looks_like_statement(p)
        || p.at(L_BRACE)
    {
        return false;
    }
    expected_comma(p);
    true
}

/// "expected `,` before X"
pub(super) fn expected_comma(p: &mut Parser<'_>) {
    let found = p.found();
    let range = p.current_range();
    p.error_at("syntax-error", range, format!("expected `,` before {found}"));
}

/// Inside brackets: does the current token begin something that no list can hold, so that the list lacks its end?
fn leaves_list(p: &Parser<'_>) -> bool {
    let definition = matches!(p.current(), CLASS_KW | DEFINE_KW | NODE_KW | PLAN_KW | FUNCTION_KW);
    definition
        && p.is_first_on_line(0)
        && matches!(p.nth(1), NAME | SQ_STRING | DQ_STRING | DEFAULT_KW | REGEX)
        && p.nth(2) != FAT_ARROW
}

/// The same where a comma is missing anyway: anything that looks like a statement of its own.
fn looks_like_statement(p: &Parser<'_>) -> bool {
    if !p.is_first_on_line(0) {
        return false;
    }
    match p.current() {
        IF_KW | UNLESS_KW | CASE_KW => true,
        CLASS_KW => p.nth(1) == L_BRACE,
        VARIABLE => p.nth(1) == EQ,
        NAME => {
            (p.nth(1) == L_BRACE && p.nth(3) == COLON)
                || (STATEMENT_CALLS.contains(&p.text()) && starts_expression(p.nth(1)) && p.nth(1) != L_PAREN)
        }
        _ => false,
    }
}

/// `Assignment`, `Expression`, keyword, or a pair `key => value` of those.
fn list_element(p: &mut Parser<'_>, element: Element) {
    let is_keyword = is_keyword_entry(p);
    let key = if is_keyword && (element == Element::Value || p.nth(1) == FAT_ARROW) {
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
    } else if element == Element::AccessKey && !is_expression(key.kind()) {
        let range = p.previous_range();
        p.error_at(
            "syntax-error",
            range,
            "an assignment, relationship or resource cannot stand between brackets",
        );
    }
}

/// Is a node of this kind one that the production `Expression` gives?
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

/// `type` and `function` are plain words in lists and hashes, unless they begin what their name says.
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

/// The value of a pair: `Assignment | 'type' | 'function'`
fn entry_value(p: &mut Parser<'_>) {
    if is_keyword_entry(p) {
        keyword_entry(p);
    } else if starts_expression(p.current()) && !leaves_list(p) {
        if let Some(value) = expressions::assignment(p) {
            hash_without_brace(p, value);
        }
    } else {
        p.expected_here("a value");
    }
}

/// Behind the `value` of an attribute or a pair stands `=>`: it is the first key of a hash that lacks its brace.
pub(super) fn hash_without_brace(p: &mut Parser<'_>, value: Completed) {
    if !p.at(FAT_ARROW) {
        return;
    }
    let range = p.current_range();
    p.error_at("syntax-error", range, "unexpected `=>`: a hash begins with `{`");
    let open = p.range_of(p.position().saturating_sub(2));
    let Some(entry) = hash_entry(p, Some(value)) else { return };
    let hash = p.precede(entry);
    if p.at(COMMA) && !p.line_break_before(0) {
        p.bump();
        hash_entries(p, open);
    }
    p.eat(R_BRACE);
    p.complete(hash, HASH_EXPR);
}

/// `Hash: '{' (KeyedEntry (',' KeyedEntry)* ','?)? '}'`
pub(super) fn hash(p: &mut Parser<'_>) -> Completed {
    let condition = std::mem::replace(&mut p.in_condition, false);
    let hash = p.start();
    let open = p.current_range();
    p.bump();
    p.speak();
    hash_entries(p, open);
    skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
    p.in_condition = condition;
    p.complete(hash, HASH_EXPR)
}

fn hash_entries(p: &mut Parser<'_>, open: TextRange) {
    let errors = p.error_count();
    let first = p.position();
    while !p.at(R_BRACE) && !p.at_end() {
        if p.at(COMMA) && p.position() == first {
            break; // `{,`: the brace that closes is missing
        }
        if p.at(COMMA) {
            p.expected("a key");
            p.bump_into_error();
            continue;
        }
        if !starts_expression(p.current()) || leaves_list(p) {
            break;
        }
        hash_entry(p, None);
        if p.at(COMMA) {
            p.bump();
            p.speak_if_clean(errors);
        } else if p.at(R_BRACE) || (!missing_comma(p, open) && !skip_to_comma(p, R_BRACE, open)) {
            break;
        }
    }
}

/// `KeyedEntry: HashEntry '=>' HashEntry`; the key may have been read already.
fn hash_entry(p: &mut Parser<'_>, key: Option<Completed>) -> Option<Completed> {
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
        let range = p.previous_range();
        let found_here = !p.at_any(&[R_BRACE, COMMA, EOF]) && !p.line_break_before(0);
        let range = if found_here { p.current_range() } else { range };
        p.error_at("syntax-error", range, "a hash needs `key => value`: the `=>` is missing");
        if found_here && starts_expression(p.current()) {
            entry_value(p);
        }
    }
    Some(p.complete(entry, KEYED_ENTRY))
}

/// After `<%=`: `{ key => value }` or `{ statements }`, told apart by what follows the first of either.
pub(super) fn hash_or_block(p: &mut Parser<'_>) {
    let marker = p.start();
    let open = p.current_range();
    p.bump();
    if p.at(R_BRACE) {
        p.bump();
        let hash = p.complete(marker, HASH_EXPR);
        expressions::expression_after(p, hash);
        return;
    }
    if is_keyword_entry(p) {
        hash_entries(p, open);
        close(p, R_BRACE, open, "`}`");
        let hash = p.complete(marker, HASH_EXPR);
        expressions::expression_after(p, hash);
        return;
    }
    let first = statement(p);
    match first {
        Some(key) if p.at(FAT_ARROW) => {
            hash_entry(p, Some(key));
            if p.eat(COMMA) {
                hash_entries(p, open);
            }
            skip_to_close(p, R_BRACE, open);
            close(p, R_BRACE, open, "`}`");
            let hash = p.complete(marker, HASH_EXPR);
            expressions::expression_after(p, hash);
        }
        _ => {
            after_statement(p);
            statements(p);
            close(p, R_BRACE, open, "`}`");
            p.complete(marker, BLOCK);
        }
    }
}

/// Skips what does not belong here up to the closing token, if that comes before anything else is closed or a statement
/// begins. Does nothing where the closing token is next.
pub(super) fn skip_to_close(p: &mut Parser<'_>, end: SyntaxKind, open: TextRange) {
    if p.at(end) || p.at_end() {
        return;
    }
    let Some(length) = distance_to_close(p, end, open) else { return };
    let found = p.found();
    let range = p.current_range();
    let closing = end.fixed_text().unwrap_or("the end");
    p.error_at("syntax-error", range, format!("expected `{closing}`, found {found}"));
    p.skip(length);
}

/// Skips the rest of a broken element; true if a comma and another element follow, then behind the comma.
pub(super) fn skip_to_comma(p: &mut Parser<'_>, end: SyntaxKind, open: TextRange) -> bool {
    let mut depth = 0usize;
    let mut length = 0;
    for ahead in 0..200 {
        if depth == 0 && p.is_outside_of(ahead, open) {
            return false;
        }
        match p.nth(ahead) {
            EOF | SEMICOLON | EPP_CLOSE_EXPR => return false,
            kind if depth == 0 && kind == end => return false,
            R_BRACE | INTERPOLATION_END if depth == 0 => return false,
            COMMA if depth == 0 => {
                length = ahead + 1;
                break;
            }
            L_BRACE if depth == 0 && !matches!(p.nth(ahead.saturating_sub(1)), FAT_ARROW | COMMA) => {
                return false;
            }
            IF_KW | UNLESS_KW | CASE_KW | CLASS_KW | DEFINE_KW if depth == 0 && p.is_first_on_line(ahead) => {
                return false;
            }
            VARIABLE if depth == 0 && ahead > 0 && p.is_first_on_line(ahead) && p.nth(ahead + 1) == EQ => {
                return false;
            }
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if length == 0 || !starts_expression(p.nth(length)) && p.nth(length) != end {
        return false;
    }
    let closing = end.fixed_text().unwrap_or("the end");
    p.expected(&format!("`,` or `{closing}`"));
    p.skip(length);
    true
}

fn distance_to_close(p: &Parser<'_>, end: SyntaxKind, open: TextRange) -> Option<usize> {
    let mut depth = 0usize;
    for ahead in 0..400 {
        let kind = p.nth(ahead);
        match kind {
            EOF => return None,
            _ if depth == 0 && kind == end => return Some(ahead),
            _ if depth == 0 && p.is_outside_of(ahead, open) => return None,
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => {
                if depth == 0 {
                    return None;
                }
                depth -= 1;
            }
            SEMICOLON | EPP_CLOSE_EXPR if depth == 0 => return None,
            VARIABLE if depth == 0 && ahead > 0 && p.is_first_on_line(ahead) && p.nth(ahead + 1) == EQ => {
                return None;
            }
            // A new line with a block behind it: the closing token is missing, not the rest superfluous.
            IF_KW | UNLESS_KW | CASE_KW | CLASS_KW | DEFINE_KW | NODE_KW
                if depth == 0 && p.is_first_on_line(ahead) =>
            {
                return None;
            }
            _ => {}
        }
        if depth == 0 && kind == L_BRACE && end != R_BRACE {
            return None;
        }
    }
    None
}
