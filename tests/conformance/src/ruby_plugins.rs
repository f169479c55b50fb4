//! Comparison of our results for resource types and facts that modules define in Ruby with the rows
//! of `ruby/`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compile::ruby_plugins::{LibraryFiles, check_whole_resource, facts_of_files};
use plugins::code::RubyProgram;
use ruby::{FactFile, FactOutcome, StopReason};
use smol_str::SmolStr;
use types::{HashValue, Value};

use crate::recorded_ruby::RecordedRow;
use eval_cases::evaluation::{settings, to_json};

/// Relation of our answer to Puppet's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Equal,
    Wrong,
    Unknown,
    /// Unknown, and Puppet's answer only holds for the machine of the recording.
    OfMachine,
}

/// Ruby files of all modules of a corpus.
pub struct RubyCorpus {
    modules: PathBuf,
    /// Programs by their path relative to `lib`, without `.rb`.
    library: BTreeMap<String, Arc<RubyProgram>>,
    facts: HashMap<String, BTreeMap<SmolStr, FactOutcome>>,
}

impl LibraryFiles for RubyCorpus {
    fn library_file(&self, path: &str) -> Option<Arc<RubyProgram>> {
        self.library.get(path.strip_suffix(".rb").unwrap_or(path)).cloned()
    }

    fn providers(&self, resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        let folder = format!("puppet/provider/{resource_type}/");
        let below = self.library.range(folder.clone()..).take_while(|(path, _)| path.starts_with(&folder));
        below.map(|(path, program)| (path[folder.len()..].into(), program.clone())).collect()
    }
}

impl RubyCorpus {
    /// Reads the Ruby files of `modules`, a folder with one subfolder per module.
    pub fn load(modules: &Path) -> RubyCorpus {
        let mut corpus =
            RubyCorpus { modules: modules.to_owned(), library: BTreeMap::new(), facts: HashMap::new() };
        for module in folders(modules) {
            let lib = module.join("lib");
            let mut waiting = vec![lib.clone()];
            while let Some(folder) = waiting.pop() {
                for path in entries(&folder) {
                    if path.is_dir() {
                        waiting.push(path);
                    } else if path.extension().is_some_and(|it| it == "rb")
                        && let (Ok(below), Ok(text)) =
                            (path.strip_prefix(&lib), std::fs::read_to_string(&path))
                    {
                        let below = below.to_string_lossy().replace('\\', "/");
                        let program = plugins::code::read(&format!("lib/{below}"), &text);
                        let key = below.trim_end_matches(".rb").to_owned();
                        corpus.library.entry(key).or_insert_with(|| Arc::new(program));
                    }
                }
            }
        }
        corpus
    }

