//! Navigation from symbols to their definitions.

use hir::{Access, DefinitionKind, Name, NameUse, NameUseKind, VariableBinding};
use project::{Db, DefinitionId, File, NameKind};
use syntax::ast::{self, AstNode};
use syntax::{NodePointer, SyntaxNode, TextRange};

pub use crate::target::{Navigation, NavigationTarget, definition_target};

use crate::symbol::{self, Symbol};
use crate::{computed_names, hiera_config, hiera_data, metadata_json, puppetfile, search};

/// Degree of knowledge about a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NameKnowledge {
    /// The name is unknown.
    Unknown,
    /// The meaning is known, but there is no location to go to: a part of Puppet, a fact, a key that nothing
    /// sets.
    Meaning,
    /// The meaning and its definition are known.
    Definition,
}

/// Returns the definition of the word at an offset.
///
/// Data sets class parameters too: a key in code leads to the data and to the parameter, and the declaration
/// of a parameter to itself and to the data.
pub fn definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let found = name_definition(db, file, offset);
    found.or_else(|| match project::file_kind(db, file) {
        project::FileKind::HieraConfiguration => hiera_config::definition(db, file, offset),
        project::FileKind::Puppetfile => puppetfile::definition(db, file, offset),
        project::FileKind::ModuleMetadata => metadata_json::definition(db, file, offset),
        _ => None,
    })
}

fn name_definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let Some(name_use) = symbol::name_use_at(db, file, offset) else {
        return computed_names::definition(db, file, offset);
    };
    let symbol = symbol::resolve(db, file, &name_use)?;
    let mut targets = targets(db, file, &symbol);
    let is_parameter = matches!(symbol, Symbol::Variable { .. });
    let is_in_code = project::file_kind(db, file) != project::FileKind::Data;
    match (&name_use.kind, name_use.access) {
        (NameUseKind::HieraKey, _) if is_parameter && is_in_code => {
            // The key in a parameter's own default leads elsewhere.
            let own = parameter_around(db, file, offset);
            targets.retain(|it| it.file.0 != file || own.is_none_or(|own| !own.contains_range(it.focus)));
            targets.splice(..0, hiera_data::places(db, file, &symbol));
        }
        (_, Access::Declaration) if is_parameter => targets.extend(hiera_data::places(db, file, &symbol)),
        _ => {}
    }
    (!targets.is_empty()).then_some(Navigation { origin: name_use.range, targets })
}

/// Returns the declaration of a parameter around an offset.
fn parameter_around(db: &dyn Db, file: File, offset: u32) -> Option<TextRange> {
    let tree = project::parse(db, file).syntax();
    let token = tree.tokens_at(offset).next()?;
    token.ancestors().find_map(ast::Parameter::cast).map(|it| it.syntax().text_range())
}

/// Returns the degree of knowledge about the name at an offset; `None` if there is no name.
pub fn knowledge(db: &dyn Db, file: File, offset: u32) -> Option<NameKnowledge> {
    let name_use = symbol::name_use_at(db, file, offset)?;
    let Some(symbol) = symbol::resolve(db, file, &name_use) else { return Some(NameKnowledge::Unknown) };
    Some(if targets(db, file, &symbol).is_empty() {
        NameKnowledge::Meaning
    } else {
        NameKnowledge::Definition
    })
}

/// Returns the types with which the word at an offset is declared; for a title, the type of the resource.
pub fn type_definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let (symbol, origin) = symbol::symbol_at(db, file, offset)?;
    let mut found = Vec::new();
    match &symbol {
        Symbol::Variable { definition, .. } => {
            for (file, declared) in declared_types(db, file, &symbol) {
                found.extend(declared.iter().flat_map(|it| targets(db, file, it)));
            }
            if found.is_empty() {
                found = aliases_of_value(db, *definition, file, offset);
            }
        }
        Symbol::LambdaVariable { .. } => {
            for (file, declared) in declared_types(db, file, &symbol) {
                found.extend(declared.iter().flat_map(|it| targets(db, file, it)));
            }
        }
        Symbol::Resource { resource_type, .. } => {
            let kind = NameUseKind::ResourceType;
            let name_use = NameUse {
                range: origin,
                kind,
                name: resource_type.clone(),
                access: Access::Read,
                definition: 0,
            };
            found = symbol::resolve(db, file, &name_use).map(|it| targets(db, file, &it)).unwrap_or_default();
        }
        // The types that an alias refers to.
        Symbol::Definition(definition) if definition.key(db).kind == DefinitionKind::TypeAlias => {
            found = types_in(db, *definition);
        }
        _ => {}
    }
    (!found.is_empty()).then_some(Navigation { origin, targets: found })
}

