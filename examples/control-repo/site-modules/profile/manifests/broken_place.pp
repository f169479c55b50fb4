# Deliberate mistake: Puppet looks for this class in monitoring/agent.pp, and never finds it here.
class profile::monitoring::agent {
  package { 'monitoring-agent':
    ensure => installed,
  }
}
