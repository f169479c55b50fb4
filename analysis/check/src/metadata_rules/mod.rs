//! Findings in `metadata.json`: what Puppet and module installers require.

pub(crate) mod bounds;
pub(crate) mod quality;
pub(crate) mod similar;

use codes::{Code, DowngradeReason};
use hiera::DataFindingKind;
use hiera::data::{Content, DataEntry, DataNode};
use plugins::built_in::metadata::{self as known_metadata, MetadataKey, MetadataShape};
use project::{Db, File, FileRole, ModuleMetadata, short_module_name};
use scalars::semver::{Version, VersionRange};
use syntax::{Severity, TextRange};
use types::Value;

use self::quality::INVALID_ESCAPE;
use self::similar::is_similar;
use crate::task_rules::misnamed_tasks;
use crate::{Diagnostic, FixData};

/// Keys without which Puppet ignores the module.
const REQUIRED_BY_PUPPET: [&str; 5] = ["source", "author", "version", "license", "dependencies"];

/// Returns the findings in a `metadata.json`.
pub(crate) fn metadata_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if file.is_large(db) || !file.contents(db).has_text() {
        return Vec::new();
    }
    let metadata = project::module_metadata(db, file);
    let mut found = Vec::new();
    syntax(metadata, &mut found);
    let Some(root) = &metadata.data.root else { return found };
    let is_whole = found.iter().all(|it| it.code != Code::MetadataSyntax);
    if !matches!(root.content, Content::Mapping(_)) {
        if is_whole {
            // Puppet treats an empty array like a missing file.
            let is_empty = matches!(&root.content, Content::Sequence(elements) if elements.is_empty());
            let severity = if is_empty { Severity::Warning } else { Severity::Error };
            let message = "expected a JSON object";
            found.push(
                Diagnostic::new(Code::MetadataValue, root.range, message)
                    .downgraded(DowngradeReason::Tolerated, severity),
            );
        }
        return found;
    }
    keys_of(root, known_metadata::keys(), &mut found);
    if is_whole {
        missing_keys(root, &mut found);
    }
    if let Some(name) = metadata.name() {
        let problem = check_module_name(&name.text).or_else(|| quality::unconventional_name(&name.text));
        found.extend(problem.map(|it| Diagnostic::new(Code::MetadataName, name.range, it)));
    }
    if let Some(version) = metadata.version()
        && Version::parse(&version.text).is_err()
    {
        let problem = format!("`{}` is not a semantic version", version.text);
        let message = codes::with_help(problem, "use a version such as `1.2.3`");
        found.push(Diagnostic::new(Code::MetadataVersion, version.range, message));
    }
    for key in known_metadata::keys().iter().filter(|it| !it.keys.is_empty()) {
        elements(root, key, &mut found);
    }
    dependencies(db, file, metadata, &mut found);
    if let FileRole::Module { module, .. } = file.role(db) {
        let start = TextRange::new(root.range.start, root.range.start + 1);
        misnamed_tasks(db, *module, start, &mut found);
    }
    if is_whole {
        quality::check(root, &mut found);
        bounds::check(db, file, root, &mut found);
        let text = project::text(db, file);
        for range in text.iter().flat_map(|it| quality::invalid_escapes(it)) {
            found.push(
                Diagnostic::new(Code::MetadataValue, range, INVALID_ESCAPE)
                    .downgraded(DowngradeReason::Tolerated, Severity::Warning),
            );
        }
    }
    found
}

fn syntax(metadata: &ModuleMetadata, found: &mut Vec<Diagnostic>) {
    for finding in &metadata.data.findings {
        let diagnostic = match finding.kind {
            DataFindingKind::DuplicateKey => {
                Diagnostic::new(Code::MetadataDuplicate, finding.range, &*finding.message)
            }
            _ => Diagnostic::new(Code::MetadataSyntax, finding.range, &*finding.message),
        };
        found.push(diagnostic);
    }
}

