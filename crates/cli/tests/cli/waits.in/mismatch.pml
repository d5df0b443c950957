chan d = [0] of { byte };
active proctype A() { d!1 }
active proctype B() { d?2 }
