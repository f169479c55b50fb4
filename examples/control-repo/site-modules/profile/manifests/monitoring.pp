# @summary Monitoring server.
class profile::monitoring {
  file { '/etc/monitoring/checks.d':
    ensure  => directory,
    recurse => true,
    purge   => true,
  }

  Profile::Web::Check <<| |>> {
    tag => 'monitoring',
  }
}
