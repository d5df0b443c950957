/* expect: holds, states 8, transitions 8 */
/* The second place of a receive has the first as its index. pan takes the receive back in the same order: first i is 0 again, then
   a[0], not a[1], gets its old value; a[1] stays 5, and the other option sees it. */
/* spin: 8 states, 8 transitions, assertion violated ((i==1)||(a[1]==0)) */
chan q = [1] of { byte, byte };
byte a[3];
active proctype P() {
    byte i;
    q!1,5;
    if
    :: q?i,a[i]
    :: true
    fi;
    assert(i == 1 || a[1] == 0)
}
