active proctype p() { assert(N < 5) }
