/* expect: holds, states 6, transitions 6 */
/* A process runs only where its provided clause is true. */
bit turn;
byte x;
active proctype p() provided (turn == 0) { x = 1; turn = 1; x = 2 }
active proctype q() provided (turn == 1) { assert(x == 1); turn = 0 }
