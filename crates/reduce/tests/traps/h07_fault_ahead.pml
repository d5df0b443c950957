/* The same, with Q still on its way. */
byte x, y, a, b;
active proctype P() { x = 1 }
active proctype R() { a = 1 }
active proctype T() { a = 1 }
active proctype Q() { b = 1; b = 2; end: (a == 1 && 10 / x > 0 && y == 1) -> y = 0 }
active proctype S() { b == 2 }
