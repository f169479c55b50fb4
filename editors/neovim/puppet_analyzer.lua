-- Puppet in Neovim: copy this file to ~/.config/nvim/lua and `require` it. Neovim 0.11 and later
-- need only the built-in client configuration; for older ones, down to 0.7, the code below starts the client.

local M = {}

M.command = { 'puppet-analyzer', 'lsp' }
M.root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' }
M.filetypes = { 'puppet', 'epuppet' }

-- The order of the markers decides, as in Neovim 0.11: a module inside of an environment belongs to the environment.
local function root_of(path)
  local start = vim.fn.fnamemodify(path, ':p:h')
  for _, marker in ipairs(M.root_markers) do
    local folder, inner = start, nil
    while folder ~= inner do
      if vim.fn.filereadable(folder .. '/' .. marker) == 1 or vim.fn.isdirectory(folder .. '/' .. marker) == 1 then
        return folder
      end
      folder, inner = vim.fn.fnamemodify(folder, ':h'), folder
    end
  end
  return start
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

local function client_of(buffer)
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
  for _, client in pairs(clients) do
    if client.name == 'puppet_analyzer' then
      return client
    end
  end
end

-- Runs a server command and calls show(result); its error is shown as a message.
local function execute(command, argument, show)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    vim.notify('puppet-analyzer is not attached to this buffer', vim.log.levels.ERROR)
    return
  end
  argument.show = false
  local function handle(problem, result)
    if problem then
      vim.notify(problem.message, vim.log.levels.ERROR)
    else
      show(result)
    end
  end
  local params = { command = command, arguments = { argument } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, handle, buffer)
  else
    client.request('workspace/executeCommand', params, handle, buffer)
  end
end

-- Returns the argument of a command: a class by its name, or the one at the cursor.
local function class_or_cursor(name)
  if name ~= '' then
    return { class = name }
  end
  local encoding = client_of(0) and client_of(0).offset_encoding
  local position = vim.lsp.util.make_position_params(0, encoding)
  return { textDocument = position.textDocument, position = position.position }
end

-- Shows a text in a buffer that is never written; a buffer of the same name is reused.
local function show_text(name, filetype, text)
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(name, '^$.*[]~\\') .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(true, true)
    vim.api.nvim_buf_set_name(buffer, name)
  end
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n'))
  vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
  vim.api.nvim_buf_set_option(buffer, 'filetype', filetype)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd('rightbelow vsplit')
    vim.api.nvim_win_set_buf(0, buffer)
  else
    vim.api.nvim_set_current_win(window)
  end
end

-- Shows the catalog of a class: of the one at the cursor if the name is empty.
function M.show_catalog(class)
  execute('puppet.showCatalog', class_or_cursor(class or ''), function(result)
    show_text('puppet-catalog://' .. result.title, 'text', result.text)
  end)
end

-- Shows the resources of a class and their relationships, as 'text' or 'dot' (Graphviz).
function M.show_graph(class, format)
  local argument = class_or_cursor(class or '')
  argument.format = format or 'text'
  execute('puppet.showGraph', argument, function(result)
    local filetype = argument.format == 'dot' and 'dot' or 'text'
    show_text('puppet-graph://' .. result.title .. '.' .. argument.format, filetype, result.text)
  end)
end

-- Evaluates the lines first to last, or the expression at the cursor, and calls show(text) with the result.
function M.evaluate(first, last, show)
  local encoding = client_of(0) and client_of(0).offset_encoding
  local at = vim.lsp.util.make_position_params(0, encoding)
  local range = { start = at.position, ['end'] = at.position }
  if first then
    range = { start = { line = first - 1, character = 0 }, ['end'] = { line = last, character = 0 } }
  end
  execute('puppet.evaluate', { textDocument = at.textDocument, range = range }, function(result)
    local lines = {}
    if result.type then
      lines[1] = (result.value or 'unknown value') .. ' : ' .. result.type
    end
    for _, log in ipairs(result.logs) do
      table.insert(lines, log.level .. ': ' .. log.message)
    end
    for _, problem in ipairs(result.errors) do
      table.insert(lines, 'error[' .. problem.code .. ']: ' .. problem.message)
    end
    local say = show or vim.notify
    say(table.concat(lines, '\n'))
  end)
end

local function define_commands()
  local define = vim.api.nvim_create_user_command
  define('PuppetCatalog', function(it)
    M.show_catalog(it.args)
  end, { nargs = '?', desc = 'Show the catalog of a class' })
  define('PuppetGraph', function(it)
    M.show_graph(it.args, it.bang and 'dot' or 'text')
  end, { nargs = '?', bang = true, desc = 'Show the graph of a class; with ! for Graphviz' })
  define('PuppetEvaluate', function(it)
    if it.range > 0 then
      M.evaluate(it.line1, it.line2)
    else
      M.evaluate()
    end
  end, { range = true, desc = 'Evaluate lines or the expression at the cursor' })
end

-- settings: keys of puppet-analyzer.toml, such as { ['puppet-version'] = 7 }.
function M.setup(settings)
  settings = settings or vim.empty_dict()
  detect_filetypes()
  define_commands()
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
