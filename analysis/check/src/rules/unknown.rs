//! Shared parts of the rules on unknown names.

use codes::{Code, DowngradeReason};
use hir::{Access, NameUseKind, VariableBinding};
use hir::{DefinitionKind, Name};
use project::{Absence, FileRole, NameKind, absence};
use syntax::{Severity, TextRange};

use super::reach::{Reach, reach};
use crate::context::RuleContext;
use crate::{Diagnostic, FixData, UnknownNameKind};

/// Knowledge about a name that could not be resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NameVerdict {
    /// The name is not defined.
    Missing,
    /// The module of the name is not installed.
    ModuleMissing(Name),
    /// The name is not defined in the workspace, but may be defined elsewhere.
    Perhaps,
    Silent,
}

/// Classifies a name that could not be resolved.
pub(super) fn verdict(context: &RuleContext<'_>, kind: NameKind, name: &str) -> NameVerdict {
    let may_be_of_any_module = !name.contains("::")
        && matches!(kind, NameKind::Function | NameKind::DefinedType | NameKind::TypeAlias);
    match absence(context.db, context.file, kind, name) {
        Absence::NameMissing if may_be_of_any_module && !declares_modules(context) => NameVerdict::Perhaps,
        Absence::NameMissing if may_be_loaded(context, kind, name) => NameVerdict::Silent,
        Absence::NameMissing => NameVerdict::Missing,
        Absence::ModuleMissing(module) => NameVerdict::ModuleMissing(module),
        Absence::Uncertain if may_be_of_any_module => NameVerdict::Perhaps,
        Absence::Uncertain => NameVerdict::Silent,
    }
}

/// Returns true if a manifest of a module defines the name where Puppet does not look for it. It exists once
/// something else has loaded the manifest.
fn may_be_loaded(context: &RuleContext<'_>, kind: NameKind, name: &str) -> bool {
    let kind = match kind {
        NameKind::Function => DefinitionKind::Function,
        NameKind::DefinedType => DefinitionKind::DefinedType,
        NameKind::TypeAlias => DefinitionKind::TypeAlias,
        NameKind::Class | NameKind::Plan => return false,
    };
    !project::definitions_in_manifests(context.db, context.environment, kind, name, |_| true).is_empty()
}

/// Severity of an unknown name, and the similar names.
pub(super) struct NameAdvice {
    pub(super) severity: Severity,
    pub(super) similar: Vec<Name>,
}

