/* expect: violated assertion, states 3, transitions 3 */
/* A process of higher priority whose condition is false keeps nobody from moving. */
byte x;

active proctype P() priority 1 { end: x = 1; assert(false) }
active proctype Q() priority 4 provided (x == 9) { end: skip }
