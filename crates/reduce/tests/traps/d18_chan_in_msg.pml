chan r = [1] of { byte }; chan s = [1] of { byte }; chan g = [1] of { chan }; byte y;
active proctype W() { byte v; r?v; assert(y == 1) }
active proctype P() { chan c = s; g?c; c!1 }
active proctype Q() { g!r }
active proctype Z() { y = 1 }
