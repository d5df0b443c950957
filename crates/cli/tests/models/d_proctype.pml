/* expect: holds, states 4, transitions 4 */
/* D_proctype is a proctype. */
byte x;
active D_proctype p() { x = 1; assert(x == 1) }
