/* expect: violated deadlock, states 2, transitions 2 */
/* A message that does not match stays where it is. */
chan c = [1] of { byte };
active proctype p() { c!1 }
active proctype q() { c?2 }
