//! Compares the definitions that we read from Ruby files with those of real Puppet: `plugins [DIR
//! [LIB]]`.
//!
//! DIR is the output folder of `fetch-corpus.sh` (default `target/corpus`), LIB the folder above
//! Puppet's own `puppet/` (default `/usr/lib/ruby/vendor_ruby`; skipped if missing). Prints a line
//! for each difference, then the rate of agreement. Exits with 1 if a complete definition differs,
//! or if too many are incomplete.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use plugins::{
    FunctionApi, ParameterKind, ResourceAttribute, ResourceAttributeKind, RubyFile, RubyFunction,
    RubyResourceType, TitlePatterns, WrittenSignature,
};
use types::NoTypes;
use types::parse::parse_type;

/// Maximum percentage of incomplete definitions.
const MAX_INCOMPLETE_PERCENT: usize = 2;

/// Ruby files of one module and the definitions read from them, by path.
struct Module {
    files: BTreeMap<String, RubyFile>,
}

/// Counts of the comparison.
#[derive(Default)]
struct Tally {
    /// Attributes whose values Puppet restricts to its list, although we treat the list as
    /// incomplete.
    not_closed: usize,
    equal: usize,
    open: usize,
    differences: Vec<String>,
}

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut arguments = std::env::args().skip(1);
    let corpus =
        arguments.next().map_or_else(|| here.join("../../target/corpus"), PathBuf::from).join("modules");
    let own = arguments.next().unwrap_or_else(|| "/usr/lib/ruby/vendor_ruby".to_owned());
    let recorded = match std::fs::read_to_string(here.join("plugins.tsv")) {
        Ok(recorded) => recorded,
        Err(error) => {
            eprintln!("plugins.tsv: {error}");
            return ExitCode::from(2);
        }
    };
    let rows: Vec<Vec<&str>> = recorded.lines().map(|line| line.split('\t').collect()).collect();
    let names: BTreeSet<&str> =
        rows.iter().filter(|row| row.len() > 2 && is_head(row[0])).map(|row| row[1]).collect();
    let texts: BTreeMap<&str, BTreeMap<String, String>> = names
        .into_iter()
        .map(|name| {
            let folder = if name == "puppet" { PathBuf::from(&own) } else { corpus.join(name).join("lib") };
            (name, ruby_files(&folder))
        })
        .filter(|(_, files)| !files.is_empty())
        .collect();
    let start = Instant::now();
    let modules: BTreeMap<&str, Module> =
        texts.iter().map(|(name, files)| (*name, read_module(files, &texts))).collect();
    let elapsed = start.elapsed();
    let mut tally = Tally::default();
    let mut index = 0;
    while index < rows.len() {
        let head = &rows[index];
        let end = (index + 1..rows.len()).find(|next| is_head(rows[*next][0])).unwrap_or(rows.len());
        if let Some(module) = head.get(1).and_then(|name| modules.get(name)) {
            compare(module, head, &rows[index + 1..end], &mut tally);
        }
        index = end;
    }
    for difference in &tally.differences {
        println!("{difference}");
    }
    let count = texts.values().map(BTreeMap::len).sum::<usize>();
    let bytes = texts.values().flat_map(BTreeMap::values).map(String::len).sum::<usize>();
    let (equal, open, differ) = (tally.equal, tally.open, tally.differences.len());
    println!("{count} files, {} KiB, read in {} ms", bytes / 1024, elapsed.as_millis());
    println!("{} definitions: {equal} agree, {open} are open, {differ} differ", equal + open + differ);
    println!("{} attributes have closed values that we take for open", tally.not_closed);
    let is_fine = differ == 0 && equal > 1000 && open * 100 <= MAX_INCOMPLETE_PERCENT * (equal + open);
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_head(word: &str) -> bool {
    matches!(word, "function4" | "function3" | "type" | "provider" | "fact" | "open")
}

