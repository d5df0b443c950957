chan q = [2] of { byte };
init { q!0; atomic { run Q(); run P() } }
proctype Q() { q?_ }
proctype P() { d_step { q!1; q!2 } }
