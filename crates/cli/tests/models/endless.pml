/* not run: more states than anybody can visit */
int a, b, c;
active proctype p() { do :: a < 1000000000 -> a++ od }
active proctype q() { do :: b < 1000000000 -> b++ od }
active proctype r() { do :: c < 1000000000 -> c++ od }
