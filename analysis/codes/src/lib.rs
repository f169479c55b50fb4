//! What a diagnostic may be about: one table of codes, with the severity of each.
//!
//! A code is a [`Code`], never a text: one without a row does not compile. Texts are for output and for settings alone.

mod message;
mod severity;
mod table;

pub use message::{single_line, split_message, with_help};
pub use severity::{DowngradeReason, Severity};

/// Who finds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Parser,
    StaticRules,
    Evaluator,
    Catalogs,
    Data,
    Metadata,
    Templates,
    Project,
    Style,
}

/// What the table says of a code.
struct Row {
    group: Group,
    text: &'static str,
    /// `None`: the rule is off, as long as no setting wants it.
    severity: Option<Severity>,
    milder: &'static [DowngradeReason],
    puppet_lint_names: &'static [&'static str],
}

macro_rules! severity {
    (Off) => {
        None
    };
    ($severity:ident) => {
        Some(Severity::$severity)
    };
}

macro_rules! declare {
    ($($group:ident {
        $($name:ident = $text:literal, $severity:ident, [$($milder:ident),*], [$($lint:literal),*];)*
    })*) => {
        /// What a diagnostic is about.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $text] $name,)*)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &[Code] = &[$($(Code::$name,)*)*];
        }

        /// By the numbers of the codes.
        const ROWS: &[Row] = &[$($(Row {
            group: Group::$group,
            text: $text,
            severity: severity!($severity),
            milder: &[$(DowngradeReason::$milder),*],
            puppet_lint_names: &[$($lint),*],
        },)*)*];
    };
}

with_codes!(declare);

impl Code {
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// What is said of the place where that was there first which is there twice.
    pub fn text_of_earlier(self) -> &'static str {
        if self == Code::IllegalReassignment { "first set here" } else { "first declared here" }
    }

    /// Stable, kebab-case: what settings, comments and findings call it.
    pub fn as_str(self) -> &'static str {
        self.row().text
    }

    /// The severity of what is certain, where no setting says otherwise.
    pub fn severity(self) -> Severity {
        self.row().severity.unwrap_or(Severity::Warning)
    }

    /// The severity of a finding that is milder for a reason that the row names: the given one, or that of the row where
    /// that is milder still.
    pub fn downgraded(self, reason: DowngradeReason, severity: Severity) -> Severity {
        let row = self.row();
        debug_assert!(row.milder.contains(&reason), "the row of {} does not name {reason:?}", row.text);
        self.severity().max(severity)
    }

    /// Is nothing said as long as no setting wants it?
    pub fn is_off(self) -> bool {
        self.row().severity.is_none()
    }

    /// Does Puppet refuse to read such a text? Then neither settings nor comments hide it.
    pub fn is_fixed(self) -> bool {
        self.row().group == Group::Parser
    }

    /// Is it a matter of style, which Puppet does not care about? It is told where puppet-lint is used, or somebody asks for it.
    pub fn is_style(self) -> bool {
        self.row().group == Group::Style
    }

    /// Is it about something that is begun and never ended?
    pub fn is_unclosed(self) -> bool {
        use Code::*;
        matches!(self, UnclosedComment | UnclosedHeredoc | UnclosedInterpolation | UnclosedString)
    }

    /// What puppet-lint and its plug-ins call the same; these names work in comments and settings too.
    pub fn puppet_lint_names(self) -> &'static [&'static str] {
        self.row().puppet_lint_names
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.as_str(), f)
    }
}
