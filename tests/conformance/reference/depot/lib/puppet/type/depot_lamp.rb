require 'puppet/resource_api'

# Comment above.
Puppet::ResourceApi.register_type(
  name: 'depot_lamp',
  docs: <<-EOS,
@summary A lamp
@example Switch it on
  depot_lamp { 'a':
    ensure => present,
  }

This type lights the depot.
EOS
  features: ['canonicalize', 'simple_get_filter'],
  attributes: {
    ensure: {
      type: 'Enum[present, absent]',
      desc: 'Whether it exists.',
      default: 'present',
    },
    name: {
      type: 'String',
      desc: 'Its name.',
      behaviour: :namevar,
    },
    color: {
      type: 'Pattern[/\A[a-z]+\z/]',
      desc: 'Its color.',
    },
    watts: {
      type: 'Integer',
      desc: 'A long description of the power that does not end before the limit of one hundred and twenty characters at which the page wraps the text of parameters.',
      behaviour: :parameter,
      default: 40,
    },
    dimmed: { type: 'Boolean', desc: 'Dimmed', default: false },
  },
)
