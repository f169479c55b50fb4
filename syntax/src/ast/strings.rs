//! Values of strings and heredocs, with margins removed and escapes resolved.

use super::*;
use crate::lexer::{EndLine, parse_heredoc_header, unicode_escape};

/// Part of a string with interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StringPart {
    /// Text with escapes resolved; never empty.
    Text(String),
    /// `$name` or `${ expression }`.
    Expr(Expr),
    /// `${}`, or an interpolation without an expression.
    Missing,
}

/// Contents of `@(TAG:syntax/escapes)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeredocHeader {
    pub tag: String,
    /// True if the tag is in double quotes.
    pub interpolates: bool,
    /// Syntax name; empty if not given.
    pub syntax: String,
    /// Enabled escapes as letters; empty without a `/`.
    pub escapes: String,
}

impl LiteralString {
    /// Returns the value of the string. A missing closing quote is ignored.
    pub fn value(&self) -> String {
        let Some(token) = self.token() else { return String::new() };
        let text = token.text();
        match token.kind() {
            SQ_STRING => {
                let inner = text.strip_prefix('\'').unwrap_or(text);
                let inner = without_margins(&token, inner.strip_suffix('\'').unwrap_or(inner), false);
                unescape_single_quoted(&inner)
            }
            DQ_STRING => {
                let inner = text.strip_prefix('"').unwrap_or(text);
                let inner = without_margins(&token, inner.strip_suffix('"').unwrap_or(inner), false);
                unescape(&inner, Escapes::DOUBLE_QUOTED)
            }
            _ => text.to_owned(),
        }
    }
}

impl InterpolatedString {
    pub fn parts(&self) -> Vec<StringPart> {
        parts(&self.0, |token, _| {
            unescape(&without_margins(token, token.text(), false), Escapes::DOUBLE_QUOTED)
        })
    }
}

impl Heredoc {
    pub fn header(&self) -> Option<HeredocHeader> {
        let token = self.start_token()?;
        let header = parse_heredoc_header(token.text())?;
        let escapes = match header.escapes {
            Some("") => "trnsuL$",
            Some(letters) => letters,
            None => "",
        };
        Some(HeredocHeader {
            tag: header.tag.to_owned(),
            interpolates: header.interpolates,
            syntax: header.syntax.to_owned(),
            escapes: escapes.to_owned(),
        })
    }

    /// Returns the text of the heredoc, which is located after the line. The texts of several heredocs on one
    /// line follow each other in the same order.
    pub fn body(&self) -> Option<HeredocBody> {
        let start = self.start_token()?;
        let mut later_starts = 0;
        let mut token = start.next_token()?;
        let first = loop {
            if let Some(body) =
                innermost_body(&token).filter(|body| !body.text_range().contains(start.text_range().start))
            {
                break body;
            }
            if token.kind() == HEREDOC_START {
                later_starts += 1;
            }
            token = token.next_token()?;
        };
        let mut bodies = vec![first];
        while let Some(next) =
            bodies.last().and_then(|last| last.last_token()).and_then(|token| token.next_token())
        {
            let last_end = bodies.last().map_or(0, |last| last.text_range().end);
            match innermost_body(&next).filter(|body| body.text_range().start == last_end) {
                Some(body) => bodies.push(body),
                None => break,
            }
        }
        let index = bodies.len().checked_sub(1 + later_starts)?;
        HeredocBody::cast(bodies.swap_remove(index))
    }
}

/// Returns the innermost heredoc text that starts at this token.
fn innermost_body(token: &SyntaxToken) -> Option<SyntaxNode> {
    let bodies = token.ancestors().filter(|node| node.kind() == HEREDOC_BODY);
    bodies.filter(|body| body.text_range().start == token.text_range().start).last()
}

impl HeredocBody {
    pub fn parts(&self, header: &HeredocHeader) -> Vec<StringPart> {
        let escapes = Escapes::of_heredoc(&header.escapes);
        parts(&self.0, |token, is_first| {
            let text = without_margins_of(token, token.text(), is_first, Some(&header.tag));
            if header.escapes.is_empty() { text.into_owned() } else { unescape(&text, escapes) }
        })
    }

    /// Returns the range of the text without the end line.
    pub fn text_range(&self) -> crate::TextRange {
        let range = self.0.text_range();
        let end = self.end_token().map_or(range.end, |it| it.text_range().start);
        crate::TextRange::new(range.start, end)
    }
}

impl RenderString {
    /// Returns the text that the template copies to its output.
    pub fn value(&self) -> String {
        let mut value = String::new();
        for token in self.0.tokens().filter(|it| it.kind() == EPP_TEXT) {
            match token.text() {
                "<%%" => value.push_str("<%"),
                text => value.push_str(&text.replace("%%>", "%>")),
            }
        }
        value
    }
}

/// Returns the texts and interpolations of a node. `value` receives each text token and true for the first
/// child of the node.
fn parts(node: &SyntaxNode, value: impl Fn(&SyntaxToken, bool) -> String) -> Vec<StringPart> {
    let mut parts = Vec::new();
    let mut is_first = true;
    for element in node.children_with_tokens() {
        match element {
            crate::SyntaxElement::Token(token) if token.kind() == STRING_TEXT => {
                let text = value(&token, is_first);
                if !text.is_empty() {
                    parts.push(StringPart::Text(text));
                }
            }
            crate::SyntaxElement::Node(node) if node.kind() == INTERPOLATION => {
                parts.push(child::<Expr>(&node).map_or(StringPart::Missing, StringPart::Expr));
            }
            crate::SyntaxElement::Node(node) => parts.extend(Expr::cast(node).map(StringPart::Expr)),
            crate::SyntaxElement::Token(_) => {}
        }
        is_first = false;
    }
    parts
}

