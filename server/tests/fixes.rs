//! Tests of `check` with style rules, fixes, baselines and reports.

use std::fs;

use crate::folders::Folder;

/// Runs `check --format concise --fail-on warning` and returns standard output, standard error and the exit
/// code.
fn check(folder: &Folder, arguments: &[&str]) -> (String, String, i32) {
    let base = ["check", "--format", "concise", "--fail-on", "warning"];
    let arguments: Vec<&str> = base.iter().chain(arguments).copied().collect();
    let ran = folder.run(&arguments);
    (ran.stdout, ran.stderr, ran.code.expect("an exit code"))
}

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).expect("exists")
}

/// Returns the reported rules in location order.
fn rules(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let (output, _, _) = check(folder, arguments);
    let rule = |line: &str| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned());
    output.lines().filter_map(rule).collect()
}

const MANIFEST: (&str, &str) = ("a.pp", "$a = \"x\" \n$b = [ 1]\n");

#[test]
fn style_rules_are_opt_in() {
    let both = ["double-quoted-strings", "trailing-whitespace"];
    let all = ["double-quoted-strings", "trailing-whitespace", "manifest-whitespace-opening-bracket-after"];
    let toml = "select = ['puppet-lint']\nignore = ['trailing_whitespace']\n";
    for (name, text, arguments, expected) in [
        ("readme.md", "", &[][..], &[][..]),
        ("readme.md", "", &["--select", "puppet-lint"], &both),
        ("readme.md", "", &["--select", "style"], &all),
        ("readme.md", "", &["--select", "style", "--ignore", "vox-pupuli"], &both),
        (".puppet-lint.rc", "--fail-on-warnings\n", &[], &both),
        (".puppet-lint.rc", "--no-trailing_whitespace-check\n", &[], &both[..1]),
        (".puppet-lint.rc", "--ignore-paths=a*\n", &[], &[]),
        ("Rakefile", "PuppetLint.configuration.send('disable_trailing_whitespace')\n", &[], &both[..1]),
        ("Rakefile", "task :x\n", &[], &[]),
        ("puppet-analyzer.toml", toml, &[], &both[..1]),
        ("puppet-analyzer.toml", "[lint]\ntrailing_whitespace = 'error'\n", &[], &both[1..]),
        ("puppet-analyzer.toml", "select = ['style']\n[per-file]\n'a.pp' = ['style']\n", &[], &[]),
        ("b.pp", "# lint:ignore-file:trailing_whitespace\n$c = 1 \n", &["b.pp", "--select", "style"], &[]),
        (
            "b.pp",
            "$c = 1 # lint:ignore:hard_tabs\n$d =\t1\n",
            &["b.pp", "--select", "hard_tabs"],
            &["hard-tabs"],
        ),
    ] {
        let folder = Folder::new("select", &[MANIFEST, (name, text)]);
        assert_eq!(rules(&folder, arguments), expected, "{name}: {text} {arguments:?}");
    }
    let folder =
        Folder::new("gems", &[MANIFEST, (".puppet-lint.rc", ""), ("Gemfile", "gem 'voxpupuli-test'\n")]);
    assert_eq!(rules(&folder, &[]), all);
}

#[test]
fn rejected_options_are_reported() {
    let folder = Folder::new("refused", &[MANIFEST, (".puppet-lint.rc", "--fix\n")]);
    let (_, errors, code) = check(&folder, &[]);
    assert!(errors.contains("ignoring `--fix` in the .puppet-lint.rc"), "{errors}");
    assert_eq!((code, text(&folder, "a.pp").as_str()), (1, MANIFEST.1));
    let (_, errors, code) = check(&folder, &["--select", "no-such-rule"]);
    assert!(errors.contains("unknown rule or rule group `no-such-rule`"), "{errors}");
    assert_eq!(code, 2);
}

#[test]
fn fixes_are_applied_completely() {
    let before = "class m {\r\n\t$a = \"x\" \r\n  $b = {'k'=>1 }\r\n}\r\n";
    let after = "class m {\r\n  $a = 'x'\r\n  $b = { 'k'=> 1 }\r\n}\r\n";
    let folder = Folder::new("fix", &[("a.pp", before)]);
    let arguments = ["--select", "style", "--ignore", "documentation,autoloader_layout", "--fix"];
    let (diff, _, code) = check(&folder, &[&arguments[..], &["--diff"]].concat());
    assert!(diff.contains("+  $a = 'x'") && code == 1, "{diff}");
    assert_eq!(text(&folder, "a.pp"), before);
    let (left, errors, _) = check(&folder, &arguments);
    assert_eq!(text(&folder, "a.pp"), after, "{left}{errors}");
    assert!(errors.contains("fixed in 1 file"), "{errors}");
    let (diff, _, code) = check(&folder, &[&arguments[..], &["--diff"]].concat());
    assert_eq!((diff.as_str(), code), ("", 0));
}

