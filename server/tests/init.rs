//! Tests of `init`.

use std::fs;

use crate::folders::Folder;

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).expect("exists")
}

/// Checks that a run with the written settings reports neither unknown keys nor rules.
fn check_settings(folder: &Folder) {
    let ran = folder.run(&["check", "--exit-zero"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stderr.contains("puppet-analyzer.toml"), "{ran:?}");
}

#[test]
fn settings_of_a_control_repository() {
    let folder = Folder::new(
        "init-control",
        &[
            ("environment.conf", "modulepath = site-modules:modules:$basemodulepath\n"),
            ("Puppetfile", "mod 'puppetlabs-stdlib', '9.0.0'\nmod 'puppetlabs-concat', '9.0.0'\n"),
            ("site-modules/a/manifests/init.pp", "class a { }\n"),
            ("thirdparty/b/manifests/init.pp", "class b { }\n"),
            ("thirdparty/c/manifests/init.pp", "class c { }\n"),
            (".gitlab-ci.yml", "stages: [test]\n"),
        ],
    );
    let ran = folder.run(&["init", "--dry-run"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("module-path = [\"thirdparty\"]"), "{ran:?}");
    assert!(!folder.0.join("puppet-analyzer.toml").exists());
    let ran = folder.run(&["init"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "found a control repository",
        "found 1 module in `site-modules`",
        "found 2 modules in `thirdparty`",
        "found 2 modules in the Puppetfile; install them before a check (`r10k puppetfile install`)",
        "wrote `puppet-analyzer.toml`",
        "`.gitlab-ci.yml` exists: `puppet-analyzer init --ci gitlab` writes a job",
    ] {
        assert!(ran.stderr.lines().any(|it| it == line), "{line}: {ran:?}");
    }
    check_settings(&folder);
    // Existing files are never overwritten, and others are written nevertheless.
    folder.write(&[("puppet-analyzer.toml", "# mine\n")]);
    assert_eq!(folder.run(&["init"]).code, Some(1));
    let ran = folder.run(&["init", "--ci", "gitlab", "--ci", "jenkins", "--ci", "github", "--pre-commit"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(text(&folder, "puppet-analyzer.toml"), "# mine\n");
    assert_eq!(text(&folder, ".gitlab-ci.yml"), "stages: [test]\n");
    for file in [".gitlab/puppet-analyzer.yml", "Jenkinsfile", ".github/workflows/puppet-analyzer.yml"] {
        assert!(text(&folder, file).contains("r10k puppetfile install"), "{file}");
        assert!(text(&folder, file).contains(env!("CARGO_PKG_VERSION")), "{file}");
    }
    assert!(text(&folder, ".pre-commit-config.yaml").contains("id: puppet-analyzer"));
    assert!(ran.stderr.contains("must be published before they run; `--rev` chooses another"), "{ran:?}");
    let arguments = ["init", "--ci", "github", "--pre-commit", "--force", "--rev"];
    for (revision, expected, builds) in [("main", "@main\n", true), ("v9.8.7", "@v9.8.7\n", false)] {
        let ran = folder.run(&[&arguments[..], &[revision]].concat());
        assert!(ran.code == Some(0) && !ran.stderr.contains("published"), "{ran:?}");
        let job = text(&folder, ".github/workflows/puppet-analyzer.yml");
        assert_eq!(
            (job.contains(expected), job.contains("build-from-source: true")),
            (true, builds),
            "{job}"
        );
        let hooks = text(&folder, ".pre-commit-config.yaml");
        assert!(hooks.contains(&format!("rev: {revision}\n")), "{hooks}");
    }
    assert_eq!(folder.run(&["init", "--ci", "jenkins", "--rev", "main"]).code, Some(2));
    assert_eq!(folder.run(&["init", "--rev", "a b"]).code, Some(2));
    assert_eq!(folder.run(&["init", "--force"]).code, Some(0));
    assert_ne!(text(&folder, "puppet-analyzer.toml"), "# mine\n");
}

#[test]
fn settings_of_puppet_lint_are_migrated() {
    let metadata = r#"{ "name": "x-y", "requirements": [{ "name": "puppet", "version_requirement": ">= 6.0.0 < 8.0.0" }] }"#;
    let folder = Folder::new(
        "init-lint",
        &[
            ("metadata.json", metadata),
            ("Rakefile", "PuppetLint.configuration.send('disable_140chars')\n"),
            (".puppet-lint.rc", "--no-trailing_whitespace-check\n--ignore-paths=vendor/**/*.pp\n"),
            ("manifests/init.pp", "# x\nclass y {\n  $a = \"b\" \n  notice($a)\n}\n"),
        ],
    );
    let before = folder.run(&["check", "--format", "concise"]).stdout;
    assert!(before.contains("double-quoted-strings"), "{before}");
    assert_eq!(folder.run(&["init", "--ci", "jenkins"]).code, Some(0));
    let settings = text(&folder, "puppet-analyzer.toml");
    for line in [
        "puppet-version = 7",
        "# The checks that puppet-lint runs here, from .puppet-lint.rc, Rakefile.",
        "select = [\"puppet-lint\"]",
        "\"vendor/**/*.pp\" = [\"pedantic\"]",
    ] {
        assert!(settings.lines().any(|it| it == line), "{line}: {settings}");
    }
    let ignored = settings.lines().find(|it| it.starts_with("ignore = ")).expect("exists");
    assert!(ignored.contains("140chars") && ignored.contains("trailing_whitespace"), "{ignored}");
    assert!(!text(&folder, "Jenkinsfile").contains("r10k"));
    check_settings(&folder);
    // The settings alone select the same rules.
    for file in ["Rakefile", ".puppet-lint.rc"] {
        fs::remove_file(folder.0.join(file)).expect("exists");
    }
    assert_eq!(folder.run(&["check", "--format", "concise"]).stdout, before);
}