/// Returns the contents of the files below `folder/puppet`, `folder/facter`, and so on, by their
/// paths relative to `lib`.
fn ruby_files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders: Vec<PathBuf> =
        ["puppet", "facter", "puppet_x", "puppetx"].iter().map(|it| folder.join(it)).collect();
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rb")
                && let (Ok(below), Ok(text)) = (path.strip_prefix(folder), std::fs::read_to_string(&path))
            {
                files.insert(format!("lib/{}", below.display()), text);
            }
        }
    }
    files
}

/// Reads all files of a module, including the files that they require from this module or others.
fn read_module(files: &BTreeMap<String, String>, all: &BTreeMap<&str, BTreeMap<String, String>>) -> Module {
    let find = |path: &str| files.get(path).or_else(|| all.values().find_map(|files| files.get(path)));
    let mut read = BTreeMap::new();
    for (path, text) in files {
        let mut file = ruby::read_declarations(path, text);
        let mut required: BTreeMap<String, &str> = BTreeMap::new();
        // Required files may require more files.
        for _ in 0..4 {
            let before = required.len();
            for it in &file.requires {
                let path = format!("lib/{it}");
                if let Some(text) = find(&path) {
                    required.insert(path, text);
                }
            }
            if required.len() == before {
                break;
            }
            let required: Vec<(&str, &str)> =
                required.iter().map(|(path, text)| (path.as_str(), *text)).collect();
            file = ruby::read_declarations_with(path, text, &required);
        }
        read.insert(path.clone(), file);
    }
    Module { files: read }
}

fn compare(module: &Module, head: &[&str], rows: &[Vec<&str>], tally: &mut Tally) {
    let found = match head {
        ["function4", _, path, name] => {
            function(module, path, name).map(|it| (it.is_incomplete, function4(it, rows)))
        }
        ["function3", _, path, name, kind, arity] => {
            let api =
                FunctionApi::V3 { is_statement: *kind == "statement", arity: arity.parse().unwrap_or(0) };
            function(module, path, name).map(|it| (it.is_incomplete, differ(it.api == api, "kind or arity")))
        }
        ["type", _, name, words @ ..] => resource_type(module, name).map(|it| {
            let is_incomplete = it.is_incomplete;
            tally.not_closed += not_closed(&it, rows);
            (is_incomplete, compare_type(&it, words, rows))
        }),
        ["provider", _, path, resource_type, name] => module.files.get(*path).and_then(|file| {
            let mut providers = file.providers.iter();
            let it = providers.find(|it| it.name == *name && it.resource_type == *resource_type)?;
            Some((it.range.is_empty(), Vec::new()))
        }),
        ["fact", _, path, name] => module
            .files
            .get(*path)
            .and_then(|file| file.facts.iter().find(|it| it.name == *name))
            .map(|_| (false, Vec::new())),
        _ => return,
    };
    match found {
        None => tally.differences.push(format!("{}: missing", head.join(" "))),
        Some((true, _)) => {
            println!("{}: open", head.join(" "));
            tally.open += 1;
        }
        Some((false, differences)) if differences.is_empty() => tally.equal += 1,
        Some((false, differences)) => {
            tally.differences.push(format!("{}: {}", head.join(" "), differences.join("; ")));
        }
    }
}

fn differ(is_equal: bool, what: &str) -> Vec<String> {
    if is_equal { Vec::new() } else { vec![what.to_owned()] }
}

fn function<'a>(module: &'a Module, path: &str, name: &str) -> Option<&'a RubyFunction> {
    module.files.get(path)?.functions.iter().find(|it| it.name == name)
}

/// Returns the type with this name, including the additions of other files of the module.
fn resource_type(module: &Module, name: &str) -> Option<RubyResourceType> {
    let all = module.files.values();
    let own = all.clone().flat_map(|file| &file.resource_types).find(|it| it.name == name)?;
    let additions = all.flat_map(|file| &file.type_additions).filter(|it| it.name == name);
    Some(plugins::with_additions(own, additions.map(AsRef::as_ref)))
}

