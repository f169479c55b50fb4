//! Tasks and plans of Bolt.

mod plan_code;
pub(crate) mod tasks;
pub(crate) mod yaml_plan;
