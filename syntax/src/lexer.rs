//! Splits a text into tokens. Lexing never fails: every byte belongs to a token, and malformed input is
//! reported and kept.
//!
//! Puppet's lexical structure depends on context: a `/` may begin a regular expression, strings and heredocs
//! contain expressions, the text of a heredoc follows the line that uses it, and a template is text
//! interleaved with code. The lexer keeps a stack of frames for strings and interpolations and never
//! recurses.

mod code;
mod epp;
mod heredoc;
mod strings;

pub(crate) use heredoc::{EndLine, parse_header as parse_heredoc_header};
pub(crate) use strings::unicode_escape;

use codes::{Code, DowngradeReason, Severity, with_help};
use std::collections::VecDeque;

use crate::{Language, SyntaxKind, SyntaxKind::*, TextFinding, TextRange};

/// Maximum nesting of strings, interpolations and heredocs.
const MAX_NESTING: usize = 256;

/// Token that ends where the next one begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) start: u32,
}

/// Tokens and findings of a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// All tokens in source order; the last one is `EOF`.
    pub(crate) tokens: Vec<Token>,
    /// Tokens of each heredoc text, including its end line, by start position.
    pub(crate) heredoc_bodies: Vec<HeredocTokens>,
    pub(crate) errors: Vec<TextFinding>,
    /// True if an unterminated string extends to the end of the text. Other missing terminators may be inside
    /// it.
    pub(crate) rest_is_string: bool,
    /// Possibly unterminated strings and interpolations; see [`lex`].
    pub(crate) suspects: Vec<Suspect>,
}

/// Offset of a possibly unterminated string or interpolation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suspect {
    /// Quote. As an unterminated string, it ends with its line.
    String(u32),
    /// `${`. As an unterminated interpolation, it ends after its first token.
    Interpolation(u32),
}

impl Suspect {
    /// Sorts by position and removes duplicates.
    pub(crate) fn sort(suspects: &mut Vec<Suspect>) {
        suspects.sort_unstable_by_key(|it| (it.offset(), matches!(it, Suspect::Interpolation(_))));
        suspects.dedup();
    }

    pub(crate) fn offset(self) -> u32 {
        match self {
            Suspect::String(offset) | Suspect::Interpolation(offset) => offset,
        }
    }

    /// Returns the same kind of suspect at another offset.
    pub(crate) fn at(self, offset: u32) -> Suspect {
        match self {
            Suspect::String(_) => Suspect::String(offset),
            Suspect::Interpolation(_) => Suspect::Interpolation(offset),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct HeredocTokens {
    pub(crate) first: u32,
    /// Exclusive end.
    pub(crate) end: u32,
}

impl Lexed {
    pub(crate) fn range(&self, token: usize) -> TextRange {
        let start = self.tokens[token].start;
        TextRange::new(start, self.tokens.get(token + 1).map_or(start, |next| next.start))
    }
}

/// Splits a text into tokens. `broken` is assumed to be unterminated: the parser tries that for the
/// `suspects` of an earlier run.
pub(crate) fn lex(text: &str, language: Language, broken: Option<Suspect>) -> Lexed {
    let mut lexer = Lexer::new(text, broken);
    lexer.byte_order_mark();
    match language {
        Language::Manifest => {}
        Language::Plan => lexer.plan_keywords = true,
        Language::Epp => {
            lexer.context.epp = EppMode::Text;
            lexer.epp_text(false);
        }
    }
    lexer.run();
    lexer.finish()
}

/// Lexes code from the offset `from`, where a statement begins on the line starting at `line_start`, to the
/// end of `text`. Returns `None` if the end is inside a token.
pub(crate) fn lex_part(text: &str, language: Language, from: usize, line_start: usize) -> Option<Lexed> {
    let mut lexer = Lexer::new(text, None);
    lexer.plan_keywords = language == Language::Plan;
    lexer.at = from;
    lexer.context.line_start = line_start;
    lexer.run();
    (lexer.context.pending_heredocs.is_empty() && !lexer.lacks_regex_end).then(|| lexer.finish())
}

/// State established by the code around a position. Heredoc texts have their own.
#[derive(Debug)]
struct LexerContext {
    brace_count: u32,
    /// Last token that is not trivia.
    after: SyntaxKind,
    /// Start of the current line of code.
    line_start: usize,
    /// Heredocs whose texts begin after the next line break.
    pending_heredocs: VecDeque<heredoc::Pending>,
    /// End of the text of this context.
    limit: usize,
    epp: EppMode,
    /// Offset of the open `<%`.
    epp_open: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EppMode {
    /// Not a template.
    Off,
    Text,
    /// In `<% %>`
    Code,
    /// In `<%= %>`
    Expr,
}

#[derive(Debug)]
enum LexerFrame {
    /// Double-quoted string that contains an interpolation.
    String {
        start: usize,
    },
    /// `${ ... }`; ends at the `}` that restores the brace count to `brace_count`.
    Interpolation {
        start: usize,
        brace_count: u32,
        first_token: usize,
    },
    Heredoc(Box<heredoc::OpenText>),
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    out: Lexed,
    context: LexerContext,
    frames: Vec<LexerFrame>,
    plan_keywords: bool,
    broken_string: Option<usize>,
    broken_interpolation: Option<usize>,
    /// Number of unterminated heredocs so far, which is limited.
    unterminated_heredocs: u32,
    /// True if no line break follows the current position.
    on_last_line: bool,
    /// True if a `/` would begin a regular expression if a closing `/` followed.
    lacks_regex_end: bool,
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str, broken: Option<Suspect>) -> Lexer<'t> {
        let context = LexerContext {
            brace_count: 0,
            after: EOF,
            line_start: 0,
            pending_heredocs: VecDeque::new(),
            limit: text.len(),
            epp: EppMode::Off,
            epp_open: 0,
        };
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            out: Lexed { tokens: Vec::with_capacity(text.len() / 4 + 8), ..Lexed::default() },
            context,
            frames: Vec::new(),
            plan_keywords: false,
            broken_string: match broken {
                Some(Suspect::String(offset)) => Some(offset as usize),
                _ => None,
            },
            broken_interpolation: match broken {
                Some(Suspect::Interpolation(offset)) => Some(offset as usize),
                _ => None,
            },
            unterminated_heredocs: 0,
            on_last_line: false,
            lacks_regex_end: false,
        }
    }

    fn byte_order_mark(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
            self.push(BOM, 0);
            self.report(
                Code::ByteOrderMark,
                0,
                self.at,
                with_help(
                    "file begins with a byte-order mark (EF BB BF), which Puppet rejects",
                    "save the file without a byte-order mark",
                ),
            );
            self.context.line_start = self.at;
        }
    }

