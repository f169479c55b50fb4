//! What is said about the keys of Hiera data, and about parameters that get their values from it.

use hiera::config::Layer;
use hiera::data::DataEntry;
use hir::Name;
use output::markdown::{code_block, code_span};
use output::secrets::masked_source;
use output::visible;
use project::{DataKey, DataSource, Db, DefinitionId, Environment, File, NameKind};
use smol_str::format_smolstr;
use syntax::TextRange;

use crate::descriptions::Hover;
use crate::navigation::NavigationTarget;
use crate::parameters::{self, ParameterText};
use crate::symbol::{self, Symbol};

/// So many places are shown, and so much of a value.
const MAX_PLACES: usize = 12;
const MAX_VALUE: usize = 120;

const NO_CONFIGURATION: &str = "No `hiera.yaml` of the environment can be seen here.";
const NOT_IN_DATA: &str = "No data file that can be seen here has it.";

/// What the key at an offset of a data file is: the parameter it is for, and its value at each level.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let environment = *file.environments(db).first()?;
    let data = project::hiera_data(db, file);
    let touched = |entry: &&DataEntry| entry.key.range.contains_inclusive(offset);
    let (name, range) = match data.entries().iter().find(touched) {
        Some(entry) => (Name::new(entry.key.value.as_str()?), entry.key.range),
        // A key that a value refers to.
        None => return hover_of_key(db, file, offset),
    };
    Some(Hover { range, markdown: about_key(db, environment, &name) })
}

/// What the key is that a manifest or a value names at an offset; `None` where no key is.
pub fn hover_of_key(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let environment = *file.environments(db).first()?;
    let name_use = symbol::name_use_at(db, file, offset)?;
    let is_key = name_use.kind == hir::NameUseKind::HieraKey;
    is_key.then(|| Hover { range: name_use.range, markdown: about_key(db, environment, &name_use.name) })
}

/// What a key is, as the environment of a file has it.
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
            parts.push(format!("Parameter of the class `{}`.", class.key(db).name));
            parts.extend(parameter.documentation);
        }
        None => parts.push(code_span(name)),
    }
    let places = places_as_markdown(db, environment, name);
    parts.push(places.unwrap_or_else(|| NOT_IN_DATA.to_owned()));
    parts.join("\n\n")
}

/// The parameter that a key is for.
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

