//! How a value was found.

use smol_str::SmolStr;
use types::Value;

use super::options::KeyOptions;
use crate::config::Layer;
use crate::merge::Answer;

/// The way of a lookup, place by place, in the order in which Hiera looks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    pub steps: Vec<LookupStep>,
    /// The name of the merge strategy, if there is one.
    pub merge: Option<SmolStr>,
    /// Does the merge strategy come from `lookup_options`?
    pub merge_is_option: bool,
    /// Is the value converted at the end?
    pub converts: bool,
    /// Before it is converted.
    pub result: Option<Answer>,
}

/// A place that was looked into.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupStep {
    pub layer: Layer,
    /// The name of the entry of the hierarchy.
    pub level: SmolStr,
    /// Does the entry belong to the default hierarchy?
    pub is_default: bool,
    /// As the configuration writes it.
    pub written: SmolStr,
    /// The file, if it is one and its name is known.
    pub path: Option<SmolStr>,
    pub outcome: StepOutcome,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StepOutcome {
    /// There is no such file.
    NoFile,
    /// The file does not have the key.
    NoKey,
    Found(Value),
    /// It cannot be told: the name of the file depends on what is not known.
    Unknown,
    /// The file is there, or may be, and is not read.
    Unread,
    /// A function that is not evaluated gives the data: one in Ruby.
    UnknownFunction,
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

    /// The places in which something was found.
    pub fn found(&self) -> impl Iterator<Item = (&LookupStep, &Value)> {
        self.steps.iter().filter_map(|step| match &step.outcome {
            StepOutcome::Found(value) => Some((step, value)),
            _ => None,
        })
    }
}
