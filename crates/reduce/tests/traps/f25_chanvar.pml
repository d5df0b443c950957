chan a = [0] of { byte }; chan b = [0] of { byte }; chan c; byte y;
init { c = a; run S(); run R(); run T() ; run W() }
proctype S() { c!1; }
proctype R() { b?_; assert(y == 1) }
proctype T() { c = b }
proctype W() { y = 1 }
