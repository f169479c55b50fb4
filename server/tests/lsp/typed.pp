# @summary Serves time.
#
# @param server
#   Server that time is taken from.
# @param ensure
#   State of the package.
# @param options
#   Options of each pool.
class typed (
  String $server,
  Enum['present', 'absent'] $ensure = 'present',
  Hash[String, Array[String]] $options = {},
) {
  $config = '/etc/typed.conf'
  $is_linux = $facts['kernel'] == 'Linux'

  package { 'typed':
    ensure => $ensure,
  }

  file { $config:
    ensure  => file,
    owner   => 'root',
    mode    => '0644',
    content => "server ${server}\n",
    require => Package['typed'],
    notify  => Service['typed'],
  }

  if $is_linux and $ensure == 'present' {
    file { ['/var/lib/typed', '/var/log/typed']:
      ensure => directory,
    }
  } else {
    notify { 'typed is not run here': }
  }

  $level = $facts['os']['family'] ? {
    'Debian' => 1,
    default  => 2,
  }

  case $level {
    1: {
      exec { '/usr/bin/true':
        refreshonly => true,
        subscribe   => File[$config],
      }
    }
    default: {
      warning("level ${level}")
    }
  }

  $options.each |String $pool, Array[String] $words| {
    $joined = join($words, ' ')
    file { "/etc/typed.d/${pool}.conf":
      content => "pool ${pool} ${joined}\n",
    }
  }

  service { 'typed':
    ensure => running,
    enable => true,
  }
}
