-- Puppet in Neovim: copy this file to ~/.config/nvim/lua and `require` it. Neovim 0.11 and later
-- need only the built-in client configuration; for older ones, down to 0.7, the code below starts the client.

local M = {}

M.command = { 'puppet-analyzer', 'lsp' }
M.root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' }
M.filetypes = { 'puppet', 'epuppet' }

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  while true do
    for _, marker in ipairs(M.root_markers) do
      if vim.fn.filereadable(folder .. '/' .. marker) == 1 or vim.fn.isdirectory(folder .. '/' .. marker) == 1 then
        return folder
      end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then
      return vim.fn.fnamemodify(path, ':p:h')
    end
    folder = parent
  end
end

local function detect_filetypes()
  if vim.filetype and vim.filetype.add then
    vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet' } })
  end
end

local clients = {}

-- Before 0.11: one client per root, attached when a file is opened.
local function attach(buffer, settings)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local running = clients[root] and vim.lsp.get_client_by_id(clients[root])
  if not running then
    clients[root] = vim.lsp.start_client({
      name = 'puppet_analyzer',
      cmd = M.command,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      settings = { ['puppet-analyzer'] = settings },
      init_options = settings,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- settings: keys of puppet-analyzer.toml, such as { ['puppet-version'] = 7 }.
function M.setup(settings)
  settings = settings or vim.empty_dict()
  detect_filetypes()
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config('puppet_analyzer', {
      cmd = M.command,
      filetypes = M.filetypes,
      root_markers = M.root_markers,
      settings = { ['puppet-analyzer'] = settings },
      init_options = settings,
    })
    vim.lsp.enable('puppet_analyzer')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = M.filetypes,
    callback = function(event)
      attach(event.buf, settings)
    end,
  })
end

return M