fn function4(function: &RubyFunction, rows: &[Vec<&str>]) -> Vec<String> {
    let dispatches: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == "dispatch").collect();
    if dispatches.len() != function.signatures.len() {
        return vec![format!("{} dispatches, not {}", function.signatures.len(), dispatches.len())];
    }
    let mut differences = Vec::new();
    for (row, signature) in dispatches.iter().zip(&function.signatures) {
        let [_, names, block, callable] = row[..] else { return vec!["malformed row".to_owned()] };
        let names: Vec<&str> = names.split(' ').filter(|it| !it.is_empty()).collect();
        let mut ours: Vec<&str> = signature.parameters.iter().map(|it| it.name.as_str()).collect();
        // A legacy form of dispatch prepends the scope, which callers do not pass.
        let has_scope = names.len() == ours.len() + 1 && names[0] == "scope";
        if has_scope {
            ours.insert(0, "scope");
        }
        // Without a dispatch, Puppet also lists the block of the method.
        let is_same =
            names == ours || (names.len() == ours.len() + 1 && callable_of_any(signature) == callable);
        if !is_same {
            differences.push(format!("parameters {ours:?}, not {names:?}"));
        }
        let our_block = signature.block.as_ref().map_or("", |it| it.name.as_str());
        if our_block != block {
            differences.push(format!("block {our_block}, not {block}"));
        }
        let text = callable_text(signature, has_scope);
        let (ours, theirs) = (normalize_type(&text), normalize_type(callable));
        if ours != theirs && callable_of_any(signature) != callable {
            differences.push(format!("{ours}, not {theirs}"));
        }
    }
    differences
}

/// Normalizes a type to the form that we print.
fn normalize_type(text: &str) -> String {
    parse_type(text, &NoTypes).map_or_else(|error| format!("{text} ({error})"), |it| it.to_string())
}

fn bounds(signature: &WrittenSignature) -> (usize, Option<usize>) {
    let required = |kind| matches!(kind, ParameterKind::Required | ParameterKind::RequiredRepeated);
    let repeated = |kind| matches!(kind, ParameterKind::Repeated | ParameterKind::RequiredRepeated);
    let min = signature.parameters.iter().filter(|it| required(it.kind)).count();
    let is_endless = signature.parameters.iter().any(|it| repeated(it.kind));
    (min, (!is_endless).then_some(signature.parameters.len()))
}

/// Returns the type of a function without dispatch in Puppet's notation.
fn callable_of_any(signature: &WrittenSignature) -> String {
    match bounds(signature) {
        (0, Some(0)) => "Callable[0, 0]".to_owned(),
        (min, Some(max)) => format!("Callable[Any, {min}, {max}]"),
        (min, None) => format!("Callable[Any, {min}]"),
    }
}

fn callable_text(signature: &WrittenSignature, has_scope: bool) -> String {
    let mut parts: Vec<String> = signature.parameters.iter().map(|it| it.type_text.to_string()).collect();
    let (mut min, mut max) = bounds(signature);
    if has_scope {
        parts.insert(0, "Any".to_owned());
        (min, max) = (min + 1, max.map(|max| max + 1));
    }
    if max != Some(min) || min == 0 {
        parts.push(min.to_string());
        parts.push(max.map_or("default".to_owned(), |max| max.to_string()));
    }
    if let Some(block) = &signature.block {
        let text = &block.type_text;
        parts.push(if block.is_required { text.to_string() } else { format!("Optional[{text}]") });
    }
    let parts = parts.join(", ");
    match &signature.return_type {
        Some(result) => format!("Callable[[{parts}], {result}]"),
        None => format!("Callable[{parts}]"),
    }
}

fn list(text: &str) -> BTreeSet<&str> {
    if text.is_empty() {
        BTreeSet::new()
    } else {
        text.split(" | ").map(|it| if it == "''" { "" } else { it }).collect()
    }
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(' ').filter(|it| !it.is_empty()).collect()
}

