//! Definitions that names belong to.

use hir::{DefinitionKey, Name, NameUse, NameUseKind};
use project::{Db, DefinitionId, File, FileRole};

use super::{Symbol, variables};

/// Returns the definition that contains a name.
pub fn definition_of_use(db: &dyn Db, file: File, name_use: &NameUse) -> Option<DefinitionId> {
    let summary = project::item_summary(db, file);
    let found = summary.definitions.get(name_use.definition as usize)?;
    Some(DefinitionId::new(db, file, found.key.clone()))
}

/// Returns the main program of a file, or the template that it is.
pub(super) fn main_of(db: &dyn Db, file: File) -> Option<DefinitionId> {
    let is_read = file.contents(db).has_text();
    is_read.then(|| DefinitionId::new(db, file, DefinitionKey::main()))
}

/// Returns the parameter with this name, if the definition has one.
pub fn parameter_of(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<Symbol> {
    let signature = project::signature(db, definition).as_ref()?;
    let found = signature.parameters.iter().find(|it| it.name == name)?;
    Some(Symbol::Variable { definition, name: found.name.clone() })
}

/// Resolves `@name`: to a variable of a definition that renders the template, or of the definition around it.
pub(super) fn erb_variable(db: &dyn Db, file: File, name_use: &NameUse) -> Option<Symbol> {
    let found_in = |definition: DefinitionId| {
        variables::root_variable(db, definition, &name_use.name)
            .or_else(|| variables::free(db, definition, &name_use.name))
    };
    if file.path(db).extension() != Some("erb") {
        return found_in(definition_of_use(db, file, name_use)?);
    }
    let renderers = renderers(db, file);
    let own = renderers.iter().find_map(|it| variables::root_variable(db, *it, &name_use.name));
    own.or_else(|| renderers.iter().find_map(|it| found_in(*it)))
}

/// Returns the definitions of the template's module that render it by name.
#[salsa::tracked(returns(clone))]
pub fn renderers(db: &dyn Db, template: File) -> std::sync::Arc<[DefinitionId]> {
    let FileRole::Module { module, relative } = template.role(db) else { return Default::default() };
    let Some(relative) = relative.strip_prefix("templates/") else { return Default::default() };
    let name = Name::from(format!("{}/{relative}", module.name(db)));
    let mut found = Vec::new();
    for (path, file) in module.files(db).iter() {
        let is_manifest = path.ends_with(".pp");
        // The module may be written as `${module_name}`.
        let mentions = || file.contents(db).text().is_some_and(|text| text.contains(relative));
        if !is_manifest || !mentions() {
            continue;
        }
        for it in project::name_uses(db, *file).iter() {
            let renders = matches!(it.kind, NameUseKind::ErbTemplate | NameUseKind::EppTemplate);
            if renders && it.name == name {
                found.extend(definition_of_use(db, *file, it).filter(|it| !found.contains(it)));
            }
        }
    }
    found.into()
}
