//! Semantic checks of whole patterns: references must have a group, look-behinds a length, and recursion an
//! end.

use super::parser::{Anchor, NodeId, Pattern, RegexNode};
use super::{RegexFailure, failure};

/// Maximum number of steps spent on recursive patterns; patterns that need more are accepted.
const STEP_LIMIT: u32 = 20_000;
/// Maximum depth of calls between groups.
const DEPTH_LIMIT: u32 = 1000;

pub(super) fn check(parsed: &Pattern) -> Result<(), RegexFailure> {
    check_references(parsed)?;
    if parsed.has_calls {
        check_calls(parsed)?;
        check_recursion(parsed)?;
    }
    check_look_behinds(parsed)
}

fn groups(parsed: &Pattern) -> u32 {
    parsed.captures.len() as u32 - 1
}

fn check_references(parsed: &Pattern) -> Result<(), RegexFailure> {
    let has_names = !parsed.names.is_empty();
    for node in &parsed.nodes {
        match node {
            RegexNode::NumberedReference(_) | RegexNode::Condition { by_name: false, .. } if has_names => {
                return failure("numbered group reference in a pattern with named groups");
            }
            RegexNode::NumberedReference(number) | RegexNode::Condition { number, .. }
                if *number > groups(parsed) =>
            {
                return failure(format!("unknown group {number}"));
            }
            RegexNode::Condition { target, .. } => {
                if let RegexNode::Alternatives(branches) = &parsed.nodes[*target as usize]
                    && branches.len() > 2
                {
                    return failure("condition with more than two branches");
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the target group of a call.
fn called(parsed: &Pattern, node: &RegexNode) -> Option<NodeId> {
    let number = match node {
        RegexNode::NumberedCall(number) => usize::try_from(*number).ok()?,
        RegexNode::NamedCall(name) => *parsed.names.get(name)?.first()? as usize,
        _ => return None,
    };
    parsed.captures.get(number).copied()
}

fn check_calls(parsed: &Pattern) -> Result<(), RegexFailure> {
    for node in &parsed.nodes {
        match node {
            RegexNode::NumberedCall(number) if *number != 0 && !parsed.names.is_empty() => {
                return failure("numbered group call in a pattern with named groups");
            }
            RegexNode::NumberedCall(number) if *number > groups(parsed) as i64 => {
                return failure(format!("call of unknown group {number}"));
            }
            RegexNode::NamedCall(name) => match parsed.names.get(name).map_or(0, |it| it.len()) {
                0 => {
                    return failure(format!("call of unknown group `{}`", name.iter().collect::<String>()));
                }
                1 => {}
                _ => return failure("call of a group name that is not unique"),
            },
            _ => {}
        }
    }
    Ok(())
}

/// Recursion found by following the calls in a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Recursion {
    None,
    /// The group calls itself after matching something.
    Always,
    /// The group can call itself before matching anything.
    Endless,
}

struct Follow<'a> {
    parsed: &'a Pattern,
    /// Group that is being checked.
    start: NodeId,
    entered: Vec<bool>,
    steps: u32,
    depth: u32,
}

fn check_recursion(parsed: &Pattern) -> Result<(), RegexFailure> {
    let calls = parsed.nodes.iter().filter_map(|it| called(parsed, it));
    let mut targets: Vec<NodeId> = calls.collect();
    targets.sort_unstable();
    targets.dedup();
    let mut follow =
        Follow { parsed, start: 0, entered: vec![false; parsed.nodes.len()], steps: STEP_LIMIT, depth: 0 };
    for target in targets {
        follow.start = target;
        let Some(inside) = enclosed(&parsed.nodes[target as usize]) else { continue };
        match follow.recursion(inside, true) {
            Some(Recursion::None) => {}
            None => return Ok(()),
            Some(_) => return failure("endless recursion of a group"),
        }
    }
    Ok(())
}

/// Returns true if evaluating `from` can lead to `wanted`.
fn reaches(parsed: &Pattern, from: NodeId, wanted: NodeId) -> bool {
    let mut seen = vec![false; parsed.nodes.len()];
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if id == wanted {
            return true;
        }
        if std::mem::replace(&mut seen[id as usize], true) {
            continue;
        }
        match &parsed.nodes[id as usize] {
            RegexNode::Sequence(parts) | RegexNode::Alternatives(parts) => open.extend(parts),
            RegexNode::Repeat { target, .. }
            | RegexNode::LookAhead { target, .. }
            | RegexNode::LookBehind { target, .. } => {
                open.push(*target);
            }
            node => open.extend(enclosed(node).or_else(|| called(parsed, node))),
        }
    }
    false
}

fn enclosed(node: &RegexNode) -> Option<NodeId> {
    match node {
        RegexNode::Capture { target, .. }
        | RegexNode::Options { target, .. }
        | RegexNode::Atomic(target)
        | RegexNode::Absent(target)
        | RegexNode::Condition { target, .. } => Some(*target),
        _ => None,
    }
}

impl Follow<'_> {
    /// Returns the recursion in a node, or `None` if the step limit is exceeded.
    fn recursion(&mut self, id: NodeId, at_head: bool) -> Option<Recursion> {
        self.step(|follow| follow.recursion_at(id, at_head))
    }

    fn step<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.steps = self.steps.checked_sub(1)?;
        if self.depth >= DEPTH_LIMIT {
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn recursion_at(&mut self, id: NodeId, mut at_head: bool) -> Option<Recursion> {
        let parsed = self.parsed;
        let node = &parsed.nodes[id as usize];
        match node {
            RegexNode::Sequence(parts) => {
                let mut found = Recursion::None;
                for &part in parts {
                    match self.recursion(part, at_head)? {
                        Recursion::Endless => return Some(Recursion::Endless),
                        Recursion::Always => found = Recursion::Always,
                        Recursion::None => {}
                    }
                    at_head = at_head && !self.matches_something(part)?;
                }
                Some(found)
            }
            RegexNode::Alternatives(branches) => {
                let mut found = Recursion::Always;
                for &branch in branches {
                    match self.recursion(branch, at_head)? {
                        Recursion::Endless => return Some(Recursion::Endless),
                        Recursion::Always => {}
                        Recursion::None => found = Recursion::None,
                    }
                }
                Some(found)
            }
            RegexNode::Repeat { lower, target, .. } => match self.recursion(*target, at_head)? {
                Recursion::Always if *lower == 0 => Some(Recursion::None),
                found => Some(found),
            },
            RegexNode::LookAhead { target, .. } | RegexNode::LookBehind { target, .. } => {
                self.recursion(*target, at_head)
            }
            RegexNode::NumberedCall(_) | RegexNode::NamedCall(_) => match called(parsed, node) {
                Some(target) => self.recursion(target, at_head),
                None => Some(Recursion::None),
            },
            _ => {
                let Some(target) = enclosed(node) else { return Some(Recursion::None) };
                if self.entered[id as usize] {
                    return Some(Recursion::None);
                }
                if id == self.start {
                    return Some(if at_head { Recursion::Endless } else { Recursion::Always });
                }
                self.entered[id as usize] = true;
                let found = self.recursion(target, at_head);
                self.entered[id as usize] = false;
                found
            }
        }
    }

    /// Returns true if the node must match at least one character. A group that is being checked counts as
    /// empty.
    fn matches_something(&mut self, id: NodeId) -> Option<bool> {
        self.step(|follow| follow.matches_something_at(id))
    }

    fn matches_something_at(&mut self, id: NodeId) -> Option<bool> {
        let parsed = self.parsed;
        let node = &parsed.nodes[id as usize];
        match node {
            RegexNode::Empty => Some(false),
            RegexNode::Character(_) | RegexNode::Any | RegexNode::Set(_) | RegexNode::Class(_) => Some(true),
            RegexNode::LineBreak | RegexNode::Grapheme => Some(true),
            RegexNode::Sequence(parts) => {
                for &part in parts {
                    if self.matches_something(part)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            RegexNode::Alternatives(branches) => {
                for &branch in branches {
                    if !self.matches_something(branch)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            RegexNode::Repeat { lower: 0, .. } | RegexNode::Absent(_) | RegexNode::Anchor(_) => Some(false),
            RegexNode::LookAhead { .. } | RegexNode::LookBehind { .. } => Some(false),
            RegexNode::Repeat { target, .. } => self.matches_something(*target),
            RegexNode::NumberedReference(number) => self.capture_matches_something(*number),
            RegexNode::NamedReference(name) => {
                let mut all = true;
                for &number in parsed.names.get(name).into_iter().flatten() {
                    all &= self.capture_matches_something(number)?;
                }
                Some(all)
            }
            RegexNode::NumberedCall(_) | RegexNode::NamedCall(_) => match called(parsed, node) {
                Some(target) => self.matches_something(target),
                None => Some(false),
            },
            RegexNode::Options { target, .. }
            | RegexNode::Atomic(target)
            | RegexNode::Condition { target, .. } => self.matches_something(*target),
            RegexNode::Capture { target, .. } => {
                if id == self.start || self.entered[id as usize] {
                    return Some(false);
                }
                self.entered[id as usize] = true;
                let found = self.matches_something(*target);
                self.entered[id as usize] = false;
                found
            }
        }
    }

    fn capture_matches_something(&mut self, number: u32) -> Option<bool> {
        match self.parsed.captures.get(number as usize).copied() {
            Some(capture) => self.matches_something(capture),
            None => Some(false),
        }
    }
}

// Lookbehind checks.

fn check_look_behinds(parsed: &Pattern) -> Result<(), RegexFailure> {
    for node in &parsed.nodes {
        if let RegexNode::LookBehind { negative, target } = node {
            if !allowed_in_look_behind(parsed, *target, *negative) {
                return failure("lookbehind contains an expression that cannot be matched backwards");
            }
            let mut steps = STEP_LIMIT;
            // At the top level, each branch may have its own length. (If there are named groups, unnamed
            // ones do not capture.)
            let mut top = *target;
            while let RegexNode::Capture { named: false, target, .. } = &parsed.nodes[top as usize]
                && !parsed.names.is_empty()
            {
                top = *target;
            }
            let branches = match &parsed.nodes[top as usize] {
                RegexNode::Alternatives(branches) => &branches[..],
                _ => std::slice::from_ref(&top),
            };
            for &branch in branches {
                if length(parsed, branch, &mut steps, 0) == Length::Varying {
                    return failure("lookbehind without a fixed length");
                }
            }
        }
    }
    Ok(())
}

fn allowed_in_look_behind(parsed: &Pattern, id: NodeId, negative: bool) -> bool {
    match &parsed.nodes[id as usize] {
        RegexNode::Empty
        | RegexNode::Character(_)
        | RegexNode::Any
        | RegexNode::Set(_)
        | RegexNode::Class(_) => true,
        RegexNode::NumberedCall(_) | RegexNode::NamedCall(_) => true,
        RegexNode::LineBreak | RegexNode::Grapheme => false,
        RegexNode::Anchor(anchor) => !matches!(anchor, Anchor::TextEnd | Anchor::TextEndOrLastLineBreak),
        RegexNode::NumberedReference(_) | RegexNode::NamedReference(_) => false,
        RegexNode::LookAhead { .. }
        | RegexNode::Atomic(_)
        | RegexNode::Absent(_)
        | RegexNode::Condition { .. } => false,
        RegexNode::LookBehind { target, .. }
        | RegexNode::Repeat { target, .. }
        | RegexNode::Options { target, .. } => allowed_in_look_behind(parsed, *target, negative),
        RegexNode::Capture { named, target, .. } => {
            let captures = *named || parsed.names.is_empty();
            (!negative || !captures) && allowed_in_look_behind(parsed, *target, negative)
        }
        RegexNode::Sequence(parts) | RegexNode::Alternatives(parts) => {
            parts.iter().all(|&part| allowed_in_look_behind(parsed, part, negative))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Fixed(u64),
    Varying,
    Unknown,
}

fn length(parsed: &Pattern, id: NodeId, steps: &mut u32, depth: u32) -> Length {
    let Some(left) = steps.checked_sub(1).filter(|_| depth < DEPTH_LIMIT) else { return Length::Unknown };
    let depth = depth + 1;
    *steps = left;
    let node = &parsed.nodes[id as usize];
    match node {
        RegexNode::Empty => Length::Fixed(0),
        RegexNode::Character(_) | RegexNode::Any | RegexNode::Set(_) | RegexNode::Class(_) => {
            Length::Fixed(1)
        }
        RegexNode::LineBreak | RegexNode::Grapheme => Length::Fixed(1),
        RegexNode::Anchor(_)
        | RegexNode::LookAhead { .. }
        | RegexNode::LookBehind { .. }
        | RegexNode::Absent(_) => Length::Fixed(0),
        RegexNode::NumberedReference(_) | RegexNode::NamedReference(_) => Length::Varying,
        RegexNode::NumberedCall(_) | RegexNode::NamedCall(_) => match called(parsed, node) {
            Some(target) => {
                *steps = steps.saturating_sub(parsed.nodes.len() as u32);
                if reaches(parsed, target, id) {
                    Length::Varying
                } else {
                    length(parsed, target, steps, depth)
                }
            }
            None => Length::Varying,
        },
        RegexNode::Repeat { lower, upper, target, .. } => {
            if *upper != Some(*lower) {
                return Length::Varying;
            }
            match length(parsed, *target, steps, depth) {
                Length::Fixed(count) => Length::Fixed(count.saturating_mul(*lower as u64)),
                other => other,
            }
        }
        RegexNode::Capture { target, .. }
        | RegexNode::Options { target, .. }
        | RegexNode::Atomic(target)
        | RegexNode::Condition { target, .. } => length(parsed, *target, steps, depth),
        RegexNode::Sequence(parts) => {
            let mut sum = 0u64;
            for &part in parts {
                match length(parsed, part, steps, depth) {
                    Length::Fixed(count) => sum = sum.saturating_add(count),
                    other => return other,
                }
            }
            Length::Fixed(sum)
        }
        RegexNode::Alternatives(branches) => {
            let mut first = None;
            let mut varies = false;
            for &branch in branches {
                match length(parsed, branch, steps, depth) {
                    Length::Fixed(count) => varies |= *first.get_or_insert(count) != count,
                    other => return other,
                }
            }
            if varies { Length::Varying } else { Length::Fixed(first.unwrap_or(0)) }
        }
    }
}
