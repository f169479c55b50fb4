//! Puppet code in the layout of the style guide, without a change of what it means.
//!
//! [`format`] walks the tree and makes a document of it (`document`): pieces of the source, with places between them where a line may
//! or must break. Then `render` decides where lines break, and gives edits: what stands between two pieces that stay.
//!
//! **A comment on the line of the token before it stays at the end of that line; any other stands before the token behind it.**

mod builder;
mod columns;
mod document;
mod edits;
mod entries;
mod expressions;
mod lists;
mod meaning;
mod region;
mod render;
mod resources;
mod statements;
mod strings;
mod template;
mod trivia;

use edits::minimal;
use syntax::{Language, Parse, TextRange};

pub use edits::{LayoutEdit, apply};
pub use region::edits_of_statements;

/// What quotes become where nothing in a string needs double ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuoteStyle {
    /// Single quotes, where the value stays the same.
    Single,
    /// As they are.
    Keep,
}

/// What the user may set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatOptions {
    /// How many blanks a level of indentation takes.
    pub indent: u32,
    /// How many characters a line may have, where it can be broken.
    pub width: u32,
    /// `=>` in one column within a block.
    pub align_arrows: bool,
    /// `=` of parameters in one column.
    pub align_equals: bool,
    /// What quotes become.
    pub quotes: QuoteStyle,
    /// A comma behind the last element of a list that takes several lines.
    pub trailing_commas: bool,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            indent: 2,
            width: 140,
            align_arrows: true,
            align_equals: true,
            quotes: QuoteStyle::Single,
            trailing_commas: true,
        }
    }
}

/// Why a text, or a part of it, was left as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftReason {
    /// It does not parse.
    SyntaxError,
    /// Another layout would have changed what it means.
    Meaning,
}

/// What becomes of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formatted {
    /// What to change, from front to back; edits do not touch each other.
    pub edits: Vec<LayoutEdit>,
    /// What was left as it is, and why, from front to back. Where the user asks for it in a comment is not told.
    pub left: Vec<(TextRange, LeftReason)>,
}

/// No layout needs more rounds: what a line too long for its width makes of its neighbours is known only when it is broken.
const MAX_ROUNDS: usize = 4;

/// The changes that give a text the layout that the options want. They are none where they would change its meaning.
pub fn format(parse: &Parse, options: &FormatOptions) -> Formatted {
    let whole = TextRange::new(0, parse.text().len() as u32);
    let built = builder::build(parse, options);
    if parse.language() == Language::Epp {
        return template(parse, &built, whole);
    }
    let first = render::render(&built.document, parse.text(), options);
    let left = built.left.into_iter().map(|range| (range, LeftReason::SyntaxError)).collect();
    if first.edits.is_empty() {
        return Formatted { edits: Vec::new(), left };
    }
    let refused = || Formatted { edits: Vec::new(), left: vec![(whole, LeftReason::Meaning)] };
    let text = apply(parse.text(), &first.edits);
    let after = syntax::parse(&text, parse.language());
    if !meaning::is_same(parse, &after) {
        return refused();
    }
    if !first.has_broken_long_lines {
        return Formatted { edits: first.edits, left };
    }
    let Some(settled) = settle(&after, options) else {
        return Formatted { edits: first.edits, left };
    };
    if !meaning::is_same(parse, &settled) {
        return refused();
    }
    Formatted { edits: minimal(parse.text(), settled.text()), left }
}

fn template(parse: &Parse, built: &builder::Built, whole: TextRange) -> Formatted {
    if !built.left.is_empty() {
        return Formatted { edits: Vec::new(), left: vec![(whole, LeftReason::SyntaxError)] };
    }
    let edits = template::edits(parse, &built.document);
    if !meaning::is_same(parse, &syntax::parse(&apply(parse.text(), &edits), parse.language())) {
        return Formatted { edits: Vec::new(), left: vec![(whole, LeftReason::Meaning)] };
    }
    Formatted { edits, left: Vec::new() }
}

/// The text after the rounds behind the first one; `None` where they change nothing.
fn settle(parse: &Parse, options: &FormatOptions) -> Option<Parse> {
    let mut settled = None;
    for _ in 1..MAX_ROUNDS {
        let current = settled.as_ref().unwrap_or(parse);
        let built = builder::build(current, options);
        let next = render::render(&built.document, current.text(), options);
        if next.edits.is_empty() {
            break;
        }
        settled = Some(syntax::parse(&apply(current.text(), &next.edits), current.language()));
    }
    settled
}
