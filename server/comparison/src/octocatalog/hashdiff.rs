//! Difference of two JSON values, as the Ruby gem `hashdiff` computes it.

use serde_json::{Map, Value as Json};

/// Separator of the keys of a path.
pub(super) const SEPARATOR: char = '\u{c}';

/// Minimum similarity of two array elements that are the same element before and after.
const SIMILARITY: f64 = 0.8;

/// Maximum number of pairs of elements of two arrays that are compared. Longer arrays differ as a whole.
const MAX_PAIRS: usize = 1 << 20;

/// Maximum number of values that are compared to find similar elements. Beyond it, elements are only similar if
/// they are equal.
const MAX_COMPARED: usize = 10_000_000;

/// One difference.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ValueDiff {
    /// A value on both sides.
    Changed { path: String, old: Json, new: Json },
    /// A key of a hash, or an element of an array, on one side. `path` is that of the key, or of the outermost
    /// array that has an element more or less inside the innermost one with an index.
    Nested { path: String },
}

/// Computes the difference of two values at a path.
pub(super) fn diff(path: &str, old: &Json, new: &Json) -> Vec<ValueDiff> {
    let mut differ = ValueDiffer { compared: 0 };
    let mut found = Vec::new();
    differ.diff(&ValuePath { path: path.to_owned(), array: None }, old, new, &mut found);
    found.into_iter().map(RawDiff::reported).collect()
}

/// Path of a value.
#[derive(Clone)]
struct ValuePath {
    path: String,
    /// Length of the path of the innermost array that contains the value.
    array: Option<usize>,
}

impl ValuePath {
    fn key(&self, key: &str) -> ValuePath {
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}{SEPARATOR}{key}", self.path) };
        ValuePath { path, array: self.array }
    }

    fn index(&self, index: usize) -> ValuePath {
        ValuePath { path: format!("{}[{index}]", self.path), array: Some(self.path.len()) }
    }
}

/// A difference with the number of values it consists of.
struct RawDiff {
    place: ValuePath,
    values: Option<(Json, Json)>,
    count: usize,
}

impl RawDiff {
    fn reported(self) -> ValueDiff {
        let RawDiff { place: ValuePath { mut path, array }, values, .. } = self;
        match values {
            Some((old, new)) => ValueDiff::Changed { path, old, new },
            None => {
                path.truncate(array.unwrap_or(path.len()));
                ValueDiff::Nested { path }
            }
        }
    }
}

struct ValueDiffer {
    compared: usize,
}

impl ValueDiffer {
    fn diff(&mut self, place: &ValuePath, old: &Json, new: &Json, found: &mut Vec<RawDiff>) {
        self.compared += 1;
        match (old, new) {
            (Json::Array(old), Json::Array(new)) => self.arrays(place, old, new, found),
            (Json::Object(old), Json::Object(new)) => self.hashes(place, old, new, found),
            _ if is_same_scalar(old, new) => {}
            _ => found.push(RawDiff {
                place: place.clone(),
                values: Some((old.clone(), new.clone())),
                count: count(old) + count(new),
            }),
        }
    }

    fn hashes(
        &mut self,
        place: &ValuePath,
        old: &Map<String, Json>,
        new: &Map<String, Json>,
        found: &mut Vec<RawDiff>,
    ) {
        let sorted = |keys: Vec<&String>| -> Vec<String> {
            let mut keys: Vec<String> = keys.into_iter().cloned().collect();
            keys.sort_unstable();
            keys
        };
        for key in sorted(old.keys().filter(|key| !new.contains_key(*key)).collect()) {
            found.push(RawDiff { place: place.key(&key), values: None, count: count(&old[&key]) });
        }
        for key in sorted(old.keys().filter(|key| new.contains_key(*key)).collect()) {
            self.diff(&place.key(&key), &old[&key], &new[&key], found);
        }
        for key in sorted(new.keys().filter(|key| !old.contains_key(*key)).collect()) {
            found.push(RawDiff { place: place.key(&key), values: None, count: count(&new[&key]) });
        }
    }

