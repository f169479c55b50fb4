//! Resources by their references.

use eval::{Catalog, CatalogResource};
use types::display::capitalized_segments;

use crate::values::reference;

/// Returns the index of the resource with a reference (`File[/etc/motd]`). Types and the titles of classes
/// may be written in lower case, and titles may be quoted.
pub fn find(catalog: &Catalog, written: &str) -> Option<usize> {
    let wanted = normalized(written);
    let found = |it: &CatalogResource| reference(it) == wanted;
    let exact = catalog.resources.iter().position(found);
    exact.or_else(|| {
        let wanted = wanted.to_lowercase();
        catalog.resources.iter().position(|it| reference(it).to_lowercase() == wanted)
    })
}

/// Formats a reference as in catalogs.
pub fn normalized(written: &str) -> String {
    let Some((type_name, title)) = written.trim().split_once('[') else { return written.trim().to_owned() };
    let type_name = capitalized_segments(&type_name.trim().trim_start_matches("::").to_lowercase());
    let title = title.strip_suffix(']').unwrap_or(title).trim();
    let title = title.trim_matches(['\'', '"']);
    if type_name == "Class" && title != "main" {
        format!("Class[{}]", capitalized_segments(&title.trim_start_matches("::").to_lowercase()))
    } else {
        format!("{type_name}[{title}]")
    }
}
