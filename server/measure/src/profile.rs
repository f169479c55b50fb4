//! Time profiles as Chrome traces.

use std::path::Path;

use anyhow::Context;
use tracing::Subscriber;
use tracing_chrome::{ChromeLayer, ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// Guard that completes the trace when dropped.
#[must_use = "dropping the guard completes the trace"]
pub struct ProfileGuard {
    _flush: FlushGuard,
}

/// Returns a layer that writes spans to the file at `path` as a Chrome trace. Fails if the file cannot be
/// written.
pub fn layer<S>(path: &Path) -> anyhow::Result<(ChromeLayer<S>, ProfileGuard)>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    // The layer would create the file itself, but panics if it cannot.
    std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let (layer, flush) = ChromeLayerBuilder::new().file(path).include_args(true).build();
    Ok((layer, ProfileGuard { _flush: flush }))
}

/// Starts writing the spans of this process to the file at `path`.
pub fn write(path: &Path) -> anyhow::Result<ProfileGuard> {
    let (layer, guard) = layer(path)?;
    // Fails if a subscriber is already installed, as in a test.
    let _ = tracing_subscriber::registry().with(layer).try_init();
    Ok(guard)
}
