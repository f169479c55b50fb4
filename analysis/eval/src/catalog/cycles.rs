//! Circles in the order of resources: an agent applies nothing of such a catalog.
//!
//! Specification: the section on dependency cycles in the chapter on relationships.

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
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(count * 4);
        let is_there = |id: ResourceId| {
            let resource = &self.catalog[id];
            !resource.is_virtual && !resource.is_possible && !self.is_gone(id)
        };
        for (from, to) in &self.catalog.edges {
            order.extend([(begin(*from), begin(*to)), (end(*to), end(*from))]);
        }
        for index in 0..count {
            let id = ResourceId(index as u32);
            order.push((begin(id), end(id)));
            if !is_there(id) {
                continue;
            }
            for parameter in &self.catalog[id].parameters {
                let related = self.related(parameter).into_iter().filter(|other| is_there(*other));
                order.extend(related.map(|other| match parameter.name.as_str() {
                    "before" | "notify" => (end(id), begin(other)),
                    _ => (end(other), begin(id)),
                }));
            }
        }
        let circle = circle_in(count * 2, order)?;
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
        let mut related = Vec::new();
        self.add_referenced(&parameter.value, &mut related);
        related
    }

    fn add_referenced(&self, value: &Value, found: &mut Vec<ResourceId>) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.add_referenced(element, found)),
            reference => {
                let named = super::referenced(reference);
                found.extend(named.and_then(|(type_name, title)| self.catalog.find(&type_name, &title)));
            }
        }
    }
}

/// The nodes of a circle, in order. The nodes are numbers below `count`; `order` says which of two comes first.
fn circle_in(count: usize, mut order: Vec<(usize, usize)>) -> Option<Vec<usize>> {
    // The order of what follows one node stays as it was.
    order.sort_by_key(|(from, _)| *from);
    let mut first: Vec<usize> = vec![0; count + 1];
    for (from, _) in &order {
        first[from + 1] += 1;
    }
    for node in 0..count {
        first[node + 1] += first[node];
    }
    let mut states = vec![State::New; count];
    for start in 0..count {
        if states[start] != State::New {
            continue;
        }
        states[start] = State::OnTheWay;
        // The way so far, and where in the order it goes on.
        let mut way: Vec<(usize, usize)> = vec![(start, first[start])];
        while let Some((node, position)) = way.last_mut() {
            if *position == first[*node + 1] {
                states[*node] = State::Done;
                way.pop();
                continue;
            }
            let (_, to) = order[*position];
            *position += 1;
            match states[to] {
                State::New => {
                    states[to] = State::OnTheWay;
                    way.push((to, first[to]));
                }
                State::OnTheWay => {
                    let from = way.iter().position(|(node, _)| *node == to)?;
                    return Some(way[from..].iter().map(|(node, _)| *node).collect());
                }
                State::Done => {}
            }
        }
    }
    None
}

/// How far the search for a circle is with a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnTheWay,
    Done,
}
