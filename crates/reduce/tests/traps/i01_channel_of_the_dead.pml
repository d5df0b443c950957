chan g = [1] of { chan }; chan h = [1] of { byte };
active proctype Q() { chan d; g?d; d!1 }
active proctype P() { chan c[1] = [2] of { byte }; g!c[0]; c[0] = h }
