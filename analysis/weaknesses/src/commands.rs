//! Commands that download and run code, or that change permissions.

use crate::UNKNOWN_PART;
use crate::permissions::other_permissions;
use crate::urls::{is_plain_http, is_url_of_code};

/// Names of programs that run a script from their standard input.
const INTERPRETERS: [&str; 12] =
    ["sh", "bash", "dash", "zsh", "ksh", "ash", "python", "python3", "perl", "ruby", "php", "node"];
/// Names of programs that write a download to their standard output.
const DOWNLOADERS: [&str; 3] = ["curl", "wget", "fetch"];

/// Returns true for `curl … | sh`, `sh -c "$(curl …)"`, and `bash <(curl …)`.
pub fn pipes_download_to_shell(command: &str) -> bool {
    let command = command.replace("||", ";").replace("&&", ";");
    for part in command.split([';', '\n']) {
        let mut stages = part.split('|');
        let mut is_download = stages.next().is_some_and(is_downloader);
        for stage in stages {
            if is_download && program(stage).is_some_and(|it| INTERPRETERS.contains(&it)) {
                return true;
            }
            is_download |= is_downloader(stage);
        }
    }
    ["$(", "<(", "`"].iter().any(|open| {
        command.match_indices(open).any(|(at, _)| {
            let before = command[..at].trim_end_matches(['"', '\'', ' ', '<']);
            let before = before.strip_suffix("-c").unwrap_or(before).trim_end();
            let last =
                before.rsplit(|c: char| c.is_whitespace() || matches!(c, '/' | ';')).next().unwrap_or("");
            let runs = INTERPRETERS.contains(&last) || matches!(last, "eval" | "source" | ".");
            runs && is_downloader(&command[at + open.len()..])
        })
    })
}

fn is_downloader(stage: &str) -> bool {
    program(stage).is_some_and(|it| DOWNLOADERS.contains(&it))
}

/// Returns the name of the program that a command runs, without `sudo`, `env`, and assignments.
fn program(command: &str) -> Option<&str> {
    let words = command.split_whitespace().map(|it| it.trim_matches(['"', '\'', '(', ')', '`']));
    let mut is_option_of_sudo = false;
    for word in words {
        let name = word.rsplit('/').next().unwrap_or(word);
        if matches!(name, "sudo" | "env" | "exec" | "nice" | "-E" | "-H" | "-n") || word.contains('=') {
            is_option_of_sudo = false;
            continue;
        }
        if name == "-u" {
            is_option_of_sudo = true;
            continue;
        }
        if is_option_of_sudo || matches!(name, "-c" | "-lc") {
            is_option_of_sudo = false;
            continue;
        }
        let is_shell_with_command = matches!(name, "sh" | "bash") && command.contains(" -c ");
        if is_shell_with_command
            && command.contains(['"', '\''])
            && !command.trim_start().starts_with("sh -s")
        {
            continue;
        }
        return Some(name);
    }
    None
}

/// Returns true for `chmod 777` and `chmod o+w`.
pub fn makes_world_writable(command: &str) -> bool {
    let mut words = command.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';'));
    while let Some(word) = words.next() {
        if word.rsplit('/').next() != Some("chmod") {
            continue;
        }
        let Some(mode) = words.by_ref().find(|it| !it.is_empty() && !it.starts_with('-')) else {
            return false;
        };
        if other_permissions(mode).is_some_and(|it| it.write && !it.is_sticky) {
            return true;
        }
    }
    false
}

/// Returns true for a command that downloads an archive, package, or program, and verifies nothing.
pub fn downloads_without_check(command: &str) -> bool {
    const VERIFIERS: [&str; 9] =
        ["sum ", "gpg", "checksum", "shasum", "openssl dgst", "md5", "sha256", "minisign", "cosign"];
    let is_downloader = |word: &str| {
        let name = word.rsplit(['/', '(']).next().unwrap_or(word);
        matches!(name, "wget" | "curl" | "fetch" | "aria2c")
    };
    let verifies = VERIFIERS.iter().any(|it| command.contains(it))
        || command.contains("sum") && command.contains(&format!("sum{UNKNOWN_PART}"));
    words_of(command).any(is_downloader) && !verifies && words_of(command).any(is_url_of_code)
}

/// Returns true for a command that downloads from an unencrypted `http://` URL.
pub fn downloads_over_http(command: &str) -> bool {
    const PROGRAMS: [&str; 12] =
        ["curl", "wget", "fetch", "git", "rpm", "yum", "dnf", "pip", "pip3", "gem", "npm", "aria2c"];
    let is_program = |word: &str| PROGRAMS.contains(&word.rsplit('/').next().unwrap_or(word));
    words_of(command).any(is_plain_http) && words_of(command).any(is_program)
}

fn words_of(command: &str) -> impl Iterator<Item = &str> {
    command.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
}
