//! Keys whose values look up each other in a circle, for which Puppet fails.

use codes::Code;
use hiera::data::{Content, DataNode, HieraData};
use hiera::interpolation::{DataInterpolation, InterpolationExpression, interpolations_of};
use project::{Db, Environment, File};

use crate::Diagnostic;

/// Maximum number of keys that are followed from one interpolation.
const MAX_FOLLOWED: usize = 100;

pub(super) fn check(db: &dyn Db, file: File, text: &str, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    for entry in data.entries() {
        let Some(key) = entry.key.value.as_str() else { continue };
        each_lookup(text, &entry.value, &mut |name, interpolation| {
            if name == key || leads_to(db, environment, name, key) {
                let message = format!("the value of `{key}` depends on itself, so its lookup fails");
                found.push(Diagnostic::new(Code::DataInterpolation, interpolation.range, message));
            }
        });
    }
}

/// Returns true if the lookup of `from` looks up `to`. Only keys with a single value are followed: any other may get
/// a value that does not.
fn leads_to(db: &dyn Db, environment: Environment, from: &str, to: &str) -> bool {
    let index = project::data_key_index(db, environment);
    let mut seen = vec![from.to_owned()];
    let mut at = 0;
    while let Some(key) = seen.get(at).cloned() {
        at += 1;
        let Some([file]) = index.get(key.as_str()).map(Vec::as_slice) else { continue };
        let Some(text) = project::text(db, *file).filter(|_| !file.is_large(db)) else { continue };
        let data = project::hiera_data(db, *file);
        let Some(entry) = data.entry(&key) else { continue };
        let mut is_found = false;
        each_lookup(&text, &entry.value, &mut |name, _| {
            is_found |= name == to;
            if seen.len() < MAX_FOLLOWED && !seen.iter().any(|it| it == name) {
                seen.push(name.to_owned());
            }
        });
        if is_found {
            // Another value of the key itself may not look up anything.
            return index.get(to).is_some_and(|files| files.len() == 1);
        }
    }
    false
}

/// Calls `visit` with each key that a value looks up. A path into the value of a key may lead past the recursion.
fn each_lookup(text: &str, value: &DataNode, visit: &mut dyn FnMut(&str, &DataInterpolation<'_>)) {
    value.walk(&mut |node: &DataNode| {
        if !matches!(&node.content, Content::Scalar { text, .. } if text.contains("%{")) {
            return;
        }
        for it in interpolations_of(text, node) {
            if let InterpolationExpression::Lookup(key) | InterpolationExpression::Alias(key) = it.expression
                && !key.contains(['.', '%', '\'', '"'])
            {
                visit(key, &it);
            }
        }
    });
}
