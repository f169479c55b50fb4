//! What may stand at the cursor. Looks only at what is in front of it.

mod levels;
mod resources;
mod walk;

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

use levels::LevelReading;
pub use resources::resource_around;
use walk::{BracketLevel, BracketStep};

/// The cursor's surroundings.
pub(crate) struct CursorContext {
    /// The part in front of the cursor of the word or text that is being written: what completions replace.
    pub(crate) range: TextRange,
    /// What stands in that range.
    pub(crate) typed: String,
    pub(crate) place: CursorPlace,
    /// Is it inside of quotes? Then only texts may stand there.
    pub(crate) in_quotes: bool,
    /// Does an argument list, a bracket or a brace follow already?
    pub(crate) is_followed: bool,
}

impl CursorContext {
    /// Has only half of a `::` been written? It may as well end the values of a case.
    pub(crate) fn ends_in_half_separator(&self) -> bool {
        self.typed.ends_with(':') && !self.typed.ends_with("::")
    }
}

pub(crate) enum CursorPlace {
    /// A statement may begin here.
    Statement {
        /// Outside of all definitions?
        is_top: bool,
        /// Does the block of an `if` or `unless` end in front of it?
        is_alternative: bool,
    },
    Expression(Expectation),
    Type,
    /// Behind the dot of a call.
    Method(Option<SyntaxNode>),
    /// Behind `$`.
    Variable {
        /// The attribute, parameter, key or variable that is given a value here.
        target: Option<String>,
    },
    /// Inside of `${`, where a variable may stand without `$`.
    Interpolation,
    ClassName,
    /// The type of a resource, behind `@`.
    ResourceType,
    /// The title in `class { '...'`.
    ClassTitle,
    AttributeName {
        resource: ResourceAtCursor,
        /// The attributes that have a value already.
        given: Vec<String>,
    },
    /// In a collector's `<| |>`.
    QueryAttribute(ResourceAtCursor),
    DefinitionName(SyntaxKind),
    /// `inherits` may follow.
    ClassHead,
    /// Between two operands.
    Operator,
    /// `else` and `elsif` may follow.
    BehindConditional,
    Comment(Remark),
}

/// What a value is meant for, as far as the text tells.
#[derive(Clone)]
pub(crate) enum Expectation {
    Anything,
    Attribute {
        resource: ResourceAtCursor,
        name: String,
    },
    /// An element of a list.
    Element(Box<Expectation>),
    /// The value of a key of a hash.
    Entry {
        hash: Box<Expectation>,
        key: String,
    },
    /// A key of a hash; with those it has.
    Key {
        hash: Box<Expectation>,
        given: Vec<String>,
    },
    /// What is compared with an expression.
    SameAs(SyntaxNode),
    Argument {
        function: String,
        index: usize,
        earlier: Vec<String>,
    },
    /// A key behind `$facts`, or the like: the variable, and the keys before.
    AccessKey {
        variable: String,
        keys: Vec<String>,
    },
    /// In the brackets behind a type.
    TypeArgument {
        name: String,
    },
    /// A parameter's default; the parameter.
    Default(SyntaxNode),
    /// An operand of `->` and its like.
    Relationship,
}

/// What attributes belong to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceAtCursor {
    /// The type, lower case.
    OfType(String),
    Class(String),
}

/// What may be written in a comment.
pub(crate) enum Remark {
    /// The name of a check that `lint:ignore:` turns off.
    LintCheck,
    /// `lint:ignore` itself.
    LintControl,
    /// A tag of documentation, `@` included.
    Tag,
    /// The name behind `@param`.
    Parameter,
}

impl CursorPlace {
    fn statement(is_top: bool) -> CursorPlace {
        CursorPlace::Statement { is_top, is_alternative: false }
    }
}

/// `None` where nothing is to be offered.
pub(crate) fn context(root: &SyntaxNode, text: &str, offset: u32) -> Option<CursorContext> {
    let before_cursor = text.get(..offset as usize)?;
    let left = root.tokens_at(offset).find(|token| token.text_range().start < offset);
    let is_followed = text[offset as usize..].starts_with(['(', '[', '{']);
    let Some(left) = left else {
        let place = CursorPlace::statement(true);
        return Some(CursorContext::new(offset, offset, text, place, is_followed));
    };
    if let Some(comment) = inside_comment(&left, offset) {
        return remark(comment, before_cursor, offset, text);
    }
    let word = word_start(before_cursor);
    if let Some(text_place) = inside_text(&left, offset) {
        let interpolates = text_place.interpolates && before_cursor[..word as usize].ends_with('$');
        if interpolates && word > text_place.content {
            let place = CursorPlace::Variable { target: None };
            return Some(CursorContext::new(word - 1, offset, text, place, false));
        }
        let token = text_place.token?;
        let place = place_at(root, text, token.text_range().start)?;
        let context = CursorContext::new(text_place.content, offset, text, place, false);
        return Some(CursorContext { in_quotes: true, ..context });
    }
    if is_no_code(&left, offset) {
        return None;
    }
    let typed = &before_cursor[word as usize..];
    if before_cursor[..word as usize].ends_with('$') {
        let start = word - 1;
        let place = || CursorPlace::Variable { target: target(root, text, start) };
        return (!declares_parameter(root, text, start))
            .then(|| CursorContext::new(start, offset, text, place(), false));
    }
    if typed.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let place = place_at(root, text, word)?;
    Some(CursorContext::new(word, offset, text, place, is_followed))
}

impl CursorContext {
    fn new(start: u32, offset: u32, text: &str, place: CursorPlace, is_followed: bool) -> CursorContext {
        let range = walk::between(start, offset);
        let typed = text.get(range.as_range()).unwrap_or_default().to_owned();
        CursorContext { range, typed, place, in_quotes: false, is_followed }
    }
}

