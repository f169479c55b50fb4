//! ERB templates: text with embedded Ruby code, evaluated by [`ruby`].
//!
//! Every variable that is visible where a template is rendered is an instance variable in its code. **Nothing
//! is guessed**: any uncertainty makes the whole result unknown.
//!
//! `plugins::erb` parses templates; the functions `template` and `inline_template` (crate `functions`) render
//! them with the scope of the call.

pub use ruby::{ChangedCollection, Host, HostExit, Object, Stop, render};
