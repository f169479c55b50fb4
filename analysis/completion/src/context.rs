//! Syntactic context of the cursor, determined from the text before it.

mod following;
mod levels;
pub(crate) mod position;
mod resources;
mod walk;

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

use self::position::{CursorPosition, Expectation};
use crate::sources::fact_names;
pub(crate) use following::FollowingCode;
use levels::LevelReading;
pub use resources::resource_around;
pub(crate) use resources::unquoted;
use walk::{BracketLevel, BracketStep};

/// Context of the cursor.
pub(crate) struct CursorContext {
    /// Part of the current word or string before the cursor, which completions replace.
    pub(crate) range: TextRange,
    /// Text of that range.
    pub(crate) typed: String,
    pub(crate) position: CursorPosition,
    /// True inside of quotes, where only strings are valid.
    pub(crate) in_quotes: bool,
    /// Code that follows the word already.
    pub(crate) following: FollowingCode,
}

impl CursorContext {
    /// Returns true if a word without quotes may be complete here, so that a line break may follow it.
    pub(crate) fn takes_barewords(&self) -> bool {
        !self.in_quotes && matches!(self.position, CursorPosition::Expression(_) | CursorPosition::ClassName)
    }

    /// Returns true after the first half of a `::`, which may also be the colon after the values of a case
    /// option.
    pub(crate) fn ends_in_half_separator(&self) -> bool {
        self.typed.ends_with(':') && !self.typed.ends_with("::")
    }
}

/// Completable part of a comment.
pub(crate) enum CommentPart {
    /// Name of a check after `lint:ignore:`.
    LintCheck,
    /// The word `lint:ignore`.
    LintControl,
    /// Documentation tag, including the `@`.
    Tag,
    /// Name after `@param`.
    Parameter,
}

/// Returns the context at an offset; `None` if there is nothing to complete.
pub(crate) fn context(root: &SyntaxNode, text: &str, offset: u32) -> Option<CursorContext> {
    let before_cursor = text.get(..offset as usize)?;
    let left = root.tokens_at(offset).find(|token| token.text_range().start < offset);
    let Some(left) = left else {
        let position = CursorPosition::statement(true);
        return Some(CursorContext::of_word(offset, offset, text, position));
    };
    if let Some(comment) = inside_comment(&left, offset) {
        return comment_part(comment, before_cursor, offset, text);
    }
    let word = word_start(before_cursor);
    if let Some(heredoc) = unterminated_heredoc(root, before_cursor) {
        return heredoc_part(&heredoc, word, offset, text);
    }
    if let Some(context) = interpolated_fact(before_cursor, offset, text) {
        return Some(context);
    }
    if let Some(text_place) = inside_text(&left, offset) {
        let interpolates = text_place.interpolates && before_cursor[..word as usize].ends_with('$');
        if interpolates && word > text_place.content {
            let position = CursorPosition::Variable { target: None };
            return Some(CursorContext::new(word - 1, offset, text, position));
        }
        let token = text_place.token?;
        let position = position_at(root, text, token.text_range().start)?;
        let context = CursorContext::new(text_place.content, offset, text, position);
        return Some(CursorContext { in_quotes: true, ..context });
    }
    if is_no_code(&left, offset) {
        return None;
    }
    let typed = &before_cursor[word as usize..];
    if before_cursor[..word as usize].ends_with('$') {
        let start = word - 1;
        let position = || CursorPosition::Variable { target: target(root, text, start) };
        return (!declares_parameter(root, text, start))
            .then(|| CursorContext::new(start, offset, text, position()));
    }
    if typed.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let position = position_at(root, text, word)?;
    Some(CursorContext::of_word(word, offset, text, position))
}

impl CursorContext {
    fn new(start: u32, offset: u32, text: &str, position: CursorPosition) -> CursorContext {
        let range = walk::between(start, offset);
        let typed = text.get(range.as_range()).unwrap_or_default().to_owned();
        CursorContext { range, typed, position, in_quotes: false, following: FollowingCode::Nothing }
    }

    /// Creates the context of a word outside of quotes, which the following code affects.
    fn of_word(start: u32, offset: u32, text: &str, position: CursorPosition) -> CursorContext {
        let following = FollowingCode::after_word(text, offset);
        CursorContext { following, ..CursorContext::new(start, offset, text, position) }
    }
}

/// Returns the start of the word at the end of `text`. It may contain `::` and end with the first half of it,
/// but does not include `$`.
fn word_start(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut start = match bytes {
        [.., before, b':'] if before.is_ascii_alphanumeric() || *before == b'_' => bytes.len() - 1,
        _ => bytes.len(),
    };
    loop {
        match bytes[..start] {
            [.., it] if it.is_ascii_alphanumeric() || it == b'_' => start -= 1,
            [.., b':', b':'] => start -= 2,
            _ => return start as u32,
        }
    }
}

