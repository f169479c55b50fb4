//! Functions that declare or query resources, and query facts and modules.

use codes::Code;
use std::sync::Arc;

use conversions::ruby;
use eval::{BuiltInFunction, Call, LogLevel, ModuleFolder, Outcome};
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::support::is_stdlib_before;
use crate::in_ruby::host::is_legacy_function;
use crate::legacy::variables::{VisibleVariable, fact as visible_fact, variable};
use crate::legacy::{GivenAttributes, declare, legacy, statement, type_and_title};
use crate::support::{also, function, known, open};

const ENSURE_PACKAGES: BuiltInFunction = function(
    "ensure_packages",
    "Declares packages that are not yet declared, by default with `ensure => installed`.",
    &[open(PACKAGES, ensure_packages)],
);

const OS_VERSION_GTE: BuiltInFunction = function(
    "os_version_gte",
    "Returns true if the operating system is the given one, in the given version or a later one.",
    &[known("(String[1] $os, String[1] $version) >> Boolean", os_version_gte)],
);

pub(super) const TABLE: &[BuiltInFunction] = &[
    statement(
        "assert_private",
        "Fails if code of another module declares the enclosing class or defined type.",
        &[open("(Any $message = '') >> Undef", assert_private)],
    ),
    legacy(
        "defined_with_params",
        "Returns true if a resource is declared with the given attributes.",
        &[open(
            "(Variant[String, Type] $reference, Any $parameters = {}, Any *$more) >> Boolean",
            defined_with_params,
        )],
    ),
    ENSURE_PACKAGES,
    statement(
        "ensure_resource",
        "Declares resources of a type that are not yet declared with the given attributes.",
        &[open(
            "(String $type, Any $title, Variant[Hash, String[0, 0]] $parameters = {}, Any *$more) >> Undef",
            ensure_resource,
        )],
    ),
    statement(
        "ensure_resources",
        "Declares resources from a hash of their attributes, unless they are already declared.",
        &[open(
            "(String $type, Hash $resources, Variant[Hash, String[0, 0]] $parameters = {}, Any *$more) >> Undef",
            ensure_resources,
        )],
    ),
    function(
        "fact",
        "Returns the fact at a path such as `os.release.major`; `undef` if it is missing.",
        &[open("(String $fact_name) >> Any", fact)],
    ),
    legacy(
        "get_module_path",
        "Returns the path of a module's folder.",
        &[known("(String $module) >> String", module_path)],
    ),
    legacy(
        "getparam",
        "Returns the value of a resource's attribute; an empty string if it is not set.",
        &[open("(Variant[String, Type] $reference, String $parameter, Any *$more) >> Any", getparam)],
    ),
    legacy(
        "is_function_available",
        "Returns true if there is a function of the 3.x API of that name.",
        &[open("(Any $name) >> Boolean", is_function_available)],
    ),
    legacy(
        "load_module_metadata",
        "Returns the content of a module's `metadata.json`.",
        &[open("(String $module, Any $allow_empty = false) >> Hash", load_module_metadata)],
    ),
    OS_VERSION_GTE,
    statement("private", "Deprecated: use `assert_private`.", &[open("(Any *$message) >> Undef", private)]),
    also("stdlib::ensure_packages", ENSURE_PACKAGES),
    also("stdlib::os_version_gte", OS_VERSION_GTE),
    function(
        "stdlib::str2resource",
        "Returns the resource reference for a string such as `File[/etc/motd]`.",
        &[open("(String $res_string) >> Any", str2resource)],
    ),
];

const PACKAGES: &str = "(Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, Hash $default_attributes = {}) >> Undef";

/// Implements `assert_private`: code of other modules must not declare private classes and defined types.
fn assert_private(call: &mut Call) -> Outcome {
    let modules = ["module_name", "caller_module_name"].map(|name| variable(call, name));
    let (own, caller) = match &modules {
        [VisibleVariable::Value(Value::String(own)), VisibleVariable::Value(Value::String(caller))] => {
            (own.as_str(), caller.as_str())
        }
        // The outermost code has no caller, which differs from a caller with an empty name.
        [VisibleVariable::Value(Value::String(own)), VisibleVariable::Unset] if own.is_empty() => ("", "-"),
        _ => return Ok(Value::Undef),
    };
    if own != caller && call.evaluator.is_followed() {
        let message = match call.argument(0) {
            Value::String(text) if !text.is_empty() => text.to_string(),
            _ if own.is_empty() => "definition is private".to_owned(),
            _ => format!("definition is private to module `{own}`"),
        };
        return Err(call.fail(Code::PrivateUse, message));
    }
    Ok(Value::Undef)
}

