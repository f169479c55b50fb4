# Deliberate mistakes: valid syntax, but every statement fails at run time.
class profile::broken_values (
  Integer[1, 65535] $port = 8080,
) {
  $next_port = "${port}" + 1

  $workers = ['web1', 'web2'].map |$name| { $name.upcase }
  $first = $workers[first]

  $motd = sprintf('%d workers', $workers)
}
