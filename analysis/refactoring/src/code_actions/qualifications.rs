//! Fixes that qualify a variable with the class that defines it.

use check::{FixData, UnknownNameKind};
use hir::{Access, DefinitionKind, NameUse, NameUseKind, VariableBinding};
use project::{Db, DefinitionId, File, FileRole};
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

use super::subject::{FixSubject, one_edit};
use crate::{CodeAction, CodeActionKind};

/// Maximum number of classes to offer.
const MAX_OWNERS: usize = 5;

/// Returns, for an unknown unqualified variable, fixes that qualify it with the classes of its module that
/// have a variable of this name. `params` classes come first.
pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let Some(FixData::UnknownName { kind: UnknownNameKind::Variable, name, .. }) = &subject.diagnostic.data
    else {
        return Vec::new();
    };
    let (db, file) = (subject.db, subject.file);
    let plain = symbol::name_use_at(db, file, subject.diagnostic.range.start).filter(is_plain);
    let (Some(plain), FileRole::Module { module, .. }) = (plain, file.role(db)) else { return Vec::new() };
    let classes = project::module_definitions(db, *module).iter();
    let classes = classes.filter(|(_, key)| key.kind == DefinitionKind::Class);
    let mut owners: Vec<DefinitionId> = Vec::new();
    for (defined_in, key) in classes {
        // Skip files that do not contain the name at all.
        let may_set = defined_in.contents(db).text().is_some_and(|text| text.contains(&format!("${name}")));
        let class = DefinitionId::new(db, *defined_in, key.clone());
        if may_set && symbol::root_variable(db, class, name).is_some() {
            owners.push(class);
        }
    }
    owners.sort_by_key(|class| {
        let name = &class.key(db).name;
        (!name.ends_with("::params"), name.matches("::").count(), name.clone())
    });
    let fix = |class: DefinitionId| {
        let written = format!("{}::{name}", class.key(db).name);
        subject.edit(format!("Qualify as `${written}`"), plain.range, written.as_str())
    };
    owners.into_iter().take(MAX_OWNERS).map(fix).collect()
}

/// Returns an action that qualifies an inherited variable with the class that sets it.
pub(super) fn inherited(db: &dyn Db, file: File, range: TextRange) -> Option<CodeAction> {
    let plain = symbol::name_use_at(db, file, range.start).filter(is_plain)?;
    let own = symbol::definition_of_use(db, file, &plain)?;
    let Symbol::Variable { definition, name } = symbol::resolve(db, file, &plain)? else { return None };
    let key = definition.key(db);
    if definition == own || key.kind != DefinitionKind::Class {
        return None;
    }
    let written = format!("{}::{name}", key.name);
    Some(CodeAction {
        title: format!("Qualify as `${written}`"),
        kind: CodeActionKind::RefactorRewrite,
        is_preferred: false,
        diagnostic: None,
        change: one_edit(file, plain.range, written),
        is_for_workspace: false,
    })
}

/// Returns whether `name_use` reads an unqualified variable.
fn is_plain(name_use: &NameUse) -> bool {
    name_use.kind == NameUseKind::Variable(VariableBinding::Free) && name_use.access == Access::Read
}
