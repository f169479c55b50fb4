//! Security rules: secrets in code, permissions, downloads, algorithms, and commands. They look at the values of
//! expressions where these are known, and at literals otherwise.

mod algorithms;
mod commands;
mod comments;
mod downloads;
mod exposure;
mod files;
mod inspection;
mod network;
mod secrets;
mod values;

use std::sync::LazyLock;

use codes::Code;
use project::LintLevel;

use self::commands::commands;
use self::inspection::{Inspection, ShellCommand};
use self::values::{named_values, resources};
use crate::context::RuleContext;
use crate::rule_table::level;

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
