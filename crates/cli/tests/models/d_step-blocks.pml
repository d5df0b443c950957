/* expect: violated runtime-error, states 1, transitions 1 */
/* A d_step may block only at its first statement. */
byte x;
active proctype p() { d_step { x == 0; x = 1; x == 2 } }
