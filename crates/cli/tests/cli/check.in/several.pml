byte x, zero;
active proctype p() {
    if
    :: x = 1; assert(x == 2)
    :: x = 3; assert(x != 3)
    :: x = 1 / zero
    fi
}
