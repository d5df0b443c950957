/* expect: violated assertion, states 7, transitions 7 */
/* A changes the priority of B, or does not. pan does not give B its priority back when it takes that step back, so the second option is
   explored with B at 5: it goes first and the assertion, which fails after x = 1, is missed. */
/* spin: 4 states, 5 transitions, no errors */
byte x;
active proctype A() priority 3 { if :: set_priority(1, 5) :: skip fi; x = 1; end: false }
active proctype B() priority 1 { assert(x == 0 || get_priority(1) == 5); end: false }
