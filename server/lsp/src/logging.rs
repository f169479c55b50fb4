//! Logs and profiles. They go to stderr and to files, never to stdout, which belongs to the protocol.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Environment variable with the log filter; `--log` takes precedence.
const VARIABLE: &str = "PUPPET_ANALYZER_LOG";

/// Writes events to stderr with control characters escaped, except for the colors of the log layer.
struct VisibleWriter;

impl Write for VisibleWriter {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let (text, end) = text.strip_suffix('\n').map_or((&*text, ""), |text| (text, "\n"));
        let shown = if io::stderr().is_terminal() {
            // The log layer has escaped the messages already; the remaining escape sequences are its colors.
            text.split('\x1b').map(output::visible).collect::<Vec<_>>().join("\x1b")
        } else {
            output::visible(text).into_owned()
        };
        io::stderr().lock().write_all(format!("{shown}{end}").as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Guard that completes the profile when dropped. Keep it until the process ends.
pub(super) struct LoggingGuard {
    _profile: Option<measure::profile::ProfileGuard>,
}

/// Sets up logging for the process. `filter` is a level or a list of `tracing` directives.
pub(super) fn set_up(filter: Option<&str>, profile: Option<&Path>) -> anyhow::Result<LoggingGuard> {
    let from_variable = std::env::var(VARIABLE).ok();
    let filter = filter.or(from_variable.as_deref()).unwrap_or("warn");
    // A bare level applies to this program only; verbose libraries stay at `warn`.
    let directives = match filter.parse::<LevelFilter>() {
        Ok(level) => format!("{level},salsa=warn,tower_lsp_server=warn"),
        Err(_) => filter.to_owned(),
    };
    let filter = EnvFilter::try_new(directives).with_context(|| format!("invalid log filter `{filter}`"))?;
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(|| VisibleWriter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_filter(filter);
    let (chrome, guard) = match profile {
        None => (None, None),
        Some(path) => {
            let (layer, guard) = measure::profile::layer(path)?;
            (Some(layer), Some(guard))
        }
    };
    // Fails if logging is already set up, as in a test.
    let _ = tracing_subscriber::registry().with(stderr).with(chrome).try_init();
    Ok(LoggingGuard { _profile: guard })
}
