---@brief
---
--- https://github.com/puppet-analyzer/puppet-analyzer
---
--- Language server for Puppet and OpenVox. Put `puppet-analyzer` on the `PATH`.
---
--- Settings have the names of the keys in `puppet-analyzer.toml`:
---
--- ```lua
--- vim.lsp.config('puppet_analyzer', {
---   settings = { ['puppet-analyzer'] = { ['puppet-version'] = 7 } },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'puppet-analyzer', 'lsp' },
  filetypes = { 'puppet', 'epuppet' },
  -- The first marker that any folder above has decides: a module in an environment belongs to the environment.
  root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
  settings = { ['puppet-analyzer'] = vim.empty_dict() },
}