/// Removes the margins of the enclosing heredocs from a text, outermost first. `begins_line` is true if the
/// text begins at the start of a line of the innermost heredoc.
fn without_margins<'t>(token: &SyntaxToken, text: &'t str, begins_line: bool) -> std::borrow::Cow<'t, str> {
    without_margins_of(token, text, begins_line, None)
}

/// Like [`without_margins`], with the tag of the innermost heredoc.
fn without_margins_of<'t>(
    token: &SyntaxToken,
    text: &'t str,
    begins_line: bool,
    tag: Option<&str>,
) -> std::borrow::Cow<'t, str> {
    let mut text = std::borrow::Cow::Borrowed(text);
    if !text.contains('\n') && !begins_line {
        return text;
    }
    let bodies: Vec<SyntaxNode> = token.ancestors().filter(|node| node.kind() == HEREDOC_BODY).collect();
    let mut taken = String::new();
    for (index, body) in bodies.iter().enumerate().rev() {
        let Some(margin) = margin(body, tag.filter(|_| index == 0)) else { continue };
        let margin = margin.strip_prefix(taken.as_str()).unwrap_or(&margin).to_owned();
        if margin.is_empty() {
            continue;
        }
        let lines = text.split_inclusive('\n').enumerate();
        let stripped = lines.map(|(index, line)| {
            if index > 0 || begins_line { line.strip_prefix(margin.as_str()).unwrap_or(line) } else { line }
        });
        text = std::borrow::Cow::Owned(stripped.collect());
        taken.push_str(&margin);
    }
    text
}

/// Returns the margin given by the end line of a heredoc, as written. If `tag` is unknown, everything after
/// the first `|` is assumed to be the tag.
fn margin(body: &SyntaxNode, tag: Option<&str>) -> Option<String> {
    let end = HeredocBody(body.clone()).end_token()?;
    let line = end.text().trim_start_matches(['\r', '\n']).trim_end_matches(['\r', '\n']);
    let tag = match tag {
        Some(tag) => tag,
        None => {
            let following = line[line.find('|')? + 1..].trim_matches(crate::lexer::is_blank);
            following.strip_prefix('-').unwrap_or(following).trim_matches(crate::lexer::is_blank)
        }
    };
    EndLine::parse(line, tag)?.margin.map(str::to_owned)
}

fn unescape_single_quoted(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next @ ('\\' | '\''))) => {
                value.push(*next);
                chars.next();
            }
            _ => value.push(c),
        }
    }
    value
}

/// Set of recognized escapes.
#[derive(Clone, Copy)]
struct Escapes<'t> {
    letters: &'t str,
    line_breaks: bool,
    unicode: bool,
}

impl Escapes<'_> {
    const DOUBLE_QUOTED: Escapes<'static> =
        Escapes { letters: "\\$'\"rntsu", line_breaks: true, unicode: true };

    fn of_heredoc(letters: &str) -> Escapes<'_> {
        Escapes { letters, line_breaks: letters.contains('L'), unicode: letters.contains('u') }
    }

    fn recognizes(self, letter: char) -> bool {
        letter == '\\' || (letter != 'L' && self.letters.contains(letter))
    }
}

/// Resolves escapes as Puppet does: Unicode escapes first, then the others in the result.
fn unescape(text: &str, escapes: Escapes<'_>) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let resolved;
    let text = if escapes.unicode && text.contains("\\u") {
        resolved = resolve_unicode(text);
        resolved.as_str()
    } else {
        text
    };
    let mut value = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let following = &rest[at + 1..];
        let Some(c) = following.chars().next() else {
            value.push('\\');
            return value;
        };
        let mut length = c.len_utf8();
        match c {
            '\n' if escapes.line_breaks => {}
            '\r' if following.starts_with("\r\n") => {
                length = 2;
                if !escapes.line_breaks {
                    value.push_str("\\\r\n");
                }
            }
            'r' if escapes.recognizes('r') => value.push('\r'),
            'n' if escapes.recognizes('n') => value.push('\n'),
            't' if escapes.recognizes('t') => value.push('\t'),
            's' if escapes.recognizes('s') => value.push(' '),
            'u' => value.push_str("\\u"),
            _ if escapes.recognizes(c) => value.push(c),
            _ => {
                value.push('\\');
                value.push(c);
            }
        }
        rest = &following[length..];
    }
    value.push_str(rest);
    value
}

/// Replaces `\uXXXX` and `\u{X}`, unless the backslash is itself escaped.
fn resolve_unicode(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (length, code) =
            if escape.starts_with("\\u") { unicode_escape(escape.as_bytes()) } else { (0, None) };
        match code.and_then(char::from_u32) {
            Some(c) => {
                value.push(c);
                rest = &escape[length..];
            }
            None => {
                let next = escape[1..].chars().next().map_or(0, char::len_utf8);
                value.push_str(&escape[..1 + next]);
                rest = &escape[1 + next..];
            }
        }
    }
    value.push_str(rest);
    value
}
