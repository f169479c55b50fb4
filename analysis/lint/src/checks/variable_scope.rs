//! `variable_scope`: a variable without a namespace that the class or defined type does not set.

use std::collections::{HashMap, HashSet};

use crate::manifest::{ClassLike, Manifest};
use crate::report::CheckReport;
use crate::token::TokenKind;

/// Variables of every scope.
const ALWAYS: &[&str] = &[
    "name",
    "title",
    "module_name",
    "environment",
    "clientcert",
    "clientversion",
    "servername",
    "serverip",
    "serverversion",
    "caller_module_name",
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
    "facts",
    "trusted",
    "server_facts",
];

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    // Variables set by one definition of the file may be used by all later ones.
    let mut set: HashSet<&str> = ALWAYS.iter().copied().collect();
    for definition in manifest.definitions() {
        check_definition(manifest, definition, &mut set, report);
    }
}

fn check_definition<'t>(
    manifest: &Manifest<'t>,
    definition: &ClassLike,
    set: &mut HashSet<&'t str>,
    report: &mut CheckReport,
) {
    let tokens = &manifest.tokens;
    for at in definition.parameters.clone().unwrap_or_default() {
        if tokens.kind(at) == TokenKind::Variable
            && matches!(
                tokens.next_code_kind(at),
                Some(TokenKind::Comma | TokenKind::Equal | TokenKind::RightParen)
            )
        {
            set.insert(tokens.value(at));
        }
    }
    let mut used = Vec::new();
    let mut of_lambdas: HashMap<&str, Vec<Lines>> = HashMap::new();
    let mut open_lambda: Option<Vec<&str>> = None;
    for at in definition.tokens() {
        match tokens.kind(at) {
            TokenKind::Equal => assigned(manifest, at, set),
            TokenKind::Variable => match &mut open_lambda {
                Some(parameters) => parameters.push(tokens.value(at)),
                None => used.push(at),
            },
            TokenKind::Pipe => match open_lambda.take() {
                None => open_lambda = Some(Vec::new()),
                Some(parameters) => {
                    let last = tokens.block_after(at).map_or(definition.end, |(_, close)| close);
                    for name in parameters {
                        let known = of_lambdas.entry(name).or_default();
                        let until = known.last().map_or(0, |it| it.until).max(tokens.line(last));
                        known.push(Lines { from: tokens.line(at), until });
                    }
                }
            },
            _ => {}
        }
    }
    for at in used {
        let value = tokens.value(at);
        let name = without_last_access(value);
        let in_lambda = of_lambdas.get(name).is_some_and(|it| is_within(it, tokens.line(at)));
        let is_fact = (value.starts_with("facts[") || value.starts_with("trusted[")) && value.ends_with(']');
        let is_match = value.bytes().all(|it| it.is_ascii_digit());
        if !in_lambda && !value.contains("::") && !is_fact && !is_match && !set.contains(name) {
            report.at(at, "top-scope variable without an explicit namespace");
        }
    }
}

/// Adds the variables that the `=` at `equal` sets.
fn assigned<'t>(manifest: &Manifest<'t>, equal: usize, set: &mut HashSet<&'t str>) {
    let tokens = &manifest.tokens;
    let Some(before) = tokens.previous_code(equal) else { return };
    if tokens.kind(before) == TokenKind::Variable {
        set.insert(tokens.value(before));
        return;
    }
    let mut at = Some(before).filter(|&it| tokens.kind(it) == TokenKind::RightBracket);
    let mut depth = 0;
    while let Some(token) = at {
        match tokens.kind(token) {
            TokenKind::Variable => {
                set.insert(tokens.value(token));
            }
            TokenKind::RightBracket => depth += 1,
            TokenKind::LeftBracket => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            TokenKind::Comma => {}
            _ => return,
        }
        at = tokens.previous_code(token);
    }
}

/// Lines on which a lambda's parameter may be used: from its own line to the last end among the lambdas that
/// begin up to there.
struct Lines {
    from: u32,
    until: u32,
}

fn is_within(known: &[Lines], line: u32) -> bool {
    let begun = known.partition_point(|it| it.from <= line);
    begun > 0 && known[begun - 1].until >= line
}

/// Returns the name without trailing accesses.
fn without_last_access(value: &str) -> &str {
    match value.find('[') {
        Some(bracket) if value.ends_with(']') => &value[..bracket],
        _ => value,
    }
}
