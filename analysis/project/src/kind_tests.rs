use super::*;

#[test]
fn kinds_by_path() {
    for (path, expected) in [
        ("/m/manifests/init.pp", Some(FileKind::Manifest)),
        ("/m/files/x.epp", Some(FileKind::EppTemplate)),
        ("untitled:Untitled-1", Some(FileKind::Manifest)),
        ("/m/templates/a/x.conf.erb", Some(FileKind::ErbTemplate)),
        ("/m/templates/a/x.conf", Some(FileKind::Asset)),
        ("/m/lib/puppet/functions/m/x.rb", Some(FileKind::RubyPlugin)),
        ("/m/lib/puppet/util/x.rb", None),
        ("/m/lib/puppet_x/m/x.rb", Some(FileKind::RubyPlugin)),
        ("/m/mylib/puppet/type/x.rb", None),
        ("/m/lib/facter/x.rb", Some(FileKind::RubyPlugin)),
        ("/m/spec/x.rb", Some(FileKind::Spec)),
        ("/m/spec/classes/x_spec.rb", Some(FileKind::Spec)),
        ("/m/spec/fixtures/modules/a/x_spec.rb", None),
        ("/m/files/a/x", Some(FileKind::Asset)),
        ("/m/tasks/x.json", Some(FileKind::TaskMetadata)),
        ("/m/tasks/x.sh", Some(FileKind::Asset)),
        ("/m/facts.d/x.yaml", Some(FileKind::ExternalFact)),
        ("/r/data/nodes/x.eyaml", Some(FileKind::Data)),
        ("/r/elsewhere/x.yaml", Some(FileKind::Data)),
        ("/r/hiera.yaml", Some(FileKind::HieraConfiguration)),
        ("/r/Puppetfile", Some(FileKind::Puppetfile)),
        ("/m/README.md", None),
        ("/m/.fixtures.yml", Some(FileKind::Fixtures)),
    ] {
        let file = FilePath::from_native(path).or_else(|| FilePath::from_uri(path)).expect(path);
        assert_eq!(FileKind::of_path(&file), expected, "{path}");
    }
}

#[test]
fn kinds_below_a_module() {
    for (relative, expected) in [
        ("files/data/x.yaml", Some(FileKind::Asset)),
        ("files/metadata.json", Some(FileKind::Asset)),
        ("files/x.pp", Some(FileKind::Manifest)),
        ("templates/lib/x.erb", Some(FileKind::ErbTemplate)),
        ("templates/site.pp", Some(FileKind::ErbTemplate)),
        ("spec/data/x.yaml", None),
        ("spec/classes/x_spec.rb", Some(FileKind::Spec)),
        ("spec/fixtures/x_spec.rb", None),
        ("data/common.yaml", Some(FileKind::Data)),
        ("lib/puppet/type/x.rb", Some(FileKind::RubyPlugin)),
        ("metadata.json", Some(FileKind::ModuleMetadata)),
    ] {
        assert_eq!(FileKind::of_relative(relative), expected, "{relative}");
    }
}
