/* expect: violated deadlock, states 2, transitions 2 */
/* When it stays false the process never ends. */
bit turn;
active proctype p() provided (turn == 0) { turn = 1; skip }
