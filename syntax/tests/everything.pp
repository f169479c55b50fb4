# About every construct of the language, once.
/* and a block comment */
type Everything::Port = Integer[1, 65535]
type Everything::Options = Struct[{ 'port' => Everything::Port, Optional['name'] => String }]

function everything::double(Integer $value, Numeric *$more) >> Integer {
  $value * 2
}

class everything (
  String $name_of_it = 'a "quoted" \'text\'',
  Optional[Everything::Port] $port = undef,
  Hash[String, Any] $options = { 'a' => 1, b => [2, 3.5, 0x1F, 017], c => undef },
  Boolean $enabled = true,
  $untyped = default,
) inherits everything::params {
  $plain = 'single'
  $text = "interpolated ${plain} and $text and ${options['b'][0]} and ${plain.upcase} \t \u{1F600} \$x"
  [$first, $second] = [1, 2]
  $sum = -$first + $second * 3 / (4 - 1) % 5 << 1 >> 2
  $list = $options['b'] + [1, *$more_of_it, c => 3]
  $is = $first < $second and $first <= 2 or !($second > 3) and $second >= 1 and $plain != 'x' and $plain == 'y'
  $matches = $plain =~ /^a\/b+$/ and $plain !~ Pattern[/x/] and 'a' in $list

  $first_heredoc = [@(PLAIN), @("COOKED":json/tnrsuL$)]
    As it is: ${not} \t
    | PLAIN
    { "port": "${port}", "t": "\t" }
    |- COOKED

  if $enabled and $first == 1 {
    notice("one: ${everything::double(1)}")
  } elsif $facts['os']['family'] =~ /(?i:debian)/ {
    include everything::debian, everything::apt
  } else {
    fail('neither')
  }

  unless $enabled {
    warning 'off'
  } else {
    contain ::everything::on
  }

  case $facts['os']['name'] {
    'Debian', 'Ubuntu': { require everything::apt }
    /^Red/: { }
    Undef, default: { err('what?') }
  }

  $chosen = $plain ? {
    'a'     => 1,
    /b/     => 2,
    default => 3,
  }

  file {
    default:
      owner => 'root',
      ;
    ['/tmp/a', "/tmp/${plain}"]:
      ensure => file,
      mode   => '0644',
      ;
    '/tmp/b':
      * => $options,
  }
  -> service { 'it': ensure => running }
  ~> exec { 'after it':
    command     => '/bin/true',
    refreshonly => true,
  }

  @user { 'virtual': uid => 1000 }
  @@host { 'exported': ip => '192.0.2.1' }
  File { backup => false }
  File['/tmp/a'] { mode +> '0600', tag => ['x'] }
  User <| title == 'virtual' and (uid == 10 or tag != 'y') |> { shell => '/bin/sh' }
  Host <<| |>>
  Package['a'] -> Service['b'] <~ File['c'] <- Exec['d']
  class { 'everything::other': options => $options }

  $options.each |String $key, $value = 1| { notice("${key}=${value}") }
  $mapped = $list.map |$x| { $x + 1 }.filter |$x| { $x > 1 }.reduce(0) |$memo, $x| { $memo + $x }
  with(1, 2) |Integer *$rest| >> Integer { $rest[0] }
  $last = $list[-1]
  $slice = $list[1, 2]
  $type = Variant[Enum['a', 'b'], Optional[Array[String, 1]]]
  realize(User['virtual'])
  notice $first, $second
  Integer('5')
}

define everything::thing (Integer $count = 3) {
  everything::sub { "${title}-${count}": }
}

node 'a.example.com', /^b\d+/, c.example.com {
  include everything
}

node default {
}
