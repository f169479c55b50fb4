//! All keys of a node, with their values and origins.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use catalog_view::values::{is_unknown, without_ciphertexts};
use cli_common::CommandOutcome;
use compile::CompileRequest;
use hiera::config::Layer;
use hiera::lookup::{DataLocation, Explanation, LayerLocations, LocationKeys};
use output::visible;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::lookup::{
    BATCH_SIZE, LookupOutcome, Resolver, json_outcome, layer_name, line_of_key, lines_of_steps, shown_path,
    unknown_levels,
};
use crate::matrix::text_outcome;

/// Version of the shape of the JSON.
const JSON_VERSION: u32 = 1;

/// Keys that the hierarchies of a node define.
pub struct NodeKeys {
    node: String,
    keys: Vec<ExplainedKey>,
    /// Hierarchy levels with unknown keys.
    open: Vec<String>,
    /// Errors that make all lookups in a layer fail.
    pub errors: Vec<String>,
}

/// A key with its value and all locations that define it.
struct ExplainedKey {
    /// Key as lookups write it.
    key: SmolStr,
    outcome: LookupOutcome,
    merge: Option<SmolStr>,
    is_converted: bool,
    /// Locations of the value, in lookup order.
    origins: Vec<KeyOrigin>,
    /// Locations with values that have no effect, in lookup order.
    overrides: Vec<KeyOrigin>,
    /// Reasons why the value, or a part of it, is not known.
    open: Vec<String>,
}

/// Location that defines a key.
struct KeyOrigin {
    layer: SmolStr,
    level: SmolStr,
    /// File, or function that returns the data.
    path: SmolStr,
    line: Option<u32>,
}

/// Selection of keys by name, where `*` matches any string.
pub struct KeyPatterns<'a>(pub &'a [String]);

impl KeyPatterns<'_> {
    fn matches(&self, key: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| hiera::glob::matches_wildcards(pattern, key))
    }

    /// Returns true if a key of a layer may match a pattern, and not only a key that is named as a whole.
    fn are_open_in(&self, layer: &Layer) -> bool {
        let Layer::Module(module) = layer else {
            return self.0.is_empty() || self.0.iter().any(|pattern| pattern.contains('*'));
        };
        let prefix = format!("{module}::");
        let may_match = |pattern: &String| {
            let (literal, _) = pattern.split_once('*')?;
            Some(literal.starts_with(&prefix) || prefix.starts_with(literal))
        };
        self.0.is_empty() || self.0.iter().any(|pattern| may_match(pattern) == Some(true))
    }
}

