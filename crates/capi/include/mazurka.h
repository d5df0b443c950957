/* mazurka.h - visible operations of C and C++ programs that Mazurka explores.
 *
 * Link with libmazurka_c.a (or -lmazurka_c) and run
 *
 *     mazurka explore -- ./program arguments...
 *
 * The program is run again and again, each time in another interleaving of its actors and with
 * other outcomes of its tosses, until every inequivalent execution has been seen. An actor is a
 * UNIX process: the first runs main(), others are made by mazurka_spawn(). They share nothing but
 * the objects below. What an actor does between two operations is its own affair, and must be
 * the same whenever it has learned the same: no clocks, no random numbers, no files that change,
 * no threads.
 *
 * An operation that finds no room, no message, or a lock that is held waits. If all wait, that is a
 * deadlock, and is reported. A failed assertion, a signal, and an actor that does not come to its
 * next operation in time are reported as well, with the place in the source of every step.
 *
 * Names of objects and actors may be NULL. They appear in reports.
 */
#ifndef MAZURKA_H
#define MAZURKA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handles. They are numbers and may be copied; actors spawned later know them too. */
typedef struct mazurka_variable { uint16_t id; } mazurka_variable;
typedef struct mazurka_semaphore { uint16_t id; } mazurka_semaphore;
typedef struct mazurka_mutex { uint16_t id; } mazurka_mutex;
typedef struct mazurka_rwlock { uint16_t id; } mazurka_rwlock;
typedef struct mazurka_condition { uint16_t id; } mazurka_condition;
typedef struct mazurka_barrier { uint16_t id; } mazurka_barrier;
typedef struct mazurka_queue { uint16_t id; uint32_t size; } mazurka_queue;

/* Making objects is invisible: nobody else can know a new object. */

/* A shared variable with this value. */
mazurka_variable mazurka_variable_create(const char *name, int64_t value);
/* A counting semaphore with this count. */
mazurka_semaphore mazurka_semaphore_create(const char *name, unsigned count);
/* A mutex, free. */
mazurka_mutex mazurka_mutex_create(const char *name);
/* A read-write lock, free. */
mazurka_rwlock mazurka_rwlock_create(const char *name);
/* A condition variable. */
mazurka_condition mazurka_condition_create(const char *name);
/* A barrier for this many actors. */
mazurka_barrier mazurka_barrier_create(const char *name, unsigned size);
/* A queue for at most `capacity` messages of `size` bytes each, first in, first out. */
mazurka_queue mazurka_queue_create(const char *name, unsigned capacity, size_t size);

/* The number of the running actor; 0 is the one that runs main(). */
int mazurka_self(void);

/* The operations proper. Use them by the macros further below, which add the place. */
unsigned mazurka_toss_at(unsigned choices, const char *file, int line);
void mazurka_assert_at(int holds, const char *condition, const char *file, int line);
void mazurka_state_at(const void *state, size_t size, const char *file, int line);
void mazurka_note_at(const char *note, const char *file, int line);
void mazurka_yield_at(const char *file, int line);
int mazurka_spawn_at(const char *name, void (*body)(void *), void *argument, const char *file, int line);
void mazurka_join_at(int actor, const char *file, int line);

int64_t mazurka_read_at(mazurka_variable variable, const char *file, int line);
int64_t mazurka_write_at(mazurka_variable variable, int64_t value, const char *file, int line);
int64_t mazurka_add_at(mazurka_variable variable, int64_t value, const char *file, int line);
int64_t mazurka_fetch_add_at(mazurka_variable variable, int64_t value, const char *file, int line);
int64_t mazurka_swap_at(mazurka_variable variable, int64_t value, const char *file, int line);
int64_t mazurka_compare_exchange_at(mazurka_variable variable, int64_t expected, int64_t value,
                                    const char *file, int line);

void mazurka_send_at(mazurka_queue queue, const void *message, const char *file, int line);
int mazurka_try_send_at(mazurka_queue queue, const void *message, const char *file, int line);
void mazurka_receive_at(mazurka_queue queue, void *message, const char *file, int line);
int mazurka_try_receive_at(mazurka_queue queue, void *message, const char *file, int line);
unsigned mazurka_queue_length_at(mazurka_queue queue, const char *file, int line);

int mazurka_take_at(mazurka_semaphore semaphore, const char *file, int line);
int mazurka_try_take_at(mazurka_semaphore semaphore, const char *file, int line);
int mazurka_release_at(mazurka_semaphore semaphore, const char *file, int line);

int mazurka_lock_at(mazurka_mutex mutex, const char *file, int line);
int mazurka_try_lock_at(mazurka_mutex mutex, const char *file, int line);
void mazurka_unlock_at(mazurka_mutex mutex, const char *file, int line);

int mazurka_read_lock_at(mazurka_rwlock lock, const char *file, int line);
int mazurka_try_read_lock_at(mazurka_rwlock lock, const char *file, int line);
int mazurka_write_lock_at(mazurka_rwlock lock, const char *file, int line);
int mazurka_try_write_lock_at(mazurka_rwlock lock, const char *file, int line);
void mazurka_rwlock_unlock_at(mazurka_rwlock lock, const char *file, int line);

void mazurka_wait_at(mazurka_condition condition, mazurka_mutex mutex, const char *file, int line);
int mazurka_timed_wait_at(mazurka_condition condition, mazurka_mutex mutex, const char *file, int line);
int mazurka_notify_one_at(mazurka_condition condition, const char *file, int line);
int mazurka_notify_all_at(mazurka_condition condition, const char *file, int line);

int mazurka_barrier_wait_at(mazurka_barrier barrier, const char *file, int line);

#ifdef __cplusplus
}
#endif

#define MAZURKA_HERE __FILE__, __LINE__

