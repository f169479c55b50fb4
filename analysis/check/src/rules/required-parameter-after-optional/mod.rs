//! Functions with a required parameter after an optional one.

use codes::{Code, DowngradeReason, Severity};
use hir::DefinitionKind;

use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

pub(super) fn check(context: &mut RuleContext<'_>) {
    let found: Vec<Diagnostic> =
        context.definitions.iter().filter_map(|definition| misplaced(context, definition)).collect();
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// Returns the diagnostic for the first required parameter of a function after an optional one. Puppet only
/// fails when such a function is called.
fn misplaced(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> Option<Diagnostic> {
    if definition.key.kind != DefinitionKind::Function || definition.is_broken {
        return None;
    }
    let parameters = &definition.body.parameters;
    let first = parameters.iter().position(|it| it.default.is_some())?;
    let required =
        parameters[first..].iter().find(|it| it.default.is_none() && !it.captures_rest)?.name.clone();
    let whole = context.definition_node(definition)?.text_range();
    let heads = context.uses.iter().filter(|it| it.access == hir::Access::Declaration);
    let head = heads.into_iter().find(|it| {
        let is_parameter = matches!(
            it.kind,
            hir::NameUseKind::Variable(hir::VariableBinding::Local { of_lambda: false, .. })
        );
        is_parameter && it.name == required && whole.contains_range(it.range)
    })?;
    let message =
        format!("required parameter `${required}` after an optional one; every call of the function fails");
    let diagnostic = Diagnostic::new(Code::RequiredParameterAfterOptional, head.range, message);
    Some(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning))
}
