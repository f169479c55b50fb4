//! Evaluation of interpolations (`%{...}`).

use std::sync::Arc;

use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::ruby_text::ruby_text;
use super::{Search, Variable};
use crate::interpolation::{DataInterpolation, InterpolationExpression, failure, interpolations};
use crate::key::{self, DigResult, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, anything};

/// Returns true if a string contains an interpolation.
pub(super) fn is_interpolated(text: &str) -> bool {
    text.contains("%{")
}

/// Returns true if `is` holds for any string in a value, hash keys included. Values that are nested more
/// deeply than data allows count as a match.
pub(super) fn contains_string(value: &Value, is: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(_) | Value::Hash(_) if depth > Value::MAX_DEPTH => true,
        Value::Array(elements) => elements.iter().any(|element| contains_string(element, is, depth + 1)),
        Value::Hash(entries) => entries
            .iter()
            .any(|(key, value)| contains_string(key, is, depth + 1) || contains_string(value, is, depth + 1)),
        _ => false,
    }
}

/// Returns a copy that shares no array or hash with other lookups or other locations in the data, so that
/// YAML aliases no longer have the same identity.
fn unshare(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::array(elements.iter().map(unshare).collect::<Vec<_>>()),
        Value::Hash(entries) => {
            let mut copy = HashValue::clone(entries);
            copy.values_mut().for_each(|value| *value = unshare(value));
            Value::Hash(Arc::new(copy))
        }
        value => value.clone(),
    }
}

impl Search<'_> {
    /// Interpolates all strings in a value, hash keys included. `allows_methods` is true in data, false in a
    /// configuration.
    pub(super) fn interpolate(&mut self, value: &Value, allows_methods: bool) -> LookupStepResult<Value> {
        if !self.step() {
            return Ok(anything());
        }
        match value {
            Value::String(text) if is_interpolated(text) => self.interpolate_text(text, allows_methods),
            // Most data contains no interpolations, so its strings are shared.
            value if !contains_string(value, &is_interpolated, 0) => Ok(unshare(value)),
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
            let value =
                self.without_explanation(|search| search.expression(&interpolation, allows_methods))?;
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
                let value = self.read_variable(key)?;
                self.with_cycle_check(format!("scope:{key}").into(), |search| {
                    search.interpolate(&value, allows_methods)
                })
            }
            InterpolationExpression::Alias(key) => self.lookup_other_key(key),
            InterpolationExpression::Lookup(key) => {
                let value = self.lookup_other_key(key)?;
                self.with_cycle_check(key.into(), |search| search.interpolate(&value, allows_methods))
            }
        }
    }

    /// Returns the value of another key; an empty string if it has none.
    fn lookup_other_key(&mut self, key: &str) -> LookupStepResult<Value> {
        if let Some(value) = self.overrides.get_text(key) {
            return Ok(value.clone());
        }
        let outer = std::mem::take(&mut self.has_calling_variables);
        let answer = self.lookup_key(key, None);
        self.has_calling_variables = outer;
        match answer? {
            Answer::Found(value) => Ok(value),
            Answer::Missing => Ok(self.default_values.get_text(key).cloned().unwrap_or(Value::string(""))),
            Answer::Unknown(_) => Ok(anything()),
        }
    }

    /// Returns the value of a variable of the scope, or of the default values of the lookup.
    fn variable_of_scope(&mut self, root: &SmolStr) -> LookupStepResult<Value> {
        if self.has_calling_variables {
            let class = || self.host.calling_class();
            let text = |text: Option<String>| text.map_or(Value::Undef, Value::string);
            match root.as_str() {
                "calling_class" => return Ok(text(class().map(|it| it.to_string()))),
                "calling_class_path" => return Ok(text(class().map(|it| it.replace("::", "/")))),
                _ => {}
            }
        }
        let is_module = self.has_calling_variables && root == "calling_module";
        let name = if is_module { "module_name" } else { root };
        match self.host.variable(name) {
            Variable::Set(value) if self.has_calling_variables && value.as_str() == Some("") => {
                Ok(Value::Undef)
            }
            Variable::Set(value) => Ok(value),
            Variable::Missing => self.missing_variable(root),
        }
    }

    fn missing_variable(&mut self, root: &SmolStr) -> LookupStepResult<Value> {
        let default = self.default_values.get_text(root).cloned();
        let is_version_8 = self.host.is_version_8();
        if let Some(default) = default.clone().filter(|_| is_version_8) {
            return Ok(default);
        }
        if !self.host.is_strict() {
            self.host.warn(format!("Undefined variable '{root}'; "), true);
        } else if is_version_8 && self.in_location {
            let message = format!("Interpolation failed with '{root}', but compilation continuing; ");
            self.host.warn(message, true);
        } else {
            return Err(LookupError::new(format!("unknown variable `${root}`")));
        }
        Ok(default.unwrap_or(Value::Undef))
    }

    /// Returns the value of a variable at a path; undef if it is missing.
    pub(super) fn read_variable(&mut self, key: &str) -> LookupStepResult<Value> {
        let segments = key::split(key).unwrap_or_default();
        let Some((KeySegment::Name(root), way)) = segments.split_first() else {
            return Err(LookupError::new(format!("invalid variable name `{key}`")));
        };
        let local = self.locals.iter().rev().find(|(name, _)| name == root).map(|(_, value)| value);
        let value = match self.overrides.get_text(root).or(local) {
            Some(value) => value.clone(),
            None => {
                let value = self.variable_of_scope(root)?;
                self.host.note_path(&value, way);
                value
            }
        };
        if value.is_undef() {
            return Ok(value);
        }
        match key::dig(&value, way) {
            DigResult::Missing | DigResult::Found(Value::Unknown(_))
                if self.host.may_have_element(root, way) =>
            {
                self.possible += 1;
                Ok(anything())
            }
            DigResult::Found(value) => Ok(value),
            DigResult::Missing => Ok(Value::Undef),
            DigResult::Refused(message) => Err(LookupError::new(message)),
        }
    }
}
