/* The Heart-Beat Monitor and its environment as two processes with two queues.
 *
 *     mazurka explore -- ./hbm PROPERTY [LIMIT]
 *
 * Process A is the monitor in its wrapper: it sends a heart-beat, then takes what comes back until
 * a "tick" says that the next interval has begun. Process B is the other processor and everything
 * between them: it takes a heart-beat and decides what becomes of it. README.md tells the story. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mazurka.h"
#include "monitor.h"

enum { FAST = 5, SLOW = 9, TICK = -1 };

struct message {
    int index; /* or TICK */
    int sent;
    int received;
};

static mazurka_queue a_to_b, b_to_a;
static int property;
static int intervals; /* A runs in intervals 0 to this one */
static int may_be_late = 1000; /* how many messages may be late or lost: property 4 */

/* ---- process B: the environment ---- */

static struct message stored[ENTRIES];
static int length;

static void send_back(int count, int received) {
    for (int i = 0; i < count; i++) {
        struct message message = stored[i];
        message.received = received;
        VS_send(b_to_a, &message);
    }
    length -= count;
    memmove(stored, stored + count, (size_t)length * sizeof *stored);
}

/* How many messages must come back now: the oldest, if its entry is about to be used again. Any later it
 * would be stale, which is the same as lost. */
static int overdue(int now) {
    return length > 0 && stored[0].sent <= now - (ENTRIES - 1) * PERIOD;
}

static void returned(struct message message, int delay) {
    stored[length++] = message;
    send_back(1, message.sent + delay);
}

/* Everything that can happen to a heart-beat, by one toss: it comes back in its own interval, slightly
 * late or on time, and before it all that are stored; or it is stored, or lost, and the m oldest come
 * back. Those are late by whole intervals, and it does not matter how late. In the last interval stored
 * is the same as lost. Once enough have been late or lost, all come back on time. */
static void anything(struct message message, int is_last) {
    int now = message.sent, least = overdue(now), ways = length - least + 1;
    int choice = may_be_late == 0 ? 1 : VS_toss(1 + (is_last ? ways : 2 * ways));
    if (choice != 1)
        may_be_late--;
    if (choice < 2) {
        send_back(length, now + FAST);
        returned(message, choice == 0 ? SLOW : FAST);
        return;
    }
    send_back(least + (choice - 2) % ways, now + FAST);
    if (choice - 2 < ways)
        stored[length++] = message;
}

static void environment(void *unused) {
    (void)unused;
    for (int interval = 0; interval < intervals; interval++) {
        struct message message;
        VS_receive(a_to_b, &message);
        switch (property) {
        case 1: break;
        case 2: returned(message, SLOW); break;
        case 5: returned(message, interval % 2 == 0 ? SLOW : FAST); break;
        case 7:
            /* Anything for a while, then everything slightly late: that ends in suspension. */
            if (interval <= ENTRIES + 1)
                anything(message, interval + 1 == intervals);
            else {
                send_back(length, message.sent + FAST);
                returned(message, SLOW);
            }
            break;
        default: anything(message, interval + 1 == intervals); break;
        }
        message.index = TICK;
        VS_send(b_to_a, &message);
    }
}

/* ---- process A: the monitor and its wrapper ---- */

/* Property 7: the same monitor, started one interval earlier. Its first heart-beat came back on
 * time, so nothing is different, but every index is one higher. */
static void start_earlier(struct monitor *monitor) {
    int suspended;
    monitor_start(monitor);
    int index = monitor_interval(monitor, -PERIOD, &suspended);
    monitor_receive(monitor, index, -PERIOD, -PERIOD + FAST);
}

int main(int argc, char **argv) {
    property = argc > 1 ? atoi(argv[1]) : 0;
    int given = argc > 2 ? atoi(argv[2]) : 0;
    switch (property) {
    case 1: intervals = given ? given : 20; break;
    case 2: intervals = given ? given : 20; break;
    case 3: intervals = given ? given : 9; break;
    case 4: intervals = 10; may_be_late = given; break;
    case 5: intervals = 30; break;
    case 6: intervals = given ? given : 14; break;
    case 7: intervals = 20; break;
    default:
        fprintf(stderr, "usage: mazurka explore -- hbm PROPERTY [LIMIT]\n");
        return 2;
    }
    a_to_b = mazurka_queue_create("AtoB", 1, sizeof(struct message));
    b_to_a = mazurka_queue_create("BtoA", ENTRIES + 2, sizeof(struct message));
    mazurka_spawn("B", environment, NULL);

    struct monitor monitor, earlier;
    monitor_start(&monitor);
    start_earlier(&earlier);
    int entered_stage_2 = -1;
    for (int interval = 0;; interval++) {
        int suspended, suspended_earlier, now = interval * PERIOD;
        struct message message = {0, now, NEVER};
        message.index = monitor_interval(&monitor, now, &suspended);
        monitor_interval(&earlier, now, &suspended_earlier);
        switch (property) {
        case 6:
            /* Stage 2 lasts its least time, and not an interval more. */
            if (monitor.stage != 2)
                entered_stage_2 = -1;
            else if (entered_stage_2 < 0)
                entered_stage_2 = interval;
            VS_assert(monitor.stage != 2 || interval - entered_stage_2 <= STAGE_2 / PERIOD);
            break;
        case 7:
            VS_assert(suspended == suspended_earlier);
            break;
        default:
            if (suspended)
                VS_assert(!"resource suspension");
        }
        if (interval == intervals)
            return 0;
        VS_send(a_to_b, &message);
        for (;;) {
            VS_receive(b_to_a, &message);
            if (message.index == TICK)
                break;
            monitor_receive(&monitor, message.index, message.sent, message.received);
            monitor_receive(&earlier, (message.index + 1) % ENTRIES, message.sent, message.received);
        }
    }
}
