// never_five: violated, by who is not stopped by the error of the other
// again: violated
// bounded: not decided
/* The process that errs moves first: what the other does must not be left out for that. */
byte x, y, z;
active proctype P() { byte l; l = 1; l = l / z }
active proctype Q() { do :: x < 5 -> x++ :: else -> x = 0; y = 1 od }
ltl never_five { [] (x < 5) }
ltl again { [] <> (y == 0) }
ltl bounded { [] (x <= 5) }
