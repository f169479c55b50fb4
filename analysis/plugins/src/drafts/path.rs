//! Definitions implied by the path of a Ruby file.

use std::sync::Arc;

use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::TypeDraft;
use crate::code::ParsedFile;
use crate::{FunctionApi, Provider, ResourceApi, RubyFile, RubyFunction};

/// Returns the part of a path after the last occurrence of a folder, without `.rb`.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let path = path.strip_suffix(".rb")?;
    let start = match path.rfind(&format!("/{folder}/")) {
        Some(slash) => slash + 1,
        None => path.starts_with(&format!("{folder}/")).then_some(0)?,
    };
    path.get(start + folder.len() + 1..)
}

/// Returns true for files of custom facts.
pub fn is_fact(path: &str) -> bool {
    below(path, "facter").is_some() && !path.contains("/puppet/")
}

/// Marks all definitions as incomplete.
pub fn mark_all_incomplete(file: &mut RubyFile) {
    for function in &mut file.functions {
        function.is_incomplete = true;
    }
    for resource_type in file.resource_types.iter_mut().chain(&mut file.type_additions) {
        Arc::make_mut(resource_type).is_incomplete = true;
    }
}

/// Marks version 3 functions that Puppet rejects. Puppet inspects the source before running it: it must not
/// define methods, and `newfunction` requires parentheses.
pub fn reject_old_functions(source: &ParsedFile, file: &mut RubyFile) {
    let Some(expected) = below(&source.program.path, "puppet/parser/functions") else { return };
    if source.is_malformed {
        return;
    }
    let refusal = match &source.first_method {
        Some(name) => {
            format_smolstr!("its file defines the method `{name}`, which version 3 functions must not do")
        }
        None if source.calls_newfunction => match other_last_function(expected, file) {
            Some(name) => {
                format_smolstr!("the last function that its file defines is `{name}`, not `{expected}`")
            }
            None => return,
        },
        None => SmolStr::new("its file does not call `newfunction(...)` with parentheses"),
    };
    for function in &mut file.functions {
        if matches!(function.api, FunctionApi::V3 { .. }) {
            function.refusal = Some(refusal.clone());
        }
    }
}

/// Returns the last version 3 function of a file if it is not the expected one and the file defines the
/// expected one earlier.
fn other_last_function(expected: &str, file: &RubyFile) -> Option<SmolStr> {
    let mut functions = file.functions.iter().filter(|it| matches!(it.api, FunctionApi::V3 { .. }));
    let is_expected_defined = functions.clone().any(|it| it.name == expected);
    let last = functions.next_back().filter(|it| it.name != expected && !it.is_incomplete)?;
    is_expected_defined.then(|| last.name.clone())
}

/// Returns the reason for which Puppet rejects a file of a version 4 function: it searches the source for a
/// call before running it, and compares the name of the function that the file creates.
fn refusal_of_current_function(expected: &str, text: &str, file: &RubyFile) -> Option<SmolStr> {
    if !text.contains("Puppet::Functions.create_function") {
        return Some(SmolStr::new("its file does not call `Puppet::Functions.create_function`"));
    }
    let mut functions = file.functions.iter().filter(|it| it.api == FunctionApi::V4);
    let only = functions.next()?;
    // Any other call may create the expected one.
    let is_only = functions.next().is_none() && text.matches("create_").count() == 1;
    (is_only && !only.name.eq_ignore_ascii_case(expected))
        .then(|| format_smolstr!("its file defines `{}`, not `{expected}`", only.name))
}

/// Adds the definition that Puppet expects in this file if it is missing, as an incomplete one, and removes
/// those that Puppet would not find there.
pub fn complete(path: &str, text: &str, file: &mut RubyFile) {
    if let Some(name) = below(path, "puppet/parser/functions") {
        if !name.contains('/') && !file.functions.iter().any(|function| function.name == name) {
            let api = FunctionApi::V3 { is_statement: false, arity: -1 };
            file.functions.push(open_function(SmolStr::new(name), api));
        }
    } else if let Some(name) = below(path, "puppet/functions") {
        let name = SmolStr::new(name.replace('/', "::"));
        let refusal = refusal_of_current_function(&name, text, file);
        file.functions.retain(|function| function.api != FunctionApi::V4 || function.name == name);
        if file.functions.is_empty() {
            file.functions.push(RubyFunction { refusal, ..open_function(name, FunctionApi::V4) });
        }
    } else if let Some(name) = below(path, "puppet/type") {
        if !name.contains('/') && !file.resource_types.iter().any(|it| it.name == name) {
            let mut draft = TypeDraft::new(SmolStr::new(name), TextRange::default(), ResourceApi::Classic);
            draft.resource_type.is_incomplete = true;
            file.resource_types.push(Arc::new(draft.resource_type));
        }
    } else if let Some((resource_type, name)) =
        below(path, "puppet/provider").and_then(|it| it.split_once('/'))
        && !name.contains('/')
        && file.providers.is_empty()
    {
        // Not every file there defines a provider; a superfluous name is harmless.
        file.providers.push(Provider {
            resource_type: SmolStr::new(resource_type),
            name: SmolStr::new(name),
            range: TextRange::default(),
            documentation: SmolStr::default(),
        });
    }
}

fn open_function(name: SmolStr, api: FunctionApi) -> RubyFunction {
    RubyFunction {
        name,
        range: TextRange::default(),
        api,
        signatures: Vec::new(),
        is_incomplete: true,
        refusal: None,
        local_types: Vec::new(),
        documentation: SmolStr::default(),
    }
}
