//! What the rules on names that are not there have in common.

use codes::{Code, DowngradeReason};
use eval::similar::suggestion;
use hir::{Access, NameUseKind, VariableBinding};
use hir::{DefinitionKind, Name};
use project::{Absence, FileRole, NameKind, absence};
use syntax::{Severity, TextRange};

use super::reach::{Reach, reach};
use crate::context::RuleContext;
use crate::{Diagnostic, FixData, UnknownNameKind};

/// What to say of a name that means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NameVerdict {
    /// It is certainly not there.
    Missing,
    /// Its whole module is not there.
    ModuleMissing(Name),
    /// Something outside may define it; all that is here does not.
    Perhaps,
    Silent,
}

/// What to say of a name for which nothing was found.
pub(super) fn verdict(context: &RuleContext<'_>, kind: NameKind, name: &str) -> NameVerdict {
    let may_be_of_any_module = !name.contains("::")
        && matches!(kind, NameKind::Function | NameKind::DefinedType | NameKind::TypeAlias);
    match absence(context.db, context.file, kind, name) {
        Absence::NameMissing if may_be_of_any_module && !tells_its_modules(context) => NameVerdict::Perhaps,
        Absence::NameMissing => NameVerdict::Missing,
        Absence::ModuleMissing(module) => NameVerdict::ModuleMissing(module),
        Absence::Uncertain if may_be_of_any_module => NameVerdict::Perhaps,
        Absence::Uncertain => NameVerdict::Silent,
    }
}

/// What to say of a name that is not there: how loudly, and the names that may have been meant.
pub(super) struct NameAdvice {
    pub(super) severity: Severity,
    pub(super) similar: Vec<Name>,
}

/// Whether and how a name that means nothing is reported where it stands; `known` are the names that there are. A name
/// of a module that is not there is only noted.
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
        // It may well be of a module that nobody told us of.
        NameVerdict::Perhaps if !begins_alike(name, &similar) => return None,
        NameVerdict::Perhaps if lacks_modules(context) => Severity::Hint,
        NameVerdict::ModuleMissing(ref module)
            if is_expected(context, module) || !begins_alike(name, &similar) =>
        {
            module_missing(context, verdict, range);
            return None;
        }
        _ => Severity::Warning,
    };
    Some(NameAdvice { severity, similar })
}

/// A name that is not there, as it is reported.
pub(super) struct UnknownName {
    pub(super) code: Code,
    pub(super) range: TextRange,
    pub(super) severity: Severity,
    /// What is said before the names that may have been meant.
    pub(super) message: String,
    pub(super) kind: UnknownNameKind,
    pub(super) name: Name,
    pub(super) similar: Vec<Name>,
}

/// Reports a name that is not there, with the names that may have been meant: a quick fix offers them.
pub(super) fn report(context: &mut RuleContext<'_>, unknown: UnknownName) {
    let UnknownName { code, range, severity, message, kind, name, similar } = unknown;
    let message = message + &suggestion(&similar);
    context.report(
        Diagnostic::new(code, range, message)
            .downgraded(DowngradeReason::Uncertain, severity)
            .with_data(FixData::UnknownName { kind, name, similar }),
    );
}

/// From so many letters on two names that differ in the first one alone are hardly two things.
const LONG: usize = 6;

/// Is one of the similar names likely meant, where a whole module of this name may just not be here?
fn begins_alike(name: &str, similar: &[Name]) -> bool {
    similar.iter().any(|it| {
        let is_first_wrong = name.len() >= LONG && name.len() == it.len() && name.get(1..) == it.get(1..);
        is_first_wrong || it.as_bytes().first() == name.as_bytes().first()
    })
}

/// Does something say that there is a module of this name?
pub(super) fn is_expected(context: &RuleContext<'_>, module: &Name) -> bool {
    let of_module = match context.file.place(context.db) {
        FileRole::Module { module, .. } => project::module_dependencies(context.db, *module).as_deref(),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    project::expected_modules(context.db, context.environment).contains(module)
        || of_module.is_some_and(|names| names.contains(module))
}

/// Are modules not there that a `Puppetfile` installs, or that the file's own module needs?
pub(super) fn lacks_modules(context: &RuleContext<'_>) -> bool {
    let (db, environment) = (context.db, context.environment);
    let of_module = match context.file.place(db) {
        FileRole::Module { module, .. } => project::module_dependencies(db, *module).as_deref(),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    let needed = project::expected_modules(db, environment).iter().chain(of_module.into_iter().flatten());
    let is_there = |name: &Name| environment.modules(db).contains_key(name) || name.ends_with("_core");
    needed.into_iter().any(|name| !is_there(name))
}

/// Does something say which modules there should be? Without that, some may lie where nobody told us.
fn tells_its_modules(context: &RuleContext<'_>) -> bool {
    let db = context.db;
    let of_module = match context.file.place(db) {
        FileRole::Module { module, .. } => project::module_dependencies(db, *module).is_some(),
        FileRole::Loose | FileRole::MainManifest => false,
    };
    of_module || !project::expected_modules(db, context.environment).is_empty()
}

/// Notes that a name belongs to a module that is not there; told once for each module.
pub(super) fn module_missing(context: &mut RuleContext<'_>, verdict: NameVerdict, range: TextRange) {
    if let NameVerdict::ModuleMissing(module) = verdict {
        context.note_missing_module(module, range);
    }
}

/// The names of a kind that somebody may have meant by `name`: those of its module, or of one with a similar name.
pub(super) fn names_like(context: &RuleContext<'_>, kind: DefinitionKind, name: &str) -> Vec<Name> {
    let db = context.db;
    let mut names = compile::names_like(db, context.environment, kind, name);
    let own = project::defined_names(db, context.file).iter().filter(|it| it.kind == kind);
    names.extend(own.map(|it| it.name.clone()));
    names
}

/// Is a use the class in front of a variable, as in `$class::variable`?
pub(super) fn is_scope_of_variable(context: &RuleContext<'_>, at: usize) -> bool {
    let it = &context.uses[at];
    context.uses.get(at + 1).is_some_and(|next| {
        matches!(next.kind, NameUseKind::Variable(VariableBinding::Qualified { .. }))
            && next.range.start == it.range.end + 2
    })
}

/// Is a use the name in the head of a definition?
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
