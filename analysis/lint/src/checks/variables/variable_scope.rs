//! `variable_scope`: a variable without a namespace that the class or defined type does not set.

use std::collections::{HashMap, HashSet};

use crate::manifest::{Definition, Manifest};
use crate::report::Report;
use crate::token::Kind;

/// What every scope has.
const ALWAYS: &[&str] = &[
    "name", "title", "module_name", "environment", "clientcert", "clientversion", "servername", "serverip",
    "serverversion", "caller_module_name", "alias", "audit", "before", "loglevel", "noop", "notify", "require",
    "schedule", "stage", "subscribe", "tag", "facts", "trusted", "server_facts",
];

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    // What one definition of the file sets, all behind it may use.
    let mut set: HashSet<&str> = ALWAYS.iter().copied().collect();
    for definition in manifest.definitions() {
        check_definition(manifest, definition, &mut set, report);
    }
}

fn check_definition<'t>(
    manifest: &Manifest<'t>,
    definition: &Definition,
    set: &mut HashSet<&'t str>,
    report: &mut Report,
) {
    let tokens = &manifest.tokens;
    for at in definition.parameters.clone().unwrap_or_default() {
        if tokens.kind(at) == Kind::Variable
            && matches!(tokens.next_code_kind(at), Some(Kind::Comma | Kind::Equal | Kind::RightParen))
        {
            set.insert(tokens.value(at));
        }
    }
    let mut used = Vec::new();
    let mut of_lambdas: HashMap<u32, Vec<&str>> = HashMap::new();
    let mut open_lambda: Option<Vec<&str>> = None;
    for at in definition.tokens() {
        match tokens.kind(at) {
            Kind::Equal => assigned(manifest, at, set),
            Kind::Variable => match &mut open_lambda {
                Some(parameters) => parameters.push(tokens.value(at)),
                None => used.push(at),
            },
            Kind::Pipe => match open_lambda.take() {
                None => open_lambda = Some(Vec::new()),
                Some(parameters) => {
                    let last = end_of_lambda(manifest, at).unwrap_or(definition.end);
                    for line in tokens.line(at)..=tokens.line(last) {
                        of_lambdas.entry(line).or_default().extend(&parameters);
                    }
                }
            },
            _ => {}
        }
    }
    for at in used {
        let value = tokens.value(at);
        let name = without_last_access(value);
        let in_lambda = of_lambdas.get(&tokens.line(at)).is_some_and(|it| it.contains(&name));
        let is_fact = (value.starts_with("facts[") || value.starts_with("trusted[")) && value.ends_with(']');
        let is_match = value.bytes().all(|it| it.is_ascii_digit());
        if !in_lambda && !value.contains("::") && !is_fact && !is_match && !set.contains(name) {
            report.at(at, "a variable of the top scope is used without its namespace");
        }
    }
}

/// The variables that are set by the `=` at `equal`.
fn assigned<'t>(manifest: &Manifest<'t>, equal: usize, set: &mut HashSet<&'t str>) {
    let tokens = &manifest.tokens;
    let Some(before) = tokens.previous_code(equal) else { return };
    if tokens.kind(before) == Kind::Variable {
        set.insert(tokens.value(before));
        return;
    }
    let mut at = Some(before).filter(|&it| tokens.kind(it) == Kind::RightBracket);
    let mut depth = 0;
    while let Some(token) = at {
        match tokens.kind(token) {
            Kind::Variable => {
                set.insert(tokens.value(token));
            }
            Kind::RightBracket => depth += 1,
            Kind::LeftBracket => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            Kind::Comma => {}
            _ => return,
        }
        at = tokens.previous_code(token);
    }
}

/// The brace that ends the lambda whose parameters end at `pipe`.
fn end_of_lambda(manifest: &Manifest, pipe: usize) -> Option<usize> {
    let mut depth = 0;
    (pipe..manifest.tokens.len()).find(|&at| {
        match manifest.tokens.kind(at) {
            Kind::LeftBrace => depth += 1,
            Kind::RightBrace => depth -= 1,
            _ => return false,
        }
        depth == 0 && manifest.tokens.kind(at) == Kind::RightBrace
    })
}

/// The name without the accesses that end it.
fn without_last_access(value: &str) -> &str {
    match value.find('[') {
        Some(bracket) if value.ends_with(']') => &value[..bracket],
        _ => value,
    }
}
