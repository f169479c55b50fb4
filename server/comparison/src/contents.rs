//! Files and resources that are searched for in catalogs.

use std::fmt;
use std::path::Path;

use catalog_view::references::{find, normalized};
use catalog_view::values::{is_unknown, reference};
use eval::CatalogResource;
use ide::{Analysis, Compiled, EnvironmentId, FileId, FilePath};
use types::Value;

/// A file or a resource.
#[derive(Debug)]
pub struct ImpactTarget {
    /// As the user wrote it.
    written: String,
    kind: TargetKind,
}

#[derive(Debug)]
enum TargetKind {
    /// Manifest or template.
    Code(FileId),
    /// File that a module serves.
    Served {
        module: String,
        /// Path below the `files` folder.
        path: String,
    },
    Resource,
}

impl fmt::Display for ImpactTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl ImpactTarget {
    /// Creates a target. `absolute_path` converts paths of files.
    ///
    /// # Errors
    /// Fails for files that do not exist, are outside of the project, or whose use catalogs do not record.
    pub fn new(
        analysis: &Analysis,
        environment: EnvironmentId,
        written: &str,
        absolute_path: impl Fn(&Path) -> Option<FilePath>,
    ) -> anyhow::Result<ImpactTarget> {
        let target = |kind| Ok(ImpactTarget { written: written.to_owned(), kind });
        if is_reference(written) {
            return target(TargetKind::Resource);
        }
        let path = Path::new(written);
        anyhow::ensure!(path.is_file(), "file `{written}` not found");
        let path = absolute_path(path);
        let path = path.ok_or_else(|| anyhow::anyhow!("`{written}` has no absolute path"))?;
        for (module, root) in analysis.modules(environment) {
            let below = path.strip_prefix(&root.join("files")).map(str::to_owned);
            if let Some(path) = below {
                return target(TargetKind::Served { module, path });
            }
        }
        let is_code = matches!(path.extension(), Some("pp" | "epp"));
        match analysis.file_id(&path).filter(|_| is_code) {
            Some(file) => target(TargetKind::Code(file)),
            None if is_code => anyhow::bail!("`{written}` is not part of the environment"),
            None => anyhow::bail!(codes::with_help(
                format!("catalogs do not record which of them depend on `{written}`"),
                "compare them with `diff --nodes`"
            )),
        }
    }

    /// Returns true if a catalog contains the target; `None` if that is unknown. `code` are the files of the
    /// definitions and templates that it uses.
    pub fn is_in(&self, compiled: &Compiled, code: &[FileId]) -> Option<bool> {
        let catalog = compiled.catalog();
        match &self.kind {
            TargetKind::Code(file) => Some(code.contains(file)),
            TargetKind::Resource => {
                let wanted = normalized(&self.written);
                let exported = catalog.exported.iter().find(|it| reference(it) == wanted);
                let found = find(catalog, &self.written).map(|index| &catalog.resources[index]);
                known(found.or(exported).map(|it| !it.is_possible))
            }
            TargetKind::Served { module, path } => {
                let all = catalog.resources.iter().chain(&catalog.exported);
                let found: Vec<Option<bool>> = all.map(|it| serves(it, module, path)).collect();
                if found.contains(&Some(true)) {
                    Some(true)
                } else {
                    (!found.contains(&None)).then_some(false)
                }
            }
        }
    }
}

/// Converts the certainty of a resource, if there is one.
fn known(is_certain: Option<bool>) -> Option<bool> {
    match is_certain {
        Some(true) => Some(true),
        Some(false) => None,
        None => Some(false),
    }
}

/// Returns true if a resource takes its contents from a file of a module, or from a folder above it; `None` if
/// that is unknown.
fn serves(resource: &CatalogResource, module: &str, path: &str) -> Option<bool> {
    let source = resource.parameters.iter().find(|(name, _)| name == "source").map(|(_, value)| value);
    let Some(source) = source.filter(|_| resource.type_name == "File") else { return Some(false) };
    if is_unknown(source) {
        return None;
    }
    let sources = source.as_array().unwrap_or(std::slice::from_ref(source));
    let is_source = |source: &Value| {
        let rest = source.as_str().and_then(|it| it.strip_prefix("puppet://")?.split_once('/'));
        let below = rest.and_then(|(_, rest)| rest.strip_prefix("modules/")?.split_once('/'));
        below.is_some_and(|(of, below)| {
            let below = below.trim_end_matches('/');
            let inside =
                path.strip_prefix(below).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            of == module && inside
        })
    };
    known(sources.iter().any(is_source).then_some(!resource.is_possible))
}

fn is_reference(written: &str) -> bool {
    let type_name = written.strip_suffix(']').and_then(|it| it.split_once('[')).map(|(name, _)| name);
    type_name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'))
    })
}
