//! Functions that run a block for each element. Specification: the chapter on lambdas and iteration
//! functions.

use std::sync::Arc;

use eval::elements::{
    Breaks, Go, IteratedElement, IterationSource, Passing, breaks_of_filter, breaks_of_search, source,
};
use eval::{BuiltInFunction, Call, Outcome, Overload, join_values, union_of};
use types::{HashValue, IntegerRange, IteratorOperation, IteratorValue, Kinds, Type, TypeEnvironment, Value};

use super::support::{function, known, open, ruby_equal};

const HASH_2: &str = "(Hash[Any, Any] $hash, Callable[2, 2] &$block)";
const HASH_1: &str = "(Hash[Any, Any] $hash, Callable[1, 1] &$block)";
const ENUMERABLE_2: &str = "(Iterable $enumerable, Callable[2, 2] &$block)";
const ENUMERABLE_1: &str = "(Iterable $enumerable, Callable[1, 1] &$block)";

/// Returns the four overloads that most of these functions have.
const fn four(call: fn(&mut Call) -> Outcome) -> [Overload; 4] {
    [open(HASH_2, call), open(HASH_1, call), open(ENUMERABLE_2, call), open(ENUMERABLE_1, call)]
}

static ALL: [Overload; 4] = four(all);
static ANY: [Overload; 4] = four(any);
static EACH: [Overload; 4] = four(each);
static FILTER: [Overload; 4] = four(filter);
static MAP: [Overload; 4] = four(map);

pub(super) static TABLE: &[BuiltInFunction] = &[
    function("all", "Returns true if the block returns true for every element.", &ALL),
    function("any", "Returns true if the block returns true for at least one element.", &ANY),
    function("each", "Runs the block for each element, and returns its argument.", &EACH),
    function(
        "filter",
        "Returns the elements for which the block returns true: an array, or a hash for a hash.",
        &FILTER,
    ),
    function("map", "Returns an array with the block's result for each element.", &MAP),
    function(
        "index",
        "Returns the index or key of the first element for which the block returns true, or that is equal to a value; for a string, the position of a substring or pattern.",
        &[
            open(HASH_2, index),
            open(HASH_1, index),
            open(ENUMERABLE_2, index),
            open(ENUMERABLE_1, index),
            known("(String $str, Variant[String, Regexp] $match) >> Optional[Integer[0]]", index_in_text),
            open("(Iterable $enumerable, Any $match)", index_of_value),
        ],
    ),
    function(
        "reduce",
        "Combines the elements: the block gets the previous result and an element, and returns the next result.",
        &[
            open("(Iterable $enumerable, Callable[2, 2] &$block)", reduce),
            open("(Iterable $enumerable, Any $memo, Callable[2, 2] &$block)", reduce),
        ],
    ),
    function(
        "group_by",
        "Groups the elements by the block's result, in a hash of arrays.",
        &[
            open("(Collection $collection, Callable[1, 1] &$block) >> Hash", group_by),
            open("(Array $array, Callable[2, 2] &$block) >> Hash", group_by),
            open("(Collection $collection, Callable[2, 2] &$block) >> Hash", group_by),
        ],
    ),
    function(
        "partition",
        "Returns two arrays: the elements for which the block returns true, and the others.",
        &[
            open("(Collection $collection, Callable[1, 1] &$block) >> Tuple[Array, Array]", partition),
            open("(Array $array, Callable[2, 2] &$block) >> Tuple[Array, Array]", partition),
            open("(Collection $collection, Callable[2, 2] &$block) >> Tuple[Array, Array]", partition),
        ],
    ),
    function(
        "slice",
        "Splits the elements into arrays of a given length; with a block, runs it for each of them and returns its argument.",
        &[
            open(
                "(Hash[Any, Any] $hash, Integer[1, default] $slice_size, Optional[Callable] &$block)",
                slice,
            ),
            open(
                "(Iterable $enumerable, Integer[1, default] $slice_size, Optional[Callable] &$block)",
                slice,
            ),
        ],
    ),
    function(
        "step",
        "Returns an iterator over every nth element, beginning with the first; with a block, runs it for each of them.",
        &[
            open("(Iterable $iterable, Integer[1] $step) >> Iterator", step),
            open("(Iterable $iterable, Integer[1] $step, Callable[1, 1] &$block) >> Undef", step_block),
        ],
    ),
    function(
        "reverse_each",
        "Returns an iterator over the elements in reverse order; with a block, runs it for each of them.",
        &[
            open("(Iterable $iterable) >> Iterator", reverse_each),
            open("(Iterable $iterable, Callable[1, 1] &$block) >> Undef", reverse_each_block),
        ],
    ),
];

