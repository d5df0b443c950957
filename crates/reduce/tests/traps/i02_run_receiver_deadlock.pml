chan r = [0] of { byte };
byte z;
active proctype A() { if :: r!1 -> skip :: else -> z = 1 fi }
proctype R() { r?1 }
active proctype B() { run R() }
