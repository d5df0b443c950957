byte x, y, e, g;
active proctype W() { y = 1 }
active proctype T() provided (e == 1) { if :: g == 1 -> skip :: else -> assert(y == 1) fi }
active proctype Q() { e = 1 }
