/* expect: violated runtime-error, states 1, transitions 1 */
/* Division by zero ends pan itself, with a signal of the operating system and without a trail. */
/* spin: floating point exception */
byte zero, x = 1;
active proctype p() { x = x / zero }