/// Returns the form in which a block with one or two parameters gets elements.
fn passing(call: &mut Call) -> Outcome<Passing> {
    Ok(if call.block_arity(2)? >= 2 { Passing::Two } else { Passing::Whole })
}

fn each(call: &mut Call) -> Outcome {
    let passing = passing(call)?;
    let breaks = Breaks::EndHere;
    call.run_for_each(0, passing, breaks, |_, _| Go::On)?;
    Ok(call.argument(0).clone())
}

fn map(call: &mut Call) -> Outcome {
    let passing = passing(call)?;
    let mut results = Vec::new();
    let ran = call.run_for_each(0, passing, Breaks::EndHere, |_, result| {
        results.push(result);
        Go::Kept
    })?;
    if results.is_empty() || ran.is_exact() {
        return Ok(Value::array(results));
    }
    Ok(Value::unknown(Type::array(union_of(&results, call.env()), ran.count), ran.origin))
}

fn filter(call: &mut Call) -> Outcome {
    let passing = passing(call)?;
    let breaks = breaks_of_filter(call.argument(0), call.env());
    let mut kept: Vec<IteratedElement> = Vec::new();
    let mut certain = 0;
    let ran = call.run_for_each(0, passing, breaks, |item, result| {
        match result.truth() {
            Some(false) => return Go::On,
            Some(true) => certain += 1,
            None => {}
        }
        kept.push(item.clone());
        Go::Kept
    })?;
    let collection = call.argument(0);
    let gives_hash = match collection {
        Value::Hash(_) => true,
        collection => passing == Passing::Two && types::iterate::is_hash_style(collection),
    };
    if ran.is_exact() && certain == kept.len() {
        return Ok(if gives_hash {
            Value::hash(kept.into_iter().filter_map(|item| Some((item.key?, item.value))))
        } else {
            Value::array(kept.iter().map(IteratedElement::whole).collect::<Vec<_>>())
        });
    }
    let env = call.env();
    let count = match (ran.is_known, kept.is_empty()) {
        (_, true) => IntegerRange::exactly(0),
        (true, false) => {
            IntegerRange::new(if ran.is_exact() { certain as i64 } else { 0 }, kept.len() as i64)
        }
        (false, false) => IntegerRange::new(if certain > 0 { ran.count.min } else { 0 }, ran.count.max),
    };
    let as_array = |kept: &[IteratedElement]| {
        let elements: Vec<Value> = kept.iter().map(IteratedElement::whole).collect();
        Type::array(union_of(&elements, env), count)
    };
    let as_hash = |kept: &[IteratedElement]| {
        let keys = union_of(kept.iter().map(|item| item.key.as_ref().unwrap_or(&item.first)), env);
        Type::hash(keys, union_of(kept.iter().map(|item| &item.value), env), count)
    };
    let kinds = collection.kinds(env);
    let ty = match collection {
        Value::Unknown(_) if !kinds.intersects(Kinds::HASH | Kinds::ITERATOR) => as_array(&kept),
        Value::Unknown(unknown) if kinds == Kinds::HASH => match filtered_entries(&unknown.ty) {
            Some((key, value)) => Type::hash(key, value, count),
            None => Type::hash(Type::Any, Type::Any, count),
        },
        Value::Unknown(_) => Type::Collection(count),
        _ if gives_hash => as_hash(&kept),
        _ => as_array(&kept),
    };
    Ok(Value::unknown(ty, ran.origin))
}

