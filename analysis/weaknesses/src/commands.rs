//! Commands that download and run code, or that change permissions.

use crate::UNKNOWN_PART;
use crate::permissions::other_permissions;
use crate::urls::{is_on_other_host, is_plain_http, is_url_of_code};

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

/// Returns true for a command that does not verify the certificate of the server it downloads from: `curl -k`,
/// `wget --no-check-certificate`, `pip --trusted-host`.
pub fn skips_certificate_check(command: &str) -> bool {
    let is_remote = !words_of(command).any(is_url) || words_of(command).any(is_on_other_host);
    is_remote && command.split([';', '\n', '|', '&']).any(part_skips_certificate_check)
}

fn part_skips_certificate_check(part: &str) -> bool {
    const PROGRAMS: [&str; 6] = ["curl", "wget", "pip", "pip3", "git", "npm"];
    let name = |word: &str| word.rsplit(['/', '(', '`']).next().unwrap_or(word).to_owned();
    let mut words = words_of(part).filter(|it| !it.is_empty());
    let Some(program) = words.by_ref().map(name).find(|it| PROGRAMS.contains(&it.as_str())) else {
        return false;
    };
    let rest: Vec<&str> = words.collect();
    let has = |option: &str| rest.contains(&option);
    match program.as_str() {
        "curl" => has("--insecure") || has("--proxy-insecure") || rest.iter().any(|it| is_insecure_flag(it)),
        "wget" => has("--no-check-certificate"),
        "git" => rest.iter().any(|it| it.eq_ignore_ascii_case("http.sslVerify=false")),
        "npm" => has("--strict-ssl=false") || has("--no-strict-ssl"),
        _ => has("--trusted-host") || rest.iter().any(|it| it.starts_with("--trusted-host=")),
    }
}

/// Returns true for `-k` among the options of `curl` without arguments, as in `-sSLk`.
fn is_insecure_flag(word: &str) -> bool {
    const FLAGS: &str = "fgGiIjJkLnNOqRsSvZ0123456";
    let Some(letters) = word.strip_prefix('-').filter(|it| !it.starts_with('-')) else { return false };
    letters.split_once('k').is_some_and(|(before, _)| before.chars().all(|it| FLAGS.contains(it)))
}

fn is_url(word: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|it| word.starts_with(it))
}

/// Returns true for a command that a shell runs: an explicit `sh -c`, or one with a pipe.
pub fn is_run_by_shell(command: &str) -> bool {
    const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
    let mut words = command.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_shell = SHELLS.contains(&first.rsplit('/').next().unwrap_or(first));
    let has_command =
        words.take_while(|it| it.starts_with('-')).any(|it| !it.starts_with("--") && it.ends_with('c'));
    is_shell && has_command || command.replace("||", "").contains('|')
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
