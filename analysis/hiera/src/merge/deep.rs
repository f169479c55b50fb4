//! Deep merge of hashes, compatible with the `deep_merge` library that Puppet uses.

use std::cmp::Ordering;
use std::sync::Arc;

use smol_str::SmolStr;
use types::{HashValue, Value};

use super::{LookupError, LookupStepResult, anything, string_option, unique};

/// Options of a deep merge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeepOptions {
    /// Prefix of elements to remove.
    pub knockout_prefix: Option<SmolStr>,
    pub sort_merged_arrays: bool,
    /// True if hashes in arrays are merged with those at the same index.
    pub merge_hash_arrays: bool,
    pub overwrite_arrays: bool,
}

impl DeepOptions {
    pub(super) fn read(options: &HashValue, is_checked: bool) -> LookupStepResult<DeepOptions> {
        for (key, value) in options.iter().filter(|_| is_checked) {
            let fits = match key.as_str() {
                Some("strategy") => true,
                Some("knockout_prefix") => matches!(value, Value::Undef | Value::String(_)),
                Some("merge_debug" | "merge_hash_arrays" | "sort_merged_arrays") => {
                    matches!(value, Value::Undef | Value::Boolean(_))
                }
                _ => false,
            };
            if !fits && !matches!(value, Value::Unknown(_)) {
                let key = key.as_str().unwrap_or("?");
                return Err(LookupError::new(format!("invalid option `{key}` for merge strategy `deep`")));
            }
        }
        let is_set = |name: &str| options.get_text(name).is_some_and(|it| it.truth() == Some(true));
        Ok(DeepOptions {
            knockout_prefix: string_option(options, "knockout_prefix"),
            sort_merged_arrays: is_set("sort_merged_arrays"),
            merge_hash_arrays: is_set("merge_hash_arrays"),
            overwrite_arrays: is_set("overwrite_arrays"),
        })
    }

    fn knocked_out(&self, text: &str) -> Option<SmolStr> {
        let prefix = self.knockout_prefix.as_deref()?;
        text.strip_prefix(prefix).map(SmolStr::from)
    }
}

fn is_falsy(value: &Value) -> bool {
    matches!(value, Value::Undef | Value::Boolean(false))
}

/// Merges `source` into `target`; values in `source` win.
pub(super) fn merge(
    source: Value,
    target: Value,
    options: &DeepOptions,
    depth: usize,
) -> LookupStepResult<Value> {
    if options.knockout_prefix.as_deref() == Some("") {
        return Err(LookupError::new("option `knockout_prefix` must not be empty"));
    }
    if depth > Value::MAX_DEPTH || matches!(source, Value::Unknown(_)) || matches!(target, Value::Unknown(_))
    {
        return Ok(anything());
    }
    if source.is_undef() {
        return Ok(target);
    }
    if is_falsy(&target) {
        return Ok(source);
    }
    match source {
        Value::Hash(source) => merge_hash(&source, target, options, depth),
        Value::Array(source) => merge_array(&source, target, options, depth),
        source => Ok(overwrite(source, options)),
    }
}

fn merge_hash(
    source: &HashValue,
    target: Value,
    options: &DeepOptions,
    depth: usize,
) -> LookupStepResult<Value> {
    let mut target = target;
    for (key, value) in source.iter() {
        let Value::Hash(entries) = &mut target else {
            // The hash replaces the target; its entries after the first are merged with themselves.
            target = Value::Hash(Arc::new(source.clone()));
            continue;
        };
        let entries = Arc::make_mut(entries);
        let old = entries.get(key).filter(|old| !is_falsy(old)).cloned();
        let merged = merge(value.clone(), old.unwrap_or_else(|| value.clone()), options, depth + 1)?;
        entries.insert(key.clone(), merged);
    }
    Ok(target)
}

fn merge_array(
    source: &[Value],
    target: Value,
    options: &DeepOptions,
    depth: usize,
) -> LookupStepResult<Value> {
    let mut source = source.to_vec();
    if options.overwrite_arrays {
        return Ok(Value::array(source));
    }
    let mut target = target;
    if let Some(prefix) = &options.knockout_prefix {
        let naked = Value::String(prefix.clone());
        if source.contains(&naked) {
            source.retain(|element| *element != naked);
            target = match target {
                Value::Array(_) => Value::array([]),
                Value::Hash(_) => Value::hash([]),
                Value::String(_) => Value::string(""),
                _ => Value::Undef,
            };
        }
    }
    let Value::Array(target) = target else {
        return Ok(overwrite(Value::array(source), options));
    };
    let mut target = target.to_vec();
    if options.knockout_prefix.is_some() {
        source.retain(|element| {
            let Some(out) = element.as_str().and_then(|text| options.knocked_out(text)) else { return true };
            let out = Value::String(out);
            target.retain(|it| *it != out && it != element);
            false
        });
    }
    let are_hashes = |elements: &[Value]| elements.iter().all(|it| matches!(it, Value::Hash(_)));
    let mut merged = if options.merge_hash_arrays && are_hashes(&source) && are_hashes(&target) {
        let mut list = Vec::new();
        for (index, element) in target.iter().enumerate() {
            let source = source.get(index).cloned().unwrap_or_else(|| Value::hash([]));
            list.push(merge(source, element.clone(), options, depth + 1)?);
        }
        list.extend(source.into_iter().skip(target.len()));
        list
    } else {
        unique(target.into_iter().chain(source))
    };
    if options.sort_merged_arrays {
        sort(&mut merged)?;
    }
    Ok(Value::array(merged))
}

fn sort(elements: &mut [Value]) -> LookupStepResult<()> {
    let mut fails = false;
    let mut compare = |a: &Value, b: &Value| match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (a, b) => match (a.as_number(), b.as_number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            _ => {
                fails = true;
                Ordering::Equal
            }
        },
    };
    elements.sort_by(&mut compare);
    if fails { Err(LookupError::new("cannot sort elements of different types")) } else { Ok(()) }
}

/// Returns `source` without the elements marked by the knockout prefix.
fn overwrite(source: Value, options: &DeepOptions) -> Value {
    match &source {
        Value::String(text) if options.knocked_out(text).is_some() => Value::string(""),
        Value::Array(elements) => {
            let is_kept = |it: &&Value| it.as_str().is_none_or(|text| options.knocked_out(text).is_none());
            Value::array(elements.iter().filter(is_kept).cloned().collect::<Vec<_>>())
        }
        _ => source,
    }
}
