# Deliberate mistake: Puppet autoloads this class from monitoring/agent.pp, not from this file.
class profile::monitoring::agent {
  package { 'monitoring-agent':
    ensure => installed,
  }
}
