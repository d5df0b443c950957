/* expect: violated runtime-error, states 1, transitions 1 */
/* As with division. */
/* spin: floating point exception */
byte zero, x = 1;
active proctype p() { x = x % zero }