/// Returns the key and value types of a hash type.
fn filtered_entries(ty: &Type) -> Option<(Type, Type)> {
    match ty {
        Type::Hash(hash) => Some((hash.key.clone(), hash.value.clone())),
        _ => None,
    }
}

/// Implements `all` (`decides` is false) and `any` (`decides` is true), which end at the first block result
/// equal to `decides`.
fn search(call: &mut Call, decides: bool) -> Outcome {
    let passing = passing(call)?;
    let breaks = breaks_of_search(call.argument(0), call.env());
    let mut truth = Some(!decides);
    let ran = call.run_for_each(0, passing, breaks, |_, result| match result.truth() {
        Some(result) if result == decides => {
            truth = Some(decides);
            Go::Stop
        }
        Some(_) => Go::On,
        None => {
            truth = None;
            Go::On
        }
    })?;
    let is_certain = match truth {
        Some(truth) if truth == decides => ran.is_exact() || !ran.is_known && ran.count.min > 0,
        Some(_) => true,
        None => false,
    };
    match truth {
        Some(truth) if is_certain => Ok(Value::Boolean(truth)),
        _ => Ok(Value::unknown(Type::BOOLEAN, ran.origin)),
    }
}

fn all(call: &mut Call) -> Outcome {
    search(call, false)
}

fn any(call: &mut Call) -> Outcome {
    search(call, true)
}

fn index(call: &mut Call) -> Outcome {
    let passing = match passing(call)? {
        Passing::Two => Passing::Two,
        _ => Passing::ValueOnly,
    };
    let breaks = breaks_of_search(call.argument(0), call.env());
    let mut found = Vec::new();
    let mut is_certain = false;
    let ran = call.run_for_each(0, passing, breaks, |item, result| {
        if result.truth() == Some(false) {
            return Go::On;
        }
        found.push(item.first.clone());
        is_certain = result.truth() == Some(true);
        if is_certain { Go::Stop } else { Go::Kept }
    })?;
    if !is_certain || !ran.is_exact() {
        found.push(Value::Undef);
    }
    Ok(join_values(found, ran.origin, call.env()))
}

fn index_of_value(call: &mut Call) -> Outcome {
    let wanted = call.argument(1).clone();
    let items = match source(call, call.argument(0))? {
        IterationSource::Known(items) => items,
        IterationSource::Unknown(unknown) => {
            return Ok(Value::unknown(Type::optional(unknown.first), unknown.origin));
        }
    };
    let mut found = Vec::new();
    for item in items {
        call.step(1)?;
        if !item.value.is_known() || !wanted.is_known() {
            found.push(item.first);
        } else if ruby_equal(&item.value, &wanted) {
            found.push(item.first);
            return Ok(join_values(found, types::Origin::Join, call.env()));
        }
    }
    found.push(Value::Undef);
    Ok(join_values(found, types::Origin::Join, call.env()))
}

fn index_in_text(call: &mut Call) -> Outcome {
    let text = call.string(0);
    let at = match call.argument(1) {
        Value::Regexp(pattern) => {
            let found = pattern.captures_at(text, 0).map_err(|error| call.refuse_pattern(&error))?;
            found.map(|found| found.range().start)
        }
        wanted => text.find(wanted.as_str().unwrap_or_default()),
    };
    Ok(at.map_or(Value::Undef, |at| Value::Integer(text[..at].chars().count() as i64)))
}

