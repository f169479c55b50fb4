//! Data files and their hierarchy.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use hiera::yaml::{YamlFormat, write as write_yaml};
use types::{HashValue, Value};

use super::branches::{PlacedValue, PlatformPlace};
use super::facts::PlatformFact;
use super::uses::DefaultUse;
use crate::{ModuleTexts, RewriteRefusal};

/// Maximum length of a value in a data file, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// Level of the hierarchy, first to last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum DataLevel {
    NameAndMajor,
    Name,
    FamilyAndMajor,
    Family,
    Kernel,
    Common,
}

impl DataLevel {
    /// Returns the level of a place.
    fn of(place: &PlatformPlace) -> DataLevel {
        let has = |fact| place.get(fact).is_some();
        match (has(PlatformFact::Name), has(PlatformFact::Family), has(PlatformFact::Major)) {
            (true, _, true) => DataLevel::NameAndMajor,
            (true, _, false) => DataLevel::Name,
            (false, true, true) => DataLevel::FamilyAndMajor,
            (false, true, false) => DataLevel::Family,
            _ if has(PlatformFact::Kernel) => DataLevel::Kernel,
            _ => DataLevel::Common,
        }
    }

    /// Returns the name of the level and its path.
    fn entry(self) -> (&'static str, &'static str) {
        match self {
            DataLevel::NameAndMajor => {
                ("Operating system and release", "os/%{facts.os.name}/%{facts.os.release.major}.yaml")
            }
            DataLevel::Name => ("Operating system", "os/%{facts.os.name}.yaml"),
            DataLevel::FamilyAndMajor => {
                ("Family and release", "family/%{facts.os.family}/%{facts.os.release.major}.yaml")
            }
            DataLevel::Family => ("Family", "family/%{facts.os.family}.yaml"),
            DataLevel::Kernel => ("Kernel", "kernel/%{facts.kernel}.yaml"),
            DataLevel::Common => ("Common", "common.yaml"),
        }
    }

    /// Returns the path of the level for a place.
    fn path(self, place: &PlatformPlace) -> String {
        let facts = [
            ("%{facts.os.name}", PlatformFact::Name),
            ("%{facts.os.release.major}", PlatformFact::Major),
            ("%{facts.os.family}", PlatformFact::Family),
            ("%{facts.kernel}", PlatformFact::Kernel),
        ];
        let fill = |path: String, (text, fact): (&str, PlatformFact)| {
            path.replace(text, place.get(fact).unwrap_or_default())
        };
        facts.into_iter().fold(self.entry().1.to_owned(), fill)
    }
}

/// Contents of a data file: keys with their lines.
type DataFiles = BTreeMap<String, Vec<(String, String)>>;

/// Adds the data files and the configuration for the defaults.
pub(super) fn write(
    module: &ModuleTexts,
    defaults: &[DefaultUse],
    values: &[PlacedValue],
    files: &mut BTreeMap<String, Option<String>>,
) -> Result<(), RewriteRefusal> {
    let mut data = DataFiles::new();
    let mut levels: BTreeSet<DataLevel> = BTreeSet::new();
    for default in defaults {
        let text = module.files.get(&default.path).map(|it| &**it).unwrap_or_default();
        let refused = |reason: String| RewriteRefusal::at(reason, &default.path, text, default.offset);
        let of_variable: Vec<&PlacedValue> =
            values.iter().filter(|it| it.variable == default.variable).collect();
        if of_variable.is_empty() {
            return Err(refused(format!("the class `params` does not assign `${}`", default.variable)));
        }
        if of_variable.iter().all(|it| it.is_undef()) {
            continue;
        }
        for value in of_variable {
            let level = DataLevel::of(&value.place);
            levels.insert(level);
            let file = data.entry(format!("data/{}", level.path(&value.place))).or_default();
            if file.iter().any(|(key, _)| *key == default.key) {
                return Err(refused(format!("`{}` has two values for the same platforms", default.key)));
            }
            let lines = entry(&default.key, value).ok_or_else(|| {
                refused(format!("the value of `${}` cannot be written as YAML", default.variable))
            })?;
            file.push((default.key.clone(), lines));
        }
    }
    if data.is_empty() {
        return Ok(());
    }
    levels.insert(DataLevel::Common);
    data.entry("data/common.yaml".to_owned()).or_default();
    for (path, entries) in data {
        let lines: String = entries.into_iter().map(|(_, lines)| lines).collect();
        let text = if lines.is_empty() { "--- {}\n".to_owned() } else { format!("---\n{lines}") };
        files.insert(path, Some(text));
    }
    files.insert("hiera.yaml".to_owned(), Some(configuration(&levels)));
    Ok(())
}

/// Returns the lines of a key with its value.
fn entry(key: &str, value: &PlacedValue) -> Option<String> {
    let hash: HashValue = [(Value::string(key), value.value.clone())].into_iter().collect();
    let yaml = write_yaml(&Value::Hash(Arc::new(hash)), YamlFormat::default(), MAX_LENGTH)?;
    let lines = yaml.strip_prefix("---\n")?;
    let mut out = String::new();
    for comment in &value.comments {
        let _ = writeln!(out, "{comment}");
    }
    if value.is_undef() {
        let _ = writeln!(out, "{key}: ~");
        return Some(out);
    }
    Some(out + lines)
}

fn configuration(levels: &BTreeSet<DataLevel>) -> String {
    let mut out =
        String::from("---\nversion: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n");
    for level in levels {
        let (name, path) = level.entry();
        let path = if path.contains('%') { format!("\"{path}\"") } else { path.to_owned() };
        let _ = writeln!(out, "  - name: {name}\n    path: {path}");
    }
    out
}
