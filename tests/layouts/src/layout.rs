//! Layouts: the whitespace and comments that each one puts between two tokens.

use crate::random::Random;
use crate::source::{Gap, Token};

use syntax::SyntaxKind::*;

/// Way to format a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layout {
    /// Only the whitespace that Puppet needs.
    Minimal,
    /// One token per line.
    TokenPerLine,
    /// Line breaks and whitespace anywhere.
    RandomBreaks,
    /// Original lines, all starting at column 0.
    NoIndentation,
    /// Original lines with reversed indentation: the deepest line is indented least.
    ReversedIndentation,
    /// Comments between all tokens.
    Comments,
    /// Original with `\r\n` line ends.
    CrLf,
    /// `\r` for all whitespace and line breaks, which Puppet treats as a space.
    LoneCr,
    /// Tabs for all spaces.
    Tabs,
    /// Original with each closing bracket at column 0.
    ClosersAtColumn0,
    /// Original with blank lines at every line break.
    BlankLines,
    /// All of the above at random, with every whitespace character that Puppet accepts.
    Random,
}

impl Layout {
    pub const ALL: [Layout; 12] = [
        Layout::Minimal,
        Layout::TokenPerLine,
        Layout::RandomBreaks,
        Layout::NoIndentation,
        Layout::ReversedIndentation,
        Layout::Comments,
        Layout::CrLf,
        Layout::LoneCr,
        Layout::Tabs,
        Layout::ClosersAtColumn0,
        Layout::BlankLines,
        Layout::Random,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Layout::Minimal => "minimal",
            Layout::TokenPerLine => "token-per-line",
            Layout::RandomBreaks => "random-breaks",
            Layout::NoIndentation => "no-indentation",
            Layout::ReversedIndentation => "reversed-indentation",
            Layout::Comments => "comments",
            Layout::CrLf => "crlf",
            Layout::LoneCr => "lone-cr",
            Layout::Tabs => "tabs",
            Layout::ClosersAtColumn0 => "closers-at-column-0",
            Layout::BlankLines => "blank-lines",
            Layout::Random => "random",
        }
    }

    pub fn from_name(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns the replacement for the gap `original` before `token` (or at the end).
    pub(crate) fn gap(self, original: &[Gap], token: Option<&Token>, random: &mut Random) -> Vec<Gap> {
        let spaces = |text: &str| Gap::Spaces(text.to_owned());
        let line_break = || Gap::Break("\n".to_owned());
        let map = |change: &mut dyn FnMut(&Gap, &mut Vec<Gap>)| {
            let mut gap = Vec::new();
            original.iter().for_each(|it| change(it, &mut gap));
            gap
        };
        match self {
            Layout::Minimal => Vec::new(),
            Layout::TokenPerLine => vec![line_break()],
            Layout::RandomBreaks => match random.below(6) {
                0 => Vec::new(),
                1 => vec![spaces(" ")],
                2 => vec![spaces("   ")],
                3 => vec![line_break()],
                4 => vec![spaces(" "), line_break(), line_break()],
                _ => vec![line_break(), spaces(&" ".repeat(random.below(20)))],
            },
            Layout::NoIndentation => lines(original, |_| 0),
            Layout::ReversedIndentation => lines(original, |indentation| 24usize.saturating_sub(indentation)),
            Layout::Comments => comment(random),
            Layout::CrLf => map(&mut |it, gap| {
                gap.push(match it {
                    Gap::Break(_) => Gap::Break("\r\n".to_owned()),
                    other => other.clone(),
                })
            }),
            Layout::LoneCr => map(&mut |it, gap| match it {
                Gap::Spaces(_) | Gap::Break(_) => gap.push(spaces("\r")),
                Gap::LineComment(_) => {}
                Gap::BlockComment(_) => gap.push(it.clone()),
            }),
            Layout::Tabs => map(&mut |it, gap| match it {
                Gap::Spaces(text) => gap.push(spaces(&"\t".repeat(text.len().div_ceil(2)))),
                other => gap.push(other.clone()),
            }),
            Layout::ClosersAtColumn0 => {
                let mut gap = original.to_vec();
                if token.is_some_and(|it| matches!(it.kind, R_BRACE | R_BRACK | R_PAREN | INTERPOLATION_END))
                {
                    gap.push(line_break());
                }
                gap
            }
            Layout::BlankLines => {
                let mut gap = map(&mut |it, gap| match it {
                    Gap::Break(_) => gap.extend([line_break(), spaces("  "), line_break(), line_break()]),
                    other => gap.push(other.clone()),
                });
                if random.one_in(2) {
                    gap.extend([line_break(), line_break(), spaces("  ")]);
                }
                gap
            }
            Layout::Random => match random.below(8) {
                0 => Vec::new(),
                1 => original.to_vec(),
                2 => comment(random),
                3 => vec![spaces(random.pick(WHITESPACE)), spaces(random.pick(WHITESPACE))],
                4 => vec![Gap::Break("\r\n".to_owned()), spaces(random.pick(WHITESPACE))],
                _ => {
                    let layouts = [Layout::RandomBreaks, Layout::BlankLines, Layout::Tabs, Layout::LoneCr];
                    random.pick(&layouts).gap(original, token, random)
                }
            },
        }
    }
}

const WHITESPACE: &[&str] = &[" ", "\t", "\r", "\u{a0}", "\u{3000}", "\u{2003}", "      "];

/// Returns the lines of `original`, each with its indentation mapped by `indent`.
fn lines(original: &[Gap], indent: impl Fn(usize) -> usize) -> Vec<Gap> {
    let mut gap: Vec<Gap> = Vec::new();
    let mut items = original.iter().peekable();
    while let Some(item) = items.next() {
        gap.push(item.clone());
        if !matches!(item, Gap::Break(_)) || matches!(items.peek(), Some(Gap::Break(_))) {
            continue;
        }
        let own = items.next_if(|it| matches!(it, Gap::Spaces(_)));
        let width = match own {
            Some(Gap::Spaces(text)) => text.chars().count(),
            _ => 0,
        };
        match indent(width) {
            0 => {}
            width => gap.push(Gap::Spaces(" ".repeat(width))),
        }
    }
    gap
}

/// Generates a comment, which may look like code.
fn comment(random: &mut Random) -> Vec<Gap> {
    const TEXTS: &[&str] =
        &["", " c ", " it's ", " \" ", " ${ ", " } ) ] ", " { ( [ ", " => ", " @(A) ", " | A", " class a { "];
    const BLOCKS: &[&str] = &["/**/", "/***/", "/* a\n * b\n */", "/* // */", "/* # */", "/*\n\n*/"];
    let text = random.pick(TEXTS);
    let mut gap = Vec::new();
    if random.one_in(2) {
        gap.push(Gap::Spaces(" ".to_owned()));
    }
    match random.below(4) {
        0 => gap.extend([Gap::LineComment(format!("#{text}")), Gap::Break("\n".to_owned())]),
        1 => gap.push(Gap::BlockComment(random.pick(BLOCKS).to_owned())),
        _ => gap.push(Gap::BlockComment(format!("/*{text}*/"))),
    }
    if random.one_in(2) {
        gap.push(Gap::Spaces(" ".to_owned()));
    }
    gap
}
