/* expect: holds, states 6, transitions 6 */
/* skip, true and 1 are statements that do nothing. */
active proctype p() { skip; true; 1; (2 > 1) }
