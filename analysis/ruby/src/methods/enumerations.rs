//! Iteration over the elements of arrays, hashes (as pairs) and ranges.

use std::rc::Rc;

use super::super::blocks::BlockRef;
use super::super::comparison::is_equal;
use super::super::interpreter::Interpreter;
use super::super::key::{ObjectKey, copy_of_key};
use super::super::value::{Enumerator, Object, ObjectEntries, Ruby, Stop, raise, unsupported};
use super::super::watched::WatchedCell;
use super::{
    ARRAY, CallArguments, ENUMERABLE, ENUMERATOR, HASH, LIST, MANY, MethodInvocation, MethodRow, described,
    ranges, row,
};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("each", ENUMERABLE, 0, 0, each),
    row("each_entry", LIST, 0, 0, each),
    row("each_with_index", ENUMERABLE, 0, 0, each_with_index),
    row("each_with_object", ENUMERABLE, 1, 1, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for element in elements(ruby, &it.receiver)? {
            ruby.call_block(block, vec![element, it.argument(0).clone()])?;
        }
        Ok(it.argument(0).clone())
    }),
    row("with_index", ENUMERATOR, 0, 1, with_index),
    row("map", ENUMERABLE, 0, 0, map),
    row("collect", ENUMERABLE, 0, 0, map),
    row("flat_map", ENUMERABLE, 0, 0, flat_map),
    row("collect_concat", ENUMERABLE, 0, 0, flat_map),
    row("filter_map", ENUMERABLE, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let mut out = Vec::new();
        for element in elements(ruby, &it.receiver)? {
            let value = ruby.call_block(block, vec![element])?;
            if value.is_true()? {
                out.push(value);
            }
        }
        Ok(Object::array(out))
    }),
    row("select", LIST, 0, 0, |ruby, it| filtered(ruby, it, "select", true)),
    row("filter", LIST, 0, 0, |ruby, it| filtered(ruby, it, "filter", true)),
    row("find_all", ENUMERABLE, 0, 0, |ruby, it| filtered(ruby, it, "find_all", true)),
    row("reject", LIST, 0, 0, |ruby, it| filtered(ruby, it, "reject", false)),
    row("grep", ENUMERABLE, 1, 1, |ruby, it| grep(ruby, it, true)),
    row("grep_v", ENUMERABLE, 1, 1, |ruby, it| grep(ruby, it, false)),
    row("partition", ENUMERABLE, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for element in elements(ruby, &it.receiver)? {
            if ruby.call_block(block, vec![element.clone()])?.is_true()? {
                yes.push(element)
            } else {
                no.push(element)
            }
        }
        Ok(Object::pair(Object::array(yes), Object::array(no)))
    }),
    row("group_by", ENUMERABLE, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let mut groups: Vec<(Object, Vec<Object>)> = Vec::new();
        let mut places: ObjectEntries = ObjectEntries::default();
        for element in elements(ruby, &it.receiver)? {
            let key = copy_of_key(&ruby.call_block(block, vec![element.clone()])?)?;
            match places.get(&ObjectKey(key.clone())) {
                Some(Object::Integer(index)) => groups[*index as usize].1.push(element),
                _ => {
                    places.insert(ObjectKey(key.clone()), Object::size(groups.len()));
                    groups.push((key, vec![element]));
                }
            }
        }
        Ok(super::constants::hash_of(groups.into_iter().map(|(key, group)| (key, Object::array(group)))))
    }),
    row("inject", ENUMERABLE, 0, 2, inject),
    row("reduce", ENUMERABLE, 0, 2, inject),
    row("sum", ENUMERABLE, 0, 1, sum),
    row("to_a", ENUMERABLE, 0, 0, |ruby, it| match &it.receiver {
        Object::Array(_) => Ok(it.receiver.clone()),
        receiver => Ok(Object::array(elements(ruby, receiver)?)),
    }),
    row("entries", ENUMERABLE, 0, 0, |ruby, it| Ok(Object::array(elements(ruby, &it.receiver)?))),
    row("to_h", ARRAY | ENUMERATOR, 0, 0, to_h),
    row("each_slice", ENUMERABLE, 1, 1, |ruby, it| {
        let size = it.count_argument(0)?;
        if size == 0 {
            return raise("invalid slice size");
        }
        let elements = elements(ruby, &it.receiver)?;
        let slices = elements.chunks(size).map(|slice| Object::array(slice.to_vec())).collect();
        each_of(ruby, it, slices, "each_slice")
    }),
    row("each_cons", ENUMERABLE, 1, 1, |ruby, it| {
        let size = it.count_argument(0)?;
        if size == 0 {
            return raise("invalid size");
        }
        let elements = elements(ruby, &it.receiver)?;
        let slices = elements.windows(size).map(|slice| Object::array(slice.to_vec())).collect();
        each_of(ruby, it, slices, "each_cons")
    }),
    row("reverse_each", ENUMERABLE, 0, 0, |ruby, it| {
        let mut elements = elements(ruby, &it.receiver)?;
        elements.reverse();
        each_of(ruby, it, elements, "reverse_each")
    }),
    row("zip", LIST, 0, MANY, |ruby, it| {
        let mut lists = Vec::new();
        for argument in &it.arguments {
            match argument {
                Object::Array(_) => lists.push(elements(ruby, argument)?),
                _ => return unsupported(),
            }
        }
        if it.block.is_some() {
            return unsupported();
        }
        let rows = elements(ruby, &it.receiver)?.into_iter().enumerate().map(|(index, element)| {
            let others = lists.iter().map(|list| list.get(index).cloned().unwrap_or(Object::Nil));
            Object::array(std::iter::once(element).chain(others).collect())
        });
        Ok(Object::array(rows.collect()))
    }),
    row("tally", ENUMERABLE, 0, 0, |ruby, it| {
        let mut counts = ObjectEntries::default();
        for element in elements(ruby, &it.receiver)? {
            let count = counts.entry(ObjectKey(copy_of_key(&element)?)).or_insert(Object::Integer(0));
            if let Object::Integer(count) = count {
                *count += 1;
            }
        }
        Ok(Object::hash(counts))
    }),
    row("take_while", ENUMERABLE, 0, 0, |ruby, it| {
        let split = count_leading(ruby, it)?;
        let mut elements = elements(ruby, &it.receiver)?;
        elements.truncate(split);
        Ok(Object::array(elements))
    }),
    row("drop_while", ENUMERABLE, 0, 0, |ruby, it| {
        let split = count_leading(ruby, it)?;
        Ok(Object::array(elements(ruby, &it.receiver)?.split_off(split)))
    }),
    row("each_pair", HASH, 0, 0, each),
];

