/* expect: holds */
/* for over the messages of a channel: each is received and sent again. */
typedef message { byte a; byte b };
chan c = [3] of { byte, byte };
byte sum;
active proctype p() {
    message x;
    c!1,2; c!3,4;
    for (x in c) {
        sum = sum + x.a * x.b
    }
    assert(sum == 14 && len(c) == 2)
}
