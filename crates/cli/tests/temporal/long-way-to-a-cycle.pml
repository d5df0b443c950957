// p: violated, the way to the cycle is long
int i; bit g;
active proctype P() { do :: i < 20000 -> i++ :: else -> break od; do :: g = 1 - g od }
ltl p { <> [] (g == 1) }
