//! Conversion of configurations of versions 3 and 4 to version 5.

mod write;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::TextRange;
use types::Value;

use super::read::get;
use super::{
    Backend, DataFunctionKind, ENVIRONMENTS, HieraConfig, HierarchyLevel, Layer, Locations, MergeBehavior,
    Written,
};
use crate::data::{self, Content, DataEntry, DataFormat, DataNode, HieraData};
use crate::interpolation::{InterpolationExpression, interpolations};

/// Variables that Hiera only sets for version 3.
const OF_VERSION_3: [&str; 3] = ["calling_class", "calling_class_path", "calling_module"];

/// Level of the new hierarchy.
#[derive(Debug)]
struct ConvertedLevel {
    name: SmolStr,
    /// Key and name of the function that reads the data.
    function: (&'static str, SmolStr),
    datadir: SmolStr,
    /// Paths with extension.
    paths: Vec<ConvertedPath>,
    /// Options with their values.
    options: Vec<(SmolStr, SmolStr)>,
    /// True to write `path` instead of `paths`.
    has_one_path: bool,
}

/// Path of a level, with its range in the old configuration.
#[derive(Debug)]
struct ConvertedPath {
    text: SmolStr,
    range: TextRange,
}

/// Source of a level: provider, function, data directory, path, and options.
type LevelSource = (Backend, SmolStr, SmolStr, Vec<(SmolStr, SmolStr)>);

/// Converts a configuration of version 3 or 4 to version 5. The new one reads the same files with the same
/// functions in the same order.
///
/// # Errors
/// Returns the reason if the file cannot be converted.
pub fn to_version_5(
    text: &str,
    data: &HieraData,
    config: &HieraConfig,
    layer: &Layer,
) -> Result<String, String> {
    let root = data.root.as_ref().filter(|it| matches!(it.content, Content::Mapping(_)));
    let root = root.ok_or("it does not contain a hash")?.without_aliases();
    if config.version == 3 && matches!(layer, Layer::Module(_)) {
        return Err("Puppet ignores it, and a module may not need it".to_owned());
    }
    if let Some(new) = with_version(text, &root, layer) {
        return Ok(new);
    }
    // Elsewhere, Puppet ignores version 3.
    let global = (config.version == 3).then(|| super::read(data, &Layer::Global, false));
    let config = global.as_ref().unwrap_or(config);
    if config.findings.iter().any(|it| it.is_error() && !it.is_about_version) {
        return Err("it has other errors".to_owned());
    }
    let mut levels = Vec::new();
    for level in &config.hierarchy {
        levels.push(match config.version {
            3 => of_version_3(level, &root, layer)?,
            _ => of_version_4(level)?,
        });
    }
    if config.version == 3 {
        levels = one_per_path(levels);
    }
    if let Some(name) = levels.iter().flat_map(|it| &it.paths).find_map(|it| variable_of_version_3(&it.text))
    {
        return Err(format!("version 5 does not set `{name}`"));
    }
    let hierarchy = get(&root, "hierarchy").map_or(0, |it| it.key.range.start);
    let comments = write::comments(text, hierarchy, &levels);
    let new = write::configuration(&levels, &comments, &merge_hint(&config.merge_behavior));
    let is_same = read_again(&new, layer).is_some_and(|it| it == sources(&levels, layer));
    if is_same { Ok(new) } else { Err("version 5 does not accept its hierarchy".to_owned()) }
}

/// Returns the configuration with a version if it is one of version 5 without it.
fn with_version(text: &str, root: &DataNode, layer: &Layer) -> Option<String> {
    let hierarchy = &get(root, "hierarchy")?.value;
    let is_version_5 = hierarchy.elements().iter().all(|it| matches!(it.content, Content::Mapping(_)));
    if root.entry("version").is_some() || !is_version_5 || hierarchy.elements().is_empty() {
        return None;
    }
    let (before, after) = text.split_at_checked(root.range.start as usize)?;
    let new = format!("{before}version: 5\n{after}");
    read_again(&new, layer).map(|_| new)
}

/// Converts a backend of version 3.
fn of_version_3(level: &HierarchyLevel, root: &DataNode, layer: &Layer) -> Result<ConvertedLevel, String> {
    let backend = level.name.text.as_str();
    let settings = get(root, backend).map(|it| &it.value);
    let (function, options) = match (&level.backend, backend) {
        (Backend::Files(_), _) => (("data_hash", level.backend.name().into()), Vec::new()),
        (_, "eyaml") => {
            let entries = settings.map(DataNode::entries).unwrap_or_default();
            (("lookup_key", "eyaml_lookup_key".into()), options_of_eyaml(entries)?)
        }
        _ => return Err(format!("backend `{backend}` needs Hiera 3 or a function that replaces it")),
    };
    let has_datadir = settings.is_some_and(|it| get(it, "datadir").is_some());
    let datadir = match layer {
        Layer::Environment if !has_datadir => "hieradata".into(),
        Layer::Environment => relative_to_environment(&level.datadir),
        _ => level.datadir.clone(),
    };
    // A folder of another name is not meant to be below the environment.
    let is_absolute = level.datadir.starts_with('/');
    let is_beside = *layer == Layer::Environment && !datadir.contains(['/', '%']);
    if !is_absolute && !is_beside {
        let problem = "is relative to the working directory of the server";
        return Err(format!("the data directory `{}` {problem}", level.datadir));
    }
    let paths = converted_paths(level)?;
    Ok(ConvertedLevel { name: backend.into(), function, datadir, paths, options, has_one_path: false })
}

/// Converts an entry of version 4.
fn of_version_4(level: &HierarchyLevel) -> Result<ConvertedLevel, String> {
    let paths = converted_paths(level)?;
    let function = ("data_hash", level.backend.name().into());
    let (name, datadir) = (level.name.text.clone(), level.datadir.clone());
    let has_one_path = paths.len() == 1;
    Ok(ConvertedLevel { name, function, datadir, paths, options: Vec::new(), has_one_path })
}

/// Replaces a single backend by a level for each of its paths, unless names are duplicated or options would
/// have to be repeated.
fn one_per_path(levels: Vec<ConvertedLevel>) -> Vec<ConvertedLevel> {
    let mut names = FxHashSet::default();
    match levels.as_slice() {
        [only] if only.options.is_empty() && only.paths.iter().all(|it| names.insert(it.text.clone())) => {}
        _ => return levels,
    }
    let of_path = |level: &ConvertedLevel, path: ConvertedPath| {
        let name = path.text.rsplit_once('.').map_or(path.text.as_str(), |(name, _)| name);
        ConvertedLevel {
            name: name.into(),
            function: level.function.clone(),
            datadir: level.datadir.clone(),
            paths: vec![path],
            options: Vec::new(),
            has_one_path: true,
        }
    };
    let split = |mut level: ConvertedLevel| {
        let paths = std::mem::take(&mut level.paths);
        paths.into_iter().map(|it| of_path(&level, it)).collect::<Vec<_>>()
    };
    levels.into_iter().flat_map(split).collect()
}

/// Returns the paths of a level with its extension.
fn converted_paths(level: &HierarchyLevel) -> Result<Vec<ConvertedPath>, String> {
    let Locations::Paths(written) = &level.locations else {
        return Err(format!("hierarchy entry `{}` has no paths", level.name.text));
    };
    if written.iter().any(|it| it.text.is_empty()) {
        return Err("its hierarchy is not a list of paths".to_owned());
    }
    let extension = level.extension.as_deref().unwrap_or_default();
    let path = |Written { text, range }: &Written| {
        let has_extension = text.ends_with(extension);
        let text = if has_extension { text.clone() } else { format!("{text}{extension}").into() };
        ConvertedPath { text, range: *range }
    };
    Ok(written.iter().map(path).collect())
}

/// Returns the settings of the backend `eyaml` that are options of its function.
fn options_of_eyaml(settings: &[DataEntry]) -> Result<Vec<(SmolStr, SmolStr)>, String> {
    let mut options = Vec::new();
    for DataEntry { key, value } in settings {
        let Content::Scalar { text, .. } = &key.content else { continue };
        let key = text.trim_start_matches(':');
        if matches!(key, "datadir" | "extension") {
            continue;
        }
        match value.value.as_str().filter(|_| key.starts_with("pkcs7_") || key.starts_with("gpg_")) {
            Some(value) => options.push((key.into(), value.into())),
            None => return Err(format!("setting `{key}` of the backend `eyaml` is not known")),
        }
    }
    Ok(options)
}

/// Returns a data directory relative to the environment if it is written with the absolute path that
/// environments have on a server.
fn relative_to_environment(datadir: &SmolStr) -> SmolStr {
    let below = datadir.strip_prefix(ENVIRONMENTS).and_then(|it| it.strip_prefix("%{")?.split_once('}'));
    match below {
        Some(("environment" | "::environment", "" | "/")) => ".".into(),
        Some(("environment" | "::environment", rest)) if rest.starts_with('/') => rest[1..].into(),
        _ => datadir.strip_prefix("./").map_or_else(|| datadir.clone(), SmolStr::from),
    }
}

/// Returns the variable in a path that only version 3 sets.
fn variable_of_version_3(path: &str) -> Option<&'static str> {
    let variables = interpolations(path).into_iter().filter_map(|it| match it.expression {
        InterpolationExpression::Variable(name) => Some(name.trim_start_matches("::")),
        _ => None,
    });
    variables.into_iter().find_map(|name| OF_VERSION_3.into_iter().find(|it| *it == name))
}