/// Number of lines before the cursor in which the start of an unterminated heredoc is searched.
const MAX_HEREDOC_LINES: usize = 100;

/// Returns the start tag of a heredoc without an end before the cursor, which is still being written. Its text
/// is parsed as code.
fn unterminated_heredoc(root: &SyntaxNode, before_cursor: &str) -> Option<SyntaxToken> {
    let line = before_cursor.rfind('\n')?;
    let lines = before_cursor[..line].rmatch_indices('\n');
    let first = lines.take(MAX_HEREDOC_LINES).last().map_or(0, |(at, _)| at);
    let mut tags = before_cursor[first..line].rmatch_indices("@(");
    tags.find_map(|(at, _)| {
        let start = (first + at) as u32;
        let token = root.tokens_at(start + 1).find(|it| it.text_range().start == start)?;
        (token.kind() == ERROR_TOKEN).then_some(token)
    })
}

/// Returns the context in the text of an unterminated heredoc, where only variables are code.
fn heredoc_part(tag: &SyntaxToken, word: u32, offset: u32, text: &str) -> Option<CursorContext> {
    let interpolates = tag.text().trim_start_matches("@(").trim_start().starts_with('"');
    let before = text.get(..word as usize).filter(|_| interpolates)?;
    if before.ends_with("${") {
        return Some(CursorContext::new(word, offset, text, CursorPosition::Interpolation));
    }
    before
        .ends_with('$')
        .then(|| CursorContext::new(word - 1, offset, text, CursorPosition::Variable { target: None }))
}

/// Returns the context of a key of a fact in an interpolation, such as `"${facts['os']['`. While its brackets are
/// not closed, they are not parsed as code.
fn interpolated_fact(before_cursor: &str, offset: u32, text: &str) -> Option<CursorContext> {
    let line = before_cursor.rsplit('\n').next()?;
    let (before, code) = line.rsplit_once("${")?;
    if before.matches('"').count() % 2 == 0 {
        return None;
    }
    let mut parts = code.split('[');
    let variable = parts.next()?.trim_start_matches('$').trim_start_matches("::");
    let is_name = |it: &str| it.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'));
    if !fact_names::is_tree(variable) {
        return None;
    }
    let mut parts: Vec<&str> = parts.collect();
    let last = parts.pop()?;
    let quote = last.chars().next().filter(|it| matches!(it, '\'' | '"'));
    let typed = quote.map_or(last, |_| &last[1..]);
    let closed = parts.iter().map(|it| it.strip_suffix(']').map(|it| unquoted(it).to_owned()));
    let keys: Vec<String> = closed.collect::<Option<_>>()?;
    if !is_name(typed) {
        return None;
    }
    let expected = Expectation::AccessKey { variable: variable.to_owned(), keys, node: None };
    let start = offset - typed.len() as u32;
    let context = CursorContext::new(start, offset, text, CursorPosition::Expression(expected));
    Some(CursorContext { in_quotes: quote.is_some(), ..context })
}

fn inside_comment(left: &SyntaxToken, offset: u32) -> Option<&SyntaxToken> {
    let is_inside = match left.kind() {
        COMMENT => !(left.text_range().end == offset && left.text().ends_with('\n')),
        BLOCK_COMMENT => left.text_range().end != offset || !left.text().ends_with("*/"),
        _ => false,
    };
    is_inside.then_some(left)
}

struct StringAtCursor {
    /// First token of the string; `None` for a heredoc.
    token: Option<SyntaxToken>,
    /// Start of the text between the quotes.
    content: u32,
    interpolates: bool,
}

/// Returns the quoted string that contains the offset.
fn inside_text(left: &SyntaxToken, offset: u32) -> Option<StringAtCursor> {
    let range = left.text_range();
    let ends_here = range.end == offset;
    let parent = left.parent()?;
    match left.kind() {
        SQ_STRING | DQ_STRING => {
            let text = left.text();
            let quote = text.chars().next()?;
            let is_closed = text.len() > 1 && text.ends_with(quote);
            (!(ends_here && is_closed)).then(|| StringAtCursor {
                token: Some(left.clone()),
                content: range.start + 1,
                interpolates: left.kind() == DQ_STRING,
            })
        }
        STRING_TEXT | DQ_START => Some(in_parts(&parent, left)),
        // After `${...}` the string continues.
        INTERPOLATION_END => {
            let around = parent.parent()?;
            matches!(around.kind(), INTERPOLATED_STRING | HEREDOC_BODY).then(|| in_parts(&around, left))
        }
        _ => None,
    }
}

