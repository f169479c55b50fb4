use super::*;

#[test]
fn keys_classes_and_interpolations_are_names() {
    let text = "---\na::port: 80\n'b::x': \"%{facts.os.family} %{::a::y} %{lookup('c::z.d')}\"\n\
                    lookup_options:\n  a::port: { merge: hash }\n  '^a::.*': {}\nclasses:\n  - ::a::B\n  - 1 x\n\
                    include: { default: [a::b, '::a::c', ntp, 'a::b c', \"%{a::d}\", File::A], a::e: {} }\n";
    let uses = data_name_uses(DataFormat::Yaml, text);
    let shown: Vec<String> =
        uses.iter().map(|it| format!("{} {} {:?}", &text[it.range.as_range()], it.name, it.access)).collect();
    let expected = [
        "a::port a::port Write",
        "b::x b::x Write",
        "os.family os.family Read",
        "a a Read",
        "y y Read",
        "c::z c::z Read",
        "lookup_options lookup_options Write",
        "a::port a::port Read",
        "classes classes Write",
        "a::B a::b Read",
        "include include Write",
        "a::b a::b Read",
        "a::c a::c Read",
        "a a Read",
        "d d Read",
        "a::e a::e Read",
    ];
    assert_eq!(shown, expected);
}
