typedef M { unsigned f : 3 };
chan q = [0] of { M };
byte y, x;
active proctype W() { y = 1 }
active proctype R() { q?1 -> assert(y == 1) }
active proctype P() { x = 1; q!9 }
