/* expect: violated assertion, states 20, transitions 27 */
/* What is sent to a lossy channel may be lost, and then the second message comes first. */
/*@ lossy */ chan c = [2] of { byte };
active proctype sender() { c!1; c!2 }
active proctype receiver() { byte x; end: c?x; assert(x == 1) }
