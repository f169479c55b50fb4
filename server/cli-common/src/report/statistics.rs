//! Number of findings per rule and per file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use codes::Code;
use output::visible;
use serde::Serialize;
use syntax::Severity;

use super::content::FileDiagnostics;
use crate::printed_diagnostic::{FixSafety, severity_name};

/// Maximum number of files that are listed.
const MAX_FILES: usize = 10;

#[derive(Serialize)]
struct RuleCount {
    code: &'static str,
    severity: &'static str,
    findings: usize,
    files: usize,
    /// Number of findings that `check --fix` fixes.
    fixable: usize,
    /// Number of findings that are only fixed with `--unsafe-fixes`.
    #[serde(rename = "unsafeFixes")]
    unsafe_fixes: usize,
}

#[derive(Serialize)]
struct FileCount<'a> {
    file: &'a str,
    findings: usize,
}

/// Counts of a run: rules by severity, then those with most findings first; and files, most findings first.
#[derive(Serialize)]
struct Statistics<'a> {
    rules: Vec<RuleCount>,
    files: Vec<FileCount<'a>>,
}

impl Statistics<'_> {
    fn of(files: &[FileDiagnostics]) -> Statistics<'_> {
        let mut rules: BTreeMap<(Code, Severity), RuleCount> = BTreeMap::new();
        for file in files {
            let mut seen = Vec::new();
            for diagnostic in &file.diagnostics {
                let key = (diagnostic.code, diagnostic.severity);
                let count = rules.entry(key).or_insert(RuleCount {
                    code: diagnostic.code.as_str(),
                    severity: severity_name(diagnostic.severity),
                    findings: 0,
                    files: 0,
                    fixable: 0,
                    unsafe_fixes: 0,
                });
                count.findings += 1;
                count.fixable += usize::from(diagnostic.fix == Some(FixSafety::Safe));
                count.unsafe_fixes += usize::from(diagnostic.fix == Some(FixSafety::Unsafe));
                if !seen.contains(&key) {
                    seen.push(key);
                    count.files += 1;
                }
            }
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|((code, severity), it)| (*severity, Reverse(it.findings), *code));
        let mut files: Vec<_> = files
            .iter()
            .map(|it| FileCount { file: &it.path, findings: it.diagnostics.len() })
            .filter(|it| it.findings > 0)
            .collect();
        files.sort_by_key(|it| Reverse(it.findings));
        Statistics { rules: rules.into_iter().map(|(_, it)| it).collect(), files }
    }
}

/// Renders one line per rule: count, severity, rule, and number of files; then the files with the most
/// findings.
pub fn render(files: &[FileDiagnostics]) -> String {
    let Statistics { rules, files } = Statistics::of(files);
    let width = rules.iter().map(|it| it.findings.to_string().len()).max().unwrap_or_default();
    let mut out = String::new();
    for RuleCount { code, severity, findings, files, fixable, unsafe_fixes } in rules {
        let noun = if files == 1 { "file" } else { "files" };
        let fixable = match fixable {
            0 => String::new(),
            _ => format!(", {fixable} fixable"),
        };
        let unsafe_fixes = match unsafe_fixes {
            0 => String::new(),
            _ => format!(", {unsafe_fixes} with `--unsafe-fixes`"),
        };
        let fixes = fixable + &unsafe_fixes;
        out.push_str(&format!("{findings:>width$}  {severity}[{code}] in {files} {noun}{fixes}\n"));
    }
    if files.len() > 1 {
        out.push('\n');
        for FileCount { file, findings } in files.iter().take(MAX_FILES) {
            out.push_str(&format!("{findings:>width$}  {}\n", visible(file)));
        }
    }
    out
}

/// Renders a Markdown table with one row per rule and the sums, by the effort that findings take.
pub fn markdown(files: &[FileDiagnostics]) -> String {
    let rules = Statistics::of(files).rules;
    let mut out = String::from(
        "| Rule | Level | Findings | Files | `--fix` | `--unsafe-fixes` | By hand |\n|---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0; 4];
    for RuleCount { code, severity, findings, files, fixable, unsafe_fixes } in rules {
        let manual = findings - fixable - unsafe_fixes;
        out.push_str(&format!(
            "| `{code}` | {severity} | {findings} | {files} | {fixable} | {unsafe_fixes} | {manual} |\n"
        ));
        for (sum, count) in sums.iter_mut().zip([findings, fixable, unsafe_fixes, manual]) {
            *sum += count;
        }
    }
    let [findings, fixable, unsafe_fixes, manual] = sums;
    let count = files.iter().filter(|it| !it.diagnostics.is_empty()).count();
    out + &format!("| **all** | | {findings} | {count} | {fixable} | {unsafe_fixes} | {manual} |\n")
}

/// Renders the counts as a JSON object with the keys `rules` and `files`.
pub fn json(files: &[FileDiagnostics]) -> serde_json::Result<String> {
    let json = serde_json::to_string_pretty(&Statistics::of(files))? + "\n";
    Ok(output::escaped_json(&json).into_owned())
}
