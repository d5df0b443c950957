/* expect: holds, states 4, transitions 4 */
/* Formulas are read, and left alone by --property safety. */
byte x;
active proctype p() { x = 1; x = 0 }
ltl stays { [] (x <= 1) }
