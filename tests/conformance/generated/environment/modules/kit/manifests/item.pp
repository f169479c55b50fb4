# A define whose parameters have types and defaults that depend on each other.
define kit::item (
  Variant[Kit::Port, Kit::Tree] $value,
  $label = "${title}-${value}",
  Enum['present', 'absent'] $ensure = 'present',
) {
  include kit::params
  $caller = $caller_module_name
  notify { "item ${label}":
    message => epp('kit/item.epp', { 'value' => $value, 'ensure' => $ensure }),
    tag     => "by${caller}",
  }
}
