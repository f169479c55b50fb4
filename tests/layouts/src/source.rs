//! Tokenized source: its tokens, the gaps between them, and the constraints on each gap.

use codes::Code;
use syntax::{Language, Severity, SyntaxElement, SyntaxKind, SyntaxKind::*};

/// Source that can be written in another layout.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) tokens: Vec<Token>,
    /// Gap after the last token; `None` if the text of a template ends the source.
    pub(crate) rest: Option<Vec<Gap>>,
    /// Bodies of the heredocs, including their last lines, in the order of their starts.
    pub(crate) heredocs: Vec<Vec<Token>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) text: String,
    /// Gap before the token; `None` inside the text of strings, heredocs, and templates.
    pub(crate) gap: Option<Vec<Gap>>,
    pub(crate) rule: Rule,
    /// True if the token would merge with the previous one without a gap.
    pub(crate) merges: bool,
}

/// Whitespace or comment between two tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    Spaces(String),
    /// Line break, `\n` or `\r\n`.
    Break(String),
    /// Comment up to the line break, which follows.
    LineComment(String),
    BlockComment(String),
}

/// Property of the position before a token that changes how Puppet reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    None,
    /// `[` directly after whitespace or a line break.
    AfterBlank,
    /// `[` directly after anything else.
    NotAfterBlank,
    /// `(` with only whitespace before it on its line.
    FirstOnLine,
    /// `(` with something before it on its line.
    NotFirstOnLine,
}

impl Source {
    /// Tokenizes a source. Returns `None` if it has errors or if the body of a heredoc is also part
    /// of a string.
    pub fn read(text: &str, language: Language) -> Option<Source> {
        let parse = syntax::parse(text, language);
        let refused = parse
            .errors()
            .iter()
            .any(|it| it.severity() == Severity::Error || it.code == Code::HeredocInString);
        if refused {
            return None;
        }
        let mut reader = Reader { levels: vec![Level::new(language == Language::Epp)], heredocs: Vec::new() };
        for element in parse.syntax().descendants_with_tokens() {
            reader.element(&element);
        }
        let level = reader.levels.pop()?;
        let rest = level.in_text.last().is_some_and(|it| !it).then_some(level.gap);
        let source = Source { tokens: level.tokens, rest, heredocs: reader.heredocs };
        let starts = source.tokens.iter().filter(|it| it.kind == HEREDOC_START).count();
        let is_whole = reader.levels.is_empty() && starts == source.heredocs.len();
        // A `/` after `}` is a division only because no other `/` follows: a comment would turn it
        // into a regular expression.
        let divides = source.tokens.windows(2).all(|it| it[1].kind != SLASH || it[0].kind.ends_operand());
        (is_whole && divides).then_some(source)
    }
}

/// Reader of tokens in source order, with a separate level for the body of a heredoc.
struct Reader {
    levels: Vec<Level>,
    heredocs: Vec<Vec<Token>>,
}

struct Level {
    tokens: Vec<Token>,
    gap: Vec<Gap>,
    /// For each open string and interpolation, true if the position is in text rather than in code.
    in_text: Vec<bool>,
}

impl Level {
    fn new(in_text: bool) -> Level {
        Level { tokens: Vec::new(), gap: Vec::new(), in_text: vec![in_text] }
    }
}

impl Reader {
    fn element(&mut self, element: &SyntaxElement) {
        let Some(token) = element.as_token() else {
            if element.kind() == HEREDOC_BODY {
                self.levels.push(Level::new(true));
            }
            return;
        };
        let Some(level) = self.levels.last_mut() else { return };
        let in_text = level.in_text.last().copied().unwrap_or_default();
        match token.kind() {
            WHITESPACE => return push_whitespace(&mut level.gap, token.text()),
            COMMENT => return level.gap.push(Gap::LineComment(token.text().to_owned())),
            BLOCK_COMMENT => return level.gap.push(Gap::BlockComment(token.text().to_owned())),
            DQ_START => level.in_text.push(true),
            INTERPOLATION_START => level.in_text.push(false),
            DQ_END | INTERPOLATION_END => {
                level.in_text.pop();
            }
            EPP_OPEN | EPP_OPEN_EXPR => level.in_text = vec![false],
            EPP_CLOSE | EPP_CLOSE_EXPR => level.in_text = vec![true],
            _ => {}
        }
        let gap = std::mem::take(&mut level.gap);
        let before = level.tokens.last();
        let is_text_before = level.tokens.iter().rev().nth(1).is_some_and(|it| it.kind == STRING_TEXT);
        let is_parameter_list = token.parent().is_some_and(|it| it.kind() == PARAMETER_LIST);
        let rule = rule(token.kind(), before.map(|it| it.kind), is_parameter_list);
        // In `a- b` the space after the `-` keeps them apart; it may be removed.
        let merges = (!gap.is_empty() || token.kind() == MINUS)
            && before.is_some_and(|it| merges(it, is_text_before, token.text()));
        let text = token.text().to_owned();
        level.tokens.push(Token { kind: token.kind(), text, gap: (!in_text).then_some(gap), rule, merges });
        if token.kind() == HEREDOC_END {
            self.heredocs.extend(self.levels.pop().map(|it| it.tokens));
        }
    }
}

