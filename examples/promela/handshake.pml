/* expect: holds, states 23, transitions 23 */
/* A client asks, a server answers; each request is counted. It holds. */
mtype = { request, reply, stop };

chan ask = [0] of { mtype, byte };
chan answer = [1] of { mtype, byte };

byte served;

active proctype client() {
    byte n, result;
    do
    :: n < 3 ->
        ask!request(n);
        answer?reply(result);
        assert(result == n + 1);
        n++
    :: else ->
        ask!stop(0);
        break
    od
}

active proctype server() {
    byte n;
end:
    do
    :: ask?request(n) -> atomic { served++; answer!reply(n + 1) }
    :: ask?stop(_) -> break
    od
}
