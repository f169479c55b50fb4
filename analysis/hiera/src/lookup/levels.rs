//! Hierarchy entries and the locations of their data.

use scalars::uri::Uri;
use smol_str::SmolStr;
use types::Value;

use super::Search;
use super::explain::{LookupStep, StepOutcome};
use super::interpolate::is_interpolated;
use crate::config::{HieraConfig, HierarchyLevel, Layer, Locations, Written};
use crate::key::Key;
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};
use crate::sources::DataFile;

/// Location of an entry's data.
#[derive(Clone, Debug)]
pub(super) struct LevelLocation {
    pub(super) written: SmolStr,
    pub(super) target: LocationTarget,
}

#[derive(Clone, Debug)]
pub(super) enum LocationTarget {
    /// The function needs no location.
    Nowhere,
    File(SmolStr),
    Uri(SmolStr),
    /// Files that match a pattern, in a folder that is not read.
    Unread,
    /// The location depends on unknown values.
    Unknown,
    /// The location depends on elements of variables that may exist although their values are not known.
    Possible,
}

impl LevelLocation {
    pub(super) fn path(&self) -> Option<&SmolStr> {
        match &self.target {
            LocationTarget::File(path) => Some(path),
            _ => None,
        }
    }
}

impl Search<'_> {
    /// Looks up a key in all entries of a hierarchy.
    pub(super) fn lookup_in_hierarchy(
        &mut self,
        layer: &Layer,
        root: &str,
        config: &HieraConfig,
        is_default: bool,
        key: &Key,
        strategy: &Strategy,
    ) -> LookupStepResult {
        if let Some(error) = config.error() {
            return Err(LookupError::new(format!("{root}/hiera.yaml: {}", error.message)));
        }
        let levels = if is_default {
            config.default_hierarchy.as_deref().unwrap_or_default()
        } else {
            &config.hierarchy
        };
        // An error in the locations of any level makes every lookup fail, so resolve all levels first.
        let mut located_levels = Vec::with_capacity(levels.len());
        let mut datadir = None;
        for level in levels {
            let of_level =
                self.without_explanation(|search| search.resolve_locations(level, root, &mut datadir))?;
            if !level.backend.is_data_hash() || !level.options.is_empty() {
                self.without_explanation(|search| search.interpolate_options(level))?;
            }
            located_levels.push((level, of_level));
        }
        let mut visited = 0;
        let answer = strategy.lookup(&located_levels, |(level, locations)| {
            strategy.lookup(locations, |location| {
                visited += 1;
                self.lookup_at_location(layer, level, is_default, location, key)
            })
        })?;
        if self.explains_lower_levels && self.explanation.is_some() && matches!(answer, Answer::Unknown(_)) {
            let all = located_levels
                .iter()
                .flat_map(|(level, locations)| locations.iter().map(move |location| (level, location)));
            for (level, location) in all.skip(visited) {
                if let Ok(Answer::Found(_)) = self.lookup_at_location(layer, level, is_default, location, key)
                {
                    break;
                }
            }
        }
        Ok(answer)
    }

    fn lookup_at_location(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        is_default: bool,
        location: &LevelLocation,
        key: &Key,
    ) -> LookupStepResult {
        let answer = self.value_at(layer, level, location, key)?;
        let is_unread = |search: &Self| {
            let file = level.backend.file_format().zip(location.path());
            file.is_some_and(|(format, path)| matches!(search.host.data(path, format), DataFile::Unknown))
        };
        let is_unread =
            matches!(answer, Some(Answer::Unknown(_))) && self.explanation.is_some() && is_unread(self);
        if let Some(explanation) = &mut self.explanation {
            explanation.steps.push(LookupStep {
                layer: layer.clone(),
                level: level.name.text.clone(),
                is_default,
                written: location.written.clone(),
                path: location.path().cloned(),
                outcome: match &answer {
                    None => StepOutcome::NoFile,
                    Some(Answer::Missing) => StepOutcome::NoKey,
                    Some(Answer::Found(value)) => StepOutcome::Found(value.clone()),
                    Some(Answer::Unknown(_)) if matches!(location.target, LocationTarget::Unread) => {
                        StepOutcome::Unread
                    }
                    Some(Answer::Unknown(_))
                        if level.backend.file_format().is_none()
                            && !matches!(
                                location.target,
                                LocationTarget::Unknown | LocationTarget::Possible
                            ) =>
                    {
                        StepOutcome::UnknownFunction
                    }
                    Some(Answer::Unknown(_)) if is_unread => StepOutcome::Unread,
                    Some(Answer::Unknown(_)) => StepOutcome::Unknown,
                },
            });
        }
        Ok(answer.unwrap_or(Answer::Missing))
    }

    /// Resolves the locations of an entry. `last_datadir` caches the written and the resolved data directory
    /// if it has no interpolations, because consecutive entries usually share it.
    pub(super) fn resolve_locations<'l>(
        &mut self,
        level: &'l HierarchyLevel,
        root: &str,
        last_datadir: &mut Option<(&'l SmolStr, SmolStr)>,
    ) -> LookupStepResult<Vec<LevelLocation>> {
        let datadir = match last_datadir {
            Some((written, location)) if **written == level.datadir => Some(location.clone()),
            _ => {
                let location = join(root, &level.datadir);
                *last_datadir = (!is_interpolated(&location)).then(|| (&level.datadir, location.clone()));
                self.interpolate_string(&location)?
            }
        };
        // Configurations of older versions append an extension.
        let outer = std::mem::replace(&mut self.in_location, level.extension.is_none());
        let locations = self.locations_in(level, datadir.as_deref());
        self.in_location = outer;
        locations
    }

    fn locations_in(
        &mut self,
        level: &HierarchyLevel,
        datadir: Option<&str>,
    ) -> LookupStepResult<Vec<LevelLocation>> {
        let mut locations = Vec::new();
        match &level.locations {
            Locations::None => {
                locations.push(LevelLocation {
                    written: level.backend.name().into(),
                    target: LocationTarget::Nowhere,
                });
            }
            Locations::Paths(paths) => {
                for written in paths {
                    let unknown = self.unknown;
                    let path = self.interpolate_string(&written.text)?;
                    if self.has_empty_prefix(&written.text, path.as_deref())? {
                        continue;
                    }
                    let unless_known = self.target_unless_known(unknown);
                    locations.push(file(written, level, datadir, path, unless_known));
                }
            }
            Locations::Globs(globs) => {
                for written in globs {
                    self.resolve_glob(written, datadir, &mut locations)?;
                }
            }
            Locations::Uris(uris) => {
                for written in uris {
                    let target = match self.interpolate_string(&written.text)? {
                        Some(text) => LocationTarget::Uri(checked_uri(&text)?),
                        None => LocationTarget::Unknown,
                    };
                    locations.push(LevelLocation { written: written.text.clone(), target });
                }
            }
            Locations::Mapped(mapped) => self.resolve_mapped_paths(mapped, level, datadir, &mut locations)?,
        }
        Ok(locations)
    }

    /// Interpolates a string of the configuration; `None` if the result is not known.
    fn interpolate_string(&mut self, written: &str) -> LookupStepResult<Option<SmolStr>> {
        if !written.contains("%{") && self.step() {
            return Ok(Some(written.into()));
        }
        let value = self.interpolate(&Value::string(written), false)?;
        Ok(value.as_str().map(SmolStr::from))
    }

    /// Returns true if a path is in the root of the file system only because the variables at its start are
    /// empty (`%{site}/common.yaml`). Puppet looks there, but such a path never has data.
    fn has_empty_prefix(&mut self, written: &str, path: Option<&str>) -> LookupStepResult<bool> {
        let mut rest = written;
        while let Some((_, after)) = rest.strip_prefix("%{").and_then(|inside| inside.split_once('}')) {
            rest = after;
        }
        let is_possible = rest.len() < written.len() && rest.starts_with('/');
        let Some(path) = path.filter(|path| is_possible && path.starts_with('/')) else { return Ok(false) };
        Ok(self.interpolate_string(rest)?.is_some_and(|rest| rest == path))
    }

    /// Returns the location to use if the path is not known. `before` is the number of unknown values before
    /// it was resolved.
    fn target_unless_known(&self, before: usize) -> LocationTarget {
        if self.unknown > before { LocationTarget::Unknown } else { LocationTarget::Possible }
    }

    fn resolve_glob(
        &mut self,
        written: &Written,
        datadir: Option<&str>,
        locations: &mut Vec<LevelLocation>,
    ) -> LookupStepResult<()> {
        let unknown = self.unknown;
        let unresolved = |target: LocationTarget| LevelLocation { written: written.text.clone(), target };
        let (Some(pattern), Some(datadir)) = (self.interpolate_string(&written.text)?, datadir) else {
            let target =
                if datadir.is_some() { self.target_unless_known(unknown) } else { LocationTarget::Unknown };
            locations.push(unresolved(target));
            return Ok(());
        };
        if self.has_empty_prefix(&written.text, Some(&pattern))? {
            return Ok(());
        }
        match self.host.glob(&join(datadir, &pattern)) {
            None => locations.push(unresolved(LocationTarget::Unread)),
            Some(found) => locations.extend(found.into_iter().map(|path| LevelLocation {
                written: written.text.clone(),
                target: LocationTarget::File(path),
            })),
        }
        Ok(())
    }

    fn resolve_mapped_paths(
        &mut self,
        [variable, name, path]: &[Written; 3],
        level: &HierarchyLevel,
        datadir: Option<&str>,
        locations: &mut Vec<LevelLocation>,
    ) -> LookupStepResult<()> {
        let possible = self.possible;
        let elements = match self.read_variable(&variable.text)? {
            Value::Undef => return Ok(()),
            Value::String(text) if text.is_empty() => return Ok(()),
            text @ Value::String(_) => vec![text],
            Value::Array(elements) => elements.to_vec(),
            Value::Hash(entries) if entries.is_empty() => return Ok(()),
            Value::Hash(entries) => {
                entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
            }
            Value::Unknown(_) => {
                let target =
                    if self.possible > possible { LocationTarget::Possible } else { LocationTarget::Unknown };
                locations.push(LevelLocation { written: path.text.clone(), target });
                return Ok(());
            }
            _ => {
                let message = format!(
                    "variable `{}` in `mapped_paths` must be a string, an array or a hash",
                    variable.text
                );
                return Err(LookupError::new(message));
            }
        };
        for element in elements {
            self.locals.push((name.text.clone(), element));
            let unknown = self.unknown;
            let of_element = self.interpolate_string(&path.text);
            let is_rootless = match &of_element {
                Ok(found) => self.has_empty_prefix(&path.text, found.as_deref()),
                Err(_) => Ok(false),
            };
            self.locals.pop();
            if !is_rootless? {
                let unless_known = self.target_unless_known(unknown);
                locations.push(file(path, level, datadir, of_element?, unless_known));
            }
        }
        Ok(())
    }
}

