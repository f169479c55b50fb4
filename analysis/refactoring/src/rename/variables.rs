//! Rename of variables and parameters.

use hir::{Access, DefinitionKind, Name, NameUse, NameUseKind, VariableBinding};
use plugins::built_in;
use project::{Db, DefinitionId, File, FileKind, FileRole, NameKind};
use symbols::symbol::{self, Symbol};
use symbols::{references, search, type_hierarchy};
use syntax::{SyntaxKind, TextRange};

use super::edits::{Edits, RenameRefusal, refuse};
use super::names;
use crate::SourceChange;

/// Renames a variable or parameter and all references to it.
///
/// # Errors
/// Returns a [`RenameRefusal`] if the new name is invalid or would conflict.
pub(super) fn rename(
    db: &dyn Db,
    from: File,
    symbol: &Symbol,
    new_name: &str,
) -> Result<SourceChange, RenameRefusal> {
    let new_name = names::variable(new_name)?;
    let old_name = match symbol {
        Symbol::Variable { definition, name } => {
            check_definition(db, *definition, name, new_name)?;
            name
        }
        Symbol::LambdaVariable { file, name, .. } => {
            check_lambda(db, *file, symbol, new_name)?;
            name
        }
        _ => return refuse("not a variable"),
    };
    let mut edits = Edits::default();
    if old_name == new_name {
        return Ok(edits.finish(Vec::new()));
    }
    for file in search::candidate_files(db, from, symbol) {
        for it in references::uses_in(db, file, symbol) {
            check_use(db, file, &it, symbol, new_name)?;
            // A Hiera key starts with the class name.
            let range = TextRange::new(it.range.end - old_name.len() as u32, it.range.end);
            edits.add(db, file, range, new_name.to_owned());
        }
    }
    Ok(edits.finish(Vec::new()))
}

/// Checks that a variable in the scope of a definition can take the new name.
fn check_definition(
    db: &dyn Db,
    definition: DefinitionId,
    old_name: &Name,
    new_name: &str,
) -> Result<(), RenameRefusal> {
    if old_name == new_name {
        return Ok(());
    }
    let kind = definition.key(db).kind;
    let is_parameter = symbol::parameter_of(db, definition, old_name).is_some();
    let is_resource = matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType);
    if is_resource && matches!(new_name, "title" | "name") {
        return refuse(format!("`${new_name}` is set by Puppet"));
    }
    if is_parameter && is_resource && built_in::metaparameters().iter().any(|it| it.name == new_name) {
        return refuse(format!("`{new_name}` is a metaparameter"));
    }
    if is_parameter && new_name.starts_with('_') && is_resource {
        return refuse("parameter names must start with a letter");
    }
    let subclasses = match kind {
        DefinitionKind::Class => type_hierarchy::all_subclasses(db, definition),
        _ => Vec::new(),
    };
    check_lineage(db, definition, &subclasses, new_name)?;
    check_names_in(db, definition, new_name)?;
    // A subclass that sets the same variable would shadow the renamed one.
    for subclass in subclasses {
        if names_in(db, subclass).iter().any(|it| is_free(it, new_name)) {
            return refuse(format!("`${new_name}` is already used in `{}`", subclass.key(db).name));
        }
    }
    check_unread_templates(db, definition, old_name)
}

/// Refuses if a superclass has a variable of the new name that is read through this class or its subclasses,
/// because the renamed variable would shadow it.
fn check_lineage(
    db: &dyn Db,
    definition: DefinitionId,
    subclasses: &[DefinitionId],
    new_name: &str,
) -> Result<(), RenameRefusal> {
    if definition.key(db).kind != DefinitionKind::Class {
        return Ok(());
    }
    let mut above = symbol::class_lineage(db, definition).into_iter().skip(1);
    let Some((class, hidden)) =
        above.find_map(|class| Some((class, symbol::root_variable(db, class, new_name)?)))
    else {
        return Ok(());
    };
    let file = definition.file(db);
    let passes_here = |class: Option<DefinitionId>| {
        class.is_some_and(|class| class == definition || subclasses.contains(&class))
    };
    for candidate in search::candidate_files(db, file, &hidden) {
        for it in references::uses_in(db, candidate, &hidden) {
            let is_hidden = match &it.kind {
                NameUseKind::Variable(VariableBinding::Free) => {
                    passes_here(symbol::definition_of_use(db, candidate, &it))
                }
                NameUseKind::Variable(VariableBinding::Qualified { scope }) => {
                    passes_here(project::resolve_in_file(db, candidate, NameKind::Class, scope))
                }
                NameUseKind::ErbVariable => {
                    let mut renderers = symbol::renderers(db, candidate).to_vec();
                    renderers.extend(symbol::definition_of_use(db, candidate, &it));
                    renderers.into_iter().any(|it| passes_here(Some(it)))
                }
                _ => false,
            };
            if is_hidden {
                return refuse(format!(
                    "would shadow `${new_name}` of `{}`, which is read through this class",
                    class.key(db).name
                ));
            }
        }
    }
    Ok(())
}

/// Refuses if the definition already refers to a variable of the new name.
fn check_names_in(db: &dyn Db, definition: DefinitionId, new_name: &str) -> Result<(), RenameRefusal> {
    let is_named = names_in(db, definition).iter().any(|it| is_plain(it, new_name));
    if is_named || symbol::root_variable(db, definition, new_name).is_some() {
        return refuse(format!("`${new_name}` is already used in this scope"));
    }
    Ok(())
}

