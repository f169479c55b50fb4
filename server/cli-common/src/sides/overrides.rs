//! Facts and outputs of the node classifier that are replaced on the command line, as octocatalog-diff does.

use std::str::FromStr;
use std::sync::Arc;

use anyhow::bail;
use compile::Facts;
use eval::NodeClass;
use scalars::regexp::Regexp;
use types::{Float, HashValue, Value};

use super::compared_side::ComparedSide;
use crate::subject::Classification;

/// Options that replace facts and the output of the node classifier.
#[derive(clap::Args, Debug)]
pub struct OverrideArguments {
    /// Set a fact of all nodes: `NAME=VALUE`, or with the type `string`, `integer`, `float`, `boolean`, `json`, or `nil`
    /// (which removes the fact), such as `os.family=RedHat` or `count=(integer)2`; `/REGEX/=VALUE` for all facts with such
    /// names; may be repeated
    #[arg(long, value_name = "NAME=(TYPE)VALUE", alias = "fact-override")]
    fact: Vec<FactOverride>,

    /// Like `--fact`, but only before the change
    #[arg(long, value_name = "NAME=(TYPE)VALUE", alias = "from-fact-override")]
    base_fact: Vec<FactOverride>,

    /// Like `--fact`, but only after the change
    #[arg(long, value_name = "NAME=(TYPE)VALUE", alias = "to-fact-override")]
    head_fact: Vec<FactOverride>,

    /// Set a part of the output of the node classifier: `parameters::NAME=(TYPE)VALUE`,
    /// `classes::CLASS::PARAMETER=(TYPE)VALUE`, or `environment=VALUE`; may be repeated
    #[arg(long, value_name = "PATH=(TYPE)VALUE")]
    enc_override: Vec<EncOverride>,

    /// Like `--enc-override`, but only before the change
    #[arg(long, value_name = "PATH=(TYPE)VALUE", alias = "from-enc-override")]
    base_enc_override: Vec<EncOverride>,

    /// Like `--enc-override`, but only after the change
    #[arg(long, value_name = "PATH=(TYPE)VALUE", alias = "to-enc-override")]
    head_enc_override: Vec<EncOverride>,
}

impl OverrideArguments {
    /// Returns true if the facts of a side are replaced.
    fn has_facts(&self, side: ComparedSide) -> bool {
        !self.fact.is_empty() || !side.choose(&self.base_fact, &self.head_fact).is_empty()
    }

    /// Returns true if the facts of both sides are the same.
    pub fn has_equal_facts(&self) -> bool {
        self.base_fact.is_empty() && self.head_fact.is_empty()
    }

    /// Returns facts after the overrides for one side.
    pub fn facts(&self, facts: &HashValue, side: ComparedSide) -> HashValue {
        let mut facts = facts.clone();
        let of_side = side.choose(&self.base_fact, &self.head_fact);
        self.fact.iter().chain(of_side).for_each(|it| it.apply(&mut facts));
        facts
    }

    /// Replaces the facts of a compile on one side.
    ///
    /// # Errors
    /// Fails if only the types of facts are known.
    pub fn replace(&self, facts: &mut Facts, side: ComparedSide) -> anyhow::Result<()> {
        match facts {
            _ if !self.has_facts(side) => {}
            Facts::Given(facts) | Facts::Platform { facts, .. } => *facts = Arc::new(self.facts(facts, side)),
            Facts::Unknown => {
                bail!(
                    "facts are replaced, but none are known\nhelp: name them with `--facts`, `--os`, or `--nodes`"
                )
            }
        }
        Ok(())
    }

    /// Replaces parts of a classification for one side.
    ///
    /// # Errors
    /// Fails if a part of a value is replaced that is not a hash.
    pub fn classify(&self, classification: &mut Classification, side: ComparedSide) -> anyhow::Result<()> {
        let of_side = side.choose(&self.base_enc_override, &self.head_enc_override);
        self.enc_override.iter().chain(of_side).try_for_each(|it| it.apply(classification))
    }

    /// Returns true if parts of the classification are replaced.
    pub fn has_classes(&self) -> bool {
        let all = [&self.enc_override, &self.base_enc_override, &self.head_enc_override];
        all.into_iter().flatten().any(|it| it.part == EncPart::Class)
    }
}

/// A fact with its value.
#[derive(Clone, Debug)]
struct FactOverride {
    name: FactName,
    /// `None` to remove the fact.
    value: Option<Value>,
}

