/* What happens, as text: `mazurka simulate MODEL --follow FILE` repeats it. Made by Mazurka; an export replaces this file. */
#ifndef TRACE_H
#define TRACE_H

#include <stdio.h>

#include "network.h"

/* The name of who moves. */
const char *trace_mover(unsigned mover);

/* The name of what went wrong. */
const char *trace_failure(enum network_failure failure);

/* The state, in one line. */
void trace_state(FILE *out, const network *net);

/* The beginning of a trace. */
void trace_begin(FILE *out, const network *net);

/* A step that was taken: what the hook `moved` of a network is for. */
void trace_step(FILE *out, const network *net, unsigned mover);

#endif
