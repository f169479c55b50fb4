#!/usr/bin/env python3
"""Takes the SVG pictures of terminal editors for the documentation site.

    editors.py [BINARY] [EDITOR ...]

Each editor runs in tmux with the configuration of editors/ and opens a file of the example repository with mistakes. Needs tmux and
the editors: Neovim, Vim with ALE, and Emacs with Eglot and puppet-mode, as tests/editors installs them.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import render

WIDTH, HEIGHT = 112, 18
# Time limit for each expected text in seconds.
LIMIT = 90
FILE = "site-modules/profile/manifests/broken_values.pp"
# The default colors of popups and signs are made for light terminals.
COLORS = """\
highlight Pmenu guibg=#2d333b guifg=#d0d7de
highlight SignColumn guibg=NONE
highlight EndOfBuffer guifg=#545d68
highlight StatusLine gui=NONE guibg=#444c56 guifg=#d0d7de
highlight ALEError gui=underline guibg=NONE guifg=#f47067
highlight ALEWarning gui=underline guibg=NONE guifg=#6cb6ff
highlight link ALEInfo ALEWarning
highlight link ALEVirtualTextInfo ALEVirtualTextWarning
highlight ALEErrorSign guibg=NONE guifg=#f47067
highlight ALEVirtualTextError gui=NONE guibg=NONE guifg=#f47067
highlight ALEVirtualTextWarning gui=NONE guibg=NONE guifg=#6cb6ff
highlight DiagnosticError guifg=#f47067
"""
NEOVIM = """\
set noswapfile termguicolors background=dark nonumber signcolumn=yes noshowcmd shortmess+=I laststatus=2
lua package.path = '{root}/editors/neovim/?.lua;' .. package.path
lua require('puppet_analyzer').command = {{ '{binary}', 'lsp' }}
lua require('puppet_analyzer').setup()
"""
VIM = """\
set nocompatible hidden noswapfile termguicolors background=dark noshowcmd shortmess+=I laststatus=2 ttimeoutlen=10
syntax on
filetype plugin on
set runtimepath^=/usr/share/vim-ale
let g:ale_linters_explicit = 1
let g:ale_linters = {{'puppet': ['puppet-analyzer']}}
let g:ale_hover_cursor = 0
let g:puppet_analyzer_command = '{binary}'
runtime plugin/ale.vim
source {root}/editors/vim/puppet_analyzer.vim
"""
EMACS = """\
(load "{root}/editors/emacs/puppet-analyzer.el" nil t)
(setq puppet-analyzer-command '("{binary}" "lsp") inhibit-startup-screen t make-backup-files nil
      vc-follow-symlinks t eglot-autoshutdown t native-comp-async-report-warnings-errors nil)
(menu-bar-mode -1)
(load-theme 'tango-dark t)
(set-face-background 'default "unspecified-bg")
(setq suggest-key-bindings nil)
(require 'puppet-mode)
(require 'eglot)
(add-hook 'puppet-mode-hook #'eglot-ensure)
"""
# Name: title, name of the configuration, its text, the command, and steps: keys, followed by a pattern to wait for.
EDITORS = {
    "neovim": (
        "Neovim shows findings after the lines and the value of a variable in a popup",
        "init.vim",
        NEOVIM + COLORS,
        "nvim -u {config} -i NONE {file}",
        [([], r"not a number"), (["7G", "3l", ":lua vim.lsp.buf.hover()", "Enter"], r"Array\[String")],
    ),
    "vim": (
        "Vim with ALE marks the lines with findings and shows the message of the current one",
        "vimrc",
        VIM + COLORS,
        "vim -N -u {config} -i NONE -n {file}",
        [([], r">>|E>"), (["5G", "8G"], r"\n.*unused variable `.first`")],
    ),
    "emacs": (
        "Emacs with Eglot underlines findings and lists them",
        "init.el",
        EMACS,
        "emacs -nw -q -l {config} {file}",
        [([], r"Flymake\[3"), (["M-x", "flymake-show-buffer-diagnostics", "Enter"], r"cannot be converted")],
    ),
}


class Terminal:
    """A separate tmux session with one window."""

    def __init__(self, command, folder, home):
        self.socket = str(home / "tmux")
        environment = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment.pop("TMUX", None)
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        settings = home / "tmux.conf"
        settings.write_text("set -g status off\nset -g default-terminal tmux-256color\nset -as terminal-features ',*:RGB'\n")
        start = ["tmux", "-S", self.socket, "-f", str(settings), "new-session", "-d", *size, "-c", str(folder), command]
        subprocess.run(start, check=True, env=environment)

    def run(self, *arguments):
        return subprocess.run(["tmux", "-S", self.socket, *arguments], check=True, capture_output=True, text=True).stdout

    def lines(self):
        """Returns the screen with escape sequences. The style at the end of a line continues on the next one."""
        return self.run("capture-pane", "-p", "-e").rstrip("\n").split("\n")

    def press(self, keys):
        for key in keys:
            self.run("send-keys", key)
            time.sleep(0.3)

    def wait_for(self, pattern):
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.run("capture-pane", "-p")):
            if time.monotonic() > end:
                sys.exit(f"error: no {pattern!r} on the screen:\n{self.run('capture-pane', '-p')}")
            time.sleep(0.2)
        # The rest of the screen follows at once.
        time.sleep(1)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


def picture(binary, name):
    """Returns the picture of an editor."""
    title, config, text, command, steps = EDITORS[name]
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        shutil.copytree(render.EXAMPLE, home / "control-repo")
        subprocess.run(["git", "init", "-q", str(home / "control-repo")], check=True)
        path = home / config
        path.write_text(text.format(root=render.ROOT, binary=binary))
        terminal = Terminal(command.format(config=shlex.quote(str(path)), file=FILE), home / "control-repo", home)
        try:
            for keys, pattern in steps:
                terminal.press(keys)
                terminal.wait_for(pattern)
            return render.svg(title, carried(terminal.lines()))
        finally:
            terminal.close()


def carried(lines):
    """Makes each line begin with the style at the end of the previous one, which tmux does not repeat."""
    active = ""
    found = []
    for line in lines:
        found.append(active + line)
        for escape in render.ESCAPE.findall(line):
            active = "" if escape in ("\x1b[0m", "\x1b[m") else active + escape
    return found


def main():
    arguments = sys.argv[1:]
    binary = render.ROOT / "target/release/puppet-analyzer"
    if arguments and arguments[0] not in EDITORS:
        binary = pathlib.Path(arguments.pop(0)).resolve()
    for name in arguments or EDITORS:
        (render.HERE / f"{name}.svg").write_text(picture(binary, name))
        print(f"docs/images/{name}.svg")


if __name__ == "__main__":
    main()
