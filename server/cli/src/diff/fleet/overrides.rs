//! Facts given on the command line, for both sides or for one.

use std::str::FromStr;
use std::sync::Arc;

use types::{HashValue, Value};

/// Options that replace facts.
#[derive(clap::Args, Debug)]
pub(super) struct OverrideArguments {
    /// Set a fact of all nodes: `NAME=VALUE`, or with the type `string`, `integer`, `float`, `boolean`, `json`, or `nil`
    /// (which removes the fact), such as `os.family=RedHat` or `count=(integer)2`; may be repeated
    #[arg(long, value_name = "NAME=(TYPE)VALUE", requires = "node_set")]
    fact: Vec<FactOverride>,

    /// Like `--fact`, but only before the change
    #[arg(long, value_name = "NAME=(TYPE)VALUE", requires = "node_set")]
    base_fact: Vec<FactOverride>,

    /// Like `--fact`, but only after the change
    #[arg(long, value_name = "NAME=(TYPE)VALUE", requires = "node_set")]
    head_fact: Vec<FactOverride>,
}

/// A fact with its value.
#[derive(Clone, Debug)]
pub(super) struct FactOverride {
    /// Keys, outermost first.
    path: Vec<String>,
    /// `None` to remove the fact.
    value: Option<Value>,
}

impl OverrideArguments {
    /// Returns true if the facts of both sides are the same.
    pub(super) fn is_empty(&self) -> bool {
        self.fact.is_empty() && self.base_fact.is_empty() && self.head_fact.is_empty()
    }

    /// Returns the facts of a node after the overrides for one side.
    pub(super) fn applied(&self, facts: &HashValue, is_head: bool) -> HashValue {
        let mut facts = facts.clone();
        let of_side = if is_head { &self.head_fact } else { &self.base_fact };
        for FactOverride { path, value } in self.fact.iter().chain(of_side) {
            set(&mut facts, path, value.as_ref());
        }
        facts
    }
}

fn set(facts: &mut HashValue, path: &[String], value: Option<&Value>) {
    let Some((first, rest)) = path.split_first() else { return };
    let key = Value::string(first);
    match (rest, value) {
        ([], None) => drop(facts.shift_remove(&key)),
        ([], Some(value)) => drop(facts.insert(key, value.clone())),
        (rest, value) => {
            let mut inner = facts.get(&key).and_then(Value::as_hash).cloned().unwrap_or_default();
            set(&mut inner, rest, value);
            facts.insert(key, Value::Hash(Arc::new(inner)));
        }
    }
}

impl FromStr for FactOverride {
    type Err = String;

    fn from_str(text: &str) -> Result<FactOverride, String> {
        let (name, written) = text.split_once('=').ok_or("expected `NAME=VALUE` or `NAME=(TYPE)VALUE`")?;
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            return Err("the name of the fact is empty".to_owned());
        }
        let typed = written.strip_prefix('(').and_then(|it| it.split_once(')'));
        let value = match typed {
            Some((ty, value)) => typed_value(ty, value)?,
            None => Some(match (written, written.parse::<i64>()) {
                ("true" | "false", _) => Value::Boolean(written == "true"),
                (_, Ok(number)) => Value::Integer(number),
                _ => Value::string(written),
            }),
        };
        Ok(FactOverride { path, value })
    }
}

/// Returns the value of a written type; `None` for one that removes the fact.
fn typed_value(ty: &str, text: &str) -> Result<Option<Value>, String> {
    let invalid = || format!("`{text}` is not of the type `{ty}`");
    Ok(Some(match ty {
        "string" => Value::string(text),
        "integer" | "fixnum" => Value::Integer(text.parse().map_err(|_| invalid())?),
        "float" => {
            text.parse::<f64>().map_err(|_| invalid())?;
            hiera::json::parse(&as_json_float(text)).map_err(|_| invalid())?
        }
        "boolean" => Value::Boolean(text.parse().map_err(|_| invalid())?),
        "json" => hiera::json::parse(text).map_err(|_| invalid())?,
        "nil" => return Ok(None),
        _ => {
            return Err(format!(
                "unknown type `{ty}`; expected string, integer, float, boolean, json or nil"
            ));
        }
    }))
}

/// Returns a number with a fraction.
fn as_json_float(text: &str) -> String {
    if text.contains(['.', 'e', 'E']) { text.to_owned() } else { format!("{text}.0") }
}
