/* Two parts of the guard of Q are false, and the one between them cannot be evaluated until P has moved. */
byte x, y, a;
active proctype P() { x = 1 }
active proctype R() { a = 1 }
active proctype T() { a = 1 }
active proctype Q() { end: (a == 1 && 10 / x > 0 && y == 1) -> y = 0 }
