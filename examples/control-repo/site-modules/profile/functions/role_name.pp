# The role that a machine's name stands for: the letters it begins with.
#
# @param certname The name in the machine's certificate.
# @return The role, or `unknown`.
function profile::role_name(String[1] $certname) >> String[1] {
  case $certname {
    /^www\d/: { 'web server' }
    /^db\d/: { 'database' }
    default: { 'unknown' }
  }
}
