" Puppet in Vim with ALE: source this from your vimrc, after ALE itself.

let g:puppet_analyzer_command = get(g:, 'puppet_analyzer_command', 'puppet-analyzer')

augroup puppet_analyzer
  autocmd!
  autocmd BufRead,BufNewFile *.pp setfiletype puppet
  autocmd BufRead,BufNewFile *.epp setfiletype epuppet
augroup END

function! PuppetAnalyzerRoot(buffer) abort
  for l:marker in ['environment.conf', 'Puppetfile', 'metadata.json']
    let l:found = ale#path#FindNearestFile(a:buffer, l:marker)
    if !empty(l:found)
      return fnamemodify(l:found, ':p:h')
    endif
  endfor
  return expand('#' . a:buffer . ':p:h')
endfunction

for s:filetype in ['puppet', 'epuppet']
  call ale#linter#Define(s:filetype, {
  \   'name': 'puppet-analyzer',
  \   'lsp': 'stdio',
  \   'executable': {buffer -> g:puppet_analyzer_command},
  \   'command': '%e lsp',
  \   'language': 'puppet',
  \   'project_root': function('PuppetAnalyzerRoot'),
  \ })
endfor
