/* expect: violated deadlock runtime-error, states 1, transitions 1 */
/* A channel that was never made cannot be used. */
chan other = [1] of { byte };
active proctype p() { chan c; c!1 }
