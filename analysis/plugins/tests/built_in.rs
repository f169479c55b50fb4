//! Comparison of the built-in data with a real Puppet and Facter (`tests/conformance/built_in.rb`).

use std::collections::BTreeSet;
use std::path::Path;

use plugins::built_in::{self, Fact};
use plugins::{ResourceAttribute, ResourceAttributeKind, TitlePatterns};

fn recorded() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/built_in.tsv");
    let text = std::fs::read_to_string(path).expect("the table is in the repository");
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn rows<'a>(recorded: &'a [Vec<String>], word: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    let of_word = recorded.iter().filter(move |row| row[0] == word);
    of_word.map(|row| row[1..].iter().map(String::as_str).collect())
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(' ').filter(|it| !it.is_empty()).collect()
}

fn set<'a, T: AsRef<str> + 'a>(items: impl IntoIterator<Item = &'a T>) -> BTreeSet<&'a str> {
    items.into_iter().map(AsRef::as_ref).collect()
}

#[test]
fn resource_types_match_puppet() {
    let recorded = recorded();
    let mut differences = Vec::new();
    for row in rows(&recorded, "type") {
        let [name, module, features, providers, more @ ..] = row.as_slice() else { panic!("{row:?}") };
        let Some(ty) = built_in::resource_type(name) else {
            differences.push(format!("{name} is missing"));
            continue;
        };
        let mut differ = |what: &str, is_equal: bool| {
            if !is_equal {
                differences.push(format!("{name}: {what}"));
            }
        };
        differ("module", built_in::module_of_resource_type(name).unwrap_or("-") == *module);
        differ("is core", built_in::is_core_resource_type(name) == (*module == "-"));
        let known_features = set(ty.features.iter().map(|it| &it.name));
        differ("features", known_features == words(features.trim_start_matches("features")));
        differ(
            "title patterns",
            (ty.title_patterns != TitlePatterns::Usual) == more.contains(&"title_patterns"),
        );
        let provider = ty.attributes.iter().find(|it| it.name == "provider");
        let known_providers = provider.map(|it| set(&it.values)).unwrap_or_default();
        differ("providers", known_providers == words(providers.trim_start_matches("providers")));
        let real: BTreeSet<&str> =
            rows(&recorded, "attribute").filter(|row| row[0] == *name).map(|row| row[1]).collect();
        for extra in set(ty.attributes.iter().map(|it| &it.name)).difference(&real) {
            differ(&format!("{extra} is no attribute"), false);
        }
    }
    for row in rows(&recorded, "attribute") {
        let (owner, name) = (row[0], row[1]);
        let known = match owner {
            "metaparameter" => built_in::metaparameter(name),
            _ => {
                built_in::resource_type(owner).and_then(|ty| ty.attributes.iter().find(|it| it.name == name))
            }
        };
        match known {
            Some(attribute) => {
                let found = differences_of(attribute, &row[2..]);
                differences.extend(found.into_iter().map(|it| format!("{owner} {name}: {it}")));
            }
            None => differences.push(format!("{owner} {name} is missing")),
        }
    }
    for attribute in built_in::metaparameters() {
        let is_real =
            rows(&recorded, "attribute").any(|row| row[0] == "metaparameter" && row[1] == attribute.name);
        assert!(is_real, "{} is not a metaparameter", attribute.name);
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Columns of a row: kind and flags, values, aliases, patterns, required features.
fn differences_of(attribute: &ResourceAttribute, row: &[&str]) -> Vec<String> {
    let [flags, values, aliases, patterns, needs] = row else { panic!("{row:?}") };
    let flags = words(flags);
    let mut differences = Vec::new();
    let mut differ = |what: &str, is_equal: bool| {
        if !is_equal {
            differences.push(what.to_owned());
        }
    };
    let kind = if flags.contains("property") {
        ResourceAttributeKind::Property
    } else {
        ResourceAttributeKind::Parameter
    };
    differ("kind", attribute.kind == kind);
    differ("name variable", attribute.is_name_variable == flags.contains("namevar"));
    differ("closed", attribute.values_are_closed == flags.contains("closed"));
    differ("array", attribute.takes_array || !flags.contains("array"));
    // Our data may list useful values where Puppet lists none; providers have a separate test.
    let may_list_more = values.is_empty() && patterns.is_empty() && !attribute.values_are_closed;
    differ("values", set(&attribute.values) == words(values) || may_list_more);
    let known_aliases: BTreeSet<String> =
        attribute.value_aliases.iter().map(|(spelling, value)| format!("{spelling}={value}")).collect();
    differ("aliases", set(&known_aliases) == words(aliases));
    differ("patterns", set(&attribute.value_patterns) == words(patterns));
    differ("features", set(&attribute.required_features) == words(needs));
    differences
}

/// Returns the fact, or the element of one, at a path like `os.release.full`.
fn at_path(path: &str) -> Option<&'static Fact> {
    let mut parts = path.split('.');
    let mut fact = built_in::fact(parts.next()?)?;
    for part in parts {
        let named = |name: &str| fact.parts.iter().find(|it| it.name == name);
        fact = named(part).or_else(|| named("*"))?;
    }
    Some(fact)
}

#[test]
fn facts_match_facter() {
    let recorded = recorded();
    let mut differences = Vec::new();
    for row in rows(&recorded, "fact") {
        let any = if row[0].starts_with("ssh") { "rsa" } else { "1" };
        let (name, is_legacy) = (row[0].replace(".*", any), row[1] == "legacy");
        match at_path(&name) {
            Some(fact) if fact.is_legacy != is_legacy => differences.push(format!("{name}: legacy")),
            Some(_) => {}
            None => differences.push(format!("{name} is missing")),
        }
        let replacement = built_in::replacement_of_legacy_fact(&name);
        // Some legacy facts replace others.
        let target = row.get(2).filter(|it| at_path(it).is_some_and(|fact| !fact.is_legacy));
        let path: String = target.iter().flat_map(|it| it.split('.')).map(|it| format!("['{it}']")).collect();
        if let Some(replacement) = replacement.filter(|it| !it.starts_with(&format!("$facts{path}"))) {
            differences.push(format!("{name} replaces {path}, not {replacement}"));
        }
    }
    for fact in built_in::facts().iter().filter(|it| it.is_legacy) {
        let is_real = rows(&recorded, "fact").any(|row| match row[0].split_once(".*") {
            Some((start, end)) => fact.name.starts_with(start) && fact.name.ends_with(end),
            None => fact.name == row[0],
        });
        if !is_real {
            differences.push(format!("{} is no legacy fact", fact.name));
        }
        let replaced = fact.replacement.as_deref().and_then(access_path);
        if let Some(path) = replaced.filter(|path| at_path(path).is_none()) {
            differences.push(format!("{} is replaced by {path}, which is not known", fact.name));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Converts `$facts['os']['family']` to `os.family`, up to the first key that is not a literal.
fn access_path(access: &str) -> Option<String> {
    let keys = access.strip_prefix("$facts")?.split("['").skip(1);
    let keys: Vec<&str> = keys.filter_map(|it| it.split_once("']").map(|(key, _)| key)).collect();
    Some(keys.join("."))
}

#[test]
fn recorded_facts_match_their_types() {
    let mut count = 0;
    let mut differences = Vec::new();
    for row in rows(&recorded(), "value") {
        let (path, real_type) = (row[0], row[1]);
        // The recorded machine also has facts of modules.
        if built_in::fact(path.split('.').next().unwrap_or(path)).is_none() {
            continue;
        }
        count += 1;
        let Some(fact) = at_path(path) else {
            differences.push(format!("{path} is missing"));
            continue;
        };
        let text = fact.type_text.strip_prefix("Optional[").unwrap_or(&fact.type_text);
        let fits = text.starts_with(real_type)
            || text.starts_with("Any")
            || text.starts_with("Variant[") && text.contains(real_type);
        if !fits {
            differences.push(format!("{path} is {real_type}, not {}", fact.type_text));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(count > 150, "only {count} facts were checked");
}
