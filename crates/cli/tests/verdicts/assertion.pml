// safety: violated, once
// bounded: holds
// reaches: violated
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od; assert(x != 3) }
ltl bounded { [] (x <= 3) }
ltl reaches { <> (x == 4) }
