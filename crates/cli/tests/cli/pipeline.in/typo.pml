byte count;
active proctype P() { count += 1; cuont = 2 }
