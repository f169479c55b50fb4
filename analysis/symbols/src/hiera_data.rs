//! What is said about the keys of Hiera data, and about parameters that get their values from it.

use hiera::config::Layer;
use hiera::data::DataEntry;
use hir::Name;
use project::{DataKey, DataSource, Db, DefinitionId, Environment, File, NameKind};
use smol_str::format_smolstr;
use syntax::TextRange;

use crate::descriptions::Hover;
use crate::navigation::NavigationTarget;
use crate::parameters::{self, ParameterText};
use crate::symbol::{self, Symbol};

/// So many places are shown, and so much of a value.
const MOST_PLACES: usize = 12;
const MOST_VALUE: usize = 120;

/// What the key at an offset of a data file is: the parameter it is for, and its value at each level.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let environment = *file.environments(db).first()?;
    let data = project::hiera_data(db, file);
    let touched = |entry: &&DataEntry| entry.key.range.contains_inclusive(offset);
    let (name, range) = match data.entries().iter().find(touched) {
        Some(entry) => (Name::new(entry.key.value.as_str()?), entry.key.range),
        // A key that a value refers to.
        None => {
            let name_use = symbol::name_use_at(db, file, offset)?;
            let is_key = name_use.kind == hir::NameUseKind::HieraKey;
            (is_key.then_some(name_use.name)?, name_use.range)
        }
    };
    Some(Hover { range, markdown: about_key(db, environment, &name) })
}

fn about_key(db: &dyn Db, environment: Environment, name: &str) -> String {
    let mut parts = Vec::new();
    match parameter_of_key(db, environment, name) {
        Some((class, parameter)) => {
            let ty = Some(parameter.type_text.as_str()).filter(|it| !it.is_empty()).unwrap_or("Any");
            let default = parameter.default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
            parts.push(format!("```puppet\n{ty} ${}{default}\n```", parameter.name));
            parts.push(format!("Parameter of the class `{}`.", class.key(db).name));
            parts.extend(parameter.documentation);
        }
        None => parts.push(format!("`{name}`")),
    }
    parts.extend(places_as_markdown(db, environment, name));
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

/// The values of a key, level by level, as a list.
fn places_as_markdown(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let places = project::places_of_key(db, environment, name);
    if places.is_empty() {
        return None;
    }
    let mut lines = vec!["In Hiera, first to last:".to_owned(), String::new()];
    for (source, key) in places.iter().take(MOST_PLACES) {
        lines.push(format!("* {}: {}", where_it_is(db, source), value_text(db, source, key)));
    }
    if places.len() > MOST_PLACES {
        lines.push(format!("* and {} more", places.len() - MOST_PLACES));
    }
    Some(lines.join("\n"))
}

fn where_it_is(db: &dyn Db, source: &DataSource) -> String {
    let path = match source.file.place(db) {
        project::FilePlace::Module { relative, .. } => relative.to_string(),
        _ => source.file.path(db).as_str().to_owned(),
    };
    let layer = match &source.layer {
        Layer::Global => "all environments".to_owned(),
        Layer::Environment => "environment".to_owned(),
        Layer::Module(name) => format!("module {name}"),
    };
    let default = if source.is_default { ", when nothing else has it" } else { "" };
    format!("`{path}` ({layer}, {}{default})", source.level)
}

/// The value as it is written, in one line; what is encrypted is not shown.
fn value_text(db: &dyn Db, source: &DataSource, key: &DataKey) -> String {
    let Some(line) = written_value(db, source, key) else { return "*encrypted*".to_owned() };
    let short: String = line.chars().take(MOST_VALUE).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    format!("`{}{dots}`", short.replace('`', "'"))
}

/// The value as it is written, in one line; `None` for one that is encrypted.
fn written_value(db: &dyn Db, source: &DataSource, key: &DataKey) -> Option<String> {
    let text = project::text(db, source.file).unwrap_or_default();
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
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    places_as_markdown(db, environment, &key_of_parameter(db, &symbol)?)
}

/// The places in data that give a symbol its value: a key, or the parameter of a class.
pub fn places(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<NavigationTarget> {
    let Some(environment) = from.environments(db).first().copied() else { return Vec::new() };
    let name = match symbol {
        Symbol::HieraKey(name) => Some(name.clone()),
        symbol => key_of_parameter(db, symbol),
    };
    let places = name.map(|name| project::places_of_key(db, environment, &name)).unwrap_or_default();
    let target = |(source, key): (DataSource, DataKey)| {
        let full: TextRange = key.key_range.cover(key.value_range);
        NavigationTarget::new(source.file, full, key.key_range)
    };
    places.into_iter().map(target).collect()
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
    let value = |(source, key): &(DataSource, DataKey)| {
        let text = written_value(db, source, key)?;
        let short: String = text.chars().take(most).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        Some(format!("{short}{dots}"))
    };
    match &places[..] {
        [] => None,
        [place] => Some(value(place).unwrap_or_else(|| "encrypted".to_owned())),
        places => Some(format!("{} values", places.len())),
    }
}
