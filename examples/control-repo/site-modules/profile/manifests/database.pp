# @summary Database server.
#
# @param version Major version.
# @param max_connections Maximum number of connections.
class profile::database (
  Enum['15', '16'] $version = '16',
  Integer[10, 1000] $max_connections = 100,
) {
  $data_directory = "/var/lib/postgresql/${version}"

  package { "postgresql-${version}":
    ensure => installed,
    before => File['postgresql.conf'],
  }

  file { 'postgresql.conf':
    path    => "/etc/postgresql/${version}/main/postgresql.conf",
    content => @("EOT"/L),
      data_directory = '${data_directory}'
      max_connections = ${max_connections}
      shared_buffers = ${$facts['memory']['system']['total_bytes'] / 4 / 1024 / 1024}MB
      | EOT
  }

  service { 'postgresql':
    ensure    => running,
    enable    => true,
    subscribe => File['postgresql.conf'],
  }

  unless $facts['os']['family'] == 'Debian' {
    warning("Tested on Debian only; this is ${facts['os']['name']}.")
  }
}
