//! Defaults of class parameters on the platforms of a module, as editors show them.

use std::collections::HashMap;
use std::path::Path;

use cli_common::workspace;
use reference::{ModuleReference, PlatformDefaults};

/// Returns the defaults of the parameters of public classes that differ between the platforms in
/// `metadata.json`. Classes that cannot be compiled for them have none.
pub(crate) fn defaults(module: &Path, reference: &ModuleReference) -> anyhow::Result<PlatformDefaults> {
    let mut defaults = PlatformDefaults::new();
    let mut classes = reference.classes.iter().filter(|it| has_defaults(it)).peekable();
    if classes.peek().is_none() || !module.join("metadata.json").is_file() {
        return Ok(defaults);
    }
    let mut workspace = workspace::load(module, Vec::new())?;
    workspace.add_installed_puppet(None);
    let analysis = workspace.analysis();
    let mut compiled = HashMap::new();
    for class in classes {
        let Some(file) = workspace::file(&analysis, &module.join(&class.place.file)) else { continue };
        for (parameter, offset) in &class.parameter_offsets {
            let Some(subject) = analysis.class_with_values(file, *offset)? else { continue };
            let values = match compiled.entry(subject) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(analysis.platform_values(subject)?)
                }
            };
            if let Some(sentence) = analysis.values_by_platform(file, *offset, values)? {
                defaults.insert((class.name.clone(), parameter.clone()), sentence);
            }
        }
    }
    Ok(defaults)
}

fn has_defaults(class: &reference::DocumentedDefinition) -> bool {
    !class.docstring.is_private() && !class.parameter_offsets.is_empty()
}
