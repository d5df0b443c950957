chan q = [2] of { byte };
init { q!0; atomic { run Q(); run Z(); run P() } }
proctype Q() { q?_ }
proctype Z() { q!1 }
proctype P() { if :: q!1 :: else -> assert(false) fi }
