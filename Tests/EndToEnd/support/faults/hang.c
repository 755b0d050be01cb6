/*
 * A library for LD_PRELOAD that has a part of the process wait forever, as a fault in the program or in a library
 * would, when a request has certain words.
 *
 * block-the-loop  The thread that reads it from its connection waits.
 * hold-the-lock   The next thread of the program itself that locks a mutex (pthread_mutex_lock) keeps it and waits.
 * take-long       Pango takes four seconds to divide this text into items; that is no hang.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_int holds_lock;

static void wait_forever(void) {
    for (;;) pause();
}

static int has(const void *bytes, ssize_t count, const char *words) {
    return count > 0 && memmem(bytes, count, words, strlen(words)) != NULL;
}

ssize_t recv(int socket, void *bytes, size_t capacity, int flags) {
    ssize_t count = ((ssize_t(*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv"))(socket, bytes, capacity, flags);
    if (has(bytes, count, "block-the-loop")) wait_forever();
    if (has(bytes, count, "hold-the-lock")) atomic_store(&holds_lock, 1);
    return count;
}

/* Whether code is the program's own, and no library's. */
static int is_program(void *code) {
    Dl_info program, other;
    return dladdr((void *)getauxval(AT_PHDR), &program) && dladdr(code, &other) && program.dli_fbase == other.dli_fbase;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*lock)(pthread_mutex_t *);
    if (!lock) lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    int status = lock(mutex);
    if (atomic_load(&holds_lock) && is_program(__builtin_return_address(0))) wait_forever();
    return status;
}

void *pango_itemize_with_base_dir(void *context, int direction, const char *text, int start, int length, void *attributes,
                                  void *iterator) {
    if (has(text + start, length, "take-long")) sleep(4);
    return ((void *(*)(void *, int, const char *, int, int, void *, void *))dlsym(
        RTLD_NEXT, "pango_itemize_with_base_dir"))(context, direction, text, start, length, attributes, iterator);
}
