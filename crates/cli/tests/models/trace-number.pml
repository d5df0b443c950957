/* expect: violated deadlock trace-assertion, states 4, transitions 4 */
/* A field of a trace may be an expression of numbers; SPIN would take every message for it. */
#define N 2
chan q = [3] of { short };
trace { q!-1; q!N + 1; q!N * 2 }
active proctype P() { q!-1; q!3; q!5; end: false }
