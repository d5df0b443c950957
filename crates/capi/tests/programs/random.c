/* Runs a random program that is given as text: CAPACITY COUNT PARTIES ACTOR...
 *
 * The letters are those of `Program::text` in crates/actors/tests/random/program.rs, and the
 * objects are made in the same order as there, so that both have the same executions. */
#include <stdlib.h>

#include "mazurka.h"

static mazurka_variable variables[2];
static mazurka_queue queue;
static mazurka_semaphore semaphore;
static mazurka_mutex mutexes[2];
static mazurka_rwlock lock;
static mazurka_condition condition;
static mazurka_barrier barrier;

/* What this actor has learned. */
static uint64_t seen;

static void see(int64_t value) { seen = seen * 31 + (uint64_t)value + 7; }

static const char *run(const char *text);

/* The end of the block that begins here, after performing it or not. */
static const char *block(const char *text, int is_taken) {
    if (is_taken)
        return run(text + 1) + 1;
    int depth = 0;
    do {
        depth += *text == '(';
        depth -= *text == ')';
        text++;
    } while (depth > 0);
    return text;
}

static void actor(void *text) {
    seen = 0;
    run((const char *)text);
}

static int digit(const char **text) { return *(*text)++ - '0'; }

/* Performs actions up to the end of their list, and tells where that is. */
static const char *run(const char *text) {
    while (*text && *text != ')') {
        char action = *text++;
        int64_t message = 0;
        int number, value, got;
        switch (action) {
        case 'r':
            see(mazurka_read(variables[digit(&text)]));
            break;
        case 'w':
            number = digit(&text);
            mazurka_write(variables[number], digit(&text));
            break;
        case 't':
            mazurka_write(variables[digit(&text)], (int64_t)(seen & 3));
            break;
        case 'a':
            number = digit(&text);
            mazurka_add(variables[number], digit(&text));
            break;
        case 'f':
            see(mazurka_fetch_add(variables[digit(&text)], 1));
            break;
        case 's':
            number = digit(&text);
            see(mazurka_swap(variables[number], digit(&text)));
            break;
        case 'c':
            number = digit(&text);
            value = digit(&text);
            see(mazurka_compare_exchange(variables[number], value, digit(&text)));
            break;
        case 'S':
            message = digit(&text);
            mazurka_send(queue, &message);
            break;
        case 'T':
            message = digit(&text);
            see(mazurka_try_send(queue, &message));
            break;
        case 'R':
            mazurka_receive(queue, &message);
            see(message);
            break;
        case 'Q':
            got = mazurka_try_receive(queue, &message);
            see(got ? message : -1);
            break;
        case 'L':
            see(mazurka_queue_length(queue));
            break;
        case 'P':
            mazurka_take(semaphore);
            break;
        case 'U':
            see(mazurka_try_take(semaphore));
            break;
        case 'V':
            mazurka_release(semaphore);
            break;
        case 'm':
            number = digit(&text);
            mazurka_lock(mutexes[number]);
            text = block(text, 1);
            mazurka_unlock(mutexes[number]);
            break;
        case 'n':
            number = digit(&text);
            see(got = mazurka_try_lock(mutexes[number]));
            text = block(text, got);
            if (got)
                mazurka_unlock(mutexes[number]);
            break;
        case 'k':
            mazurka_lock(mutexes[digit(&text)]);
            break;
        case 'd':
            mazurka_read_lock(lock);
            text = block(text, 1);
            mazurka_rwlock_unlock(lock);
            break;
        case 'e':
            mazurka_write_lock(lock);
            text = block(text, 1);
            mazurka_rwlock_unlock(lock);
            break;
        case 'g':
        case 'h':
            got = action == 'g' ? mazurka_try_read_lock(lock) : mazurka_try_write_lock(lock);
            see(got);
            text = block(text, got);
            if (got)
                mazurka_rwlock_unlock(lock);
            break;
        case 'K':
            mazurka_read_lock(lock);
            break;
        case 'W':
            mazurka_lock(mutexes[0]);
            mazurka_wait(condition, mutexes[0]);
            mazurka_unlock(mutexes[0]);
            break;
        case 'X':
            mazurka_lock(mutexes[0]);
            see(!mazurka_timed_wait(condition, mutexes[0]));
            mazurka_unlock(mutexes[0]);
            break;
        case 'o':
            mazurka_notify_one(condition);
            break;
        case 'O':
            mazurka_notify_all(condition);
            break;
        case 'b':
            see(mazurka_barrier_wait(barrier));
            break;
        case '!':
            see(mazurka_toss((unsigned)digit(&text)));
            break;
        case '?':
            message = mazurka_read(variables[digit(&text)]);
            see(message);
            value = digit(&text);
            mazurka_assert(message != value);
            break;
        case 'y':
        case 'Y':
            got = mazurka_spawn(NULL, actor, (void *)(text + 1));
            text = block(text, 0);
            if (action == 'Y')
                mazurka_join(got);
            break;
        case '.':
            mazurka_yield();
            break;
        default:
            abort();
        }
    }
    return text;
}

int main(int count, char **arguments) {
    for (int i = 0; i < 2; i++)
        variables[i] = mazurka_variable_create(NULL, 0);
    queue = mazurka_queue_create(NULL, (unsigned)atoi(arguments[1]), sizeof(int64_t));
    semaphore = mazurka_semaphore_create(NULL, (unsigned)atoi(arguments[2]));
    for (int i = 0; i < 2; i++)
        mutexes[i] = mazurka_mutex_create(NULL);
    lock = mazurka_rwlock_create(NULL);
    condition = mazurka_condition_create(NULL);
    barrier = mazurka_barrier_create(NULL, (unsigned)atoi(arguments[3]));
    for (int i = 4; i < count; i++)
        mazurka_spawn(NULL, actor, arguments[i]);
    return 0;
}
