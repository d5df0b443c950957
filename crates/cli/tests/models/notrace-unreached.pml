/* expect: holds */
/* What is sent on d counts, so that c!1 is not followed by c!2 at once. */
chan c = [1] of { byte };
chan d = [1] of { byte };
active proctype P() { c!1; c?1; d!1; d?1; c!2; c?2 }
notrace { c!1; c!2; end: do :: c!7 od; d!1 }
