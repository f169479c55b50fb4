use disk::config::Config;
use serde_json::json;

use super::*;
use crate::main_loop::test_context::{TestContext, file_path};

/// Returns whether settings have changed something, and whether all open files are checked again.
fn applied(settings: &SessionSettings, test: &mut TestContext) -> (bool, bool) {
    let has_changed = settings.apply(&mut test.ctx);
    (has_changed, test.affected().is_some_and(|it| it.everything))
}

#[test]
fn settings_take_effect_once() {
    let mut test = TestContext::new();
    let mut settings = SessionSettings::default();
    assert_eq!(applied(&settings, &mut test), (false, false));
    settings.set_client(&json!({ "inlayHints": { "types": true } }), &test.ctx.client);
    let with_types = settings.layers.config();
    assert_ne!(with_types, Config::default());
    assert_eq!(applied(&settings, &mut test), (true, true));
    assert_eq!(test.ctx.config, with_types);
    assert_eq!(applied(&settings, &mut test), (false, false));
    // Invalid settings change nothing.
    settings.set_client(&json!({ "inlayHints": { "types": 5 } }), &test.ctx.client);
    assert_eq!(applied(&settings, &mut test), (false, false));
}

#[test]
fn pushed_settings_count_if_the_client_has_no_answer() {
    let test = TestContext::new();
    let mut settings = SessionSettings::default();
    settings.set_sent(json!({ "inlayHints": { "types": true } }));
    settings.set_answered(&Value::Null, &test.ctx.client);
    let pushed = settings.layers.config();
    assert_ne!(pushed, Config::default());
    settings.set_answered(&json!({}), &test.ctx.client);
    assert_eq!(settings.layers.config(), Config::default());
}

#[test]
fn removed_folders_take_their_settings_along() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(config::FILE_NAME);
    std::fs::write(&file, "strict = \"error\"\n").expect("a writable folder");
    let mut test = TestContext::new();
    let mut settings = SessionSettings::default();
    let root = file_path(folder.path().to_str().expect("UTF-8"));
    let files = config::RepositorySettings::read(&file);
    settings.set_root(&root, &files, ide::PuppetLintConfiguration::default(), &test.ctx.client);
    assert_eq!(applied(&settings, &mut test), (true, true));
    assert_ne!(test.ctx.config.settings, Config::default().settings);
    settings.remove_root(&root);
    assert_eq!(applied(&settings, &mut test), (true, true));
    assert_eq!(test.ctx.config, Config::default());
}