    fn arrays(&mut self, place: &ValuePath, old: &[Json], new: &[Json], found: &mut Vec<RawDiff>) {
        let links = match old.len().saturating_mul(new.len()) {
            pairs if pairs > MAX_PAIRS && old == new => return,
            pairs if pairs > MAX_PAIRS => Vec::new(),
            _ => self.links(place, old, new),
        };
        for (left, right) in &links {
            self.diff(&place.index(*left), &old[*left], &new[*right], found);
        }
        let is_linked = |is_old: bool, index: usize| {
            links.iter().any(|(left, right)| if is_old { *left == index } else { *right == index })
        };
        for (is_old, elements) in [(true, old), (false, new)] {
            if links.len() == elements.len() {
                continue;
            }
            for (index, element) in
                elements.iter().enumerate().filter(|(index, _)| !is_linked(is_old, *index))
            {
                found.push(RawDiff { place: place.index(index), values: None, count: count(element) });
            }
        }
    }

    /// Returns the longest common subsequence of two arrays, as pairs of indices. Elements are common if they are
    /// similar.
    fn links(&mut self, place: &ValuePath, old: &[Json], new: &[Json]) -> Vec<(usize, usize)> {
        let width = old.len();
        let mut table: Vec<(Direction, usize)> = Vec::with_capacity(width * new.len());
        for (row, right) in new.iter().enumerate() {
            for (column, left) in old.iter().enumerate() {
                let at = |row: usize, column: usize| table[row * width + column].1;
                let cell = if self.is_similar(place, left, right) {
                    let before = if row > 0 && column > 0 { at(row - 1, column - 1) } else { 0 };
                    (Direction::Both, before + 1)
                } else {
                    let top = if row > 0 { at(row - 1, column) } else { 0 };
                    let left = if column > 0 { at(row, column - 1) } else { 0 };
                    let is_top = top > left || (top == left && row == 0);
                    (if is_top { Direction::Top } else { Direction::Left }, top.max(left))
                };
                table.push(cell);
            }
        }
        let mut links = Vec::new();
        let (mut column, mut row) = (old.len(), new.len());
        while column > 0 && row > 0 {
            match table[(row - 1) * width + column - 1] {
                (_, 0) => break,
                (Direction::Both, _) => {
                    links.push((column - 1, row - 1));
                    (column, row) = (column - 1, row - 1);
                }
                (Direction::Top, _) => row -= 1,
                (Direction::Left, _) => column -= 1,
            }
        }
        links.reverse();
        links
    }

    fn is_similar(&mut self, place: &ValuePath, left: &Json, right: &Json) -> bool {
        let is_nested = |value: &Json| value.is_array() || value.is_object();
        if !is_nested(left) && !is_nested(right) {
            return is_equal_scalar(left, right);
        }
        if self.compared > MAX_COMPARED {
            return left == right;
        }
        let all = count(left) + count(right);
        if all == 0 {
            return true;
        }
        let mut found = Vec::new();
        self.diff(&place.index(0), left, right, &mut found);
        let different: usize = found.iter().map(|it| it.count).sum();
        1.0 - different as f64 / all as f64 >= SIMILARITY
    }
}

/// Step in the table of the longest common subsequence.
#[derive(Clone, Copy)]
enum Direction {
    /// The elements are common.
    Both,
    Top,
    Left,
}

/// Counts the values that are neither `nil`, `false`, nor containers.
fn count(value: &Json) -> usize {
    match value {
        Json::Null | Json::Bool(false) => 0,
        Json::Array(elements) => elements.iter().map(count).sum(),
        Json::Object(entries) => entries.values().map(count).sum(),
        _ => 1,
    }
}

/// Compares values that are not both arrays or both hashes. Numbers of different kinds differ.
fn is_same_scalar(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => old.is_f64() == new.is_f64() && is_equal_number(old, new),
        (old, new) => old == new,
    }
}

/// Compares scalars as Ruby's `==` does.
pub(super) fn is_equal_scalar(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => is_equal_number(old, new),
        (old, new) => old == new,
    }
}

fn is_equal_number(old: &serde_json::Number, new: &serde_json::Number) -> bool {
    old == new || (old.is_f64() != new.is_f64() && old.as_f64() == new.as_f64())
}

/// Compares values as Ruby's `==` does.
pub(super) fn is_equal(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_equal(old, new))
        }
        (Json::Object(old), Json::Object(new)) => {
            let is_same = |(key, old): (&String, &Json)| new.get(key).is_some_and(|new| is_equal(old, new));
            old.len() == new.len() && old.iter().all(is_same)
        }
        (old, new) => is_equal_scalar(old, new),
    }
}
