//! `puppet-analyzer/catalog`: the catalog of a class on a platform as text. A protocol extension.

use std::fmt::Write;

use catalog_view::text;
use disk::Disk;
use ide::{Cancellable, ClassCatalog, CompileDiagnostic, ModuleClass, SourceLocation};
use lsp_types::{Position, TextDocumentIdentifier, TextDocumentPositionParams};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};

use crate::convert;
use crate::{Server, Snapshot};

/// Maximum number of calls, includes and declarations shown below a failure.
const MAX_CALLS: usize = 8;

/// Class and platform to compile.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CatalogParams {
    /// Name of the class; takes precedence over the position.
    class: Option<String>,
    text_document: Option<TextDocumentIdentifier>,
    position: Option<Position>,
    /// One of the platforms listed in a previous response; the first one if absent.
    platform: Option<String>,
    /// Name of a node, whose fact file and data are used.
    node: Option<String>,
    /// True if the first class of the file is meant when the position is in none.
    #[serde(skip)]
    takes_first_class: bool,
}

#[derive(Serialize)]
pub(super) struct CatalogAnswer {
    uri: String,
    title: String,
    text: String,
    platforms: Vec<String>,
}

/// A class with its compiled catalog.
pub(super) struct CompiledClassCatalog {
    pub(super) class: ModuleClass,
    pub(super) catalog: ClassCatalog,
    pub(super) platforms: Vec<String>,
}

impl CatalogParams {
    /// Returns whether there is neither a class nor a document.
    pub(super) fn is_empty(&self) -> bool {
        self.class.is_none() && self.text_document.is_none()
    }

    pub(super) fn set_position(&mut self, at: TextDocumentPositionParams) {
        (self.text_document, self.position) = (Some(at.text_document), Some(at.position));
        self.takes_first_class = true;
    }
}

impl NoCatalog {
    pub(super) fn message(self) -> String {
        match self {
            NoCatalog::NoClass => "no class found; place the cursor in one, or pass `class`".to_owned(),
            NoCatalog::NoPlatform(message) => message,
        }
    }
}

impl CompiledClassCatalog {
    pub(super) fn title(&self) -> String {
        let ClassCatalog { class, platform, node, .. } = &self.catalog;
        match node {
            Some(node) => format!("{class} on {node} ({platform})"),
            None => format!("{class} on {platform}"),
        }
    }
}

/// Reason why [`compile_requested`] has no catalog to return.
pub(super) enum NoCatalog {
    /// The class does not exist.
    NoClass,
    /// The class does not support the platform.
    NoPlatform(String),
}

/// Converts the result of a catalog request: an unknown class is `null`, an unsupported platform an error.
pub(super) fn catalog_response<T>(answer: std::result::Result<T, NoCatalog>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(NoCatalog::NoClass) => Ok(None),
        Err(NoCatalog::NoPlatform(message)) => Err(Error::invalid_params(message)),
    }
}

pub(super) async fn catalog(server: &Server, params: CatalogParams) -> Result<Option<CatalogAnswer>> {
    let request = move |snapshot: &Snapshot| {
        let found = match compile_requested(snapshot, &params)? {
            Ok(found) => found,
            Err(none) => return Ok(Err(none)),
        };
        let text = catalog_text(snapshot, &found.catalog)?;
        let (uri, title) = (document_uri(&found.catalog, "txt"), found.title());
        Ok(Ok(CatalogAnswer { uri, title, text, platforms: found.platforms }))
    };
    catalog_response(server.ask_workspace("puppet-analyzer/catalog", request).await?)
}

/// Finds and compiles the requested class.
pub(super) fn compile_requested(
    snapshot: &Snapshot,
    params: &CatalogParams,
) -> Cancellable<std::result::Result<CompiledClassCatalog, NoCatalog>> {
    let Some(class) = class_of(snapshot, params)? else { return Ok(Err(NoCatalog::NoClass)) };
    let platforms = snapshot.analysis.platforms_of_class(&class)?;
    let wanted = params.platform.as_deref();
    let (node, disk) = (params.node.as_deref(), Disk::new(snapshot.trusted.clone()));
    match snapshot.analysis.class_catalog(&class, wanted, node, Some(&disk))? {
        Some(catalog) => Ok(Ok(CompiledClassCatalog { class, catalog, platforms })),
        None => {
            let message = match wanted {
                Some(platform) => format!("class `{}` does not support platform `{platform}`", class.name),
                None => format!("class `{}` does not support any known platform", class.name),
            };
            Ok(Err(NoCatalog::NoPlatform(message)))
        }
    }
}

