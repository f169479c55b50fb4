//! Functions that load data from files of the compiling machine. Files of modules are known, others are not.

use codes::Code;
use eval::{BuiltInFunction, Call, Outcome};
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

fn loadjson(call: &mut Call) -> Outcome {
    load(call, hiera::json::parse)
}

fn loadyaml(call: &mut Call) -> Outcome {
    load(call, parse_yaml)
}

fn load(call: &Call, parse: impl Fn(&str) -> Result<Value, String>) -> Outcome {
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
    let file = module_file(call, path);
    let Some(text) = file.as_ref().and_then(|it| std::str::from_utf8(&it.content).ok()) else {
        return anything;
    };
    let default = call.argument(1);
    match (parse(text), default.truth()) {
        (_, None) => anything,
        (Ok(value), _) if value.truth() == Some(false) => Ok(default.clone()),
        (Ok(value), _) => Ok(value),
        (Err(_), Some(true)) => Ok(default.clone()),
        (Err(failure), Some(false)) => Err(call.refuse(format!("cannot read `{path}`: {failure}"))),
    }
}
