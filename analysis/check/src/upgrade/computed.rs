//! Names of legacy facts that code composes: `getvar("::ipaddress_${interface}")`.

use plugins::computed_names::names_in;
use syntax::{SyntaxKind, TextRange};

use crate::context::RuleContext;
use crate::rules::legacy_fact;
use crate::rules::legacy_fact::is_legacy_fact;

/// Reports legacy facts whose names end with an interpolation, to prepare an upgrade.
pub(crate) fn computed_facts(context: &mut RuleContext<'_>) {
    if !context.environment.prepares_upgrade(context.db) {
        return;
    }
    let strings = context.tree().descendants().filter(|it| it.kind() == SyntaxKind::INTERPOLATED_STRING);
    let found: Vec<(String, TextRange)> = strings.flat_map(|it| names_in(&it)).collect();
    for (name, range) in found {
        if is_legacy_fact(context.db, context.environment, &name) {
            let diagnostic = legacy_fact::in_test(context.version(), &name, range, '$');
            context.report(diagnostic);
        }
    }
}