/// Where the word that ends with a text begins. `::` is part of it, and its first half at the end; `$` is not.
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

fn inside_comment(left: &SyntaxToken, offset: u32) -> Option<&SyntaxToken> {
    let is_inside = match left.kind() {
        COMMENT => !(left.text_range().end == offset && left.text().ends_with('\n')),
        BLOCK_COMMENT => left.text_range().end != offset || !left.text().ends_with("*/"),
        _ => false,
    };
    is_inside.then_some(left)
}

struct TextPlace {
    /// What the whole text begins with; `None` for that of a heredoc.
    token: Option<SyntaxToken>,
    /// Where the text between the quotes begins.
    content: u32,
    interpolates: bool,
}

/// The quoted text that an offset lies in.
fn inside_text(left: &SyntaxToken, offset: u32) -> Option<TextPlace> {
    let range = left.text_range();
    let ends_here = range.end == offset;
    let parent = left.parent()?;
    match left.kind() {
        SQ_STRING | DQ_STRING => {
            let text = left.text();
            let quote = text.chars().next()?;
            let is_closed = text.len() > 1 && text.ends_with(quote);
            (!(ends_here && is_closed)).then(|| TextPlace {
                token: Some(left.clone()),
                content: range.start + 1,
                interpolates: left.kind() == DQ_STRING,
            })
        }
        STRING_TEXT | DQ_START => Some(in_parts(&parent, left)),
        // Behind `${...}` the text goes on.
        INTERPOLATION_END => {
            let around = parent.parent()?;
            matches!(around.kind(), INTERPOLATED_STRING | HEREDOC_BODY).then(|| in_parts(&around, left))
        }
        _ => None,
    }
}

fn in_parts(string: &SyntaxNode, left: &SyntaxToken) -> TextPlace {
    match string.first_token() {
        Some(token) if token.kind() == DQ_START => {
            TextPlace { content: token.text_range().end, token: Some(token), interpolates: true }
        }
        _ => {
            TextPlace { token: None, content: left.text_range().start, interpolates: is_interpolated(string) }
        }
    }
}

/// Does a heredoc's text hold interpolations? Only then is a `$` more than a `$`.
fn is_interpolated(heredoc: &SyntaxNode) -> bool {
    heredoc.descendants_with_tokens().any(|it| matches!(it.kind(), VARIABLE | INTERPOLATION_START))
}

/// Is a token something that completion has nothing to say about?
fn is_no_code(token: &SyntaxToken, offset: u32) -> bool {
    let ends_here = token.text_range().end == offset;
    match token.kind() {
        REGEX | EPP_COMMENT | HEREDOC_START | EPP_OPEN | EPP_OPEN_EXPR => !ends_here,
        HEREDOC_END => !token.text().ends_with('\n') || !ends_here,
        NUMBER | EPP_TEXT | EPP_TRIMMED | EPP_CLOSE | EPP_CLOSE_EXPR | EPP_EMPTY_TEXT => true,
        _ => false,
    }
}

/// Is the variable at an offset the name of a parameter?
fn declares_parameter(root: &SyntaxNode, text: &str, start: u32) -> bool {
    let level = BracketLevel::before(root, start);
    let Some(opener) = &level.opener else { return false };
    if opener.parent().is_none_or(|it| it.kind() != PARAMETER_LIST) {
        return false;
    }
    let own = level.until(&[COMMA]);
    let is_default = own.iter().any(|step| step.is(EQ));
    // The type's own brackets are levels of their own.
    !is_default && text.is_char_boundary(start as usize)
}

/// The name of what a value at an offset is for.
fn target(root: &SyntaxNode, text: &str, start: u32) -> Option<String> {
    let CursorPlace::Expression(expected) = place_at(root, text, start)? else { return None };
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

/// What may begin at an offset.
fn place_at(root: &SyntaxNode, text: &str, start: u32) -> Option<CursorPlace> {
    let level = BracketLevel::before(root, start);
    let place = LevelReading { root, text, start, level: &level }.place()?;
    Some(place)
}

/// What a comment may go on with.
fn remark(comment: &SyntaxToken, before_cursor: &str, offset: u32, text: &str) -> Option<CursorContext> {
    let written = &before_cursor[comment.text_range().start as usize..];
    let line = written.rsplit('\n').next().unwrap_or(written);
    let line = line.trim_start().trim_start_matches(['#', '/', '*']).trim_start();
    let last = line.rsplit(char::is_whitespace).next().unwrap_or(line);
    let start = |part: &str| offset - part.len() as u32;
    let new = |part: &str, remark| {
        Some(CursorContext::new(start(part), offset, text, CursorPlace::Comment(remark), false))
    };
    if let Some((_, check)) = last.strip_prefix("lint:ignore").and_then(|it| it.rsplit_once(':')) {
        return new(check, Remark::LintCheck);
    }
    let is_control = ["lint:ignore", "lint:endignore"].iter().any(|it| it.starts_with(last));
    if last == line && !last.is_empty() && is_control {
        return new(last, Remark::LintControl);
    }
    if last == line && last.starts_with('@') {
        return new(last, Remark::Tag);
    }
    let mut words = line.split_whitespace();
    if words.next() == Some("@param") {
        let rest = line["@param".len()..].trim_start();
        // A type may stand in front of the name.
        let rest = rest.rsplit(']').next().unwrap_or(rest).trim_start();
        return (!rest.contains(char::is_whitespace)).then(|| new(rest, Remark::Parameter)).flatten();
    }
    None
}
