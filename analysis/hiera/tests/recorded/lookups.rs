//! Comparison with lookups recorded from Puppet.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use hiera::config::{self, HieraConfig, Layer};
use hiera::data::{self, DataFormat, HieraData};
use hiera::lookup::{BackendCall, DataFile, LookupHost, LookupRequest, Sources, Variable, lookup};
use hiera::merge::{Answer, LookupError, LookupStepResult};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use smol_str::SmolStr;
use types::{NoTypes, TypeEnvironment, Value};

use crate::show::show;

/// Files and facts of a setup, below `/ROOT`.
struct Setup {
    files: BTreeMap<String, String>,
    facts: Value,
    is_strict: bool,
    read: RefCell<FxHashMap<(String, DataFormat), Arc<HieraData>>>,
}

impl Setup {
    fn read(&self, path: &str, format: DataFormat) -> Option<Arc<HieraData>> {
        let text = self.files.get(path)?;
        let mut read = self.read.borrow_mut();
        let data = read.entry((path.to_owned(), format));
        Some(data.or_insert_with(|| Arc::new(data::read(format, text))).clone())
    }
}

pub(crate) fn value_of(json: &Json) -> Value {
    let text = json.to_string();
    data::read(DataFormat::Json, &text).root.expect("JSON").value
}

impl Sources for Setup {
    fn config(&self, layer: &Layer) -> Option<(SmolStr, Arc<HieraConfig>)> {
        let folder = match layer {
            Layer::Global => "/ROOT".to_owned(),
            Layer::Environment => "/ROOT/env".to_owned(),
            Layer::Module(name) => format!("/ROOT/env/modules/{name}"),
        };
        let config = match self.read(&format!("{folder}/hiera.yaml"), DataFormat::Yaml) {
            Some(data) => config::read(&data, layer, self.is_strict),
            None if *layer == Layer::Global => HieraConfig::default_of_layer(),
            None => return None,
        };
        Some((folder.into(), Arc::new(config)))
    }

    fn data(&self, path: &str, format: DataFormat) -> DataFile {
        self.read(path, format).map_or(DataFile::Missing, DataFile::Read)
    }

    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>> {
        let paths = self.files.keys().map(String::as_str);
        Some(hiera::glob::matching(pattern, paths))
    }
}

impl LookupHost for Setup {
    fn variable(&self, name: &str) -> Variable {
        let name = name.strip_prefix("::").unwrap_or(name);
        if name == "facts" {
            return Variable::Set(self.facts.clone());
        }
        match self.facts.as_hash().and_then(|facts| facts.get_text(name)) {
            Some(value) => Variable::Set(value.clone()),
            None => Variable::Missing,
        }
    }

    fn call(&self, call: &BackendCall) -> LookupStepResult {
        Err(LookupError::new(format!("there is no function '{}'", call.backend.name())))
    }

    fn is_strict(&self) -> bool {
        self.is_strict
    }

    fn types(&self) -> &dyn TypeEnvironment {
        &NoTypes
    }

    fn may_define_type(&self, _name: &str) -> bool {
        false
    }
}

fn request(question: &Json) -> LookupRequest {
    let names = match &question["name"] {
        Json::Array(names) => names.iter().filter_map(Json::as_str).map(SmolStr::from).collect(),
        name => vec![name.as_str().expect("a name").into()],
    };
    let hash = |key: &str| match question.get(key) {
        Some(json) => value_of(json).as_hash().cloned().unwrap_or_default(),
        None => types::HashValue::default(),
    };
    let function = question["function"].as_str();
    let merge = match function {
        Some("hiera") => Some(Value::string("first")),
        Some("hiera_array") => Some(Value::string("unique")),
        Some(_) => Some(Value::string("hash")),
        None => question.get("merge").map(value_of),
    };
    LookupRequest {
        names,
        merge,
        overrides: hash("override"),
        default_values: hash("default_values_hash"),
        is_hiera_function: function.is_some(),
        ..LookupRequest::default()
    }
}

fn answer(setup: &Setup, question: &Json) -> String {
    let default = match question.get("function") {
        Some(_) => question["arguments"].get(0),
        None => question.get("default_value"),
    };
    match lookup(setup, &request(question)).map(|found| found.answer) {
        Ok(Answer::Found(value)) => show(&value),
        Ok(Answer::Missing) => default.map_or_else(|| "!not found".to_owned(), |json| show(&value_of(json))),
        Ok(Answer::Unknown(ty)) => format!("?{ty:?}"),
        Err(error) => format!("!error ({error})"),
    }
}

/// Runs all lookups of a recording. `differences` are the lines (from 1) and names that may differ.
pub(crate) fn check(recording: &str, least: usize, differences: &[(usize, &str)]) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (index, line) in recording.lines().enumerate() {
        let case: Json = serde_json::from_str(line).expect("JSON");
        let files = case["files"].as_object().expect("files");
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let setup = Setup {
            files: files.iter().map(|(path, json)| (format!("/ROOT/{path}"), text(json))).collect(),
            facts: value_of(case.get("facts").unwrap_or(&Json::Object(serde_json::Map::new()))),
            is_strict: case["strict"] == "error",
            read: RefCell::default(),
        };
        let questions = case["asks"].as_array().expect("questions");
        let expected = case["is"].as_array().expect("answers");
        for (question, expected) in questions.iter().zip(expected) {
            count += 1;
            let expected = expected.as_str().expect("an answer");
            let found = answer(&setup, question);
            let is_same = found == expected || expected == "!error" && found.starts_with("!error");
            let may_differ = differences
                .iter()
                .any(|(line, name)| *line == index + 1 && question["name"].as_str() == Some(name));
            if !is_same && !may_differ {
                wrong.push(format!("{}: {question}\n  Puppet {expected}\n  ours   {found}", index + 1));
            }
        }
    }
    assert!(count >= least, "only {count} lookups");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
