#include "monitor.h"

void monitor_start(struct monitor *monitor) {
    monitor->stage = 1;
    monitor->count = 0;
    monitor->entered = 0;
    monitor->last = ENTRIES - 1;
    for (int i = 0; i < ENTRIES; i++)
        monitor->entries[i] = (struct entry){NEVER, NEVER, 0};
}

void monitor_receive(struct monitor *monitor, int index, int sent, int received) {
    struct entry *entry = &monitor->entries[index];
    if (entry->sent == sent)
        entry->received = received;
}

/* Figure 1 of the paper. */
static void process(struct monitor *monitor, int on_time, int now) {
    if (on_time) {
        if (monitor->count > 0)
            monitor->count--;
        return;
    }
    if (monitor->stage == 1 && monitor->count >= 1) {
        monitor->stage = 2;
        monitor->entered = now;
    }
    if (monitor->count <= 1)
        monitor->count++;
    if (monitor->stage == 2 && monitor->count == 2 && now - monitor->entered >= STAGE_2) {
        monitor->stage = 3;
        monitor->entered = now;
    }
    if (monitor->count <= 2 && monitor->stage != 2)
        monitor->count++;
}

int monitor_interval(struct monitor *monitor, int now, int *suspended) {
    if (monitor->stage == 3 && now - monitor->entered >= STAGE_3) {
        monitor->stage = 1;
        monitor->entered = now;
    }
    /* In the order of their indices, not of their coming: property 7. */
    for (int i = 0; i < ENTRIES; i++) {
        struct entry *entry = &monitor->entries[i];
        if (entry->received != NEVER) {
            process(monitor, entry->received - entry->sent <= ON_TIME, now);
            entry->received = NEVER;
            entry->processed = 1;
        }
    }
    int next = (monitor->last + 1) % ENTRIES;
    struct entry *entry = &monitor->entries[next];
    if (entry->sent != NEVER && !entry->processed)
        process(monitor, 0, now); /* it is lost */
    *suspended = monitor->count == 3;
    *entry = (struct entry){now, NEVER, 0};
    monitor->last = next;
    return next;
}
