byte x = 5;
proctype Q(byte n) { x = n }
init { x -= 1; run Q() }
