//! From a class `params` to data of the module.
//!
//! The class may assign literal values, depending on the platform, and other classes of the module may use its
//! variables as defaults of their parameters. Values go to one data file per platform.

mod branches;
mod data;
mod facts;
mod uses;
mod values;

use std::collections::BTreeMap;

use syntax::ast::{self, Definition};
use syntax::{AstNode, Language};

use self::branches::PARAMS;
use crate::{ModuleRewrite, ModuleTexts, RewriteRefusal};

/// Moves the values of the class `params` of a module to data of the module, and deletes the class.
///
/// # Errors
/// Returns the reason if the result could behave differently.
pub fn params_to_data(module: &ModuleTexts) -> Result<ModuleRewrite, RewriteRefusal> {
    let text =
        module.files.get(PARAMS).ok_or_else(|| RewriteRefusal::new("the module has no class `params`"))?;
    if module.files.keys().any(|it| it == "hiera.yaml" || it.starts_with("data/")) {
        return Err(RewriteRefusal::new("the module already has data"));
    }
    let name = format!("{}::params", module.name);
    let class = params_class(&name, text)?;
    let branches = branches::assignments(&module.name, text, &class)?;
    let uses = uses::find(module, &name, &branches.variables())?;
    let mut files: BTreeMap<String, Option<String>> = BTreeMap::new();
    files.insert(PARAMS.to_owned(), None);
    let mut notes = branches.notes.clone();
    data::write(module, &uses.defaults, &branches.assignments, &mut files)?;
    files.extend(uses.edited(module, &branches.assignments).into_iter().map(|(path, it)| (path, Some(it))));
    let tests = module.files.keys().filter(|it| it.starts_with("spec/") && it.contains("params"));
    notes.extend(tests.map(|it| format!("`{it}` tests the class and can be removed")));
    Ok(ModuleRewrite { files, notes })
}

/// Returns the definition of the class, which must be alone in its file.
fn params_class(name: &str, text: &str) -> Result<ast::ClassDefinition, RewriteRefusal> {
    let parse = syntax::parse(text, Language::Manifest);
    let refused = |reason: &str| RewriteRefusal::at(reason, PARAMS, text, 0);
    if !parse.errors().is_empty() {
        return Err(refused("the file has syntax errors"));
    }
    let file = ast::SourceFile::cast(parse.syntax()).ok_or_else(|| refused("the file is not a manifest"))?;
    let mut statements = file.statements();
    let (Some(ast::Expr::ClassDefinition(class)), None) = (statements.next(), statements.next()) else {
        return Err(refused("the file does not only contain the class"));
    };
    let is_meant = Definition::ClassDefinition(class.clone()).qualified_name().is_some_and(|it| it == name);
    if !is_meant {
        return Err(refused("the file defines another class"));
    }
    let has_parameters = class.parameters().is_some_and(|it| it.parameters().next().is_some());
    if has_parameters || class.inherits().is_some() {
        return Err(refused("the class has parameters or inherits from another class"));
    }
    Ok(class)
}