/// Returns the elements that a block receives, one at a time.
pub(in super::super) fn elements(ruby: &mut Interpreter<'_>, object: &Object) -> Ruby<Vec<Object>> {
    let elements: Vec<Object> = match object {
        Object::Array(array) => array.elements.borrow().clone(),
        Object::Hash(hash) => {
            let entries = hash.entries.borrow();
            entries.iter().map(|(key, value)| Object::pair(key.0.clone(), value.clone())).collect()
        }
        Object::Range(range) => ranges::elements(range)?,
        Object::Enumerator(enumerator) => enumerator.elements.clone(),
        Object::Set(set) => set.entries.borrow().keys().map(|key| key.0.clone()).collect(),
        Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
        _ => return unsupported(),
    };
    ruby.charge(elements.len() * 16)?;
    Ok(elements)
}

fn enumerator(receiver: &Object, elements: Vec<Object>, method: &'static str) -> Object {
    Object::Enumerator(Rc::new(Enumerator { receiver: receiver.clone(), elements, method }))
}

/// Calls the block for each of the elements and returns the receiver; without a block, returns an enumerator.
fn each_of(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    elements: Vec<Object>,
    method: &'static str,
) -> Ruby {
    let Some(block) = &it.block else { return Ok(enumerator(&it.receiver, elements, method)) };
    for element in elements {
        ruby.call_block(block, vec![element])?;
    }
    Ok(it.receiver.clone())
}

