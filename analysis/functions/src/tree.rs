//! `tree_each`, which visits everything in a tree of arrays, hashes and objects.

use codes::Code;
use std::collections::VecDeque;
use std::sync::Arc;

use eval::elements::Breaks;
use eval::{BuiltInFunction, Call, Outcome};
use types::assign::is_instance;
use types::object::ObjectAttributeKind;
use types::{IteratorOperation, IteratorPosition, IteratorValue, TreeOrder, Type, TypeEnvironment, Value};

use super::support::{function, open};

const WITH_2: &str = "(Variant[Iterator, Array, Hash, Object] $tree, Struct[{container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] $options = {}, Callable[2, 2] &$block)";
const WITH_1: &str = "(Variant[Iterator, Array, Hash, Object] $tree, Struct[{container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] $options = {}, Callable[1, 1] &$block)";
const WITHOUT: &str = "(Variant[Iterator, Array, Hash, Object] $tree, Struct[{container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] $options = {})";

pub(super) static TABLE: &[BuiltInFunction] = &[function(
    "tree_each",
    "Runs the block for everything in a tree of arrays, hashes and objects, with its path; without a block, returns an iterator over pairs of path and value.",
    &[open(WITH_2, tree_each), open(WITH_1, tree_each), open(WITHOUT, tree_each)],
)];

/// Kinds of visited nodes, and their order.
struct TreeOptions {
    container: Option<Type>,
    with_root: bool,
    with_containers: bool,
    with_values: bool,
    with_references: bool,
    order: TreeOrder,
}

/// Node of a tree, with its path.
struct Visit {
    path: Vec<Value>,
    value: Value,
}

fn tree_each(call: &mut Call) -> Outcome {
    let tree = call.argument(0).clone();
    if !call.arguments.iter().all(Value::is_known) {
        return unknown_tree(call, tree);
    }
    let options = TreeOptions::new(call)?;
    // The contents of types depend on Puppet's classes.
    if matches!(tree, Value::Type(_)) {
        return unknown_tree(call, tree);
    }
    let is_tree = options.is_container(&tree, call.env());
    if !is_tree && call.block.is_none() {
        // The failure shows when the iterator is used.
        return unknown_tree(call, tree);
    }
    let visits = options.visits(call, &tree)?;
    let Some(_) = call.block else {
        let pairs = visits.into_iter().map(|visit| Value::array([Value::array(visit.path), visit.value]));
        let iterator = IteratorValue {
            source: Value::array(pairs.collect::<Vec<_>>()),
            operation: IteratorOperation::Tree(options.order),
            element: Type::Any,
            taken: IteratorPosition::default(),
        };
        return Ok(Value::Iterator(Arc::new(iterator)));
    };
    let arity = call.block_arity(2)?;
    let mark = call.mark();
    let mut is_ended = false;
    for visit in visits {
        let arguments = match arity {
            2 => vec![Value::array(visit.path), visit.value],
            _ => vec![visit.value],
        };
        if call.run_block(&arguments, Breaks::EndHere)?.is_none() {
            is_ended = true;
            break;
        }
    }
    if !is_tree && !is_ended {
        return Err(call.refuse("argument of `tree_each()` is not a container"));
    }
    call.end_stops(mark);
    Ok(tree)
}

fn unknown_tree(call: &mut Call, tree: Value) -> Outcome {
    if call.block.is_none() {
        return Ok(call.unknown(Type::Iterator(Some(Arc::new(Type::Any)))));
    }
    let arity = call.block_arity(2)?;
    let path = call.unknown(Type::array_of(Type::Any));
    let value = call.unknown(Type::Any);
    let arguments = if arity == 2 { vec![path, value] } else { vec![value] };
    call.run_block_perhaps(&arguments)?;
    Ok(tree)
}

