# Puppet in Kakoune, with kak-lsp 18 or later (https://github.com/kakoune-lsp/kakoune-lsp). In your kakrc:
#
#   evaluate-commands %sh{kak-lsp}
#   source /path/to/puppet-analyzer.kak
#
# `puppet-analyzer` must be in the PATH; to use another command, add `set-option global puppet_analyzer_command …` after
# these lines.

declare-option -docstring "command of the language server" str puppet_analyzer_command puppet-analyzer

# Kakoune has no built-in support for Puppet.
hook global BufCreate .+\.pp %{ set-option buffer filetype puppet }
hook global BufCreate .+\.epp %{ set-option buffer filetype epp }

hook -group lsp-filetype-puppet global BufSetOption filetype=(?:puppet|epp) %{
    set-option buffer lsp_servers "
        [puppet-analyzer]
        command = ""%opt{puppet_analyzer_command}""
        args = [""lsp""]
        root_globs = [""environment.conf"", ""Puppetfile"", ""metadata.json"", "".git""]
    "
}

hook -group puppet-analyzer global WinSetOption filetype=(?:puppet|epp) %{
    set-option window comment_line '#'
    set-option window indentwidth 2
    lsp-enable-window
}
