/* expect: violated deadlock, states 3, transitions 3 */
/* timeout does not help a process that does not ask for it. */
byte x;
active proctype p() { timeout; x = 1; x == 2 }
active proctype q() { x == 3 }
