//! Runs every query at every position of a text truncated at any point.

use crate::at_cursor;

const TEXT: &str = "\
# Things. ü
# @param x one
class a::b (
  Array[Integer] $x = [1, 2], # c
  Hash[String, Variant[Integer, Enum['a']]] *$rest,
) inherits a {
  $y = $x.map |$i| { $i ? { 1 => 'ö', default => \"${x[0]} and ${i.type}\" } }
  file { ['/a', \"/b${y}\"]: * => { mode => '0644' } } -> Service['x']
  if $y =~ /(a)/ and $1 in [split('a', ','), Integer('7')] { include a::c, d }
  [$p, $q] = [1, Sensitive('x')]
  notice @(END/L)
    text ${y.filter |$k, $v| { $k }}
    | END
}
function f(Optional[Regexp] $r = undef, *$s) >> Type[String] { f.new(*$s) }
type T = Struct[{ a => Optional[T], 'b' => Callable[[Integer], String] }]
";

#[test]
fn nothing_panics() {
    let ends = TEXT.char_indices().map(|(end, _)| end).step_by(7).chain([TEXT.len()]);
    for end in ends {
        let text = TEXT.get(..end).expect("a character begins there").replace("$0", "");
        let fixture = format!("//- /main.pp open\n{text}");
        at_cursor(&fixture, |analysis, file, _, text| {
            let from = if end == TEXT.len() { 0 } else { text.len().saturating_sub(40) };
            for offset in from as u32..=text.len() as u32 + 1 {
                let hover = analysis.hover(file, offset).expect("nothing is cancelled");
                assert!(hover.is_none_or(|it| text.get(it.range.as_range()).is_some()));
                let help = analysis.signature_help(file, offset).expect("nothing is cancelled");
                assert!(help.is_none_or(|it| it.active < it.signatures.len()));
                let found = analysis.completions(file, offset).expect("nothing is cancelled");
                assert!(found.is_none_or(|it| it.range.end == offset || offset as usize > text.len()));
            }
        });
    }
}
