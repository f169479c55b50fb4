//! Answers to questions about whole programs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use compile::{CompileRequest, EntryPoint, Facts, FileRead, FileReader, GlobalHiera};
use eval::NodeClass;
use ide::{
    Analysis, AnalysisHost, ChangeBatch, Compiled, DiskState, EnvironmentId, FilePath, SourceLocation,
    Strict, UnknownRubyCall,
};
use serde_json::{Map, Value as Json, json};
use types::{HashValue, NoTypes, Value};

use eval_cases::evaluation::{settings, to_json};
use types::rich_data::from_json;

/// Root folder of the files of a question.
const ROOT: &str = "/ENV";

/// Projects named by earlier questions, each read once.
#[derive(Default)]
pub struct Projects {
    known: HashMap<ProjectKey, AnalysisHost>,
}

/// Inputs that identify a project.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ProjectKey {
    /// Folder of an environment.
    environment: Option<String>,
    module_path: Vec<String>,
    strict: String,
    tasks: bool,
    puppet_version: ide::PuppetVersion,
}

struct Disk;

impl FileReader for Disk {
    fn read(&self, path: &str) -> FileRead {
        std::fs::read(path).map_or(FileRead::Missing, |bytes| FileRead::Content(bytes.into()))
    }
}

/// Answers a question of kind `catalog`. README.md describes its fields.
pub fn catalog(projects: &mut Projects, request: &Json) -> Json {
    let key = project_key(request);
    let files = files_of(request);
    let own;
    let host = if files.is_empty() {
        projects.known.entry(key.clone()).or_insert_with(|| project_on_disk(&key))
    } else {
        own = project_of_files(&key, &files);
        &own
    };
    let analysis = host.analysis();
    let is_named = |it: &EnvironmentId| {
        let root = analysis.environment_root(*it).map(|root| root.to_native());
        key.environment.is_some() && root == key.environment
    };
    let environments = analysis.environments();
    let named = environments.iter().copied().find(is_named);
    let Some(environment) = named.or(environments.last().copied()) else {
        return json!({ "ok": false, "unsupported": "no environment" });
    };
    let has_manifests =
        key.environment.is_some() || files.iter().any(|(path, _)| path.starts_with("manifests/"));
    let wanted = compile_request(request, has_manifests);
    let started = Instant::now();
    let compiled = analysis.compile(environment, &wanted, Some(&Disk));
    let seconds = started.elapsed().as_secs_f64();
    match compiled {
        Ok(compiled) => {
            let mut answer = answer(&analysis, environment, &compiled);
            answer["seconds"] = seconds.into();
            answer["not_known"] = compiled.unknown_ruby_calls().map(reason_text).collect();
            answer
        }
        Err(cancelled) => json!({ "ok": false, "unsupported": cancelled.to_string() }),
    }
}

/// Builds the project from the files of a question.
pub(crate) fn project_of_request(request: &Json) -> AnalysisHost {
    project_of_files(&project_key(request), &files_of(request))
}

/// Returns the path of a file of such a project from its path relative to the environment.
pub(crate) fn file_of_project(below: &str) -> Option<FilePath> {
    Some(FilePath::from_native(ROOT)?.join(below))
}

/// Compiles the environment of such a project.
pub(crate) fn compile_of_project(
    analysis: &Analysis,
    request: &Json,
) -> Option<(EnvironmentId, Option<Compiled>)> {
    let environment = analysis.environments().last().copied()?;
    let wanted = compile_request(request, true);
    Some((environment, analysis.compile(environment, &wanted, Some(&Disk)).ok()))
}

/// Describes the reason why the result of a Ruby function is unknown.
fn reason_text(reason: UnknownRubyCall<'_>) -> Json {
    json!(format!("{} {}:{}", reason.what, reason.path, reason.line))
}

/// Answers a question of kind `evict`: reads its environment or module path again and drops every
/// parse result.
pub fn evict(projects: &mut Projects, request: &Json) -> Json {
    let key = project_key(request);
    let host = project_on_disk(&key);
    projects.known.insert(key, host);
    json!({ "ok": true })
}

fn project_key(request: &Json) -> ProjectKey {
    let wanted = &request["settings"];
    ProjectKey {
        environment: request["environment"].as_str().map(str::to_owned),
        module_path: texts(&request["modulepath"]),
        strict: wanted["strict"].as_str().unwrap_or("warning").to_owned(),
        tasks: wanted["tasks"].as_bool().unwrap_or(false),
        puppet_version: settings(wanted).version,
    }
}