/* A number from 0 up to, not including, `choices`. All are explored. */
#define mazurka_toss(choices) mazurka_toss_at((choices), MAZURKA_HERE)
/* Asserts something. If it is false, that is a violation. */
#define mazurka_assert(condition) mazurka_assert_at(!!(condition), #condition, MAZURKA_HERE)
/* Tells the state of the whole program: all that decides what it does from here on. A program that has not
 * spawned anybody and comes to a state that it was in before, in this execution or another, is not followed further. If
 * something is missing in what it tells, executions are missed. */
#define mazurka_state(state, size) mazurka_state_at((state), (size), MAZURKA_HERE)
/* Says something to whoever reads the execution. */
#define mazurka_note(note) mazurka_note_at((note), MAZURKA_HERE)
/* Lets others go first. */
#define mazurka_yield() mazurka_yield_at(MAZURKA_HERE)
/* Starts an actor that calls body(argument) and ends when it returns; gives its number. The
 * actor has a copy of the memory of its maker. */
#define mazurka_spawn(name, body, argument) mazurka_spawn_at((name), (body), (argument), MAZURKA_HERE)
/* Waits for the end of an actor. */
#define mazurka_join(actor) mazurka_join_at((actor), MAZURKA_HERE)

/* Variables. mazurka_add() tells nothing, so additions commute; mazurka_fetch_add(), mazurka_swap()
 * and mazurka_compare_exchange() give the value before. */
#define mazurka_read(variable) mazurka_read_at((variable), MAZURKA_HERE)
#define mazurka_write(variable, value) ((void)mazurka_write_at((variable), (value), MAZURKA_HERE))
#define mazurka_add(variable, value) ((void)mazurka_add_at((variable), (value), MAZURKA_HERE))
#define mazurka_fetch_add(variable, value) mazurka_fetch_add_at((variable), (value), MAZURKA_HERE)
#define mazurka_swap(variable, value) mazurka_swap_at((variable), (value), MAZURKA_HERE)
#define mazurka_compare_exchange(variable, expected, value) \
    mazurka_compare_exchange_at((variable), (expected), (value), MAZURKA_HERE)

/* Queues. `message` is the address of as many bytes as the queue was made for. The tries do not
 * wait, and tell whether they succeeded. */
#define mazurka_send(queue, message) mazurka_send_at((queue), (message), MAZURKA_HERE)
#define mazurka_try_send(queue, message) mazurka_try_send_at((queue), (message), MAZURKA_HERE)
#define mazurka_receive(queue, message) mazurka_receive_at((queue), (message), MAZURKA_HERE)
#define mazurka_try_receive(queue, message) mazurka_try_receive_at((queue), (message), MAZURKA_HERE)
#define mazurka_queue_length(queue) mazurka_queue_length_at((queue), MAZURKA_HERE)

/* Semaphores: Dijkstra's P is take, his V is release. */
#define mazurka_take(semaphore) ((void)mazurka_take_at((semaphore), MAZURKA_HERE))
#define mazurka_try_take(semaphore) mazurka_try_take_at((semaphore), MAZURKA_HERE)
#define mazurka_release(semaphore) ((void)mazurka_release_at((semaphore), MAZURKA_HERE))

/* Mutexes. They are not recursive. */
#define mazurka_lock(mutex) ((void)mazurka_lock_at((mutex), MAZURKA_HERE))
#define mazurka_try_lock(mutex) mazurka_try_lock_at((mutex), MAZURKA_HERE)
#define mazurka_unlock(mutex) mazurka_unlock_at((mutex), MAZURKA_HERE)

/* Read-write locks. */
#define mazurka_read_lock(lock) ((void)mazurka_read_lock_at((lock), MAZURKA_HERE))
#define mazurka_try_read_lock(lock) mazurka_try_read_lock_at((lock), MAZURKA_HERE)
#define mazurka_write_lock(lock) ((void)mazurka_write_lock_at((lock), MAZURKA_HERE))
#define mazurka_try_write_lock(lock) mazurka_try_write_lock_at((lock), MAZURKA_HERE)
#define mazurka_rwlock_unlock(lock) mazurka_rwlock_unlock_at((lock), MAZURKA_HERE)

/* Condition variables. Which of those who wait is notified is a choice. Nobody wakes without a
 * notification, except that the time of a timed wait may be over at any moment: it gives 0 then. */
#define mazurka_wait(condition, mutex) mazurka_wait_at((condition), (mutex), MAZURKA_HERE)
#define mazurka_timed_wait(condition, mutex) mazurka_timed_wait_at((condition), (mutex), MAZURKA_HERE)
#define mazurka_notify_one(condition) ((void)mazurka_notify_one_at((condition), MAZURKA_HERE))
#define mazurka_notify_all(condition) ((void)mazurka_notify_all_at((condition), MAZURKA_HERE))

/* Barriers. Gives 1 to the last to arrive, 0 to the others. */
#define mazurka_barrier_wait(barrier) mazurka_barrier_wait_at((barrier), MAZURKA_HERE)

/* The names of VeriSoft (Godefroid, Hanmer, Jagadeesan 1998). VS_toss(n) gives 0 to n. */
#ifndef MAZURKA_NO_VERISOFT_NAMES
#define VS_toss(n) ((int)mazurka_toss((unsigned)(n) + 1))
#define VS_assert(condition) mazurka_assert(condition)
#define VS_yield() mazurka_yield()
#define VS_send(queue, message) mazurka_send(queue, message)
#define VS_receive(queue, message) mazurka_receive(queue, message)
#define VS_semwait(semaphore) mazurka_take(semaphore)
#define VS_semsignal(semaphore) mazurka_release(semaphore)
#endif

#endif
