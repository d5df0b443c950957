/* sender kept from meeting its receiver by an escape of its own that is enabled */
chan ch = [0] of { byte }; byte e = 1, y;
active proctype W() { y = 1 }
active proctype P() { { ch!1; assert(y == 1) } unless { e == 1 && y == 0 && e == 5 } }
active proctype R() { ch?_ }
