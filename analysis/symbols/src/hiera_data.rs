//! Hovers, values and locations of Hiera keys, and of parameters that get their values from Hiera.

use hiera::config::Layer;
use hiera::data::DataEntry;
use hir::Name;
use output::markdown::{code_block, code_span};
use output::secrets::masked_source;
use output::visible;
use project::{DataKey, DataSource, Db, DefinitionId, Environment, File, NameKind};
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use crate::descriptions::Hover;
use crate::hiera_config;
use crate::parameters::{self, ParameterText};
use crate::symbol::{self, Symbol};
use crate::target::NavigationTarget;

/// Maximum number of locations that are shown.
const MAX_LOCATIONS: usize = 12;
/// Maximum length in characters of a value; longer ones are truncated.
const MAX_VALUE_LENGTH: usize = 120;

const NO_CONFIGURATION: &str = "No `hiera.yaml` found for this environment.";
const NOT_IN_DATA: &str = "Not set in any known data file.";

/// Returns the hover text for the key at an offset of a data file: its parameter, and its value at each
/// level.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let environment = *file.environments(db).first()?;
    let data = project::hiera_data(db, file);
    let touched = |entry: &&DataEntry| entry.key.range.contains_inclusive(offset);
    let (name, range) = match data.entries().iter().find(touched) {
        Some(entry) => (Name::new(entry.key.value.as_str()?), entry.key.range),
        // A key, fact, variable or class that a value refers to.
        None => {
            return hover_of_key(db, file, offset).or_else(|| hiera_config::hover_of_name(db, file, offset));
        }
    };
    Some(Hover { range, markdown: about_key(db, environment, &name) })
}

/// Returns the hover text for the key that a manifest or a value names at an offset; `None` if there is no
/// key.
pub fn hover_of_key(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let environment = *file.environments(db).first()?;
    let name_use = symbol::name_use_at(db, file, offset)?;
    let is_key = name_use.kind == hir::NameUseKind::HieraKey;
    is_key.then(|| Hover { range: name_use.range, markdown: about_key(db, environment, &name_use.name) })
}

/// Describes a key in the environment of a file.
pub fn about_key_in(db: &dyn Db, file: File, key: &str) -> Option<String> {
    Some(about_key(db, *file.environments(db).first()?, key))
}

fn about_key(db: &dyn Db, environment: Environment, name: &str) -> String {
    let mut parts = Vec::new();
    match parameter_of_key(db, environment, name) {
        Some((class, parameter)) => {
            let ty = Some(parameter.type_text.as_str()).filter(|it| !it.is_empty()).unwrap_or("Any");
            let default =
                parameter.default.as_ref().map(|it| format!(" = {}", masked_source(it))).unwrap_or_default();
            parts.push(code_block("puppet", &format!("{ty} ${}{default}", parameter.name)));
            parts.push(format!("Parameter of class `{}`.", class.key(db).name));
            parts.extend(parameter.documentation);
        }
        None => parts.push(code_span(name)),
    }
    let places = places_as_markdown(db, environment, name);
    parts.push(places.unwrap_or_else(|| NOT_IN_DATA.to_owned()));
    parts.join("\n\n")
}

/// Returns the class parameter that a key sets.
pub fn parameter_of_key(
    db: &dyn Db,
    environment: Environment,
    key: &str,
) -> Option<(DefinitionId, ParameterText)> {
    let (class, name) = key.rsplit_once("::")?;
    let class = project::resolve(db, environment, NameKind::Class, class)?;
    let parameter = parameters::parameters(db, class).iter().find(|it| it.name == name)?.clone();
    Some((class, parameter))
}

