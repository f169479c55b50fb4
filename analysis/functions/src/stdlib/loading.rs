//! Functions that load data from files of the compiling machine. Files of modules are known, others are not.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use codes::Code;
use eval::{BuiltInFunction, Call, MachineFile, Outcome};
use rustc_hash::FxHashMap;
use types::{Origin, Type, Value};

use super::data::parse_yaml;
use crate::legacy::legacy;
use crate::named_files::module_file;
use crate::support::open;

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "loadjson",
        "Reads a JSON file; returns a default if it is missing or invalid.",
        &[open("(Any $path, Any $default = undef, Any *$more) >> Any", loadjson)],
    ),
    legacy(
        "loadyaml",
        "Reads a YAML file; returns a default if it is missing or invalid.",
        &[open("(Any $path, Any $default = undef, Any *$more) >> Any", loadyaml)],
    ),
];

/// Maximum number of parsed files that each thread keeps: catalogs of many nodes load the same ones.
const MAX_RECENT: usize = 8;

/// Maximum total length of the kept files in bytes, except for a single larger one.
const MAX_RECENT_BYTES: usize = 1 << 20;

/// Contents of a file, and the value or the error of parsing it.
type RecentFile = (Arc<[u8]>, Result<Value, String>);

thread_local! {
    static RECENT: RefCell<VecDeque<RecentFile>> = const { RefCell::new(VecDeque::new()) };
}

fn loadjson(call: &mut Call) -> Outcome {
    load(call, |_, text| hiera::json::parse(text))
}

fn loadyaml(call: &mut Call) -> Outcome {
    load(call, recent_yaml)
}

/// Parses YAML, unless this thread has recently parsed the same file.
fn recent_yaml(content: &Arc<[u8]>, text: &str) -> Result<Value, String> {
    let is_it = |(known, _): &RecentFile| Arc::ptr_eq(known, content) || known == content;
    let known = RECENT.with_borrow_mut(|recent| {
        let found = recent.remove(recent.iter().position(is_it)?)?;
        recent.push_front(found);
        recent.front().map(|(_, parsed)| parsed.clone())
    });
    let parsed = known.unwrap_or_else(|| {
        let parsed = parse_yaml(text);
        RECENT.with_borrow_mut(|recent| {
            recent.push_front((content.clone(), parsed.clone()));
            let mut bytes = 0;
            let kept = recent.iter().take(MAX_RECENT).take_while(|(content, _)| {
                bytes += content.len();
                bytes <= MAX_RECENT_BYTES
            });
            let kept = kept.count().max(1);
            recent.truncate(kept);
        });
        parsed
    });
    // Each call returns its own collections, which code in Ruby may change.
    parsed.map(|value| Copies::default().copy(&value))
}

/// Copies of collections, by the address of the original: aliases in a file remain the same object.
#[derive(Default)]
struct Copies(FxHashMap<usize, Value>);

impl Copies {
    /// Returns a value that shares no collection with the given one.
    fn copy(&mut self, value: &Value) -> Value {
        let Some(address) = value.collection_address() else { return value.clone() };
        if let Some(known) = self.0.get(&address) {
            return known.clone();
        }
        let copy = match value {
            Value::Array(elements) => {
                Value::array(elements.iter().map(|it| self.copy(it)).collect::<Vec<_>>())
            }
            Value::Hash(entries) => {
                let copies = entries.iter().map(|(key, it)| (self.copy(key), self.copy(it)));
                Value::hash(copies.collect::<Vec<_>>())
            }
            other => other.clone(),
        };
        self.0.insert(address, copy.clone());
        copy
    }
}

fn load(call: &Call, parse: impl Fn(&Arc<[u8]>, &str) -> Result<Value, String>) -> Outcome {
    let anything = Ok(Value::unknown(Type::Any, Origin::Ruby));
    let path = match call.argument(0) {
        Value::String(path) => path,
        Value::Unknown(_) => return anything,
        // Other values have no such method in Ruby, an error like any other.
        _ => {
            return match call.argument(1).truth() {
                Some(true) => Ok(call.argument(1).clone()),
                Some(false) => {
                    Err(call.fail_at(0, Code::RuntimeError, "expected a string as the path of a file"))
                }
                None => anything,
            };
        }
    };
    let default = call.argument(1);
    let content = match module_file(call, path) {
        Some(file) => file.content,
        None if !path.starts_with('/') => return anything,
        None => match call.evaluator.world.program.machine_file(path) {
            MachineFile::Content(content) => content,
            MachineFile::Missing => return Ok(default.clone()),
            MachineFile::Unread | MachineFile::Unclear => return anything,
        },
    };
    let Ok(text) = std::str::from_utf8(&content) else { return anything };
    match (parse(&content, text), default.truth()) {
        (_, None) => anything,
        (Ok(value), _) if value.truth() == Some(false) => Ok(default.clone()),
        (Ok(value), _) => Ok(value),
        (Err(_), Some(true)) => Ok(default.clone()),
        (Err(failure), Some(false)) => Err(call.refuse(format!("cannot read `{path}`: {failure}"))),
    }
}
