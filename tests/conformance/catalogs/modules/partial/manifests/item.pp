# Puppet cannot load this file.
define partial::item(Nowhere::Size $size = 1) {
  notify { $title: }
}
