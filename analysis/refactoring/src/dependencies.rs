//! Additions to the dependencies in `metadata.json`.

use project::{Db, File, FileRole};
use symbols::FileId;
use syntax::TextRange;

use crate::{SourceChange, SourceEdit};

/// Returns the change that adds a module to the dependencies in the `metadata.json` of a file's module; `None` if
/// it is there already, or if either module has no usable metadata.
pub fn add_dependency(db: &dyn Db, file: File, module: &str) -> Option<SourceChange> {
    let FileRole::Module { module: own, .. } = file.role(db) else { return None };
    if project::module_dependencies(db, *own).as_ref()?.iter().any(|it| it == module) {
        return None;
    }
    let metadata_file = project::metadata_file(db, *own)?;
    let text = project::text(db, metadata_file)?;
    let needed = project::module_named(db, file, module)?;
    let of_needed = project::module_metadata(db, project::metadata_file(db, needed)?);
    let name = of_needed.name()?.text;
    let version = of_needed.version().map(|it| format!(", \"version_requirement\": \">= {}\"", it.text));
    let entry = format!("{{ \"name\": \"{}\"{} }}", name.replace('-', "/"), version.unwrap_or_default());
    let list = project::module_metadata(db, metadata_file).data.entry("dependencies")?.value.range;
    let inside = text.get(list.as_range())?.strip_prefix('[')?.strip_suffix(']')?;
    let end = list.start + 1 + inside.trim_end().len() as u32;
    let (range, text) = if inside.trim().is_empty() {
        (TextRange::new(list.start + 1, list.end - 1), format!("\n    {entry}\n  "))
    } else {
        (TextRange::empty(end), format!(",\n    {entry}"))
    };
    let edit = SourceEdit { range, text };
    Some(SourceChange { edits: vec![(FileId(metadata_file), vec![edit])], ..SourceChange::default() })
}