/// Returns the severity and suggestions for an unknown name at `range`; `None` if it is not reported there.
///
/// `known` returns the names that exist. The use of a module that is not installed is recorded.
pub(super) fn unknown(
    context: &mut RuleContext<'_>,
    verdict: NameVerdict,
    name: &str,
    range: TextRange,
    known: impl FnOnce(&RuleContext<'_>) -> Vec<Name>,
) -> Option<NameAdvice> {
    if verdict == NameVerdict::Silent {
        return None;
    }
    let reach = reach(context, range);
    if reach == Reach::Asked {
        return None;
    }
    let similar = context.similar(name, |context| known(context));
    let severity = match verdict {
        NameVerdict::Missing => reach.severity(),
        // It may be defined in a module that is not declared.
        NameVerdict::Perhaps if !is_likely_typo(name, &similar) => return None,
        NameVerdict::Perhaps if lacks_modules(context) => Severity::Hint,
        NameVerdict::ModuleMissing(ref module)
            if is_expected(context, module) || !is_likely_typo(name, &similar) =>
        {
            note_module(context, verdict, range);
            return None;
        }
        _ => Severity::Warning,
    };
    Some(NameAdvice { severity, similar })
}

/// Report of an unknown name.
pub(super) struct UnknownName {
    pub(super) code: Code,
    pub(super) range: TextRange,
    pub(super) severity: Severity,
    /// Message without the suggestion.
    pub(super) message: String,
    pub(super) kind: UnknownNameKind,
    pub(super) name: Name,
    pub(super) similar: Vec<Name>,
}

/// Reports an unknown name. A quick fix offers the similar names.
pub(super) fn report(context: &mut RuleContext<'_>, unknown: UnknownName) {
    let UnknownName { code, range, severity, message, kind, name, similar } = unknown;
    let message = with_suggestion(message, similar.first());
    context.report(
        Diagnostic::new(code, range, message)
            .downgraded(DowngradeReason::Uncertain, severity)
            .with_data(FixData::UnknownName { kind, name, similar }),
    );
}

/// Adds the advice "did you mean" to a message, if there is a similar name.
pub(super) fn with_suggestion(problem: String, similar: Option<&Name>) -> String {
    match similar {
        Some(similar) => codes::with_help(problem, format!("did you mean `{similar}`?")),
        None => problem,
    }
}

/// Minimum length of a name for treating a different first letter as a typo.
const MIN_LENGTH_FOR_FIRST_LETTER: usize = 6;

/// Returns true if one of the similar names is likely meant, in a context where the module may just not be
/// installed.
fn is_likely_typo(name: &str, similar: &[Name]) -> bool {
    similar.iter().any(|it| {
        let is_first_wrong = name.len() >= MIN_LENGTH_FOR_FIRST_LETTER
            && name.len() == it.len()
            && name.get(1..) == it.get(1..);
        is_first_wrong || it.as_bytes().first() == name.as_bytes().first()
    })
}

/// Returns true if the `Puppetfile` or the metadata of the file's module declares the module.
pub(super) fn is_expected(context: &RuleContext<'_>, module: &Name) -> bool {
    let of_module = match context.file.role(context.db) {
        FileRole::Module { module, .. } => project::module_dependencies(context.db, *module).as_deref(),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    project::expected_modules(context.db, context.environment).contains(module)
        || of_module.is_some_and(|names| names.contains(module))
}

/// Returns true if a module declared in the `Puppetfile` or in the metadata of the file's module is not
/// installed.
pub(super) fn lacks_modules(context: &RuleContext<'_>) -> bool {
    let (db, environment) = (context.db, context.environment);
    let of_module = match context.file.role(db) {
        FileRole::Module { module, .. } => project::module_dependencies(db, *module).as_deref(),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    let needed = project::expected_modules(db, environment).iter().chain(of_module.into_iter().flatten());
    let is_there = |name: &Name| environment.modules(db).contains_key(name) || name.ends_with("_core");
    needed.into_iter().any(|name| !is_there(name))
}

/// Returns true if a `Puppetfile` or metadata declares the required modules. Otherwise modules may be
/// installed elsewhere.
fn declares_modules(context: &RuleContext<'_>) -> bool {
    let db = context.db;
    let of_module = match context.file.role(db) {
        FileRole::Module { module, .. } => project::module_dependencies(db, *module).is_some(),
        FileRole::Loose | FileRole::MainManifest => false,
    };
    of_module || !project::expected_modules(db, context.environment).is_empty()
}

/// Records the use of a module that is not installed, which is reported once per module.
pub(super) fn note_module(context: &mut RuleContext<'_>, verdict: NameVerdict, range: TextRange) {
    if let NameVerdict::ModuleMissing(module) = verdict {
        context.note_missing_module(module, range);
    }
}

/// Returns candidate names of a kind for the unknown `name`: those of its module or of a module with a
/// similar name, and those of the file.
pub(super) fn similar_names(context: &RuleContext<'_>, kind: DefinitionKind, name: &str) -> Vec<Name> {
    let db = context.db;
    let mut names = compile::similar_names(db, context.environment, kind, name);
    let own = project::defined_names(db, context.file).iter().filter(|it| it.kind == kind);
    names.extend(own.map(|it| it.name.clone()));
    names
}

/// Returns true if the use is the class in `$class::variable`.
pub(super) fn is_scope_of_variable(context: &RuleContext<'_>, at: usize) -> bool {
    let it = &context.uses[at];
    context.uses.get(at + 1).is_some_and(|next| {
        matches!(next.kind, NameUseKind::Variable(VariableBinding::Qualified { .. }))
            && next.range.start == it.range.end + 2
    })
}

/// Returns true if the use is the name in the head of a definition.
pub(super) fn is_own_head(context: &RuleContext<'_>, at: usize) -> bool {
    let it = &context.uses[at];
    if it.access != Access::Declaration {
        return false;
    }
    let definition = context.definitions.get(it.definition as usize);
    definition.is_some_and(|definition| {
        definition.key.name == it.name && definition.key.kind != DefinitionKind::Main
    })
}
