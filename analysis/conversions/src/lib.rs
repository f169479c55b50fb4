//! Values made of other values: what constructors make (`Type.new`), formatted strings, and texts as Ruby writes them. Pure.
//!
//! What a type takes is said in `types`; here is what comes of it.

mod new_instance;
pub mod ruby;
pub mod string_format;

pub use new_instance::new_instance;
