/* expect: violated runtime-error */
/* A channel that was never made cannot be used. */
chan c;
active proctype p() { c!1 }