fn compile_request(request: &Json, has_manifests: bool) -> CompileRequest {
    let empty = Map::new();
    let facts = request["facts"].as_object().unwrap_or(&empty);
    let name = request["node"].as_str().or_else(|| facts.get("fqdn")?.as_str());
    let code = request["code"].as_str().unwrap_or_default();
    let entry = match code {
        "" if has_manifests => EntryPoint::MainManifest,
        "" => EntryPoint::Code("undef".into()),
        code => EntryPoint::Code(code.into()),
    };
    let version = match settings(&request["settings"]).version {
        ide::PuppetVersion::V7 => "7.23.0",
        ide::PuppetVersion::V8 => "8.28.1",
        ide::PuppetVersion::V9 => "9.0.0",
    };
    let server =
        [("serverversion", version), ("servername", "puppet.example.com"), ("serverip", "192.0.2.1")];
    CompileRequest {
        node_name: name.unwrap_or("node1.example.com").into(),
        facts: Facts::Given(Arc::new(hash(facts))),
        node_parameters: request["parameters"].as_object().map(hash).unwrap_or_default(),
        node_classes: classes(&request["classes"]),
        server_facts: server
            .into_iter()
            .map(|(name, value)| (Value::string(name), Value::string(value)))
            .collect(),
        settings: Some(settings(&request["settings"])),
        // The request holds all data, so the global layer is empty.
        global_hiera: Some(GlobalHiera { folder: "/".into(), text: "version: 5\nhierarchy: []\n".into() }),
        reads_this_machine: true,
        ..CompileRequest::new(entry)
    }
}

fn hash(entries: &Map<String, Json>) -> HashValue {
    entries.iter().map(|(name, value)| (Value::string(name.as_str()), from_json(value))).collect()
}

fn classes(given: &Json) -> Vec<NodeClass> {
    let plain = texts(given).into_iter().map(|name| (name, HashValue::default()));
    let with_parameters = given.as_object().into_iter().flatten();
    let with_parameters = with_parameters
        .map(|(name, parameters)| (name.clone(), parameters.as_object().map(hash).unwrap_or_default()));
    plain
        .chain(with_parameters)
        .map(|(name, parameters)| NodeClass { name: name.into(), parameters })
        .collect()
}

fn texts(list: &Json) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Json::as_str);
    texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Returns the files of a question by their paths relative to the environment.
fn files_of(request: &Json) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (path, text) in request["files"].as_object().into_iter().flatten() {
        let path = path.strip_prefix("env/").unwrap_or(path);
        found.extend(text.as_str().map(|text| (path.to_owned(), text.to_owned())));
    }
    let hiera = &request["hiera"];
    found.extend(hiera["config"].as_str().map(|text| ("hiera.yaml".to_owned(), text.to_owned())));
    for (name, text) in hiera["data"].as_object().into_iter().flatten() {
        found.extend(text.as_str().map(|text| (format!("data/{name}"), text.to_owned())));
    }
    found
}

/// Builds an environment from files that exist only in the question.
fn project_of_files(key: &ProjectKey, files: &[(String, String)]) -> AnalysisHost {
    let root = FilePath::from_native(ROOT).expect("an absolute path");
    let mut folders: Vec<&str> = files.iter().filter_map(|(path, _)| path.split('/').next()).collect();
    folders.retain(|name| {
        name.strip_prefix("modules").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    folders.sort_unstable();
    folders.dedup();
    let mut configuration = format!("modulepath = {}\n", folders.join(":"));
    let mut disk: Vec<(FilePath, DiskState)> = Vec::new();
    for (path, text) in files {
        if path == "environment.conf" {
            configuration.push_str(text);
            continue;
        }
        disk.push((root.join(path), DiskState::Text(text.as_str().into())));
    }
    disk.push((root.join("environment.conf"), DiskState::Text(configuration.into())));
    let mut host = AnalysisHost::new();
    let roots = Some(vec![ROOT.to_owned()]);
    host.apply(ChangeBatch {
        settings: Some(project_settings(key, &[])),
        roots,
        disk,
        ..ChangeBatch::default()
    });
    host
}

/// Reads an environment, or the modules of several folders, from disk.
fn project_on_disk(key: &ProjectKey) -> AnalysisHost {
    let mut host = AnalysisHost::new();
    let mut disk = Vec::new();
    for folder in key.environment.iter().chain(&key.module_path) {
        read_folder(Path::new(folder), 0, &mut disk);
    }
    let settings = Some(project_settings(key, &key.module_path));
    let roots = Some(key.environment.iter().cloned().collect());
    host.apply(ChangeBatch { settings, roots, disk, ..ChangeBatch::default() });
    host
}

fn project_settings(key: &ProjectKey, module_path: &[String]) -> ide::Settings {
    ide::Settings {
        puppet_version: key.puppet_version,
        strict: Some(match key.strict.as_str() {
            "off" => Strict::Off,
            "error" => Strict::Error,
            _ => Strict::Warning,
        }),
        tasks: key.tasks,
        module_path: module_path.to_vec(),
        base_module_path: Vec::new(),
        ..ide::Settings::default()
    }
}

/// Maximum folder depth, since links may form cycles.
const MAX_DEPTH: usize = 16;

fn read_folder(folder: &Path, depth: usize, files: &mut Vec<(FilePath, DiskState)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            // The tests of a module bring their own modules.
            let is_needed = path.file_name().is_some_and(|name| name != "spec" && name != ".git");
            if depth < MAX_DEPTH && is_needed {
                read_folder(&path, depth + 1, files);
            }
            continue;
        }
        let Some(file) = path.to_str().and_then(FilePath::from_native) else { continue };
        if !ide::is_interesting(&file) {
            continue;
        }
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        let state = match ide::needs_text(&file, size).then(|| std::fs::read(&path)) {
            Some(Ok(bytes)) => DiskState::of_bytes(bytes),
            Some(Err(error)) => DiskState::Unreadable(error.to_string()),
            None => DiskState::Unread,
        };
        files.push((file, state));
    }
}

