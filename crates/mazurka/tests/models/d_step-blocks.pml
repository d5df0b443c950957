/* expect: violated runtime-error */
/* A d_step may block only at its first statement. */
byte x;
active proctype p() { d_step { x == 0; x = 1; x == 2 } }
