chan r = [0] of { byte }; byte z;
active proctype A() { atomic { z=1; r!1 } }
active proctype W() { z==1 -> assert(false) }
active proctype B() { run R() }
proctype R() { atomic { r?1; z=2 } }