fn compare_type(resource_type: &RubyResourceType, head: &[&str], rows: &[Vec<&str>]) -> Vec<String> {
    let mut differences = Vec::new();
    let features: BTreeSet<&str> = resource_type.features.iter().map(|it| it.name.as_str()).collect();
    let recorded = head.first().map_or("", |it| it.trim_start_matches("features"));
    if features != words(recorded) {
        differences.push(format!("features {features:?}, not {recorded}"));
    }
    if (resource_type.title_patterns != TitlePatterns::Usual) != head.contains(&"title_patterns") {
        differences.push("title patterns".to_owned());
    }
    let rows: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == "attribute").collect();
    let theirs: BTreeSet<&str> = rows.iter().map(|row| row[1]).collect();
    let mut ours: BTreeSet<&str> = resource_type.attributes.iter().map(|it| it.name.as_str()).collect();
    // Other files decide whether Puppet adds it, so it is not recorded.
    ours.remove("provider");
    if theirs != ours {
        let missing: Vec<_> = theirs.difference(&ours).collect();
        let extra: Vec<_> = ours.difference(&theirs).collect();
        differences.push(format!("attributes missing {missing:?}, extra {extra:?}"));
    }
    for row in rows {
        if let Some(attribute) = resource_type.attributes.iter().find(|it| it.name == row[1]) {
            let found = compare_attribute(attribute, &row[2..]);
            differences.extend(found.into_iter().map(|it| format!("{}: {it}", attribute.name)));
        }
    }
    differences
}

fn not_closed(resource_type: &RubyResourceType, rows: &[Vec<&str>]) -> usize {
    let closed = rows.iter().filter(|row| row[0] == "attribute" && words(row[2]).contains("closed"));
    let ours = |row: &&Vec<&str>| {
        resource_type.attributes.iter().any(|it| it.name == row[1] && !it.values_are_closed)
    };
    closed.filter(ours).count()
}

/// Compares an attribute with a row: kind and flags, values, aliases, patterns, required features.
fn compare_attribute(attribute: &ResourceAttribute, row: &[&str]) -> Vec<String> {
    let [flags, values, aliases, patterns, needs] = row else {
        return vec!["malformed row".to_owned()];
    };
    let flags = words(flags);
    let mut differences = Vec::new();
    let kind = if flags.contains("property") {
        ResourceAttributeKind::Property
    } else {
        ResourceAttributeKind::Parameter
    };
    differences.extend(differ(attribute.kind == kind, "kind"));
    differences.extend(differ(attribute.is_name_variable == flags.contains("namevar"), "name variable"));
    let takes_array = kind == ResourceAttributeKind::Property && attribute.takes_array;
    differences.extend(differ(takes_array == flags.contains("array"), "array"));
    differences.extend(differ(!attribute.values_are_closed || flags.contains("closed"), "closed"));
    let ours: BTreeSet<&str> = attribute.values.iter().map(AsRef::as_ref).collect();
    let ours_is_enough = |ours: &BTreeSet<&str>, theirs: &BTreeSet<&str>| {
        // An open list may contain fewer values, and useful ones if Puppet itself lists none.
        ours == theirs || (!attribute.values_are_closed && (ours.is_subset(theirs) || theirs.is_empty()))
    };
    if !ours_is_enough(&ours, &list(values)) {
        differences.push(format!("values {ours:?}, not {values}"));
    }
    let ours: BTreeSet<String> =
        attribute.value_aliases.iter().map(|(spelling, value)| format!("{spelling}={value}")).collect();
    let ours: BTreeSet<&str> = ours.iter().map(String::as_str).collect();
    differences.extend(differ(ours == list(aliases), "aliases"));
    let ours: Vec<&str> = attribute.value_patterns.iter().map(AsRef::as_ref).collect();
    let ours = ours.join(" | ").split_whitespace().collect::<Vec<_>>().join(" ");
    if attribute.values_are_closed && ours != patterns.trim() {
        differences.push(format!("patterns {ours}, not {patterns}"));
    }
    let ours: BTreeSet<&str> = attribute.required_features.iter().map(AsRef::as_ref).collect();
    differences.extend(differ(ours == list(needs), "features"));
    differences
}
