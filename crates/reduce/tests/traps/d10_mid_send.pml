chan q = [2] of { byte }; byte flag;
init { q!0; atomic { run Q(); run P(); run W() } }
proctype Q() { q?_ }
proctype P() { atomic { q!1; flag = 1; q!2; flag = 0 } }
proctype W() { assert(flag == 0) }
