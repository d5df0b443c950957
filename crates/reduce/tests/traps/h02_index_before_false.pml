/* The same with an index, which two processes move. */
byte a[3], i = 1, j, y;
active proctype P() { j = 1 }
active proctype R() { i = 3 }
active proctype Q() { end: (a[i - j] == 0 && y == 1) -> y = 0 }
