/* expect: violated deadlock, states 25, transitions 33 */
/* Two locks taken in different orders. */
bit a, b;
active proctype p() { atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; b = 0; a = 0 }
active proctype q() { atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; a = 0; b = 0 }
