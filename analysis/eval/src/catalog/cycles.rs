//! Dependency cycles: an agent applies nothing of a catalog with a cycle.
//!
//! Specification: the section on dependency cycles in the chapter on relationships.

use super::references::referenced;
use codes::Code;
use std::collections::VecDeque;

use operators::Failure;
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::FxHashMap;
use types::Value;

use super::ids::ResourceId;
use super::store::{CatalogBuilder, Resource, ResourceParameter};
use crate::error::{EvaluationError, Exit, ExprPlace};
use crate::evaluator::Evaluator;

/// Statement that orders two resources.
#[derive(Clone, Copy, Debug)]
struct Reason {
    place: ExprPlace,
    /// Number of enclosing calls and declarations.
    depth: usize,
}

/// Edge from the begin or end of a resource to another node. Without a reason, it is due to containment.
type Edge = (usize, Option<Reason>);

/// Code of a dependency cycle.
pub const DEPENDENCY_CYCLE: Code = Code::DependencyCycle;

/// Maximum number of start nodes for the search of a short cycle; fewer in large graphs.
const MAX_STARTS: usize = 200;
const MAX_STEPS: usize = 2_000_000;

/// Maximum number of resources listed in a message; the others are only counted.
const MAX_LISTED: usize = 50;

fn begin(id: ResourceId) -> usize {
    id.0 as usize * 2
}

fn end(id: ResourceId) -> usize {
    id.0 as usize * 2 + 1
}

impl Evaluator<'_> {
    /// Returns a dependency cycle among resources that certainly exist, if there is one.
    ///
    /// A container begins before its contents and ends after them. The error is located at the relationship
    /// with the fewest enclosing calls: what that code declares has no cycle without it. The other
    /// relationships of the cycle follow as `calls`.
    pub(super) fn find_cycle(&self) -> Option<EvaluationError> {
        let count = self.catalog.resources.len() * 2;
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(count * 2);
        self.catalog.for_each_edge(|from, to, _| order.push((from, to)));
        let found = find_cycle_nodes(count, order)?;
        let cycle = self.catalog.shortest_cycle(&found)?;
        let mut ids: Vec<ResourceId> = Vec::new();
        for (node, _) in &cycle {
            let id = ResourceId((node / 2) as u32);
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
        if ids.len() > 1 && ids.first() == ids.last() {
            ids.pop();
        }
        let mut names: Vec<String> =
            ids.iter().take(MAX_LISTED).map(|id| self.catalog[*id].reference()).collect();
        if ids.len() > MAX_LISTED {
            names.push(format!("({} more)", ids.len() - MAX_LISTED));
        }
        let first = names.first()?.clone();
        let message = format!("dependency cycle: `{} -> {first}`", names.join(" -> "));
        let mut reasons: Vec<Reason> = cycle.iter().filter_map(|(_, reason)| *reason).collect();
        // Of the statements of one definition, the last one closes the cycle.
        reasons.sort_by_key(|reason| (reason.depth, std::cmp::Reverse(reason.place.expr)));
        let mut places: Vec<ExprPlace> = Vec::new();
        for reason in &reasons {
            if places.len() < MAX_LISTED && !places.contains(&reason.place) {
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
}

impl CatalogBuilder {
    /// Calls `edge` for each ordered pair of nodes: each resource has a begin node, followed by an end node.
    ///
    /// For a relationship, the resource and the parameter that declare it are passed as well.
    fn for_each_edge<'s>(
        &'s self,
        mut edge: impl FnMut(usize, usize, Option<(&'s Resource, &'s ResourceParameter)>),
    ) {
        let is_there = |id: ResourceId| {
            let resource = &self[id];
            !resource.is_virtual && !resource.is_possible && !self.is_discarded(id)
        };
        for (from, to) in &self.edges {
            edge(begin(*from), begin(*to), None);
            edge(end(*to), end(*from), None);
        }
        for index in 0..self.resources.len() {
            let id = ResourceId(index as u32);
            edge(begin(id), end(id), None);
            if !is_there(id) {
                continue;
            }
            let resource = &self[id];
            for parameter in &resource.parameters {
                let Some(relationship) = RelationshipMetaparameter::from_name(&parameter.name) else {
                    continue;
                };
                for other in self.related(parameter).into_iter().filter(|other| is_there(*other)) {
                    if relationship.comes_first() {
                        edge(end(id), begin(other), Some((resource, parameter)))
                    } else {
                        edge(end(other), begin(id), Some((resource, parameter)))
                    }
                }
            }
        }
    }

    /// Returns the shortest cycle through one of the nodes in `found`, each node with the reason for the edge
    /// to the next one.
    fn shortest_cycle(&self, found: &[usize]) -> Option<Vec<Edge>> {
        // A parameter may be the result of several statements.
        let mut statements = FxHashMap::default();
        for order in &self.orders {
            let reason = Reason { place: order.place, depth: order.depth };
            for then in order.then.iter() {
                statements.entry((end(order.first), begin(*then))).or_insert(reason);
            }
        }
        let mut next: Vec<Vec<Edge>> = vec![Vec::new(); self.resources.len() * 2];
        self.for_each_edge(|from, to, said| {
            let reason = said.and_then(|(resource, parameter)| {
                let place = parameter.place.or(resource.place())?;
                let set = Reason { place, depth: resource.calls.len() };
                Some(statements.get(&(from, to)).copied().unwrap_or(set))
            });
            next[from].push((to, reason));
        });
        let starts = MAX_STARTS.min(MAX_STEPS / next.len().max(1) + 1);
        let cycles = found.iter().take(starts).filter_map(|start| shortest_cycle_through(&next, *start));
        cycles.min_by_key(Vec::len)
    }

    /// Returns the resources that a relationship metaparameter references.
    fn related(&self, parameter: &ResourceParameter) -> Vec<ResourceId> {
        let mut related = Vec::new();
        self.add_referenced(&parameter.value, &mut related);
        related
    }

    fn add_referenced(&self, value: &Value, found: &mut Vec<ResourceId>) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.add_referenced(element, found)),
            reference => {
                let named = referenced(reference);
                found.extend(
                    named.into_iter().flat_map(|(type_name, title)| self.find_all(&type_name, &title)),
                );
            }
        }
    }
}

