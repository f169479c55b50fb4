# What is to be seen within.
function kit::sub::scope($value = $title) >> Array {
  [$value, $facts['count'], $trusted['certname'], $module_name, $name]
}
