/* expect: holds */
/* D_proctype is a proctype. */
byte x;
active D_proctype p() { x = 1; assert(x == 1) }
