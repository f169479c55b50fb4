//! What is said about a completion when an editor shows it.

use hir::DefinitionKind;
use plugins::{Attribute, built_in};
use project::{Db, DefinitionId, File, NameKind};
use syntax::AstNode;

use super::fact_names;
use super::hiera_keys;
use super::item::CompletionKind;
use super::metadata_json;
use super::resource_types::{self, ResourceTypeSource};
use crate::functions::{self, Callee};
use crate::parameters;

/// More about an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionDetails {
    /// A line or a few of code.
    pub detail: String,
    /// Markdown.
    pub documentation: Option<String>,
}

/// About the item with this kind, label and owner.
pub(crate) fn details(
    db: &dyn Db,
    file: File,
    kind: CompletionKind,
    label: &str,
    owner: Option<&str>,
) -> Option<CompletionDetails> {
    match kind {
        CompletionKind::Function => of_function(db, file, label),
        CompletionKind::Type => of_type(db, file, label),
        CompletionKind::Class => {
            of_definition(db, project::resolve_in_file(db, file, NameKind::Class, label)?)
        }
        CompletionKind::ResourceType => of_resource_type(db, file, label),
        CompletionKind::Attribute => of_attribute(db, file, label, owner?),
        CompletionKind::Metaparameter => Some(about_attribute(built_in::metaparameter(label)?)),
        CompletionKind::Fact => {
            let name = label.trim_start_matches(['$', ':']);
            match fact_names::find(owner?, name) {
                Some(fact) => of_fact(fact),
                None => of_custom_fact(db, file, name),
            }
        }
        CompletionKind::Variable => of_variable(db, file, label.trim_start_matches('$'), owner?),
        CompletionKind::Key if owner == Some(hiera_keys::OWNER) => hiera_keys::details(db, file, label),
        CompletionKind::Key | CompletionKind::Module => metadata_json::details(db, file, label, owner),
        _ => None,
    }
}

fn of_function(db: &dyn Db, file: File, name: &str) -> Option<CompletionDetails> {
    let callee = functions::find(db, file, name)?;
    let labels = callee.signatures(db).iter().map(|it| it.label(name).0).collect::<Vec<_>>();
    Some(CompletionDetails { detail: labels.join("\n"), documentation: callee.documentation(db) })
}

fn of_type(db: &dyn Db, file: File, name: &str) -> Option<CompletionDetails> {
    if let Some(ty) = built_in::data_type(name) {
        return Some(CompletionDetails {
            detail: format!("{}{}", ty.name, ty.parameters),
            documentation: Some(ty.documentation.to_owned()),
        });
    }
    let definition = project::resolve_in_file(db, file, NameKind::TypeAlias, name)?;
    let detail = eval::with_world(db, definition, |world| {
        let ty = world.type_by_name(name)?;
        Some(format!("type {}", types::display::expanded_type_text(&ty, world)))
    });
    let detail = detail.flatten().unwrap_or_else(|| name.to_owned());
    Some(CompletionDetails { detail, documentation: functions::documentation(db, definition) })
}

fn of_definition(db: &dyn Db, definition: DefinitionId) -> Option<CompletionDetails> {
    let word = match definition.key(db).kind {
        DefinitionKind::Class => "class",
        DefinitionKind::DefinedType => "define",
        _ => return None,
    };
    let parameters = parameters::parameters(db, definition);
    let mut detail = format!("{word} {}", Callee::Puppet(definition).name(db));
    if !parameters.is_empty() {
        detail.push_str(" (");
        for parameter in parameters.iter().take(MOST_PARAMETERS) {
            detail.push_str(&format!("\n  {},", written(parameter)));
        }
        if parameters.len() > MOST_PARAMETERS {
            detail.push_str("\n  …");
        }
        detail.push_str("\n)");
    }
    Some(CompletionDetails { detail, documentation: functions::documentation(db, definition) })
}

const MOST_PARAMETERS: usize = 20;

/// A parameter as it is declared.
fn written(parameter: &parameters::ParameterText) -> String {
    let mut text = parameter.type_text.clone();
    if !text.is_empty() {
        text.push(' ');
    }
    if parameter.is_repeated {
        text.push('*');
    }
    text.push('$');
    text.push_str(&parameter.name);
    if let Some(default) = &parameter.default {
        text.push_str(" = ");
        text.push_str(if default.len() > 60 { "…" } else { default });
    }
    text
}

