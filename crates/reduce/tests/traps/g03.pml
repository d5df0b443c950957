chan q = [3] of { byte };
init { q!0; atomic { run Q(); run Z(); run P() } }
proctype Q() { q!1 }
proctype Z() { q?_ }
proctype P() { empty(q) -> assert(false) }
