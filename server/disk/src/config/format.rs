//! Formatting style: `[format]` of the settings, and below it `.editorconfig`.

use std::path::Path;

use format::{EqualsAlignment, FormatOptions, QuoteStyle};
use serde::Deserialize;

use super::editorconfig;
use crate::path_policy::TrustedFolders;

/// Formatting settings of one source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct FormatLayer {
    /// Number of spaces per indentation level.
    pub(super) indent: Option<u32>,
    /// Maximum line width in characters, where a line can be broken.
    pub(super) width: Option<u32>,
    align_arrows: Option<bool>,
    align_equals: Option<EqualsSetting>,
    quotes: Option<QuoteStyleName>,
    trailing_commas: Option<bool>,
    /// Number of spaces per indentation level if neither settings nor an `.editorconfig` set it.
    #[serde(skip)]
    pub(super) last_indent: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum QuoteStyleName {
    Single,
    Keep,
}

/// Value of `align-equals`; `true` and `false` are the former names of `always` and `never`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
enum EqualsSetting {
    Switch(bool),
    Name(EqualsName),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EqualsName {
    Keep,
    Always,
    Never,
}

impl EqualsSetting {
    fn alignment(self) -> EqualsAlignment {
        match self {
            EqualsSetting::Name(EqualsName::Keep) => EqualsAlignment::Keep,
            EqualsSetting::Switch(true) | EqualsSetting::Name(EqualsName::Always) => EqualsAlignment::Always,
            EqualsSetting::Switch(false) | EqualsSetting::Name(EqualsName::Never) => EqualsAlignment::Never,
        }
    }
}

/// Valid indentations.
const INDENTS: std::ops::RangeInclusive<u32> = 1..=16;

/// Minimum line width.
const MIN_WIDTH: u32 = 20;

impl FormatLayer {
    /// Merges two layers; the values of `over` take precedence.
    pub(super) fn under(self, over: FormatLayer) -> FormatLayer {
        FormatLayer {
            indent: over.indent.or(self.indent),
            width: over.width.or(self.width),
            align_arrows: over.align_arrows.or(self.align_arrows),
            align_equals: over.align_equals.or(self.align_equals),
            quotes: over.quotes.or(self.quotes),
            trailing_commas: over.trailing_commas.or(self.trailing_commas),
            last_indent: over.last_indent.or(self.last_indent),
        }
    }

    /// Returns the formatting options for a file: these settings, then the `.editorconfig` of its folders as
    /// far as it may be read, then the style guide.
    pub fn options_for(self, file: &Path, trusted: &TrustedFolders) -> FormatOptions {
        let layer = editorconfig::format_layer(file, trusted).under(self);
        let defaults = FormatOptions::default();
        FormatOptions {
            indent: layer
                .indent
                .or(layer.last_indent)
                .filter(|it| INDENTS.contains(it))
                .unwrap_or(defaults.indent),
            width: layer.width.map_or(defaults.width, |it| it.max(MIN_WIDTH)),
            align_arrows: layer.align_arrows.unwrap_or(defaults.align_arrows),
            align_equals: layer.align_equals.map_or(defaults.align_equals, EqualsSetting::alignment),
            quotes: layer.quotes.map_or(defaults.quotes, |it| match it {
                QuoteStyleName::Single => QuoteStyle::Single,
                QuoteStyleName::Keep => QuoteStyle::Keep,
            }),
            trailing_commas: layer.trailing_commas.unwrap_or(defaults.trailing_commas),
        }
    }
}