/// Returns the names used in a definition, without nested definitions.
fn names_in(db: &dyn Db, definition: DefinitionId) -> Vec<NameUse> {
    let file = definition.file(db);
    let definitions = &project::item_summary(db, file).definitions;
    let Some(index) = definitions.iter().position(|it| it.key == *definition.key(db)) else {
        return Vec::new();
    };
    let uses = project::name_uses(db, file);
    uses.iter().filter(|it| it.definition as usize == index).cloned().collect()
}

fn is_free(name_use: &NameUse, name: &str) -> bool {
    let is_free =
        matches!(name_use.kind, NameUseKind::Variable(VariableBinding::Free) | NameUseKind::ErbVariable);
    is_free && name_use.name == name
}

fn is_plain(name_use: &NameUse, name: &str) -> bool {
    let is_plain = matches!(
        name_use.kind,
        NameUseKind::Variable(VariableBinding::Local { .. } | VariableBinding::Free)
            | NameUseKind::ErbVariable
    );
    is_plain && name_use.name == name
}

/// Checks that a variable of a lambda can take the new name.
fn check_lambda(db: &dyn Db, file: File, symbol: &Symbol, new_name: &str) -> Result<(), RenameRefusal> {
    let own = references::uses_in(db, file, symbol);
    let Some(definition) = own.first().and_then(|it| symbol::definition_of_use(db, file, it)) else {
        return Ok(());
    };
    match symbol {
        Symbol::LambdaVariable { name, .. } if name == new_name => Ok(()),
        _ => {
            let scope = own.iter().find_map(|it| lambda_around(db, file, it));
            let is_inside = |it: &NameUse| scope.is_none_or(|scope| scope.contains_range(it.range));
            let is_named = names_in(db, definition).iter().any(|it| is_plain(it, new_name) && is_inside(it));
            if is_named || symbol::root_variable(db, definition, new_name).is_some() {
                refuse(format!("`${new_name}` is already used in this scope"))
            } else {
                Ok(())
            }
        }
    }
}

/// Returns the range of the lambda whose variable `name_use` declares or assigns.
fn lambda_around(db: &dyn Db, file: File, name_use: &NameUse) -> Option<TextRange> {
    if !matches!(name_use.access, Access::Declaration | Access::Write) {
        return None;
    }
    let tree = project::parse(db, file).syntax();
    let token = tree.tokens_at(name_use.range.start).last()?;
    let mut around = token.ancestors();
    let lambda = around.find(|it| matches!(it.kind(), SyntaxKind::LAMBDA | SyntaxKind::APPLY_EXPR))?;
    Some(lambda.text_range())
}

/// Checks that a reference to the variable can take the new name.
fn check_use(
    db: &dyn Db,
    file: File,
    name_use: &NameUse,
    symbol: &Symbol,
    new_name: &str,
) -> Result<(), RenameRefusal> {
    match &name_use.kind {
        NameUseKind::ErbVariable => check_template(db, file, name_use, symbol, new_name),
        // In another definition, the new name may resolve to a different variable.
        NameUseKind::Variable(VariableBinding::Free) if name_use.access == Access::Read => {
            match symbol::definition_of_use(db, file, name_use) {
                Some(definition) => check_names_in(db, definition, new_name),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Checks a reference in an ERB template. A template rendered by several definitions reads the variables of
/// all of them.
fn check_template(
    db: &dyn Db,
    template: File,
    name_use: &NameUse,
    symbol: &Symbol,
    new_name: &str,
) -> Result<(), RenameRefusal> {
    let uses = project::name_uses(db, template);
    if project::file_kind(db, template) != FileKind::ErbTemplate {
        return Ok(());
    }
    let path = template.path(db).to_native();
    if uses.iter().any(|it| is_plain(it, new_name)) {
        return refuse(format!("`@{new_name}` is already used in `{path}`"));
    }
    for definition in symbol::renderers(db, template).iter() {
        let other = symbol::root_variable(db, *definition, &name_use.name);
        if other.is_some_and(|it| it != *symbol) {
            return refuse(format!("`{path}` is also rendered by `{}`", definition.key(db).name));
        }
    }
    Ok(())
}

/// Refuses if a template of the module reads the variable and has no known renderer, because this definition
/// may render it.
fn check_unread_templates(
    db: &dyn Db,
    definition: DefinitionId,
    old_name: &Name,
) -> Result<(), RenameRefusal> {
    let FileRole::Module { module, .. } = definition.file(db).role(db) else { return Ok(()) };
    if !matches!(definition.key(db).kind, DefinitionKind::Class | DefinitionKind::DefinedType) {
        return Ok(());
    }
    for (path, file) in module.files(db).iter() {
        if !path.ends_with(".erb") {
            continue;
        }
        let names_it = file.contents(db).text().is_some_and(|text| text.contains(old_name.as_str()))
            && project::name_uses(db, *file)
                .iter()
                .any(|it| it.kind == NameUseKind::ErbVariable && it.name == *old_name);
        if names_it && symbol::renderers(db, *file).is_empty() {
            return refuse(format!("`{path}` reads `@{old_name}` and may be rendered by this definition"));
        }
    }
    Ok(())
}

/// Returns true if no template without a known renderer reads the variable of a class or defined type.
pub(crate) fn is_unread_by_templates(db: &dyn Db, definition: DefinitionId, name: &Name) -> bool {
    check_unread_templates(db, definition, name).is_ok()
}
