/* a channel of a dead process is replaced by that of a new one */
chan g = [1] of { chan }; byte z;
proctype A() { chan c = [1] of { byte }; g!c }
proctype B() { chan d = [1] of { byte }; z = 1; d?_; assert(false) }
active proctype P() { chan c; g?c; c!1 }
init { run A(); run B() }
