" SDL/PR, written by editors/make
if exists("b:current_syntax")
  finish
endif
syntax case ignore
syntax keyword sdlTypes boolean character charstring duration integer natural pid real time
highlight default link sdlTypes Type
syntax keyword sdlDeclarations active adding all alternative and as atleast axioms block call channel comment connect connection constant constants create dcl default else endalternative endblock endchannel endconnection endgenerator endmacro endnewtype endoperator endpackage endprocedure endprocess endrefinement endselect endservice endsubstructure endsyntype endsystem env error export exported external fi finalized for fpar from gate generator if import imported in inherits interface literal literals macro macrodefinition macroid map mod nameclass newtype nodelay noequality none not null operator operators or ordering out package priority procedure process redefined referenced refinement rem remote return returns revealed reverse select service signal signallist signalroute signalset spelling struct substructure synonym syntype system then this timer to type use via view viewed virtual with xor
highlight default link sdlDeclarations Structure
syntax keyword sdlStatements decision enddecision endstate input join nextstate output provided reset save set start state stop task
highlight default link sdlStatements Statement
syntax keyword sdlFunctions any now offspring parent self sender
highlight default link sdlFunctions Function
syntax keyword sdlConstants false true
highlight default link sdlConstants Constant
syntax match sdlNumber /\<\d\+\>/
syntax region sdlString start=/'/ end=/'/
syntax region sdlComment start=/\/\*/ end=/\*\//
highlight default link sdlNumber Number
highlight default link sdlString String
highlight default link sdlComment Comment
let b:current_syntax = "sdl"