fn reduce(call: &mut Call) -> Outcome {
    let mark = call.mark();
    let given = call.has(1).then(|| call.argument(1).clone());
    let unknown = match source(call, call.argument(0))? {
        IterationSource::Known(mut items) => {
            let Some(mut memo) = given.or_else(|| items.next().map(|item| item.whole())) else {
                return Ok(Value::Undef);
            };
            let mut ends = Vec::new();
            for item in items {
                call.step(1)?;
                let before = memo.clone();
                let pending = call.mark();
                let arguments = [memo.clone(), item.whole()];
                let Some(value) = call.run_block_since(mark, &arguments, Breaks::EndHere)? else {
                    break;
                };
                if call.may_have_stopped(pending) {
                    ends.push(before);
                }
                memo = value;
            }
            call.end_stops(mark);
            ends.insert(0, memo);
            return Ok(join_values(ends, types::Origin::Join, call.env()));
        }
        IterationSource::Unknown(unknown) => unknown,
    };
    let element = Value::unknown(unknown.one.clone(), unknown.origin);
    let is_never_empty = unknown.size.min > 0;
    let has_memo = given.is_some();
    let mut memo = given.unwrap_or_else(|| element.clone());
    // Repeated until the type of the memo reaches a fixpoint.
    for _ in 0..3 {
        let joined = call.fork(2, unknown.origin, |call, branch| match branch {
            0 => Ok(memo.clone()),
            _ => Ok(call
                .run_block(&[memo.clone(), element.clone()], Breaks::EndHere)?
                .unwrap_or_else(|| memo.clone())),
        })?;
        call.end_stops(mark);
        let env = call.env();
        let (before, after) = (types::infer::infer_set(&memo, env), types::infer::infer_set(&joined, env));
        if joined == memo || types::assign::is_certainly_assignable(&before, &after, env) {
            return Ok(if has_memo || is_never_empty {
                memo
            } else {
                join_values([memo, Value::Undef], unknown.origin, env)
            });
        }
        memo = Value::unknown(widened(&after, env), unknown.origin);
    }
    Ok(Value::unknown(Type::Any, unknown.origin))
}

/// Widens a type such that it has at most one array type and one hash type.
fn widened(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    let alternatives: &[Type] = match ty {
        Type::Variant(types) => types,
        ty => std::slice::from_ref(ty),
    };
    let (mut elements, mut entries, mut others) = (None, None, Vec::new());
    for alternative in alternatives {
        let general = types::common::generalize(alternative, env);
        let parts = match types::iterate::iterated_type(&general, env) {
            Some(Type::Unit) => Vec::new(),
            Some(part) => vec![part],
            None => Vec::new(),
        };
        match general {
            Type::Array(_) | Type::Tuple(_) => elements.get_or_insert_with(Vec::new).extend(parts),
            Type::Hash(_) | Type::Struct(_) => entries.get_or_insert_with(Vec::new).extend(parts),
            general => others.push(general),
        }
    }
    if let Some(elements) = elements {
        others.push(Type::array_of(general_union(elements, env)));
    }
    if let Some(entries) = entries {
        let at = |index: usize| {
            let parts = entries.iter().filter_map(|entry| match entry {
                Type::Tuple(pair) => pair.element(index).filter(|part| **part != Type::Unit).cloned(),
                _ => Some(Type::Any),
            });
            general_union(parts.collect(), env)
        };
        others.push(Type::hash_of(at(0), at(1)));
    }
    types::common::union(others, env)
}

/// Returns the union of generalized types, `Any` if there are none.
fn general_union(types: Vec<Type>, env: &dyn TypeEnvironment) -> Type {
    if types.is_empty() {
        Type::Unit
    } else {
        types::common::union(
            types.iter().map(|ty| types::common::generalize(ty, env)).collect::<Vec<_>>(),
            env,
        )
    }
}

fn group_by(call: &mut Call) -> Outcome {
    let passing = passing(call)?;
    let mut groups: Vec<(Value, IteratedElement)> = Vec::new();
    let ran = call.run_for_each(0, passing, Breaks::PassThrough, |item, key| {
        groups.push((key, item.clone()));
        Go::Kept
    })?;
    if ran.is_exact() && groups.iter().all(|(key, _)| key.is_known()) {
        let mut grouped: HashValue = HashValue::default();
        for (key, item) in groups {
            let group = grouped.entry(key).or_insert_with(|| Value::array([]));
            if let Value::Array(group) = group {
                Arc::make_mut(group).push(item.whole());
            }
        }
        return Ok(Value::Hash(grouped.into()));
    }
    if groups.is_empty() {
        return Ok(Value::hash([]));
    }
    let env = call.env();
    let keys = union_of(groups.iter().map(|(key, _)| key), env);
    let elements = match source(call, call.argument(0))? {
        IterationSource::Unknown(unknown) => unknown.one,
        IterationSource::Known(_) => {
            let elements: Vec<Value> = groups.iter().map(|(_, item)| item.whole()).collect();
            union_of(&elements, env)
        }
    };
    let group = Type::array(elements, IntegerRange::new(1, ran.count.max));
    let count = IntegerRange::new(ran.count.min.min(1), ran.count.max);
    Ok(Value::unknown(Type::hash(keys, group, count), ran.origin))
}

