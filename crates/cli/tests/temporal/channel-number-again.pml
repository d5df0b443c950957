// p: violated, a channel that is gone is asked about; starting Q gives its number to another one
chan gc;
bit flag, g;

proctype L() { chan me = [1] of { byte }; gc = me }
proctype Q() { chan my = [1] of { byte }; end: false }

active proctype A() { run L(); _nr_pr == 3; flag = 1; run Q() }
active proctype B() { flag == 1; g = 1; g = 0 }
active proctype C() { end: false }

ltl p { [] ((g && len(gc) == 0) + 0 < 2) }