fn in_parts(string: &SyntaxNode, left: &SyntaxToken) -> StringAtCursor {
    match string.first_token() {
        Some(token) if token.kind() == DQ_START => {
            StringAtCursor { content: token.text_range().end, token: Some(token), interpolates: true }
        }
        _ => StringAtCursor {
            token: None,
            content: left.text_range().start,
            interpolates: is_interpolated(string),
        },
    }
}

/// Returns true if a heredoc has interpolations. Otherwise `$` is an ordinary character.
fn is_interpolated(heredoc: &SyntaxNode) -> bool {
    heredoc.descendants_with_tokens().any(|it| matches!(it.kind(), VARIABLE | INTERPOLATION_START))
}

/// Returns true for tokens in which nothing can be completed.
fn is_no_code(token: &SyntaxToken, offset: u32) -> bool {
    let ends_here = token.text_range().end == offset;
    match token.kind() {
        REGEX | EPP_COMMENT | HEREDOC_START | EPP_OPEN | EPP_OPEN_EXPR => !ends_here,
        HEREDOC_END => !token.text().ends_with('\n') || !ends_here,
        NUMBER | EPP_TEXT | EPP_TRIMMED | EPP_CLOSE | EPP_CLOSE_EXPR | EPP_EMPTY_TEXT => true,
        _ => false,
    }
}

/// Returns true if the variable at an offset is the name of a parameter.
fn declares_parameter(root: &SyntaxNode, text: &str, start: u32) -> bool {
    let level = BracketLevel::before(root, start);
    let Some(opener) = &level.opener else { return false };
    if opener.parent().is_none_or(|it| it.kind() != PARAMETER_LIST) {
        return false;
    }
    let own = level.until(&[COMMA]);
    let is_default = own.iter().any(|step| step.is(EQ));
    // The brackets of the type are separate levels.
    !is_default && text.is_char_boundary(start as usize)
}

/// Returns the name of the target of a value at an offset.
fn target(root: &SyntaxNode, text: &str, start: u32) -> Option<String> {
    let CursorPosition::Expression(expected) = position_at(root, text, start)? else { return None };
    match expected {
        Expectation::Attribute { name, .. } => Some(name),
        Expectation::Entry { key, .. } => Some(key),
        Expectation::Default(parameter) => ast::Parameter::cast(parameter)?.name(),
        Expectation::Anything => {
            let level = BracketLevel::before(root, start);
            match level.steps.as_slice() {
                [eq, BracketStep::Token(name), ..] if eq.is(EQ) && name.kind() == VARIABLE => {
                    Some(name.text().trim_start_matches('$').to_owned())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the kind of text that may begin at an offset.
fn position_at(root: &SyntaxNode, text: &str, start: u32) -> Option<CursorPosition> {
    let level = BracketLevel::before(root, start);
    let position = LevelReading { root, text, start, level: &level }.position()?;
    Some(position)
}

/// Returns the context in a comment.
fn comment_part(
    comment: &SyntaxToken,
    before_cursor: &str,
    offset: u32,
    text: &str,
) -> Option<CursorContext> {
    let written = &before_cursor[comment.text_range().start as usize..];
    let line = written.rsplit('\n').next().unwrap_or(written);
    let line = line.trim_start().trim_start_matches(['#', '/', '*']).trim_start();
    let last = line.rsplit(char::is_whitespace).next().unwrap_or(line);
    let start = |part: &str| offset - part.len() as u32;
    let new = |part: &str, comment_part| {
        Some(CursorContext::new(start(part), offset, text, CursorPosition::Comment(comment_part)))
    };
    if let Some((_, check)) = last.strip_prefix("lint:ignore").and_then(|it| it.rsplit_once(':')) {
        return new(check, CommentPart::LintCheck);
    }
    let is_control = ["lint:ignore", "lint:endignore"].iter().any(|it| it.starts_with(last));
    if last == line && !last.is_empty() && is_control {
        return new(last, CommentPart::LintControl);
    }
    if last == line && last.starts_with('@') {
        return new(last, CommentPart::Tag);
    }
    let mut words = line.split_whitespace();
    if words.next() == Some("@param") {
        let rest = line["@param".len()..].trim_start();
        // The type may precede the name.
        let rest = rest.rsplit(']').next().unwrap_or(rest).trim_start();
        return (!rest.contains(char::is_whitespace)).then(|| new(rest, CommentPart::Parameter)).flatten();
    }
    None
}
