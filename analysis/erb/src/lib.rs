//! ERB templates: text with Ruby code in it, which [`ruby`] evaluates.
//!
//! Every variable that can be seen where a template is rendered is an instance variable of its code. **What is not certain is
//! not guessed**: it makes the whole text unknown.

pub use ruby::{Host, HostExit, Object, Stop, render};
