/* expect: holds, states 9, transitions 9 */
/* A send to a lossy channel is always possible, so nothing else is. */
/*@ lossy */ chan c = [1] of { byte };
active proctype sender() { c!1; if :: c!2 :: else -> assert(false) fi }
