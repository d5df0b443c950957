// later: holds
// always: holds
/* Each sequence has over a thousand steps, and comes to states that another way through it has left; all of them end. */
byte z; short i;
active proctype P() {
    do
    :: z < 3 -> z++; atomic { if :: i = 0 :: i = 1; i = 0 fi; do :: i < 1500 -> i++ :: i >= 1500 -> break od; i = 0 }
    :: z >= 3 -> break
    od
}
active proctype Q() { byte q; q = 1; q = 0 }
ltl later { <> (z == 3) }
ltl always { [] (z <= 3) }
