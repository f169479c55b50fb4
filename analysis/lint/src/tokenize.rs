//! Conversion of a syntax tree to the tokens of puppet-lint.

use syntax::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

use crate::token::{StyleToken, TokenKind, Tokens};

/// Returns the tokens of the text under `root`.
pub(crate) fn tokenize<'t>(root: &SyntaxNode, text: &'t str) -> Tokens<'t> {
    let mut tokenizer = Tokenizer::new(text);
    for element in root.descendants_with_tokens() {
        match element {
            SyntaxElement::Node(node) if node.kind() == SyntaxKind::HEREDOC_BODY => {
                tokenizer.begin_quoted(node.text_range().start, node.text_range().start, Quoted::HEREDOC);
            }
            SyntaxElement::Node(_) => {}
            SyntaxElement::Token(token) => tokenizer.token(&token),
        }
    }
    Tokens::new(text, tokenizer.list)
}

/// Token kinds of the parts of a string or heredoc.
#[derive(Clone, Copy)]
struct Quoted {
    whole: TokenKind,
    start: TokenKind,
    middle: TokenKind,
    end: TokenKind,
}

impl Quoted {
    const STRING: Quoted = Quoted {
        whole: TokenKind::DoubleQuoted,
        start: TokenKind::StringStart,
        middle: TokenKind::StringMiddle,
        end: TokenKind::StringEnd,
    };
    const HEREDOC: Quoted = Quoted {
        whole: TokenKind::Heredoc,
        start: TokenKind::HeredocStart,
        middle: TokenKind::HeredocMiddle,
        end: TokenKind::HeredocEnd,
    };
}

/// Unterminated string or heredoc.
struct OpenQuoted {
    kinds: Quoted,
    /// Start of the pending part, and start of its text.
    part: u32,
    part_text: u32,
    /// True if a part has been emitted.
    has_parts: bool,
    /// True inside of an interpolation.
    interpolates: bool,
}

struct Tokenizer<'t> {
    text: &'t str,
    list: Vec<StyleToken>,
    quoted: Vec<OpenQuoted>,
    /// Offset up to which tokens have been emitted.
    taken: u32,
    /// Offset of a known position, and its 1-based line and column.
    at: u32,
    line: u32,
    column: u32,
}

