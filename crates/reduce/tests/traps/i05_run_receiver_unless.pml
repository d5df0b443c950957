chan r = [0] of { byte };
byte z;
active proctype A() { { z = 0; z = 3 } unless { r!1; z = 1; assert(z==9) } }
proctype R() { r?1 }
active proctype B() { run R(); z==3; assert(0) }
