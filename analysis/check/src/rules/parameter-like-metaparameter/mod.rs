#![doc = include_str!("page.md")]

use hir::DefinitionKind;

use crate::Diagnostic;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let is_metaparameter = |name: &str| plugins::built_in::metaparameter(name).is_some();
    let has_one = context.definitions.iter().any(|it| {
        matches!(it.key.kind, DefinitionKind::Class | DefinitionKind::DefinedType)
            && it.body.parameters.iter().any(|parameter| is_metaparameter(&parameter.name))
    });
    if has_one {
        for found in project::parameters_like_metaparameters(context.tree()) {
            context.report(Diagnostic::from(&found));
        }
    }
}
