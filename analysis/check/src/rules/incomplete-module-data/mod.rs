#![doc = include_str!("page.md")]

use codes::Code;
use hiera::config::{Backend, HierarchyLevel, Locations};
use hir::{DefinitionKind, Name};
use project::{Db, FileRole, ModuleTree};

use super::unused::parameter_range;
use crate::Diagnostic;
use crate::context::RuleContext;

/// Minimum number of parameters with module data for reporting the only one without.
const MIN_PARAMETERS_WITH_DATA: usize = 12;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let db = context.db;
    let FileRole::Module { module, .. } = context.file.role(db) else { return };
    if !is_all_data_readable(db, *module) {
        return;
    }
    let index = project::data_key_index(db, context.environment);
    let mut found = Vec::new();
    for definition in &context.definitions {
        if definition.key.kind != DefinitionKind::Class || definition.is_broken {
            continue;
        }
        let class = hir::fold_name(&definition.key.name);
        let required = definition.body.parameters.iter().filter(|it| it.default.is_none());
        let (given, missing): (Vec<_>, Vec<_>) =
            required.partition(|it| index.contains_key(&Name::new(format!("{class}::{}", it.name))));
        // Several missing values are meant to be set by users.
        let [parameter] = missing.as_slice() else { continue };
        if given.len() < MIN_PARAMETERS_WITH_DATA {
            continue;
        }
        let Some(range) = parameter_range(context, definition, parameter.slot) else { continue };
        let name = &parameter.name;
        let message = codes::with_help(
            format!(
                "parameter `${name}` has no default and no module data, while {} other parameters without a default have module data",
                given.len()
            ),
            format!("add `{class}::{name}` to the data of the module"),
        );
        found.push(Diagnostic::new(Code::IncompleteModuleData, range, message));
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// Returns true if all data of the module are in readable data files.
fn is_all_data_readable(db: &dyn Db, module: ModuleTree) -> bool {
    let files = module.files(db);
    let Some(config) = files.get("hiera.yaml").and_then(|file| project::hiera_configuration(db, *file))
    else {
        return false;
    };
    let is_readable = |level: &HierarchyLevel| {
        matches!(level.backend, Backend::Files(_))
            && matches!(level.locations, Locations::Paths(_) | Locations::Globs(_))
    };
    config.error().is_none() && config.levels().all(is_readable)
}
