//! Circles in the order of resources: an agent applies nothing of such a catalog.
//!
//! Specification: the section on dependency cycles in the chapter on relationships.

use rustc_hash::FxHashSet;
use types::Value;

use super::store::{Parameter, ResourceId};
use crate::error::{EvaluationError, Exit, Failure};
use crate::evaluator::Evaluator;

impl Evaluator<'_> {
    /// A circle among resources that are certainly there, if there is one. A container begins before what it contains, and
    /// ends behind it.
    pub(super) fn find_cycle(&self) -> Option<EvaluationError> {
        let count = self.catalog.resources.len();
        // Each resource has a begin and an end.
        let (begin, end) = (|id: ResourceId| id.0 as usize * 2, |id: ResourceId| id.0 as usize * 2 + 1);
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count * 2];
        let is_there = |id: ResourceId| {
            let resource = &self.catalog[id];
            !resource.is_virtual && !resource.is_possible && !self.is_gone(id)
        };
        for (from, to) in &self.catalog.edges {
            next[begin(*from)].push(begin(*to));
            next[end(*to)].push(end(*from));
        }
        for index in 0..count {
            let id = ResourceId(index as u32);
            next[begin(id)].push(end(id));
            if !is_there(id) {
                continue;
            }
            for parameter in &self.catalog[id].parameters {
                for other in self.related(parameter) {
                    if !is_there(other) {
                        continue;
                    }
                    match parameter.name.as_str() {
                        "before" | "notify" => next[end(id)].push(begin(other)),
                        _ => next[end(other)].push(begin(id)),
                    }
                }
            }
        }
        let circle = circle_in(&next)?;
        let mut ids: Vec<ResourceId> = Vec::new();
        for node in circle {
            let id = ResourceId((node / 2) as u32);
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
        if ids.len() > 1 && ids.first() == ids.last() {
            ids.pop();
        }
        let names: Vec<String> = ids.iter().map(|id| self.catalog[*id].reference()).collect();
        let first = names.first()?.clone();
        let message = format!("resources wait for each other: {} -> {first}", names.join(" -> "));
        // A relationship of the circle is what can be changed.
        let of_circle =
            |parameter: &&Parameter| self.related(parameter).iter().any(|other| ids.contains(other));
        let place = ids.iter().find_map(|id| {
            self.catalog[*id].parameters.iter().filter(of_circle).find_map(|parameter| parameter.place)
        });
        let place = place.or_else(|| ids.iter().find_map(|id| self.catalog[*id].place()))?;
        let calls = ids.iter().filter_map(|id| self.catalog[*id].place()).collect();
        match self.error_at(place, Failure::new("dependency-cycle", message)) {
            Exit::Error(error) => Some(EvaluationError { calls, ..*error }),
            _ => None,
        }
    }

    /// What a parameter says something about the order with.
    fn related(&self, parameter: &Parameter) -> Vec<ResourceId> {
        if !matches!(parameter.name.as_str(), "before" | "require" | "notify" | "subscribe") {
            return Vec::new();
        }
        let mut references = Vec::new();
        super::flatten(&parameter.value, &mut references);
        let find = |reference: &Value| {
            let text = match reference {
                Value::String(text) => text.clone(),
                _ => super::rendered_reference(reference)?,
            };
            let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
            self.catalog.find(type_name, title)
        };
        references.iter().filter_map(find).collect()
    }
}

/// The nodes of a circle, in order.
fn circle_in(next: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut done = FxHashSet::default();
    for start in 0..next.len() {
        if done.contains(&start) {
            continue;
        }
        // The way so far, and how far each of its nodes was looked at.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        let mut on_the_way = FxHashSet::from_iter([start]);
        while let Some((node, position)) = way.last_mut() {
            let Some(to) = next[*node].get(*position).copied() else {
                on_the_way.remove(node);
                done.insert(*node);
                way.pop();
                continue;
            };
            *position += 1;
            if on_the_way.contains(&to) {
                let from = way.iter().position(|(node, _)| *node == to)?;
                return Some(way[from..].iter().map(|(node, _)| *node).collect());
            }
            if !done.contains(&to) {
                on_the_way.insert(to);
                way.push((to, 0));
            }
        }
    }
    None
}
