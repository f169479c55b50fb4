#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use eval::similar_function;
use hir::{Access, NameUseKind};
use hir::{DefinitionKind, Name};
use plugins::built_in::bolt;
use project::NameKind;
use syntax::{Severity, SyntaxKind};

use super::removed_function::{fix_for_stdlib_9, replacement_in_stdlib_9};
use super::unknown::{self, NameAdvice, NameVerdict, UnknownName};
use crate::context::RuleContext;
use crate::{Diagnostic, UnknownNameKind};

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.kind != NameUseKind::Function || !matches!(it.access, Access::Call | Access::Read) {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if is_known(context, &name) {
            continue;
        }
        let mut verdict = unknown::verdict(context, NameKind::Function, &name);
        // Functions of all modules are visible in every module.
        let is_of_absent_stdlib =
            functions::is_of_stdlib(&name) && !context.environment.modules(context.db).contains_key("stdlib");
        if verdict == NameVerdict::Missing && is_of_absent_stdlib {
            verdict = NameVerdict::ModuleMissing(Name::new("stdlib"));
        }
        let is_plan = is_in_plan(context, at);
        if is_plan && is_in_module_of_bolt(&name) && matches!(verdict, NameVerdict::ModuleMissing(_)) {
            verdict = NameVerdict::Missing;
        }
        // After a dot it may be a method of an object.
        let is_method = is_method_call(context, range);
        let is_of_object = is_method && is_plan;
        let known = |context: &RuleContext<'_>| known_names(context, &name, is_plan, is_of_object);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { mut severity, mut similar } = found;
        let is_misspelt = is_misspelt_built_in(&name) || is_plan && is_misspelt_in_bolt(&name);
        if !is_of_absent_stdlib && is_misspelt {
            severity = severity.min(Severity::Warning);
        }
        if is_method {
            if similar.is_empty() || bolt::is_member(&name) {
                continue;
            }
            severity = Severity::Warning;
        }
        let mut message = format!("unknown function `{name}`");
        if let Some(instead) = replacement_in_stdlib_9(&name) {
            // Reported as a removed function.
            if !context.environment.modules(context.db).contains_key("stdlib") {
                continue;
            }
            message = codes::with_help(
                format!("{message}, which was removed in stdlib 9"),
                format!("use {instead}"),
            );
            if let Some(fix) = fix_for_stdlib_9(context, &name, range) {
                let diagnostic = Diagnostic::new(Code::UnknownFunction, range, message);
                let diagnostic = diagnostic.downgraded(DowngradeReason::Uncertain, severity);
                context.report(diagnostic.with_data(fix));
                continue;
            }
            similar.clear();
        }
        let code = Code::UnknownFunction;
        unknown::report(
            context,
            UnknownName { code, range, severity, message, kind: UnknownNameKind::Function, name, similar },
        );
    }
}

/// Minimum length of a name for which one wrong letter in a built-in function is certainly a typo, even if
/// modules are missing.
const MIN_LENGTH_FOR_CERTAINTY: usize = 6;

fn is_misspelt_built_in(name: &str) -> bool {
    name.len() >= MIN_LENGTH_FOR_CERTAINTY && similar_function(functions::LIBRARY, name).is_some()
}

fn is_misspelt_in_bolt(name: &str) -> bool {
    let functions = bolt::functions().iter().map(|it| it.name.as_str());
    name.len() >= MIN_LENGTH_FOR_CERTAINTY && !eval::similar::similar(name, functions).is_empty()
}

fn is_known(context: &RuleContext<'_>, name: &str) -> bool {
    functions::built_in(name).is_some()
        || bolt::function(name).is_some()
        || functions::is_external_function(name)
        || project::resolve_function(context.db, context.file, name).is_some()
}

fn is_in_plan(context: &RuleContext<'_>, at: usize) -> bool {
    let definition = context.definitions.get(context.uses[at].definition as usize);
    definition.is_some_and(|it| it.key.kind == DefinitionKind::Plan)
}

/// Returns true for a name in a module that is a part of Bolt, such as `out::message`. Bolt finds these modules
/// before all others.
fn is_in_module_of_bolt(name: &str) -> bool {
    let module = name.split_once("::").map(|(module, _)| module);
    let modules = || bolt::functions().iter().filter_map(|it| Some(it.name.split_once("::")?.0));
    module.is_some_and(|module| modules().any(|it| it == module))
}

fn is_method_call(context: &RuleContext<'_>, range: syntax::TextRange) -> bool {
    let element = context.tree().covering_element(range);
    let parent = element.and_then(|it| it.parent());
    parent.is_some_and(|it| it.kind() == SyntaxKind::METHOD_CALL_EXPR)
}

fn known_names(context: &RuleContext<'_>, name: &str, is_of_bolt: bool, is_of_object: bool) -> Vec<Name> {
    let mut names = unknown::similar_names(context, DefinitionKind::Function, name);
    if is_of_object {
        let members = bolt::types().iter().flat_map(|it| bolt::members(&it.name));
        names.extend(members.map(|it| Name::new(&it.name)));
    }
    if is_of_bolt {
        names.extend(bolt::functions().iter().map(|it| Name::new(&it.name)));
    }
    names.extend(functions::all_built_in().map(|it| Name::new(it.name)));
    let ruby = project::ruby_functions(context.db, context.environment).iter();
    names.extend(ruby.map(|(name, _)| name.clone()));
    names
}
