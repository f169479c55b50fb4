use super::*;

#[test]
fn the_data_is_well_formed_and_sorted() {
    let types = read_data_types(FILE).expect("the data file is well-formed");
    assert!(types.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert!(types.iter().all(|it| !it.documentation.is_empty()));
    assert!(types.iter().all(|it| !it.needs_parameters || it.parameters.starts_with('[')));
}
