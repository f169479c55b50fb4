//! Checks for strings, numbers and bare words.

pub(crate) mod double_quoted_strings;
pub(crate) mod leading_zero;
pub(crate) mod only_variable_string;
pub(crate) mod puppet_url_without_modules;
pub(crate) mod quoted_booleans;
pub(crate) mod single_quote_string_with_variables;
pub(crate) mod unquoted_string;
pub(crate) mod variables_not_enclosed;
