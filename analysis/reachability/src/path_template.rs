//! Paths of hierarchy levels with interpolations, and the files that they may lead to.

use hiera::config::HierarchyLevel;
use hiera::interpolation::interpolations;
use rustc_hash::FxHashMap;

/// Maximum number of interpolations of a path whose files are known.
const MAX_PARTS: usize = 6;

/// Maximum number of steps of a comparison of a path with a template.
const MAX_STEPS: usize = 10_000;

/// Path of a level, relative to the folder of the configuration.
pub(crate) struct PathTemplate {
    /// Alternatives: an interpolation that is a whole segment may be empty, so that the segment is left out.
    variants: Vec<Vec<TemplatePart>>,
    /// Interpolations as written.
    names: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    /// Interpolation, by its index in `names`.
    Value(usize),
}

/// Values of interpolations, by their text.
pub(crate) type Bindings = FxHashMap<String, String>;

impl PathTemplate {
    /// Returns the template of a path; `None` for one with too many interpolations.
    pub(crate) fn new(level: &HierarchyLevel, written: &str) -> Option<PathTemplate> {
        let pattern = project::path_pattern(level, written);
        let of_path = [level.datadir.as_str(), written];
        let names: Vec<String> = of_path
            .iter()
            .flat_map(|text| interpolations(text).into_iter().map(|it| text[it.range.as_range()].to_owned()))
            .collect();
        // An asterisk that is not an interpolation.
        if pattern.matches('*').count() != names.len() || names.len() > MAX_PARTS {
            return None;
        }
        let mut variants: Vec<Vec<TemplatePart>> = vec![Vec::new()];
        let mut next = 0;
        for (at, segment) in pattern.split('/').enumerate() {
            let mut parts = Vec::new();
            for (index, text) in segment.split('*').enumerate() {
                if index > 0 {
                    parts.push(TemplatePart::Value(next));
                    next += 1;
                }
                parts.push(TemplatePart::Text(text.to_owned()));
            }
            let is_optional = segment == "*";
            let mut longer = Vec::new();
            for variant in &variants {
                let mut with_segment = variant.clone();
                if at > 0 && !with_segment.is_empty() {
                    with_segment.push(TemplatePart::Text("/".to_owned()));
                }
                with_segment.extend(parts.iter().cloned());
                longer.push(with_segment);
            }
            if is_optional {
                longer.append(&mut variants);
            }
            variants = longer;
        }
        Some(PathTemplate { variants, names })
    }

    /// Returns true if the template has no interpolations.
    pub(crate) fn is_certain(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns true if the template may lead to a path.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.variants.iter().any(|variant| is_match(variant, path))
    }

    /// Returns the values with which the template leads to a path, if there is one possibility.
    pub(crate) fn bindings(&self, path: &str) -> Option<Bindings> {
        let mut budget = MAX_STEPS;
        let mut all = self.variants.iter().flat_map(|variant| {
            let is_whole = variant.iter().filter(|it| matches!(it, TemplatePart::Value(_))).count();
            splits(variant, path, &mut budget).into_iter().map(move |values| (is_whole, values))
        });
        let (count, values) = all.next()?;
        if all.next().is_some() || count < self.names.len() {
            return None;
        }
        let mut bindings = Bindings::default();
        for (index, value) in values {
            let name = &self.names[index];
            let known = bindings.entry(name.clone()).or_insert_with(|| value.to_owned());
            if known != value {
                return None;
            }
        }
        Some(bindings)
    }

    /// Returns the path that the template leads to, if all values are known.
    pub(crate) fn path(&self, bindings: &Bindings) -> Option<String> {
        let mut path = String::new();
        for part in self.variants.first()? {
            match part {
                TemplatePart::Text(text) => path.push_str(text),
                TemplatePart::Value(index) => path.push_str(bindings.get(&self.names[*index])?),
            }
        }
        // An empty value may leave out a segment.
        let is_plain =
            bindings.values().all(|it| !it.is_empty() && !it.starts_with('/') && !it.ends_with('/'));
        is_plain.then_some(path)
    }
}

/// Returns true if a path consists of the parts of a variant.
fn is_match(variant: &[TemplatePart], path: &str) -> bool {
    let (mut rest, mut follows_value) = (path, false);
    for (at, part) in variant.iter().enumerate() {
        let TemplatePart::Text(text) = part else {
            follows_value = true;
            continue;
        };
        let is_last = at + 1 == variant.len();
        let next = match (follows_value, is_last) {
            (true, true) => return rest.ends_with(text.as_str()),
            (true, false) => rest.find(text.as_str()).map(|at| &rest[at + text.len()..]),
            (false, _) => rest.strip_prefix(text.as_str()),
        };
        let Some(next) = next else { return false };
        // An empty text does not end a value.
        follows_value &= text.is_empty();
        rest = next;
    }
    follows_value || rest.is_empty()
}

/// Returns the first ways to split a path into the parts of a variant, two at most: the values by index. Returns two if
/// there may be several.
fn splits<'p>(variant: &[TemplatePart], path: &'p str, budget: &mut usize) -> Vec<Vec<(usize, &'p str)>> {
    let Some(left) = budget.checked_sub(1) else { return vec![Vec::new(); 2] };
    *budget = left;
    let Some((part, rest)) = variant.split_first() else {
        return if path.is_empty() { vec![Vec::new()] } else { Vec::new() };
    };
    match part {
        TemplatePart::Text(text) => {
            path.strip_prefix(text.as_str()).map_or(Vec::new(), |path| splits(rest, path, budget))
        }
        TemplatePart::Value(index) => {
            let mut found = Vec::new();
            for at in (0..=path.len()).filter(|at| path.is_char_boundary(*at)) {
                for mut values in splits(rest, &path[at..], budget) {
                    values.insert(0, (*index, &path[..at]));
                    found.push(values);
                }
                if found.len() > 1 {
                    break;
                }
            }
            found
        }
    }
}
