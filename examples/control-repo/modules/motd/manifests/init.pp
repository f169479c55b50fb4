# @summary Message of the day.
#
# @param role Role of the machine.
# @param contact Contact for questions.
class motd (
  String[1] $role,
  String[1] $contact = 'root',
) {
  file { '/etc/motd':
    ensure  => file,
    content => epp("${module_name}/motd.epp"),
  }
}
