//! Platforms that a module supports according to its `metadata.json`.

use hiera::{DataFormat, data};
use smol_str::SmolStr;
use types::Value;

use crate::{Platform, platforms};

/// Maximum number of platforms without facts that are reported.
const MAX_MISSING_PLATFORMS: usize = 100;

/// Platforms that a module supports.
#[derive(Clone, Debug)]
pub struct Supported {
    /// Supported platforms with facts, in the order of [`platforms`].
    pub platforms: Vec<&'static Platform>,
    /// Distinct supported platforms without facts, as written in the file.
    pub missing: Vec<MissingPlatform>,
    /// True if the module does not list any platforms; `platforms` is then [`default_platforms`].
    pub is_default: bool,
}

/// Operating system, or a release of one, without facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingPlatform {
    pub os: SmolStr,
    /// Release; `None` if no release of the system is known.
    pub release: Option<SmolStr>,
}

/// Returns the platforms of modules that do not list any.
pub fn default_platforms() -> Vec<&'static Platform> {
    platforms().iter().filter(|it| it.is_main).collect()
}

/// Returns the platforms in `operatingsystem_support` of a `metadata.json`. A system without releases means
/// all of its releases. Returns the default platforms if the file is missing, malformed, or does not list
/// any.
pub fn supported(metadata: Option<&str>) -> Supported {
    let metadata = metadata.and_then(|text| data::read(DataFormat::Json, text).hash().cloned().ok());
    let systems =
        metadata.as_ref().and_then(|it| it.get_text("operatingsystem_support")).and_then(Value::as_array);
    let systems: Vec<_> = systems.unwrap_or_default().iter().filter_map(system).collect();
    if systems.is_empty() {
        return Supported { platforms: default_platforms(), missing: Vec::new(), is_default: true };
    }
    let mut missing = Vec::new();
    let mut miss = |platform: MissingPlatform| {
        if missing.len() < MAX_MISSING_PLATFORMS && !missing.contains(&platform) {
            missing.push(platform);
        }
    };
    let mut is_supported = vec![false; platforms().len()];
    for (os, releases) in systems {
        let of_system = |it: &Platform| it.os.eq_ignore_ascii_case(os);
        let mut note = |matches: &dyn Fn(&Platform) -> bool| {
            let mut found = false;
            for (platform, is_supported) in platforms().iter().zip(&mut is_supported) {
                let is_meant = of_system(platform) && matches(platform);
                *is_supported |= is_meant;
                found |= is_meant;
            }
            found
        };
        if releases.is_empty() {
            if !note(&|_| true) {
                miss(MissingPlatform { os: os.into(), release: None });
            }
            continue;
        }
        for release in releases {
            if !note(&|platform| matches_release(platform, release)) {
                miss(MissingPlatform { os: os.into(), release: Some(release.into()) });
            }
        }
    }
    let platforms = platforms().iter().zip(is_supported).filter(|(_, it)| *it).map(|(platform, _)| platform);
    Supported { platforms: platforms.collect(), missing, is_default: false }
}

/// Returns the name of a system and its releases.
fn system(value: &Value) -> Option<(&str, Vec<&str>)> {
    let entries = value.as_hash()?;
    let releases = entries.get_text("operatingsystemrelease").and_then(Value::as_array).unwrap_or_default();
    Some((
        entries.get_text("operatingsystem")?.as_str()?,
        releases.iter().filter_map(Value::as_str).collect(),
    ))
}

/// Returns true if an element of `operatingsystemrelease` refers to the platform: `9.4` and `9` mean RHEL 9,
/// `15 SP6` SLES 15, `3` every Alpine 3.x, `Server 2016` and `2016 Core` Windows 2016.
fn matches_release(platform: &Platform, text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let release = platform.release.to_lowercase();
    if platform.family == "windows" {
        let text = text.strip_prefix("server ").unwrap_or(&text);
        return text.strip_suffix(" core").unwrap_or(text) == release;
    }
    let is_longer = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.starts_with(['.', ' ', '-']))
    };
    text == release || is_longer(&text, &release) || is_longer(&release, &text)
}
