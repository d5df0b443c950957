chan q = [1] of { byte }; byte f;
active proctype Q() { q!1; q?_ }
active proctype P() { atomic { f = 1; if :: q?_ -> f = 2 :: else -> f = 3 fi; nempty(q); f = 0 } }
active proctype W() { assert(f != 3); assert(f != 2) }
