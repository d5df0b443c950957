chan q = [2] of { byte }; byte y;
active proctype A() { q!1; q!2 }
active proctype B() { if :: q?2 -> y = 1 :: else -> y = 2 fi; assert(y == 2) }
active proctype C() { q?1; if :: nfull(q) -> skip :: else -> skip fi; if :: y == 1 -> assert(false) :: else fi }
