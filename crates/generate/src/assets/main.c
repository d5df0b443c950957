/* Runs the network by hand, at random, or as a script says. Made by Mazurka; an export replaces this file.
 *
 *   ./run                          choose every step
 *   ./run --random SEED            choose at random
 *   ./run --script                 read steps: the number of who moves, then what is chosen; # begins a comment
 *   --steps N                      stop after N steps
 *   --trace FILE                   write what happens, for `mazurka simulate MODEL --follow FILE`
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "trace.h"

#define LONGEST_LINE 4096

static enum { BY_HAND, AT_RANDOM, BY_SCRIPT } how = BY_HAND;
static uint64_t seed;
static char line[LONGEST_LINE];
static char *rest = line; /* what of a line of a script is not read yet */
static FILE *trace_file;
static network net;

/* A number below `count`, by xorshift. */
static unsigned at_random(unsigned count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 11) % count);
}

static bool read_number(char **text, unsigned *number)
{
    char *end;
    unsigned long read;
    errno = 0;
    read = strtoul(*text, &end, 10);
    if (end == *text || errno != 0 || read > 0xFFFFu) {
        return false;
    }
    *number = (unsigned)read;
    *text = end;
    return true;
}

static bool ask(const char *question, unsigned *number)
{
    char *text = line;
    printf("%s ", question);
    fflush(stdout);
    return fgets(line, sizeof line, stdin) != NULL && read_number(&text, number);
}

/* Where a mapping has several alternatives, or a machine can do several things. */
static unsigned choose(const network *asking, unsigned count)
{
    unsigned chosen = 0;
    (void)asking;
    switch (how) {
    case AT_RANDOM:
        return at_random(count);
    case BY_SCRIPT:
        return read_number(&rest, &chosen) ? chosen : 0;
    default:
        printf("one of %u, from 0: ", count);
        return ask("which?", &chosen) ? chosen : 0;
    }
}

static void tell(const network *moved, unsigned mover)
{
    if (trace_file != NULL) {
        trace_step(trace_file, moved, mover);
    }
}

/* Who moves next; NETWORK_MOVERS if nobody does. */
static unsigned next_mover(void)
{
    unsigned able[NETWORK_MOVERS];
    unsigned count = 0, mover;
    for (mover = 0; mover < NETWORK_MOVERS; mover++) {
        if (network_can_move(&net, mover)) {
            able[count++] = mover;
        }
    }
    if (how == BY_SCRIPT) {
        do {
            if (fgets(line, sizeof line, stdin) == NULL) {
                return NETWORK_MOVERS;
            }
        } while (line[0] == '#');
        rest = line;
        if (!read_number(&rest, &mover) || mover >= NETWORK_MOVERS || !network_can_move(&net, mover)) {
            fprintf(stderr, "this step is not possible: %s", line);
            exit(2);
        }
        return mover;
    }
    if (count == 0) {
        return NETWORK_MOVERS;
    }
    if (how == AT_RANDOM) {
        return able[at_random(count)];
    }
    trace_state(stdout, &net);
    for (mover = 0; mover < count; mover++) {
        printf("%4u) %s\n", mover, trace_mover(able[mover]));
    }
    return ask("who moves?", &mover) && mover < count ? able[mover] : NETWORK_MOVERS;
}

static int usage(void)
{
    fputs("usage: run [--random SEED | --script] [--steps N] [--trace FILE]\n", stderr);
    return 2;
}

int main(int count, char **arguments)
{
    uint64_t steps = 10000, taken;
    int number;
    for (number = 1; number < count; number++) {
        const char *option = arguments[number];
        const char *value = number + 1 < count ? arguments[number + 1] : NULL;
        if (strcmp(option, "--script") == 0) {
            how = BY_SCRIPT;
            continue;
        }
        if (value == NULL) {
            return usage();
        }
        number++;
        if (strcmp(option, "--random") == 0) {
            how = AT_RANDOM;
            /* Zero would stay zero for ever; seeds next to each other should not run alike. */
            seed = (strtoull(value, NULL, 10) + 1) * UINT64_C(0x9E3779B97F4A7C15);
        } else if (strcmp(option, "--steps") == 0) {
            steps = strtoull(value, NULL, 10);
        } else if (strcmp(option, "--trace") == 0) {
            trace_file = strcmp(value, "-") == 0 ? stdout : fopen(value, "w");
            if (trace_file == NULL) {
                perror(value);
                return 2;
            }
        } else {
            return usage();
        }
    }
    network_init(&net);
    net.choose = choose;
    net.moved = tell;
    if (trace_file != NULL) {
        trace_begin(trace_file, &net);
    }
    for (taken = 0; taken < steps; taken++) {
        unsigned mover = next_mover();
        if (mover == NETWORK_MOVERS) {
            break;
        }
        network_move(&net, mover);
    }
    if (trace_file != NULL && trace_file != stdout && fclose(trace_file) != 0) {
        perror("the trace");
        return 2;
    }
    if (trace_file != stdout) {
        printf("%llu step%s\n", (unsigned long long)taken, taken == 1 ? "" : "s");
        trace_state(stdout, &net);
    }
    return net.failure == network_fine ? 0 : 1;
}
