# @summary Base configuration of all machines.
#
# @param packages Packages to install on all machines.
# @param time_servers NTP servers.
# @param manage_motd Whether to manage the message of the day.
class profile::base (
  Array[String[1]] $packages,
  Array[Stdlib::Host, 1] $time_servers,
  Boolean $manage_motd = true,
) {
  $packages.each |$package| {
    package { $package:
      ensure => installed,
    }
  }

  $time_service = $facts['os']['family'] ? {
    'RedHat' => 'chronyd',
    'Debian' => 'chrony',
    default  => undef,
  }

  if $time_service {
    package { 'chrony':
      ensure => installed,
    }
    -> file { '/etc/chrony.conf':
      ensure  => file,
      content => epp('profile/chrony.conf.epp', { 'servers' => $time_servers }),
    }
    ~> service { $time_service:
      ensure => running,
      enable => true,
    }
  }

  if $manage_motd {
    class { 'motd':
      role => profile::role_name($trusted['certname']),
    }
  }
}