/// Returns a URI as Ruby writes it.
fn checked_uri(text: &str) -> LookupStepResult<SmolStr> {
    let uri = Uri::parse(text).map_err(|error| LookupError::new(error.to_string()))?;
    Ok(uri.to_string().into())
}

fn file(
    written: &Written,
    level: &HierarchyLevel,
    datadir: Option<&str>,
    path: Option<SmolStr>,
    unless_known: LocationTarget,
) -> LevelLocation {
    let target = match (datadir, path) {
        (Some(datadir), Some(path)) => {
            let extension = level.extension.as_deref().unwrap_or_default();
            let extension = if path.ends_with(extension) { "" } else { extension };
            LocationTarget::File(join(datadir, &format!("{path}{extension}")))
        }
        (Some(_), None) => unless_known,
        (None, _) => LocationTarget::Unknown,
    };
    LevelLocation { written: written.text.clone(), target }
}

/// Joins a folder and a path. Absolute paths are returned as they are; a leading `.` or `..` is resolved.
pub fn join(folder: &str, path: &str) -> SmolStr {
    // A drive, unlike the name of a class: `C:/data`, `m::data`.
    let has_drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().get(2) != Some(&b':');
    let is_absolute = path.starts_with('/') || has_drive;
    if is_absolute {
        return path.into();
    }
    let mut folder = folder.trim_end_matches('/');
    let mut rest = path;
    loop {
        if let Some(after) = rest.strip_prefix("../") {
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix('/') {
            rest = after;
        } else {
            break;
        }
    }
    // An empty variable leaves two slashes, which the file system treats as one.
    let mut plain = String::new();
    let rest = if rest.contains("//") || rest.contains("/./") {
        for part in rest.split_inclusive('/').filter(|part| !matches!(*part, "/" | "./")) {
            plain.push_str(part);
        }
        plain.as_str()
    } else {
        rest
    };
    match rest {
        ".." => folder.rsplit_once('/').map_or("", |(parent, _)| parent).into(),
        "" | "." => folder.into(),
        _ => format!("{folder}/{rest}").into(),
    }
}