    fn run(&mut self) {
        loop {
            match self.frames.last() {
                None => {
                    if self.at >= self.context.limit {
                        break;
                    }
                    self.code_token();
                }
                Some(LexerFrame::Interpolation { .. }) => {
                    if self.at >= self.context.limit {
                        self.end_unterminated_interpolation();
                    } else if self.broken_interpolation_ends() {
                        self.end_broken_interpolation();
                    } else {
                        self.code_token();
                    }
                }
                Some(LexerFrame::String { start }) => {
                    let start = *start;
                    self.double_quoted_text(start);
                }
                Some(LexerFrame::Heredoc(_)) => self.heredoc_text(),
            }
        }
    }

    fn finish(mut self) -> Lexed {
        self.report_pending_heredocs();
        if matches!(self.context.epp, EppMode::Code | EppMode::Expr) {
            let open = self.context.epp_open;
            self.report(
                Code::EppUnclosedTag,
                open,
                open + 2,
                with_help("unterminated template tag", "add `%>`"),
            );
        }
        self.out.tokens.push(Token { kind: EOF, start: self.text.len() as u32 });
        self.out.errors.sort_by_key(|error| (error.range.start, error.range.end));
        self.out
    }

    /// Adds a token from `start` to the current position.
    fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.out.tokens.push(Token { kind, start: start as u32 });
        if !kind.is_trivia() {
            self.context.after = kind;
        }
    }

    /// Adds a token from `start` to the current position without recording it as the previous significant
    /// token.
    fn push_insignificant(&mut self, kind: SyntaxKind, start: usize) {
        self.out.tokens.push(Token { kind, start: start as u32 });
    }

    fn report(&mut self, code: Code, start: usize, end: usize, message: impl Into<String>) {
        let range = TextRange::new(start as u32, end as u32);
        self.out.errors.push(TextFinding::new(code, range, message));
    }

    /// Reports a mistake that Puppet itself tolerates, as a warning.
    fn report_tolerated(&mut self, code: Code, start: usize, end: usize, message: impl Into<String>) {
        let range = TextRange::new(start as u32, end as u32);
        self.out.errors.push(
            TextFinding::new(code, range, message).downgraded(DowngradeReason::Tolerated, Severity::Warning),
        );
    }

    fn peek(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.context.limit { self.bytes[at] } else { 0 }
    }

    /// Returns the remaining text of this context.
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.context.limit]
    }

    fn end_of_line(&self, from: usize) -> usize {
        let line = &self.bytes[from..self.context.limit];
        let length = line.iter().position(|b| *b == b'\n').unwrap_or(line.len());
        if length > 0 && line[length - 1] == b'\r' { from + length - 1 } else { from + length }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns true for the characters of Ruby's `[[:blank:]]`.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Returns the length of the variable name at the start of `bytes`, `(::)?(\w+::)*\w+`; 0 if there is none.
fn variable_name_length(bytes: &[u8]) -> usize {
    let mut end = 0;
    let mut at = if bytes.starts_with(b"::") { 2 } else { 0 };
    loop {
        let word = bytes[at..].iter().take_while(|b| is_word(**b)).count();
        if word == 0 {
            return end;
        }
        end = at + word;
        if !bytes[end..].starts_with(b"::") {
            return end;
        }
        at = end + 2;
    }
}