#[test]
fn unsafe_fixes_are_opt_in() {
    let folder = Folder::new("unsafe", &[("a.pp", "package { 'x': ensure => latest }\n")]);
    let arguments = ["--select", "package_ensure", "--fix"];
    let (_, errors, code) = check(&folder, &arguments);
    assert!(errors.contains("use `--unsafe-fixes` to apply them") && code == 1, "{errors}");
    let (_, _, code) = check(&folder, &[&arguments[..], &["--unsafe-fixes"]].concat());
    assert_eq!((text(&folder, "a.pp").as_str(), code), ("package { 'x': ensure => installed }\n", 0));
}

#[test]
fn fixes_are_announced() {
    let manifest = "package { \"x\": ensure => latest }\n";
    let folder = Folder::new("announced", &[("a.pp", manifest)]);
    let both = ["--select", "package_ensure,double_quoted_strings"];
    for (arguments, expected) in [
        (&["check"][..], "No findings in 1 file\n"),
        (&["check", both[0], both[1]], "(1 fixable with `--fix`, 1 more with `--unsafe-fixes`)\n"),
        (&["check", both[0], "package_ensure"], "(1 fixable with `--fix --unsafe-fixes`)\n"),
        (&["check", both[0], both[1], "--statistics"], "[double-quoted-strings] in 1 file, 1 fixable\n"),
        (
            &["check", both[0], both[1], "--statistics"],
            "[package-ensure] in 1 file, 1 with `--unsafe-fixes`\n",
        ),
        (&["check", both[0], both[1], "--fix", "--diff"], "1 finding would be fixed in 1 file\n"),
        (&["check", "--fix"], "rules of style are off; `--select style` enables them and their fixes\n"),
    ] {
        let ran = folder.run(arguments);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(expected), "{arguments:?}: {ran:?}");
    }
    let json = folder.run(&["check", both[0], both[1], "--statistics", "--format", "json"]).json();
    assert_eq!((&json["rules"][1]["fixable"], &json["rules"][1]["unsafeFixes"]), (&0.into(), &1.into()));
    let ran = folder.run(&["check", "--fix", "--select", "hard_tabs"]);
    assert!(!ran.stderr.contains("rules of style are off"), "{ran:?}");
}

#[test]
fn lower_levels_are_hidden() {
    let broken = "notify { 'a': }\nnotify { 'a': }\n";
    let folder = Folder::new("levels", &[("a.pp", "$a = 1 \n$b = 1 \n"), ("b.pp", "class m($x, $x) { }\n")]);
    let of = |arguments: &[&str]| {
        folder.run(&[&["check", "--select", "hard_tabs,trailing_whitespace"], arguments].concat())
    };
    let ran = of(&["--min-level", "error"]);
    assert!(!ran.stdout.contains("warning[") && ran.code == Some(1), "{ran:?}");
    assert!(
        ran.stdout.ends_with("Found 1 error in 1 of 2 files; 2 findings of lower levels not shown\n"),
        "{ran:?}"
    );
    // Errors go first, although there are more warnings.
    let lines = of(&["--statistics"]).stdout;
    assert!(lines.starts_with("1  error[duplicate-parameter] in 1 file\n2  warning[trailing-"), "{lines}");
    assert_eq!(of(&["--statistics", "--min-severity", "error"]).stdout.lines().count(), 1);
    folder.write(&[("b.pp", broken)]);
    let ran = of(&["--min-level", "error", "a.pp"]);
    assert_eq!(ran.stdout, "No errors in 1 file; 2 findings of lower levels not shown\n");
    assert_eq!(ran.code, Some(0));
    assert_eq!(of(&["--min-level", "hint", "--hints"]).code, Some(2));
    // Without a level, nothing is hidden.
    assert!(of(&["a.pp"]).stdout.ends_with("Found 2 warnings in 1 file (2 fixable with `--fix`)\n"));
}

