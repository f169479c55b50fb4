//! Platforms, read from `data/platforms.txt`, and lookup by common spellings of their names.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, NoTypes, Origin, Type, Value};

use crate::{layers, legacy};

/// Release of an operating system with a fact set.
#[derive(Debug)]
pub struct Platform {
    /// Common name: `Debian 12`, `Windows Server 2022`.
    pub name: SmolStr,
    /// Name of the system in Facter (`os.name`): `Debian`, `windows`.
    pub os: SmolStr,
    /// Release as written in `metadata.json`: `12`, `24.04`, `2012 R2`.
    pub release: SmolStr,
    /// `os.family`
    pub family: SmolStr,
    /// True if the platform is one of the defaults for modules that do not list their platforms.
    pub(crate) is_main: bool,
    /// Layer that contains its facts.
    pub(crate) layer: SmolStr,
    /// Values for the fields in the layers.
    pub(crate) fields: FxHashMap<SmolStr, SmolStr>,
    /// Normalized spellings of the name, including those without a release.
    spellings: Vec<String>,
    facts: [OnceLock<Arc<HashValue>>; 3],
    facts_of_any_machine: [OnceLock<Arc<HashValue>>; 3],
    module_facts: OnceLock<Arc<HashValue>>,
}

/// Facts whose keys differ from machine to machine.
const MACHINE_SPECIFIC_FACTS: [&str; 3] = ["disks", "mountpoints", "partitions"];

/// Error for an unknown platform name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlatform {
    /// Name as requested.
    pub name: String,
    /// Names of the known platforms of the same system; one name per system if the system is unknown too.
    pub known: Vec<SmolStr>,
}

impl fmt::Display for UnknownPlatform {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "unknown platform `{}`; known platforms: {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownPlatform {}

static PLATFORMS: LazyLock<Vec<Platform>> =
    LazyLock::new(|| read_platforms(PLATFORMS_FILE).unwrap_or_default());

const PLATFORMS_FILE: &str = include_str!("../data/platforms.txt");

/// Returns all platforms, by system, the oldest release first.
pub fn platforms() -> &'static [Platform] {
    &PLATFORMS
}

/// Finds a platform by name: `Debian 12`, `debian12`, `debian-12-x86_64`, `RHEL 9.4`, `macOS Sonoma`,
/// `Ubuntu` (its newest release). Case, whitespace and punctuation are ignored.
///
/// # Errors
/// Returns an error if there is no such platform.
pub fn platform(name: &str) -> Result<&'static Platform, UnknownPlatform> {
    let wanted = without_architecture(&name.to_lowercase());
    for candidate in candidates(&wanted) {
        let spelling = normalize(candidate);
        let is_meant = |platform: &&Platform| platform.spellings.contains(&spelling);
        let found = platforms().iter().rev().find(|it| it.is_main && is_meant(it));
        if let Some(found) = found.or_else(|| platforms().iter().rev().find(is_meant)) {
            return Ok(found);
        }
    }
    Err(UnknownPlatform { name: name.to_owned(), known: similar_platforms(&wanted) })
}

impl Platform {
    /// Returns the facts from Facter and the agent, as in `$facts` under Puppet 7 (with legacy facts) or later.
    /// The node is `node1.example.com`, a small virtual machine. Facts of modules are not included.
    pub fn facts(&self, puppet_version: u8) -> &Arc<HashValue> {
        self.facts[usize::from(puppet_version.clamp(7, 9) - 7)].get_or_init(|| {
            let facts = layers::facts(self, puppet_version);
            Arc::new(if puppet_version >= 8 { facts } else { legacy::with_legacy_facts(facts) })
        })
    }

    /// Returns the facts of an arbitrary machine that runs the platform: its network interfaces, disks,
    /// partitions and mount points are unknown. They include legacy facts under Puppet 7.
    pub fn facts_of_any_machine(&self, puppet_version: u8) -> &Arc<HashValue> {
        self.facts_of_any_machine[usize::from(puppet_version.clamp(7, 9) - 7)].get_or_init(|| {
            let things = types::parse::parse_type("Hash[String, Hash[String, Any]]", &NoTypes);
            let unknown = Value::unknown(things.unwrap_or(Type::Any), Origin::Fact);
            let mut facts = (**self.facts(puppet_version)).clone();
            for name in MACHINE_SPECIFIC_FACTS {
                if facts.get_text(name).is_some() {
                    facts.insert(Value::string(name), unknown.clone());
                }
            }
            if let Some(Value::Hash(networking)) = facts.get_text("networking").cloned() {
                let mut networking = (*networking).clone();
                networking.insert(Value::string("interfaces"), unknown);
                facts.insert(Value::string("networking"), Value::Hash(Arc::new(networking)));
            }
            Arc::new(facts)
        })
    }

