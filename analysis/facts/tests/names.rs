//! Names of platforms, and the platforms that modules support.

use facts::{platform, supported};

#[test]
fn names_of_platforms() {
    for (requested, expected) in [
        ("Debian 12", "Debian 12"),
        ("debian12", "Debian 12"),
        ("debian-12-x86_64", "Debian 12"),
        ("debian_12_amd64", "Debian 12"),
        ("Debian 12.5", "Debian 12"),
        ("bookworm", ""),
        ("debian bookworm", "Debian 12"),
        ("debian", "Debian 13"),
        ("DEBIAN", "Debian 13"),
        ("ubuntu2204", "Ubuntu 22.04"),
        ("ubuntu-22.04-x86_64", "Ubuntu 22.04"),
        ("Ubuntu 22.10", ""),
        ("RedHat 9", "RedHat 9"),
        ("rhel9", "RedHat 9"),
        ("RHEL 9.4", "RedHat 9"),
        ("el8", "RedHat 8"),
        ("Red Hat Enterprise Linux 10", "RedHat 10"),
        ("centos9", "CentOS Stream 9"),
        ("CentOS Stream 9", "CentOS Stream 9"),
        ("centos-7", "CentOS 7"),
        ("Rocky Linux 9", "Rocky 9"),
        ("oraclelinux-8-x86_64", "OracleLinux 8"),
        ("Amazon Linux 2023", "Amazon 2023"),
        ("amzn2", "Amazon 2"),
        ("SLES 15 SP6", "SLES 15"),
        ("openSUSE Leap 15.6", "openSUSE 15"),
        ("archlinux-x86_64", "Arch Linux"),
        ("arch", "Arch Linux"),
        ("gentoo", "Gentoo"),
        ("freebsd-14.2-amd64", "FreeBSD 14"),
        ("Windows Server 2022", "Windows Server 2022"),
        ("windows-2019-x86_64", "Windows Server 2019"),
        ("windows-2012 r2-x86_64", "Windows Server 2012 R2"),
        ("win11", "Windows 11"),
        ("windows", "Windows Server 2025"),
        ("macOS 15", "macOS 15"),
        ("darwin-24-x86_64", "macOS 15"),
        ("macos sonoma", "macOS 14"),
        ("", ""),
        ("12", ""),
        ("plan9", ""),
        ("debian 99", ""),
    ] {
        assert_eq!(platform(requested).map_or("", |it| it.name.as_str()), expected, "{requested}");
    }
    for it in facts::platforms() {
        assert_eq!(platform(&it.name).map(|it| &it.name), Ok(&it.name));
        assert_eq!(platform(&format!("{}-{}-x86_64", it.os, it.release)).map(|it| &it.name), Ok(&it.name));
    }
}

#[test]
fn unknown_platforms_are_reported_with_known_ones() {
    for (requested, expected) in [
        (
            "debian 99",
            "unknown platform `debian 99`; known platforms: Debian 10, Debian 11, Debian 12, Debian 13",
        ),
        ("win 3.11", "unknown platform `win 3.11`; known platforms: Windows 10, "),
        ("plan9", "unknown platform `plan9`; known platforms: Debian, Ubuntu, "),
    ] {
        let message = platform(requested).expect_err(requested).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn platforms_supported_by_modules() {
    for (support, expected) in [
        (
            r#"[{"operatingsystem": "Debian", "operatingsystemrelease": ["8", "11", "12.0"]}]"#,
            "Debian 11, Debian 12 - Debian 8",
        ),
        (r#"[{"operatingsystem": "debian"}]"#, "Debian 10, Debian 11, Debian 12, Debian 13"),
        (
            r#"[{"operatingsystem": "Debian", "operatingsystemrelease": ["stretch/sid"]}]"#,
            " - Debian stretch/sid",
        ),
        (
            r#"[{"operatingsystem": "SLES", "operatingsystemrelease": ["15 SP1", "11 SP1"]}]"#,
            "SLES 15 - SLES 11 SP1",
        ),
        (
            r#"[{"operatingsystem": "Windows", "operatingsystemrelease": ["10", "Server 2016", "2012 R2 Core", "2012"]}]"#,
            "Windows 10, Windows Server 2012 R2, Windows Server 2016 - Windows 2012",
        ),
        (
            r#"[{"operatingsystem": "Alpine", "operatingsystemrelease": ["3", "3.20.1"]}]"#,
            "Alpine 3.20, Alpine 3.21, Alpine 3.22",
        ),
        (
            r#"[{"operatingsystem": "Ubuntu", "operatingsystemrelease": ["22.04", "12.04"]}, {"operatingsystem": "RedHat", "operatingsystemrelease": ["7.0"]}]"#,
            "Ubuntu 22.04, RedHat 7 - Ubuntu 12.04",
        ),
        (r#"[{"operatingsystem": "ArchLinux"}, {"operatingsystem": "Minix"}]"#, "Arch Linux - Minix"),
        (r#"[{"operatingsystem": "OpenSuSE", "operatingsystemrelease": ["15"]}]"#, "openSUSE 15"),
        (r#"[{"operatingsystem": 3}, 4]"#, DEFAULT),
        ("[]", DEFAULT),
        ("7", DEFAULT),
        ("broken", DEFAULT),
    ] {
        let metadata = format!(r#"{{"name": "a-b", "operatingsystem_support": {support}}}"#);
        check(Some(&metadata), expected);
    }
    check(Some("{}"), DEFAULT);
    check(Some(""), DEFAULT);
    check(None, DEFAULT);
}

const DEFAULT: &str = "Debian 12, Debian 13, Ubuntu 22.04, Ubuntu 24.04, RedHat 8, RedHat 9 (default)";

fn check(metadata: Option<&str>, expected: &str) {
    let supported = supported(metadata);
    let mut text = supported.platforms.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
    if !supported.missing.is_empty() {
        let missing = supported.missing.iter();
        let missing = missing
            .map(|it| format!("{} {}", it.os, it.release.as_deref().unwrap_or_default()).trim().to_owned());
        text += &format!(" - {}", missing.collect::<Vec<_>>().join(", "));
    }
    if supported.is_default {
        text += " (default)";
    }
    assert_eq!(text, expected, "{metadata:?}");
}

#[test]
fn systems_in_module_metadata_are_known() {
    // Systems named in the corpus, and those known to the checks of `metadata.json`.
    let corpus = "AIX AlmaLinux Alpine Amazon ArchLinux Archlinux CentOS Darwin Debian DragonFly Fedora FreeBSD Gentoo OpenBSD \
                  OracleLinux RedHat Redhat Rocky SLES Scientific Solaris Ubuntu VirtuozzoLinux Windows windows";
    let known = plugins::built_in::metadata::operating_systems().iter().map(|it| it.name);
    for system in corpus.split_whitespace().chain(known) {
        let metadata = format!(r#"{{"operatingsystem_support": [{{"operatingsystem": "{system}"}}]}}"#);
        let supported = supported(Some(&metadata));
        assert!(!supported.platforms.is_empty() && supported.missing.is_empty(), "{system}");
    }
}
