//! Recordings of sessions: one JSON object per line, `{"ms":12.3,"from":"client","message":{...}}`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Context;
use output::secrets::SecretKeys;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sender {
    Client,
    Server,
}

/// A recorded message.
#[derive(Deserialize)]
pub(crate) struct Recorded {
    pub(crate) from: Sender,
    pub(crate) message: Value,
}

/// Writes messages as they pass. Each line is flushed, so that none is lost in a crash.
pub(crate) struct MessageRecorder {
    start: Instant,
    file: Mutex<BufWriter<File>>,
    secrets: Mutex<KnownSecrets>,
}

/// Names of secrets, and the values that documents contain for them, which responses may quote.
#[derive(Default)]
struct KnownSecrets {
    keys: SecretKeys,
    values: BTreeSet<String>,
}

/// Maximum number of remembered values.
const MAX_VALUES: usize = 1000;
/// Minimum length of remembered values, in characters; shorter ones would match too much other text.
const MIN_VALUE_LENGTH: usize = 4;

impl MessageRecorder {
    pub(crate) fn create(path: &Path) -> anyhow::Result<MessageRecorder> {
        let file = private_file(path).with_context(|| format!("cannot write {}", path.display()))?;
        tracing::warn!(
            "recording all messages of this session to {}, including file contents, settings and values. Values under \
             common names of secrets are masked in opened documents; review the recording before sharing it",
            path.display()
        );
        let file = Mutex::new(BufWriter::new(file));
        Ok(MessageRecorder { start: Instant::now(), file, secrets: Mutex::default() })
    }

    pub(crate) fn record(&self, from: Sender, message: &[u8]) {
        let text = String::from_utf8_lossy(message);
        // Invalid JSON is recorded as a string. Line breaks in valid JSON are insignificant whitespace.
        let message = match serde_json::from_str::<IgnoredAny>(&text) {
            Ok(_) => self.masked(from, &text).unwrap_or_else(|| text.replace(['\n', '\r'], " ")),
            Err(_) => Value::from(&*text).to_string(),
        };
        let from = match from {
            Sender::Client => "client",
            Sender::Server => "server",
        };
        let ms = self.start.elapsed().as_secs_f64() * 1000.0;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writeln!(file, "{{\"ms\":{ms:.3},\"from\":\"{from}\",\"message\":{message}}}");
        if let Err(error) = written.and_then(|()| file.flush()) {
            tracing::warn!("cannot record: {error}");
        }
    }

    /// Masks the values of secrets in a message, letter by letter so that positions stay valid; `None` if
    /// there are none.
    fn masked(&self, from: Sender, message: &str) -> Option<String> {
        let mut message: Value = serde_json::from_str(message).ok()?;
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.mask(from, &mut message).then(|| message.to_string())
    }
}

impl KnownSecrets {
    /// Masks secrets in place. Returns whether anything was masked.
    fn mask(&mut self, from: Sender, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let mut masked = self.keys.masked_in_place(text);
                match from {
                    Sender::Client => self.remember(text, &masked),
                    Sender::Server => {
                        for value in self.values.iter().rev() {
                            if masked.contains(value.as_str()) {
                                masked =
                                    masked.replace(value.as_str(), &output::secrets::masked_letters(value));
                            }
                        }
                    }
                }
                let is_changed = masked != *text;
                *text = masked;
                is_changed
            }
            Value::Array(elements) => {
                elements.iter_mut().fold(false, |changed, element| self.mask(from, element) | changed)
            }
            Value::Object(members) => {
                members.values_mut().fold(false, |changed, value| self.mask(from, value) | changed)
            }
            _ => false,
        }
    }

    /// Remembers the quoted values that were masked.
    fn remember(&mut self, text: &str, masked: &str) {
        if text == masked {
            return;
        }
        let mut value = String::new();
        let mut quote = None;
        let mut last = ' ';
        for (was, is) in text.chars().zip(masked.chars()) {
            if was != is {
                if value.is_empty() {
                    quote = Some(last).filter(|it| matches!(it, '\'' | '"'));
                }
                value.push(was);
            } else if !value.is_empty() {
                let is_quoted = quote == Some(was) && value.chars().count() >= MIN_VALUE_LENGTH;
                let value = std::mem::take(&mut value);
                if is_quoted && self.values.len() < MAX_VALUES {
                    self.values.insert(value);
                }
            }
            last = was;
        }
    }
}

/// Creates a file that only the user can read.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        // The file may have existed with other permissions.
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// Reads the messages of a recorded session.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Recorded>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_lines(BufReader::new(file), &path.display().to_string())
}

/// Parses the messages of a recording; `name` identifies it in errors.
pub(crate) fn read_lines(recording: impl BufRead, name: &str) -> anyhow::Result<Vec<Recorded>> {
    let lines = recording.lines().enumerate();
    let lines = lines.filter(|(_, line)| line.as_ref().map_or(true, |it| !it.trim().is_empty()));
    let parsed = lines.map(|(number, line)| {
        let context = || format!("{name}, line {}", number + 1);
        serde_json::from_str(&line.with_context(context)?).with_context(context)
    });
    parsed.collect()
}
