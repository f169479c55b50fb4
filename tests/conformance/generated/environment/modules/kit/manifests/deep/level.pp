# A class whose data lies in the module.
class kit::deep::level (Integer $size = 1, Hash $options = lookup('kit::options', Hash, 'deep')) {
  $options.each |$key, $value| { notify { "option ${key}": message => $value } }
  Notify { withpath => true }
  notify { "size ${size}": }
}