fn class_of(snapshot: &Snapshot, params: &CatalogParams) -> Cancellable<Option<ModuleClass>> {
    let analysis = &snapshot.analysis;
    let uri = params.text_document.as_ref().map(|it| &it.uri);
    let file = match uri.and_then(|uri| Some((convert::file_path(uri)?, uri))) {
        Some((path, uri)) => snapshot.file(&path, uri)?,
        None => None,
    };
    if let Some(name) = &params.class {
        let around = file.iter().flat_map(|file| analysis.environments_of(file.id));
        for environment in around.chain(analysis.environments()) {
            let found = analysis.class_named(environment, name)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        return Ok(None);
    }
    let Some(file) = file else { return Ok(None) };
    let around = match params.position {
        Some(position) => analysis.class_around(file.id, file.converter(snapshot).offset(position))?,
        None => None,
    };
    match around {
        None if params.takes_first_class => {
            Ok(analysis.classes_of_file(file.id)?.into_iter().next().map(|(class, _)| class))
        }
        around => Ok(around),
    }
}

/// Returns the URI of a virtual document, unique per class, platform, and node. Editors show the last segment
/// of its path as the title.
pub(super) fn document_uri(catalog: &ClassCatalog, extension: &str) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('/', "%2F").replace(' ', "%20");
    let on = match &catalog.node {
        Some(node) => escaped(&format!("{node} ({})", catalog.platform)),
        None => escaped(&catalog.platform),
    };
    format!("puppet-catalog:/{}%20on%20{on}.{extension}", catalog.class.replace("::", "%3A%3A"))
}

/// Formats the catalog like the `compile` command, with the error that ended the compile, if any, above it.
pub(super) fn catalog_text(snapshot: &Snapshot, found: &ClassCatalog) -> Cancellable<String> {
    let compiled = &found.compiled;
    let tree = text::render(compiled.catalog(), &[], false, |location| {
        match snapshot.analysis.location_of(compiled, location)? {
            Some(location) => format_location(snapshot, &location),
            None => Ok(None),
        }
    })?;
    match (&compiled.failure, compiled.defects().next()) {
        (Some(failure), _) => {
            Ok(format!("{}\nCatalog up to that point:\n\n{tree}", failure_text(snapshot, failure)?))
        }
        (None, Some(_)) => {
            let defects: Cancellable<Vec<String>> =
                compiled.defects().map(|it| failure_text(snapshot, it)).collect();
            Ok(format!("{}\n{tree}", defects?.concat()))
        }
        (None, None) if compiled.inconclusive_reasons().is_empty() => Ok(tree),
        (None, None) => {
            let reasons = compiled.inconclusive_reasons().iter().map(|reason| format!("open: {reason}\n"));
            Ok(format!("{}\n{tree}", reasons.collect::<String>()))
        }
    }
}

fn failure_text(snapshot: &Snapshot, failure: &CompileDiagnostic) -> Cancellable<String> {
    let mut out = format!("error[{}]: {}\n", failure.code, output::visible_message(&failure.message));
    if let Some(location) = &failure.location
        && let Some(location) = format_location(snapshot, location)?
    {
        let _ = writeln!(out, "  at {location}");
    }
    let leads = if failure.is_cycle() { "part of the cycle:" } else { "called from" };
    let calls = failure.calls.iter().filter(|call| Some(**call) != failure.location);
    for call in calls.take(MAX_CALLS) {
        if let Some(location) = format_location(snapshot, call)? {
            let _ = writeln!(out, "  {leads} {location}");
        }
    }
    Ok(out)
}

/// Formats a location as `file:line`.
fn format_location(snapshot: &Snapshot, location: &SourceLocation) -> Cancellable<Option<String>> {
    let Some(file) = location.file else { return Ok(None) };
    let path = snapshot.analysis.path(file);
    Ok(Some(format!("{}:{}", output::visible(&snapshot.analysis.shown_path(&path)), location.line)))
}
