active [2] proctype p() { printf("hello from %d\n", _pid) }
