//! Circles in the order of resources: an agent applies nothing of such a catalog.
//!
//! Specification: the section on dependency cycles in the chapter on relationships.

use codes::Code;
use std::collections::VecDeque;

use operators::Failure;
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::FxHashMap;
use types::Value;

use super::store::{Resource, ResourceId, ResourceParameter};
use crate::error::{EvaluationError, Exit, ExprPlace};
use crate::evaluator::Evaluator;

/// Why one resource comes before another.
#[derive(Clone, Copy, Debug)]
struct Reason {
    place: ExprPlace,
    /// How many calls and declarations lead to the code that says so.
    depth: usize,
}

/// An edge from a begin or an end of a resource to another one; without a reason where containment is the reason.
type Edge = (usize, Option<Reason>);

/// The code of a circle.
pub const DEPENDENCY_CYCLE: Code = Code::DependencyCycle;

/// In so many places a way around a circle begins, to find a short one; fewer where there is much to walk through.
const MAX_STARTS: usize = 200;
const MAX_STEPS: usize = 2_000_000;

/// Of a circle of more resources the others are counted.
const MAX_NAMED: usize = 50;

fn begin(id: ResourceId) -> usize {
    id.0 as usize * 2
}

fn end(id: ResourceId) -> usize {
    id.0 as usize * 2 + 1
}

impl Evaluator<'_> {
    /// A circle among resources that are certainly there, if there is one. A container begins before what it contains, and
    /// ends behind it. Its place is the relationship that least code leads to: what that code declares has no circle by
    /// itself. The other relationships of the circle come behind it, as its calls.
    pub(super) fn find_cycle(&self) -> Option<EvaluationError> {
        let count = self.catalog.resources.len() * 2;
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(count * 2);
        self.each_order(|from, to, _| order.push((from, to)));
        let found = circle_in(count, order)?;
        let circle = self.short_circle(&found)?;
        let mut ids: Vec<ResourceId> = Vec::new();
        for (node, _) in &circle {
            let id = ResourceId((node / 2) as u32);
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
        if ids.len() > 1 && ids.first() == ids.last() {
            ids.pop();
        }
        let mut names: Vec<String> =
            ids.iter().take(MAX_NAMED).map(|id| self.catalog[*id].reference()).collect();
        if ids.len() > MAX_NAMED {
            names.push(format!("({} more)", ids.len() - MAX_NAMED));
        }
        let first = names.first()?.clone();
        let message = format!("resources wait for each other: {} -> {first}", names.join(" -> "));
        let mut reasons: Vec<Reason> = circle.iter().filter_map(|(_, reason)| *reason).collect();
        // Of the statements of one definition the last one closes the circle.
        reasons.sort_by_key(|reason| (reason.depth, std::cmp::Reverse(reason.place.expr)));
        let mut places: Vec<ExprPlace> = Vec::new();
        for reason in &reasons {
            if places.len() < MAX_NAMED && !places.contains(&reason.place) {
                places.push(reason.place);
            }
        }
        if places.is_empty() {
            places.extend(ids.iter().find_map(|id| self.catalog[*id].place()));
        }
        let calls = places.split_off(1.min(places.len()));
        match self.error_at(places.pop()?, Failure::new(DEPENDENCY_CYCLE, message)) {
            Exit::Error(error) => Some(EvaluationError { calls, ..*error }),
            _ => None,
        }
    }

    /// Hands over what comes before what: each resource has a begin, and an end behind it. With a relationship come the
    /// resource and the parameter that say so.
    fn each_order<'s>(
        &'s self,
        mut edge: impl FnMut(usize, usize, Option<(&'s Resource, &'s ResourceParameter)>),
    ) {
        let is_there = |id: ResourceId| {
            let resource = &self.catalog[id];
            !resource.is_virtual && !resource.is_possible && !self.is_gone(id)
        };
        for (from, to) in &self.catalog.edges {
            edge(begin(*from), begin(*to), None);
            edge(end(*to), end(*from), None);
        }
        for index in 0..self.catalog.resources.len() {
            let id = ResourceId(index as u32);
            edge(begin(id), end(id), None);
            if !is_there(id) {
                continue;
            }
            let resource = &self.catalog[id];
            for parameter in &resource.parameters {
                let Some(relationship) = RelationshipMetaparameter::from_name(&parameter.name) else {
                    continue;
                };
                for other in self.related(parameter).into_iter().filter(|other| is_there(*other)) {
                    match relationship.comes_first() {
                        true => edge(end(id), begin(other), Some((resource, parameter))),
                        false => edge(end(other), begin(id), Some((resource, parameter))),
                    }
                }
            }
        }
    }

    /// The shortest of the circles through the nodes of one, each node with the reason for the edge to the next one.
    fn short_circle(&self, found: &[usize]) -> Option<Vec<Edge>> {
        // Several statements may have made one parameter.
        let mut statements = FxHashMap::default();
        for order in &self.catalog.orders {
            let reason = Reason { place: order.place, depth: order.depth };
            for then in order.then.iter() {
                statements.entry((end(order.first), begin(*then))).or_insert(reason);
            }
        }
        let mut next: Vec<Vec<Edge>> = vec![Vec::new(); self.catalog.resources.len() * 2];
        self.each_order(|from, to, said| {
            let reason = said.and_then(|(resource, parameter)| {
                let place = parameter.place.or(resource.place())?;
                let set = Reason { place, depth: resource.calls.len() };
                Some(statements.get(&(from, to)).copied().unwrap_or(set))
            });
            next[from].push((to, reason));
        });
        let starts = MAX_STARTS.min(MAX_STEPS / next.len().max(1) + 1);
        let circles = found.iter().take(starts).filter_map(|start| circle_through(&next, *start));
        circles.min_by_key(Vec::len)
    }

    /// What a relationship metaparameter names.
    fn related(&self, parameter: &ResourceParameter) -> Vec<ResourceId> {
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

/// The shortest circle through a node.
fn circle_through(next: &[Vec<Edge>], start: usize) -> Option<Vec<Edge>> {
    let mut came_from: FxHashMap<usize, Edge> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for (to, reason) in &next[node] {
            if came_from.contains_key(to) {
                continue;
            }
            came_from.insert(*to, (node, *reason));
            if *to == start {
                let mut circle = Vec::new();
                let mut current = start;
                while let Some((before, reason)) = came_from.get(&current) {
                    circle.push((*before, *reason));
                    current = *before;
                    if current == start {
                        break;
                    }
                }
                circle.reverse();
                return Some(circle);
            }
            queue.push_back(*to);
        }
    }
    None
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
    let mut states = vec![VisitState::New; count];
    for start in 0..count {
        if states[start] != VisitState::New {
            continue;
        }
        states[start] = VisitState::OnTheWay;
        // The way so far, and where in the order it goes on.
        let mut way: Vec<(usize, usize)> = vec![(start, first[start])];
        while let Some((node, position)) = way.last_mut() {
            if *position == first[*node + 1] {
                states[*node] = VisitState::Done;
                way.pop();
                continue;
            }
            let (_, to) = order[*position];
            *position += 1;
            match states[to] {
                VisitState::New => {
                    states[to] = VisitState::OnTheWay;
                    way.push((to, first[to]));
                }
                VisitState::OnTheWay => {
                    let from = way.iter().position(|(node, _)| *node == to)?;
                    return Some(way[from..].iter().map(|(node, _)| *node).collect());
                }
                VisitState::Done => {}
            }
        }
    }
    None
}

/// How far the search for a circle is with a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    OnTheWay,
    Done,
}
