function samples::nested::join_all(Array $parts, String $separator = ', ') {
  $parts.map |$part| { samples::quoted($part) }.join($separator)
}
