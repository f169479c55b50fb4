# Records a catalog as Puppet compiles it, and as its terminus for PuppetDB stores it.
#
#   ruby -I FOLDER tests/conformance/octocatalog/stored.rb
#
# FOLDER is `lib` of the terminus (Debian: puppet-terminus-puppetdb). Writes `compiled.json` and `stored.json`.

require 'json'
require 'puppet'
require 'puppet/indirector/catalog/puppetdb'
require 'tmpdir'

CODE = <<~'PUPPET'
  class a {
    file { 'x':
      path    => '/tmp/x',
      content => Sensitive('hunter2'),
      mode    => undef,
      require => Package['b'],
      notify  => [Notify['t'], Notify['d']],
    }
    package { 'b': install_options => [{ '-x' => 1 }, 'y'] }
    notify { 't': message => Timestamp('2020-01-01T00:00:00Z') }
    notify { 'd': message => Deferred('upper', ['a']) }
  }
  include a
PUPPET

Dir.mktmpdir do |folder|
  manifest = File.join(folder, 'site.pp')
  File.write(manifest, CODE)
  Puppet.initialize_settings(['--vardir', File.join(folder, 'var'), '--confdir', File.join(folder, 'conf')])
  Puppet[:rich_data] = true
  environment = Puppet::Node::Environment.create(:production, [folder], manifest)
  node = Puppet::Node.new('n1', environment: environment, facts: Puppet::Node::Facts.new('n1', {}))
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    catalog = Puppet::Parser::Compiler.compile(node)
    compiled = Puppet.override(rich_data: true) { catalog.to_data_hash }
    stored, = Puppet::Resource::Catalog::Puppetdb.new.munge_catalog(catalog, Time.at(0), {})
    { 'compiled' => compiled, 'stored' => stored }.each do |name, hash|
      text = JSON.pretty_generate(hash).gsub(folder, '/code').gsub(/"(catalog_uuid|version|producer)": .*/, '"\1": "0",')
      File.write(File.join(__dir__, "#{name}.json"), text.gsub(/,(\s*})/, '\1') + "\n")
    end
  end
end
