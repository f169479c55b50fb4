#![doc = include_str!("../../pages/unknown-class.md")]

use codes::Code;
use hir::{Access, DefinitionKind, Name, NameUseKind};
use project::{FilePlace, NameKind};
use syntax::Severity;

use super::reach::{Reach, reach};
use super::unknown::{self, NameAdvice, NameVerdict, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;

/// The class of the file's own module that Puppet 3 took a name for.
fn in_own_module(context: &RuleContext<'_>, name: &str) -> Option<Name> {
    let FilePlace::Module { module, .. } = context.file.place(context.db) else { return None };
    let meant = Name::new(format!("{}::{name}", module.name(context.db)));
    project::resolve_in_file(context.db, context.file, NameKind::Class, &meant).map(|_| meant)
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let is_use = it.kind == NameUseKind::Class
            && matches!(it.access, Access::Read | Access::Call | Access::Declaration);
        // The scope of a variable is a matter of the rule on variables; a head of a definition is what it says.
        if !is_use || unknown::is_scope_of_variable(context, at) || unknown::is_own_head(context, at) {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if name.is_empty()
            || project::resolve_in_file(context.db, context.file, NameKind::Class, &name).is_some()
        {
            continue;
        }
        let verdict = unknown::verdict(context, NameKind::Class, &name);
        if let (NameVerdict::Perhaps | NameVerdict::ModuleMissing(_), Some(meant)) =
            (&verdict, in_own_module(context, &name))
            && reach(context, range) != Reach::Asked
        {
            let message = format!("there is no class '{name}': names are whole names since Puppet 4");
            let (code, severity, kind) = (Code::UnknownClass, Severity::Warning, UnknownNameKind::Class);
            let similar = vec![meant];
            unknown::report(context, UnknownName { code, range, severity, message, kind, name, similar });
            continue;
        }
        let known = |context: &RuleContext<'_>| unknown::names_like(context, DefinitionKind::Class, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { severity, similar } = found;
        let message = format!("there is no class '{name}'");
        let code = Code::UnknownClass;
        unknown::report(
            context,
            UnknownName { code, range, severity, message, kind: UnknownNameKind::Class, name, similar },
        );
    }
}
