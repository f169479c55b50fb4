use super::*;

/// Checks the folder structures of packages and checkouts.
#[test]
fn installed_files() {
    const OWN: [&str; 2] = ["lib/puppet/functions/a.rb", "lib/puppet/type/b.rb"];
    let scratch = std::env::temp_dir().join(format!("puppet-analyzer-installed-{}", std::process::id()));
    for (number, (ruby, others, more)) in [
        ("", vec![], vec![]),
        ("lib", vec!["lib/puppet/util/c.rb"], vec![]),
        (
            "lib/ruby/vendor_ruby",
            vec!["vendor_modules/x_core/lib/puppet/type/x.rb", "vendor_modules/y_core/metadata.json"],
            vec!["lib/puppet/type/x.rb"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = scratch.join(number.to_string());
        let write = |path: PathBuf| {
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "# text").expect("written");
        };
        write(folder.join(ruby).join("puppet/functions/a.rb"));
        write(folder.join(ruby).join("puppet/type/b.rb"));
        others.iter().for_each(|it| write(folder.join(it)));
        let found = read(folder.to_str());
        let files = found.iter().flat_map(|it| &it.files).map(|(below, _, _)| below.as_str());
        let expected: Vec<&str> = OWN.into_iter().chain(more).collect();
        assert_eq!(files.collect::<Vec<_>>(), expected, "{ruby}");
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert_eq!(read(Some(NONE)), []);
    assert_eq!(read(Some("/nowhere")), []);
}
