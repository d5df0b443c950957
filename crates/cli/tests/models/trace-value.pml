/* expect: violated deadlock trace-assertion, states 5, transitions 5 */
/* The values are those that the channel holds: 257 is 1. The system may not end before the trace does. */
chan q = [3] of { byte, bool };
trace { q!1,_; do :: q!_,1 :: q!3,0 -> break od }
active proctype P() { q!257,0; if :: q!2,1 :: q!3,0 :: q!2,0 fi; end: false }
