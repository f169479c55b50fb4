use super::is_same_code;

const FUNCTION: &str = "# frozen_string_literal: true

# Returns a price.
require 'json'

Puppet::Functions.create_function(:price) do
  def price(a)
    text = <<~TEXT.strip # with tax
      # not a comment
        #{a} EUR
    TEXT
    [text, \"a  b\", /x  y/, :'c  d', `e  f`]
  end
end
";

#[test]
fn comments_and_layout_are_no_code() {
    for (from, to) in [
        ("# Returns a price.\n", ""),
        ("# Returns a price.", "#\n# Returns the price."),
        (" # with tax", "   # with a tax"),
        ("require 'json'\n", "require   'json' # JSON\n\n\n"),
        ("  def price(a)", "\tdef price(a)"),
        ("require 'json'\n", "=begin\ntext\n=end\nrequire 'json'\n"),
    ] {
        let changed = FUNCTION.replace(from, to);
        assert!(changed != FUNCTION && is_same_code(FUNCTION, &changed), "{from:?} -> {to:?}");
    }
}

#[test]
fn other_changes_are_code() {
    for (from, to) in [
        ("require 'json'\n", ""),
        ("'json'", "'json '"),
        ("'json'", "'jsonx'"),
        (":price) do", ":price) do;"),
        ("frozen_string_literal: true", "frozen_string_literal: false"),
        ("# not a comment", "# no comment"),
        ("        #{a}", "      #{a}"),
        (" EUR\n", " EUR\n\n"),
        ("a  b", "a b"),
        ("x  y", "x y"),
        ("c  d", "c d"),
        ("e  f", "e f"),
        ("price(a)", "price (a)"),
        ("def price(a)\n", "def price(a) "),
        ("Puppet::Functions.create_function", "Puppet::Functions.\n  create_function"),
    ] {
        let changed = FUNCTION.replace(from, to);
        assert!(changed != FUNCTION && !is_same_code(FUNCTION, &changed), "{from:?} -> {to:?}");
    }
}

#[test]
fn files_that_read_their_lines_or_are_malformed_only_equal_themselves() {
    for text in ["x = __LINE__", "x = caller", "DATA.read\n__END__\na", "def x("] {
        assert!(is_same_code(text, text));
        assert!(!is_same_code(text, &format!("# comment\n{text}")), "{text}");
    }
}
