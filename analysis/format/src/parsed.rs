//! Parsed text that the passes of the formatter visit.

use std::cell::OnceCell;

use syntax::{FlatTree, Language, Parse, Severity, TextRange};

pub(crate) struct ParsedText {
    pub(crate) tree: FlatTree,
    pub(crate) language: Language,
    /// Ranges of the syntax errors, excluding warnings.
    pub(crate) errors: Vec<TextRange>,
    parse: OnceCell<Parse>,
}

impl ParsedText {
    pub(crate) fn new(parse: &Parse) -> ParsedText {
        let errors = parse.errors().iter().filter(|it| it.severity() == Severity::Error);
        ParsedText {
            tree: parse.flat_tree(),
            language: parse.language(),
            errors: errors.map(|it| it.range).collect(),
            parse: OnceCell::from(parse.clone()),
        }
    }

    pub(crate) fn parse(text: &str, language: Language) -> ParsedText {
        match FlatTree::parse(text, language) {
            Some(tree) => ParsedText { tree, language, errors: Vec::new(), parse: OnceCell::new() },
            None => ParsedText::new(&syntax::parse(text, language)),
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.tree.text()
    }

    /// Returns the result of a full parse, which most texts do not need.
    pub(crate) fn full_parse(&self) -> &Parse {
        self.parse.get_or_init(|| syntax::parse(self.text(), self.language))
    }
}
