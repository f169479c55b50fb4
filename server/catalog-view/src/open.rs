//! Reasons why results are inconclusive, grouped by cause.

use std::collections::BTreeMap;

/// Minimum number of reasons with the same wording that become a group.
const MIN_SIMILAR: usize = 3;

/// Maximum number of missing modules that are named.
const MAX_NAMED: usize = 5;

/// Advice for reasons, by their wording.
const ADVICE: [(&str, &str); 2] = [
    (
        "name of an included class is unknown",
        "name the node, and set what decides its classes (`--trusted NAME=VALUE`, `--facts FILE`); or choose a \
         class with `--class`",
    ),
    (
        "variable `` is not set in the project",
        "set facts with `--facts FILE`, and variables of a node classifier with `--enc FILE`",
    ),
];

/// A module that is not installed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AbsentModule<'r> {
    pub name: &'r str,
    /// Advice on installing it; `None` if nothing in the project says so.
    pub help: Option<&'r str>,
}

/// Reasons with the same cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenGroup {
    /// Description of the cause.
    pub what: String,
    /// Advice in the imperative.
    pub help: Option<String>,
    /// Indices of the reasons.
    pub reasons: Vec<usize>,
}

/// Cause of a reason.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Cause<'r> {
    /// Modules that are installed in the same way.
    Modules(Option<&'r str>),
    /// Wording without the quoted names.
    Wording(String),
    /// A reason whose wording is rare.
    Single(&'r str),
}

/// Groups reasons, in the order of the first one of each group. `module_of` returns the missing module that a
/// reason is due to.
pub fn grouped<'r>(
    reasons: &[&'r str],
    module_of: impl Fn(&str) -> Option<AbsentModule<'r>>,
) -> Vec<OpenGroup> {
    let mut wordings: BTreeMap<String, usize> = BTreeMap::new();
    reasons.iter().for_each(|it| *wordings.entry(wording(it)).or_default() += 1);
    let mut groups: Vec<OpenGroup> = Vec::new();
    let mut known: BTreeMap<Cause<'r>, usize> = BTreeMap::new();
    let mut modules: BTreeMap<usize, Vec<&'r str>> = BTreeMap::new();
    for (index, reason) in reasons.iter().enumerate() {
        let module = module_of(reason);
        let cause = match &module {
            Some(module) => Cause::Modules(module.help),
            None => match wording(reason) {
                common if wordings.get(&common).is_some_and(|it| *it >= MIN_SIMILAR) => {
                    Cause::Wording(common)
                }
                _ => Cause::Single(reason),
            },
        };
        let position = *known.entry(cause).or_insert_with(|| {
            let help = advice(reason).map(str::to_owned);
            groups.push(OpenGroup { what: (*reason).to_owned(), help, reasons: Vec::new() });
            groups.len() - 1
        });
        groups[position].reasons.push(index);
        if let Some(module) = module {
            let names = modules.entry(position).or_default();
            if !names.contains(&module.name) {
                names.push(module.name);
            }
            let noun = if names.len() == 1 { "install the module" } else { "install the modules" };
            groups[position].help = Some(installation(module.help.unwrap_or(noun), names.len()));
        }
    }
    for (position, group) in groups.iter_mut().enumerate() {
        let others = group.reasons.len() - 1;
        group.what = match modules.get(&position) {
            Some(names) if names.len() > 1 => missing_modules(names),
            Some(names) if others > 0 => {
                format!("{}, and {others} more of module `{}`", group.what, names[0])
            }
            None if others > 0 => format!("{}, and {others} similar", group.what),
            _ => continue,
        };
    }
    groups
}

/// Names several missing modules, at most [`MAX_NAMED`].
fn missing_modules(names: &[&str]) -> String {
    let named: Vec<String> = names.iter().take(MAX_NAMED).map(|it| format!("`{it}`")).collect();
    let others = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    format!("modules {}{others} not found", named.join(", "))
}

/// Returns how to make missing modules available. `help` says how to install them.
pub fn installation(help: &str, count: usize) -> String {
    let possessive = if count == 1 { "its" } else { "their" };
    format!("{help}, or add {possessive} folder with `--modulepath`")
}

/// Returns how to make a value known that is unknown without more input.
fn advice(reason: &str) -> Option<&'static str> {
    let wording = wording(reason);
    ADVICE.iter().find(|(known, _)| *known == wording).map(|(_, advice)| *advice)
}

/// Returns the wording of a reason without the names that it quotes.
fn wording(reason: &str) -> String {
    reason.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
