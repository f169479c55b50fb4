//! Types of the variables that Puppet itself sets and of their elements, used for facts without known values.

use std::sync::LazyLock;

use plugins::built_in::{self, Fact};
use rustc_hash::FxHashMap;
use types::{NoTypes, Type, Value};

/// Facts and variables by name, without the legacy facts whose names are patterns: other facts may have a
/// matching name.
struct KnownFacts {
    facts: FxHashMap<&'static str, &'static Fact>,
    variables: FxHashMap<&'static str, &'static Fact>,
    /// Parsed types by their source text.
    types: FxHashMap<&'static str, Type>,
}

static KNOWN: LazyLock<KnownFacts> = LazyLock::new(|| {
    fn by_name(facts: &'static [Fact]) -> FxHashMap<&'static str, &'static Fact> {
        facts.iter().filter(|fact| !fact.name.contains(['*', '#'])).map(|it| (it.name.as_str(), it)).collect()
    }
    fn add_types(facts: &'static [Fact], types: &mut FxHashMap<&'static str, Type>) {
        for fact in facts {
            let text = fact.type_text.as_str();
            types
                .entry(text)
                .or_insert_with(|| types::parse::parse_type(text, &NoTypes).unwrap_or(Type::Any));
            add_types(&fact.parts, types);
        }
    }
    let (facts, variables) = (built_in::facts(), built_in::variables());
    let mut types = FxHashMap::default();
    add_types(facts, &mut types);
    add_types(variables, &mut types);
    KnownFacts { facts: by_name(facts), variables: by_name(variables), types }
});

/// Returns the type of `$variable[key]...`, a top-scope variable that Puppet or Facter always sets; `None` if
/// nothing is known.
pub fn type_of(variable: &str, keys: &[Value]) -> Option<Type> {
    let known = &*KNOWN;
    let (mut fact, keys): (&Fact, _) = match keys.split_first() {
        Some((Value::String(name), rest)) if variable == "facts" => (known.facts.get(name.as_str())?, rest),
        _ => (known.variables.get(variable).or_else(|| known.facts.get(variable))?, keys),
    };
    for key in keys {
        let Value::String(name) = key else { return None };
        let part = |wanted: &str| fact.parts.iter().find(|part| part.name == wanted);
        fact = part(name).or_else(|| part("*"))?;
    }
    known.types.get(fact.type_text.as_str()).cloned()
}

/// Returns the name of the fact that `$variable[key]...` refers to.
pub fn fact_name<'n>(variable: &'n str, keys: &'n [Value]) -> Option<&'n str> {
    match keys.first() {
        Some(Value::String(name)) if variable == "facts" => Some(name),
        _ => KNOWN.facts.contains_key(variable).then_some(variable),
    }
}