/// Returns the shortest cycle through a node.
fn shortest_cycle_through(next: &[Vec<Edge>], start: usize) -> Option<Vec<Edge>> {
    let mut came_from: FxHashMap<usize, Edge> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for (to, reason) in &next[node] {
            if came_from.contains_key(to) {
                continue;
            }
            came_from.insert(*to, (node, *reason));
            if *to == start {
                let mut cycle = Vec::new();
                let mut current = start;
                while let Some((before, reason)) = came_from.get(&current) {
                    cycle.push((*before, *reason));
                    current = *before;
                    if current == start {
                        break;
                    }
                }
                cycle.reverse();
                return Some(cycle);
            }
            queue.push_back(*to);
        }
    }
    None
}

/// Returns the nodes of a cycle, in order. Nodes are numbers below `count`; `order` holds the edges.
fn find_cycle_nodes(count: usize, mut order: Vec<(usize, usize)>) -> Option<Vec<usize>> {
    // The sort is stable: the successors of a node keep their order.
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
        states[start] = VisitState::OnPath;
        // Nodes of the current path, with the position of the next edge of each.
        let mut path: Vec<(usize, usize)> = vec![(start, first[start])];
        while let Some((node, position)) = path.last_mut() {
            if *position == first[*node + 1] {
                states[*node] = VisitState::Done;
                path.pop();
                continue;
            }
            let (_, to) = order[*position];
            *position += 1;
            match states[to] {
                VisitState::New => {
                    states[to] = VisitState::OnPath;
                    path.push((to, first[to]));
                }
                VisitState::OnPath => {
                    let from = path.iter().position(|(node, _)| *node == to)?;
                    return Some(path[from..].iter().map(|(node, _)| *node).collect());
                }
                VisitState::Done => {}
            }
        }
    }
    None
}

/// State of a node in the depth-first search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    OnPath,
    Done,
}
