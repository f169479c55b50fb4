//! The platforms, out of `data/platforms.txt`, and how people call them.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, NoTypes, Origin, Type, Value};

use crate::{layers, legacy};

/// An operating system in one of its releases, of which there is a fact set.
#[derive(Debug)]
pub struct Platform {
    /// What people call it: `Debian 12`, `Windows Server 2022`.
    pub name: SmolStr,
    /// What Facter calls the system (`os.name`): `Debian`, `windows`.
    pub os: SmolStr,
    /// The release as modules name it: `12`, `24.04`, `2012 R2`.
    pub release: SmolStr,
    /// `os.family`
    pub family: SmolStr,
    /// Is it one of those that a module which does not say what it supports is for?
    pub(crate) is_main: bool,
    /// The layer that its facts come from.
    pub(crate) layer: SmolStr,
    /// What fills the places in the layers.
    pub(crate) fields: FxHashMap<SmolStr, SmolStr>,
    /// All spellings of the name, squeezed, those without a release too.
    spellings: Vec<String>,
    facts: [OnceLock<Arc<HashValue>>; 2],
    facts_of_any_machine: OnceLock<Arc<HashValue>>,
    module_facts: OnceLock<Arc<HashValue>>,
}

/// What each machine has others of, and calls otherwise.
const NAMED_BY_MACHINE: [&str; 3] = ["disks", "mountpoints", "partitions"];

/// There is no platform of that name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlatform {
    /// As it was asked for.
    pub name: String,
    /// Names of platforms of that system; of all systems if there are none.
    pub known: Vec<SmolStr>,
}

impl fmt::Display for UnknownPlatform {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "there are no facts for the platform `{}`; there are some for {}",
            self.name,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for UnknownPlatform {}

static PLATFORMS: LazyLock<Vec<Platform>> =
    LazyLock::new(|| read_platforms(PLATFORMS_FILE).unwrap_or_default());

const PLATFORMS_FILE: &str = include_str!("../data/platforms.txt");

/// All platforms, by system, the oldest release first.
pub fn platforms() -> &'static [Platform] {
    &PLATFORMS
}

/// The platform that someone means: `Debian 12`, `debian12`, `debian-12-x86_64`, `RHEL 9.4`, `macOS Sonoma`, `Ubuntu`
/// (its newest release). Case, blanks and signs do not matter.
///
/// # Errors
/// There is no such platform.
pub fn platform(name: &str) -> Result<&'static Platform, UnknownPlatform> {
    let wanted = without_architecture(&name.to_lowercase());
    for candidate in candidates(&wanted) {
        let spelling = squeezed(candidate);
        let is_meant = |platform: &&Platform| platform.spellings.contains(&spelling);
        let found = platforms().iter().rev().find(|it| it.is_main && is_meant(it));
        if let Some(found) = found.or_else(|| platforms().iter().rev().find(is_meant)) {
            return Ok(found);
        }
    }
    Err(UnknownPlatform { name: name.to_owned(), known: known_like(&wanted) })
}

impl Platform {
    /// What Facter and the agent say there, as `$facts` has it under Puppet 7 (legacy facts included) or 8: the node is
    /// `node1.example.com`, a small virtual machine. No facts of modules.
    pub fn facts(&self, puppet_version: u8) -> &Arc<HashValue> {
        self.facts[usize::from(puppet_version >= 8)].get_or_init(|| {
            let facts = layers::facts(self, puppet_version);
            Arc::new(if puppet_version >= 8 { facts } else { legacy::with_legacy_facts(facts) })
        })
    }

    /// The facts and legacy facts of a machine of which no more is known than that it runs this: its network interfaces, disks,
    /// partitions and mount points are unknown.
    pub fn facts_of_any_machine(&self) -> &Arc<HashValue> {
        self.facts_of_any_machine.get_or_init(|| {
            let things = types::parse::parse_type("Hash[String, Hash[String, Any]]", &NoTypes);
            let unknown = Value::unknown(things.unwrap_or(Type::Any), Origin::Fact);
            let mut facts = (**self.facts(7)).clone();
            for name in NAMED_BY_MACHINE {
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

    /// What the facts of widely used modules (stdlib, systemd, concat, openstacklib) say there: `service_provider`, ...
    pub fn module_facts(&self) -> &Arc<HashValue> {
        self.module_facts.get_or_init(|| Arc::new(layers::module_facts(self)))
    }
}

/// The names of the platforms whose system the text begins with; without such, one for each system.
fn known_like(wanted: &str) -> Vec<SmolStr> {
    let letters: String = squeezed(wanted).chars().take_while(|it| it.is_alphabetic()).collect();
    let of_system = |it: &&Platform| !letters.is_empty() && it.spellings.contains(&letters);
    let known: Vec<_> = platforms().iter().filter(of_system).map(|it| it.name.clone()).collect();
    if !known.is_empty() {
        return known;
    }
    let mut systems: Vec<SmolStr> = platforms().iter().map(|it| it.os.clone()).collect();
    systems.dedup();
    systems
}

/// Letters and digits in lower case.
fn squeezed(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `debian-12-x86_64` without its end.
fn without_architecture(name: &str) -> String {
    const ARCHITECTURES: [&str; 10] =
        ["x86_64", "amd64", "i386", "i686", "aarch64", "arm64", "x64", "x86", "i86pc", "powerpc"];
    let end = ARCHITECTURES.iter().find_map(|it| name.strip_suffix(it));
    end.map_or(name, |it| it.trim_end_matches(['-', '_', ' '])).trim().to_owned()
}

/// The text, and what is left of it when its last numbers are taken away: `rhel 9.4` is a RHEL 9, `SLES 15 SP6` an SLES 15.
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

/// A line of the file: its first words, and its fields.
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
    let mut spellings = vec![squeezed(&name)];
    for system in systems {
        spellings.extend(releases.iter().map(|release| squeezed(&format!("{system}{release}"))));
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
        facts_of_any_machine: OnceLock::new(),
        module_facts: OnceLock::new(),
    }
}

#[cfg(test)]
#[path = "platforms_tests.rs"]
mod tests;
