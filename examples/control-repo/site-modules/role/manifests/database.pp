# @summary Database server.
class role::database {
  contain profile::base
  contain profile::database

  Class['profile::base']
  -> Class['profile::database']
}
