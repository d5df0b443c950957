/* expect: violated deadlock, states 7, transitions 8 */
/* Without such a label it may not. */
chan c = [1] of { byte };
active proctype server() {
    byte x;
    do
    :: c?x
    od
}
active proctype client() { c!1; c!2 }
