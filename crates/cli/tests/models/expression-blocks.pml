/* expect: violated deadlock, states 3, transitions 3 */
/* An expression is a statement that blocks until it is true. */
byte x;
active proctype p() { x == 2; x = 3 }
active proctype q() { x = 1 }
