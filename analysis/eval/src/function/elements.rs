//! What iteration functions go over, known or not, and running the block for it.

use types::iterate::Elements;
use types::sizes::size_of_type;
use types::{IntegerRange, IteratorOperation, Kinds, Origin, Type, TypeEnvironment, Value};

use crate::{Call, Exit, Outcome, PendingMark};

/// An element of something that is iterated.
#[derive(Clone, Debug)]
pub struct IteratedElement {
    /// The key of a hash.
    pub key: Option<Value>,
    pub value: Value,
    /// What a block with two parameters gets first.
    pub first: Value,
}

impl IteratedElement {
    /// The arguments for a block.
    pub fn arguments(&self, passing: Passing) -> Vec<Value> {
        match passing {
            Passing::Whole => vec![self.whole()],
            Passing::Two => vec![self.first.clone(), self.value.clone()],
            Passing::ValueOnly => vec![self.value.clone()],
        }
    }

    /// The element itself: of a hash the pair.
    pub fn whole(&self) -> Value {
        match &self.key {
            Some(key) => Value::array([key.clone(), self.value.clone()]),
            None => self.value.clone(),
        }
    }
}

/// What a block gets of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// The element; of a hash the pair of key and value.
    Whole,
    /// Its index and itself; of a hash key and value.
    Two,
    /// The element; of a hash the value.
    ValueOnly,
}

/// What an iteration function goes over.
pub enum IterationSource {
    Known(Items),
    Unknown(UnknownItems),
}

/// The elements of a known value.
pub struct Items {
    elements: Elements,
    is_hash_style: bool,
    index: i64,
}

impl Iterator for Items {
    type Item = IteratedElement;

    fn next(&mut self) -> Option<IteratedElement> {
        let element = self.elements.next()?;
        let index = self.index;
        self.index += 1;
        if self.is_hash_style
            && let Value::Array(pair) = &element
            && let [key, value] = pair.as_slice()
        {
            return Some(IteratedElement {
                key: Some(key.clone()),
                value: value.clone(),
                first: key.clone(),
            });
        }
        Some(IteratedElement { key: None, value: element, first: Value::Integer(index) })
    }
}

/// The elements of an unknown value.
#[derive(Clone, Debug)]
pub struct UnknownItems {
    /// What a block with one parameter gets.
    pub one: Type,
    /// What a block with two parameters gets.
    pub first: Type,
    pub second: Type,
    pub size: IntegerRange,
    pub origin: Origin,
}

/// How a block was run.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// How often.
    pub count: IntegerRange,
    /// Was it run for the elements themselves, one after the other?
    pub is_known: bool,
    pub origin: Origin,
}

impl Ran {
    /// Is it known how often the block was run, and on what?
    pub fn is_exact(&self) -> bool {
        self.is_known && self.count.min == self.count.max
    }
}

/// How a `break()` in the block ends the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breaks {
    /// The iteration ends early.
    EndHere,
    /// It leaves the call, too.
    PassThrough,
    /// One or the other: that depends on what is not known.
    Either,
}

/// What the visitor of a block's results wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    On,
    /// Go on, and something was kept that takes memory.
    Kept,
    Stop,
}

/// What a value gives when it is iterated.
pub fn source(call: &Call, value: &Value) -> Outcome<IterationSource> {
    let env = call.env();
    if let Value::Unknown(unknown) = value {
        if let Type::Tuple(tuple) = &unknown.ty
            && let Some(elements) = elements_of_tuple(tuple, unknown.origin)
        {
            return source(call, &Value::array(elements));
        }
        let items = unknown_items(&unknown.ty, unknown.origin, env);
        return Ok(IterationSource::Unknown(items));
    }
    let name = call.function.name;
    if types::iterate::is_tree(value) && matches!(name, "all" | "any" | "index" | "reduce" | "slice") {
        // Puppet breaks down there.
        let message =
            format!("{name}() cannot go over what tree_each() gives; make it an array with Array()");
        return Err(call.refuse(message));
    }
    let is_hash_style = types::iterate::is_hash_style(value);
    // These take elements one by one from every iterator, others begin anew where they can.
    let elements = match call.function.name {
        "each" | "map" | "filter" => types::iterate::remaining(value, env, usize::MAX),
        _ => types::iterate::elements(value, env, usize::MAX),
    };
    match elements {
        Some(elements) => Ok(IterationSource::Known(Items { elements, is_hash_style, index: 0 })),
        None if !value.is_known() => {
            let origin = value.least_trustworthy().unwrap_or(Origin::Join);
            Ok(IterationSource::Unknown(unknown_items(&types::infer::infer(value, env), origin, env)))
        }
        None => Err(call.refuse("this cannot be iterated")),
    }
}

