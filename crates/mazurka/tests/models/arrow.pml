/* expect: holds */
/* -> and ; are the same. */
byte x;
active proctype p() { x == 0 -> x = 1 -> assert(x == 1); }
