/* run R in an atomic, receiver ready by run, other's unless */
chan r = [0] of { byte }; byte z;
active proctype A() { { z=1; z=2 } unless { r!1 } }
active proctype B() { atomic { skip; run R() } }
proctype R() { r?1; if :: z==2 -> z=4 :: z==0 -> z=5 :: z==1 -> z=6 fi }
