#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, NameUseKind};
use hir::{DefinitionKind, Name, ReferenceKind};
use plugins::built_in;
use project::NameKind;

use super::unknown::{self, NameAdvice, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.kind != NameUseKind::ResourceType || matches!(it.access, Access::Documentation) {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if ReferenceKind::is_class(&name)
            || project::resolve_resource_type(context.db, context.file, &name).is_some()
        {
            continue;
        }
        let verdict = unknown::verdict(context, NameKind::DefinedType, &name);
        let known = |context: &RuleContext<'_>| known_names(context, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { severity, similar } = found;
        let message = format!("unknown resource type `{name}`");
        let code = Code::UnknownResourceType;
        unknown::report(
            context,
            UnknownName {
                code,
                range,
                severity,
                message,
                kind: UnknownNameKind::ResourceType,
                name,
                similar,
            },
        );
    }
}

/// Returns the candidate names of resource types and defined types for an unknown name.
pub(super) fn known_names(context: &RuleContext<'_>, name: &str) -> Vec<Name> {
    let mut names = unknown::similar_names(context, DefinitionKind::DefinedType, name);
    if !name.contains("::") {
        names.extend(built_in::resource_types().iter().map(|it| it.name.clone()));
        let ruby = project::ruby_resource_types(context.db, context.environment).iter();
        names.extend(ruby.map(|(name, _)| name.clone()));
    }
    names
}
