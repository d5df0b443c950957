/* expect: violated assertion, states 6, transitions 6 */
/* A receive into a variable that is narrower than the field. When pan takes the receive by p back, it fills the message
   from the variable, so the channel holds 0 from then on and q never gets its 2. */
/* spin: 4 states, 4 transitions, no errors */
chan c = [1] of { short };
bit g;
active proctype q() { end: c?2 -> assert(false) }
active proctype p() { c!2; end: c?g }
