/* expect: violated assertion, states 945, transitions 2404 */
/* The annotation goes with the channel, not with its name: of an array, of a parameter, of what was received. */
/*@ lossy */ chan c[2] = [1] of { byte };
chan fine = [1] of { byte };
chan names = [1] of { chan };
byte lost;
proctype send(chan out) { out!1; if :: out == fine -> assert(len(fine) == 1) :: else -> if :: len(out) == 0 -> lost++ :: else fi fi; assert(lost < 3) }
init { chan other; names!c[0]; names?other; atomic { run send(c[1]); run send(fine); run send(other); other!1; if :: len(other) == 0 -> lost++ :: else fi } }
