//! Diagnostic codes: one table with the severity and the puppet-lint names of each code.
//!
//! Code is passed around as a [`Code`], never as a string, so a code without a row in the table does not
//! compile. Strings are only used in output and settings.
//!
//! A row of `table` has the name, the severity, the reasons for a lower severity, and names in puppet-lint; that of a
//! check of puppet-lint also has the columns for `lint`. **A finding has the severity of its row, or a lower one for a
//! reason that the row lists** (`DowngradeReason`). The user's settings are applied afterwards (`check::publication`).
//! Every code has a page (`check/src/rules/CODE/page.md`), or `check` does not compile.
//!
//! `message` splits messages into the problem and its `help:` lines.

mod message;
mod severity;
mod table;
mod weakness;

use std::sync::LazyLock;

pub use message::{append_to_problem, single_line, split_message, with_help};
pub use severity::{DowngradeReason, Severity};

/// Component that reports a code.
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

/// Properties of a code.
struct Row {
    group: Group,
    text: &'static str,
    /// `None` if the rule is off unless a setting enables it.
    severity: Option<Severity>,
    downgrades: &'static [DowngradeReason],
    /// Names that no check of `lint` has.
    puppet_lint_names: &'static [&'static str],
}

/// Origin of a check of `lint`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckOrigin {
    /// puppet-lint.
    PuppetLint,
    /// Plugins in Vox Pupuli's collection.
    VoxPupuli,
    /// Another plugin.
    Plugin,
    /// This project.
    Own,
}

macro_rules! severity {
    (Off) => {
        None
    };
    ($severity:ident) => {
        Some(Severity::$severity)
    };
}

/// Expands to its first argument, once for each row that has the second one.
macro_rules! first {
    ($first:expr, $second:literal) => {
        $first
    };
}

macro_rules! declare {
    ($($group:ident {
        $($name:ident
            $(= $text:literal, $severity:ident, [$($downgrades:ident),*], [$($lint:literal),*])?
            $(: $origin:ident $check:literal, $level:ident, $default:ident, $fix:ident, $run:path)?;)*
    })*) => {
        /// Kind of diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($($(#[doc = $text] $name,)?)*)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Code] = &[$($($(first!(Code::$name, $text),)?)*)*];
        }

        /// Rows of the table, indexed by the discriminant of the code.
        const ROWS: &[Row] = &[$($($(Row {
            group: Group::$group,
            text: $text,
            severity: severity!($severity),
            downgrades: &[$(DowngradeReason::$downgrades),*],
            puppet_lint_names: &[$($lint),*],
        },)?)*)*];

        /// Checks of puppet-lint and its plugins, with the codes that report the same.
        const CHECKS: &[(Code, CheckOrigin, &str)] =
            &[$($($((Code::$name, CheckOrigin::$origin, $check),)?)*)*];
    };
}

with_codes!(declare);

/// Names in puppet-lint of each code, indexed by its discriminant.
static PUPPET_LINT_NAMES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let names = |code: &Code| {
        let checks = CHECKS.iter().filter(|(of, origin, _)| of == code && *origin != CheckOrigin::Own);
        checks.map(|(_, _, name)| *name).chain(code.row().puppet_lint_names.iter().copied()).collect()
    };
    Code::ALL.iter().map(names).collect()
});

impl Code {
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the label of the earlier location in a diagnostic about a duplicate.
    pub fn earlier_label(self) -> &'static str {
        if self == Code::IllegalReassignment { "first set here" } else { "first declared here" }
    }

    /// Returns the stable kebab-case name that settings, comments and output use.
    pub fn as_str(self) -> &'static str {
        self.row().text
    }

    /// Returns the severity of a finding that is certain, unless a setting overrides it.
    pub fn severity(self) -> Severity {
        self.row().severity.unwrap_or(Severity::Warning)
    }

    /// Returns the severity of a finding that is downgraded for `reason`: the lower of `severity` and the
    /// severity of the row.
    ///
    /// The row has to list `reason`; debug builds assert this.
    pub fn downgraded(self, reason: DowngradeReason, severity: Severity) -> Severity {
        let row = self.row();
        debug_assert!(row.downgrades.contains(&reason), "the row of {} does not name {reason:?}", row.text);
        self.severity().max(severity)
    }

    /// Returns the reasons for which a finding may have a lower severity.
    pub fn downgrade_reasons(self) -> &'static [DowngradeReason] {
        self.row().downgrades
    }

    /// Returns true if the rule only runs when a setting enables it.
    pub fn is_off(self) -> bool {
        self.row().severity.is_none()
    }

    /// Returns true if Puppet cannot read such a file. Neither settings nor comments hide these diagnostics.
    pub fn is_fixed(self) -> bool {
        self.row().group == Group::Parser
    }

    /// Returns true for matters of style, which do not affect Puppet. They are reported in projects that use
    /// puppet-lint or if a setting selects them.
    pub fn is_style(self) -> bool {
        self.row().group == Group::Style
    }

    /// Returns the name of a rule in comments: that of puppet-lint for its checks, so that it understands them.
    pub fn comment_name(self) -> &'static str {
        let of_puppet_lint = self.puppet_lint_names().first().filter(|_| self.is_style());
        of_puppet_lint.copied().unwrap_or(self.as_str())
    }

    /// Returns true if the code reports an unterminated construct.
    pub fn is_unclosed(self) -> bool {
        use Code::*;
        matches!(self, UnclosedComment | UnclosedHeredoc | UnclosedInterpolation | UnclosedString)
    }

    /// Returns the names of the corresponding checks of puppet-lint and its plugins, which comments and
    /// settings may use too.
    pub fn puppet_lint_names(self) -> &'static [&'static str] {
        &PUPPET_LINT_NAMES[self as usize]
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
