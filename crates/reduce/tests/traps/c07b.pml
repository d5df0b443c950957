chan g = [1] of { chan };
active proctype P() { chan c; g?c; c!1; }
active proctype Q() { chan c = [2] of { byte }; g!c; }