fn ensure_packages(call: &mut Call) -> Outcome {
    let defaults = package_defaults(call);
    let knows_present = !is_stdlib_before(call, "8.6.0");
    let skips_declared = is_stdlib_before(call, "5.2.0") && !is_stdlib_before(call, "4.16.0");
    match call.argument(0).clone() {
        Value::Hash(packages) if knows_present => {
            for (title, attributes) in packages.iter() {
                let values = with_own(call, &defaults, attributes)?;
                ensure_package(call, title, values)?;
            }
        }
        Value::Hash(packages) => ensure_each(call, "package", &packages, &defaults)?,
        packages if knows_present => {
            for title in ruby::flatten(std::slice::from_ref(&packages)) {
                ensure_package(call, &title, defaults.clone())?;
            }
        }
        packages if skips_declared => {
            for title in ruby::flatten(std::slice::from_ref(&packages)) {
                let name = ruby::to_s(&title, call.env());
                let any = HashValue::default();
                if name.and_then(|it| call.evaluator.is_declared_with("package", &it, &any)) != Some(true) {
                    ensure(call, "package", &title, &defaults)?;
                }
            }
        }
        packages => ensure(call, "package", &packages, &defaults)?,
    }
    Ok(Value::Undef)
}

/// Returns the attributes that `ensure_packages` of the environment's stdlib adds. `present` and `installed` are
/// equivalent; versions differ in the one that they use, and whether they replace the other.
fn package_defaults(call: &Call) -> GivenAttributes {
    let is_old = is_stdlib_before(call, "8.0.0");
    let (word, other) = if is_old { ("present", "installed") } else { ("installed", "present") };
    let ensure = [(Value::string("ensure"), Value::string(word))].into_iter().collect();
    let ensure = GivenAttributes { values: ensure, is_incomplete: false };
    let mut defaults = ensure.with(call.argument(1)).unwrap_or(ensure);
    let replaces = is_stdlib_before(call, "8.6.0") && !is_stdlib_before(call, "4.19.0");
    if replaces && defaults.values.get_text("ensure").and_then(Value::as_str) == Some(other) {
        defaults.values.insert(Value::string("ensure"), Value::string(word));
    }
    defaults
}

/// Declares a package, unless it is declared. `present` and `installed` are equivalent.
fn ensure_package(call: &mut Call, title: &Value, mut attributes: GivenAttributes) -> Outcome<()> {
    if matches!(attributes.values.get_text("ensure").and_then(Value::as_str), Some("present" | "installed")) {
        let present: HashValue = [(Value::string("ensure"), Value::string("present"))].into_iter().collect();
        let name = ruby::to_s(title, call.env());
        let is_present = name.and_then(|name| call.evaluator.is_declared_with("package", &name, &present));
        let word = if is_present == Some(true) { "present" } else { "installed" };
        attributes.values.insert(Value::string("ensure"), Value::string(word));
    }
    ensure(call, "package", title, &attributes)
}

fn ensure_resource(call: &mut Call) -> Outcome {
    let (titles, attributes) = (call.argument(1).clone(), GivenAttributes::of(call.argument(2)));
    match call.argument(0).clone() {
        Value::String(type_name) => ensure(call, &type_name, &titles, &attributes)?,
        _ => call.evaluator.note_unknown_resources(call.site),
    }
    Ok(Value::Undef)
}

fn ensure_resources(call: &mut Call) -> Outcome {
    let defaults = GivenAttributes::of(call.argument(2));
    match (call.argument(0).clone(), call.argument(1).clone()) {
        (Value::String(type_name), Value::Hash(resources)) => {
            ensure_each(call, &type_name, &resources, &defaults)?
        }
        _ => call.evaluator.note_unknown_resources(call.site),
    }
    Ok(Value::Undef)
}

fn ensure_each(
    call: &mut Call,
    type_name: &str,
    resources: &HashValue,
    defaults: &GivenAttributes,
) -> Outcome<()> {
    for (title, attributes) in resources.iter() {
        let values = with_own(call, defaults, attributes)?;
        ensure(call, type_name, title, &values)?;
    }
    Ok(())
}

/// Returns the defaults, overridden by the attributes of a resource.
fn with_own(call: &Call, defaults: &GivenAttributes, own: &Value) -> Outcome<GivenAttributes> {
    match own {
        Value::Undef | Value::Boolean(false) => Ok(defaults.clone()),
        _ => defaults.with(own).ok_or_else(|| call.refuse("attributes of a resource must be a hash")),
    }
}

