use super::*;

#[test]
fn the_data_is_well_formed_and_documented() {
    let metadata = read_metadata(FILE).expect("the data file is well-formed");
    for key in metadata.keys.iter().flat_map(|key| key.keys.iter().chain([key])) {
        assert!(!key.documentation.is_empty(), "{} has no documentation", key.name);
    }
    assert!(metadata.systems.is_sorted_by(|a, b| a.name < b.name));
    assert!(metadata.licenses.is_sorted());
    let windows = metadata.systems.last().expect("systems");
    assert!(windows.releases.iter().any(|it| it == "2012 R2"), "{windows:?}");
}
