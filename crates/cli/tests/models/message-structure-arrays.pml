/* expect: holds, states 13, transitions 13 */
/* A structure with arrays goes through a channel element by element, inside other structures too. */
typedef Inner { byte x[2]; bit on[2] };
typedef Packet { Inner inner; short last };
chan c = [2] of { byte, Packet, byte };
chan direct = [0] of { Inner };
Packet sent, got[2];
Inner met;
byte first, after;
active proctype p() {
    byte i = 1;
    sent.inner.x[1] = 3;
    sent.inner.on[0] = 1;
    sent.last = -7;
    c!1,sent,2;
    c?first,got[i],after;
    assert(got[1].inner.x[0] == 0 && got[1].inner.x[1] == 3);
    assert(got[1].inner.on[0] == 1 && got[1].inner.on[1] == 0);
    assert(got[1].last == -7 && first == 1 && after == 2 && got[0].last == 0);
    direct!got[1].inner
}
active proctype q() { direct?met; assert(met.x[1] == 3 && met.on[0]) }
