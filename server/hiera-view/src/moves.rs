//! Values in data that can be removed, and keys that can move to a more general level.

use std::collections::BTreeMap;
use std::fmt::Write;

use cli_common::CommandOutcome;
use hiera::config::Layer;
use hiera::lookup::{DataLocation, LayerLocations, LocationKeys};
use ide::{Analysis, MovableKey, ValueMoves, ValuePlace};
use output::visible;
use serde_json::{Value as Json, json};

use crate::lookup::shown_path;

/// Version of the shape of the JSON.
const JSON_VERSION: u32 = 1;

/// Result of a move on the nodes that were checked so far.
#[derive(Clone, PartialEq, Eq, Debug)]
enum MoveVerdict {
    Equal,
    Different,
    /// Not known, with the reason.
    Open(String),
}

/// Values to print.
pub struct MovesReport<'a> {
    analysis: &'a Analysis,
    moves: &'a ValueMoves,
    /// Verdicts on the candidates; `None` if no nodes are given.
    verdicts: Option<Vec<MoveVerdict>>,
    nodes: usize,
}

/// A printable location.
struct ShownPlace {
    path: String,
    line: u32,
    level: String,
}

impl<'a> MovesReport<'a> {
    /// Creates a report without nodes, or with nodes that are passed to [`MovesReport::check_node`].
    pub fn new(analysis: &'a Analysis, moves: &'a ValueMoves, has_nodes: bool) -> MovesReport<'a> {
        let verdicts = has_nodes.then(|| vec![MoveVerdict::Equal; moves.candidates.len()]);
        MovesReport { analysis, moves, verdicts, nodes: 0 }
    }

    /// Checks that a node has the same values after each move. The error is the reason why its locations are not known.
    pub fn check_node(&mut self, layers: &Result<Vec<LayerLocations>, String>) {
        self.nodes += 1;
        let MovesReport { analysis, moves, .. } = self;
        for (candidate, verdict) in moves.candidates.iter().zip(self.verdicts.iter_mut().flatten()) {
            if *verdict == MoveVerdict::Different {
                continue;
            }
            let of_node = match layers {
                Ok(layers) => on_node(analysis, candidate, layers),
                Err(reason) => MoveVerdict::Open(reason.clone()),
            };
            if of_node != MoveVerdict::Equal {
                *verdict = of_node;
            }
        }
    }

    /// Returns the keys that can move on all nodes.
    fn movable(&self) -> impl Iterator<Item = &MovableKey> {
        let verdicts = self.verdicts.iter().flatten();
        let all = self.moves.candidates.iter().zip(verdicts);
        all.filter(|(_, verdict)| **verdict == MoveVerdict::Equal).map(|(candidate, _)| candidate)
    }

    /// Returns the numbers of values about which nothing is known, by reason.
    fn open(&self) -> anyhow::Result<BTreeMap<String, usize>> {
        let mut open = BTreeMap::new();
        for (reason, origin, count) in &self.moves.open {
            let at = origin.as_ref().map(|place| self.place(place)).transpose()?;
            let at = at.map(|it| format!(" at {}:{}", visible(&it.path), it.line)).unwrap_or_default();
            *open.entry(format!("{}{at}", visible(reason))).or_default() += count;
        }
        for verdict in self.verdicts.iter().flatten() {
            if let MoveVerdict::Open(reason) = verdict {
                *open.entry(reason.clone()).or_default() += 1;
            }
        }
        Ok(open)
    }

    fn place(&self, place: &ValuePlace) -> anyhow::Result<ShownPlace> {
        let path = self.analysis.path(place.file);
        Ok(ShownPlace {
            path: shown_path(path.as_str()).to_owned(),
            line: self.analysis.line_map(place.file)?.line(place.range.start) + 1,
            level: place.level.clone(),
        })
    }

    /// Returns the outcome of the command.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn outcome(&self) -> anyhow::Result<CommandOutcome> {
        Ok(if !self.moves.redundant.is_empty() || self.movable().next().is_some() {
            CommandOutcome::Findings
        } else if !self.open()?.is_empty() {
            CommandOutcome::Inconclusive
        } else {
            CommandOutcome::Clean
        })
    }

    /// Formats the values, one per line.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn text(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        for it in &self.moves.redundant {
            let (value, general) = (self.place(&it.value)?, self.place(&it.general)?);
            let _ = writeln!(
                text,
                "{}:{}: `{}` has no effect: {} has the same value",
                visible(&value.path),
                value.line,
                visible(&it.key),
                general.text(),
            );
        }
        let nodes = catalog_view::text::plural(self.nodes, "node", "nodes");
        for it in self.movable() {
            let target = self.place(&it.target)?;
            for value in &it.values {
                let value = self.place(value)?;
                let _ = writeln!(
                    text,
                    "{}:{}: `{}` can move to {} ({}): all files of level `{}` have the same value, and {nodes} keep it",
                    visible(&value.path),
                    value.line,
                    visible(&it.key),
                    visible(&target.path),
                    visible(&target.level),
                    visible(&value.level),
                );
            }
        }
        let open = self.open()?;
        for (reason, count) in &open {
            let _ = writeln!(text, "{count} open: {reason}");
        }
        let candidates = self.moves.candidates.len();
        if self.verdicts.is_none() && candidates > 0 {
            let keys = catalog_view::text::plural(candidates, "key has", "keys have");
            let _ = writeln!(
                text,
                "{keys} the same value in all files of a level; `--nodes` checks whether they can move"
            );
        }
        let (redundant, open) = (self.moves.redundant.len(), open.values().sum::<usize>());
        let movable = self.movable().count();
        let _ = writeln!(text, "{redundant} without effect, {movable} movable, {open} open");
        Ok(text)
    }

    /// Returns the report as JSON.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn json(&self) -> anyhow::Result<Json> {
        let place = |it: &ValuePlace| anyhow::Ok(self.place(it)?.json());
        let mut redundant = Vec::new();
        for it in &self.moves.redundant {
            redundant.push(json!({
                "key": it.key, "value": place(&it.value)?, "general": place(&it.general)?,
            }));
        }
        let mut movable = Vec::new();
        for it in self.movable() {
            let values = it.values.iter().map(place).collect::<anyhow::Result<Vec<_>>>()?;
            let target = self.place(&it.target)?;
            movable.push(json!({
                "key": it.key, "values": values, "target": { "path": target.path, "level": target.level },
            }));
        }
        let open = self.open()?;
        let open = open.iter().map(|(reason, count)| json!({ "reason": reason, "count": count }));
        Ok(json!({
            "version": JSON_VERSION,
            "redundant": redundant,
            "movable": movable,
            "open": open.collect::<Vec<_>>(),
            "candidates": self.moves.candidates.len(),
            "nodes": self.verdicts.as_ref().map(|_| self.nodes),
        }))
    }
}

