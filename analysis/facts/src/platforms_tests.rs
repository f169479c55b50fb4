use super::*;

#[test]
fn the_file_is_well_formed() {
    let platforms = read_platforms(PLATFORMS_FILE).expect("the data file is well-formed");
    let mut names: Vec<_> = platforms.iter().map(|it| &it.name).collect();
    names.sort();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "names are unique");
    for platform in &platforms {
        assert!(!platform.family.is_empty(), "{} has no family", platform.name);
        assert!(layers::exists(&platform.layer), "{}: no layer {}", platform.name, platform.layer);
    }
}