/// Returns a Markdown list of the values of a key, level by level; `None` if there is a configuration and
/// none of its files sets the key.
fn places_as_markdown(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let is_secret = is_secret(db, environment, name);
    let line = |place: String, file: File, key: &DataKey| {
        let line = project::line_map(db, file).line(key.key_range.start) + 1;
        let at = code_span(&format!("{}:{line}", path_text(db, file)));
        format!("* {at}{place}: {}", value_text(db, file, key, is_secret))
    };
    let places = project::locations_of_key(db, environment, name);
    // If several levels may read a file, show the one with the most specific path.
    let is_meant = |source: &DataSource| {
        let of_file = places.iter().filter(|(other, _)| other.file == source.file);
        of_file.min_by_key(|(other, _)| other.unknown_parts).is_none_or(|(other, _)| other == source)
    };
    let meant = places.iter().filter(|(source, _)| is_meant(source));
    let lines: Vec<String> = meant.map(|(source, key)| line(level_text(source), source.file, key)).collect();
    let places = project::locations_of_key_without_configuration(db, environment, name);
    let others: Vec<String> = places.iter().map(|(file, key)| line(String::new(), *file, key)).collect();
    let mut parts = Vec::new();
    if !lines.is_empty() {
        parts.push(listed("In Hiera, in lookup order:", &lines));
    }
    if !others.is_empty() {
        parts.push(listed(&format!("{NO_CONFIGURATION} Files that set it:"), &others));
    }
    if parts.is_empty() && !project::has_hiera_configuration(db, environment, name) {
        parts.push(NO_CONFIGURATION.to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

fn listed(head: &str, lines: &[String]) -> String {
    let mut shown = vec![head.to_owned(), String::new()];
    shown.extend(lines.iter().take(MAX_LOCATIONS).cloned());
    if lines.len() > MAX_LOCATIONS {
        shown.push(format!("* and {} more", lines.len() - MAX_LOCATIONS));
    }
    shown.join("\n")
}

fn path_text(db: &dyn Db, file: File) -> String {
    match file.role(db) {
        project::FileRole::Module { relative, .. } => relative.to_string(),
        _ => file.path(db).as_str().to_owned(),
    }
}

fn level_text(source: &DataSource) -> String {
    let layer = match &source.layer {
        Layer::Global => "all environments".to_owned(),
        Layer::Environment => "environment".to_owned(),
        Layer::Module(name) => format!("module {name}"),
    };
    let default = if source.is_default { ", default hierarchy" } else { "" };
    format!(" ({layer}, {}{default})", visible(&source.level))
}

/// Returns true if the type of a key's parameter, or `lookup_options`, marks its values as sensitive.
pub fn is_secret(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let name = name.split('.').next().unwrap_or_default();
    if is_sensitive_parameter(db, environment, name) {
        return true;
    }
    options_of_secrets(db, environment).iter().any(|option| is_meant(option, name))
}

/// Returns the keys and patterns in `lookup_options` whose values are converted to `Sensitive`.
#[salsa::tracked(returns(ref))]
fn options_of_secrets(db: &dyn Db, environment: Environment) -> Vec<SmolStr> {
    let mut found = Vec::new();
    for file in project::data_key_index(db, environment).get("lookup_options").into_iter().flatten() {
        let data = project::hiera_data(db, *file);
        let text = project::text(db, *file).unwrap_or_default();
        let options = data.entry("lookup_options").map(|it| it.value.entries()).unwrap_or_default();
        let is_secret = |option: &&DataEntry| {
            let converted = option.value.entry("convert_to").map(|it| it.value.range.as_range());
            converted.and_then(|it| text.get(it)).is_some_and(|it| it.contains("Sensitive"))
        };
        found.extend(
            options.iter().filter(is_secret).filter_map(|it| it.key.value.as_str()).map(SmolStr::from),
        );
    }
    found
}

/// Returns true if a key sets a class parameter that accepts a sensitive value, directly or through type
/// aliases.
fn is_sensitive_parameter(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let Some((class, parameter)) = parameter_of_key(db, environment, key) else { return false };
    if parameter.type_text.contains("Sensitive") {
        return true;
    }
    let signature = project::signature(db, class).as_ref();
    let index = signature.and_then(|it| it.parameters.iter().position(|it| it.name == parameter.name));
    let ty = index.and_then(|index| compile::parameter_types(db, class).get(index)?.clone());
    ty.is_some_and(|ty| {
        compile::with_world(db, class, |world| types::mismatch::may_be_sensitive(&ty, world)) == Some(true)
    })
}

/// Returns true if an entry of `lookup_options` applies to a key. Assumed for a pattern that cannot be
/// compiled.
fn is_meant(key: &str, name: &str) -> bool {
    if key.starts_with('^') {
        regex::Regex::new(key).map_or(true, |it| it.is_match(name))
    } else {
        key == name
    }
}

/// Returns the value as written, in one line; encrypted and sensitive values are masked.
fn value_text(db: &dyn Db, file: File, key: &DataKey, is_secret: bool) -> String {
    if is_secret {
        return "*sensitive*".to_owned();
    }
    let Some(line) = written_value(db, file, key) else { return "*encrypted*".to_owned() };
    let short: String = line.chars().take(MAX_VALUE_LENGTH).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    code_span(&format!("{short}{dots}"))
}

/// Returns the value as written, in one line; `None` if it is encrypted.
fn written_value(db: &dyn Db, file: File, key: &DataKey) -> Option<String> {
    let text = project::text(db, file).unwrap_or_default();
    let written = text.get(key.value_range.as_range()).unwrap_or_default();
    if hiera::data::is_encrypted(written) {
        return None;
    }
    Some(written.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the Hiera key of a symbol that is a class parameter.
fn key_of_parameter(db: &dyn Db, symbol: &Symbol) -> Option<Name> {
    let Symbol::Variable { definition, name } = symbol else { return None };
    let key = definition.key(db);
    let is_parameter = key.kind == hir::DefinitionKind::Class
        && project::signature(db, *definition)
            .as_ref()
            .is_some_and(|class| class.parameters.iter().any(|it| it.name == *name));
    is_parameter.then(|| format_smolstr!("{}::{name}", key.name))
}

/// Returns the data values of the parameter at an offset of a manifest, as Markdown.
pub fn values_of_parameter(db: &dyn Db, file: File, offset: u32) -> Option<String> {
    let environment = *file.environments(db).first()?;
    let name_use = symbol::name_use_at(db, file, offset)?;
    if name_use.kind == hir::NameUseKind::HieraKey {
        return None;
    }
    let key = key_of_parameter(db, &symbol::resolve(db, file, &name_use)?)?;
    let is_declared_here = name_use.access == hir::Access::Declaration;
    // The missing configuration is only mentioned at the declaration.
    places_as_markdown(db, environment, &key).filter(|it| is_declared_here || it != NO_CONFIGURATION)
}

/// Returns the locations in data that set a symbol: a key, or the parameter of a class. Without a
/// configuration, includes files that look like data.
pub fn places(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<NavigationTarget> {
    let Some(environment) = from.environments(db).first().copied() else { return Vec::new() };
    let name = match symbol {
        Symbol::HieraKey(name) => Some(name.clone()),
        symbol => key_of_parameter(db, symbol),
    };
    let Some(name) = name else { return Vec::new() };
    let places = project::locations_of_key(db, environment, &name);
    let mut places: Vec<(File, DataKey)> =
        places.into_iter().map(|(source, key)| (source.file, key)).collect();
    places.extend(project::locations_of_key_without_configuration(db, environment, &name));
    let target = |(file, key): (File, DataKey)| {
        let full: TextRange = key.key_range.cover(key.value_range);
        NavigationTarget::new(file, full, key.key_range)
    };
    let mut targets: Vec<NavigationTarget> = Vec::new();
    // Several levels may read one file.
    for found in places.into_iter().map(target) {
        if !targets.contains(&found) {
            targets.push(found);
        }
    }
    targets
}

/// Returns true if data sets a parameter of the class with this name.
pub fn has_data_of_class(db: &dyn Db, file: File, class: &str) -> bool {
    file.environments(db).first().is_some_and(|environment| {
        let prefix = Name::from(format!("{class}::"));
        let mut keys = project::data_key_index(db, *environment).range(prefix.clone()..);
        // Keys of nested classes share the prefix.
        let mut own = keys.by_ref().map(|(key, _)| key).take_while(|key| key.starts_with(prefix.as_str()));
        own.any(|key| !key[prefix.len()..].contains("::"))
    })
}

/// Returns the locations in data that set the parameters of a class, in the order of the parameters.
pub fn data_locations_of_class(db: &dyn Db, from: File, class: DefinitionId) -> Vec<NavigationTarget> {
    let parameters = project::signature(db, class).iter().flat_map(|it| it.parameters.iter());
    let of_parameter =
        |name: &Name| places(db, from, &Symbol::Variable { definition: class, name: name.clone() });
    parameters.flat_map(|it| of_parameter(&it.name)).collect()
}

/// Returns a short description of a class parameter's data: its value if only one location sets it, else the
/// number of locations.
pub fn short_value(db: &dyn Db, class: DefinitionId, parameter: &str, most: usize) -> Option<String> {
    let environment = *class.file(db).environments(db).first()?;
    let name = format!("{}::{parameter}", class.key(db).name);
    let places = project::locations_of_key(db, environment, &name);
    let is_secret = is_secret(db, environment, &name);
    let value = |(source, key): &(DataSource, DataKey)| {
        let text = written_value(db, source.file, key).filter(|_| !is_secret)?;
        let short: String = text.chars().take(most).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        Some(format!("{short}{dots}"))
    };
    match &places[..] {
        [] => None,
        [place] => {
            Some(value(place).unwrap_or_else(|| if is_secret { "sensitive" } else { "encrypted" }.to_owned()))
        }
        places => Some(format!("{} values", places.len())),
    }
}
