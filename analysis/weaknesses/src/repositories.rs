//! Package repositories without signature checks.

/// Returns true for a text that may be a part of a repository's configuration without a signature check.
pub fn may_configure_repository(text: &str) -> bool {
    ["gpgcheck", "trusted", "AllowUnauthenticated"].iter().any(|it| text.contains(it))
}

/// Returns true for the text of a repository's configuration, such as `deb [trusted=yes] …` and `gpgcheck=0`.
pub fn configures_unsigned_repository(text: &str) -> bool {
    if !may_configure_repository(text) {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let compact = lower.replace([' ', '\t'], "");
    let is_source = |line: &str| {
        line.contains("trusted=yes")
            && (line.starts_with("deb") || line.starts_with('[') || line == "trusted=yes")
    };
    has_unchecked_section(&compact)
        || compact.lines().any(is_source)
        || compact.contains("apt::get::allowunauthenticated\"true\"")
}

/// Returns true if a section (`[name]`) of a file without spaces checks neither packages nor metadata, which have
/// the checksums of the packages.
fn has_unchecked_section(compact: &str) -> bool {
    let is_off = |line: &str, name: &str| {
        let value = line.strip_prefix(name).and_then(|it| it.strip_prefix('='));
        value.map(|it| ["0", "no", "false"].iter().any(|off| it.starts_with(off)))
    };
    let (mut is_unchecked, mut is_found) = (false, false);
    let mut checks_metadata = false;
    for line in compact.lines().chain(["["]) {
        if line.starts_with('[') {
            is_found |= is_unchecked && !checks_metadata;
            (is_unchecked, checks_metadata) = (false, false);
        }
        is_unchecked |= is_off(line, "gpgcheck") == Some(true);
        checks_metadata |= is_off(line, "repo_gpgcheck") == Some(false);
    }
    is_found
}

/// Options that turn off the signature check of a package manager.
const OPTIONS: [&str; 9] = [
    "--nogpgcheck",
    "--no-gpg-check",
    "--no-gpg-checks",
    "--no-gpgcheck",
    "--nosignature",
    "--allow-unauthenticated",
    "--force-yes",
    "--allow-untrusted",
    "--nogpg",
];

/// Returns true for a command, or options of one, that turn off the signature check of a package manager.
pub fn has_unsigned_option(command: &str) -> bool {
    let mut words = command.split(|c: char| c.is_whitespace() || c == '"' || c == '\'');
    words.any(|word| OPTIONS.contains(&word))
}
