/* expect: holds, states 9, transitions 11 */
/* enabled(i) tells whether a process can do a step. */
byte x;
active proctype p() { x == 1 }
active proctype q() { assert(!enabled(0)); x = 1; skip }