/// Declares the resources that do not exist yet.
fn ensure(call: &mut Call, type_name: &str, titles: &Value, given: &GivenAttributes) -> Outcome<()> {
    // These functions are, or call, functions of the 3.x API, which get objects for references.
    let converted = eval::parameter_value(Value::Hash(Arc::new(given.values.clone())))
        .map_err(|failure| call.evaluator.error(call.site, failure))?;
    let given = GivenAttributes { is_incomplete: given.is_incomplete, ..GivenAttributes::of(&converted) };
    for title in ruby::flatten(std::slice::from_ref(titles)) {
        let Some(text) = ruby::to_s(&title, call.env()) else {
            call.evaluator.note_unknown_resources(call.site);
            continue;
        };
        let reference = format!("{type_name}[{text}]");
        if !is_reference(&reference) {
            return Err(call.refuse(format!("`{reference}` is not a resource reference")));
        }
        match call.evaluator.is_declared_with(type_name, &text, &given.values) {
            Some(true) if !given.is_incomplete => {}
            Some(false) => declare(call, type_name, &title, &given)?,
            Some(true) | None => {
                call.evaluator.note_unknown_resources(call.site);
                declare_possibly(call, type_name, &title, &given)?;
                call.evaluator.note_presence(call.site, type_name, &text);
            }
        }
    }
    Ok(())
}

/// Declares a resource that unknown code may have declared before, unless this catalog already has it.
fn declare_possibly(call: &mut Call, type_name: &str, title: &Value, given: &GivenAttributes) -> Outcome<()> {
    let name = ruby::to_s(title, call.env()).unwrap_or_default();
    if !call.evaluator.is_followed() || call.evaluator.holds(type_name.trim_start_matches('@'), &name) {
        return Ok(());
    }
    let declared = call.fork(2, Origin::Join, |call, branch| {
        if branch == 0 {
            declare(call, type_name, title, given)?;
        }
        Ok(Value::Undef)
    });
    declared.map(|_| ())
}

fn defined_with_params(call: &mut Call) -> Outcome {
    let wanted = match call.argument(1) {
        Value::Hash(wanted) => (**wanted).clone(),
        Value::Unknown(_) => return Ok(Value::unknown(Type::BOOLEAN, Origin::Ruby)),
        _ => HashValue::default(),
    };
    let declared = reference(call)?
        .and_then(|(type_name, title)| call.evaluator.is_declared_with(&type_name, &title, &wanted));
    Ok(match declared {
        Some(is_declared) => Value::Boolean(is_declared),
        None => Value::unknown(Type::BOOLEAN, Origin::Ruby),
    })
}

fn is_function_available(call: &mut Call) -> Outcome {
    Ok(match call.argument(0) {
        Value::String(name) => match is_legacy_function(call.evaluator, name) {
            Some(is_old) => Value::Boolean(is_old),
            None => Value::unknown(Type::BOOLEAN, Origin::Ruby),
        },
        Value::Unknown(_) => Value::unknown(Type::BOOLEAN, Origin::Ruby),
        _ => Value::Boolean(false),
    })
}

fn str2resource(call: &mut Call) -> Outcome {
    reference(call)?;
    Ok(Value::unknown(Type::Any, Origin::Ruby))
}

fn private(call: &mut Call) -> Outcome {
    call.log(
        LogLevel::Warning,
        "private() DEPRECATED: This function will cease to function on Puppet 4; please use assert_private() before \
         upgrading to puppet 4 for backwards-compatibility, or migrate to the new parser's typing system.",
    );
    assert_private(call)
}

/// Returns type and title of the first argument; `None` if they are unknown.
///
/// # Errors
/// The argument is a string that is not a reference.
fn reference(call: &Call) -> Outcome<Option<(SmolStr, SmolStr)>> {
    match call.argument(0) {
        Value::String(text) if !is_reference(text) => {
            Err(call.fail_at(0, Code::RuntimeError, format!("`{text}` is not a resource reference")))
        }
        reference => Ok(type_and_title(reference, call.env())),
    }
}

/// Returns true for a string in the form `Type[title]`.
fn is_reference(text: &str) -> bool {
    // Ruby matches each line separately.
    text.contains('\n')
        || text.split_once('[').is_some_and(|(type_name, title)| {
            !type_name.is_empty() && !type_name.contains(']') && title.len() > 1 && title.ends_with(']')
        })
}

fn getparam(call: &mut Call) -> Outcome {
    if matches!(call.argument(1), Value::String(name) if name.is_empty()) {
        return Ok(Value::string(""));
    }
    let value = match (reference(call)?, call.argument(1)) {
        (Some((type_name, title)), Value::String(name)) => {
            call.evaluator.set_attribute(&type_name, &title, name).map(|it| it.unwrap_or(Value::string("")))
        }
        _ => None,
    };
    Ok(value.unwrap_or(Value::unknown(Type::Any, Origin::Ruby)))
}

fn module_path(call: &mut Call) -> Outcome {
    refuse_missing_module(call)?;
    let folder = call.argument(0).as_str().map(|module| call.evaluator.world.program.module_folder(module));
    Ok(match folder {
        Some(ModuleFolder::At(folder)) => Value::String(folder),
        _ => Value::unknown(Type::STRING, Origin::Ruby),
    })
}

