# Deliberate mistakes: syntax errors.
class profile::broken_syntax (
  String $owner = 'app'
  Integer $keep = 7,
) {
  file { '/srv/app':
    ensure => directory,
    owner  => $owner
    group  => 'app',
  }

  cron { 'clean-up'
    command => "find /srv/app/log -mtime +${keep} -delete",
    hour    => 3,
  }
}
