chan c = [1] of { byte }; chan r = [1] of { chan }; byte y;
active proctype A() { c?_; y = 1; r!c }
active proctype B() { chan v; y == 1; r?v; v!7 }
