# Records how Ruby's library parses JSON. Run: LANG=C.UTF-8 ruby -W0 tests/record/json.rb > tests/recorded/json.jsonl
# Each line: `json`, a document, and its value in the test's notation, or null if Ruby rejects it.
require 'json'

def notation(value)
  case value
  when Array then "[#{value.map { |it| notation(it) }.join(' ')}]"
  when Hash then "{#{value.map { |key, it| "#{notation(key)} #{notation(it)}" }.join(' ')}}"
  when String then value.valid_encoding? ? "'#{value.unpack('U*').join('.')}'" : '?'
  when Float then "float #{[value].pack('G').unpack1('H*')}"
  else value.inspect
  end
end

TEXTS = ['', ' ', '1', '"a"', '// c', '1 // c', "1 // c\n", '1 /* c', '/* c', '1 /* c */', '1 /', '/1', '/*/ 1', '[1,/* c */2]', '"\\ud800"', '"\\ud800abcdef"',
         '"\\ud800abcdefgh"', '"\\ud800\\"aaaaa"', '"\\udc00"', '"\\udc00abcdef"', '"\\ud83d\\ude00"', '"\\ud83d\\u0041"', '"\\ud800\\ud800"', '"\\u12"', '"\\u+123"', '"\\uzzzz"',
         '"\\u0000"', "\"a\\\nb\"", "\"a\nb\"", "\"a\tb\"", "\"a\x01b\"", "\"a\x7fb\"", "\"a\\\tb\"", '"a\\', '"\\q"', '"\\/"', '"\\n\\t\\r\\b\\f\\\\"', '"é日本"', '01', '-', '-1', '-0', '1.',
         '.5', '1.5', '1e5', '1E+5', '1e', '+1', '-01', '2.e3', '-.5', 'NaN', 'Infinity', '-Infinity', 'nul', 'nullx', 'truefalse', 'null', 'true', 'false', 'True', '[1 2]', '[1,]', '[,1]',
         '{"a":1,}', '{"a" 1}', '{a:1}', '{1:1}', '{"a":}', '{"a"}', '[', '{', '[1', '{"a"', '{"a":1', '1e400', '-1e400', '9223372036854775808', '18446744073709551616',
         '1 2', "\ufeff1", "\f1", "\v1", "[1]\u00a0", '"a" "b"', '{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', '[1.5.5]', '[1x]', '12x', '[-x]', '[1]]', '[nullx]', '[1e5x]', '-0.0', '0.1e-400', '0e5', '00',
         '[0x1]', '1_000', '["a]', '[]', '{}', '[[],{}]', '{"":{}}', "{\r\n\t\"a\" : [ 1 , 2 ]\r\n}", '[' * 100 + ']' * 100, '[' * 101 + ']' * 101, '{"a":' * 101 + '1' + '}' * 101, "'a'", '[1}', '{"a":1]'].freeze

def row(text)
  worth = begin
    notation(JSON.parse(text))
  rescue JSON::ParserError
    nil
  end
  puts JSON.generate(['json', text, worth])
end

TEXTS.each { |it| row(it) }

# Randomly generated documents with at most one error.
srand(11)
PIECES = ['{"a": 1, ', '"b": [true, null]', '}', '[', ']', ',', ' ', "\n", '"', '\\', '"x"', ':', '-', '1.5e3', '/* c */', '// c', 'null', '\\u00e9', '{', '0'].freeze
BASES = ['{"a": 1, "b": [true, null], "c": "x\\u00e9y"}', '[1, -2.5, {"k": "v"}, [], "/"]', "{\n  // c\n  \"a\": {\"b\": \"c\"}\n}"].freeze
800.times do
  text = BASES.sample.dup
  rand(1..2).times do
    at = rand(text.length + 1)
    case rand(3)
    when 0 then text.insert(at, PIECES.sample)
    when 1 then text.slice!(at, rand(1..3))
    else text[at, 1] = PIECES.sample
    end
  end
  row(text)
end