impl<'t> Tokenizer<'t> {
    fn new(text: &'t str) -> Tokenizer<'t> {
        Tokenizer { text, list: Vec::new(), quoted: Vec::new(), taken: 0, at: 0, line: 1, column: 1 }
    }

    fn token(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        if range.end <= self.taken || range.start == range.end {
            return;
        }
        let start = range.start.max(self.taken);
        match token.kind() {
            SyntaxKind::DQ_START => self.begin_quoted(start, range.end, Quoted::STRING),
            SyntaxKind::STRING_TEXT => {}
            SyntaxKind::INTERPOLATION_START => self.begin_interpolation(start, range.end),
            SyntaxKind::INTERPOLATION_END => self.end_interpolation(start, range.end),
            SyntaxKind::DQ_END => self.end_quoted(start, range.end),
            SyntaxKind::HEREDOC_END => self.end_heredoc(start, range.end),
            SyntaxKind::VARIABLE => self.variable(start, range.end),
            SyntaxKind::WHITESPACE => self.whitespace(start, range.end),
            SyntaxKind::BOM => {
                self.at = range.end;
            }
            SyntaxKind::SLASH | SyntaxKind::REGEX if self.is_slash_comment(start) => {
                let line = &self.text[start as usize..];
                let end = start + line.find(['\n', '\r']).unwrap_or(line.len()) as u32;
                self.push_value(TokenKind::SlashComment, start, end, start + 2, end);
            }
            SyntaxKind::CLASSREF => self.class_reference(start, range.end),
            SyntaxKind::AT_AT => self.two_tokens(start, TokenKind::At, TokenKind::At),
            SyntaxKind::MINUS_EQ => self.two_tokens(start, TokenKind::Minus, TokenKind::Equal),
            kind => self.plain(kind, start, range.end),
        }
    }

    /// Returns true if `//` is meant as a comment.
    ///
    /// Puppet reads it as an empty regular expression, which may be intended after a match operator.
    fn is_slash_comment(&self, start: u32) -> bool {
        let Some(rest) = self.text[start as usize..].strip_prefix("//") else { return false };
        let rest = rest.trim_start();
        let is_matched = self.list.iter().rev().find(|it| !it.kind.is_formatting());
        let is_matched =
            is_matched.is_some_and(|it| matches!(it.kind, TokenKind::Match | TokenKind::NoMatch));
        !is_matched && ![":", "=>", ","].iter().any(|it| rest.starts_with(it))
    }

    /// Emits two tokens of one character each.
    fn two_tokens(&mut self, start: u32, first: TokenKind, second: TokenKind) {
        self.push(first, start, start + 1);
        self.push(second, start + 1, start + 2);
    }

    fn plain(&mut self, kind: SyntaxKind, start: u32, end: u32) {
        let text = &self.text[start as usize..end as usize];
        match kind {
            SyntaxKind::COMMENT => self.push_value(TokenKind::Comment, start, end, start + 1, end),
            SyntaxKind::SQ_STRING => self.push_inner(TokenKind::SingleQuoted, start, end),
            SyntaxKind::DQ_STRING => self.push_inner(TokenKind::DoubleQuoted, start, end),
            SyntaxKind::REGEX => self.push_inner(TokenKind::Regex, start, end),
            SyntaxKind::HEREDOC_START => {
                self.push_value(TokenKind::HeredocOpen, start, end, start + 2.min(end - start), end - 1);
            }
            _ if is_word(kind) => {
                let before_paren = self.text[end as usize..].starts_with('(');
                self.push(if before_paren { TokenKind::FunctionName } else { word(text) }, start, end);
            }
            _ => self.push(symbol(kind), start, end),
        }
    }

    /// Emits a type token for Puppet's data types, and a reference token for all other capitalized names.
    fn class_reference(&mut self, start: u32, end: u32) {
        let text = &self.text[start as usize..end as usize];
        let first = text.split("::").next().unwrap_or_default();
        if !BUILT_IN_TYPES.contains(&first) {
            self.push(TokenKind::ClassRef, start, end);
            return;
        }
        let first_end = start + first.len() as u32;
        self.push(TokenKind::Type, start, first_end);
        if first_end < end {
            self.push(TokenKind::ClassRef, first_end, end);
        }
    }

    fn whitespace(&mut self, start: u32, end: u32) {
        let bytes = self.text.as_bytes();
        let mut at = start as usize;
        let end = end as usize;
        while at < end {
            let begin = at;
            let kind = match bytes[at] {
                b'\n' => {
                    at += 1;
                    TokenKind::Newline
                }
                b'\r' => {
                    at += if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
                    TokenKind::Newline
                }
                _ => {
                    while at < end && !matches!(bytes[at], b'\n' | b'\r') {
                        at += 1;
                    }
                    let after_line = self.list.last().is_some_and(|it| it.kind == TokenKind::Newline);
                    if after_line { TokenKind::Indent } else { TokenKind::Whitespace }
                }
            };
            self.push(kind, begin as u32, at as u32);
        }
    }

    /// Emits a variable together with the accesses that directly follow it on its line.
    fn variable(&mut self, start: u32, end: u32) {
        let has_dollar = self.text[start as usize..].starts_with('$');
        let in_text = self.quoted.last().is_some_and(|it| !it.interpolates);
        if !has_dollar {
            let text = &self.text[start as usize..end as usize];
            let kind = if self.text[end as usize..].starts_with('(') {
                TokenKind::FunctionName
            } else if BUILT_IN_TYPES.contains(&text) {
                TokenKind::Type
            } else {
                TokenKind::Variable
            };
            self.push(kind, start, end);
            return;
        }
        let end = end_of_dashes(self.text, end);
        if in_text {
            self.emit_part(start, start);
            self.push_value(TokenKind::UnenclosedVariable, start, end, start + 1, end);
            self.next_part(end, end);
        } else {
            let end = end_of_accesses(self.text, end);
            self.push_value(TokenKind::Variable, start, end, start + 1, end);
        }
    }

    fn begin_quoted(&mut self, start: u32, text: u32, kinds: Quoted) {
        self.quoted.push(OpenQuoted {
            kinds,
            part: start,
            part_text: text,
            has_parts: false,
            interpolates: false,
        });
    }

    fn begin_interpolation(&mut self, start: u32, end: u32) {
        self.emit_part(start, end);
        if let Some(open) = self.quoted.last_mut() {
            open.interpolates = true;
        }
    }

    fn end_interpolation(&mut self, start: u32, end: u32) {
        if let Some(open) = self.quoted.last_mut() {
            open.interpolates = false;
        }
        self.next_part(start, end);
    }

    fn next_part(&mut self, start: u32, text: u32) {
        if let Some(open) = self.quoted.last_mut() {
            open.part = start;
            open.part_text = text;
        }
    }

    /// Emits the text before an interpolation, which ends at `text_end`, including the `${`.
    fn emit_part(&mut self, text_end: u32, end: u32) {
        let Some(open) = self.quoted.last_mut() else { return };
        let kind = if open.has_parts { open.kinds.middle } else { open.kinds.start };
        open.has_parts = true;
        let (part, part_text) = (open.part, open.part_text);
        self.push_value(kind, part, end, part_text, text_end);
    }

    fn end_quoted(&mut self, text_end: u32, end: u32) {
        let Some(open) = self.quoted.pop() else { return };
        let kind = if open.has_parts { open.kinds.end } else { open.kinds.whole };
        self.push_value(kind, open.part, end, open.part_text, text_end);
    }

    /// Emits the end of a heredoc. The line break after its end line is not part of it.
    fn end_heredoc(&mut self, start: u32, end: u32) {
        let line = self.text[start as usize..end as usize].trim_end_matches(['\n', '\r']);
        let line_end = start + line.len() as u32;
        let before = self.text[..start as usize].trim_end().len() as u32;
        let text_end = match line.find('|') {
            Some(bar) => start + bar as u32,
            // The whitespace and the line break before the end line belong to it.
            None => self.quoted.last().map_or(before, |open| before.max(open.part_text)),
        };
        self.end_quoted(text_end, line_end);
        if line_end < end {
            self.push(TokenKind::Newline, line_end, end);
        }
    }

    fn push_inner(&mut self, kind: TokenKind, start: u32, end: u32) {
        self.push_value(kind, start, end, start + 1, end.saturating_sub(1).max(start + 1));
    }

    fn push(&mut self, kind: TokenKind, start: u32, end: u32) {
        self.push_value(kind, start, end, start, end);
    }

    fn push_value(&mut self, kind: TokenKind, start: u32, end: u32, value_start: u32, value_end: u32) {
        self.advance_to(start);
        let (line, column) = (self.line, self.column);
        self.list.push(StyleToken { kind, start, end, value_start, value_end, line, column });
        self.taken = self.taken.max(end);
    }

    /// Updates line and column up to `offset`.
    fn advance_to(&mut self, offset: u32) {
        let passed = &self.text[self.at as usize..offset as usize];
        let mut characters = passed.chars().peekable();
        while let Some(character) = characters.next() {
            let ends_line = character == '\n' || (character == '\r' && characters.peek() != Some(&'\n'));
            if ends_line {
                self.line += 1;
                self.column = 1;
            } else if character != '\r' {
                self.column += 1;
            }
        }
        self.at = offset;
    }
}

/// Returns the offset after suffixes such as `-word`, which puppet-lint takes for a part of a variable's
/// name.
fn end_of_dashes(text: &str, end: u32) -> u32 {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let mut end = end as usize;
    while bytes.get(end) == Some(&b'-') && is_word(end + 1) {
        end += 1;
        while is_word(end) {
            end += 1;
        }
    }
    end as u32
}

/// Returns the offset after accesses such as `[…]`. An access ends at the first `]` on its line.
fn end_of_accesses(text: &str, end: u32) -> u32 {
    let mut end = end as usize;
    while text[end..].starts_with('[') {
        let rest = &text[end + 1..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let Some(first) = line.chars().next() else { break };
        let Some(close) = line[first.len_utf8()..].find(']') else { break };
        end += 1 + first.len_utf8() + close + 1;
    }
    end as u32
}

fn is_word(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::NAME | SyntaxKind::WORD) || kind.is_keyword()
}

fn word(text: &str) -> TokenKind {
    match text {
        "case" => TokenKind::Case,
        "class" => TokenKind::Class,
        "default" => TokenKind::Default,
        "define" => TokenKind::Define,
        "if" => TokenKind::If,
        "elsif" => TokenKind::Elsif,
        "inherits" => TokenKind::Inherits,
        "node" => TokenKind::Node,
        "undef" => TokenKind::Undef,
        "false" => TokenKind::False,
        "true" => TokenKind::True,
        "unless" => TokenKind::Unless,
        "function" => TokenKind::Function,
        "import" | "else" | "and" | "or" | "in" | "type" | "attr" | "private" => TokenKind::Keyword,
        _ => TokenKind::Name,
    }
}

fn symbol(kind: SyntaxKind) -> TokenKind {
    match kind {
        SyntaxKind::BLOCK_COMMENT => TokenKind::BlockComment,
        SyntaxKind::NUMBER => TokenKind::Number,
        SyntaxKind::L_BRACK | SyntaxKind::LIST_START => TokenKind::LeftBracket,
        SyntaxKind::R_BRACK => TokenKind::RightBracket,
        SyntaxKind::L_BRACE | SyntaxKind::SELECTOR_BRACE => TokenKind::LeftBrace,
        SyntaxKind::R_BRACE => TokenKind::RightBrace,
        SyntaxKind::L_PAREN | SyntaxKind::LINE_START_PAREN => TokenKind::LeftParen,
        SyntaxKind::R_PAREN => TokenKind::RightParen,
        SyntaxKind::EQ => TokenKind::Equal,
        SyntaxKind::EQ_EQ => TokenKind::EqualEqual,
        SyntaxKind::NOT_EQ => TokenKind::NotEqual,
        SyntaxKind::MATCH => TokenKind::Match,
        SyntaxKind::NO_MATCH => TokenKind::NoMatch,
        SyntaxKind::GT_EQ => TokenKind::GreaterEqual,
        SyntaxKind::GT => TokenKind::Greater,
        SyntaxKind::LT_EQ => TokenKind::LessEqual,
        SyntaxKind::LT => TokenKind::Less,
        SyntaxKind::FAT_ARROW => TokenKind::FatArrow,
        SyntaxKind::PLUS_ARROW => TokenKind::PlusArrow,
        SyntaxKind::SHIFT_LEFT => TokenKind::ShiftLeft,
        SyntaxKind::SHIFT_RIGHT => TokenKind::ShiftRight,
        SyntaxKind::PLUS => TokenKind::Plus,
        SyntaxKind::MINUS => TokenKind::Minus,
        SyntaxKind::BANG => TokenKind::Not,
        SyntaxKind::DOT => TokenKind::Dot,
        SyntaxKind::PIPE => TokenKind::Pipe,
        SyntaxKind::AT => TokenKind::At,
        SyntaxKind::COLON => TokenKind::Colon,
        SyntaxKind::COMMA => TokenKind::Comma,
        SyntaxKind::SEMICOLON => TokenKind::Semicolon,
        SyntaxKind::QUESTION => TokenKind::Question,
        SyntaxKind::BEFORE_ARROW => TokenKind::Before,
        SyntaxKind::NOTIFY_ARROW => TokenKind::Notify,
        SyntaxKind::REQUIRE_ARROW => TokenKind::Require,
        SyntaxKind::SUBSCRIBE_ARROW => TokenKind::Subscribe,
        SyntaxKind::PLUS_EQ
        | SyntaxKind::COLLECT_START
        | SyntaxKind::COLLECT_END
        | SyntaxKind::EXPORTED_START
        | SyntaxKind::EXPORTED_END
        | SyntaxKind::SLASH
        | SyntaxKind::STAR
        | SyntaxKind::PERCENT => TokenKind::Operator,
        _ => TokenKind::Unknown,
    }
}

/// Data types that puppet-lint knows by name.
const BUILT_IN_TYPES: &[&str] = &[
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Tuple",
    "Type",
    "Undef",
    "Variant",
];