/// The values of a key, level by level, as a list; `None` where a configuration is seen and none of its files has it.
fn places_as_markdown(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let is_secret = is_secret(db, environment, name);
    let line = |place: String, file: File, key: &DataKey| {
        let line = project::line_map(db, file).line(key.key_range.start) + 1;
        let at = code_span(&format!("{}:{line}", path_text(db, file)));
        format!("* {at}{place}: {}", value_text(db, file, key, is_secret))
    };
    let places = project::places_of_key(db, environment, name);
    // Of several levels that may read a file, the one that says most about its path is meant.
    let is_meant = |source: &DataSource| {
        let of_file = places.iter().filter(|(other, _)| other.file == source.file);
        of_file.min_by_key(|(other, _)| other.unknown_parts).is_none_or(|(other, _)| other == source)
    };
    let meant = places.iter().filter(|(source, _)| is_meant(source));
    let lines: Vec<String> = meant.map(|(source, key)| line(level_text(source), source.file, key)).collect();
    let places = project::places_of_key_without_configuration(db, environment, name);
    let others: Vec<String> = places.iter().map(|(file, key)| line(String::new(), *file, key)).collect();
    let mut parts = Vec::new();
    if !lines.is_empty() {
        parts.push(listed("In Hiera, first to last:", &lines));
    }
    if !others.is_empty() {
        parts.push(listed(&format!("{NO_CONFIGURATION} Files that have it:"), &others));
    }
    if parts.is_empty() && !project::has_hiera_configuration(db, environment, name) {
        parts.push(NO_CONFIGURATION.to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

fn listed(head: &str, lines: &[String]) -> String {
    let mut shown = vec![head.to_owned(), String::new()];
    shown.extend(lines.iter().take(MAX_PLACES).cloned());
    if lines.len() > MAX_PLACES {
        shown.push(format!("* and {} more", lines.len() - MAX_PLACES));
    }
    shown.join("\n")
}

fn path_text(db: &dyn Db, file: File) -> String {
    match file.place(db) {
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
    let default = if source.is_default { ", when nothing else has it" } else { "" };
    format!(" ({layer}, {}{default})", visible(&source.level))
}

/// Does the type of a key's parameter, or `lookup_options`, say that its values are not to be shown?
pub fn is_secret(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let name = name.split('.').next().unwrap_or_default();
    if is_sensitive_parameter(db, environment, name) {
        return true;
    }
    let files = project::data_key_index(db, environment).get("lookup_options");
    files.into_iter().flatten().any(|file| {
        let data = project::hiera_data(db, *file);
        let text = project::text(db, *file).unwrap_or_default();
        let options = data.entry("lookup_options").map(|it| it.value.entries()).unwrap_or_default();
        options.iter().filter(|it| it.key.value.as_str().is_some_and(|it| is_meant(it, name))).any(|it| {
            let converted = it.value.entry("convert_to").map(|it| it.value.range.as_range());
            converted.and_then(|it| text.get(it)).is_some_and(|it| it.contains("Sensitive"))
        })
    })
}

/// Is a key for a parameter of a class that takes something sensitive, whatever its type is called?
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

/// Are options of `lookup_options` for a key? A pattern that cannot be read here may be.
fn is_meant(key: &str, name: &str) -> bool {
    match key.starts_with('^') {
        true => regex::Regex::new(key).map_or(true, |it| it.is_match(name)),
        false => key == name,
    }
}

/// The value as it is written, in one line; what is encrypted or sensitive is not shown.
fn value_text(db: &dyn Db, file: File, key: &DataKey, is_secret: bool) -> String {
    if is_secret {
        return "*sensitive*".to_owned();
    }
    let Some(line) = written_value(db, file, key) else { return "*encrypted*".to_owned() };
    let short: String = line.chars().take(MAX_VALUE).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    code_span(&format!("{short}{dots}"))
}

/// The value as it is written, in one line; `None` for one that is encrypted.
fn written_value(db: &dyn Db, file: File, key: &DataKey) -> Option<String> {
    let text = project::text(db, file).unwrap_or_default();
    let written = text.get(key.value_range.as_range()).unwrap_or_default();
    if hiera::data::is_encrypted(written) {
        return None;
    }
    Some(written.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The key of Hiera for a parameter of a class that a symbol is.
fn key_of_parameter(db: &dyn Db, symbol: &Symbol) -> Option<Name> {
    let Symbol::Variable { definition, name } = symbol else { return None };
    let key = definition.key(db);
    let is_parameter = key.kind == hir::DefinitionKind::Class
        && project::signature(db, *definition)
            .as_ref()
            .is_some_and(|class| class.parameters.iter().any(|it| it.name == *name));
    is_parameter.then(|| format_smolstr!("{}::{name}", key.name))
}

/// What data says of the parameter at an offset of a manifest, as Markdown.
pub fn values_of_parameter(db: &dyn Db, file: File, offset: u32) -> Option<String> {
    let environment = *file.environments(db).first()?;
    let name_use = symbol::name_use_at(db, file, offset)?;
    if name_use.kind == hir::NameUseKind::HieraKey {
        return None;
    }
    let key = key_of_parameter(db, &symbol::resolve(db, file, &name_use)?)?;
    let is_declared_here = name_use.access == hir::Access::Declaration;
    // Once is enough to say that there is no configuration.
    places_as_markdown(db, environment, &key).filter(|it| is_declared_here || it != NO_CONFIGURATION)
}

/// The places in data that give a symbol its value: a key, or the parameter of a class. Where no configuration is seen, the
/// files that look like data.
pub fn places(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<NavigationTarget> {
    let Some(environment) = from.environments(db).first().copied() else { return Vec::new() };
    let name = match symbol {
        Symbol::HieraKey(name) => Some(name.clone()),
        symbol => key_of_parameter(db, symbol),
    };
    let Some(name) = name else { return Vec::new() };
    let places = project::places_of_key(db, environment, &name);
    let mut places: Vec<(File, DataKey)> =
        places.into_iter().map(|(source, key)| (source.file, key)).collect();
    places.extend(project::places_of_key_without_configuration(db, environment, &name));
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

/// Does data give the class of this name a parameter?
pub fn has_data_of_class(db: &dyn Db, file: File, class: &str) -> bool {
    file.environments(db).first().is_some_and(|environment| {
        let prefix = Name::from(format!("{class}::"));
        let mut keys = project::data_key_index(db, *environment).range(prefix.clone()..);
        // The keys of the classes below it begin so, too.
        let mut own = keys.by_ref().map(|(key, _)| key).take_while(|key| key.starts_with(prefix.as_str()));
        own.any(|key| !key[prefix.len()..].contains("::"))
    })
}

/// The places in data that give a class its parameters, in the order of these.
pub fn places_of_class(db: &dyn Db, from: File, class: DefinitionId) -> Vec<NavigationTarget> {
    let parameters = project::signature(db, class).iter().flat_map(|it| it.parameters.iter());
    let of_parameter =
        |name: &Name| places(db, from, &Symbol::Variable { definition: class, name: name.clone() });
    parameters.flat_map(|it| of_parameter(&it.name)).collect()
}

/// What data gives a parameter of a class, in a few words: the value where only one place has it, else how many do.
pub fn short_value(db: &dyn Db, class: DefinitionId, parameter: &str, most: usize) -> Option<String> {
    let environment = *class.file(db).environments(db).first()?;
    let name = format!("{}::{parameter}", class.key(db).name);
    let places = project::places_of_key(db, environment, &name);
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
