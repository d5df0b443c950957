/* expect: holds, states 11, transitions 12 */
/* Any of several receivers may be the partner. */
chan c = [0] of { byte };
byte who;
proctype r(byte me) {
end: c?_ ; who = me
}
init { run r(1); run r(2); c!1; who > 0 }
