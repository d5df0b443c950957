// p: violated
/* There are more ways through the atomic sequence than anybody can go. */
bit y, z;

active proctype A() { atomic { do :: y = 0 :: y = 1 od } }

active proctype B() { z = 1; do :: z = 1; z = 1; z = 1; z = 1 od }

ltl p { <> (z == 2) }
