chan r = [0] of { byte };
active proctype A() { if :: r!1 :: else -> assert(false) fi }
proctype R() { r?1 }
active proctype B() { run R() }
