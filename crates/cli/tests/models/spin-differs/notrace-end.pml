/* expect: violated trace-assertion, states 3, transitions 3 */
/* A notrace is matched where it has an end label, says the manual. pan wants its last brace. */
/* spin: 3 states, 3 transitions, no errors */
chan q = [2] of { byte };
notrace { q!1; end: q!2 }
active proctype P() { q!1 }
