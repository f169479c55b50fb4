# Only variables.
class kit::params {
  $base = $facts['os']['family'] ? {
    'Debian' => '/etc/default',
    default  => '/etc/sysconfig',
  }
  $port = 8080
  $tree = { 'base' => $base, 'ports' => [80, $port] }
}