/// Returns the lines that explain how to merge without `merge_behavior`.
fn merge_hint(behavior: &MergeBehavior) -> Vec<String> {
    let problem = match behavior {
        MergeBehavior::Native => return Vec::new(),
        MergeBehavior::Deep(_) => {
            "# `merge_behavior: deep` only affected `hiera_hash`, and values of lower levels won."
        }
        MergeBehavior::Deeper(_) => "# `merge_behavior: deeper` only affected `hiera_hash`.",
    };
    let lines = [
        problem,
        "# For each key that needs it, set in the data:",
        "# lookup_options:",
        "#   KEY:",
        "#     merge: deep",
    ];
    lines.map(str::to_owned).into()
}

/// Returns what the levels read, in order.
fn sources(levels: &[ConvertedLevel], layer: &Layer) -> Vec<LevelSource> {
    let of_level = |level: &ConvertedLevel| {
        let (key, function) = &level.function;
        let kind = if *key == "data_hash" { DataFunctionKind::DataHash } else { DataFunctionKind::LookupKey };
        let backend = Backend::of_function(kind, function);
        let datadir = match layer {
            Layer::Environment => relative_to_environment(&level.datadir),
            _ => level.datadir.clone(),
        };
        let options = level.options.clone();
        let source =
            |it: &ConvertedPath| (backend.clone(), datadir.clone(), it.text.clone(), options.clone());
        level.paths.iter().map(source).collect::<Vec<_>>()
    };
    levels.iter().flat_map(of_level).collect()
}

/// Returns what the new configuration reads; `None` if Puppet rejects it.
fn read_again(new: &str, layer: &Layer) -> Option<Vec<LevelSource>> {
    let config = super::read(&data::read(DataFormat::Yaml, new), layer, true);
    if config.version != 5 || config.error().is_some() {
        return None;
    }
    let mut sources = Vec::new();
    for level in &config.hierarchy {
        let options = level
            .options
            .iter()
            .map(|(key, value)| Some((SmolStr::from(key.as_str()?), SmolStr::from(Value::as_str(value)?))));
        let options: Vec<(SmolStr, SmolStr)> = options.collect::<Option<_>>()?;
        let Locations::Paths(paths) = &level.locations else { return None };
        let source =
            |it: &Written| (level.backend.clone(), level.datadir.clone(), it.text.clone(), options.clone());
        sources.extend(paths.iter().map(source));
    }
    Some(sources)
}
