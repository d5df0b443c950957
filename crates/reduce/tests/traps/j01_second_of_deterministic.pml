typedef Packet { bit f1 };
chan c4 = [1] of { Packet };
active D_proctype P0() { if :: c4!0 :: skip fi }
active proctype P1() { c4!0 }
