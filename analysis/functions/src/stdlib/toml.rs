//! TOML serialization of hashes, in stdlib's format.

use conversions::ruby;
use types::{HashValue, TypeEnvironment, Value};

/// Reason that a value cannot be converted to TOML.
pub(super) enum TomlError {
    Unknown,
    /// A list begins with a table and contains something else.
    MixedList,
}

/// Formats a hash as TOML.
pub(super) fn write(data: &HashValue, env: &dyn TypeEnvironment) -> Result<String, TomlError> {
    let mut writer = TomlWriter { out: String::new(), env };
    writer.table(data, &[])?;
    Ok(writer.out)
}

struct TomlWriter<'e> {
    out: String,
    env: &'e dyn TypeEnvironment,
}

impl TomlWriter<'_> {
    fn table(&mut self, table: &HashValue, path: &[String]) -> Result<(), TomlError> {
        let is_plain = |value: &Value| !is_table(value) && !is_list_of_tables(value);
        if !path.is_empty() && (table.is_empty() || table.values().any(is_plain)) {
            self.heading(path, false);
        }
        self.entries(table, path)
    }

    /// Writes plain values, then tables, then lists of tables, each sorted by name.
    fn entries(&mut self, table: &HashValue, path: &[String]) -> Result<(), TomlError> {
        let named: Option<Vec<(&str, &Value)>> =
            table.iter().map(|(key, value)| Some((key.as_str()?, value))).collect();
        let mut named = named.ok_or(TomlError::Unknown)?;
        named.sort_by_key(|(name, _)| *name);
        for (name, value) in named.iter().filter(|(_, value)| !is_table(value) && !is_list_of_tables(value)) {
            let text = match value {
                Value::String(text) => without_escaped_marks(&ruby::inspect_text(text)),
                other => ruby::inspect(other, self.env).ok_or(TomlError::Unknown)?,
            };
            self.out.push_str(&format!("{} = {text}\n", key(name)));
        }
        let below = |name: &str| [path, &[key(name)]].concat();
        for (name, value) in &named {
            if let Value::Hash(table) = value {
                self.table(table, &below(name))?;
            }
        }
        for (name, value) in &named {
            if let (true, Value::Array(tables)) = (is_list_of_tables(value), value) {
                for table in tables.iter() {
                    let table = match table {
                        Value::Hash(table) => table,
                        Value::Unknown(_) => return Err(TomlError::Unknown),
                        _ => return Err(TomlError::MixedList),
                    };
                    let path = below(name);
                    self.heading(&path, true);
                    self.entries(table, &path)?;
                }
            }
        }
        Ok(())
    }

    fn heading(&mut self, path: &[String], is_list: bool) {
        let name = path.join(".");
        let heading = if is_list { format!("[[{name}]]\n") } else { format!("[{name}]\n") };
        self.out.push_str(&heading);
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value, Value::Hash(_))
}

fn is_list_of_tables(value: &Value) -> bool {
    matches!(value, Value::Array(elements) if elements.first().is_some_and(is_table))
}

fn key(name: &str) -> String {
    let is_bare = |line: &str| line.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'-');
    // A single bare line is sufficient.
    if super::support::lines(name).any(is_bare) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\\\""))
    }
}

/// Removes the escapes that Ruby adds to what would be an interpolation.
fn without_escaped_marks(text: &str) -> String {
    text.replace("\\#{", "#{").replace("\\#$", "#$").replace("\\#@", "#@")
}
