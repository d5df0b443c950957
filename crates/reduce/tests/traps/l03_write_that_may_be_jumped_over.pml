byte g;
active proctype P() { byte l; l = 2; d_step { g = g + 1; if :: g == 2 -> l = 1 :: else fi }; assert(l != 2) }
active proctype Q() { g = g + 1 }
