# @summary A web server with its sites.
#
# @param vhosts The sites by name.
# @param service_name What the service is called here.
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

  # Monitoring collects these on its own machine.
  @@profile::web::check { $facts['networking']['fqdn']:
    ports => $vhosts.map |$name, $vhost| { $vhost['port'] }.unique,
  }
}
