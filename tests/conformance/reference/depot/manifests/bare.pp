class depot::bare { }

# @param value A selector
class depot::selector($value = $facts['os']['family'] ? {
  'Debian' => 'a',
  default  => 'b',
}) { }
