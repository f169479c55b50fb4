//! What `%{...}` is worth.

use std::sync::Arc;

use types::{HashValue, Origin, Type, Value};

use super::ruby_text::ruby_text;
use super::{Search, Variable};
use crate::interpolation::{DataInterpolation, InterpolationExpression, failure, interpolations};
use crate::key::{self, Dug, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, anything};

/// Has a text something to replace?
pub(super) fn is_interpolated(text: &str) -> bool {
    text.contains("%{")
}

/// Is there such a text in a value, keys included? What lies deeper than data may counts as one.
pub(super) fn holds_text(value: &Value, is: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(_) | Value::Hash(_) if depth > Value::MAX_DEPTH => true,
        Value::Array(elements) => elements.iter().any(|element| holds_text(element, is, depth + 1)),
        Value::Hash(entries) => entries
            .iter()
            .any(|(key, value)| holds_text(key, is, depth + 1) || holds_text(value, is, depth + 1)),
        _ => false,
    }
}

/// The same value, of which no list and no hash is that of another lookup, nor of another place in the data: an alias of YAML
/// is no longer one.
fn apart(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::array(elements.iter().map(apart).collect::<Vec<_>>()),
        Value::Hash(entries) => {
            let mut copy = HashValue::clone(entries);
            copy.values_mut().for_each(|value| *value = apart(value));
            Value::Hash(Arc::new(copy))
        }
        value => value.clone(),
    }
}

impl Search<'_> {
    /// A value with everything in it interpolated, keys too. `allows_methods`: in data, not in a configuration.
    pub(super) fn interpolate(&mut self, value: &Value, allows_methods: bool) -> LookupStepResult<Value> {
        if !self.step() {
            return Ok(anything());
        }
        match value {
            Value::String(text) if is_interpolated(text) => self.interpolate_text(text, allows_methods),
            // Most data holds nothing to replace: its texts are shared.
            value if !holds_text(value, &is_interpolated, 0) => Ok(apart(value)),
            Value::Array(elements) => {
                let elements = elements.iter().map(|element| self.interpolate(element, allows_methods));
                Ok(Value::array(elements.collect::<LookupStepResult<Vec<_>>>()?))
            }
            Value::Hash(entries) => {
                let mut result = HashValue::default();
                for (key, value) in entries.iter() {
                    let key = self.interpolate(key, allows_methods)?;
                    let value = self.interpolate(value, allows_methods)?;
                    result.insert(key, value);
                }
                Ok(Value::Hash(Arc::new(result)))
            }
            value => Ok(value.clone()),
        }
    }

    fn interpolate_text(&mut self, text: &str, allows_methods: bool) -> LookupStepResult<Value> {
        let mut result = Some(String::with_capacity(text.len()));
        let mut at = 0;
        for interpolation in interpolations(text) {
            if let Some(message) = failure(&interpolation, text, allows_methods) {
                return Err(LookupError::new(message));
            }
            let range = interpolation.range.as_range();
            if let Some(result) = &mut result {
                result.push_str(&text[at..range.start]);
            }
            at = range.end;
            let is_alias = matches!(interpolation.expression, InterpolationExpression::Alias(_));
            let possible = self.possible;
            let value = self.quietly(|search| search.expression(&interpolation, allows_methods))?;
            if is_alias {
                return Ok(value);
            }
            match (ruby_text(&value), &mut result) {
                (Some(written), Some(result)) => result.push_str(&written),
                _ => {
                    self.unknown += usize::from(self.possible == possible);
                    result = None;
                }
            }
        }
        Ok(match result {
            Some(mut result) => {
                result.push_str(&text[at..]);
                Value::string(result)
            }
            None => Value::unknown(Type::STRING, Origin::Fact),
        })
    }

    fn expression(
        &mut self,
        interpolation: &DataInterpolation,
        allows_methods: bool,
    ) -> LookupStepResult<Value> {
        match interpolation.expression {
            InterpolationExpression::Empty | InterpolationExpression::UnknownMethod(_) => Ok(Value::Undef),
            InterpolationExpression::Literal(text) => self.interpolate(&Value::string(text), allows_methods),
            InterpolationExpression::Variable(key) => {
                let value = self.variable(key)?;
                self.guarded(format!("scope:{key}").into(), |search| {
                    search.interpolate(&value, allows_methods)
                })
            }
            InterpolationExpression::Alias(key) => self.other_key(key),
            InterpolationExpression::Lookup(key) => {
                let value = self.other_key(key)?;
                self.guarded(key.into(), |search| search.interpolate(&value, allows_methods))
            }
        }
    }

    /// The value of another key; an empty text where it has none.
    fn other_key(&mut self, key: &str) -> LookupStepResult<Value> {
        if let Some(value) = self.overrides.get_text(key) {
            return Ok(value.clone());
        }
        match self.key(key, None)? {
            Answer::Found(value) => Ok(value),
            Answer::Missing => Ok(self.default_values.get_text(key).cloned().unwrap_or(Value::string(""))),
            Answer::Unknown(_) => Ok(anything()),
        }
    }

    /// A variable, and a way into it; undef where there is none.
    pub(super) fn variable(&mut self, key: &str) -> LookupStepResult<Value> {
        let segments = key::split(key).unwrap_or_default();
        let Some((KeySegment::Name(root), way)) = segments.split_first() else {
            return Err(LookupError::new(format!("'{key}' is no name of a variable")));
        };
        let local = self.locals.iter().rev().find(|(name, _)| name == root).map(|(_, value)| value);
        let value = match self.overrides.get_text(root).or(local) {
            Some(value) => value.clone(),
            None => match self.world.variable(root) {
                Variable::Set(value) => value,
                Variable::Missing { is_error } => match self.default_values.get_text(root) {
                    Some(value) => value.clone(),
                    None if is_error => {
                        let error = LookupError::new(format!("there is no variable '{root}'"));
                        return Err(LookupError { variable: Some(root.clone()), ..error });
                    }
                    None => Value::Undef,
                },
            },
        };
        if value.is_undef() {
            return Ok(value);
        }
        match key::dig(&value, way) {
            Dug::Missing | Dug::Found(Value::Unknown(_)) if self.world.may_have_element(root, way) => {
                self.possible += 1;
                Ok(anything())
            }
            Dug::Found(value) => Ok(value),
            Dug::Missing => Ok(Value::Undef),
            Dug::Refused(message) => Err(LookupError::new(message)),
        }
    }
}
