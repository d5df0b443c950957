/* expect: violated runtime-error, states 3, transitions 4 */
/* A choice in a D_proctype between a condition and a break. pan asks for it only at statements that do something, so the break,
   which is a bare jump, is not noticed. */
/* spin: 3 states, 4 transitions, no errors */
byte x;
active D_proctype p() { do :: x == 0 :: break od }