fn partition(call: &mut Call) -> Outcome {
    let passing = passing(call)?;
    let mut parts: [Vec<Value>; 2] = [Vec::new(), Vec::new()];
    let mut undecided = Vec::new();
    let ran = call.run_for_each(0, passing, Breaks::PassThrough, |item, result| {
        match result.truth() {
            Some(true) => parts[0].push(item.whole()),
            Some(false) => parts[1].push(item.whole()),
            None => undecided.push(item.whole()),
        }
        Go::Kept
    })?;
    if ran.is_exact() && undecided.is_empty() {
        return Ok(Value::array(parts.map(Value::array)));
    }
    let env = call.env();
    let unknown = match source(call, call.argument(0))? {
        IterationSource::Unknown(unknown) => Some(unknown.one),
        IterationSource::Known(_) => None,
    };
    let both = parts.map(|part| {
        let ty = match &unknown {
            Some(element) => Type::array_of(element.clone()),
            None => {
                let size = IntegerRange::new(part.len() as i64, (part.len() + undecided.len()) as i64);
                Type::array(union_of(part.iter().chain(&undecided), env), size)
            }
        };
        Value::unknown(ty, ran.origin)
    });
    Ok(Value::array(both))
}

fn slice(call: &mut Call) -> Outcome {
    let Value::Integer(size) = *call.argument(1) else {
        return slice_of_unknown_size(call);
    };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let serving = serving_size(call, size)?;
    if types::iterate::is_step_over_tree(call.argument(0)) {
        return Err(
            call.refuse("`slice()` cannot determine the number of elements of a step over `tree_each()`")
        );
    }
    let filler = match call.argument(0) {
        Value::Hash(_) => Value::array([]),
        _ => Value::Undef,
    };
    let items = match source(call, call.argument(0))? {
        IterationSource::Known(items) => items,
        IterationSource::Unknown(_) => return slice_of_unknown_size(call),
    };
    let most = types::iterate::max_slice_length(call.argument(0), call.env());
    let full = match most {
        Some(0) => usize::MAX,
        Some(most) => size.min(most),
        None => size,
    };
    let mark = call.mark();
    let mut slices = Vec::new();
    let mut current = Vec::new();
    let mut items = items.peekable();
    while let Some(item) = items.next() {
        call.step(1)?;
        current.push(item.whole());
        if current.len() < full && items.peek().is_some() {
            continue;
        }
        let mut part = std::mem::take(&mut current);
        match serving {
            None => {
                call.grow(slices.len())?;
                slices.push(Value::array(part));
                continue;
            }
            Some(1) => part = vec![Value::array(part)],
            Some(serving) => part.resize(serving, filler.clone()),
        }
        if call.run_block(&part, Breaks::EndHere)?.is_none() {
            break;
        }
    }
    call.end_stops(mark);
    match serving {
        None => Ok(Value::array(slices)),
        Some(_) => Ok(call.argument(0).clone()),
    }
}

/// Returns the number of arguments passed to the block of `slice`; `None` without a block.
fn serving_size(call: &mut Call, slice_size: usize) -> Outcome<Option<usize>> {
    let Some(block) = call.block else { return Ok(None) };
    let Type::Callable(callable) = call.evaluator.block_type(block)? else { return Ok(Some(1)) };
    let size = callable.parameters.as_ref().map_or(IntegerRange::SIZE, types::TupleType::size);
    let serving = if size.min == size.max { size.max as usize } else { slice_size };
    if serving == 0 {
        return Err(call.refuse("block of `slice()` takes no parameters"));
    }
    if serving != 1 && serving != slice_size {
        let message = format!("block of `slice()` takes {serving} parameters; expected 1 or {slice_size}");
        return Err(call.refuse(message));
    }
    Ok(Some(serving))
}