/// Reports unknown keys, and values of the wrong type.
fn keys_of(node: &DataNode, known: &[MetadataKey], found: &mut Vec<Diagnostic>) {
    for DataEntry { key, value } in node.entries() {
        let Some(name) = key.value.as_str() else { continue };
        if let Some(known) = known.iter().find(|known| known.name == name) {
            if !has_shape(value, known.shape) && !value.value.is_undef() {
                let message = format!("`{name}` must be {}", describe_shape(known.shape));
                found.push(
                    Diagnostic::new(Code::MetadataValue, value.range, message)
                        .downgraded(DowngradeReason::Tolerated, severity_of(name)),
                );
            }
            if known.name == "data_provider" && !value.value.is_undef() {
                let message = codes::with_help(
                    "`data_provider` is deprecated",
                    "add a `hiera.yaml` with `version: 5` to the module",
                );
                found.push(Diagnostic::new(Code::Deprecation, key.range, message));
            }
            continue;
        }
        // Reported as obsolete.
        if matches!(name, "checksum" | "version_range") {
            continue;
        }
        let similar = known.iter().find(|it| is_similar(name, it.name));
        let problem = format!("unknown key `{name}`");
        let message = match similar {
            Some(it) => codes::with_help(problem, format!("did you mean `{}`?", it.name)),
            None => problem,
        };
        let mut diagnostic = Diagnostic::new(Code::MetadataUnknownKey, key.range, message);
        diagnostic.data = similar
            .map(|it| FixData::ReplaceWith { range: key.range, text: format!("\"{}\"", it.name).into() });
        found.push(diagnostic);
    }
}

fn has_shape(node: &DataNode, shape: MetadataShape) -> bool {
    match shape {
        MetadataShape::Text => matches!(node.value, Value::String(_)),
        MetadataShape::List => matches!(node.content, Content::Sequence(_)),
        MetadataShape::Any => true,
    }
}

fn describe_shape(shape: MetadataShape) -> &'static str {
    match shape {
        MetadataShape::Text => "a string",
        MetadataShape::List => "an array",
        MetadataShape::Any => "any value",
    }
}

/// Returns `Error` for keys that Puppet itself reads.
fn severity_of(key: &str) -> Severity {
    match key {
        "dependencies" | "name" => Severity::Error,
        _ => Severity::Warning,
    }
}

fn missing_keys(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let start = TextRange::new(root.range.start, root.range.start + 1);
    let is_present = |key: &str| root.entry(key).is_some_and(|entry| !entry.value.value.is_undef());
    let missing = REQUIRED_BY_PUPPET.into_iter().filter(|key| !is_present(key));
    let missing: Vec<String> = missing.map(|key| format!("`{key}`")).collect();
    // Puppet treats an empty object like a missing file.
    if !missing.is_empty() && !root.entries().is_empty() {
        let noun = if missing.len() == 1 { "key" } else { "keys" };
        let message = format!("missing {noun} {}; Puppet ignores the module", missing.join(", "));
        found.push(Diagnostic::new(Code::MetadataMissingKey, start, message));
    }
    if !is_present("name") {
        let message = codes::with_help("missing key `name`", "add `\"name\": \"AUTHOR-MODULE\"`");
        found.push(
            Diagnostic::new(Code::MetadataMissingKey, start, message)
                .downgraded(DowngradeReason::Tolerated, Severity::Warning),
        );
    }
}

/// Checks an array of objects that have a name and possibly a version range.
fn elements(root: &DataNode, key: &MetadataKey, found: &mut Vec<Diagnostic>) {
    let Some(list) = root.entry(key.name) else { return };
    for element in list.value.elements() {
        if !matches!(element.content, Content::Mapping(_)) {
            let message = format!("each element of `{}` must be an object", key.name);
            found.push(
                Diagnostic::new(Code::MetadataValue, element.range, message)
                    .downgraded(DowngradeReason::Tolerated, severity_of(key.name)),
            );
            continue;
        }
        keys_of(element, &key.keys, found);
        let name = key.keys.first().map_or("name", |it| it.name);
        if element.entry(name).is_none() {
            let start = TextRange::new(element.range.start, element.range.start + 1);
            found.push(
                Diagnostic::new(Code::MetadataMissingKey, start, format!("missing key `{name}`"))
                    .downgraded(DowngradeReason::Tolerated, Severity::Warning),
            );
        }
        if let Some(requirement) = element.entry("version_requirement")
            && let Some(text) = requirement.value.value.as_str()
        {
            found.extend(version_range(text, requirement.value.range));
        }
    }
}

