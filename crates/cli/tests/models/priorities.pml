/* expect: violated assertion, states 6, transitions 6 */
/* Where processes have priorities only those of the highest one that can do something run. */
byte x;
active proctype low() priority 1 { x = 1 }
active proctype high() priority 5 { assert(x == 0); assert(x == 1) }
