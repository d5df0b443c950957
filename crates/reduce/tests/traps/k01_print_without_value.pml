byte z = 1, y;
active proctype A() { y = 1; printf("%d\n", 2 / z) }
active proctype B() { y = 2; z = 0; z = 1 }
