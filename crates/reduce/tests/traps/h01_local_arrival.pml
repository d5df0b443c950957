byte z;
active proctype P() { byte v; z = 1; v = 3; lab: z = 2 }
active proctype Q() { z == 1; assert(P@lab) }
