use super::*;

#[test]
fn the_data_is_well_formed_and_documented() {
    let types = read_resource_types(FILES).expect("the data files are well-formed");
    let metaparameters = read_metaparameters(METAPARAMETERS_FILE).expect("the data file is well-formed");
    for ty in &types.all {
        assert!(!ty.documentation.is_empty(), "{}", ty.name);
        assert!(ty.attributes.iter().any(|it| it.is_name_variable), "{} has no name variable", ty.name);
        for attribute in &ty.attributes {
            check(&ty.name, attribute);
            for feature in &attribute.required_features {
                assert!(ty.features.iter().any(|it| it.name == *feature), "{}: {feature}", ty.name);
            }
            assert!(!metaparameters.iter().any(|it| it.name == attribute.name), "{}", attribute.name);
        }
    }
    assert_eq!(types.by_name.len(), types.all.len(), "type names are unique");
    metaparameters.iter().for_each(|it| check("metaparameter", it));
}

fn check(owner: &str, attribute: &ResourceAttribute) {
    let name = format!("{owner} {}", attribute.name);
    assert!(!attribute.documentation.is_empty(), "{name} has no documentation");
    for (_, value) in &attribute.value_aliases {
        assert!(attribute.values.contains(value), "{name}: {value}");
    }
    for value in attribute.values.iter().chain(&attribute.default) {
        assert!(!value.is_empty(), "{name}");
    }
}