impl TreeOptions {
    fn new(call: &Call) -> Outcome<TreeOptions> {
        let option = |name: &str| call.argument(1).as_hash().and_then(|options| options.get_text(name));
        let flag = |name: &str| !matches!(option(name), Some(Value::Boolean(false)));
        let container = option("container_type").and_then(Value::as_type).cloned();
        let with_containers = flag("include_containers");
        let options = TreeOptions {
            container,
            with_root: with_containers && flag("include_root"),
            with_containers,
            with_values: flag("include_values"),
            with_references: option("include_refs") == Some(&Value::Boolean(true)),
            order: match option("order").and_then(Value::as_str) {
                Some("breadth_first") => TreeOrder::BreadthFirst,
                _ => TreeOrder::DepthFirst,
            },
        };
        let any_container = Type::variant([
            Type::array_of(Type::Any),
            Type::hash_of(Type::Any, Type::Any),
            Type::Object(None),
        ]);
        if let Some(container) = &options.container
            && !types::assign::is_assignable(&any_container, container, call.env())
        {
            let ty = types::display::type_text(container, call.env());
            return Err(call.refuse(format!("`{ty}` is not a container type")));
        }
        if !options.with_containers && !options.with_values {
            let message = "`include_containers` and `include_values` cannot both be false";
            return Err(call.refuse(message));
        }
        Ok(options)
    }

    fn is_container(&self, value: &Value, env: &dyn TypeEnvironment) -> bool {
        matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_))
            && self.container.as_ref().is_none_or(|container| is_instance(container, value, env))
    }

    fn visits(&self, call: &mut Call, tree: &Value) -> Outcome<Vec<Visit>> {
        let env = call.env();
        let mut visits = Vec::new();
        if self.with_root {
            visits.push(Visit { path: Vec::new(), value: tree.clone() });
        }
        if !self.is_container(tree, env) {
            return Ok(visits);
        }
        if self.order == TreeOrder::BreadthFirst {
            let mut waiting = VecDeque::from([Visit { path: Vec::new(), value: tree.clone() }]);
            while let Some(container) = waiting.pop_front() {
                for (key, value) in self.children(&container.value, env) {
                    call.grow(visits.len() + waiting.len())?;
                    call.step(container.path.len())?;
                    let path: Vec<Value> = container.path.iter().cloned().chain([key]).collect();
                    let is_container = self.is_container(&value, env);
                    // In breadth-first order, Puppet includes values whatever the options are.
                    if !is_container || self.with_containers {
                        visits.push(Visit { path: path.clone(), value: value.clone() });
                    }
                    if is_container {
                        waiting.push_back(Visit { path, value });
                    }
                }
            }
        } else {
            self.descend(call, &mut Vec::new(), tree, &mut visits)?;
        }
        Ok(visits)
    }

    fn descend(
        &self,
        call: &mut Call,
        path: &mut Vec<Value>,
        tree: &Value,
        visits: &mut Vec<Visit>,
    ) -> Outcome<()> {
        const MAX_DEPTH: usize = 1024;
        if path.len() > MAX_DEPTH {
            return Err(call.fail(Code::TooDeep, "tree is nested too deeply"));
        }
        let env = call.env();
        for (key, value) in self.children(tree, env) {
            call.grow(visits.len())?;
            call.step(path.len())?;
            path.push(key);
            let is_container = self.is_container(&value, env);
            if if is_container { self.with_containers } else { self.with_values } {
                visits.push(Visit { path: path.clone(), value: value.clone() });
            }
            if is_container {
                self.descend(call, path, &value, visits)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// Returns the direct children of a container, with their keys.
    fn children(&self, container: &Value, env: &dyn TypeEnvironment) -> Vec<(Value, Value)> {
        match container {
            Value::Array(elements) => elements
                .iter()
                .enumerate()
                .map(|(index, value)| (Value::Integer(index as i64), value.clone()))
                .collect(),
            Value::Hash(entries) => entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            Value::Object(object) => types::object::members::attributes(&object.ty, env)
                .into_iter()
                .filter(|attribute| self.with_references || attribute.kind != ObjectAttributeKind::Reference)
                .filter_map(|attribute| {
                    let value = types::object::attribute_value(object, &attribute.name, env)?;
                    Some((Value::String(attribute.name), value))
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