fn each(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if let (Object::Array(array), Some(block)) = (&it.receiver, &it.block) {
        // The block may change the array.
        let mut index = 0;
        loop {
            let element = array.elements.borrow().get(index).cloned();
            let Some(element) = element else { return Ok(it.receiver.clone()) };
            ruby.call_block(block, vec![element])?;
            index += 1;
        }
    }
    let elements = elements(ruby, &it.receiver)?;
    each_of(ruby, it, elements, "each")
}

fn each_with_index(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let elements = elements(ruby, &it.receiver)?;
    match &it.block {
        Some(block) => {
            for (index, element) in elements.into_iter().enumerate() {
                ruby.call_block(block, vec![element, Object::size(index)])?;
            }
            Ok(it.receiver.clone())
        }
        None => {
            let pairs = elements.into_iter().enumerate();
            let pairs = pairs.map(|(index, element)| Object::pair(element, Object::size(index)));
            Ok(enumerator(&it.receiver, pairs.collect(), "each_with_index"))
        }
    }
}

/// Evaluates `each.with_index(1) { |x, i| }` and `map.with_index { |x, i| }`.
fn with_index(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Enumerator(enumerator) = &it.receiver else { return unsupported() };
    let first = match it.arguments.first() {
        None | Some(Object::Nil) => 0,
        Some(_) => it.integer_argument(0)?,
    };
    let Some(block) = &it.block else { return unsupported() };
    if !matches!(
        enumerator.method,
        "each" | "map" | "collect" | "select" | "filter" | "reject" | "flat_map" | "find_all"
    ) {
        return unsupported();
    }
    let block = BlockRef::Indexed(Box::new(block.clone()), Rc::new(WatchedCell::new(first)));
    let receiver = enumerator.receiver.clone();
    ruby.send(MethodInvocation {
        receiver,
        name: enumerator.method,
        arguments: CallArguments::default(),
        block: Some(block),
    })
}

fn map(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let elements = elements(ruby, &it.receiver)?;
    let Some(block) = &it.block else { return Ok(enumerator(&it.receiver, elements, "map")) };
    let mut out = Vec::with_capacity(elements.len());
    for element in elements {
        out.push(ruby.call_block(block, vec![element])?);
    }
    Ok(Object::array(out))
}

fn flat_map(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let elements = elements(ruby, &it.receiver)?;
    let Some(block) = &it.block else { return Ok(enumerator(&it.receiver, elements, "flat_map")) };
    let mut out = Vec::new();
    for element in elements {
        match ruby.call_block(block, vec![element])? {
            Object::Array(inner) => out.extend(inner.elements.borrow().iter().cloned()),
            Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
            Object::Foreign(_) => return unsupported(),
            other => out.push(other),
        }
        ruby.charge(16)?;
    }
    Ok(Object::array(out))
}

fn filtered(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    method: &'static str,
    wanted: bool,
) -> Ruby {
    let elements = elements(ruby, &it.receiver)?;
    let Some(block) = &it.block else { return Ok(enumerator(&it.receiver, elements, method)) };
    let mut out = Vec::new();
    for element in elements {
        if ruby.call_block(block, vec![element.clone()])?.is_true()? == wanted {
            out.push(element);
        }
    }
    Ok(Object::array(out))
}

fn grep(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, wanted: bool) -> Ruby {
    if it.block.is_some() {
        return unsupported();
    }
    let mut out = Vec::new();
    for element in elements(ruby, &it.receiver)? {
        if ruby.case_equal(it.argument(0), &element)? == wanted {
            out.push(element);
        }
    }
    Ok(Object::array(out))
}

fn inject(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let mut elements = elements(ruby, &it.receiver)?.into_iter();
    let (first, operator) = match (it.arguments.as_slice(), &it.block) {
        ([], Some(_)) => (None, None),
        ([first], Some(_)) => (Some(first.clone()), None),
        ([Object::Symbol(operator)], None) => (None, Some(operator)),
        ([first, Object::Symbol(operator)], None) => (Some(first.clone()), Some(operator)),
        _ => return unsupported(),
    };
    let Some(mut memo) = first.or_else(|| elements.next()) else { return Ok(Object::Nil) };
    for element in elements {
        memo = match (&it.block, operator) {
            (Some(block), _) => ruby.call_block(block, vec![memo, element])?,
            (None, Some(operator)) => apply_operator(ruby, memo, operator, element)?,
            (None, None) => return unsupported(),
        };
    }
    Ok(memo)
}

