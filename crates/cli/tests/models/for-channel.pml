/* expect: holds, states 21, transitions 21 */
/* for over the messages of a channel: each is received and sent again. */
typedef message { byte a; byte b };
chan c = [3] of { message };
byte sum;
active proctype p() {
    message x;
    x.a = 1; x.b = 2; c!x;
    x.a = 3; x.b = 4; c!x;
    for (x in c) {
        sum = sum + x.a * x.b
    }
    assert(sum == 14 && len(c) == 2)
}
