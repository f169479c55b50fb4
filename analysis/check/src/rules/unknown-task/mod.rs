#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, DefinitionKind, Name, NameUseKind};
use scalars::similar::is_misspelled;
use syntax::Severity;

use super::reach::{Reach, reach};
use super::unknown::{self, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;

/// Minimum length of a name in a module that is not installed to be a typo for another one.
const MIN_LENGTH: usize = 5;

/// Reports tasks and plans that the code of a plan runs and that their module does not have.
pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let (code, kind, noun) = match it.kind {
            NameUseKind::Task => (Code::UnknownTask, UnknownNameKind::Task, "task"),
            NameUseKind::Plan => (Code::UnknownPlan, UnknownNameKind::Plan, "plan"),
            _ => continue,
        };
        if it.access == Access::Declaration {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        let (db, file) = (context.db, context.file);
        let is_missing = match kind {
            UnknownNameKind::Task => project::lacks_task(db, file, &name),
            _ => project::lacks_plan(db, file, &name),
        };
        let reach = reach(context, range);
        let module = name.split("::").next().unwrap_or_default();
        let is_installed = project::module_named(db, file, module).is_some();
        if !is_missing && is_installed || reach == Reach::Asked {
            continue;
        }
        let similar = context.similar(&name, |context| match kind {
            UnknownNameKind::Task => project::task_names(context.db, context.file),
            _ => unknown::similar_names(context, DefinitionKind::Plan, &name),
        });
        // Any other module may be installed elsewhere.
        let is_misspelt = || similar.iter().any(|it| is_misspelled(&name, it));
        if !is_missing
            && (name.len() < MIN_LENGTH
                || !is_misspelt()
                || unknown::is_expected(context, &Name::new(module)))
        {
            continue;
        }
        let (severity, message) = (reach.severity(), format!("unknown {noun} `{name}`"));
        let severity = if is_missing { severity } else { Severity::Warning };
        unknown::report(context, UnknownName { code, range, severity, message, kind, name, similar });
    }
}
