//! puppet-lint configuration in Ruby code, as far as it consists of literals that can be read without running
//! it.

use super::PuppetLintConfiguration;

pub(super) fn read(text: &str, configuration: &mut PuppetLintConfiguration) {
    if !text.contains("PuppetLint") {
        return;
    }
    configuration.is_used = true;
    let text: String = text.lines().map(|it| without_comment(it).to_owned() + "\n").collect();
    for (at, _) in text.match_indices(".send(") {
        send(&text[at + ".send(".len()..], &text[..at], configuration);
    }
    for (at, _) in text.match_indices("configuration.disable_") {
        let name = word(&text[at + "configuration.disable_".len()..]);
        configuration.switches.push((name.to_owned(), false));
    }
    for value in values(&text, "disable_checks") {
        configuration.switches.extend(strings(value).into_iter().map(|name| (name, false)));
    }
    for value in values(&text, "only_checks") {
        configuration.only = Some(strings(value)).filter(|it| !it.is_empty());
    }
    for value in values(&text, "ignore_paths") {
        let paths = strings(value);
        if !paths.is_empty() {
            configuration.ignored_paths = Some(paths.into_iter().flat_map(also_without_folders).collect());
        }
    }
    for value in values(&text, "top_scope_variables") {
        configuration.top_scope_variables = Some(strings(value));
    }
    for value in values(&text, "chars_per_indent") {
        let digits = value.trim_start().split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
        configuration.chars_per_indent = digits.parse().ok().or(configuration.chars_per_indent);
    }
}

/// Folders whose manifests the tasks of `puppetlabs_spec_helper` ignore.
const SPEC_HELPER_IGNORED: [&str; 7] = [".vendor", "bundle", "pkg", "spec", "tests", "types", "vendor"];

/// Checks that the tasks of `puppetlabs_spec_helper` turn off.
const SPEC_HELPER_OFF: [&str; 5] = [
    "80chars",
    "140chars",
    "class_inherits_from_params_class",
    "documentation",
    "single_quote_string_with_variables",
];

/// Folders whose manifests the tasks of `voxpupuli-test` ignore.
const VOX_IGNORED: [&str; 6] = [".vendor", "bundle", "pkg", "spec", "tests", "vendor"];

/// Checks that the tasks of `voxpupuli-test` turn off.
const VOX_OFF: [&str; 3] = ["140chars", "documentation", "single_quote_string_with_variables"];

/// Applies the configuration of the tasks that a `Rakefile` loads.
pub(super) fn read_loaded_tasks(text: &str, configuration: &mut PuppetLintConfiguration) {
    let is_loaded = |library: &str| {
        let lines = text.lines().map(|it| without_comment(it).trim_start());
        lines.filter(|it| it.starts_with("require")).any(|it| strings_of_line(it).any(|name| name == library))
    };
    if is_loaded("voxpupuli/test/rake") {
        configuration.uses_vox_tasks = true;
        read_tasks(&VOX_IGNORED, &VOX_OFF, configuration);
    } else if is_loaded("puppetlabs_spec_helper/rake_tasks") {
        read_tasks_of_spec_helper(configuration);
    }
}

/// Applies the configuration of `puppetlabs_spec_helper`, with lower precedence than what is already known.
pub(super) fn read_tasks_of_spec_helper(configuration: &mut PuppetLintConfiguration) {
    read_tasks(&SPEC_HELPER_IGNORED, &SPEC_HELPER_OFF, configuration);
}

fn read_tasks(ignored: &[&str], off: &[&str], configuration: &mut PuppetLintConfiguration) {
    configuration.is_used = true;
    configuration.switches.splice(0..0, off.iter().map(|it| ((*it).to_owned(), false)));
    let patterns = ignored.iter().map(|it| format!("{it}/**/*.pp")).flat_map(also_without_folders).collect();
    let is_from_tasks = |paths: &Vec<String>| paths.iter().any(|it| it == ".vendor/**/*.pp");
    if configuration.ignored_paths.as_ref().is_none_or(is_from_tasks) {
        configuration.ignored_paths = Some(patterns);
    }
}

/// Returns the quoted strings of a line.
fn strings_of_line(line: &str) -> impl Iterator<Item = &str> {
    line.split(['\'', '"']).skip(1).step_by(2)
}

/// Returns the patterns equivalent to a Rake pattern, in which `**/` also matches no folder at all. In
/// patterns of the `puppet-lint` program, it matches at least one.
pub(super) fn also_without_folders(pattern: String) -> Vec<String> {
    let nearer = pattern.replace("**/", "");
    if nearer == pattern { vec![pattern] } else { vec![pattern, nearer] }
}

/// Reads `send('disable_NAME')`, and in a loop over names `send("disable_#{name}")`.
fn send(call: &str, before: &str, configuration: &mut PuppetLintConfiguration) {
    let argument = call.trim_start().trim_start_matches([':', '\'', '"']);
    let (on, name) = match (argument.strip_prefix("disable_"), argument.strip_prefix("enable_")) {
        (Some(name), _) => (false, name),
        (_, Some(name)) => (true, name),
        _ => return,
    };
    if !name.starts_with("#{") {
        configuration.switches.push((word(name).to_owned(), on));
        return;
    }
    let list = before.rfind(".each").and_then(|each| {
        let before = before[..each].trim_end();
        let open = if before.ends_with(')') { '(' } else { '[' };
        Some(&before[before.rfind(open)?..])
    });
    let Some(list) = list else { return };
    let names = if list.contains(['\'', '"']) { strings(list) } else { words(&list[1..list.len() - 1]) };
    configuration.switches.extend(names.into_iter().map(|name| (name, on)));
}

/// Returns the text after each assignment to a setting.
fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let found = text.match_indices(name).filter_map(|(at, _)| {
        let is_whole = text[..at].ends_with('.');
        let value = text[at + name.len()..].trim_start().strip_prefix('=')?;
        (is_whole && !value.starts_with(['=', '~'])).then(|| value.trim_start())
    });
    found.collect()
}

/// Returns the strings of the literal array at the beginning of `value`; none for anything else.
fn strings(value: &str) -> Vec<String> {
    if let Some(list) = value.strip_prefix("%w").or_else(|| value.strip_prefix("%i")) {
        let close = match list.chars().next() {
            Some('[') => ']',
            Some('(') => ')',
            Some('{') => '}',
            _ => return Vec::new(),
        };
        return list[1..].split(close).next().map(words).unwrap_or_default();
    }
    let Some(list) = value.strip_prefix('[').or_else(|| value.strip_prefix('(')) else { return Vec::new() };
    let mut found = Vec::new();
    let mut rest = list;
    while let Some(at) = rest.find(['\'', '"', ']']) {
        let quote = &rest[at..=at];
        if quote == "]" {
            break;
        }
        let Some((text, after)) = rest[at + 1..].split_once(quote) else { break };
        found.push(text.to_owned());
        rest = after;
    }
    found
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn word(text: &str) -> &str {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default()
}

/// Returns the line without its comment; `#` in quotes does not begin one.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, character) in line.char_indices() {
        match (quote, character) {
            (None, '#') => return &line[..at],
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    line
}
