/* Runs the network under `mazurka explore`, which tries who moves and what is chosen. Made by Mazurka; an export replaces this file.
 *
 *   mazurka explore --all -- ./explore            every run
 *   mazurka explore --all -- ./explore --states   every state once; mapping.c keeps nothing besides the network
 *
 * If mapping.c keeps more, let it have a function that writes all of it, and compile with -DMAPPING_STATE=name_of_the_function.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mazurka.h"
#include "network.h"
#include "trace.h"

#ifdef MAPPING_STATE
void MAPPING_STATE(FILE *out, const network *net);
#endif

#define BUCKETS 4096

/* The states of this run. */
static struct met {
    struct met *next;
    char *state;
} *met[BUCKETS];

static network net;

static unsigned choose(const network *asking, unsigned count)
{
    (void)asking;
    return count > 1 ? mazurka_toss(count) : 0;
}

static void *checked(void *memory)
{
    if (memory == NULL) {
        perror("explore");
        exit(2);
    }
    return memory;
}

/* The state, in one line. */
static char *state_now(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked(open_memstream(&text, &size));
    trace_state(out, &net);
#ifdef MAPPING_STATE
    MAPPING_STATE(out, &net);
#endif
    fclose(out);
    return checked(text);
}

/* Was this run in the state before? */
static bool comes_again(const char *state)
{
    unsigned bucket = 0;
    const char *at;
    struct met *known;
    for (at = state; *at != 0; at++) {
        bucket = (bucket * 31 + (unsigned char)*at) % BUCKETS;
    }
    for (known = met[bucket]; known != NULL; known = known->next) {
        if (strcmp(known->state, state) == 0) {
            return true;
        }
    }
    known = checked(malloc(sizeof *known));
    known->state = checked(strdup(state));
    known->next = met[bucket];
    met[bucket] = known;
    return false;
}

/* A text that says where something happened, in one line. */
static char *told(const char *what, const char *state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked(open_memstream(&text, &size));
    const char *at;
    fprintf(out, "%s in ", what);
    for (at = state + strlen("state\t"); *at != 0 && *at != '\n'; at++) {
        if (*at == '\t') {
            fputs("; ", out);
        } else {
            fputc(*at, out);
        }
    }
    fclose(out);
    return checked(text);
}

int main(int count, char **arguments)
{
    bool matches = count > 1 && strcmp(arguments[1], "--states") == 0;
    network_init(&net);
    net.choose = choose;
    for (;;) {
        unsigned able[NETWORK_MOVERS], movers = 0, mover;
        char *state = state_now();
        if (matches) {
            mazurka_state(state, strlen(state));
            if (comes_again(state)) {
                return 0;
            }
        }
        for (mover = 0; mover < NETWORK_MOVERS; mover++) {
            if (network_can_move(&net, mover)) {
                able[movers++] = mover;
            }
        }
        if (movers == 0) {
            if (!network_may_end(&net)) {
                /* Nobody ever gives what is waited for. */
                mazurka_take(mazurka_semaphore_create(told("nobody can move", state), 0));
            }
            return 0;
        }
        mover = able[movers > 1 ? mazurka_toss(movers) : 0];
        mazurka_note(trace_mover(mover));
        network_move(&net, mover);
        /* What the network survives is told in a run that ends there; another goes on. */
        if (net.noticed != network_fine && mazurka_toss(2) == 0) {
            mazurka_assert_at(0, told(trace_failure(net.noticed), state), __FILE__, __LINE__);
            return 0;
        }
        if (net.failure != network_fine) {
            mazurka_assert_at(0, told(trace_failure(net.failure), state), __FILE__, __LINE__);
            return 0;
        }
        free(state);
    }
}
