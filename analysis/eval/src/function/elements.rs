//! Sources of iteration functions, known or not, and running the block on their elements.

use types::iterate::Elements;
use types::sizes::size_of_type;
use types::{IntegerRange, IteratorOperation, Kinds, Origin, Type, TypeEnvironment, Value};

use crate::{Call, Exit, Outcome, PendingMark};

/// Element of an iterated value.
#[derive(Clone, Debug)]
pub struct IteratedElement {
    /// Key, for a hash.
    pub key: Option<Value>,
    pub value: Value,
    /// First argument of a block with two parameters.
    pub first: Value,
}

impl IteratedElement {
    /// Returns the arguments for a block.
    pub fn arguments(&self, passing: Passing) -> Vec<Value> {
        match passing {
            Passing::Whole => vec![self.whole()],
            Passing::Two => vec![self.first.clone(), self.value.clone()],
            Passing::ValueOnly => vec![self.value.clone()],
        }
    }

    /// Returns the element itself; for a hash, the pair of key and value.
    pub fn whole(&self) -> Value {
        match &self.key {
            Some(key) => Value::array([key.clone(), self.value.clone()]),
            None => self.value.clone(),
        }
    }
}

/// Form in which a block gets an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// The element; for a hash, the pair of key and value.
    Whole,
    /// Index and element; for a hash, key and value.
    Two,
    /// The element; for a hash, the value.
    ValueOnly,
}

/// Source of an iteration function.
pub enum IterationSource {
    Known(Items),
    Unknown(UnknownItems),
}

/// Elements of a known value.
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

/// Types of the elements of an unknown value.
#[derive(Clone, Debug)]
pub struct UnknownItems {
    /// Type of the argument of a block with one parameter.
    pub one: Type,
    /// Type of the first argument of a block with two parameters.
    pub first: Type,
    pub second: Type,
    pub size: IntegerRange,
    pub origin: Origin,
}

/// Summary of the runs of a block.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// Number of runs.
    pub count: IntegerRange,
    /// True if the block ran on the actual elements, one after the other.
    pub is_known: bool,
    pub origin: Origin,
}

impl Ran {
    /// Returns true if both the number of runs and their arguments are known.
    pub fn is_exact(&self) -> bool {
        self.is_known && self.count.min == self.count.max
    }
}

/// Effect of a `break()` in the block on the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breaks {
    /// Ends the iteration early.
    EndHere,
    /// Leaves the call, too.
    PassThrough,
    /// One or the other, depending on unknown values.
    Either,
}

/// Decision of the visitor of a block's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    On,
    /// Continue; a value that takes memory was kept.
    Kept,
    Stop,
}

/// Returns the elements of a value to iterate over.
pub fn source(call: &Call, value: &Value) -> Outcome<IterationSource> {
    source_of(call, value, Passing::Whole)
}

/// Returns the elements of a value to iterate over with a block that gets them in some form.
fn source_of(call: &Call, value: &Value, passing: Passing) -> Outcome<IterationSource> {
    let env = call.env();
    if let Value::Unknown(unknown) = value {
        if let Type::Tuple(tuple) = &unknown.ty
            && let Some(elements) = elements_of_tuple(tuple, unknown.origin)
        {
            return source_of(call, &Value::array(elements), passing);
        }
        let items = unknown_items(&unknown.ty, unknown.origin, env);
        return Ok(IterationSource::Unknown(items));
    }
    let name = call.function.name;
    if types::iterate::is_tree(value) && matches!(name, "all" | "any" | "index" | "reduce" | "slice") {
        // Puppet crashes here.
        let problem = format!("`{name}()` cannot iterate over the result of `tree_each()`");
        let message = codes::with_help(problem, "convert it to an array with `Array()`");
        return Err(call.refuse(message));
    }
    let is_hash_style = types::iterate::is_hash_style(value);
    // Some functions take elements one by one from every iterator, others restart if they can.
    let elements = match name {
        "map" if is_hash_style && passing == Passing::Two => types::iterate::elements(value, env, usize::MAX),
        "each" | "map" | "filter" => types::iterate::remaining(value, env, usize::MAX),
        "index" if is_hash_style => types::iterate::remaining(value, env, usize::MAX),
        _ => types::iterate::elements(value, env, usize::MAX),
    };
    match elements {
        Some(elements) => Ok(IterationSource::Known(Items { elements, is_hash_style, index: 0 })),
        None if !value.is_known() => {
            let origin = value.least_trustworthy().unwrap_or(Origin::Join);
            Ok(IterationSource::Unknown(unknown_items(&types::infer::infer(value, env), origin, env)))
        }
        None => Err(call.refuse("value is not iterable")),
    }
}

/// Returns the elements of a tuple of fixed size, each with its type.
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

/// Returns the possible number of elements of an unknown value.
fn size_of_iterated(ty: &Type, env: &dyn TypeEnvironment) -> IntegerRange {
    match ty {
        Type::Integer(range) => IntegerRange::new(range.min.max(0), range.max.max(0)),
        _ if ty.kinds(env).intersects(Kinds::INTEGER | Kinds::TYPE | Kinds::ITERATOR) => IntegerRange::SIZE,
        _ => size_of_type(ty, env),
    }
}

impl UnknownItems {
    /// Returns an arbitrary element.
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
    /// Runs the block. Returns `None` if it ended the iteration.
    pub fn run_block(&mut self, arguments: &[Value], breaks: Breaks) -> Outcome<Option<Value>> {
        self.run_block_since(self.mark(), arguments, breaks)
    }

    /// Runs the block once. If an earlier run since `mark` may have ended the iteration, a failure of this
    /// run is uncertain.
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

    /// Runs the block at most once on arguments of known types, for an iteration that it may end.
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

    /// Runs the block for each element of the argument at `index`, and passes the results to `visit`.
    ///
    /// For an unknown argument, the block runs once, on an element of known type.
    pub fn run_for_each(
        &mut self,
        index: usize,
        passing: Passing,
        breaks: Breaks,
        mut visit: impl FnMut(&IteratedElement, Value) -> Go,
    ) -> Outcome<Ran> {
        let value = self.argument(index).clone();
        let mark = self.mark();
        match source_of(self, &value, passing)? {
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

/// Returns the effect of `break()` in the block of `all` and `any`, for which Puppet's iterators differ.
pub fn breaks_of_search(value: &Value, env: &dyn TypeEnvironment) -> Breaks {
    let ends_here = match value {
        Value::Integer(_) | Value::WideInteger(_) | Value::Type(_) => true,
        Value::Iterator(iterator) => {
            matches!(iterator.operation, IteratorOperation::Step(_) | IteratorOperation::Tree(_))
                || is_over_integers(value)
        }
        Value::Unknown(_) => {
            let kinds = value.kinds(env);
            return if kinds.intersects(Kinds::INTEGER | Kinds::TYPE | Kinds::ITERATOR) {
                Breaks::Either
            } else {
                Breaks::PassThrough
            };
        }
        _ => false,
    };
    if ends_here { Breaks::EndHere } else { Breaks::PassThrough }
}

/// Returns the effect of `break()` in the block of `filter`, for which hashes differ.
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
