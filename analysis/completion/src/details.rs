//! Details of a completion item, resolved when an editor displays it.

use plugins::built_in;
use project::{Db, DefinitionId, File, NameKind};
use symbols::callees;
use symbols::descriptions::{self, Description};
use syntax::AstNode;

use crate::item::{CompletionDetails, CompletionKind};
use crate::sources::data_files::{hiera_config, puppetfile};
use crate::sources::erb;
use crate::sources::fact_names;
use crate::sources::hiera_keys;
use crate::sources::metadata_json;

/// Returns the details of the item with this kind, label and owner.
pub fn details(
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
            let definition = project::resolve_in_file(db, file, NameKind::Class, label)?;
            descriptions::of_definition(db, definition).map(described)
        }
        CompletionKind::ResourceType => descriptions::of_resource_type(db, file, label).map(described),
        CompletionKind::Attribute => descriptions::of_attribute(db, file, label, owner?).map(described),
        CompletionKind::Metaparameter => descriptions::of_metaparameter(db, label).map(described),
        CompletionKind::Variable | CompletionKind::Fact if owner == Some(erb::OWNER) => {
            erb::details(db, file, label)
        }
        CompletionKind::Fact => {
            let name = label.trim_start_matches(['$', ':']);
            let about = match fact_names::find(owner?, name) {
                Some(fact) => Some(descriptions::of_fact(name, fact)),
                None => descriptions::of_custom_fact(db, file, name),
            };
            about.map(described)
        }
        CompletionKind::Variable => of_variable(db, file, label.trim_start_matches('$'), owner?),
        CompletionKind::Key | CompletionKind::Keyword if owner == Some(puppetfile::OWNER) => {
            puppetfile::details(label)
        }
        CompletionKind::Key if owner == Some(hiera_config::OWNER) => hiera_config::details(label),
        CompletionKind::Key if owner == Some(hiera_keys::OWNER) => hiera_keys::details(db, file, label),
        CompletionKind::Key | CompletionKind::Module => metadata_json::details(db, file, label, owner),
        _ => None,
    }
}

fn described(about: Description) -> CompletionDetails {
    CompletionDetails { detail: about.code, documentation: about.text }
}

fn of_function(db: &dyn Db, file: File, name: &str) -> Option<CompletionDetails> {
    let callee = callees::find(db, file, name)?;
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
    descriptions::of_type_alias(db, file, name).map(described)
}

/// Returns the details of a variable. The owner is its class, an offset in the file, or Puppet.
fn of_variable(db: &dyn Db, file: File, name: &str, owner: &str) -> Option<CompletionDetails> {
    if owner == "puppet" {
        return Some(described(descriptions::of_fact(name, built_in::variable(name)?)));
    }
    if let Some(class) = owner.strip_prefix("class ") {
        let class = project::resolve_in_file(db, file, NameKind::Class, class)?;
        let name = name.rsplit("::").next().unwrap_or(name);
        return descriptions::of_parameter(db, class, name).map(described);
    }
    let offset: u32 = owner.parse().ok()?;
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let token = root.tokens_at(offset).next()?;
    let definition = symbols::recorded_value::definition_around(db, file, &token.parent()?)?;
    let parameter = descriptions::of_parameter(db, definition, name).map(described);
    parameter.or_else(|| of_local(db, definition, name))
}

/// Returns the details of a local variable: its value or type, as far as known.
fn of_local(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<CompletionDetails> {
    let evaluated = symbols::recorded_value::Evaluated::new(db, definition);
    let recorded = evaluated.variable_value(name)?;
    let detail = compile::with_world(db, definition, |world| {
        let ty = symbols::recorded_value::type_of(&recorded, world);
        let mut detail = format!("${name}: {}", symbols::recorded_value::short_type(&ty, 200, world));
        if let Some([value]) = symbols::recorded_value::known_values(&recorded).as_deref() {
            detail.push_str(&format!(" = {}", symbols::recorded_value::short_value(value, 100, world)));
        }
        detail
    })?;
    Some(CompletionDetails { detail, documentation: None })
}