/// Facts to replace.
#[derive(Clone, Debug)]
enum FactName {
    Name(String),
    /// Top-level facts that exist.
    Matching(Regexp),
}

impl FactOverride {
    fn apply(&self, facts: &mut HashValue) {
        match &self.name {
            // Names of custom facts may contain dots.
            FactName::Name(name) if facts.get_text(name).is_some() => {
                set(facts, &[name.as_str()], self.value.as_ref());
            }
            FactName::Name(name) => {
                let path: Vec<&str> = name.split('.').collect();
                set(facts, &path, self.value.as_ref());
            }
            FactName::Matching(regexp) => {
                let is_match = |name: &&str| regexp.is_match(name).unwrap_or(false);
                let names: Vec<String> =
                    facts.keys().filter_map(Value::as_str).filter(is_match).map(str::to_owned).collect();
                names.iter().for_each(|name| set(facts, &[name.as_str()], self.value.as_ref()));
            }
        }
    }
}

impl FromStr for FactOverride {
    type Err = String;

    fn from_str(text: &str) -> Result<FactOverride, String> {
        let (name, value) = name_and_value(text)?;
        let regexp = name.strip_prefix('/').and_then(|it| it.strip_suffix('/')).filter(|it| !it.is_empty());
        let name = match regexp {
            Some(source) => FactName::Matching(Regexp::new(source).map_err(|error| error.to_string())?),
            None if name.split('.').any(str::is_empty) => {
                return Err("the name of the fact is empty".to_owned());
            }
            None => FactName::Name(name.to_owned()),
        };
        Ok(FactOverride { name, value })
    }
}

/// Part of the output of a node classifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EncPart {
    Class,
    Parameter,
    Environment,
}

/// A part of the output of the node classifier with its value.
#[derive(Clone, Debug)]
struct EncOverride {
    part: EncPart,
    /// Keys below the part, outermost first.
    path: Vec<String>,
    /// `None` to remove it.
    value: Option<Value>,
}

impl EncOverride {
    fn apply(&self, classification: &mut Classification) -> anyhow::Result<()> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match self.part {
            EncPart::Parameter => {
                ensure_hashes(&classification.parameters, &path)?;
                set(&mut classification.parameters, &path, self.value.as_ref());
            }
            EncPart::Environment => {
                let name = self.value.as_ref().and_then(Value::as_str);
                classification.environment = name.map(str::to_owned);
            }
            EncPart::Class => self.apply_to_class(&mut classification.classes, &path)?,
        }
        Ok(())
    }

    /// Names of classes contain the separator of the path: the longest name of a class that the node has wins, and
    /// otherwise only a hash (of parameters) is the value of a class as a whole.
    fn apply_to_class(&self, classes: &mut Vec<NodeClass>, path: &[&str]) -> anyhow::Result<()> {
        let known = (1..=path.len()).rev().find_map(|length| {
            let name = path[..length].join("::");
            Some((length, classes.iter().position(|it| it.name == name)?))
        });
        let is_whole = !matches!(self.value, Some(ref value) if value.as_hash().is_none());
        let length = match known {
            Some((length, _)) => length,
            None if is_whole || path.len() == 1 => path.len(),
            None => path.len() - 1,
        };
        let rest = &path[length..];
        let name = path[..length].join("::");
        match (rest, &self.value) {
            ([], None) => classes.retain(|it| it.name != name),
            ([], Some(value)) => {
                let Some(parameters) = value.as_hash().cloned() else {
                    bail!(
                        "class `{name}` of the node classifier needs a hash of parameters, such as `(json){{}}`"
                    )
                };
                classes.retain(|it| it.name != name);
                classes.push(NodeClass { name: name.into(), parameters });
            }
            (rest, value) => {
                let position = match known {
                    Some((_, position)) => position,
                    None => {
                        classes.push(NodeClass { name: name.into(), parameters: HashValue::default() });
                        classes.len() - 1
                    }
                };
                ensure_hashes(&classes[position].parameters, rest)?;
                set(&mut classes[position].parameters, rest, value.as_ref());
            }
        }
        Ok(())
    }
}

impl FromStr for EncOverride {
    type Err = String;

