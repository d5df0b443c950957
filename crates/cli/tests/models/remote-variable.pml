/* expect: violated deadlock, states 5, transitions 5 */
/* p[i]:v reads a variable of another process. */
active proctype p() {
    byte local_;
    local_ = 1;
    local_ = 2;
    false
}
active proctype q() { p[0]:local_ == 2 }
