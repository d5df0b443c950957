chan g = [1] of { chan }; byte y;
active proctype P() { chan c; g?c; if :: nfull(c) -> y = 1 :: full(c) -> y = 2 fi }
active proctype Q() { chan c = [2] of { byte }; g!c; }