impl NodeKeys {
    /// Looks up all keys that match the patterns.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn new(
        resolver: &Resolver<'_>,
        request: &CompileRequest,
        patterns: &KeyPatterns<'_>,
    ) -> anyhow::Result<NodeKeys> {
        let Resolver { analysis, environment, reader, .. } = resolver;
        let layers = analysis.data_locations(*environment, request, Some(*reader))?;
        let mut found = NodeKeys {
            node: request.node_name.to_string(),
            keys: Vec::new(),
            open: Vec::new(),
            errors: Vec::new(),
        };
        let mut locations = Vec::new();
        for LayerLocations { layer, locations: of_layer } in layers {
            let is_open = patterns.are_open_in(&layer);
            match of_layer {
                Ok(of_layer) => {
                    found.open.extend(of_layer.iter().filter(|_| is_open).filter_map(open_level));
                    locations.extend(of_layer);
                }
                Err(message) => {
                    // Lookups of the keys of a module fail themselves.
                    if is_open || !matches!(layer, Layer::Module(_)) {
                        found.errors.push(message);
                    }
                    if !matches!(layer, Layer::Module(_)) {
                        return Ok(found);
                    }
                }
            }
        }
        found.open.dedup();
        // The default hierarchy of a module comes after all layers.
        locations.sort_by_key(|it| it.is_default);
        let named = patterns.0.iter().filter(|it| !it.contains('*'));
        let mut keys: BTreeSet<SmolStr> = named.map(SmolStr::from).collect();
        let of_locations = locations.iter().filter_map(|it| match &it.keys {
            LocationKeys::Known(keys) => Some(keys),
            _ => None,
        });
        keys.extend(of_locations.flatten().cloned());
        // Files that the node may read have keys too.
        keys.extend(analysis.data_keys(*environment)?.into_iter().map(SmolStr::from));
        let wanted = keys.iter().filter(|it| *it != "lookup_options" && patterns.matches(it));
        // Some keys have no form that a lookup can name.
        let written: Vec<(&str, Cow<'_, str>)> =
            wanted.filter_map(|it| Some((it.as_str(), written_key(it)?))).collect();
        found.keys.reserve_exact(written.len());
        for batch in written.chunks(BATCH_SIZE) {
            let names: Vec<&str> = batch.iter().map(|(_, key)| &**key).collect();
            for ((root, key), looked_up) in batch.iter().zip(resolver.resolve_all(request, &names)?) {
                found.keys.extend(ExplainedKey::new(resolver, (root, key), &locations, looked_up)?);
            }
        }
        Ok(found)
    }

    pub fn outcome(&self) -> CommandOutcome {
        let has = |is_wanted: fn(&LookupOutcome) -> bool| self.keys.iter().any(|it| is_wanted(&it.outcome));
        if !self.errors.is_empty() || has(|it| matches!(it, LookupOutcome::Failure(_))) {
            CommandOutcome::Failure
        } else if !self.open.is_empty() || self.keys.iter().any(|it| !it.open.is_empty()) {
            CommandOutcome::Inconclusive
        } else if self.keys.is_empty() {
            CommandOutcome::Findings
        } else {
            CommandOutcome::Clean
        }
    }

    /// Returns the keys as text. Values longer than `most` characters are cut.
    pub fn text(&self, most: usize) -> String {
        let mut text = String::new();
        for key in &self.keys {
            key.write_text(&mut text, most);
        }
        if self.keys.is_empty() && self.errors.is_empty() {
            let _ = writeln!(text, "no keys found for `{}`", visible(&self.node));
        }
        for level in &self.open {
            let _ = writeln!(text, "open: {level}");
        }
        text
    }

    pub fn json(&self) -> Json {
        json!({
            "version": JSON_VERSION,
            "node": self.node,
            "keys": self.keys.iter().map(ExplainedKey::json).collect::<Vec<_>>(),
            "open": self.open,
            "errors": self.errors,
        })
    }
}

impl ExplainedKey {
    /// Describes the result of a lookup of a key, given as its data and as lookups write it. Returns `None` if it has
    /// no value.
    fn new(
        resolver: &Resolver<'_>,
        (root, key): (&str, &str),
        locations: &[DataLocation],
        (outcome, explanation): (LookupOutcome, Explanation),
    ) -> anyhow::Result<Option<ExplainedKey>> {
        if matches!(outcome, LookupOutcome::Nothing) {
            return Ok(None);
        }
        let mut overrides = Vec::new();
        if !matches!(outcome, LookupOutcome::Failure(_)) {
            for location in overridden(root, locations, &explanation) {
                overrides.push(KeyOrigin::of_location(resolver, key, location)?);
            }
        }
        Ok(Some(ExplainedKey {
            merge: explanation.merge.as_deref().map(SmolStr::from),
            is_converted: explanation.converts,
            origins: origins(resolver, key, &explanation)?,
            overrides,
            open: open_reasons(&outcome, &explanation),
            outcome,
            key: key.into(),
        }))
    }

    fn write_text(&self, text: &mut String, most: usize) {
        let mut value = text_outcome(&self.outcome);
        if let Some((end, _)) = value.char_indices().nth(most) {
            value.truncate(end);
            value.push('…');
        }
        let _ = writeln!(text, "{}: {value}", visible(&self.key));
        for origin in &self.origins {
            let _ = writeln!(text, "  from {}", origin.text());
        }
        if let Some(merge) = self.merge.as_deref().filter(|it| !matches!(*it, "first" | "default")) {
            let _ = writeln!(text, "  merged by `{}`", visible(merge));
        }
        if self.is_converted {
            text.push_str("  converted according to lookup_options\n");
        }
        for origin in &self.overrides {
            let _ = writeln!(text, "  overrides {}", origin.text());
        }
        for level in &self.open {
            let _ = writeln!(text, "  open: {level}");
        }
    }

    fn json(&self) -> Json {
        let mut object = json!({ "key": self.key.as_str() });
        json_outcome(&mut object, &self.outcome);
        object["merge"] = json!(self.merge.as_deref());
        object["converted"] = json!(self.is_converted);
        object["origins"] = self.origins.iter().map(KeyOrigin::json).collect();
        object["overrides"] = self.overrides.iter().map(KeyOrigin::json).collect();
        object["open"] = json!(self.open);
        object
    }
}