fn answer(analysis: &Analysis, environment: EnvironmentId, compiled: &Compiled) -> Json {
    let logs = analysis.logs(compiled).unwrap_or_default().into_iter();
    let logs: Vec<Json> = logs.map(|log| json!({ "level": log.level, "message": log.message })).collect();
    let Some(failure) = &compiled.failure else {
        return json!({ "ok": true, "catalog": catalog_json(compiled), "logs": logs });
    };
    let mut message = failure.message.clone();
    if let Some(earlier) = failure.earlier {
        message.push_str(&format!(" (first at line: {})", earlier.line));
    }
    let mut error = json!({ "message": message, "code": failure.code.as_str() });
    let root = analysis.environment_root(environment);
    let file = |place: SourceLocation| {
        let path = analysis.path(place.file?);
        Some(match (path.strip_prefix(root.as_ref().unwrap_or(&path)), &root) {
            (Some(below), Some(root)) => format!("{root}/{below}"),
            _ => path.to_native(),
        })
    };
    if let Some(place) = failure.location {
        error["line"] = json!(place.line);
        error["pos"] = json!(place.column);
        error["file"] = json!(file(place));
    }
    let calls = failure.calls.iter().map(|call| json!({ "line": call.line, "file": file(*call) }));
    error["calls"] = calls.collect();
    json!({ "ok": false, "error": error, "logs": logs })
}

fn catalog_json(compiled: &Compiled) -> Json {
    let catalog = compiled.catalog();
    let mut resources: Vec<(&str, &str, Json)> = Vec::new();
    for resource in &catalog.resources {
        let title = resource.title.as_deref().unwrap_or("<unknown>");
        let mut parameters: Vec<_> = resource.parameters.iter().collect();
        parameters.sort_by(|a, b| a.0.cmp(&b.0));
        let parameters = parameters.into_iter().map(|(name, value)| (name.to_string(), plain(value)));
        let parameters: Map<String, Json> = parameters.collect();
        let mut shown = json!({ "type": resource.type_name.as_str(), "title": title, "params": parameters });
        if resource.is_exported {
            shown["exported"] = json!(true);
        }
        if resource.is_possible {
            shown["possible"] = json!(true);
        }
        resources.push((&resource.type_name, title, shown));
    }
    resources.sort_by_key(|(type_name, title, _)| (*type_name, *title));
    let reference = |index: usize| {
        let resource = &catalog.resources[index];
        format!("{}[{}]", resource.type_name, resource.title.as_deref().unwrap_or("<unknown>"))
    };
    let mut edges: Vec<[String; 2]> =
        catalog.edges.iter().map(|(from, to)| [reference(*from), reference(*to)]).collect();
    edges.sort_unstable();
    let mut classes: Vec<&str> = catalog.classes.iter().map(|class| class.as_str()).collect();
    classes.sort_unstable();
    json!({
        "resources": resources.into_iter().map(|(_, _, shown)| shown).collect::<Vec<_>>(),
        "edges": edges, "classes": classes,
    })
}

/// Converts the value of a parameter to JSON; references become strings.
fn plain(value: &Value) -> Json {
    match value {
        Value::Type(ty) if ty.is_resource_object() => json!(ty.to_string()),
        Value::Array(elements) => elements.iter().map(plain).collect(),
        Value::Hash(entries)
            if entries.keys().all(|key| matches!(key, Value::String(_) | Value::Default)) =>
        {
            let entries = entries.iter();
            let entries =
                entries.map(|(key, value)| (key.as_str().unwrap_or("default").to_owned(), plain(value)));
            Json::Object(entries.collect())
        }
        Value::Hash(entries) => {
            let pairs: Vec<Json> =
                entries.iter().map(|(key, value)| json!([plain(key), plain(value)])).collect();
            json!({ "__phash": pairs })
        }
        other => to_json(other, &NoTypes),
    }
}