    fn from_str(text: &str) -> Result<EncOverride, String> {
        let (name, value) = name_and_value(text)?;
        let mut path = name.split("::").map(str::to_owned);
        let part = match path.next().as_deref() {
            Some("classes") => EncPart::Class,
            Some("parameters") => EncPart::Parameter,
            Some("environment") => EncPart::Environment,
            _ => {
                return Err("expected `parameters::NAME`, `classes::NAME`, or `environment`".to_owned());
            }
        };
        let path: Vec<String> = path.collect();
        if path.is_empty() != (part == EncPart::Environment) || path.iter().any(String::is_empty) {
            return Err(format!("invalid name `{name}`"));
        }
        if part == EncPart::Environment && value.as_ref().is_some_and(|it| it.as_str().is_none()) {
            return Err("the environment must be a string".to_owned());
        }
        Ok(EncOverride { part, path, value })
    }
}

/// Fails if a path leads through a value that is not a hash.
fn ensure_hashes(hash: &HashValue, path: &[&str]) -> anyhow::Result<()> {
    let mut hash = hash;
    for (index, key) in path.iter().enumerate().take(path.len().saturating_sub(1)) {
        match hash.get_text(key) {
            None | Some(Value::Undef) => return Ok(()),
            Some(Value::Hash(inner)) => hash = inner,
            Some(_) => bail!("`{}` of the node classifier is not a hash", path[..=index].join("::")),
        }
    }
    Ok(())
}

fn set(entries: &mut HashValue, path: &[&str], value: Option<&Value>) {
    let Some((first, rest)) = path.split_first() else { return };
    let key = Value::string(*first);
    match (rest, value) {
        ([], None) => drop(entries.shift_remove(&key)),
        ([], Some(value)) => drop(entries.insert(key, value.clone())),
        // Nothing below it exists, so that nothing is removed.
        (_, None) if entries.get(&key).and_then(Value::as_hash).is_none() => {}
        (rest, value) => {
            let mut inner = entries.get(&key).and_then(Value::as_hash).cloned().unwrap_or_default();
            set(&mut inner, rest, value);
            entries.insert(key, Value::Hash(Arc::new(inner)));
        }
    }
}

/// Splits `NAME=VALUE` or `NAME=(TYPE)VALUE`; the value is `None` for one that removes.
fn name_and_value(text: &str) -> Result<(&str, Option<Value>), String> {
    let (name, written) = text.split_once('=').ok_or("expected `NAME=VALUE` or `NAME=(TYPE)VALUE`")?;
    let (name, written) = (name.trim(), written.trim());
    let is_word = |ty: &str| !ty.is_empty() && ty.chars().all(|it| it.is_alphanumeric() || it == '_');
    let typed = written.strip_prefix('(').and_then(|it| it.split_once(')')).filter(|(ty, _)| is_word(ty));
    let value = match typed {
        Some((ty, value)) => typed_value(ty, value)?,
        None => Some(guessed_value(written)),
    };
    Ok((name, value))
}

/// Returns the value of a text without a type.
fn guessed_value(text: &str) -> Value {
    let boolean = boolean(text).map(Value::Boolean);
    boolean.or_else(|| integer(text)).or_else(|| float(text)).unwrap_or_else(|| Value::string(text))
}

/// Returns the value of a written type; `None` for one that removes.
fn typed_value(ty: &str, text: &str) -> Result<Option<Value>, String> {
    let invalid = || format!("`{text}` is not of the type `{ty}`");
    Ok(Some(match ty.to_ascii_lowercase().as_str() {
        "string" => Value::string(text),
        "integer" | "fixnum" => integer(text).ok_or_else(invalid)?,
        "float" => match integer(text) {
            Some(_) => Value::Float(Float(text.parse().map_err(|_| invalid())?)),
            None => float(text).ok_or_else(invalid)?,
        },
        "boolean" => Value::Boolean(boolean(text).ok_or_else(invalid)?),
        "json" => hiera::json::parse(text).map_err(|_| invalid())?,
        "nil" => return Ok(None),
        _ => {
            return Err(format!(
                "unknown type `{ty}`; expected string, integer, float, boolean, json or nil"
            ));
        }
    }))
}

fn boolean(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

fn integer(text: &str) -> Option<Value> {
    // `parse` also accepts a plus sign.
    text.parse().ok().filter(|_| !text.starts_with('+')).map(Value::Integer)
}

/// Returns a number with digits after a point.
fn float(text: &str) -> Option<Value> {
    let (whole, fraction) = text.strip_prefix('-').unwrap_or(text).split_once('.')?;
    let are_digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    let is_number = are_digits(whole) && are_digits(fraction) && !fraction.is_empty();
    text.parse().ok().filter(|_| is_number).map(|number| Value::Float(Float(number)))
}
