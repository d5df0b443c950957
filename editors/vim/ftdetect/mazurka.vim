" Written by editors/make
autocmd BufRead,BufNewFile *.pml,*.prom,*.promela,*.spin,*.pr,*.prm setfiletype promela
autocmd BufRead,BufNewFile *.efsm setfiletype efsm
autocmd BufRead,BufNewFile *.vfsm setfiletype vfsm
autocmd BufRead,BufNewFile *.sdl setfiletype sdl
