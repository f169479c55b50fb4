# Queries on tags, titles, and parameters; overrides, defaults, values of all kinds.
define vhost(Integer $port, Optional[String] $admin = undef, Array $names = []) {
  notify { "vhost ${title} ${port} ${admin} ${names.join('+')}": tag => 'inner' }
}
class exporting {
  @@user { $trusted['certname']: comment => $facts['networking']['ip'], tag => ['Web', 'all'], groups => ['a', 'b'] }
  @@user { "alias of ${trusted['certname']}": name => "x.${trusted['certname']}", comment => '10.1.1.1', tag => 'named' }
  @@vhost { "v-${trusted['certname']}": port => 80, names => [$trusted['certname'], 'n'] }
  @@vhost { "w-${trusted['certname']}": port => 81, require => File['/srv'] }
  @@file { "/srv/${trusted['certname']}/": ensure => directory, mode => '0644', require => [File['/srv'], User['localhost']] }
  @@file { "/secret/${trusted['certname']}": content => Sensitive('secret'), backup => false, checksum => 'md5' }
  @@notify { "message ${trusted['certname']}": message => { 'k' => [1, 2.5, true, undef], 'f' => File['/srv'] }, loglevel => info }
  @notify { "virtual ${trusted['certname']}": }
}
node /^web/ {
  include exporting
  file { '/srv': }
  user { 'localhost': comment => '127.0.0.1' }
  User <<| tag == 'web' and comment != '10.0.0.3' |>>
}
node /^lb/ {
  File { owner => 'root' }
  file { '/srv': }
  user { 'localhost': comment => '127.0.0.1' }
  User <<| tag == 'WEB' |>> { shell => '/bin/sh' }
  User <<| title == 'alias of web1.example.com' |>>
  Vhost <<| port == 80 |>> { admin => 'me' }
  Vhost <<| port == '81' |>>
  File <<| ensure == 'directory' |>>
  File <<| tag == 'exporting' and backup == false |>>
  Notify <<| loglevel == 'info' |>> -> User['localhost']
}
node /^db/ {
  User <<| comment == '10.0.0.1' or comment == '10.0.0.2' |>>
  User <<| groups == 'a' |>>
  Vhost <<| title != 'v-web1.example.com' and port != 81 |>>
  Notify <<| tag != 'all' |>>
}
node default { }
