# @summary Web server with its sites.
#
# @param vhosts Sites by name.
# @param service_name Name of the service on this platform.
class profile::web (
  Hash[Stdlib::Fqdn, Profile::Vhost] $vhosts,
  String[1] $service_name,
) {
  package { 'httpd':
    ensure => installed,
    name   => $service_name,
  }

  service { 'httpd':
    ensure    => running,
    name      => $service_name,
    enable    => true,
    subscribe => Package['httpd'],
  }

  $vhosts.each |String $name, Hash $vhost| {
    profile::web::vhost { $name:
      * => $vhost,
    }
  }

  # Collected by profile::monitoring.
  @@profile::web::check { $facts['networking']['fqdn']:
    ports => $vhosts.map |$name, $vhost| { $vhost['port'] }.unique,
  }
}
