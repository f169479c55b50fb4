//! Security rules: secrets in code, permissions, downloads, algorithms, and commands. They look at the values of
//! expressions where these are known, and at literals otherwise.

mod algorithms;
mod commands;
mod comments;
mod downloads;
mod exposure;
mod files;
mod network;
mod secrets;
mod values;

use std::sync::{Arc, LazyLock};

use codes::Code;
use compile::Summary;
use hir::{Body, ExprId};
use project::LintLevel;
use syntax::TextRange;

use self::commands::{ShellCommand, commands};
use self::values::{NamedValue, named_values, resources};
use super::value_mismatch::AttributeList;
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};
use crate::publication::level;

/// Definition that the rules look at, and their findings.
struct Inspection<'a> {
    definition: &'a SectionDefinition<'a>,
    body: &'a Body,
    summary: Arc<Summary>,
    resources: &'a [AttributeList<'a>],
    named: &'a [NamedValue<'a>],
    commands: &'a [ShellCommand],
    enabled: &'a [Code],
    found: Vec<Diagnostic>,
}

impl Inspection<'_> {
    fn report(&mut self, code: Code, expr: ExprId, message: impl Into<String>) {
        if let Some(range) = self.definition.range(expr) {
            self.report_range(code, range, message);
        }
    }

    fn report_range(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        let is_known = self.found.iter().any(|it| it.code == code && it.range == range);
        if !is_known {
            self.found.push(Diagnostic::new(code, range, message));
        }
    }
}

/// Function that reports findings of some codes.
struct SecurityCheck {
    codes: &'static [Code],
    run: fn(&mut Inspection<'_>),
}

/// Rules on definitions.
const CHECKS: [SecurityCheck; 7] = [
    SecurityCheck { codes: &[Code::SecurityWeakHash, Code::SecurityWeakCipher], run: algorithms::check },
    SecurityCheck {
        codes: &[Code::SecurityPipeToShell, Code::SecurityWorldWritable, Code::SecurityShellInjection],
        run: commands::check,
    },
    SecurityCheck {
        codes: &[Code::SecurityUnsignedRepository, Code::SecurityUnverifiedDownload],
        run: downloads::check,
    },
    SecurityCheck { codes: &[Code::SecurityExposedSecret], run: exposure::check },
    SecurityCheck { codes: &[Code::SecurityWorldWritable, Code::SecurityReadableKey], run: files::check },
    SecurityCheck { codes: &[Code::SecurityPlainHttp, Code::SecurityOpenBind], run: network::check },
    SecurityCheck {
        codes: &[
            Code::SecurityDefaultAdmin,
            Code::SecurityEmptyPassword,
            Code::SecurityHardcodedPassword,
            Code::SecurityHardcodedSecret,
            Code::SecurityPrivateKey,
        ],
        run: secrets::check,
    },
];

static CODES: LazyLock<Vec<Code>> =
    LazyLock::new(|| Code::ALL.iter().copied().filter(|it| it.is_security()).collect());

/// Runs the rules if any of them is enabled.
pub(super) fn check_values(context: &mut RuleContext<'_>) {
    let is_enabled = |code: Code| {
        level(context.db, context.environment, code).map_or(!code.is_off(), |it| it != LintLevel::Off)
    };
    let enabled: Vec<Code> = CODES.iter().copied().filter(|it| is_enabled(*it)).collect();
    if enabled.is_empty() {
        return;
    }
    let mut found = Vec::new();
    for definition in &context.definitions {
        let body = &*definition.body;
        let resources = resources(body);
        let named = named_values(body, &resources);
        let summary = compile::summary(context.db, definition.id);
        let commands: Vec<ShellCommand> = resources.iter().flat_map(|it| commands(body, it)).collect();
        let mut inspection = Inspection {
            definition,
            body,
            summary,
            resources: &resources,
            named: &named,
            commands: &commands,
            enabled: &enabled,
            found: Vec::new(),
        };
        for check in CHECKS.iter().filter(|it| it.codes.iter().any(|code| enabled.contains(code))) {
            (check.run)(&mut inspection);
        }
        found.append(&mut inspection.found);
    }
    if enabled.contains(&Code::SecuritySuspiciousComment) {
        found.extend(comments::findings(context));
    }
    found.retain(|it| enabled.contains(&it.code));
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}
