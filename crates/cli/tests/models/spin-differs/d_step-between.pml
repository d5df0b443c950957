/* expect: holds, states 3, transitions 3 */
/* A handshake is one step: p offers x and q wants 1 - x, so they never meet. pan makes it in two halves, and between them lets
   a d_step that begins with assert or printf run: p offers 0, r sets x to 1, q wants 0. */
/* spin: 10 states, 12 transitions, assertion violated 0 */
chan c = [0] of { bit };
bit x;
active proctype p() { end: c!x -> assert(false) }
active proctype q() { end: c?eval(1 - x) }
active proctype r() { d_step { assert(true); x = 1 } }