/// Returns an error if there certainly is no module of that name.
fn refuse_missing_module(call: &Call) -> Outcome<()> {
    let Value::String(module) = call.argument(0) else { return Ok(()) };
    let is_name = module.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_name || call.evaluator.world.program.module_folder(module) == ModuleFolder::Missing {
        return Err(call.fail_at(0, Code::RuntimeError, format!("module `{module}` not found")));
    }
    Ok(())
}

fn load_module_metadata(call: &mut Call) -> Outcome {
    refuse_missing_module(call)?;
    let program = call.evaluator.world.program;
    let data = call.argument(0).as_str().and_then(|module| program.module_metadata(module));
    Ok(data
        .map(Arc::unwrap_or_clone)
        .unwrap_or_else(|| Value::unknown(Type::hash_of(Type::STRING, Type::Any), Origin::Ruby)))
}

fn os_version_gte(call: &mut Call) -> Outcome {
    let facts = ["operatingsystem", "operatingsystemmajrelease"].map(|name| visible_fact(call, &[name]));
    let [system, release] = facts.map(|fact| match fact {
        VisibleVariable::Value(Value::String(text)) => Ok(Some(text)),
        VisibleVariable::Value(_) | VisibleVariable::Unset => Ok(None),
        VisibleVariable::Unknown(origin) => Err(origin),
    });
    let (system, release) = match (system, release) {
        (Ok(system), Ok(release)) => (system, release),
        (Err(origin), _) | (_, Err(origin)) => return Ok(Value::unknown(Type::BOOLEAN, origin)),
    };
    let is_system = system.is_some_and(|system| system == call.string(0));
    match release {
        _ if !is_system => Ok(Value::Boolean(false)),
        Some(release) => {
            let order = scalars::version_compare::version_compare(&release, call.string(1), false);
            Ok(Value::Boolean(order.is_ge()))
        }
        None => Err(call.refuse("unknown fact `operatingsystemmajrelease`")),
    }
}

fn fact(call: &mut Call) -> Outcome {
    let Value::String(name) = call.argument(0).clone() else { return Ok(call.unknown(Type::Any)) };
    let mut value = match variable(call, "facts") {
        VisibleVariable::Value(value) => value,
        VisibleVariable::Unset => return Ok(Value::Undef),
        VisibleVariable::Unknown(origin) => return Ok(Value::unknown(Type::Any, origin)),
    };
    let mut walked: Vec<String> = Vec::new();
    let path = path_of(&name);
    for key in path.clone() {
        value = match &value {
            Value::Unknown(unknown) => {
                let keys: Vec<Value> = path.into_iter().map(Value::string).collect();
                return Ok(crate::navigation::as_fact(
                    call,
                    Some("facts"),
                    &keys,
                    Value::unknown(Type::Any, unknown.origin),
                ));
            }
            Value::Undef => {
                let keys: Vec<Value> = path.into_iter().map(Value::string).collect();
                return Ok(crate::navigation::as_fact(call, Some("facts"), &keys, Value::Undef));
            }
            Value::Hash(entries) => entries.get_text(&key).cloned().unwrap_or(Value::Undef),
            Value::Array(elements) => match scalars::numbers::integer_from_text(&key, None) {
                Ok(index) => {
                    let index = i64::try_from(index).unwrap_or(i64::MAX);
                    super::hashes::at(elements, index).cloned().unwrap_or(Value::Undef)
                }
                Err(_) => {
                    log_missing_fact(call, &name, &walked, &format!("is an array; cannot index to '{key}'"))
                }
            },
            _ => log_missing_fact(
                call,
                &name,
                &walked,
                &format!("is not a collection; cannot walk to '{key}'"),
            ),
        };
        walked.push(key);
    }
    Ok(value)
}

fn log_missing_fact(call: &mut Call, name: &str, walked: &[String], failure: &str) -> Value {
    let quoted = |key: &String| if key.contains('.') { format!("\"{key}\"") } else { key.clone() };
    let walked = walked.iter().map(quoted).collect::<Vec<_>>().join(".");
    call.log(LogLevel::Warning, format!("fact request for {name} returning nil: '{walked}' {failure}"));
    Value::Undef
}

/// Splits `a.b."c.d"` into keys.
fn path_of(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            match rest[1..].find('"') {
                Some(0) | None => rest = &rest[1..],
                Some(end) => {
                    keys.push(rest[1..=end].to_owned());
                    rest = &rest[end + 2..];
                }
            }
            continue;
        }
        let length = rest.find(['.', '"']).unwrap_or(rest.len());
        if length > 0 {
            keys.push(rest[..length].to_owned());
        }
        rest = rest.get(length.max(1)..).filter(|_| length == 0).unwrap_or(&rest[length..]);
    }
    keys
}