    /// Returns the facts of widely used modules (stdlib, systemd, concat, openstacklib), such as
    /// `service_provider`.
    pub fn module_facts(&self) -> &Arc<HashValue> {
        self.module_facts.get_or_init(|| Arc::new(layers::module_facts(self)))
    }
}

/// Returns the names of the platforms whose system name starts the string; if there are none, one platform
/// per system.
fn similar_platforms(wanted: &str) -> Vec<SmolStr> {
    let letters: String = normalize(wanted).chars().take_while(|it| it.is_alphabetic()).collect();
    let of_system = |it: &&Platform| !letters.is_empty() && it.spellings.contains(&letters);
    let known: Vec<_> = platforms().iter().filter(of_system).map(|it| it.name.clone()).collect();
    if !known.is_empty() {
        return known;
    }
    let mut systems: Vec<SmolStr> = platforms().iter().map(|it| it.os.clone()).collect();
    systems.dedup();
    systems
}

/// Returns the letters and digits of a string in lowercase.
fn normalize(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Removes the architecture from a name: `debian-12-x86_64`.
fn without_architecture(name: &str) -> String {
    const ARCHITECTURES: [&str; 10] =
        ["x86_64", "amd64", "i386", "i686", "aarch64", "arm64", "x64", "x86", "i86pc", "powerpc"];
    let end = ARCHITECTURES.iter().find_map(|it| name.strip_suffix(it));
    end.map_or(name, |it| it.trim_end_matches(['-', '_', ' '])).trim().to_owned()
}

/// Returns the string and its prefixes without trailing numbers: `rhel 9.4` is a RHEL 9, `SLES 15 SP6` an
/// SLES 15.
fn candidates(wanted: &str) -> Vec<&str> {
    let mut found = vec![wanted];
    let mut rest = wanted;
    while let Some((before, last)) = rest.rsplit_once(['.', ' ', '-']) {
        let number = last.strip_prefix("sp").unwrap_or(last);
        let has_release = before.bytes().any(|it| it.is_ascii_digit());
        if number.is_empty() || !number.bytes().all(|it| it.is_ascii_digit()) || !has_release {
            break;
        }
        found.push(before);
        rest = before;
    }
    found
}

/// Parsed line of the file: the leading words and the fields.
struct PlatformLine<'a> {
    words: &'a str,
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> PlatformLine<'a> {
    fn new(text: &'a str) -> PlatformLine<'a> {
        let mut parts = text.split('|').map(str::trim);
        let words = parts.next().unwrap_or_default();
        let fields = parts.map(|it| it.split_once(' ').unwrap_or((it, ""))).collect();
        PlatformLine { words, fields }
    }

    fn field(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().find(|(it, _)| *it == name).map(|(_, text)| *text)
    }

    fn list(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.field(name).unwrap_or_default().split(',').map(str::trim).filter(|it| !it.is_empty())
    }
}

fn read_platforms(file: &str) -> Result<Vec<Platform>, String> {
    let mut platforms = Vec::new();
    let mut system: Option<(PlatformLine, &str, &str)> = None;
    for (index, line) in file.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix("system ") {
            let line = PlatformLine::new(rest);
            let (os, layer) =
                line.words.split_once(' ').ok_or_else(|| format!("line {}: no layer", index + 1))?;
            system = Some((line, os, layer));
        } else if let Some((system, os, layer)) = &system {
            platforms.push(new_platform(system, os, layer, &PlatformLine::new(line)));
        } else {
            return Err(format!("line {}: no system", index + 1));
        }
    }
    Ok(platforms)
}

fn new_platform(system: &PlatformLine, os: &str, layer: &str, line: &PlatformLine) -> Platform {
    let release = line.words;
    let mut fields = FxHashMap::default();
    for (name, text) in [("os", os), ("release", release), ("full", release)] {
        fields.insert(name.into(), text.into());
    }
    for (name, text) in system.fields.iter().chain(&line.fields) {
        fields.insert((*name).into(), (*text).into());
    }
    let called = system.field("name").unwrap_or(os);
    let name = line.field("name").map_or_else(|| format!("{called} {release}"), str::to_owned);
    let full = line.field("full").unwrap_or(release);
    let systems = [os, called].into_iter().chain(system.list("aka"));
    let releases = ["", release, full]
        .into_iter()
        .chain(line.field("codename"))
        .chain(line.list("aka"))
        .collect::<Vec<_>>();
    let mut spellings = vec![normalize(&name)];
    for system in systems {
        spellings.extend(releases.iter().map(|release| normalize(&format!("{system}{release}"))));
    }
    Platform {
        name: name.into(),
        os: os.into(),
        release: release.into(),
        family: fields.get("family").cloned().unwrap_or_default(),
        is_main: line.field("main").is_some(),
        layer: layer.into(),
        fields,
        spellings,
        facts: Default::default(),
        facts_of_any_machine: Default::default(),
        module_facts: OnceLock::new(),
    }
}

#[cfg(test)]
#[path = "platforms_tests.rs"]
mod tests;
