/* expect: violated assertion, states 12, transitions 12 */
/* What is sent once may arrive twice. */
/*@ duplicating */ chan c = [2] of { byte };
byte got;
active proctype sender() { c!1 }
active proctype receiver() { end: do :: c?1 -> got++; assert(got < 2) od }
