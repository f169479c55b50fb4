# Homebrew formula that builds from a released source.
class PuppetAnalyzer < Formula
  desc "Language server and command-line checker for the Puppet language"
  homepage "https://github.com/puppet-analyzer/puppet-analyzer"
  url "https://github.com/puppet-analyzer/puppet-analyzer/archive/refs/tags/v0.1.0.tar.gz"
  license "Apache-2.0"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "server")
    generate_completions_from_executable(bin/"puppet-analyzer", "completions")
    man1.mkpath
    system bin/"puppet-analyzer", "man", "--output", man1
  end

  test do
    assert_equal "2\n", shell_output("#{bin}/puppet-analyzer eval -e '1 + 1'")
  end
end
