/* expect: holds, states 5, transitions 5 */
/* -> and ; are the same. */
byte x;
active proctype p() { x == 0 -> x = 1 -> assert(x == 1); }
