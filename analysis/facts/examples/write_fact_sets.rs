//! Writes the fact sets of all platforms as JSON, including facts of widely used modules, for comparison with
//! Puppet: `cargo run -p facts --example write_fact_sets -- FOLDER [7|8] [MODULES]`. If a folder of modules
//! is given, also writes `index.tsv`: each module with the names of the files for the platforms that it
//! supports.

use std::path::Path;
use std::{env, fs, io};

use serde_json::{Map, Number, Value as Json};
use types::{HashValue, Value};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, rest @ ..] = arguments.as_slice() else {
        eprintln!("write_fact_sets FOLDER [7|8] [MODULES]");
        std::process::exit(2);
    };
    let puppet_version = rest.first().and_then(|it| it.parse().ok()).unwrap_or(8);
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    for platform in facts::platforms() {
        let mut all = HashValue::clone(platform.facts(puppet_version));
        all.extend(platform.module_facts().iter().map(|(name, value)| (name.clone(), value.clone())));
        let text = serde_json::to_string_pretty(&json(&Value::Hash(all.into())))?;
        fs::write(folder.join(format!("{}.json", platform.name)), text + "\n")?;
    }
    if let Some(modules) = rest.get(1) {
        fs::write(folder.join("index.tsv"), index(Path::new(modules))?)?;
    }
    Ok(())
}

fn index(modules: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(modules)? {
        let entry = entry?;
        let metadata = fs::read_to_string(entry.path().join("metadata.json")).ok();
        let mut line = vec![entry.file_name().to_string_lossy().into_owned()];
        line.extend(facts::supported(metadata.as_deref()).platforms.iter().map(|it| it.name.to_string()));
        lines.push(line.join("\t") + "\n");
    }
    lines.sort();
    Ok(lines.concat())
}

fn json(value: &Value) -> Json {
    match value {
        Value::Boolean(it) => Json::Bool(*it),
        Value::Integer(it) => Json::Number((*it).into()),
        Value::Float(it) => Number::from_f64(it.0).map_or(Json::Null, Json::Number),
        Value::String(it) => Json::String(it.to_string()),
        Value::Array(elements) => Json::Array(elements.iter().map(json).collect()),
        Value::Hash(entries) => {
            let entries =
                entries.iter().filter_map(|(key, value)| Some((key.as_str()?.to_owned(), json(value))));
            Json::Object(entries.collect::<Map<_, _>>())
        }
        _ => Json::Null,
    }
}
