//! The entries of a hierarchy, and where their data is.

use smol_str::SmolStr;
use types::Value;

use super::Search;
use super::explain::{LookupStep, StepOutcome};
use super::interpolate::is_interpolated;
use super::values::own_format;
use crate::config::{DataProvider, HieraConfig, HierarchyLevel, Layer, Locations, Written};
use crate::key::Key;
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};
use crate::sources::DataFile;

/// A place of an entry.
#[derive(Clone, Debug)]
pub(super) struct LevelPath {
    pub(super) written: SmolStr,
    pub(super) spot: Spot,
}

#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// The function needs no place.
    Nowhere,
    File(SmolStr),
    Uri(SmolStr),
    /// Files that fit a pattern, in a folder that is not read.
    Unread,
    /// It depends on what is not known.
    Unknown,
    /// It depends on elements of variables that nobody here knows of, but that may be there.
    Possible,
}

impl LevelPath {
    pub(super) fn path(&self) -> Option<&SmolStr> {
        match &self.spot {
            Spot::File(path) => Some(path),
            _ => None,
        }
    }
}

impl Search<'_> {
    /// A key in all entries of a hierarchy.
    pub(super) fn hierarchy(
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
        // What is wrong with one entry ends every lookup.
        let mut places = Vec::with_capacity(levels.len());
        let mut datadir = None;
        for level in levels {
            let of_level = self.quietly(|search| search.places(level, root, &mut datadir))?;
            if level.provider != DataProvider::DataHash || !level.options.is_empty() {
                self.quietly(|search| search.interpolate_options(level))?;
            }
            places.push((level, of_level));
        }
        let mut visited = 0;
        let answer = strategy.lookup(&places, |(level, places)| {
            strategy.lookup(places, |place| {
                visited += 1;
                self.place(layer, level, is_default, place, key)
            })
        })?;
        if self.shows_what_is_behind && self.explanation.is_some() && matches!(answer, Answer::Unknown(_)) {
            let all =
                places.iter().flat_map(|(level, places)| places.iter().map(move |place| (level, place)));
            for (level, place) in all.skip(visited) {
                if let Ok(Answer::Found(_)) = self.place(layer, level, is_default, place, key) {
                    break;
                }
            }
        }
        Ok(answer)
    }

    fn place(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        is_default: bool,
        place: &LevelPath,
        key: &Key,
    ) -> LookupStepResult {
        let answer = self.value_at(layer, level, place, key)?;
        let is_unread = |search: &Self| {
            let file = own_format(level).zip(place.path());
            file.is_some_and(|(format, path)| matches!(search.world.data(path, format), DataFile::Unknown))
        };
        let is_unread =
            matches!(answer, Some(Answer::Unknown(_))) && self.explanation.is_some() && is_unread(self);
        if let Some(explanation) = &mut self.explanation {
            explanation.steps.push(LookupStep {
                layer: layer.clone(),
                level: level.name.text.clone(),
                is_default,
                written: place.written.clone(),
                path: place.path().cloned(),
                outcome: match &answer {
                    None => StepOutcome::NoFile,
                    Some(Answer::Missing) => StepOutcome::NoKey,
                    Some(Answer::Found(value)) => StepOutcome::Found(value.clone()),
                    Some(Answer::Unknown(_)) if matches!(place.spot, Spot::Unread) => StepOutcome::Unread,
                    Some(Answer::Unknown(_))
                        if own_format(level).is_none()
                            && !matches!(place.spot, Spot::Unknown | Spot::Possible) =>
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

    /// The places of an entry. `last_datadir`: as it is written and where it is, if that is the same at any time; entries
    /// mostly have that of the one before.
    fn places<'l>(
        &mut self,
        level: &'l HierarchyLevel,
        root: &str,
        last_datadir: &mut Option<(&'l SmolStr, SmolStr)>,
    ) -> LookupStepResult<Vec<LevelPath>> {
        let datadir = match last_datadir {
            Some((written, place)) if **written == level.datadir => Some(place.clone()),
            _ => {
                let place = join(root, &level.datadir);
                *last_datadir = (!is_interpolated(&place)).then(|| (&level.datadir, place.clone()));
                self.text(&place)?
            }
        };
        let mut places = Vec::new();
        match &level.locations {
            Locations::None => {
                places.push(LevelPath { written: level.function.clone(), spot: Spot::Nowhere });
            }
            Locations::Paths(paths) => {
                for written in paths {
                    let unknown = self.unknown;
                    let path = match self.text(&written.text) {
                        Err(LookupError { variable: Some(name), .. })
                            if self.world.skips_unknown_paths(&name) =>
                        {
                            continue;
                        }
                        path => path?,
                    };
                    if self.has_lost_its_beginning(&written.text, path.as_deref())? {
                        continue;
                    }
                    let unless_known = self.spot_unless_known(unknown);
                    places.push(file(written, level, datadir.as_deref(), path, unless_known));
                }
            }
            Locations::Globs(globs) => {
                for written in globs {
                    self.glob(written, datadir.as_deref(), &mut places)?;
                }
            }
            Locations::Uris(uris) => {
                for written in uris {
                    let spot = self.text(&written.text)?.map_or(Spot::Unknown, Spot::Uri);
                    places.push(LevelPath { written: written.text.clone(), spot });
                }
            }
            Locations::Mapped(mapped) => self.mapped(mapped, level, datadir.as_deref(), &mut places)?,
        }
        Ok(places)
    }

    /// A text of the configuration; `None` when it is not known.
    fn text(&mut self, written: &str) -> LookupStepResult<Option<SmolStr>> {
        if !written.contains("%{") && self.step() {
            return Ok(Some(written.into()));
        }
        let value = self.interpolate(&Value::string(written), false)?;
        Ok(value.as_str().map(SmolStr::from))
    }

    /// Is it the root of the machine where a path leads, because the variables at its beginning are empty (`%{site}/common.yaml`)?
    /// Puppet looks there; nobody has data there.
    fn has_lost_its_beginning(&mut self, written: &str, path: Option<&str>) -> LookupStepResult<bool> {
        let mut rest = written;
        while let Some((_, behind)) = rest.strip_prefix("%{").and_then(|inside| inside.split_once('}')) {
            rest = behind;
        }
        let is_possible = rest.len() < written.len() && rest.starts_with('/');
        let Some(path) = path.filter(|path| is_possible && path.starts_with('/')) else { return Ok(false) };
        Ok(self.text(rest)?.is_some_and(|rest| rest == path))
    }

    /// Where something is that is not known, if so many things were not known before.
    fn spot_unless_known(&self, before: usize) -> Spot {
        if self.unknown > before { Spot::Unknown } else { Spot::Possible }
    }

    fn glob(
        &mut self,
        written: &Written,
        datadir: Option<&str>,
        places: &mut Vec<LevelPath>,
    ) -> LookupStepResult<()> {
        let unknown = self.unknown;
        let unclear = |spot: Spot| LevelPath { written: written.text.clone(), spot };
        let (Some(pattern), Some(datadir)) = (self.text(&written.text)?, datadir) else {
            let spot = if datadir.is_some() { self.spot_unless_known(unknown) } else { Spot::Unknown };
            places.push(unclear(spot));
            return Ok(());
        };
        if self.has_lost_its_beginning(&written.text, Some(&pattern))? {
            return Ok(());
        }
        match self.world.glob(&join(datadir, &pattern)) {
            None => places.push(unclear(Spot::Unread)),
            Some(found) => places.extend(
                found
                    .into_iter()
                    .map(|path| LevelPath { written: written.text.clone(), spot: Spot::File(path) }),
            ),
        }
        Ok(())
    }

    fn mapped(
        &mut self,
        [variable, name, path]: &[Written; 3],
        level: &HierarchyLevel,
        datadir: Option<&str>,
        places: &mut Vec<LevelPath>,
    ) -> LookupStepResult<()> {
        let possible = self.possible;
        let elements = match self.variable(&variable.text)? {
            Value::Undef => return Ok(()),
            Value::String(text) if text.is_empty() => return Ok(()),
            text @ Value::String(_) => vec![text],
            Value::Array(elements) => elements.to_vec(),
            Value::Hash(entries) if entries.is_empty() => return Ok(()),
            Value::Hash(entries) => {
                entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
            }
            Value::Unknown(_) => {
                let spot = if self.possible > possible { Spot::Possible } else { Spot::Unknown };
                places.push(LevelPath { written: path.text.clone(), spot });
                return Ok(());
            }
            _ => {
                let message = format!("the variable '{}' of 'mapped_paths' is no list", variable.text);
                return Err(LookupError::new(message));
            }
        };
        for element in elements {
            self.locals.push((name.text.clone(), element));
            let unknown = self.unknown;
            let of_element = self.text(&path.text);
            let is_lost = match &of_element {
                Ok(found) => self.has_lost_its_beginning(&path.text, found.as_deref()),
                Err(_) => Ok(false),
            };
            self.locals.pop();
            if !is_lost? {
                let unless_known = self.spot_unless_known(unknown);
                places.push(file(path, level, datadir, of_element?, unless_known));
            }
        }
        Ok(())
    }
}

fn file(
    written: &Written,
    level: &HierarchyLevel,
    datadir: Option<&str>,
    path: Option<SmolStr>,
    unless_known: Spot,
) -> LevelPath {
    let spot = match (datadir, path) {
        (Some(datadir), Some(path)) => {
            let extension = level.extension.as_deref().unwrap_or_default();
            let extension = if path.ends_with(extension) { "" } else { extension };
            Spot::File(join(datadir, &format!("{path}{extension}")))
        }
        (Some(_), None) => unless_known,
        (None, _) => Spot::Unknown,
    };
    LevelPath { written: written.text.clone(), spot }
}

/// A path below a folder, or the path itself if it is absolute; `.` and `..` at its beginning are resolved.
pub fn join(folder: &str, path: &str) -> SmolStr {
    let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    if is_absolute {
        return path.into();
    }
    let mut folder = folder.trim_end_matches('/');
    let mut rest = path;
    loop {
        if let Some(behind) = rest.strip_prefix("../") {
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("./") {
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix('/') {
            rest = behind;
        } else {
            break;
        }
    }
    // An empty variable leaves two slashes, which are one to a machine.
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