fn of_resource_type(db: &dyn Db, file: File, name: &str) -> Option<CompletionDetails> {
    match resource_types::find(db, file, name)? {
        ResourceTypeSource::Defined(definition) => of_definition(db, definition),
        ResourceTypeSource::Plugin(ty) => Some(CompletionDetails {
            detail: format!("resource type {}", ty.name),
            documentation: Some(ty.documentation.to_string()).filter(|it| !it.is_empty()),
        }),
    }
}

fn of_attribute(db: &dyn Db, file: File, name: &str, owner: &str) -> Option<CompletionDetails> {
    let definition = match owner.strip_prefix("class ") {
        Some(class) => project::resolve_in_file(db, file, NameKind::Class, class)?,
        None => match resource_types::find(db, file, owner)? {
            ResourceTypeSource::Plugin(ty) => {
                return ty.attributes.iter().find(|it| it.name == name).map(about_attribute);
            }
            ResourceTypeSource::Defined(definition) => definition,
        },
    };
    of_parameter(db, definition, name)
}

fn of_parameter(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<CompletionDetails> {
    let parameters = parameters::parameters(db, definition);
    let parameter = parameters.iter().find(|it| it.name == name)?;
    Some(CompletionDetails { detail: written(parameter), documentation: parameter.documentation.clone() })
}

fn about_attribute(attribute: &Attribute) -> CompletionDetails {
    let mut documentation = attribute.documentation.to_string();
    if !attribute.values.is_empty() {
        let values: Vec<String> = attribute.values.iter().map(|it| format!("`{it}`")).collect();
        documentation.push_str(&format!("\n\nValues: {}", values.join(", ")));
    }
    if let Some(default) = &attribute.default {
        documentation.push_str(&format!("\n\nDefault: `{default}`"));
    }
    if !attribute.required_features.is_empty() {
        let features: Vec<String> = attribute.required_features.iter().map(|it| format!("`{it}`")).collect();
        documentation.push_str(&format!("\n\nNeeds a provider that has {}.", features.join(", ")));
    }
    let detail = match &attribute.type_text {
        Some(ty) => format!("{}: {ty}", attribute.name),
        None => attribute.name.to_string(),
    };
    CompletionDetails { detail, documentation: Some(documentation).filter(|it| !it.is_empty()) }
}

fn of_fact(fact: &'static built_in::Fact) -> Option<CompletionDetails> {
    let mut documentation = fact.documentation.to_string();
    if let Some(replacement) = &fact.replacement {
        documentation.push_str(&format!("\n\nGone in Puppet 8: write `{replacement}`."));
    }
    Some(CompletionDetails {
        detail: format!("{}: {}", fact.name, fact.type_text),
        documentation: Some(documentation.trim().to_owned()).filter(|it| !it.is_empty()),
    })
}

fn of_custom_fact(db: &dyn Db, file: File, name: &str) -> Option<CompletionDetails> {
    let mut environments = file.environments(db).iter().copied();
    let (_, fact) = environments
        .find_map(|it| project::custom_facts(db, it).iter().find(|(_, fact)| fact.name == name))?;
    let documentation = Some(fact.documentation.to_string()).filter(|it| !it.is_empty());
    Some(CompletionDetails { detail: format!("fact {name}"), documentation })
}

/// The owner is the class, or where in the file the variable is asked for, or Puppet itself.
fn of_variable(db: &dyn Db, file: File, name: &str, owner: &str) -> Option<CompletionDetails> {
    if owner == "puppet" {
        return of_fact(built_in::variable(name)?);
    }
    if let Some(class) = owner.strip_prefix("class ") {
        let class = project::resolve_in_file(db, file, NameKind::Class, class)?;
        return of_parameter(db, class, name.rsplit("::").next().unwrap_or(name));
    }
    let offset: u32 = owner.parse().ok()?;
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let token = root.tokens_at(offset).next()?;
    let definition = crate::facts::definition_around(db, file, &token.parent()?)?;
    of_parameter(db, definition, name).or_else(|| of_local(db, definition, name))
}

/// What was assigned to a variable, as far as it is known.
fn of_local(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<CompletionDetails> {
    let evaluated = crate::facts::Evaluated::new(db, definition);
    let worth = evaluated.worth_of(name)?;
    let detail = eval::with_world(db, definition, |world| {
        let ty = crate::facts::type_of(&worth, world);
        let mut detail = format!("${name}: {}", crate::facts::short_type(&ty, 200, world));
        if let Some([value]) = crate::facts::known_values(&worth).as_deref() {
            detail.push_str(&format!(" = {}", crate::facts::short_value(value, 100, world)));
        }
        detail
    })?;
    Some(CompletionDetails { detail, documentation: None })
}
