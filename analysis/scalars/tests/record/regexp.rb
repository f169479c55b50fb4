# Records how Ruby handles regular expressions. Run: LANG=C.UTF-8 ruby -W0 tests/record/regexp.rb > tests/recorded/regexp.jsonl
# Each line: pattern (p), operation (o), string (t), replacement (r), and outcome (e). Groups are [start, end] in bytes.
require 'json'
Encoding.default_external = 'UTF-8'
TEXTS = ["", "ab", "foo\nbar", "foo\n", "\n\n", "aé b", "x1y22z333", "10.0.0.1", "key = value # comment",
         "ABC abc", "K\u212a s\u017f", "\r\n a\r\nb", "日本語 text", "a,b,,c,,", "--a--", "(a(b)c)"]
PATTERNS = <<'P'.lines(chomp:true)
a
^
$
^$
^a
a$
^.*$
\A
\z
\Z
a\Z
\A\w+\z
^\s*$
(?m).
(?m).*
.*
.+
.*?
\w+
\W+
\d+
\s+
\S+
\h+
\H+
\R
\X
(\w)(\w)
(a)|(b)
(a|(b))+
(?:(a)|(b))*
(?<x>a)(b)
(?<x>a)|(?<x>b)
(?<y>\w)\k<y>
(\w)\1
(?i)(a)\1
(?i)abc
(?i:a)b
a(?i)b|c
(?i)[a-c]+
(?i)[^a-c]+
(?i)\w+
(?i)k
(?i)s
[[:alpha:]]+
[[:^alpha:]]+
[^[:alpha:]]+
[[:punct:]]+
[[:space:]]+
[[:word:]]+
[[:upper:]]
[[:lower:]]+
[[:digit:]]+
[[:xdigit:]]+
[[:graph:]]+
[[:print:]]+
[[:cntrl:]]
[[:blank:]]+
[[:ascii:]]+
\p{Alpha}+
\p{^Alpha}+
\P{Alpha}+
\p{Lu}
\p{Han}+
\p{Upper}
\p{Punct}+
(?a)[[:alpha:]]+
(?u)\w+
(?a)\bé
\b
\B
\b\w
[a-z&&[^b]]+
[a-z&&b-c]+
[^a&&b]
[ab[cd]]+
[]a]+
[a\]]+
[\]\-]+
[-a]+
[a-]+
[\w.-]+
[\b]
[^\n]+
a++b
a*+
a?+
a{2}
a{2}?
a{1,2}
a{,2}
a{2,}
a{1,2}?
a{1,2}+
a{
{
a{,}
(?>a+)b
(?=a)
(?!a).
(?<=a)b
(?<!a)b
(?<=a|bc)c
(?<=^)a
(?<!^)a
a(?=\n)
(?#x)a
(?x) a b # c
a(?x: b )c
\e|\a|\t
\x41
\u0041
\u{41 62}
\101
\0
\xC3\xA9
\/
/
\.
\-
\ 
a|
|a
()
(|a)
(a|ab)(c|bcd)(d*)
(?~b)
(?~ab)c
(a)?(?(1)b|c)
(?<n>a)?(?(<n>)b|c)
\((?:[^()]|\g<0>)*\)
(?<p>\((?:[^()]|\g<p>)*\))
(?<d>\d+)(?:\.\g<d>)*
(\d)\g<1>
a\Kb
\Ga
\Gx|b
(a)(b)?
((a)|b)*c?
(?:a|b)*?c
^(?:a|b)
(?:^|,)a
(^a|b)$
^(a)?$
(?m:^.)
(?-m:.)
(?mi-x:A.)
(.)(.)?(.)?
[á-ž]
é
(?i)É
\s*,\s*
,
[,:]
(,)
(\d)(\w)
^#
\$
[$]
^(\w+)\s*=\s*(.*?)\s*(?:#.*)?$
^([0-9]{1,3}\.){3}[0-9]{1,3}$
(?<year>\d+)-?(?<mon>\d+)?
\Aa?\n?\Z
x*
[[:alpha:][:digit:]]+
[\p{L}&&[^a]]+
[\d&&[^2]]+
(?i)[é]
[\s\S]
[^\s\S]
\p{Greek}
(?:)
(?i)(?-i)A
(?<!\w)b(?!\w)
(?<=\d)(?=(\d{3})+$)
(a)\k<1>
(a)(b)\k<-1>
(?'q'a)
(a{0})b
(a){0}b
(?:a{2}){2}
(a|b)\1
P
REFUSED = ['(', ')', '*', '[', '[a', 'a{2,1}', '(?<n>a', '\k<n>', '(?<=a*)b', '[b-a]', '\p{Nope}', '(a)(?<n>b)\1', '\\', '(?z)', 'a{100001}', '[[:nope:]]']
REPLACEMENTS = ['-', '<\0>', '[\1|\2]', '\\\\\\\\', '\&\&', '\`', '\\\'', 'x\9', '\\', '\q', '\k<x>']
PRINTED = ['a/b', 'a\/b', '[/]', "a\nb", "a\tb\x01/", 'é', 'é/', '\u00e9', '\u0041', '\u{41 42}', '\u{41 e9}', '\xC3\xA9', '\x41',
           '\303\251', '\101', '\p{Alpha}', '[[:alpha:]]', '(?i)é', '(?i:é)', '(?imx:é)', '(?i-m:é/)', '(?mi)(?x:é)', '(?-m)é',
           '(?i:é)(b)', '(?i:é)|(b)', '(?a)é', "é\x01", '(?x) é', '(?:é)', '(?i)', '(?i)abc', '\\\\p', '\\\\\p{L}']
ESCAPED = ["a.b", "[a-z]{1,2}(x|y)*\\?+^$", "a b#c-d", "\t\n\r\v\f", "é/"]

def write(row) = puts(JSON.generate(row))

def groups(text, match)
  match && (0...match.size).map { |i| match.begin(i) && [text[0, match.begin(i)].bytesize, text[0, match.end(i)].bytesize] }
end

def printed(source)
  regexp = Regexp.new(source)
  plain = regexp.options == 0
  write(p: source, o: 'print', e: plain ? [regexp.source, regexp.inspect] : ["(?-imx:#{regexp.source})", "/#{regexp}/"])
end

PATTERNS.each do |pattern|
  regexp = Regexp.new(pattern)
  printed(pattern) unless pattern =~ /\A[[:ascii:]]*\z/
  write(p: pattern, o: 'names', e: regexp.names)
  TEXTS.each do |text|
    found = []
    text.scan(regexp) { found << groups(text, $~) }
    write(p: pattern, t: text, o: 'scan', e: found)
    next if found.empty?

    write(p: pattern, t: text, o: 'match', e: groups(text, regexp.match(text)))
    write(p: pattern, t: text, o: 'split', e: text.split(regexp))
    replacement = REPLACEMENTS[(pattern.sum + text.sum) % REPLACEMENTS.size]
    result = begin text.gsub(regexp, replacement) rescue nil end
    write(p: pattern, t: text, o: 'gsub', r: replacement, e: result)
    write(p: pattern, t: text, o: 'sub', r: replacement, e: result && text.sub(regexp, replacement))
  end
end
REFUSED.each { |pattern| write(p: pattern, o: 'refused', e: (Regexp.new(pattern) && nil rescue true)) }
PRINTED.each { |source| printed(source) }
ESCAPED.each { |text| write(p: '', t: text, o: 'escape', e: Regexp.escape(text)) }
