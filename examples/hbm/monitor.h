/* The Heart-Beat Monitor of a telephone switch, as Godefroid, Hanmer and Jagadeesan describe it
 * (1998). It is plain sequential code and knows nothing of Mazurka. */
#ifndef MONITOR_H
#define MONITOR_H

enum {
    ENTRIES = 5,    /* k: how many heart-beats are remembered */
    PERIOD = 10,    /* d_period: the time from one interval to the next */
    ON_TIME = 5,    /* d_ontime: a longer delay is late */
    STAGE_2 = 80,   /* d_stage2: the least time in stage 2 */
    STAGE_3 = 80,   /* the time in stage 3 */
    NEVER = -1
};

struct entry {
    int sent;       /* NEVER if there is none */
    int received;   /* NEVER if it has not come back, or has been processed */
    int processed;  /* whether it has */
};

struct monitor {
    int stage;      /* 1, 2 or 3 */
    int count;      /* late or lost messages: a leaky bucket, full at 3 */
    int entered;    /* when the stage was entered */
    int last;       /* the index of the last message sent */
    struct entry entries[ENTRIES];
};

/* A monitor in stage 1 that has sent nothing. */
void monitor_start(struct monitor *monitor);

/* A heart-beat has come back; one that does not match its entry is stale and discarded. */
void monitor_receive(struct monitor *monitor, int index, int sent, int received);

/* One interval. Gives the index of the heart-beat to send now, and tells whether resource suspension is
 * triggered. */
int monitor_interval(struct monitor *monitor, int now, int *suspended);

#endif