/// Returns the implementations of the symbol at an offset: providers of a resource type, classes that inherit
/// a class, data of a parameter; else its [`definition`].
pub fn implementation(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let (symbol, origin) = symbol::symbol_at(db, file, offset)?;
    let found = match &symbol {
        Symbol::ResourceType { name, .. } => providers(db, file, name, None),
        Symbol::Definition(definition) if definition.key(db).kind == DefinitionKind::Class => {
            let subclasses = crate::type_hierarchy::direct_subclasses(db, *definition);
            subclasses.into_iter().filter_map(|it| definition_target(db, it)).collect()
        }
        // The data that sets a parameter.
        symbol => hiera_data::places(db, file, symbol),
    };
    if found.is_empty() {
        return definition(db, file, offset);
    }
    Some(Navigation { origin, targets: found })
}

/// Returns the locations that define a symbol, as seen from a file.
pub fn targets(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<NavigationTarget> {
    match symbol {
        Symbol::Definition(definition) => definition_target(db, *definition).into_iter().collect(),
        Symbol::Variable { definition, name } => {
            let uses = symbol::own_uses(db, *definition, name);
            defining_uses(uses.iter(), definition.file(db))
        }
        Symbol::LambdaVariable { file, variable, .. } => {
            let uses = project::name_uses(db, *file);
            let of_variable = uses.iter().filter(|it| {
                matches!(&it.kind, NameUseKind::Variable(VariableBinding::Local { variable: other, .. }) if other == variable)
            });
            defining_uses(of_variable, *file)
        }
        Symbol::SetType { set, .. } => {
            let file = set.file(db);
            let uses = project::name_uses(db, file);
            let made = uses.iter().filter(|it| it.kind == NameUseKind::Type && it.access == Access::Write);
            let made = made.filter(|it| symbol::resolve(db, file, it).as_ref() == Some(symbol));
            made.map(|it| NavigationTarget::word(file, it.range)).collect()
        }
        Symbol::RubyFunction { .. }
        | Symbol::RubyType { .. }
        | Symbol::ResourceType { .. }
        | Symbol::Attribute { .. }
        | Symbol::BuiltInFunction(_)
        | Symbol::Metaparameter(_) => targets_in_ruby(db, symbol),
        Symbol::Provider { resource_type, name } => providers(db, from, resource_type, Some(name)),
        Symbol::Resource { .. } => resources(db, from, symbol),
        Symbol::Template(file) | Symbol::ServedFile(file) | Symbol::Task(file) => {
            vec![NavigationTarget::start_of(*file)]
        }
        Symbol::TaskParameter { task, name } => {
            let known = project::task_metadata(db, *task).parameters.iter().flatten();
            known.filter(|it| it.name == *name).map(|it| NavigationTarget::word(*task, it.range)).collect()
        }
        Symbol::Fact(path) => facts(db, from, path),
        Symbol::BuiltInVariable(_)
        | Symbol::TrustedFact(_)
        | Symbol::ServerFact(_)
        | Symbol::BuiltInType(_)
        | Symbol::ServedFolder(_) => Vec::new(),
        Symbol::HieraKey(_) => hiera_data::places(db, from, symbol),
    }
}

/// Returns the locations that define a symbol in Ruby: in modules, or in an installed Puppet for built-in
/// symbols.
fn targets_in_ruby(db: &dyn Db, symbol: &Symbol) -> Vec<NavigationTarget> {
    let in_ruby = |file: File, range: TextRange| NavigationTarget::word(file, range);
    match symbol {
        Symbol::RubyFunction { file, index } => {
            let function = project::ruby_function(db, *file, *index);
            function.map(|it| in_ruby(*file, it.range)).into_iter().collect()
        }
        Symbol::RubyType { file, name } => {
            let types = &project::ruby_file(db, *file).data_types;
            types.iter().filter(|it| it.name == *name).map(|it| in_ruby(*file, it.range)).collect()
        }
        Symbol::ResourceType { name, file: Some(file) } => {
            let types = &project::ruby_file(db, *file).resource_types;
            types.iter().filter(|it| it.name == *name).map(|it| in_ruby(*file, it.range)).collect()
        }
        Symbol::Attribute { resource_type, file: Some(file), name } => {
            let types = project::ruby_file(db, *file).resource_types.iter();
            let places = types
                .filter(|it| it.name == *resource_type)
                .filter_map(|it| project::attribute_location(db, *file, it, name));
            places.map(|(file, range)| in_ruby(file, range)).collect()
        }
        Symbol::BuiltInFunction(name) => {
            let installed = project::installed_function(db, name);
            installed.map(|(file, it)| in_ruby(file, it.range)).into_iter().collect()
        }
        Symbol::ResourceType { name, file: None } => {
            let installed = project::installed_resource_type(db, name);
            installed.map(|(file, it)| in_ruby(file, it.range)).into_iter().collect()
        }
        Symbol::Attribute { resource_type, file: None, name } => {
            let installed = project::installed_attribute(db, resource_type, name);
            installed.map(|(file, range, _)| in_ruby(file, range)).into_iter().collect()
        }
        Symbol::Metaparameter(name) => {
            let installed = project::installed_metaparameter(db, name);
            installed.map(|(file, it)| in_ruby(file, it.range)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Selects the uses of a variable that define it: its declaration, else its assignments.
fn defining_uses<'u>(uses: impl Iterator<Item = &'u NameUse> + Clone, file: File) -> Vec<NavigationTarget> {
    let of = |access: Access| {
        let uses = uses.clone().filter(move |it| it.access == access);
        uses.map(|it| NavigationTarget::word(file, it.range)).collect::<Vec<_>>()
    };
    let declared = of(Access::Declaration);
    if declared.is_empty() { of(Access::Write) } else { declared }
}

fn providers(db: &dyn Db, from: File, resource_type: &str, name: Option<&Name>) -> Vec<NavigationTarget> {
    let mut found = Vec::new();
    for environment in from.environments(db).iter() {
        for (file, provider) in project::providers(db, *environment, resource_type) {
            if name.is_none_or(|name| *name == provider.name) {
                found.push(NavigationTarget::word(file, provider.range));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    let installed = project::installed_providers(db, resource_type).into_iter();
    let installed = installed.filter(|(_, provider)| name.is_none_or(|name| *name == provider.name));
    installed.map(|(file, provider)| NavigationTarget::word(file, provider.range)).collect()
}

fn facts(db: &dyn Db, from: File, path: &str) -> Vec<NavigationTarget> {
    let name = path.split('.').next().unwrap_or_default();
    let environments = from.environments(db).iter();
    let facts = environments.flat_map(|it| project::custom_facts(db, *it));
    let mut found = Vec::new();
    for (file, fact) in facts.filter(|(_, fact)| fact.name == name) {
        let target = NavigationTarget::word(*file, fact.range);
        if !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

/// Returns the declarations of a resource: in the same file, else in any file.
fn resources(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<NavigationTarget> {
    let declared = |file: File| {
        let uses = project::name_uses(db, file);
        let found = uses.iter().filter(|it| {
            matches!(it.kind, NameUseKind::Title { .. })
                && it.access == Access::Declaration
                && symbol::resolve(db, file, it).as_ref() == Some(symbol)
        });
        found.map(|it| NavigationTarget::word(file, it.range)).collect::<Vec<_>>()
    };
    let own = declared(from);
    if !own.is_empty() {
        return own;
    }
    search::candidate_files(db, from, symbol).into_iter().flat_map(declared).collect()
}

/// Returns the types in the declaration of a parameter, with the file that contains them.
fn declared_types(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<(File, Vec<Symbol>)> {
    let mut found = Vec::new();
    for target in targets(db, from, symbol) {
        let file = target.file.0;
        let tree = project::parse(db, file).tree();
        let parameter = tree.syntax().tokens_at(target.focus.start + 1).find_map(|token| token.parent());
        let Some(parameter) = parameter.and_then(ast::Parameter::cast) else { continue };
        let Some(ty) = parameter.type_expr() else { continue };
        found.push((file, symbols_in(db, file, ty.syntax())));
    }
    found
}

/// Resolves the type names inside a node; built-in types lead nowhere.
fn symbols_in(db: &dyn Db, file: File, node: &SyntaxNode) -> Vec<Symbol> {
    let range = node.text_range();
    let uses = project::name_uses(db, file);
    let inside = uses.iter().filter(|it| range.contains_range(it.range) && it.kind == NameUseKind::Type);
    let mut symbols: Vec<Symbol> = Vec::new();
    for found in inside.filter_map(|it| symbol::resolve(db, file, it)) {
        if !symbols.contains(&found) {
            symbols.push(found);
        }
    }
    symbols
}

fn types_in(db: &dyn Db, alias: DefinitionId) -> Vec<NavigationTarget> {
    let file = alias.file(db);
    let Some(pointer) = project::body_source_map(db, alias).definition() else { return Vec::new() };
    let tree = project::parse(db, file).syntax();
    let Some(node) = pointer.to_node(&tree) else { return Vec::new() };
    let own = Symbol::Definition(alias);
    let symbols = symbols_in(db, file, &node).into_iter().filter(|it| *it != own);
    symbols.flat_map(|it| targets(db, file, &it)).collect()
}

/// Returns the aliases among the inferred types of a variable's value.
fn aliases_of_value(db: &dyn Db, definition: DefinitionId, file: File, offset: u32) -> Vec<NavigationTarget> {
    if definition.file(db) != file {
        return Vec::new();
    }
    let tree = project::parse(db, file).syntax();
    let node = tree.tokens_at(offset).find_map(|token| {
        token.parent().filter(|it| ast::VariableExpr::can_cast(it.kind())).map(|it| NodePointer::new(&it))
    });
    let Some(node) = node.and_then(|it| it.to_node(&tree)) else { return Vec::new() };
    let Some(evaluated) = crate::recorded_value::Evaluated::around(db, file, &node) else {
        return Vec::new();
    };
    let Some(eval::RecordedValue::Type(types::Type::Alias(alias))) = evaluated.value(&node) else {
        return Vec::new();
    };
    let found = project::resolve_in_file(db, file, NameKind::TypeAlias, &alias);
    found.and_then(|it| definition_target(db, it)).into_iter().collect()
}