impl KeyOrigin {
    fn of_location(resolver: &Resolver<'_>, key: &str, location: &DataLocation) -> anyhow::Result<KeyOrigin> {
        let line =
            location.path.as_deref().map(|path| line_of_key(resolver.analysis, path, key)).transpose()?;
        Ok(KeyOrigin {
            layer: layer_name(&location.layer),
            level: location.level.clone(),
            path: shown_path(location.path.as_ref().unwrap_or(&location.written)).into(),
            line: line.flatten(),
        })
    }

    fn text(&self) -> String {
        let line = self.line.map(|it| format!(":{it}")).unwrap_or_default();
        let layer = if self.layer == layer_name(&Layer::Environment) {
            String::new()
        } else {
            format!("{}, ", visible(&self.layer))
        };
        format!("{}{line} ({layer}{})", visible(&self.path), visible(&self.level))
    }

    fn json(&self) -> Json {
        let (layer, level, path) = (self.layer.as_str(), self.level.as_str(), self.path.as_str());
        json!({ "layer": layer, "level": level, "path": path, "line": self.line })
    }
}

/// Returns the locations of the value of a key.
fn origins(resolver: &Resolver<'_>, key: &str, explanation: &Explanation) -> anyhow::Result<Vec<KeyOrigin>> {
    let lines = lines_of_steps(resolver.analysis, key, explanation)?;
    let steps = explanation.steps.iter().zip(lines);
    let found = steps.filter(|(step, _)| explanation.found().any(|(found, _)| std::ptr::eq(found, *step)));
    let origin = found.map(|(step, line)| KeyOrigin {
        layer: layer_name(&step.layer),
        level: step.level.clone(),
        path: shown_path(step.path.as_ref().unwrap_or(&step.written)).into(),
        line,
    });
    Ok(origin.collect())
}

/// Returns the locations that define a key but whose values are not part of the result.
fn overridden<'l>(
    root: &str,
    locations: &'l [DataLocation],
    explanation: &Explanation,
) -> Vec<&'l DataLocation> {
    let module = root.split_once("::").map(|(module, _)| module);
    let is_searched = |layer: &Layer| match layer {
        Layer::Module(name) => module == Some(name.as_str()),
        Layer::Global | Layer::Environment => true,
    };
    let is_origin = |location: &DataLocation| {
        explanation.found().any(|(step, _)| {
            (&step.layer, &step.level, step.is_default)
                == (&location.layer, &location.level, location.is_default)
                && (&step.path, &step.written) == (&location.path, &location.written)
        })
    };
    let with_key = locations.iter().filter(|it| is_searched(&it.layer) && it.keys.has(root));
    with_key.filter(|it| !is_origin(it)).collect()
}

/// Returns a top-level key as lookups write it: quoted if it has a dot. `None` if no lookup can name it.
fn written_key(root: &str) -> Option<Cow<'_, str>> {
    if !root.contains(['.', '\'', '"']) {
        return Some(Cow::Borrowed(root));
    }
    let quote = ['\'', '"'].into_iter().find(|quote| !root.contains(*quote))?;
    Some(Cow::Owned(format!("{quote}{root}{quote}")))
}

/// Returns the reasons why a value is not known, or only in part.
fn open_reasons(outcome: &LookupOutcome, explanation: &Explanation) -> Vec<String> {
    match outcome {
        LookupOutcome::Value(value) if is_unknown(&without_ciphertexts(value)) => {
            vec!["an interpolation depends on unknown values".to_owned()]
        }
        LookupOutcome::Perhaps(_) => {
            let mut reasons = unknown_levels(explanation);
            // The options are looked up first.
            if explanation.result.is_none() {
                reasons.push("`lookup_options` depend on levels with unknown contents".to_owned());
            }
            reasons
        }
        LookupOutcome::Value(_) | LookupOutcome::Nothing | LookupOutcome::Failure(_) => Vec::new(),
    }
}

/// Describes a location whose keys are not known.
fn open_level(location: &DataLocation) -> Option<String> {
    let reason = match location.keys {
        // Lookups of the keys in the files that such a level may read are open.
        LocationKeys::Known(_) | LocationKeys::NoFile | LocationKeys::Possible => return None,
        LocationKeys::Unknown => "depends on unknown values",
        LocationKeys::Unread => "cannot be read",
        LocationKeys::UnknownFunction => "is a Ruby function, which is not run",
        LocationKeys::PerKey => "is a function that is called for each key",
    };
    Some(format!("level `{}` ({}) {reason}", visible(&location.level), visible(&location.written)))
}