/// Checks a version range.
fn version_range(text: &str, range: TextRange) -> Option<Diagnostic> {
    let message = match VersionRange::parse(text) {
        Err(error) => {
            codes::with_help(error.to_string(), "use a form such as `>= 1.2.0 < 2.0.0`, `1.x` or `1.2.3`")
        }
        Ok(parsed) if parsed.is_empty() => format!("no version is in the range `{text}`"),
        Ok(_) if quality::mixes_notations(text) => codes::with_help(
            format!("range `{text}` has an operator and a wildcard, which tools interpret differently"),
            "write the numbers, such as `>= 1.2.0 < 2.0.0`",
        ),
        Ok(_) => return None,
    };
    Some(Diagnostic::new(Code::MetadataVersion, range, message))
}

fn dependencies(db: &dyn Db, file: File, metadata: &ModuleMetadata, found: &mut Vec<Diagnostic>) {
    let own_name = metadata.name().map(|it| short_module_name(&it.text));
    let modules = match file.role(db) {
        FileRole::Module { .. } => file.environments(db).first().map(|it| it.modules(db)),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    let all = metadata.dependencies();
    for (index, dependency) in all.iter().enumerate() {
        let (name, range) = (&dependency.name.text, dependency.name.range);
        if let Some(finding) = check_module_name(name) {
            found.push(Diagnostic::new(Code::MetadataName, range, finding));
            continue;
        }
        let module = dependency.module();
        if let Some(first) =
            all[..index].iter().find(|it| it.name.text.replace('/', "-") == name.replace('/', "-"))
        {
            let message = format!("duplicate dependency `{module}`");
            let diagnostic = Diagnostic::new(Code::MetadataDuplicate, range, message);
            found.push(diagnostic.with_related(first.name.range, "first declared here"));
        } else if own_name.as_ref() == Some(&module)
            && metadata.name().is_some_and(|it| it.text.replace('/', "-") == name.replace('/', "-"))
        {
            found.push(Diagnostic::new(Code::MetadataName, range, "module depends on itself"));
        }
        let Some(installed) = modules.and_then(|modules| modules.get(&module)) else { continue };
        let Some(requirement) = &dependency.version_requirement else { continue };
        let Some(other) = project::metadata_file(db, *installed) else { continue };
        let Some(version) = project::module_metadata(db, other).version() else { continue };
        if let (Ok(range), Ok(parsed)) =
            (VersionRange::parse(&requirement.text), Version::parse(&version.text))
            && !range.includes(&released(&parsed))
        {
            let message = format!("installed version {} of `{module}` is not in this range", version.text);
            let diagnostic = Diagnostic::new(Code::MetadataOtherVersion, requirement.range, message);
            found.push(diagnostic.with_related_in(
                other.path(db).clone(),
                version.range,
                "installed version",
            ));
        }
    }
}

/// Returns the problem with the full name of a module.
pub(crate) fn check_module_name(name: &str) -> Option<String> {
    let is_word = |text: &str| text.bytes().all(|it| it.is_ascii_alphanumeric());
    let Some((author, module)) = name.split_once(['-', '/']) else {
        return Some(format!("invalid module name `{name}`; expected `AUTHOR-MODULE`"));
    };
    if author.is_empty() || module.is_empty() {
        return Some(format!("invalid module name `{name}`; expected `AUTHOR-MODULE`"));
    }
    if !is_word(author) {
        return Some(format!("invalid author `{author}`; only letters and digits are allowed"));
    }
    if !module.as_bytes()[0].is_ascii_alphabetic() {
        return Some(format!("invalid module name `{module}`; it must begin with a letter"));
    }
    let is_fine = module.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    (!is_fine).then(|| format!("invalid module name `{module}`; only letters, digits and `_` are allowed"))
}

/// Returns the version without its pre-release part, because users install those between two releases on
/// purpose.
pub(crate) fn released(version: &Version) -> Version {
    Version { prerelease: None, ..version.clone() }
}