/// The elements of a tuple of a fixed size, each of its own type.
fn elements_of_tuple(tuple: &types::TupleType, origin: Origin) -> Option<Vec<Value>> {
    const MAX_COUNT: i64 = 64;
    let size = tuple.element_count();
    if size.min != size.max || size.max > MAX_COUNT || (tuple.types.is_empty() && size.max > 0) {
        return None;
    }
    (0..size.max as usize).map(|index| Some(Value::unknown(tuple.element(index)?.clone(), origin))).collect()
}

fn unknown_items(ty: &Type, origin: Origin, env: &dyn TypeEnvironment) -> UnknownItems {
    let one = types::iterate::iterated_type(ty, env).unwrap_or(Type::Any);
    let size = size_of_iterated(ty, env);
    let kinds = ty.kinds(env);
    let (key, value) = match &one {
        Type::Tuple(pair) => {
            let at = |index| pair.element(index).cloned().unwrap_or(Type::Any);
            (at(0), at(1))
        }
        _ => (Type::Any, Type::Any),
    };
    // Only hashes and iterators over them give key and value.
    let is_hash = kinds.intersects(Kinds::HASH | Kinds::ITERATOR);
    let is_other = kinds.intersects(Kinds::all() - Kinds::HASH);
    let index = Type::integer(0, i64::MAX);
    let (first, second) = match (is_hash, is_other) {
        (true, false) => (key, value),
        (false, _) => (index, one.clone()),
        (true, true) => (Type::Any, Type::Any),
    };
    UnknownItems { one, first, second, size, origin }
}

/// How many elements an unknown value may give.
fn size_of_iterated(ty: &Type, env: &dyn TypeEnvironment) -> IntegerRange {
    match ty {
        Type::Integer(range) => IntegerRange::new(range.min.max(0), range.max.max(0)),
        _ if ty.kinds(env).intersects(Kinds::INTEGER | Kinds::TYPE | Kinds::ITERATOR) => IntegerRange::SIZE,
        _ => size_of_type(ty, env),
    }
}

impl UnknownItems {
    /// One of the elements, whichever.
    pub fn item(&self, passing: Passing) -> IteratedElement {
        let value = match passing {
            Passing::Whole => &self.one,
            Passing::Two | Passing::ValueOnly => &self.second,
        };
        let unknown = |ty: &Type| Value::unknown(ty.clone(), self.origin);
        IteratedElement { key: None, value: unknown(value), first: unknown(&self.first) }
    }
}

