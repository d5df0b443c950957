// bounded: holds
// reaches: violated
// beyond: violated, behind the assertion
// acceptance: violated
byte x;
active proctype P() {
    do :: x < 3 -> x++ :: else -> break od;
    assert(x != 3);
    x = 2;
accept: do :: x = 2 od
}
ltl bounded { [] (x <= 3) }
ltl reaches { <> (x == 4) }
ltl beyond { [] (x == 3 -> [] (x != 2)) }
