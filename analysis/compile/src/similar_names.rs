//! Names of definitions that look like one that means nothing.

use eval::similar::similar;
use hir::{DefinitionKind, Name};
use project::{Db, Environment};

/// The names of a kind that somebody may have meant by `name`: those of its module, or of one with a similar name.
pub fn names_like(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: &str) -> Vec<Name> {
    let modules = environment.modules(db);
    let prefix = name.split("::").next().unwrap_or_default();
    let mut names = Vec::new();
    let mut add = |module: &project::ModuleTree| {
        let definitions = project::module_definitions(db, *module).iter();
        names.extend(definitions.filter(|(_, key)| key.kind == kind).map(|(_, key)| key.name.clone()));
    };
    match modules.get(prefix) {
        Some(module) => add(module),
        None => {
            let candidates = similar(prefix, modules.keys().map(|it| it.as_str()));
            candidates.iter().filter_map(|name| modules.get(name.as_str())).for_each(&mut add);
        }
    }
    names
}