/// Evaluates `a operator b` for an operator in the table.
fn apply_operator(ruby: &mut Interpreter<'_>, receiver: Object, operator: &str, argument: Object) -> Ruby {
    if let Object::Unknown(origin) = receiver {
        return Err(Stop::Unknown(origin));
    }
    let Some(method) = (ruby.tables.find)(super::kind_of(&receiver), operator, 1) else {
        return unsupported();
    };
    ruby.call_method(
        method,
        &MethodInvocation {
            receiver,
            name: method.name,
            arguments: CallArguments::plain(vec![argument]),
            block: None,
        },
    )
}

fn sum(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let mut total = it.arguments.first().cloned().unwrap_or(Object::Integer(0));
    // From the first float on, numbers are added as floats with compensation for rounding errors.
    let mut floats: Option<FloatSum> = None;
    for element in elements(ruby, &it.receiver)? {
        let value = match &it.block {
            Some(block) => ruby.call_block(block, vec![element])?,
            None => element,
        };
        let number = match &value {
            Object::Integer(value) => Some(*value as f64),
            Object::Float(value) => Some(*value),
            _ => None,
        };
        match (&mut floats, &total, number) {
            (Some(sum), _, Some(number)) => sum.add(number),
            (Some(sum), ..) => {
                total = apply_operator(ruby, Object::Float(sum.total + sum.compensation), "+", value)?;
                floats = None;
            }
            (None, Object::Integer(start), Some(number)) if matches!(value, Object::Float(_)) => {
                let mut sum = FloatSum { total: *start as f64, compensation: 0.0 };
                sum.add(number);
                floats = Some(sum);
            }
            (None, Object::Float(start), Some(number)) => {
                let mut sum = FloatSum { total: *start, compensation: 0.0 };
                sum.add(number);
                floats = Some(sum);
            }
            _ => total = apply_operator(ruby, total, "+", value)?,
        }
    }
    Ok(floats.map_or(total, |sum| Object::Float(sum.total + sum.compensation)))
}

/// Kahan-Babuska summation.
struct FloatSum {
    total: f64,
    compensation: f64,
}

impl FloatSum {
    fn add(&mut self, number: f64) {
        if !number.is_finite() || !self.total.is_finite() {
            self.total += number;
            self.compensation = 0.0;
            return;
        }
        let sum = self.total + number;
        self.compensation += if self.total.abs() >= number.abs() {
            (self.total - sum) + number
        } else {
            (number - sum) + self.total
        };
        self.total = sum;
    }
}

/// Inserts a pair `[key, value]` returned by the block of `to_h`.
pub(in super::super) fn insert_pair(entries: &mut ObjectEntries, pair: &Object) -> Ruby<()> {
    let Object::Array(pair) = pair else {
        return raise(format!("wrong element type {} (expected array)", described(pair)?));
    };
    let pair = pair.elements.borrow();
    let [key, value] = pair.as_slice() else { return raise("wrong array length (expected 2)") };
    entries.insert(ObjectKey(copy_of_key(key)?), value.clone());
    Ok(())
}

fn to_h(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let mut entries = ObjectEntries::default();
    for element in elements(ruby, &it.receiver)? {
        let pair = match &it.block {
            Some(block) => ruby.call_block(block, vec![element])?,
            None => element,
        };
        insert_pair(&mut entries, &pair)?;
    }
    Ok(Object::hash(entries))
}

/// Returns the number of leading elements for which the block is true.
fn count_leading(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby<usize> {
    let Some(block) = &it.block else { return unsupported() };
    let elements = elements(ruby, &it.receiver)?;
    for (index, element) in elements.iter().enumerate() {
        if !ruby.call_block(block, vec![element.clone()])?.is_true()? {
            return Ok(index);
        }
    }
    Ok(elements.len())
}

/// Returns the index of a value in a list of elements.
pub(super) fn position_of(elements: &[Object], value: &Object) -> Ruby<Option<usize>> {
    for (index, element) in elements.iter().enumerate() {
        if is_equal(element, value)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}