impl ShownPlace {
    fn text(&self) -> String {
        format!("{}:{} ({})", visible(&self.path), self.line, visible(&self.level))
    }

    fn json(&self) -> Json {
        json!({ "path": self.path, "line": self.line, "level": self.level })
    }
}

/// Location of a node that has the key, or may have it.
enum Step {
    Group,
    Target,
    Other,
    Open(String),
}

/// Returns whether lookups of a key on a node have the same result after a move.
fn on_node(analysis: &Analysis, candidate: &MovableKey, layers: &[LayerLocations]) -> MoveVerdict {
    let module = candidate.key.split_once("::").map(|(module, _)| module);
    let mut locations: Vec<&DataLocation> = Vec::new();
    for LayerLocations { layer, locations: of_layer } in layers {
        if matches!(layer, Layer::Module(name) if Some(name.as_str()) != module) {
            continue;
        }
        match of_layer {
            Ok(of_layer) => locations.extend(of_layer),
            Err(_) => return MoveVerdict::Open("lookups fail on some nodes".to_owned()),
        }
    }
    locations.sort_by_key(|it| it.is_default);
    let is_at = |location: &DataLocation, place: &ValuePlace| {
        location.path.as_deref() == Some(analysis.path(place.file).as_str())
    };
    let step = |location: &&DataLocation| match &location.keys {
        LocationKeys::Known(_) if is_at(location, &candidate.target) => Some(Step::Target),
        LocationKeys::Known(_) if !location.keys.has(&candidate.key) => None,
        LocationKeys::Known(_) if candidate.values.iter().any(|it| is_at(location, it)) => Some(Step::Group),
        LocationKeys::Known(_) => Some(Step::Other),
        LocationKeys::NoFile => None,
        _ => Some(Step::Open(format!("level `{}` is not known on some nodes", visible(&location.level)))),
    };
    verdict(&locations.iter().filter_map(step).collect::<Vec<_>>(), candidate.is_first)
}

/// Returns the verdict on the locations of a node that have the key, or may have it, in lookup order.
fn verdict(steps: &[Step], is_first: bool) -> MoveVerdict {
    let open = |steps: &[Step]| {
        steps.iter().find_map(|it| match it {
            Step::Open(reason) => Some(MoveVerdict::Open(reason.clone())),
            _ => None,
        })
    };
    let has_value = |it: &Step| matches!(it, Step::Group | Step::Other);
    if !is_first {
        // With a single value before and after, the merge strategy has no effect.
        let values: Vec<&Step> = steps.iter().filter(|it| has_value(it)).collect();
        let targets = steps.iter().filter(|it| matches!(it, Step::Target)).count();
        let is_single = matches!(values.as_slice(), [Step::Group]) && targets == 1;
        return if is_single { open(steps).unwrap_or(MoveVerdict::Equal) } else { MoveVerdict::Different };
    }
    let (before, target) =
        (steps.iter().position(has_value), steps.iter().position(|it| matches!(it, Step::Target)));
    let (Some(before), Some(target)) = (before, target) else { return MoveVerdict::Different };
    if target < before {
        return MoveVerdict::Different;
    }
    let between = &steps[before..target];
    match steps[before] {
        Step::Group if between.iter().any(|it| matches!(it, Step::Other)) => MoveVerdict::Different,
        Step::Group => open(between).unwrap_or(MoveVerdict::Equal),
        _ => MoveVerdict::Equal,
    }
}
