//! An installation of Puppet itself. Its Ruby files define the built-in functions and resource types, and
//! document them in more detail than our tables. Their meaning is known without them: **no finding and no
//! evaluation depends on them.**

use std::sync::Arc;

use plugins::{Provider, ResourceAttribute, RubyFunction, RubyResourceType};
use syntax::TextRange;

use super::kind::METAPARAMETERS;
use crate::plugin_files::{FunctionPaths, function_at, resource_type_file, resource_type_in};
use crate::{Db, File, InstalledPuppet, ModuleTree, plugin_files, ruby_file, ruby_function};

/// Returns the folders of an installed Puppet as trees like those of modules; empty until they are read.
fn trees(db: &dyn Db) -> &[ModuleTree] {
    InstalledPuppet::try_get(db).map_or(&[], |it| it.trees(db))
}

/// Returns one of Puppet's own functions by name.
pub fn installed_function<'db>(db: &'db dyn Db, name: &str) -> Option<(File, &'db RubyFunction)> {
    let paths = FunctionPaths::new(name);
    let find = |tree: &ModuleTree| {
        let (file, index) = function_at(db, *tree, &paths.current, name)
            .or_else(|| function_at(db, *tree, &paths.old, name))?;
        Some((file, ruby_function(db, file, index)?))
    };
    trees(db).iter().find_map(find)
}

/// Returns one of Puppet's own resource types by name.
pub fn installed_resource_type(db: &dyn Db, name: &str) -> Option<(File, Arc<RubyResourceType>)> {
    let file = resource_type_file(db, trees(db).iter().copied(), name)?;
    Some((file, resource_type_in(db, file, name)?))
}

/// Returns an attribute of one of Puppet's own resource types, with the location of its definition.
pub fn installed_attribute(
    db: &dyn Db,
    resource_type: &str,
    name: &str,
) -> Option<(File, TextRange, ResourceAttribute)> {
    let (home, resource_type) = installed_resource_type(db, resource_type)?;
    let attribute = resource_type.attributes.iter().find(|it| it.name == name)?;
    let (file, range) = plugin_files::attribute_location(db, home, &resource_type, name)?;
    Some((file, range, attribute.clone()))
}

/// Returns a metaparameter by name.
pub fn installed_metaparameter<'db>(db: &'db dyn Db, name: &str) -> Option<(File, &'db ResourceAttribute)> {
    trees(db).iter().find_map(|tree| {
        let file = *tree.files(db).get(METAPARAMETERS)?;
        Some((file, ruby_file(db, file).metaparameters.iter().find(|it| it.name == name)?))
    })
}

/// Returns the providers that Puppet itself ships for a resource type.
pub fn installed_providers(db: &dyn Db, resource_type: &str) -> Vec<(File, Provider)> {
    trees(db).iter().flat_map(|tree| plugin_files::providers_in(db, *tree, resource_type)).collect()
}
