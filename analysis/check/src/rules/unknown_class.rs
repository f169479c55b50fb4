#![doc = include_str!("../../pages/unknown-class.md")]

use codes::Code;
use hir::{Access, DefinitionKind, NameUseKind};
use project::NameKind;

use super::unknown::{self, NameAdvice, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let is_use = it.kind == NameUseKind::Class
            && matches!(it.access, Access::Read | Access::Call | Access::Declaration);
        // The scope of a variable is handled by the rule on variables, and the head of a definition declares
        // its name.
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
        let known = |context: &RuleContext<'_>| unknown::similar_names(context, DefinitionKind::Class, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { severity, similar } = found;
        let message = format!("unknown class `{name}`");
        let code = Code::UnknownClass;
        unknown::report(
            context,
            UnknownName { code, range, severity, message, kind: UnknownNameKind::Class, name, similar },
        );
    }
}