#[test]
fn baseline_tolerates_moved_lines() {
    let folder = Folder::new("baseline", &[("m/a.pp", "notice(1) \n$b = 2\n")]);
    let select = ["--select", "trailing_whitespace"];
    let baseline = ["--baseline", "known.json"];
    let (output, _, code) = check(&folder, &[&select[..], &baseline, &["--write-baseline"]].concat());
    assert_eq!((output.as_str(), code), ("", 0));
    assert_eq!(rules(&folder, &[&select[..], &baseline].concat()), [""; 0]);
    assert_eq!(rules(&folder, &[&select[..], &["--baseline", "m/../known.json"]].concat()), [""; 0]);
    folder.write(&[("m/a.pp", "# new\n\n  notice(1) \nnotice(1) \n$b = 2 \n")]);
    let (output, _, code) = check(&folder, &[&select[..], &baseline].concat());
    let places: Vec<&str> = output.lines().filter_map(|it| it.split(": ").next()).collect();
    assert_eq!((places, code), (vec!["m/a.pp:4:10", "m/a.pp:5:7"], 1));
    let (_, errors, code) = check(&folder, &["--baseline", "m/a.pp"]);
    assert!(errors.contains("is not a baseline") && code == 2, "{errors}");
}

#[test]
fn since_only_reports_changed_lines() {
    let folder = Folder::new("since", &[("a.pp", "$a = 1 \n$b = 2\n"), ("b.pp", "$c = 1 \n")]);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "first"]);
    let arguments = ["--select", "trailing_whitespace", "--since", "HEAD"];
    assert_eq!(check(&folder, &arguments).0, "");
    folder.write(&[("a.pp", "# new\n$a = 1 \n$b = 2 \n"), ("c.pp", "$d = 1 \n")]);
    let (output, _, _) = check(&folder, &arguments);
    let places: Vec<&str> = output.lines().filter_map(|it| it.split(": ").next()).collect();
    assert_eq!(places, ["a.pp:3:7", "c.pp:1:7"]);
    assert_eq!(check(&folder, &["--since", "no-such-revision"]).2, 2);
}

#[test]
fn upgrade_findings() {
    let text = "notice($::osfamily)\n$a = { 'k' => 1, 'k' => 2 }\n$b = no_such_function()\n";
    let folder = Folder::new("upgrade", &[("a.pp", text)]);
    let (output, _, code) = check(&folder, &["--upgrade-to", "8"]);
    assert!(output.contains("error[duplicate-key]") && output.contains("[legacy-fact]"), "{output}");
    assert!(!output.contains("no_such_function") && code == 1, "{output}");
}

#[test]
fn machine_readable_reports() {
    let folder = Folder::new("reports", &[("a.pp", "$a = 1 \n$b = 1 \n"), ("b<.pp", "$c = 1\n")]);
    let of = |arguments: &[&str]| {
        folder.run(&[&["check", "--select", "trailing_whitespace"], arguments].concat()).stdout
    };
    assert_eq!(of(&["--statistics"]), "2  warning[trailing-whitespace] in 1 file, 2 fixable\n");
    let issues: serde_json::Value = serde_json::from_str(&of(&["--format", "gitlab"])).expect("JSON");
    assert_eq!(issues[1]["check_name"], "trailing-whitespace");
    assert_eq!(issues[1]["location"]["lines"]["begin"], 2);
    assert_ne!(issues[0]["fingerprint"], issues[1]["fingerprint"]);
    let xml = of(&["--format", "junit"]);
    assert!(xml.contains("tests=\"3\" failures=\"2\" errors=\"0\""), "{xml}");
    assert!(xml.contains("classname=\"b&lt;.pp\""), "{xml}");
}

#[test]
fn conflicting_fixes_terminate() {
    let text = "x {\n  \"${a}/b\":                value =>\n    'c';\n  'd': value => 'e';\n}\n";
    let folder = Folder::new("undo", &[("a.pp", text)]);
    let arguments = ["--select", "style", "--fix"];
    check(&folder, &arguments);
    let (diff, errors, code) = check(&folder, &[&arguments[..], &["--diff"]].concat());
    assert_eq!((diff.as_str(), code), ("", 0), "{errors}");
}

#[test]
fn legacy_facts_in_data_are_fixed() {
    let hiera = "---\r\nversion: 5 # %{::osfamily}\r\nhierarchy:\r\n  - {name:  \"x\",\r\n     path: 'os/%{::osfamily}/%{ operatingsystem }.yaml'}\r\n  - name: c\r\n    path: common.yaml";
    let data = "# %{::fqdn}\na:   &x  [\"%{::fqdn}\" ,'%{facts.ipaddress_eth0}']   # odd\nb: *x\nc: >\n  %{::memorysize_mb}\n\n";
    let files = [("environment.conf", ""), ("hiera.yaml", hiera), ("data/common.yaml", data)];
    let folder = Folder::new("legacy-data", &files);
    assert_eq!(rules(&folder, &[]), ["legacy-fact"; 5]);
    check(&folder, &["--fix", "--unsafe-fixes"]);
    let hiera = hiera
        .replace("'os/%{::osfamily}", "'os/%{facts.os.family}")
        .replace(" operatingsystem ", " facts.os.name ");
    let data = data
        .replace("\"%{::fqdn}", "\"%{facts.networking.fqdn}")
        .replace("facts.ipaddress_eth0", "facts.networking.interfaces.eth0.ip");
    assert_eq!((text(&folder, "hiera.yaml"), text(&folder, "data/common.yaml")), (hiera, data));
    // There is no fix for facts without a modern equivalent.
    assert_eq!(rules(&folder, &[]), ["legacy-fact"]);
}

