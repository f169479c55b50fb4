//! Similar names of definitions, for suggestions.

use hir::{DefinitionKind, Name};
use project::{Db, Environment, ModuleTree};

/// Returns the modules with a similar name. Memoized by name, as there may be many modules.
#[salsa::tracked(returns(ref))]
fn modules_like(db: &dyn Db, environment: Environment, name: Name) -> Vec<Name> {
    eval::similar::similar(&name, environment.modules(db).keys().map(|it| it.as_str()))
}

/// Returns the candidates of a kind for a misspelled `name`: definitions of its module, or of a module with a
/// similar name.
pub fn similar_names(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: &str) -> Vec<Name> {
    let modules = environment.modules(db);
    let prefix = name.split("::").next().unwrap_or_default();
    let mut names = Vec::new();
    let mut add = |module: &ModuleTree| {
        let definitions = project::module_definitions(db, *module).iter();
        names.extend(definitions.filter(|(_, key)| key.kind == kind).map(|(_, key)| key.name.clone()));
    };
    match modules.get(prefix) {
        Some(module) => add(module),
        None => {
            modules_like(db, environment, prefix.into())
                .iter()
                .filter_map(|name| modules.get(name.as_str()))
                .for_each(&mut add);
        }
    }
    names
}
