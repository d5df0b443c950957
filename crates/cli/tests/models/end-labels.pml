/* expect: holds, states 7, transitions 8 */
/* A process may stop at a label that starts with end. */
chan c = [1] of { byte };
active proctype server() {
    byte x;
end_idle:
    do
    :: c?x
    od
}
active proctype client() { c!1; c!2 }
