//! Data keys for class parameters: reports unknown parameters and values of the wrong type.

use codes::Code;
use hiera::config::Layer;
use hiera::data::{Content, DataEntry, DataNode, HieraData};
use hiera::interpolation::{InterpolationExpression, interpolations};
use project::{Db, DefinitionId, Environment, File, NameKind};
use types::assign::Fit;
use types::{Origin, Type, Value};

use crate::Diagnostic;

pub(super) fn check(db: &dyn Db, file: File, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    for entry in data.entries() {
        let Some(key) = entry.key.value.as_str() else { continue };
        let Some((class, name)) = key.rsplit_once("::") else { continue };
        let Some(definition) = project::resolve(db, environment, NameKind::Class, class) else { continue };
        let Some(signature) = project::signature(db, definition) else { continue };
        if signature.parameters.iter().any(|parameter| parameter.name == name) {
            if has_options(db, environment, key) {
                continue;
            }
            // Nodes without a value in a higher level get this one.
            found.extend(mismatch(db, definition, name, entry));
        } else if !is_mentioned(db, environment, key) {
            let message = format!("class `{class}` has no parameter `{name}`");
            found.push(Diagnostic::new(Code::DataUnknownParameter, entry.key.range, message));
        }
    }
}

/// Returns true if the key is that of a parameter of a class.
pub(super) fn is_parameter(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let Some((class, name)) = key.rsplit_once("::") else { return false };
    let definition = project::resolve(db, environment, NameKind::Class, class);
    let signature = definition.and_then(|it| project::signature(db, it).as_ref());
    signature.is_some_and(|it| it.parameters.iter().any(|parameter| parameter.name == name))
}

/// Returns true if code of the environment mentions the key or other data interpolates it, so that it may be
/// a plain lookup key.
pub(super) fn is_mentioned(db: &dyn Db, environment: Environment, key: &str) -> bool {
    project::interpolated_keys(db, environment).contains(key)
        || project::mentions::is_named_in_code(db, environment, key)
}

/// Returns true if `lookup_options` may convert or merge the value before the class gets it.
fn has_options(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let module = key.split("::").next().unwrap_or_default();
    sources_with_options(db, environment)
        .iter()
        .filter(|source| match &source.layer {
            Layer::Module(name) => name == module,
            _ => true,
        })
        .any(|source| {
            let data = project::hiera_data(db, source.file);
            let Some(options) = data.entry("lookup_options") else { return false };
            options.value.entries().iter().any(|entry| match entry.key.value.as_str() {
                Some(pattern) if pattern.starts_with('^') => match scalars::regexp::Regexp::new(pattern) {
                    Ok(pattern) => pattern.is_match(key).unwrap_or(true),
                    Err(_) => true,
                },
                Some(name) => name == key,
                None => true,
            })
        })
}

/// Returns the data files of an environment that have `lookup_options`.
#[salsa::tracked(returns(ref))]
fn sources_with_options(db: &dyn Db, environment: Environment) -> Vec<project::DataSource> {
    let Some(files) = project::data_key_index(db, environment).get("lookup_options") else {
        return Vec::new();
    };
    let sources = project::data_sources(db, environment).iter();
    sources.filter(|source| files.contains(&source.file)).cloned().collect()
}

fn mismatch(db: &dyn Db, definition: DefinitionId, name: &str, entry: &DataEntry) -> Option<Diagnostic> {
    let body = project::body(db, definition);
    let parameter = body.parameters.iter().find(|parameter| parameter.name == name)?;
    parameter.type_expr?;
    let summary = compile::summary(db, definition);
    let ty = match summary.parameter(parameter.slot)? {
        eval::RecordedValue::Type(ty) => ty.clone(),
        eval::RecordedValue::Values(values) => match values.as_slice() {
            [Value::Unknown(unknown)] if unknown.origin.is_trustworthy() => unknown.ty.clone(),
            _ => return None,
        },
    };
    let value = read(&entry.value);
    // A value of `undef` selects the default of the parameter.
    if value.is_undef() {
        return None;
    }
    let message = compile::with_world(db, definition, |world| {
        if types::assign::fits(&ty, &value, world) != Fit::Never {
            return None;
        }
        let actual = types::infer::infer_set(&value, world);
        let class = &definition.key(db).name;
        let subject = format!("parameter `${name}` of class `{class}`");
        Some(types::mismatch::describe_mismatch(&subject, &ty, &actual, world))
    })??;
    let diagnostic = Diagnostic::new(Code::DataTypeMismatch, entry.value.range, message);
    let declared = parameter.type_expr.and_then(|ty| project::body_source_map(db, definition).node(ty));
    let path = definition.file(db).path(db).clone();
    Some(match declared {
        Some(node) => diagnostic.with_related_in(path, node.range, "type declared here"),
        None => diagnostic,
    })
}

/// Returns the value that a lookup of the node returns, as far as it is known.
fn read(node: &DataNode) -> Value {
    let anything = || Value::unknown(Type::Any, Origin::Fact);
    match &node.content {
        Content::Alias(_) => interpolated(&node.value),
        Content::Scalar { .. } => interpolated(&node.value),
        Content::Sequence(elements) => Value::array(elements.iter().map(read).collect::<Vec<_>>()),
        // Entries merged by `<<` only exist in the resulting value.
        Content::Mapping(entries) if entries.iter().any(|it| it.key.value.as_str() == Some("<<")) => {
            anything()
        }
        Content::Mapping(entries) => {
            Value::hash(entries.iter().map(|entry| (interpolated(&entry.key.value), read(&entry.value))))
        }
    }
}

fn interpolated(value: &Value) -> Value {
    match value {
        Value::String(text) if hiera::data::is_encrypted(text) => Value::unknown(Type::Any, Origin::Ruby),
        Value::String(text) if text.contains("%{") => {
            let is_alias = |it: &hiera::interpolation::DataInterpolation| {
                matches!(it.expression, InterpolationExpression::Alias(_))
            };
            let ty = if interpolations(text).iter().any(is_alias) { Type::Any } else { Type::STRING };
            Value::unknown(ty, Origin::Fact)
        }
        Value::Array(_) | Value::Hash(_) => Value::unknown(Type::Any, Origin::Fact),
        value => value.clone(),
    }
}
