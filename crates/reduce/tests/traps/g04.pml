chan q = [3] of { byte };
init { q!2; q!0; atomic { run Q(); run Z(); run P() } }
proctype Q() { q!1 }
proctype Z() { q?_; q?_ }
proctype P() { q?<1>; assert(false) }
