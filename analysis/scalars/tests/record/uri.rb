# Records how Ruby and Puppet handle URIs. Run: LANG=C.UTF-8 ruby -W0 tests/record/uri.rb > tests/recorded/uri.jsonl
# Each line: question, subject, and outcome.
require 'puppet'
require_relative 'rows'
PARTS = %i[scheme userinfo host port path query fragment opaque]
def shown(uri) = uri && [uri.to_s, *PARTS.map { |it| uri.send(it) }]

TEXTS = ['', 'a', '/a', '/a/b', '//host', '//host/a', 'a/b', './a', '../a', '?q', '#f', 'a?q#f', 'http:', 'http:/', 'http://', 'http:///', 'http://host', 'http://host/', 'http://HOST/A', 'HTTP://host', 'http://host:80', 'http://host:8080/a', 'http://host:', 'http://host:/a', 'http://host:99999/', 'http://host:abc/',
         'http://user@host', 'http://user:pass@host:81/p?q=1#frag', 'http://u%20v@host', 'http://@host', 'http://[::1]', 'http://[::1]:80/', 'http://[fe80::1%25eth0]/', 'http://[::g]', 'http://1.2.3.4', 'http://a_b.example', 'http://a b', 'http://host/a b', 'http://host/%20', 'http://host/%2', 'http://host/%zz',
         'http://host?q', 'http://host#f', 'http://host?a=b&c=d', 'http://host/a?b?c', 'http://host/#a#b', 'http:host', 'http:a/b', 'https://host', 'https://host:443/', 'https://host:444/', 'ftp://host/a', 'ftp://host/%2Fa', 'ftp://host/a;type=i', 'ftp://host', 'ftp://host//a', 'ftp://user@host/a/b;type=a', 'ftp:a',
         'file:///etc/passwd', 'file:/etc/passwd', 'file://host/a', 'file:a', 'file://', 'mailto:a@b.c', 'mailto:a@b.c?subject=x', 'mailto:', 'mailto:a b', 'urn:isbn:123', 'urn:a?b#c', 'ldap://host/dc=a?cn?sub', 'ldaps://host', 'ws://host', 'wss://host/a', 'puppet:///modules/a/b', 'puppet://server:8140/modules/a', 'puppet:a', 'x-y+z.1:a', '1x:a', 'é', 'http://é',
         'http://host/é', 'a:b', 'a:/b', 'a://b', 'a:', ':a', 'a:b:c', '/a:b', './a:b', 'http://host/a/../b', 'http://host/a;b=c', 'http://host/a,b', "http://host/a'b", 'http://host/a"b', 'http://host/<a>', 'http://host/a|b', 'http://host/a\\b', 'http://host/a^b', 'http://host/`', 'http://host/{a}', 'http://host/[a]',
         'http://host/?[a]', 'http://host/#[a]', 'http://user:pa:ss@host', 'http://us/er@host', 'http://a@b@c', 'http://host:80:80/', 'http:////a', 'svn+ssh://host/a', 'HTTP://u@H:80/', 'Puppet://H/A', 'http://host.', 'http://.', 'http://-', 'http://~a', 'http://a!b', "http://host\n", ' http://host', 'http://host ', "a\nb", '//', '//a@b:1', '///a', '//:80', '?', '#', 'http://?', 'http://#', 'data:text/plain,abc', 'about:blank', 'tel:+1-2']
made = TEXTS.filter_map do |text|
  uri = tried { URI.parse(text) }
  row('parse', text, shown(uri))
  uri && [text, uri]
