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
    compact.lines().any(|line| {
        let is_setting =
            ["gpgcheck=0", "gpgcheck=no", "gpgcheck=false"].iter().any(|it| line.starts_with(it));
        let is_source = line.contains("trusted=yes")
            && (line.starts_with("deb") || line.starts_with('[') || line == "trusted=yes");
        is_setting || is_source
    }) || compact.contains("apt::get::allowunauthenticated\"true\"")
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
