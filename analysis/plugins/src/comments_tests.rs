use super::*;

fn found(text: &str) -> Vec<&str> {
    let ranges = comments(text).expect("short code");
    ranges.into_iter().map(|it| &text[it.as_range()]).collect()
}

#[test]
fn comments_are_not_in_strings() {
    assert_eq!(found("a # b\r\nc = \"#{d} # e\" # f\n"), ["# b", "# f"]);
    assert_eq!(found("a = <<~X # b\n  # c\nX\nb = %w[# c] # d"), ["# b", "# d"]);
    assert_eq!(found("a = /#/ # b\n=begin\n# c\n=end\n__END__\n# d\n"), ["# b"]);
    assert_eq!(found("a = ( # b\n"), ["# b"]);
}

#[test]
fn hostile_code_is_not_read() {
    assert_eq!(comments(&"!".repeat(1_000)), None);
}
