" Promela, written by editors/make
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax keyword promelaTypes bit bool byte chan int mtype pid short unsigned
highlight default link promelaTypes Type
syntax keyword promelaDeclarations D_proctype active hidden init inline local ltl never notrace of priority proctype provided show trace typedef xr xs
highlight default link promelaDeclarations Structure
syntax keyword promelaStatements assert atomic break d_step do else fi for goto if in od printf printm return run select set_priority skip timeout unless
highlight default link promelaStatements Statement
syntax keyword promelaFunctions c_code c_decl c_expr c_state c_track empty enabled eval full get_priority len nempty nfull np_ pc_value
highlight default link promelaFunctions Function
syntax keyword promelaConstants _ _last _nr_pr _pid _priority false true
highlight default link promelaConstants Constant
syntax keyword promelaTemporal U V W X always equivalent eventually implies next release stronguntil until weakuntil
highlight default link promelaTemporal Operator
syntax match promelaNumber /\<\d\+\>/
syntax region promelaString start=/"/ skip=/\\./ end=/"/ oneline
syntax region promelaComment start=/\/\*/ end=/\*\//
syntax match promelaComment /\/\/.*$/
syntax match promelaPreProc /^\s*#.*$/ contains=promelaComment
highlight default link promelaPreProc PreProc
highlight default link promelaNumber Number
highlight default link promelaString String
highlight default link promelaComment Comment
let b:current_syntax = "promela"
