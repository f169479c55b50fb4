//! Resources for tests.

use eval::CatalogResource;

/// Builds a resource with an optional `require`.
pub(crate) fn resource(type_name: &str, title: &str, require: Option<&str>) -> CatalogResource {
    let require = require.map(|it| ("require".into(), types::Value::string(it)));
    CatalogResource {
        type_name: type_name.into(),
        title: Some(title.into()),
        parameters: require.into_iter().collect(),
        parameter_places: Vec::new(),
        is_exported: false,
        is_possible: false,
        tags: Default::default(),
        sensitive: Vec::new(),
        place: None,
        declared_in: None,
    }
}
