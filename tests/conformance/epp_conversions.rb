# Renders the ERB and the EPP templates of analysis/rewrites/tests/epp.txt with Puppet and compares the outputs.
#
#   ruby tests/conformance/epp_conversions.rb
require 'puppet'

Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])
Puppet[:strict] = :off
file = File.expand_path('../../analysis/rewrites/tests/epp.txt', __dir__)
node = Puppet::Node.new('node.example.com', environment: Puppet::Node::Environment.create(:production, []))
compiler = Puppet::Parser::Compiler.new(node)
evaluator = Puppet::Pops::Parser::EvaluatingParser.new
compared = refused = 0
failed = []

Puppet.override(loaders: compiler.loaders, current_environment: node.environment) do
  File.read(file).split(/^== /).drop(1).each do |entry|
    name = entry.lines.first.strip
    entry = entry.sub(/\n\n\z/, "\n")
    parts = entry.split(/^-- (erb|values|epp|refused)\n/).drop(1).each_slice(2).to_h
    next refused += 1 unless parts['epp']

    parts['values'].to_s.lines.each do |line|
      values = evaluator.evaluate_string(compiler.topscope, line)
      render = lambda do |&block|
        block.call
      rescue StandardError => e
        "failed: #{e.class}"
      end
      erb = render.call do
        scope = Puppet::Parser::Scope.new(compiler)
        values.each { |key, value| scope[key] = value }
        template = Puppet::Parser::TemplateWrapper.new(scope)
        template.result(parts['erb'])
      end
      epp = render.call do
        # The parameters of the template, which may read fewer variables.
        names = parts['epp'][/\A<%- \|(.*?)\| -%>/m, 1].to_s.scan(/\$(\w+)/).flatten
        scope = compiler.topscope
        Puppet::Pops::Evaluator::EppEvaluator.inline_epp(scope, parts['epp'], values.slice(*names))
      end
      compared += 1
      failed << "#{name} #{line.strip}\nERB: #{erb.inspect}\nEPP: #{epp.inspect}" unless erb == epp && !erb.start_with?('failed')
    end
  end
end
puts failed
puts "#{compared} outputs compared, #{failed.size} differ; #{refused} templates refused"
exit failed.empty?
