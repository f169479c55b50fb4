//! Top-scope variables that are set before evaluation: facts, the node, the server and its settings.

pub mod ruby_plugins;
pub(crate) mod setters;

use std::sync::Arc;

use hir::Name;
use project::{Db, Environment};
use rustc_hash::FxHashMap;
use smol_str::format_smolstr;
use types::{CachedValue, HashValue, Origin, Type, Value};

use crate::checked_facts::FactSetId;

use crate::class_checks::requests::class_request;
use crate::compile_request::{CompileRequest, Facts};
use crate::puppet_settings::{all_settings, puppet_settings};

/// Returns the top-scope variables for the classes of a module compiled with a fact set.
#[salsa::tracked(returns(clone))]
pub(crate) fn top_variables_of_classes(
    db: &dyn Db,
    environment: Environment,
    facts: FactSetId,
) -> CachedValue<Option<Arc<FxHashMap<Name, Value>>>> {
    // The variables do not depend on the class.
    let request = class_request(db, environment, &Name::default(), facts);
    CachedValue(request.map(|request| Arc::new(top_variables(db, environment, &request))))
}

/// Returns the top-scope variables that are set before evaluation.
pub(crate) fn top_variables(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
) -> FxHashMap<Name, Value> {
    let mut variables: FxHashMap<Name, Value> = FxHashMap::default();
    let node = &request.node_name;
    let version = environment.puppet_version(db).newest_release();
    let mut server = request.server_facts.clone();
    if server.get_text("serverversion").is_none() {
        server.insert(Value::string("serverversion"), Value::string(version));
    }
    if let Facts::Platform { facts, .. } | Facts::Given(facts) = &request.facts {
        let mut facts = (**facts).clone();
        if let Facts::Platform { of_modules, .. } = &request.facts {
            add_agent_facts(db, environment, request, version, &mut facts, of_modules);
        }
        for (name, value) in server.iter().chain(facts.iter()) {
            variables.extend(name.as_str().map(|name| (Name::new(name), value.clone())));
        }
        variables.insert("facts".into(), Value::Hash(Arc::new(facts)));
        let environment = Value::String(request.environment_name.clone());
        server.insert(Value::string("environment"), environment);
        variables.insert("server_facts".into(), Value::Hash(Arc::new(server)));
    }
    for (name, value) in request.node_parameters.iter() {
        variables.extend(name.as_str().map(|name| (Name::new(name), value.clone())));
    }
    if !node.is_empty() {
        variables.insert("trusted".into(), trusted(request));
    }
    variables.insert("environment".into(), Value::String(request.environment_name.clone()));
    variables.insert("module_name".into(), Value::string(""));
    for name in ["title", "name"] {
        variables.insert(name.into(), Value::string("main"));
    }
    let settings = puppet_settings(db, environment, request);
    variables.insert("settings::all_local".into(), all_settings(&settings));
    for (name, value) in settings {
        variables.insert(format_smolstr!("settings::{name}"), value);
    }
    variables
}

/// Adds the facts that an agent adds to those of its machine, and those that modules may add.
fn add_agent_facts(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    version: &str,
    facts: &mut HashValue,
    of_modules: &HashValue,
) {
    let mut add = |name: &str, value: Value| {
        if facts.get_text(name).is_none() {
            facts.insert(Value::string(name), value);
        }
    };
    add("clientcert", Value::String(request.node_name.clone()));
    add("clientversion", Value::string(version));
    add("clientnoop", Value::Boolean(false));
    let custom = project::custom_facts(db, environment);
    if custom.is_empty() {
        return;
    }
    for (name, value) in ruby_plugins::facts_of_modules(db, environment, facts, of_modules) {
        if of_modules.get_text(&name).is_none() && facts.get_text(&name).is_none() {
            facts.insert(Value::String(name), value);
        }
    }
    for (_, fact) in custom {
        if facts.get_text(&fact.name).is_none() {
            let known = of_modules.get_text(&fact.name).cloned();
            let value = known.unwrap_or_else(|| Value::unknown(Type::Any, Origin::Fact));
            facts.insert(Value::String(fact.name.clone()), value);
        }
    }
}

/// Names of facts and trusted data that identify a node.
const NODE_IDENTITY_KEYS: [&str; 7] =
    ["clientcert", "certname", "fqdn", "hostname", "domain", "extensions", "external"];

/// Replaces the parts of a top-scope variable that contain the name of the node with unknown values.
pub(crate) fn without_node_name(variable: &str, value: Value) -> Value {
    let unknown = || Value::unknown(Type::Any, Origin::Fact);
    match (variable, &value) {
        ("trusted" | "facts" | "networking", Value::Hash(entries)) => {
            let mut entries = (**entries).clone();
            for name in NODE_IDENTITY_KEYS {
                if entries.get_text(name).is_some() {
                    entries.insert(Value::string(name), unknown());
                }
            }
            if let Some(networking) = entries.get_text("networking").cloned() {
                entries.insert(Value::string("networking"), without_node_name("networking", networking));
            }
            Value::Hash(Arc::new(entries))
        }
        (name, Value::String(_)) if NODE_IDENTITY_KEYS.contains(&name) => unknown(),
        _ => value,
    }
}

fn trusted(request: &CompileRequest) -> Value {
    let name = &request.node_name;
    let (host, domain) = match name.split_once('.') {
        Some((host, domain)) => (host, Value::string(domain)),
        None => (name.as_str(), Value::Undef),
    };
    // The certificates of a platform's machines are unknown.
    let extensions = match &request.facts {
        Facts::Unknown | Facts::Platform { .. } if request.trusted_extensions.is_empty() => {
            Value::unknown(Type::Any, Origin::Fact)
        }
        _ => Value::Hash(Arc::new(request.trusted_extensions.clone())),
    };
    let mut entries = HashValue::default();
    for (name, value) in [
        ("authenticated", Value::string("remote")),
        ("certname", Value::String(name.clone())),
        ("extensions", extensions),
        ("hostname", Value::string(host)),
        ("domain", domain),
    ] {
        entries.insert(Value::string(name), value);
    }
    for (name, value) in request.trusted.iter().flat_map(|it| it.iter()) {
        if name.as_str() != Some("extensions") {
            entries.insert(name.clone(), value.clone());
        }
    }
    Value::Hash(Arc::new(entries))
}
