//! Table of checks: the rows for puppet-lint in the table of codes.

use codes::{CheckOrigin, Code};

use crate::Level;
use crate::checks::*;
use crate::manifest::Manifest;
use crate::report::{CheckReport, StyleFinding};

/// Check of puppet-lint or of a plugin.
pub struct StyleCheck {
    /// Rule of the check; if [`StyleCheck::is_own_rule`] is false, a rule of another crate that covers it.
    pub code: Code,
    /// Program or plugin that defines the check.
    pub origin: CheckOrigin,
    /// Name in puppet-lint or its plugin.
    pub name: &'static str,
    pub level: Level,
    /// True if the check is on by default.
    pub is_default: bool,
    /// Effect of the fixes.
    pub fix: Fix,
    pub(crate) run: fn(&Manifest, &mut CheckReport),
}

/// Returns true if the fixes of a rule only change formatting.
pub fn is_formatting_fix(code: Code) -> bool {
    CHECKS.iter().any(|it| it.code == code && it.fix == Fix::Formatting)
}

impl Fix {
    /// Returns true if the fix does not change the meaning of the code.
    pub fn is_safe(self) -> bool {
        matches!(self, Fix::Formatting | Fix::Safe)
    }
}

impl StyleCheck {
    /// Returns true if the check has a separate rule. Otherwise another rule of `check` covers it with more
    /// precision.
    pub fn is_own_rule(&self) -> bool {
        self.code.is_style()
    }
}

impl StyleFinding {
    /// Returns true if the fix does not change the meaning of the code.
    pub fn is_safe(&self) -> bool {
        !self.is_unsafe && CHECKS.iter().any(|it| it.name == self.check && it.fix.is_safe())
    }
}

/// Effect of the fix of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// No fix.
    None,
    /// Fix that only changes formatting.
    Formatting,
    /// Fix without effect on the catalog.
    Safe,
    /// Fix that may change the catalog, or require changes in other code.
    Unsafe,
}

/// Column of the table: the check is on by default.
const ON: bool = true;
/// Column of the table: the check is off by default.
const OFF: bool = false;

macro_rules! checks {
    ($($group:ident {
        $($name:ident
            $(= $text:literal, $severity:ident, [$($downgrades:ident),*], [$($lint:literal),*])?
            $(: $origin:ident $check:literal, $level:ident, $default:ident, $fix:ident, $run:path)?;)*
    })*) => {
        /// All checks, in the order of puppet-lint and its plugins.
        pub static CHECKS: &[StyleCheck] = &[$($($(StyleCheck {
            code: Code::$name,
            origin: CheckOrigin::$origin,
            name: $check,
            level: Level::$level,
            is_default: $default,
            fix: Fix::$fix,
            run: $run,
        },)?)*)*];
    };
}

codes::with_codes!(checks);
