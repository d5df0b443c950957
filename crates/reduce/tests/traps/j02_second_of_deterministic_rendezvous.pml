chan meet = [0] of { byte };
proctype W() { meet?_ }
init { run W() }
active D_proctype P() { if :: meet!1 :: skip fi }
