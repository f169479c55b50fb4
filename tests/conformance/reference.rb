# Records what puppet-strings writes for the modules in `reference`: `REFERENCE.md` and `reference.json`.
#
#   ruby tests/conformance/reference.rb [LIB]
#
# LIB is the folder `lib` of puppet-strings, whose dependencies `yard` and `puppet` must be installed. Debian's package `puppet-strings`
# has an older version with other pages.
$LOAD_PATH.unshift(ARGV[0]) if ARGV[0]
require 'puppet'
require 'puppet-strings'

Dir.glob(File.join(__dir__, 'reference', '*/')).sort.each do |folder|
  { markdown: 'REFERENCE.md', json: 'reference.json' }.each do |format, name|
    # Yard keeps its state, so each format has its own process.
    pid = fork do
      Dir.chdir(folder)
      $stdout.reopen(File::NULL)
      $stderr.reopen(File::NULL)
      PuppetStrings.generate(PuppetStrings::DEFAULT_SEARCH_PATTERNS, format => true, path: name)
    end
    Process.wait(pid)
  end
  system('rm', '-rf', File.join(folder, '.yardoc'))
end
