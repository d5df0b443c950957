chan c = [0] of { byte }; chan d=[0] of {byte}; byte z;
active proctype A() { do :: c!1 -> break :: else -> z=1; break od }
active proctype B() { d!1 }
active proctype Q() { d?1; run R(c) }
proctype R(chan k) { k?1; assert(z==0) }
