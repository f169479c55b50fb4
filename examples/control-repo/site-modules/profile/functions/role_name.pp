# Returns the role of a machine, which its name starts with.
#
# @param certname Certificate name of the machine.
# @return The role, or `unknown`.
function profile::role_name(String[1] $certname) >> String[1] {
  case $certname {
    /^www\d/: { 'web server' }
    /^db\d/: { 'database' }
    default: { 'unknown' }
  }
}
