#define N 2
active proctype p() { assert(N < 5) }