fn slice_of_unknown_size(call: &mut Call) -> Outcome {
    let one = match source(call, call.argument(0))? {
        IterationSource::Unknown(unknown) => unknown.one,
        IterationSource::Known(items) => {
            let elements: Vec<Value> = items.take(64).map(|item| item.whole()).collect();
            if elements.len() < 64 { union_of(&elements, call.env()) } else { Type::Any }
        }
    };
    let most = call.argument(1).as_integer().unwrap_or(i64::MAX);
    let part = call.unknown(Type::array(one.clone(), IntegerRange::new(1, most)));
    let Some(block) = call.block else {
        return Ok(call.unknown(Type::array_of(Type::array(one, IntegerRange::new(1, most)))));
    };
    let parameters = match call.evaluator.block_type(block)? {
        Type::Callable(callable) => {
            callable.parameters.as_ref().map_or(1, |parameters| parameters.size().min.max(1))
        }
        _ => 1,
    };
    let arguments = match parameters {
        1 => vec![part],
        // The last slice is padded.
        count => vec![call.unknown(Type::Any); usize::try_from(count).unwrap_or(1)],
    };
    call.run_block_perhaps(&arguments)?;
    Ok(call.argument(0).clone())
}

/// Returns a lazy iterator over the argument.
fn iterator(call: &Call, operation: IteratorOperation) -> Outcome {
    let env = call.env();
    let source = call.argument(0).clone();
    if let Value::Unknown(unknown) = &source {
        let element = types::iterate::iterated_type(&unknown.ty, env).unwrap_or(Type::Any);
        return Ok(Value::unknown(Type::Iterator(Some(Arc::new(element))), unknown.origin));
    }
    match types::iterate::iterator(&source, operation, env) {
        Some(iterator) => Ok(Value::Iterator(Arc::new(iterator))),
        None => Err(call.refuse("value is not iterable")),
    }
}

fn step(call: &mut Call) -> Outcome {
    match (call.argument(0), call.argument(1)) {
        (iterated @ Value::Iterator(_), Value::Integer(1)) => Ok(iterated.clone()),
        (_, Value::Integer(1)) => iterator(call, IteratorOperation::Each),
        (_, Value::Integer(step)) => iterator(call, IteratorOperation::Step(*step)),
        (value, _) => {
            let element = types::iterate::element_type(value, call.env()).unwrap_or(Type::Any);
            Ok(call.unknown(Type::Iterator(Some(Arc::new(element)))))
        }
    }
}

fn reverse_each(call: &mut Call) -> Outcome {
    // A source that can be iterated only once is consumed now.
    let source = call.argument(0).clone();
    if let Value::Iterator(walked) = &source
        && matches!(walked.operation, IteratorOperation::Step(_) | IteratorOperation::Tree(_))
        && !types::iterate::is_integers(&source)
        && let Some(elements) = types::iterate::remaining(&source, call.env(), usize::MAX)
    {
        let walked_now = Value::array(elements.collect::<Vec<_>>());
        let reversed = types::iterate::iterator(&walked_now, IteratorOperation::Reverse, call.env());
        let element = walked.element.clone();
        return Ok(match reversed {
            Some(reversed) => Value::Iterator(Arc::new(IteratorValue { element, ..reversed })),
            None => walked_now,
        });
    }
    iterator(call, IteratorOperation::Reverse)
}

fn step_block(call: &mut Call) -> Outcome {
    let steps = step(call)?;
    run_for_iterator(call, steps)
}

fn reverse_each_block(call: &mut Call) -> Outcome {
    let reversed = reverse_each(call)?;
    run_for_iterator(call, reversed)
}

fn run_for_iterator(call: &mut Call, iterator: Value) -> Outcome {
    if let Some(argument) = call.arguments.first_mut() {
        *argument = iterator;
    }
    call.run_for_each(0, Passing::Whole, Breaks::EndHere, |_, _| Go::On)?;
    Ok(Value::Undef)
}