#[test]
fn added_comments_suppress_the_findings() {
    let style =
        format!("$long = {} \n$b = @(END)\n  text  \n  | END\n# x\t\n$c = \"x\"\n", "'x'.f".repeat(30));
    let files = [
        ("environment.conf", ""),
        ("manifests/a.pp", style.as_str()),
        ("manifests/b.pp", "notice($nothing, $::osfamily)\n"),
        ("manifests/c.pp", "notice($nothing +)\n"),
        ("data/common.yaml", "a: '%{::osfamily}' # why\nb: |\n  %{::osfamily}\n  #\n"),
        ("modules/m/templates/a.epp", "<% if $nothing { -%>\nx\n<% } %>\n"),
        ("modules/m/metadata.json", "{}\n"),
    ];
    let folder = Folder::new("add-ignore", &files);
    let arguments = ["--select", "style", "--add-ignore"];
    let before = rules(&folder, &arguments[..2]);
    let (diff, errors, code) = check(&folder, &[&arguments[..], &["--diff"]].concat());
    assert!(diff.contains("+notice($nothing, $::osfamily) # lint:ignore:"), "{diff}");
    assert!(code == 1 && errors.contains("not ignored: no comment can hide them"), "{errors}");
    assert_eq!(text(&folder, "manifests/a.pp"), style);
    let (left, errors, _) = check(&folder, &arguments);
    let is_expected = |line: &&str| {
        line.starts_with("manifests/c.pp") && line.contains("syntax-error") || line.contains("metadata.json")
    };
    assert!(left.lines().all(|it| is_expected(&it)), "{before:?}: {left}{errors}");
    let (again, _, _) = check(&folder, &arguments[..2]);
    assert_eq!(again, left);
    let (diff, _, code) = check(&folder, &[&arguments[..], &["--diff"]].concat());
    assert_eq!((diff.as_str(), code), ("", 0));
}

#[test]
fn rejected_code_is_not_ignored() {
    let files = [
        ("environment.conf", ""),
        ("manifests/site.pp", "node 'a' { include m }\n"),
        (
            "modules/m/manifests/init.pp",
            "class m {\n  notify { 'x': mesage => $::osfamily }\n  include m::gone\n}\n",
        ),
        ("modules/m/manifests/git-daemon.pp", "class m::git-daemon {\n}\n"),
        ("modules/m/manifests/broken.pp", "class m::broken {\n  notice($nothing +)\n}\n"),
    ];
    let folder = Folder::new("add-ignore-errors", &files);
    let (left, errors, code) = check(&folder, &["--add-ignore"]);
    for line in [
        "warning: 3 findings not ignored: Puppet rejects the code",
        "  modules/m/manifests/git-daemon.pp:1: illegal-definition-name",
        "  modules/m/manifests/init.pp:2: unknown-attribute",
        "  modules/m/manifests/init.pp:3: unknown-class",
        "warning: 1 finding not ignored: Puppet cannot read the file, which may have further findings",
        "  modules/m/manifests/broken.pp:2: syntax-error",
    ] {
        assert!(errors.lines().any(|it| it == line), "{line}: {errors}");
    }
    assert_eq!((left.lines().count(), code), (4, 1), "{left}");
    assert!(!left.contains("legacy-fact"), "{left}");
    assert!(!text(&folder, "modules/m/manifests/git-daemon.pp").contains("lint:ignore"));
    // A level of the settings is a decision of the user.
    folder.write(&[("puppet-analyzer.toml", "[lint]\nunknown-class = 'warning'\n")]);
    let (left, _, _) = check(&folder, &["--add-ignore"]);
    assert_eq!(left.lines().count(), 3, "{left}");
}

#[test]
fn added_comments_have_no_findings_of_their_own() {
    let text =
        "class a {\n    # x\n\t  # y\n   \n    $b = 1\n}\n".replace("    $b = 1\n", &"    # z\n".repeat(150));
    let folder = Folder::new("add-ignore-comments", &[("manifests/init.pp", text.as_str())]);
    let arguments = ["--select", "strict_indent,hard_tabs,2sp_soft_tabs,trailing_whitespace,80chars"];
    assert!(check(&folder, &[&arguments[..], &["--add-ignore"]].concat()).0.is_empty());
    assert_eq!(check(&folder, &arguments).0, "");
}
