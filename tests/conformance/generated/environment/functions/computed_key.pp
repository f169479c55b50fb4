# A level of Hiera in Puppet code.
function computed_key(String $key, Hash $options, Puppet::LookupContext $context) {
  if $key[0, 9] == $options['prefix'] {
    "computed ${key[9, -1]}"
  } else {
    $context.not_found()
  }
}
