//! A trace of the time.

use std::path::Path;

use anyhow::Context;
use tracing::Subscriber;
use tracing_chrome::{ChromeLayer, ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// Completes the trace when it is dropped.
#[must_use = "what is dropped at once is completed at once"]
pub struct ProfileGuard {
    _flush: FlushGuard,
}

/// A layer that writes each span to the file at `path`, as a Chrome trace. Fails where the file cannot be written.
pub fn layer<S>(path: &Path) -> anyhow::Result<(ChromeLayer<S>, ProfileGuard)>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    // The layer itself creates the file and panics where it cannot.
    std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let (layer, flush) = ChromeLayerBuilder::new().file(path).include_args(true).build();
    Ok((layer, ProfileGuard { _flush: flush }))
}

/// Writes each span of this process to the file at `path` from now on.
pub fn write(path: &Path) -> anyhow::Result<ProfileGuard> {
    let (layer, guard) = layer(path)?;
    // Fails when spans are looked at already, as in a test.
    let _ = tracing_subscriber::registry().with(layer).try_init();
    Ok(guard)
}
