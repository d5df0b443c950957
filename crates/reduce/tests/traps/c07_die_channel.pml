chan g; byte ok;
active proctype P() { byte x; g != 0; g!1; }
active proctype Q() { chan c = [2] of { byte }; g = c; }
