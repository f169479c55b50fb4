//! Filters of octocatalog-diff, which drop differences without an effect.

use std::collections::BTreeSet;
use std::str::FromStr;

use hiera::data::DataFormat;
use serde_json::Value as Json;
use types::NoTypes;

use super::differ::DiffItem;
use super::hashdiff::is_equal;

/// Parameters of an absent file that still matter.
const OF_ABSENT_FILES: [&str; 4] = ["ensure", "backup", "force", "provider"];

/// Filter of differences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DiffFilter {
    /// Drops changes of files that become absent.
    AbsentFile,
    /// Drops nothing: catalogs are compiled without temporary folders.
    CompilationDir,
    /// Drops changes of arrays whose elements only differ in being numbers or strings.
    EquivalentArrayNoDatatypes,
    /// Drops changes of JSON files whose data is equal.
    Json,
    /// Drops changes of a value to an array of this value, and back.
    SingleItemArray,
    /// Drops changes of YAML files whose data is equal.
    Yaml,
}

const NAMES: [(&str, DiffFilter); 6] = [
    ("AbsentFile", DiffFilter::AbsentFile),
    ("CompilationDir", DiffFilter::CompilationDir),
    ("EquivalentArrayNoDatatypes", DiffFilter::EquivalentArrayNoDatatypes),
    ("JSON", DiffFilter::Json),
    ("SingleItemArray", DiffFilter::SingleItemArray),
    ("YAML", DiffFilter::Yaml),
];

impl FromStr for DiffFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<DiffFilter, String> {
        let found = NAMES.iter().find(|(name, _)| *name == text).map(|(_, filter)| *filter);
        found.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("unknown filter `{text}`; expected one of {}", names.join(", "))
        })
    }
}

impl DiffFilter {
    /// Returns which differences are dropped.
    pub(super) fn dropped(self, items: &[DiffItem]) -> Vec<bool> {
        let absent = match self {
            DiffFilter::AbsentFile => absent_files(items),
            _ => BTreeSet::new(),
        };
        items.iter().map(|item| item.kind.is_change() && self.drops(item, &absent)).collect()
    }

    fn drops(self, item: &DiffItem, absent: &BTreeSet<String>) -> bool {
        let structure = item.structure();
        let is_file = item.type_name == "File";
        let is_content = is_file && structure == ["parameters", "content"];
        let (old, new) = (&item.old, &item.new);
        match self {
            DiffFilter::CompilationDir => false,
            DiffFilter::AbsentFile => {
                let matters = structure.last().is_none_or(|name| OF_ABSENT_FILES.contains(name));
                is_file
                    && structure.first() == Some(&"parameters")
                    && absent.contains(&item.title)
                    && !matters
            }
            DiffFilter::Json => {
                let is_json = item.title.to_ascii_lowercase().ends_with(".json");
                is_content && is_json && is_same_data(DataFormat::Json, old, new)
            }
            DiffFilter::Yaml => {
                let is_yaml = item.title.ends_with(".yaml") || item.title.ends_with(".yml");
                is_content && is_yaml && is_same_data(DataFormat::Yaml, old, new)
            }
            DiffFilter::SingleItemArray => match (old, new) {
                (Json::Array(_), Json::Array(_)) => false,
                (Json::Array(elements), other) | (other, Json::Array(elements)) => {
                    elements.len() == 1 && elements.first().is_some_and(|it| is_equal(it, other))
                }
                _ => false,
            },
            DiffFilter::EquivalentArrayNoDatatypes => match (old, new) {
                (Json::Array(old), Json::Array(new)) => {
                    let is_same = |(old, new): (&Json, &Json)| is_equal(&comparable(old), &comparable(new));
                    old.len() == new.len() && old.iter().zip(new).all(is_same)
                }
                _ => false,
            },
        }
    }
}

/// Returns the titles of the files that become absent.
fn absent_files(items: &[DiffItem]) -> BTreeSet<String> {
    let is_absent = |item: &&DiffItem| {
        let is_ensure = item.type_name == "File" && item.structure() == ["parameters", "ensure"];
        let value = &item.new;
        item.kind.is_change()
            && is_ensure
            && (matches!(value.as_str(), Some("absent" | "false")) || *value == Json::Bool(false))
    };
    items.iter().filter(is_absent).map(|item| item.title.clone()).collect()
}

/// Returns a number, also if a string has only digits; other values unchanged.
fn comparable(value: &Json) -> Json {
    let number = match value {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(a, b)| (a, Some(b)));
            let is_digits = |part: &str| part.bytes().all(|it| it.is_ascii_digit());
            let is_number = match fraction {
                Some(fraction) => is_digits(whole) && is_digits(fraction) && !fraction.is_empty(),
                None => is_digits(whole) && !whole.is_empty(),
            };
            is_number.then(|| text.parse().ok()).flatten()
        }
        _ => None,
    };
    number.map_or_else(|| value.clone(), Json::from)
}

/// Returns true if two texts are known to have the same data.
fn is_same_data(format: DataFormat, old: &Json, new: &Json) -> bool {
    let (Some(old), Some(new)) = (old.as_str(), new.as_str()) else { return false };
    let (Some(old), Some(new)) = (data(format, old), data(format, new)) else { return false };
    is_equal(&old, &new)
}

/// Returns the data of a text; `None` if it is malformed, or has parts that are not compared.
fn data(format: DataFormat, text: &str) -> Option<Json> {
    let documents = text.lines().filter(|line| line.starts_with("---") || line.starts_with("...")).count();
    if format == DataFormat::Yaml && documents > 1 {
        return None;
    }
    let (root, findings) = match format {
        DataFormat::Json => hiera::json::read(text),
        _ => hiera::yaml::read(text),
    };
    let root = root.filter(|_| findings.is_empty())?;
    let is_known = root.value.least_trustworthy().is_none();
    is_known.then(|| types::rich_data::to_json(&root.value, &NoTypes))
}
