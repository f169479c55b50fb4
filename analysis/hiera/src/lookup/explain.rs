//! Explanations of lookups.

use smol_str::SmolStr;
use types::Value;

use super::options::KeyOptions;
use crate::config::Layer;
use crate::merge::Answer;

/// Locations that a lookup searched, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    pub steps: Vec<LookupStep>,
    /// Name of the merge strategy, if there is one.
    pub merge: Option<SmolStr>,
    /// True if the merge strategy comes from `lookup_options`.
    pub merge_is_option: bool,
    /// True if the value is converted at the end.
    pub converts: bool,
    /// Result before conversion.
    pub result: Option<Answer>,
}

/// Location that was searched.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupStep {
    pub layer: Layer,
    /// Name of the hierarchy entry.
    pub level: SmolStr,
    /// True if the entry belongs to the default hierarchy.
    pub is_default: bool,
    /// Location as written in the configuration.
    pub written: SmolStr,
    /// Path of the file, if the location is a file and its name is known.
    pub path: Option<SmolStr>,
    pub outcome: StepOutcome,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StepOutcome {
    /// The file does not exist.
    NoFile,
    /// The file does not have the key.
    NoKey,
    Found(Value),
    /// Not known, because the name of the file depends on an unknown value.
    Unknown,
    /// The file exists or may exist, but its contents are unknown.
    Unread,
    /// The data comes from a function that is not evaluated, such as one written in Ruby.
    UnknownFunction,
    /// The module of the key is not installed, and may have data.
    AbsentModule,
}

impl Explanation {
    pub(super) fn finish(&mut self, merge: &Option<Value>, options: &KeyOptions, answer: &Answer) {
        self.merge = merge.as_ref().map(|merge| match merge {
            Value::Hash(merge) => {
                merge.get_text("strategy").and_then(Value::as_str).unwrap_or_default().into()
            }
            merge => merge.as_str().unwrap_or_default().into(),
        });
        self.merge_is_option = merge.is_some() && *merge == options.merge;
        self.converts = options.convert_to.is_some();
        self.result = Some(answer.clone());
    }

    /// Iterates over the steps that found a value.
    pub fn found(&self) -> impl Iterator<Item = (&LookupStep, &Value)> {
        self.steps.iter().filter_map(|step| match &step.outcome {
            StepOutcome::Found(value) => Some((step, value)),
            _ => None,
        })
    }
}
