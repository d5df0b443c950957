chan c = [2] of { byte };
byte x;
active proctype A() { c!1; c??5; x = 1 }
active proctype B() { end: x == 2; c!5 }
active proctype C() { x == 1; c?_ }
