use super::*;

#[test]
fn native_paths() {
    for (native, expected) in [
        ("/", Some("/")),
        ("/a//b/./c/../d/", Some("/a/b/d")),
        ("/../..", Some("/")),
        ("/a/.b/c..d/...", Some("/a/.b/c..d/...")),
        ("//a/b", Some(if cfg!(windows) { "//a/b" } else { "/a/b" })),
        (r"/a\b", Some(r"/a\b")),
        ("C:", None),
        ("C:x", None),
        (r"C:\", Some("c:/")),
        ("c:/", Some("c:/")),
        (r"C:\Puppet\.\Code\", Some("c:/Puppet/Code")),
        (r"C:\..\..\x", Some("c:/x")),
        (r"\\?\C:\x", Some("c:/x")),
        (r"\\Server\share", Some("//server/share")),
        (r"\\Server\share\a\..\..\..\b", Some("//server/share/b")),
        (r"\\?\UNC\server\share\x", Some("//server/share/x")),
        (r"\\server", None),
        ("relative/path", None),
        ("", None),
        ("~/x", None),
    ] {
        assert_eq!(FilePath::from_native(native).as_ref().map(FilePath::as_str), expected, "{native}");
    }
}

#[test]
fn uris() {
    for (uri, expected) in [
        ("file:///a/b.pp", Some("/a/b.pp")),
        ("file:///a%20b/%C3%A4.pp", Some("/a b/ä.pp")),
        ("file:///a%2Fb", Some("/a/b")),
        ("FILE:///a", Some("/a")),
        ("file:/a", Some("/a")),
        ("file://localhost/a", Some("/a")),
        ("file:///a?query#fragment", Some("/a")),
        ("file:///c%3A/x", Some("c:/x")),
        ("file:///C:/x/../y", Some("c:/y")),
        ("file:///C:", Some("c:/")),
        ("file://server/share/x", Some("//server/share/x")),
        ("file://server", None),
        ("file:///a%FF", None),
        ("file:///100%", Some("/100%")),
        ("untitled:Untitled-1", Some("untitled:Untitled-1")),
        ("vscode-remote://host/x.pp", Some("vscode-remote://host/x.pp")),
        ("no uri", None),
        (":x", None),
        ("1x:y", None),
    ] {
        assert_eq!(FilePath::from_uri(uri).as_ref().map(FilePath::as_str), expected, "{uri}");
    }
}

#[test]
fn paths_round_trip_through_uris() {
    for (native, uri) in [
        ("/a b/ä#?%.pp", "file:///a%20b/%C3%A4%23%3F%25.pp"),
        ("/a:b", "file:///a:b"),
        (r"C:\x y", "file:///c%3A/x%20y"),
        (r"C:\", "file:///c%3A/"),
        (r"\\server\share\x", "file://server/share/x"),
    ] {
        let path = FilePath::from_native(native).expect(native);
        assert_eq!(path.to_uri(), uri);
        assert_eq!(path.to_native(), native);
        assert_eq!(FilePath::from_uri(uri).as_ref(), Some(&path));
        assert_eq!(FilePath::from_normalised(path.as_str()).as_ref(), Some(&path));
    }
}

#[test]
fn parents_names_and_joins() {
    for (path, parent, name, extension) in [
        ("/a/b.pp", Some("/a"), "b.pp", Some("pp")),
        ("/a", Some("/"), "a", None),
        ("/", None, "", None),
        ("c:/x", Some("c:/"), "x", None),
        ("c:/", None, "", None),
        ("//s/share/x.y.epp", Some("//s/share"), "x.y.epp", Some("epp")),
        ("//s/share", None, "share", None),
        ("/a/.hidden", Some("/a"), ".hidden", None),
    ] {
        let path = FilePath(path.into());
        assert_eq!(path.parent().as_ref().map(FilePath::as_str), parent, "{path}");
        assert_eq!((path.file_name(), path.extension()), (name, extension), "{path}");
    }
    assert_eq!(FilePath("untitled:a/b".into()).parent(), None);
    for (folder, relative, expected) in [
        ("/", "a/b", "/a/b"),
        ("/a", "../../b", "/b"),
        ("c:/", "x", "c:/x"),
        ("c:/a", "./b/", "c:/a/b"),
        ("//s/share", "x", "//s/share/x"),
        ("//s/share/y", "../../x", "//s/share/x"),
    ] {
        assert_eq!(FilePath(folder.into()).join(relative).as_str(), expected, "{folder} {relative}");
    }
}

#[test]
fn relative_paths_below_folders() {
    for (path, folder, expected) in [
        ("/a/b/c", "/a", Some("b/c")),
        ("/a/b", "/", Some("a/b")),
        ("/a", "/a", Some("")),
        ("/ab", "/a", None),
        ("c:/a", "c:/", Some("a")),
        ("//s/share/x", "//s/share", Some("x")),
        ("//s/shared", "//s/share", None),
    ] {
        assert_eq!(FilePath(path.into()).strip_prefix(&FilePath(folder.into())), expected, "{path} {folder}");
    }
}

#[test]
fn a_path_and_its_ancestors() {
    for (path, expected) in [
        ("/a/b.pp", "/a/b.pp /a /"),
        ("/", "/"),
        ("c:/x/y", "c:/x/y c:/x c:/"),
        ("//s/share/x/y", "//s/share/x/y //s/share/x //s/share"),
        ("untitled:a/b", "untitled:a/b"),
    ] {
        let path = FilePath(path.into());
        let found: Vec<&str> = path.and_around().collect();
        assert_eq!(found.join(" "), expected);
        let parents: Vec<FilePath> = std::iter::successors(Some(path.clone()), FilePath::parent).collect();
        assert_eq!(found, parents.iter().map(FilePath::as_str).collect::<Vec<_>>());
        assert!(parents.iter().all(|it| path.starts_with(it)));
    }
}
