//! Resolution of written names to symbols. All names of the same thing resolve to the same symbol.

mod owners;
mod variables;

use hir::{AttributeOwner, Name, NameUse, NameUseKind, VariableBinding};
use plugins::built_in;
use project::{Db, DefinitionId, File, FunctionTarget, ModuleEntry, NameKind, ResourceTypeTarget};
use syntax::TextRange;

pub use owners::{definition_of_use, parameter_of, renderers};
pub(crate) use variables::own_uses;
pub use variables::{class_lineage, root_variable};

/// A named entity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A class, defined type, function, plan or type alias.
    Definition(DefinitionId),
    /// A variable of a definition's own scope, including parameters, which other definitions can refer to.
    /// For a file's main program and a main manifest, these are the variables of the top scope; for a
    /// template, its parameters.
    Variable {
        definition: DefinitionId,
        name: Name,
    },
    /// A variable of a lambda, by its number in the file.
    LambdaVariable {
        file: File,
        variable: u32,
        name: Name,
    },
    /// A variable that Puppet itself sets: `$facts`, `$title`.
    BuiltInVariable(Name),
    /// A path into the facts, joined with dots; also a plain variable that is a fact.
    Fact(Name),
    /// A path into `$trusted`.
    TrustedFact(Name),
    /// A path into `$server_facts`.
    ServerFact(Name),
    /// A function of Puppet itself.
    BuiltInFunction(&'static str),
    RubyFunction {
        file: File,
        index: usize,
    },
    /// A built-in data type.
    BuiltInType(&'static str),
    /// A type of a type set, by its name in the set.
    SetType {
        set: DefinitionId,
        name: Name,
    },
    /// A data type defined in Ruby, by its name there.
    RubyType {
        file: File,
        name: Name,
    },
    /// A resource type that comes with Puppet (no file), or that a module adds. Defined types are
    /// definitions.
    ResourceType {
        name: Name,
        file: Option<File>,
    },
    Attribute {
        resource_type: Name,
        file: Option<File>,
        name: Name,
    },
    Metaparameter(Name),
    Provider {
        resource_type: Name,
        name: Name,
    },
    /// A resource by its type and title.
    Resource {
        resource_type: Name,
        title: Name,
    },
    /// An EPP or ERB template.
    Template(File),
    /// A file that a module serves, by `module/path`.
    ServedFile(File),
    ServedFolder(Name),
    /// A Hiera key that does not set a class parameter.
    HieraKey(Name),
    /// The metadata of a Bolt task.
    Task(File),
    TaskParameter {
        task: File,
        name: Name,
    },
}

/// Returns the name at an offset, if there is one.
pub fn name_use_at(db: &dyn Db, file: File, offset: u32) -> Option<NameUse> {
    let uses = project::name_uses(db, file);
    let touching = || uses.iter().filter(|it| it.range.contains_inclusive(offset));
    // Prefer the name that begins at the offset, and the innermost of nested names.
    let found = touching().filter(|it| it.range.start <= offset && offset < it.range.end);
    let found = found.min_by_key(|it| it.range.end - it.range.start);
    let found = found.or_else(|| touching().min_by_key(|it| it.range.end - it.range.start));
    let after_sigil = || {
        let text = project::text(db, file)?;
        let next = text.as_bytes().get(offset as usize..)?;
        // `$` and the `::` of `$::x` belong to the word.
        let length = if next.starts_with(b"$::") {
            3
        } else if next.starts_with(b"$") {
            1
        } else if next.starts_with(b"::") {
            2
        } else {
            return None;
        };
        uses.iter().find(|it| it.range.start == offset + length)
    };
    found.or_else(after_sigil).cloned()
}

/// Returns the symbol at an offset, and the range of its name.
pub fn symbol_at(db: &dyn Db, file: File, offset: u32) -> Option<(Symbol, TextRange)> {
    let name_use = name_use_at(db, file, offset)?;
    let range = name_use.range;
    Some((resolve(db, file, &name_use)?, range))
}

/// Resolves a name in a file; `None` if nothing with that name is known.
pub fn resolve(db: &dyn Db, file: File, name_use: &NameUse) -> Option<Symbol> {
    let name = &name_use.name;
    match &name_use.kind {
        NameUseKind::Class => definition(db, file, NameKind::Class, name_use),
        NameUseKind::DefinedType => definition(db, file, NameKind::DefinedType, name_use),
        NameUseKind::ResourceType => resource_type(db, file, name),
        NameUseKind::Type => named_type(db, file, name_use),
        NameUseKind::ClassOrResourceType => project::resolve_in_file(db, file, NameKind::Class, name)
            .map(Symbol::Definition)
            .or_else(|| resource_type(db, file, name)),
        NameUseKind::Function => function(db, file, name_use),
        NameUseKind::Plan => definition(db, file, NameKind::Plan, name_use),
        NameUseKind::Task => project::task_file(db, file, name).map(Symbol::Task),
        NameUseKind::Variable(binding) => match binding {
            VariableBinding::Local { variable, of_lambda: true } => {
                Some(Symbol::LambdaVariable { file, variable: *variable, name: name.clone() })
            }
            VariableBinding::Local { of_lambda: false, .. } => {
                let definition = definition_of_use(db, file, name_use)?;
                Some(Symbol::Variable { definition, name: name.clone() })
            }
            VariableBinding::Free => {
                let definition = definition_of_use(db, file, name_use)?;
                variables::free(db, definition, name)
            }
            VariableBinding::Qualified { scope } => variables::qualified(db, file, scope, name),
        },
        NameUseKind::ErbVariable => owners::erb_variable(db, file, name_use),
        NameUseKind::Attribute(owner) => attribute(db, file, owner, name),
        NameUseKind::Fact => Some(Symbol::Fact(name.clone())),
        NameUseKind::TrustedFact => Some(Symbol::TrustedFact(name.clone())),
        NameUseKind::ServerFact => Some(Symbol::ServerFact(name.clone())),
        NameUseKind::EppTemplate | NameUseKind::ErbTemplate => {
            project::template_file(db, file, name).map(Symbol::Template)
        }
        NameUseKind::ServedFile => match project::served_file(db, file, name)? {
            ModuleEntry::File(file) => Some(Symbol::ServedFile(file)),
            ModuleEntry::Folder => Some(Symbol::ServedFolder(name.clone())),
        },
        NameUseKind::HieraKey => {
            let parameter = name.rsplit_once("::").and_then(|(class, parameter)| {
                let class = project::resolve_in_file(db, file, NameKind::Class, class)?;
                parameter_of(db, class, parameter)
            });
            Some(parameter.unwrap_or_else(|| Symbol::HieraKey(name.clone())))
        }
        NameUseKind::Provider { resource_type } => {
            Some(Symbol::Provider { resource_type: resource_type.clone(), name: name.clone() })
        }
        NameUseKind::Title { resource_type } => {
            Some(Symbol::Resource { resource_type: resource_type.clone(), title: name.clone() })
        }
    }
}

/// Resolves the name of a definition. The head of a definition refers to itself, even if other definitions
/// have the same name.
fn definition(db: &dyn Db, file: File, kind: NameKind, name_use: &NameUse) -> Option<Symbol> {
    if name_use.access == hir::Access::Declaration {
        return definition_of_use(db, file, name_use).map(Symbol::Definition);
    }
    project::resolve_in_file(db, file, kind, &name_use.name).map(Symbol::Definition)
}

fn resource_type(db: &dyn Db, file: File, name: &Name) -> Option<Symbol> {
    Some(match project::resolve_resource_type(db, file, name)? {
        ResourceTypeTarget::Defined(definition) => Symbol::Definition(definition),
        ResourceTypeTarget::Ruby { file, resource_type } => {
            Symbol::ResourceType { name: resource_type.name.clone(), file: Some(file) }
        }
        ResourceTypeTarget::BuiltIn(resource_type) => {
            Symbol::ResourceType { name: resource_type.name.clone(), file: None }
        }
    })
}

/// Resolves `Foo::Bar`: to a built-in type, one that a module defines, or a resource type.
fn named_type(db: &dyn Db, file: File, name_use: &NameUse) -> Option<Symbol> {
    if name_use.access == hir::Access::Declaration {
        return definition(db, file, NameKind::TypeAlias, name_use);
    }
    let name = &name_use.name;
    if let Some(found) = built_in::data_types().iter().find(|it| it.name.eq_ignore_ascii_case(name)) {
        return Some(Symbol::BuiltInType(found.name));
    }
    if let Some((file, found)) = project::ruby_data_type(db, file, name) {
        return Some(Symbol::RubyType { file, name: found.name.clone() });
    }
    let of_set = || {
        let (set, name) = project::type_set_member(db, file, name)?;
        Some(Symbol::SetType { set, name })
    };
    project::resolve_in_file(db, file, NameKind::TypeAlias, name)
        .map(Symbol::Definition)
        .or_else(of_set)
        .or_else(|| resource_type(db, file, name))
}

fn function(db: &dyn Db, file: File, name_use: &NameUse) -> Option<Symbol> {
    if name_use.access == hir::Access::Declaration {
        return definition(db, file, NameKind::Function, name_use);
    }
    let name = &name_use.name;
    if let Some(found) = functions::built_in(name) {
        return Some(Symbol::BuiltInFunction(found.name));
    }
    Some(match project::resolve_function(db, file, name)? {
        FunctionTarget::Puppet(definition) => Symbol::Definition(definition),
        FunctionTarget::Ruby { file, index } => Symbol::RubyFunction { file, index },
    })
}

fn attribute(db: &dyn Db, file: File, owner: &AttributeOwner, name: &Name) -> Option<Symbol> {
    let metaparameter = || {
        let known = built_in::metaparameters().iter().any(|it| it.name == *name);
        known.then(|| Symbol::Metaparameter(name.clone()))
    };
    let in_definition = |kind: NameKind, owner: &Name| {
        let definition = project::resolve_in_file(db, file, kind, owner)?;
        parameter_of(db, definition, name)
    };
    match owner {
        AttributeOwner::Class(class) => in_definition(NameKind::Class, class).or_else(metaparameter),
        AttributeOwner::Plan(plan) => in_definition(NameKind::Plan, plan),
        AttributeOwner::Task(task) => {
            let task = project::task_file(db, file, task)?;
            let known = project::task_metadata(db, task).parameters.as_deref()?;
            let is_known = known.iter().any(|it| it.name == *name);
            is_known.then(|| Symbol::TaskParameter { task, name: name.clone() })
        }
        AttributeOwner::Template(path) => {
            let template = project::template_file(db, file, path)?;
            parameter_of(db, owners::main_of(db, template)?, name)
        }
        AttributeOwner::ResourceType(resource_type) => {
            match project::resolve_resource_type(db, file, resource_type)? {
                ResourceTypeTarget::Defined(definition) => {
                    // Puppet accepts `name` for every defined type.
                    let title = || (name == "name").then(|| Symbol::BuiltInVariable(name.clone()));
                    parameter_of(db, definition, name).or_else(metaparameter).or_else(title)
                }
                target => {
                    let file = match &target {
                        ResourceTypeTarget::Ruby { file, .. } => Some(*file),
                        _ => None,
                    };
                    let resource_type = target.resource_type()?;
                    let own = resource_type.attributes.iter().any(|it| it.name == *name);
                    let own = own.then(|| Symbol::Attribute {
                        resource_type: resource_type.name.clone(),
                        file,
                        name: name.clone(),
                    });
                    own.or_else(metaparameter)
                }
            }
        }
    }
}
