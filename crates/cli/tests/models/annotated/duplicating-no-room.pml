/* expect: holds, states 5, transitions 5 */
/* Without room for both, it arrives once. */
/*@ duplicating */ chan c = [1] of { byte };
byte got;
active proctype sender() { c!1 }
active proctype receiver() { end: do :: c?1 -> got++; assert(got < 2) od }
