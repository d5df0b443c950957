mtype = { hello, bye };
chan meet = [0] of { mtype };
chan post = [2] of { mtype, byte };
active proctype ann() { meet!hello; post!bye(1); post!bye(2); meet?hello }
active proctype bob() { byte n; meet?hello; post?bye(n); post?bye(n); assert(n == 1) }
