chan r = [0] of { byte };
active proctype A() { if :: r!1 :: else -> assert(false) fi; end: do :: false od }
active proctype B() { run R(); end: do :: false od }
proctype R() { r?1; end: do :: false od }
