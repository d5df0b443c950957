/* expect: violated deadlock, states 1, transitions 1 */
/* A send without a partner blocks. */
chan c = [0] of { byte };
active proctype p() { c!3 }
active proctype q() { c?4 }
