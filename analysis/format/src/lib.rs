//! Formats Puppet code according to the style guide without changing its meaning.
//!
//! [`format()`] turns the tree into a document (`document`): pieces of the source, separated by positions
//! where a line may or must break, in groups that break together or not at all. `render` then decides where
//! lines break and returns edits of the separators between the unchanged pieces. `builder` walks the tree;
//! `lists`, `resources`, `statements`, `expressions` and `entries` define the separators of each construct, and `kept`
//! the forms of the source that are kept, such as columns of `=`, contents beside their brackets, and what most
//! constructs of a file have in common.
//!
//! * **A comment on the line of the preceding token stays at the end of that line; any other comment precedes
//!   the token after it** (`trivia`).
//! * Pieces of the source keep their order. Only commas, the quotes of strings with the same value in single
//!   quotes, and the arrow of a chain may be inserted or replaced.
//! * **The result is parsed again: if Puppet's notation (PN) or the comments differ, the statements that cause it
//!   are left as they are** (`meaning`, `partial`).
//! * **Formatted code does not change when formatted again**: lines that are already broken stay broken, and
//!   long lines are formatted in up to four rounds.
//! * While typing (`on_type`), only arrows around the cursor and the indentation of its line change.
//! * In EPP templates (`template`), only whitespace within the line of a tag changes.
//! * Continued lines of an expression are not indented, as the plugin check `strict_indent` requires.
//!
//! The options are read by `disk::config`, including `.editorconfig`. See `docs/decisions/formatter.md`.

mod builder;
mod document;
mod edits;
mod entries;
mod expressions;
mod kept;
mod lists;
mod meaning;
mod on_type;
mod parsed;
mod partial;
mod region;
mod render;
mod resources;
mod statements;
mod strings;
mod template;
mod trivia;

use edits::minimal;
use parsed::ParsedText;
use syntax::{Language, Parse, TextRange};

pub use edits::{FormatEdit, apply};
pub use on_type::edits_on_type;
pub use region::edits_in_range;

/// Style for strings that do not need double quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuoteStyle {
    /// Single quotes, if the value stays the same.
    Single,
    /// Quotes as in the source.
    Keep,
}

/// Alignment of the `=` of adjacent parameters and assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EqualsAlignment {
    /// As in the source: columns are kept, and completed if most lines of a group are in one.
    Keep,
    /// Parameters in adjacent lines are aligned.
    Always,
    /// Nothing is aligned.
    Never,
}

/// Options of the formatter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatOptions {
    /// Number of spaces per level of indentation.
    pub indent: u32,
    /// Maximum line width in characters, where a line can be broken.
    pub width: u32,
    /// Aligns `=>` within a block.
    pub align_arrows: bool,
    /// Alignment of the `=` of parameters.
    pub align_equals: EqualsAlignment,
    /// Quote style.
    pub quotes: QuoteStyle,
    /// Adds a comma after the last element of a list that spans several lines.
    pub trailing_commas: bool,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            indent: 2,
            width: 140,
            align_arrows: true,
            align_equals: EqualsAlignment::Keep,
            quotes: QuoteStyle::Single,
            trailing_commas: true,
        }
    }
}

/// Reason for leaving a text, or a part of it, unformatted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnformattedReason {
    /// It has syntax errors.
    SyntaxError,
    /// Formatting would have changed its meaning.
    Meaning,
}

/// Result of formatting a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formatted {
    /// Edits in source order, which do not touch each other.
    pub edits: Vec<FormatEdit>,
    /// Ranges left unformatted, with reasons, in source order. Does not include code excluded by comments.
    pub unformatted: Vec<(TextRange, UnformattedReason)>,
}

/// Maximum number of formatting rounds. The effect of a broken long line on its neighbors is known only after
/// it has been broken.
const MAX_ROUNDS: usize = 4;

/// Returns the edits that format a text according to `options`. Statements whose meaning they would change are
/// left as they are.
pub fn format(parse: &Parse, options: &FormatOptions) -> Formatted {
    format_parsed(&ParsedText::new(parse), options)
}

/// Like [`format()`], for a text that is not parsed yet. Faster, since most texts do not need a [`Parse`].
pub fn format_text(text: &str, language: Language, options: &FormatOptions) -> Formatted {
    format_parsed(&ParsedText::parse(text, language), options)
}

fn format_parsed(source: &ParsedText, options: &FormatOptions) -> Formatted {
    let (text, language) = (source.text(), source.language);
    let built = builder::build(source, options);
    if language == Language::Epp {
        return template(source, &built);
    }
    let first = render::render(&built.document, text, options);
    let unformatted: Vec<_> =
        built.unformatted.into_iter().map(|range| (range, UnformattedReason::SyntaxError)).collect();
    if first.edits.is_empty() {
        return Formatted { edits: Vec::new(), unformatted };
    }
    let after = ParsedText::parse(&apply(text, &first.edits), language);
    if !meaning::is_same(source, &after) {
        return partial::without_changed_statements(source, first.edits, unformatted);
    }
    if !first.has_broken_long_lines && !built.has_unsettled_columns {
        return Formatted { edits: first.edits, unformatted };
    }
    match run_remaining_rounds(&after, options) {
        Some(formatted) if meaning::is_same(source, &formatted) => {
            Formatted { edits: minimal(text, formatted.text()), unformatted }
        }
        _ => Formatted { edits: first.edits, unformatted },
    }
}

fn template(source: &ParsedText, built: &builder::Built) -> Formatted {
    let text = source.text();
    if !built.unformatted.is_empty() {
        let whole = TextRange::new(0, text.len() as u32);
        return Formatted { edits: Vec::new(), unformatted: vec![(whole, UnformattedReason::SyntaxError)] };
    }
    let edits = template::edits(&source.tree, &built.document);
    let is_same = || meaning::is_same(source, &ParsedText::parse(&apply(text, &edits), source.language));
    if !edits.is_empty() && !is_same() {
        return partial::without_changed_statements(source, edits, Vec::new());
    }
    Formatted { edits, unformatted: Vec::new() }
}

/// Returns the text after the rounds following the first one; `None` if they change nothing.
fn run_remaining_rounds(first: &ParsedText, options: &FormatOptions) -> Option<ParsedText> {
    let mut formatted = None;
    for _ in 1..MAX_ROUNDS {
        let current = formatted.as_ref().unwrap_or(first);
        let built = builder::build(current, options);
        let next = render::render(&built.document, current.text(), options);
        if next.edits.is_empty() {
            break;
        }
        formatted = Some(ParsedText::parse(&apply(current.text(), &next.edits), current.language));
    }
    formatted
}