impl<'w> Call<'_, 'w> {
    /// Runs the block, `None` when it ended the iteration.
    pub fn run_block(&mut self, arguments: &[Value], breaks: Breaks) -> Outcome<Option<Value>> {
        self.run_block_since(self.mark(), arguments, breaks)
    }

    /// The same for one of several runs: one since `mark` may have ended the iteration, then a later one did not fail.
    pub fn run_block_since(
        &mut self,
        mark: PendingMark,
        arguments: &[Value],
        breaks: Breaks,
    ) -> Outcome<Option<Value>> {
        match self.call_block(arguments) {
            Ok(value) => Ok(Some(value)),
            Err(Exit::Break(_)) if breaks == Breaks::EndHere => Ok(None),
            Err(exit @ Exit::Break(_)) if breaks == Breaks::Either => {
                self.postpone(exit)?;
                Ok(None)
            }
            Err(exit) if breaks != Breaks::PassThrough && self.may_have_stopped(mark) => {
                self.postpone(exit)?;
                Ok(None)
            }
            Err(exit) => Err(exit),
        }
    }

    /// Runs the block once or not at all, on arguments of which only the types are known, for an iteration that it may end.
    pub fn run_block_perhaps(&mut self, arguments: &[Value]) -> Outcome<()> {
        let origin = arguments.first().and_then(Value::least_trustworthy).unwrap_or(Origin::Join);
        let mark = self.mark();
        self.fork(2, origin, |call, branch| {
            if branch == 1 {
                call.run_block(arguments, Breaks::EndHere)?;
            }
            Ok(Value::Undef)
        })?;
        self.end_stops(mark);
        Ok(())
    }

    /// Runs the block for each element of the argument at `index` (for an unknown one once, on an element of which only
    /// the type is known), and shows what it gave to `visit`.
    pub fn run_for_each(
        &mut self,
        index: usize,
        passing: Passing,
        breaks: Breaks,
        mut visit: impl FnMut(&IteratedElement, Value) -> Go,
    ) -> Outcome<Ran> {
        let value = self.argument(index).clone();
        let mark = self.mark();
        match source(self, &value)? {
            IterationSource::Known(items) => {
                let mut count = 0;
                let mut kept = 0;
                let mut certain = None;
                let mut origin = Origin::Join;
                for item in items {
                    self.grow(kept)?;
                    let result = self.run_block_since(mark, &item.arguments(passing), breaks)?;
                    let Some(result) = result else { break };
                    if certain.is_none() && breaks != Breaks::PassThrough && self.may_have_stopped(mark) {
                        certain = Some(count);
                    }
                    count += 1;
                    if let Value::Unknown(unknown) = &result {
                        origin = origin.max(unknown.origin);
                    }
                    match visit(&item, result) {
                        Go::On => {}
                        Go::Kept => kept += 1,
                        Go::Stop => break,
                    }
                }
                if breaks == Breaks::EndHere {
                    self.end_stops(mark);
                }
                let count = IntegerRange::new(certain.unwrap_or(count), count);
                Ok(Ran { count, is_known: true, origin })
            }
            IterationSource::Unknown(unknown) => {
                let item = unknown.item(passing);
                let arguments = item.arguments(passing);
                let mut result = None;
                let mut ended = false;
                let mut once = |call: &mut Call<'_, 'w>| {
                    result = call.run_block(&arguments, breaks)?;
                    ended = result.is_none();
                    Ok(Value::Undef)
                };
                if unknown.size.max > 0 {
                    if unknown.size.min > 0 {
                        once(self)?;
                    } else {
                        self.fork(2, unknown.origin, |call, branch| {
                            if branch == 0 { Ok(Value::Undef) } else { once(call) }
                        })?;
                    }
                }
                let may_stop = ended || breaks != Breaks::PassThrough && self.may_have_stopped(mark);
                if breaks == Breaks::EndHere {
                    self.end_stops(mark);
                }
                let size = unknown.size;
                let count = match result {
                    Some(result) => {
                        visit(&item, result);
                        IntegerRange::new(if may_stop { 0 } else { size.min }, size.max)
                    }
                    None => IntegerRange::exactly(0),
                };
                Ok(Ran { count, is_known: false, origin: unknown.origin })
            }
        }
    }
}

/// Do `all` and `any` take a `break()` in their block for the end of the elements? Puppet's iterators differ there.
pub fn breaks_of_search(value: &Value, env: &dyn TypeEnvironment) -> Breaks {
    let ends_here = match value {
        Value::Integer(_) | Value::WideInteger(_) | Value::Type(_) => true,
        Value::Iterator(iterator) => {
            matches!(iterator.operation, IteratorOperation::Step(_) | IteratorOperation::Tree(_))
                || is_over_integers(value)
        }
        Value::Unknown(_) => {
            let kinds = value.kinds(env);
            return match kinds.intersects(Kinds::INTEGER | Kinds::TYPE | Kinds::ITERATOR) {
                true => Breaks::Either,
                false => Breaks::PassThrough,
            };
        }
        _ => false,
    };
    if ends_here { Breaks::EndHere } else { Breaks::PassThrough }
}

/// The same for `filter`, where hashes differ.
pub fn breaks_of_filter(value: &Value, env: &dyn TypeEnvironment) -> Breaks {
    match value {
        Value::Hash(_) => Breaks::PassThrough,
        Value::Unknown(_) if value.kinds(env) == Kinds::HASH => Breaks::PassThrough,
        Value::Unknown(_) if value.kinds(env).intersects(Kinds::HASH) => Breaks::Either,
        _ => Breaks::EndHere,
    }
}

fn is_over_integers(value: &Value) -> bool {
    match value {
        Value::Iterator(iterator) => is_over_integers(&iterator.source),
        Value::Type(ty) => !matches!(**ty, Type::Enum(_)),
        Value::Integer(_) | Value::WideInteger(_) => true,
        _ => false,
    }
}
