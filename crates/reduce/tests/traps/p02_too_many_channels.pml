byte n;
chan pad[240] = [1] of { bit };
proctype P() { chan own[5] = [1] of { bit }; n-- }
init { do :: n == 0 -> n++; run P() od }