    /// Compares a row of `validations` with our result, which is returned as well.
    pub fn validation(&self, row: &RecordedRow) -> (Agreement, String) {
        let [module, _, type_name, title, attributes, outcome, _] = &row[..] else {
            return (Agreement::Wrong, "malformed row".to_owned());
        };
        let path = format!("{}/{module}/lib/puppet/type/{type_name}.rb", self.modules.display());
        let Ok(text) = std::fs::read_to_string(&path) else {
            return (Agreement::Unknown, format!("{path} not found"));
        };
        let program = Arc::new(plugins::code::read(&format!("lib/puppet/type/{type_name}.rb"), &text));
        let (Some(title), Some(given)) = (evaluated(title), evaluated(&format!("{{{attributes}}}"))) else {
            return (Agreement::Unknown, "cannot be evaluated".to_owned());
        };
        let (Value::String(title), Value::Hash(given)) = (title, given) else {
            return (Agreement::Unknown, "expected a title and attributes".to_owned());
        };
        let given: Option<Vec<(SmolStr, Value)>> =
            given.iter().map(|(name, value)| Some((SmolStr::new(name.as_str()?), value.clone()))).collect();
        let Some(given) = given else { return (Agreement::Unknown, "other names".to_owned()) };
        let found = match check_whole_resource(self, &program, type_name, &title, &given, false, 7) {
            Ok(found) => found,
            Err(reason) => {
                return (Agreement::Unknown, format!("unsupported Ruby file: {}", shown(&reason)));
            }
        };
        if let Some(refusal) = found.refusal {
            let attribute = refusal.attribute.as_deref().unwrap_or("-").to_owned();
            let agreement = if outcome.starts_with("=!") { Agreement::Equal } else { Agreement::Wrong };
            return (agreement, format!("=! {attribute} {}", refusal.message));
        }
        let mut ours = Vec::new();
        for (name, value) in &given {
            let kept = found.final_values.iter().find(|(known, _)| known == name).map(|(_, kept)| kept);
            match kept {
                Some(Ok(kept)) => ours.push(format!("{name}={kept}")),
                Some(Err(reason)) => {
                    return (Agreement::Unknown, format!("{name}: {}", shown(reason)));
                }
                None if *value == Value::Undef => {}
                None => return (Agreement::Unknown, format!("{name} is not looked at")),
            }
        }
        // The recorder has no notation for regular expressions.
        if outcome.contains("?Regexp") {
            return (Agreement::Unknown, "not recorded".to_owned());
        }
        let ours = format!("=> {}", ours.join(", "));
        match (found.open_reason, ours == *outcome) {
            (Some(reason), _) => (Agreement::Unknown, format!("resource as a whole: {}", shown(&reason))),
            (None, true) => (Agreement::Equal, ours),
            (None, false) => (Agreement::Wrong, ours),
        }
    }

    /// Compares a row of `facts` with our result, which is returned as well.
    pub fn fact(&mut self, row: &RecordedRow) -> (Agreement, String) {
        let [_, _, _, name, set, outcome, effect] = &row[..] else {
            return (Agreement::Wrong, "malformed row".to_owned());
        };
        if !self.facts.contains_key(set) {
            let found = self.facts_on(set);
            self.facts.insert(set.clone(), found);
        }
        let ours = self.facts.get(set).and_then(|facts| facts.get(name.as_str()));
        let (is_equal, shown) = match ours {
            None => (None, "not seen".to_owned()),
            Some(FactOutcome::Unknown(reason)) => (None, shown(reason)),
            Some(FactOutcome::Absent) => (Some(outcome == "absent"), "absent".to_owned()),
            Some(FactOutcome::Known(value)) => {
                let shown = to_json(value, &types::NoTypes).to_string();
                (Some(shown == *outcome), shown)
            }
        };
        let agreement = match is_equal {
            Some(true) => Agreement::Equal,
            None if !effect.is_empty() => Agreement::OfMachine,
            None => Agreement::Unknown,
            Some(false) => Agreement::Wrong,
        };
        (agreement, shown)
    }

    fn facts_on(&self, set: &str) -> BTreeMap<SmolStr, FactOutcome> {
        let Some(platform) = facts::platforms().iter().find(|it| it.name == set) else {
            return BTreeMap::new();
        };
        let mut files = Vec::new();
        for module in folders(&self.modules) {
            let lib = module.join("lib");
            for (key, program) in &self.library {
                let path = lib.join(format!("{key}.rb"));
                if let (true, Ok(text)) = (key.starts_with("facter/"), std::fs::read_to_string(path)) {
                    let names = ruby::read_declarations(&program.path, &text).facts;
                    files.push(FactFile {
                        program: program.clone(),
                        names: names.into_iter().map(|it| it.name).collect(),
                    });
                }
            }
        }
        let mut all = HashValue::clone(platform.facts(7));
        all.extend(platform.module_facts().iter().map(|(name, value)| (name.clone(), value.clone())));
        facts_of_files(self, &files, &all, &HashValue::default()).into_iter().collect()
    }
}

fn shown(reason: &StopReason) -> String {
    format!("{} {}:{}", reason.what, reason.path, reason.line)
}

fn evaluated(source: &str) -> Option<Value> {
    let mut session = functions::session(settings(&serde_json::Value::Null));
    session.evaluate("", source).result.ok()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(folder).into_iter().filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
