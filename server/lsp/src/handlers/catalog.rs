//! `puppet-analyzer/catalog`: what a class compiles to on a platform, as text. Not part of the protocol.

use std::fmt::Write;

use catalog_view::text;
use disk::Disk;
use ide::{Cancellable, ClassCatalog, CompileDiagnostic, ModuleClass, SourcePlace};
use lsp_types::{Position, TextDocumentIdentifier};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};

use crate::convert;
use crate::{Server, Snapshot};

/// Calls, includes and declarations that are shown below a failure.
const MAX_CALLS: usize = 8;

/// Which class, on which platform.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CatalogParams {
    /// Wins over the place.
    class: Option<String>,
    text_document: Option<TextDocumentIdentifier>,
    position: Option<Position>,
    /// One of the names that an answer lists; without one the first.
    platform: Option<String>,
}

#[derive(Serialize)]
pub(super) struct CatalogAnswer {
    uri: String,
    title: String,
    text: String,
    platforms: Vec<String>,
}

/// A class that was found and compiled.
pub(super) struct CompiledClassCatalog {
    pub(super) class: ModuleClass,
    pub(super) catalog: ClassCatalog,
    pub(super) platforms: Vec<String>,
}

impl CompiledClassCatalog {
    pub(super) fn title(&self) -> String {
        format!("{} on {}", self.catalog.class, self.catalog.platform)
    }
}

/// What [`find`] comes to, where there is no catalog.
pub(super) enum NoCatalog {
    /// There is no such class.
    NoClass,
    /// There is no such platform.
    NoPlatform(String),
}

/// What a question about a catalog is answered with: a catalog that does not exist is `null`.
pub(super) fn answer_of<T>(answer: std::result::Result<T, NoCatalog>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(NoCatalog::NoClass) => Ok(None),
        Err(NoCatalog::NoPlatform(message)) => Err(Error::invalid_params(message)),
    }
}

pub(super) async fn catalog(server: &Server, params: CatalogParams) -> Result<Option<CatalogAnswer>> {
    let question = move |snapshot: &Snapshot| {
        let found = match find(snapshot, &params)? {
            Ok(found) => found,
            Err(none) => return Ok(Err(none)),
        };
        let text = catalog_text(snapshot, &found.catalog)?;
        let (uri, title) = (document_uri(&found.catalog), found.title());
        Ok(Ok(CatalogAnswer { uri, title, text, platforms: found.platforms }))
    };
    answer_of(server.ask_workspace("puppet-analyzer/catalog", question).await?)
}

/// Finds and compiles the class that a question is about.
pub(super) fn find(
    snapshot: &Snapshot,
    params: &CatalogParams,
) -> Cancellable<std::result::Result<CompiledClassCatalog, NoCatalog>> {
    let Some(class) = class_of(snapshot, params)? else { return Ok(Err(NoCatalog::NoClass)) };
    let platforms = snapshot.analysis.platforms_of_class(&class)?;
    let wanted = params.platform.as_deref();
    match snapshot.analysis.class_catalog(&class, wanted, Some(&Disk(snapshot.trusted.clone())))? {
        Some(catalog) => Ok(Ok(CompiledClassCatalog { class, catalog, platforms })),
        None => {
            let wanted = wanted.unwrap_or("any platform");
            let message = format!("{} is not compiled for {wanted}", class.name);
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
    let (Some(file), Some(position)) = (file, params.position) else { return Ok(None) };
    analysis.class_around(file.id, file.converter(snapshot).offset(position))
}

/// A document that is on no disk: one for each class and platform. Editors show the last part of its path as its name.
fn document_uri(catalog: &ClassCatalog) -> String {
    let platform = catalog.platform.replace('%', "%25").replace('/', "%2F").replace(' ', "%20");
    format!("puppet-catalog:/{}%20on%20{platform}.txt", catalog.class.replace("::", "%3A%3A"))
}

/// The catalog as `compile` prints it; above it what ended the compile, if something did.
fn catalog_text(snapshot: &Snapshot, found: &ClassCatalog) -> Cancellable<String> {
    let compiled = &found.compiled;
    let tree = text::render(compiled.catalog(), false, |place| {
        match snapshot.analysis.place_of(compiled, place)? {
            Some(place) => shown_place(snapshot, &place),
            None => Ok(None),
        }
    })?;
    match (&compiled.failure, &compiled.circle) {
        (Some(failure), _) => {
            Ok(format!("{}\nWhat there was by then:\n\n{tree}", failure_text(snapshot, failure)?))
        }
        (None, Some(circle)) => Ok(format!("{}\n{tree}", failure_text(snapshot, circle)?)),
        (None, None) if compiled.open_parts().is_empty() => Ok(tree),
        (None, None) => {
            let open = compiled.open_parts().iter().map(|part| format!("open: {part}\n"));
            Ok(format!("{}\n{tree}", open.collect::<String>()))
        }
    }
}

fn failure_text(snapshot: &Snapshot, failure: &CompileDiagnostic) -> Cancellable<String> {
    let mut out = format!("error[{}]: {}\n", failure.code, output::visible_message(&failure.message));
    if let Some(place) = &failure.place
        && let Some(place) = shown_place(snapshot, place)?
    {
        let _ = writeln!(out, "  at {place}");
    }
    let leads = if failure.is_circle() { "part of the circle:" } else { "called from" };
    let calls = failure.calls.iter().filter(|call| Some(**call) != failure.place);
    for call in calls.take(MAX_CALLS) {
        if let Some(place) = shown_place(snapshot, call)? {
            let _ = writeln!(out, "  {leads} {place}");
        }
    }
    Ok(out)
}

/// `file:line`
fn shown_place(snapshot: &Snapshot, place: &SourcePlace) -> Cancellable<Option<String>> {
    let Some(file) = place.file else { return Ok(None) };
    let path = snapshot.analysis.path(file);
    Ok(Some(format!("{}:{}", output::visible(&snapshot.analysis.shown_path(&path)), place.line)))
}
