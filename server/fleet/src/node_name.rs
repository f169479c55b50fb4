//! Names of nodes in files of facts, found without parsing the facts.

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// First lines of facts in the cache of a Puppet server, before and after the name of the node.
const CACHE_START: &str = "--- !ruby/object:Puppet::Node::Facts\nname: ";
const CACHE_VALUES: &str = "values:\n";

/// Keys of the cache of a Puppet server after the facts.
const CACHE_ENDS: [&str; 2] = ["timestamp:", "expiration:"];

/// Returns the name of the node that facts belong to: the same as [`facts::read`] finds, or `None` if only that
/// function can say.
pub fn of_facts(file_name: &str, text: &str) -> Option<String> {
    let (stem, ending) = file_name.rsplit_once('.')?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let name = match ending.to_ascii_lowercase().as_str() {
        "json" | "facts" => of_json(stem, text)?,
        "yaml" | "yml" => of_cache(text)?,
        _ => return None,
    };
    Some(name).filter(|it| !it.is_empty())
}

/// Keys at the top of a JSON file that determine the name of the node.
#[derive(Default)]
struct NameKeys<'t> {
    name: Option<&'t RawValue>,
    values: Option<&'t RawValue>,
    certname: Option<&'t RawValue>,
    facts: Option<&'t RawValue>,
    has_duplicates: bool,
}

struct NameKeysVisitor;

impl<'t> Visitor<'t> for NameKeysVisitor {
    type Value = NameKeys<'t>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a hash of facts")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<NameKeys<'t>, A::Error> {
        let mut keys = NameKeys::default();
        while let Some(key) = map.next_key::<String>()? {
            let place = match key.as_str() {
                "name" => &mut keys.name,
                "values" => &mut keys.values,
                "certname" => &mut keys.certname,
                "facts" => &mut keys.facts,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            keys.has_duplicates |= place.replace(map.next_value()?).is_some();
        }
        Ok(keys)
    }
}

fn of_json(stem: &str, text: &str) -> Option<String> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let keys = deserializer.deserialize_map(NameKeysVisitor).ok()?;
    deserializer.end().ok()?;
    if keys.has_duplicates {
        return None;
    }
    let forms = [(keys.name, keys.values), (keys.certname, keys.facts), (keys.certname, keys.values)];
    for (name, facts) in forms {
        let (Some(name), Some(facts)) = (name, facts) else { continue };
        if !name.get().starts_with('"') || !facts.get().starts_with('{') {
            continue;
        }
        // A list of facts as in PuppetDB's `factsets` may be malformed.
        let may_be_list = facts.get().contains("href") || facts.get().contains("\\u00");
        return serde_json::from_str(name.get()).ok().filter(|_| !may_be_list);
    }
    Some(stem.to_owned())
}

/// Returns the name in a file of Puppet's cache, as Puppet writes it: a plain string that cannot be anything else,
/// followed by the facts.
fn of_cache(text: &str) -> Option<String> {
    let (name, rest) = text.strip_prefix(CACHE_START)?.split_once('\n')?;
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    let is_string = name.starts_with(|it: char| it.is_ascii_alphabetic()) && name.contains('.');
    let facts = rest.strip_prefix(CACHE_VALUES)?;
    let is_part = |line: &str| {
        line.is_empty() || line.starts_with("  ") || CACHE_ENDS.iter().any(|end| line.starts_with(end))
    };
    let is_whole = facts.starts_with("  ") && facts.split('\n').all(is_part);
    (is_string && name.chars().all(is_plain) && is_whole).then(|| name.to_owned())
}
