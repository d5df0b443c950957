/* expect: violated trace-assertion */
/* The trace names d in a part that is never reached: what is sent on d counts all the same. */
chan c = [1] of { byte };
chan d = [1] of { byte };
active proctype P() { d!1; d?1; c!1; c?1 }
trace { end: do :: c!1 od; d!1 }
