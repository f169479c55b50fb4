# Compiles the nodes of a folder of facts with real Puppet and stores the catalogs in PuppetDB, in as many rounds as asked for. Prints the
# catalogs of the last round, or their errors, as JSON by node.
#
#     ruby exported.rb CONFDIR ENVIRONMENTS FACTS ADDRESS ROUNDS
#
# ADDRESS is that of PuppetDB: http://127.0.0.1:8080. Needs Debian's packages `puppet-agent` and `puppet-terminus-puppetdb`.
require 'json'
require 'net/http'
require 'puppet'
require 'puppet/indirector/catalog/puppetdb'
require 'puppet/indirector/resource/puppetdb'

confdir, environments, facts, address, rounds = ARGV
ADDRESS = address

# Reply with the methods that the terminus calls.
Reply = Struct.new(:code, :reason, :body) do
  def success?
    code == 200
  end

  def [](_header)
    nil
  end
end

# Connection without TLS, since only servers and their clients agree on certificates.
module PlainConnection
  def self.get(uri, **)
    reply = Net::HTTP.get_response(uri)
    Reply.new(reply.code.to_i, reply.message, reply.body)
  end

  def self.post(uri, body, headers: {}, **)
    reply = Net::HTTP.post(uri, body, headers)
    Reply.new(reply.code.to_i, reply.message, reply.body)
  end
end

# The real class, with another connection.
class Puppet::Util::Puppetdb::Http
  def self.action(path, _kind)
    yield PlainConnection, URI("#{ADDRESS}#{path}"), nil
  end
end

Puppet.initialize_settings(
  ['--confdir', confdir, '--vardir', File.join(confdir, 'var'), '--environmentpath', environments, '--storeconfigs',
   '--storeconfigs_backend', 'puppetdb', '--strict', 'warning'],
)
Puppet[:node_name_value] = 'server.example.com'
Puppet.push_context(Puppet.base_context(Puppet.settings))

def compile(name, values)
  environment = Puppet.lookup(:environments).get('production')
  node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, values))
  node.merge(values)
  trusted = Puppet::Context::TrustedInformation.new('remote', name, {}, {})
  Puppet.override(trusted_information: trusted, current_environment: environment) do
    catalog = Puppet::Parser::Compiler.compile(node)
    request = Puppet::Indirector::Request.new(:catalog, :save, name, catalog, environment: environment)
    Puppet::Resource::Catalog::Puppetdb.new.save(request)
    resources = catalog.filter(&:virtual?).to_data_hash['resources']
    { 'resources' => resources.map { |it| it.slice('type', 'title', 'exported', 'parameters') } }
  end
rescue Puppet::Error => e
  { 'error' => e.message }
end

catalogs = {}
Integer(rounds).times do
  catalogs = Dir.glob(File.join(facts, '*.json')).sort.to_h do |path|
    stored = JSON.parse(File.read(path))
    [stored['name'], compile(stored['name'], stored['values'])]
  end
  # PuppetDB processes commands in the background.
  sleep 3
end
puts JSON.pretty_generate(catalogs)
