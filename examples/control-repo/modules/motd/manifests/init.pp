# @summary The text that people see when they log in.
#
# @param role What the machine is for.
# @param contact Whom to ask.
class motd (
  String[1] $role,
  String[1] $contact = 'root',
) {
  file { '/etc/motd':
    ensure  => file,
    content => epp("${module_name}/motd.epp"),
  }
}