end
bases = ['http://a/b/c/d;p?q', 'http://a', 'http://a/', 'http://user@host:8080/x/y', 'file:///a/b', 'ftp://host/a/b', 'a/b', '/a/b', 'mailto:a@b.c', 'urn:x:y', 'puppet:///modules/a', 'http://a/b?q#f', '//h/a', 'https://h:1/a/../b']
others = ['g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', 'g?y#s', ';x', 'g;x', '', '.', './', '..', '../', '../g', '../..', '../../', '../../g', '../../../g', '/./g', '/../g', 'g.', '.g', 'g..', '..g', './../g', './g/.', 'g/./h', 'g/../h', 'g;x=1/./y', 'g?y/./x', 'http:g', 'http://x/y', '//u@g:1/z?w#v', 'a/b/c', '//g/', 'mailto:x@y', '?', '#', 'a//b', '/a//b', '..//g']
bases.product(others) { |base, other| row('merge', [base, other], shown(tried { URI.parse(base) + URI.parse(other) })) }
same = ['http://host', 'http://host/', 'HTTP://HOST', 'http://host:80', 'http://host:80/', 'https://host:443', 'http://host/a', 'http://host/A', 'http://host/%41', 'http://u@host', 'http://host?', 'http://host#', 'a', 'A', 'ftp://h/a', 'ftp://h/A', 'mailto:a@b', 'MAILTO:a@b', 'puppet://H/a', 'puppet://h/a', 'http://host/?q']
same.product(same) { |a, b| row('equal', [a, b], URI.parse(a) == URI.parse(b)) }

HASHES = [{}, { scheme: 'http' }, { scheme: 'http', host: 'h' }, { scheme: 'http', host: 'h', path: '/a' }, { scheme: 'http', host: 'h', path: 'a' }, { scheme: 'http', host: 'h', port: 80 }, { scheme: 'http', host: 'h', port: 8080 }, { scheme: 'http', host: 'h', port: 0 }, { scheme: 'http', host: 'h', port: 99999 },
          { scheme: 'https', host: 'h', query: 'a=b', fragment: 'f' }, { scheme: 'http', userinfo: 'u:p', host: 'h' }, { scheme: 'http', host: 'h', query: 'a b' }, { scheme: 'http', host: 'a b' }, { scheme: 'HTTP', host: 'h' }, { scheme: '1', host: 'h' }, { host: 'h' }, { path: '/a' }, { path: 'a' }, { path: 'a', query: 'q', fragment: 'f' }, { opaque: 'o' }, { scheme: 'x', opaque: 'o' },
          { scheme: 'x', opaque: 'o', path: '/a' }, { scheme: 'x', opaque: 'o', host: 'h' }, { scheme: 'x', host: 'h', path: '/a' }, { scheme: 'x', host: 'h', port: 1 }, { scheme: 'x', path: 'a' }, { scheme: 'x', path: '/a' }, { scheme: 'file', path: '/a' }, { scheme: 'file', host: 'h', path: '/a' }, { scheme: 'ftp', host: 'h', path: 'a' }, { scheme: 'ftp', host: 'h', path: '/a' },
          { scheme: 'ftp', host: 'h', path: 'a/b', port: 2121 }, { scheme: 'mailto', opaque: 'a@b' }, { scheme: 'mailto', path: 'a@b' }, { scheme: 'ldap', host: 'h', path: '/dc=a' }, { scheme: 'puppet', path: '/modules/a' }, { scheme: 'puppet', host: 'h', path: '/modules/a' }, { port: 80 }, { userinfo: 'u' }, { scheme: 'http', opaque: 'o' }, { scheme: 'http', path: '/a' }, { fragment: 'f' }, { query: 'q' }, { scheme: 'https', host: 'h', port: 443, path: '/' },
          { scheme: 'x', host: '[::1]' }, { scheme: 'http', host: '::1' }, { scheme: 'http', host: 'h', path: '/a b' }, { scheme: 'http', host: 'h', fragment: 'a b' }, { scheme: 'http', host: 'H' }, { scheme: 'ws', host: 'h', path: '/a' }, { scheme: 'http', host: 'h', path: '/é' }]
HASHES.each do |hash|
  scheme = hash[:scheme]
  type = scheme.nil? ? URI::Generic : (URI.scheme_list[scheme.upcase] || URI::Generic)
  row('build', hash, shown(tried { type.build(hash.dup) }))
end