fn push_whitespace(gap: &mut Vec<Gap>, text: &str) {
    for line in text.split_inclusive('\n') {
        let (spaces, end) = match line.strip_suffix('\n') {
            Some(rest) => match rest.strip_suffix('\r') {
                Some(rest) => (rest, "\r\n"),
                None => (rest, "\n"),
            },
            None => (line, ""),
        };
        if !spaces.is_empty() {
            gap.push(Gap::Spaces(spaces.to_owned()));
        }
        if !end.is_empty() {
            gap.push(Gap::Break(end.to_owned()));
        }
    }
}

fn rule(kind: SyntaxKind, before: Option<SyntaxKind>, is_parameter_list: bool) -> Rule {
    let is_free = before.is_some_and(expects_operand);
    match kind {
        LIST_START if !is_free => Rule::AfterBlank,
        L_BRACK if !is_free => Rule::NotAfterBlank,
        LINE_START_PAREN if !is_free && !is_parameter_list => Rule::FirstOnLine,
        L_PAREN if !is_free && !is_parameter_list => Rule::NotFirstOnLine,
        _ => Rule::None,
    }
}

/// Returns true if only an operand can follow, so that a bracket starts a list and a parenthesis a
/// group in any layout.
fn expects_operand(before: SyntaxKind) -> bool {
    matches!(
        before,
        L_BRACK
            | LIST_START
            | L_BRACE
            | SELECTOR_BRACE
            | L_PAREN
            | LINE_START_PAREN
            | INTERPOLATION_START
            | EQ
            | PLUS_EQ
            | MINUS_EQ
            | EQ_EQ
            | NOT_EQ
            | MATCH
            | NO_MATCH
            | GT_EQ
            | GT
            | LT_EQ
            | LT
            | FAT_ARROW
            | PLUS_ARROW
            | SHIFT_LEFT
            | SHIFT_RIGHT
            | COLLECT_START
            | EXPORTED_START
            | PLUS
            | MINUS
            | SLASH
            | STAR
            | PERCENT
            | BANG
            | COLON
            | COMMA
            | SEMICOLON
            | QUESTION
            | BEFORE_ARROW
            | NOTIFY_ARROW
            | REQUIRE_ARROW
            | SUBSCRIBE_ARROW
            | AND_KW
            | OR_KW
            | IN_KW
            | IF_KW
            | ELSIF_KW
            | UNLESS_KW
            | CASE_KW
    )
}

/// Returns true if `before` and `text` would be tokenized differently without a gap between them.
/// `is_text_before` is true if the token before `before` is text of a string.
fn merges(before: &Token, is_text_before: bool, text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let is_name = matches!(before.kind, NAME | WORD) || before.kind.is_keyword();
    if is_name || matches!(before.kind, CLASSREF | VARIABLE | NUMBER) {
        let is_bare = is_name || before.kind == VARIABLE && !before.text.starts_with('$');
        return first.is_alphanumeric()
            || first == '_'
            || text.starts_with("::")
            || is_bare && text.starts_with('-') && !["->", "-=", "-%>"].contains(&text)
            || before.kind == NUMBER && first == '.';
    }
    // A quote that would end an empty string, or directly follows an interpolation, is text itself
    // if another quote or `$` follows.
    if before.kind == DQ_END && !is_text_before || before.text == "\"\"" {
        return matches!(first, '"' | '$');
    }
    let followers = match before.text.as_str() {
        "''" => "'",
        "=" => "=>~",
        "+" => "=>",
        "-" => "=>",
        "!" => "=~",
        "~" => ">",
        "<" => "<=|-~",
        "<<" => "|",
        ">" => ">=",
        "|" | "|>" | "%" => ">",
        "@" => "@(",
        "/" => "*",
        ":" => ":",
        "<%" => "-=%#",
        "." => "0123456789",
        _ => "",
    };
    followers.contains(first)
}
