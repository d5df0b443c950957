/* expect: holds, states 8, transitions 8 */
/* xr and xs promise that only one process receives or sends. */
chan c = [1] of { byte };
active proctype p() { xs c; c!1; c!2 }
active proctype q() { xr c; byte x; c?x; c?x; assert(x == 2) }
