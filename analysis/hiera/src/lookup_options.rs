//! Validation of `lookup_options` as written in a data file.

use scalars::regexp::Regexp;
use syntax::TextRange;
use types::{TypeEnvironment, Value, parse};

use crate::config::Layer;
use crate::data::{DataEntry, DataNode};
use crate::merge::{Strategy, anything};

/// Name of the key whose value has the options of other keys.
pub const LOOKUP_OPTIONS: &str = "lookup_options";

const STRATEGIES: &str = "use `first`, `unique`, `hash`, or `deep`";

/// Problem found in `lookup_options`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionFinding {
    pub range: TextRange,
    pub message: String,
    /// True if Puppet fails on it, false if it ignores the option.
    pub is_error: bool,
}

/// Returns the problems in the value of `lookup_options`, in source order. Strings with interpolations are not
/// checked.
pub fn check(options: &DataNode, layer: &Layer, types: &dyn TypeEnvironment) -> Vec<OptionFinding> {
    let options = options.without_aliases();
    let mut checker = OptionChecker { layer, types, findings: Vec::new() };
    match &options.value {
        Value::Hash(_) => options.entries().iter().for_each(|entry| checker.key(entry)),
        Value::Undef | Value::Unknown(_) => {}
        _ => checker.error(options.range, "`lookup_options` must be a hash".to_owned()),
    }
    checker.findings
}

/// Returns the `merge` options of a key in a value of `lookup_options`: its own, and those of patterns that match it, or
/// may match it.
pub fn merges_of(options: &Value, key: &str) -> Vec<Value> {
    let Value::Hash(options) = options else { return Vec::new() };
    let applies = |name: &Value| match name {
        Value::String(name) if name.starts_with('^') && !is_interpolated(name) => {
            Regexp::new(name).map_or(true, |it| it.is_match(key).unwrap_or(true))
        }
        Value::String(name) => name == key || is_interpolated(name),
        _ => true,
    };
    let merge = |options: &Value| match options {
        Value::Hash(options) => {
            let is_computed = options.keys().any(|name| name.as_str().is_none_or(is_interpolated));
            let merge = options.get_text("merge").filter(|it| !it.is_undef()).cloned();
            merge.or_else(|| is_computed.then(anything))
        }
        Value::String(text) => is_interpolated(text).then(anything),
        Value::Unknown(_) => Some(anything()),
        _ => None,
    };
    options.iter().filter(|(name, _)| applies(name)).filter_map(|(_, options)| merge(options)).collect()
}

struct OptionChecker<'a> {
    layer: &'a Layer,
    types: &'a dyn TypeEnvironment,
    findings: Vec<OptionFinding>,
}

impl OptionChecker<'_> {
    fn error(&mut self, range: TextRange, message: String) {
        self.findings.push(OptionFinding { range, message, is_error: true });
    }

    fn warning(&mut self, range: TextRange, message: String) {
        self.findings.push(OptionFinding { range, message, is_error: false });
    }

    fn key(&mut self, entry: &DataEntry) {
        let range = entry.key.range;
        let Some(key) = entry.key.value.as_str() else {
            return self.error(range, "keys of `lookup_options` must be strings".to_owned());
        };
        if is_interpolated(key) {
            return;
        }
        let name = key.strip_prefix('^').unwrap_or(key);
        if let Layer::Module(module) = self.layer
            && !name.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::"))
        {
            let message = format!("options of a module must be for keys that begin with `{module}::`");
            self.error(range, message);
        }
        if key.starts_with('^') && Regexp::new(key).is_err() {
            self.error(range, format!("invalid regular expression `{key}`"));
        }
        match &entry.value.value {
            Value::Hash(_) => entry.value.entries().iter().for_each(|option| self.option(option)),
            Value::Undef | Value::Unknown(_) => {}
            Value::String(text) if is_interpolated(text) => {}
            Value::String(_) | Value::Boolean(false) => {
                let message = format!("options of `{key}` must be a hash; they are ignored");
                self.warning(entry.value.range, message);
            }
            _ => self.error(entry.value.range, format!("options of `{key}` must be a hash")),
        }
    }

    fn option(&mut self, option: &DataEntry) {
        match option.key.value.as_str() {
            Some("merge") => self.merge(&option.value),
            Some("convert_to") => self.conversion(&option.value),
            Some(name) if is_interpolated(name) => {}
            name => {
                let name = name.unwrap_or("?");
                let problem = format!("unknown option `{name}` is ignored");
                let help = match name {
                    "strategy" | "knockout_prefix" | "merge_hash_arrays" | "sort_merged_arrays" => {
                        format!("write `merge: {{strategy: deep, {name}: ...}}`")
                            .replace("deep, strategy: ", "")
                    }
                    _ => "use `merge` or `convert_to`".to_owned(),
                };
                self.warning(option.key.range, format!("{problem}\nhelp: {help}"));
            }
        }
    }

    fn merge(&mut self, merge: &DataNode) {
        if contains_interpolation(&merge.value) {
            return;
        }
        let Err(error) = Strategy::of_value(&merge.value) else { return };
        let strategy = merge.entry("strategy");
        let name = match (&merge.value, strategy) {
            (Value::Hash(_), None) => {
                return self
                    .error(merge.range, format!("`merge` must have a `strategy`\nhelp: {STRATEGIES}"));
            }
            (_, Some(strategy)) => &strategy.value,
            _ => merge,
        };
        let is_strategy =
            name.value.as_str().is_some_and(|it| Strategy::of_value(&Value::string(it)).is_ok());
        if !is_strategy {
            return self.error(name.range, format!("{error}\nhelp: {STRATEGIES}"));
        }
        // The first option that the strategy does not accept.
        let is_refused = |option: &&DataEntry| {
            let entries = strategy.into_iter().chain([*option]);
            let one = Value::hash(entries.map(|it| (it.key.value.clone(), it.value.value.clone())));
            Strategy::of_value(&one).is_err()
        };
        let others = merge.entries().iter().filter(|it| it.key.value.as_str() != Some("strategy"));
        let refused: Vec<&DataEntry> = others.filter(is_refused).collect();
        for option in refused {
            let key = option.key.value.as_str().unwrap_or("?");
            let strategy = name.value.as_str().unwrap_or("?");
            let message = match strategy {
                "deep" => format!("invalid option `{key}` for merge strategy `deep`"),
                _ => format!("merge strategy `{strategy}` does not accept the option `{key}`"),
            };
            self.error(option.key.range, message);
        }
    }

    fn conversion(&mut self, conversion: &DataNode) {
        let ty = match &conversion.value {
            Value::Array(_) => match conversion.elements().first() {
                Some(first) => first,
                None => return self.error(conversion.range, "`convert_to` must not be empty".to_owned()),
            },
            _ => conversion,
        };
        match &ty.value {
            Value::Undef | Value::Unknown(_) => {}
            Value::String(text) if is_interpolated(text) => {}
            Value::String(text) => {
                if let Err(error) = parse::parse_type(text, self.types) {
                    self.error(ty.range, format!("invalid type `{text}`: {error}"));
                }
            }
            _ => self.error(ty.range, "`convert_to` must be a type".to_owned()),
        }
    }
}

fn is_interpolated(text: &str) -> bool {
    text.contains("%{")
}

fn contains_interpolation(value: &Value) -> bool {
    match value {
        Value::String(text) => is_interpolated(text),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| contains_interpolation(key) || contains_interpolation(value))
        }
        _ => false,
    }
}
