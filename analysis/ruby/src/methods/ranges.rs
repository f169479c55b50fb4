//! Methods of ranges.

use std::cmp::Ordering;

use super::super::comparison::compare;
use super::super::value::{Object, Range, Ruby, unsupported};
use super::{MethodInvocation, MethodRow, RANGE, row};

/// Maximum number of elements of an expanded range.
const MAX_ELEMENTS: i64 = 100_000;

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("first", RANGE, 0, 0, |_, it| Ok(range(it)?.first.clone())),
    row("begin", RANGE, 0, 0, |_, it| Ok(range(it)?.first.clone())),
    row("last", RANGE, 0, 0, |_, it| Ok(range(it)?.last.clone())),
    row("end", RANGE, 0, 0, |_, it| Ok(range(it)?.last.clone())),
    row("cover?", RANGE, 1, 1, |_, it| Ok(Object::Boolean(covers(range(it)?, it.argument(0))?))),
    row("exclude_end?", RANGE, 0, 0, |_, it| Ok(Object::Boolean(range(it)?.is_exclusive))),
    row("step", RANGE, 1, 1, |ruby, it| {
        let step = it.count_argument(0)?;
        let Some(block) = it.block.as_ref().filter(|_| step > 0) else { return unsupported() };
        for element in elements(range(it)?)?.into_iter().step_by(step) {
            ruby.call_block(block, vec![element])?;
        }
        Ok(it.receiver.clone())
    }),
];

fn range<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i Range> {
    match &it.receiver {
        Object::Range(range) => Ok(range),
        _ => unsupported(),
    }
}

/// Returns the elements of a range of integers or letters.
pub(super) fn elements(range: &Range) -> Ruby<Vec<Object>> {
    match (&range.first, &range.last) {
        (Object::Integer(first), Object::Integer(last)) => {
            let last = if range.is_exclusive { last.saturating_sub(1) } else { *last };
            if last.saturating_sub(*first) > MAX_ELEMENTS {
                return unsupported();
            }
            Ok((*first..=last).map(Object::Integer).collect())
        }
        (Object::Text(first), Object::Text(last)) => {
            let (first, last) = (first.content.borrow(), last.content.borrow());
            // Single letters.
            match (first.as_bytes(), last.as_bytes()) {
                ([first], [last]) if first.is_ascii() && last.is_ascii() => {
                    let last = if range.is_exclusive { last.saturating_sub(1) } else { *last };
                    Ok((*first..=last).map(|byte| Object::text(char::from(byte))).collect())
                }
                _ => unsupported(),
            }
        }
        _ => unsupported(),
    }
}

/// Evaluates `range === value` and `range.cover?(value)`.
pub(in super::super) fn covers(range: &Range, value: &Object) -> Ruby<bool> {
    let is_low_enough = |ordering: Option<Ordering>| {
        ordering.is_some_and(|ordering| if range.is_exclusive { ordering.is_lt() } else { ordering.is_le() })
    };
    let is_above =
        matches!(range.first, Object::Nil) || compare(&range.first, value)?.is_some_and(Ordering::is_le);
    Ok(is_above && (matches!(range.last, Object::Nil) || is_low_enough(compare(value, &range.last)?)))
}

/// Returns the start and length of a range of indexes in a sequence of `length` elements; `None` if it starts
/// outside.
pub(super) fn span(range: &Range, length: usize) -> Ruby<Option<(usize, usize)>> {
    let index = |object: &Object, otherwise: i64| match object {
        Object::Nil => Ok(otherwise),
        Object::Integer(value) => Ok(*value),
        _ => unsupported(),
    };
    let (size, first) = (length as i64, index(&range.first, 0)?);
    let is_endless = matches!(range.last, Object::Nil);
    let last = index(&range.last, -1)?;
    let first = if first < 0 { first.saturating_add(size) } else { first };
    if first < 0 || first > size {
        return Ok(None);
    }
    let last = if last < 0 { last.saturating_add(size) } else { last };
    let end = if range.is_exclusive && !is_endless { last } else { last.saturating_add(1) };
    Ok(Some((first as usize, (end.min(size) - first).max(0) as usize)))
}
