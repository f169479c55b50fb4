//! Facts that stand in files: external facts of modules, and the files of facts that the user names.

use hiera::Format;
use hir::Name;
use plugins::CustomFact;
use syntax::TextRange;

use crate::{Db, File};

/// The facts of a file (`name: value` in YAML or JSON, `name=value` in text), in its order; nothing for a file that would
/// have to be run. Facts as Puppet stores them stand under `values`.
#[salsa::tracked(returns(ref))]
pub(crate) fn external_facts(db: &dyn Db, file: File) -> Box<[CustomFact]> {
    let Some(text) = file.contents(db).text() else { return Box::default() };
    let path = file.path(db);
    match Format::of_path(path.as_str()) {
        Some(format @ (Format::Yaml | Format::Json)) => facts_of_data(text, format),
        _ if path.extension() == Some("txt") => facts_of_lines(text),
        _ => Box::default(),
    }
}

fn facts_of_data(text: &str, format: Format) -> Box<[CustomFact]> {
    let data = hiera::data::read(format, text);
    let stored = data.entry("name").and(data.entry("values")).map(|it| it.value.entries());
    let entries = stored.unwrap_or(data.entries());
    let facts = entries.iter().filter_map(|it| Some(fact(it.key.value.as_str()?, it.key.range)));
    facts.collect()
}

fn facts_of_lines(text: &str) -> Box<[CustomFact]> {
    let mut offset = 0;
    let mut facts = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some((name, _)) = line.split_once('=') {
            let start = (offset + name.len() - name.trim_start().len()) as u32;
            let name = name.trim();
            facts.push(fact(name, TextRange::new(start, start + name.len() as u32)));
        }
        offset += line.len();
    }
    facts.into()
}

fn fact(name: &str, range: TextRange) -> CustomFact {
    // Facter knows names in lower case only.
    CustomFact { name: name.to_lowercase().into(), range, documentation: Name::default() }
}
