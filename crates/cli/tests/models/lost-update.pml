/* expect: violated assertion, states 42, transitions 54 */
/* Two increments that are not atomic. */
byte n, done;
active [2] proctype p() { byte seen; seen = n; n = seen + 1; done++ }
active proctype check() { done == 2; assert(n == 2) }
