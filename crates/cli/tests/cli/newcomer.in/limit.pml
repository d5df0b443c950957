#define LIMIT 2
byte n;
active proctype P() { n = LIMIT + 1; assert(n <= LIMIT); n == 0 }
ltl small { [] (n <= LIMIT) }
