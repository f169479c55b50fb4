//! Facts about the platform, on which the values may depend.

use syntax::AstNode;
use syntax::ast::Expr;

/// Fact that hierarchies of modules use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PlatformFact {
    Kernel,
    Family,
    Name,
    Major,
}

/// Ways to read each fact, without `$` and quotes, and its path.
const FACTS: &[(PlatformFact, &str, &[&str])] = &[
    (PlatformFact::Kernel, "facts.kernel", &["kernel", "facts[kernel]"]),
    (PlatformFact::Family, "facts.os.family", &["osfamily", "facts[osfamily]", "facts[os][family]"]),
    (PlatformFact::Name, "facts.os.name", &["operatingsystem", "facts[operatingsystem]", "facts[os][name]"]),
    (
        PlatformFact::Major,
        "facts.os.release.major",
        &["operatingsystemmajrelease", "facts[operatingsystemmajrelease]", "facts[os][release][major]"],
    ),
];

/// Other facts that are strings and that values may contain, with their paths.
const OTHER_STRINGS: &[(&[&str], &str)] = &[
    (&["architecture", "facts[architecture]", "facts[os][architecture]"], "facts.os.architecture"),
    (&["domain", "facts[domain]", "facts[networking][domain]"], "facts.networking.domain"),
    (&["fqdn", "facts[fqdn]", "facts[networking][fqdn]"], "facts.networking.fqdn"),
    (&["hostname", "facts[hostname]", "facts[networking][hostname]"], "facts.networking.hostname"),
    (&["ipaddress", "facts[ipaddress]", "facts[networking][ip]"], "facts.networking.ip"),
];

/// Spelling of the facts' values on real platforms.
const FAMILIES: &[&str] = &[
    "AIX",
    "Alpine",
    "Archlinux",
    "Darwin",
    "Debian",
    "DragonFly",
    "FreeBSD",
    "Gentoo",
    "HP-UX",
    "Linux",
    "NetBSD",
    "OpenBSD",
    "RedHat",
    "Solaris",
    "Suse",
    "windows",
];
/// Spelling of the names of operating systems, with their families.
const NAMES: &[(&str, &str)] = &[
    ("AlmaLinux", "RedHat"),
    ("Amazon", "RedHat"),
    ("Archlinux", "Archlinux"),
    ("CentOS", "RedHat"),
    ("CloudLinux", "RedHat"),
    ("Darwin", "Darwin"),
    ("Debian", "Debian"),
    ("Fedora", "RedHat"),
    ("FreeBSD", "FreeBSD"),
    ("Devuan", "Debian"),
    ("Gentoo", "Gentoo"),
    ("Kali", "Debian"),
    ("LinuxMint", "Debian"),
    ("OpenBSD", "OpenBSD"),
    ("OpenSuSE", "Suse"),
    ("OracleLinux", "RedHat"),
    ("Raspbian", "Debian"),
    ("RedHat", "RedHat"),
    ("Rocky", "RedHat"),
    ("SLED", "Suse"),
    ("SLES", "Suse"),
    ("SLES_SAP", "Suse"),
    ("Scientific", "RedHat"),
    ("Solaris", "Solaris"),
    ("Ubuntu", "Debian"),
    ("VirtuozzoLinux", "RedHat"),
    ("XenServer", "RedHat"),
    ("windows", "windows"),
];
const KERNELS: &[&str] = &["AIX", "Darwin", "FreeBSD", "Linux", "NetBSD", "OpenBSD", "SunOS", "windows"];

/// Returns the expression without `$`, `::`, quotes, and spaces.
fn normalized(expr: &Expr) -> String {
    let text = expr.syntax().text().to_string();
    let text = text.trim_start_matches('$').trim_start_matches("::");
    text.chars().filter(|it| !it.is_whitespace() && !matches!(it, '\'' | '"')).collect()
}

impl PlatformFact {
    /// Returns the fact that an expression reads.
    pub(super) fn of(expr: &Expr) -> Option<PlatformFact> {
        let (Expr::VariableExpr(_) | Expr::AccessExpr(_)) = expr else { return None };
        let read = normalized(expr);
        FACTS.iter().find(|(_, _, ways)| ways.contains(&read.as_str())).map(|(fact, ..)| *fact)
    }

    /// Returns a value as real platforms spell it. Puppet ignores case when it compares strings, and data
    /// files do not; `None` if no known platform has the value.
    pub(super) fn spelled(self, value: &str) -> Option<String> {
        let same = |it: &&str| it.eq_ignore_ascii_case(value);
        let known = match self {
            PlatformFact::Kernel => KERNELS.iter().find(|it| same(it)).copied(),
            PlatformFact::Family => FAMILIES.iter().find(|it| same(it)).copied(),
            PlatformFact::Name => NAMES.iter().map(|(name, _)| *name).find(|it| same(it)),
            PlatformFact::Major => Some(value).filter(|it| !it.is_empty()),
        };
        let is_file_name =
            |it: &&str| it.bytes().all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it));
        known.filter(is_file_name).map(str::to_owned)
    }
}

/// Returns the family of an operating system.
pub(super) fn family_of(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, family)| *family)
}

/// Returns the path of a fact that is a string.
pub(super) fn string_fact(expr: &Expr) -> Option<&'static str> {
    let (Expr::VariableExpr(_) | Expr::AccessExpr(_)) = expr else { return None };
    let read = normalized(expr);
    let of_platform = FACTS.iter().find(|(_, _, ways)| ways.contains(&read.as_str()));
    let other = OTHER_STRINGS.iter().find(|(ways, _)| ways.contains(&read.as_str()));
    of_platform.map(|(_, path, _)| *path).or(other.map(|(_, path)| *path))
}
