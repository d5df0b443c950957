typedef M { unsigned f : 3 };
chan q = [0] of { M };
byte y;
active proctype W() { y = 1 }
active proctype R() { M m; q?1 -> assert(y == 1) }
active proctype P() { q!9 }
