/*
 * A library for LD_PRELOAD that counts calls into the C library and makes one of them fail, or
 * several in a row.
 *
 * FAIL_FUNCTIONS  what to count, separated by commas: open, openat, mmap, fopen, opendir,
 *                 pthread_create. The variants for large files (open64, ...) and of fortified
 *                 libraries (__open_2, ...) count as the same.
 * FAIL_CALL       the call that fails, counted from 1 over all threads; none when it is missing.
 * FAIL_TIMES      how many calls fail from that one on; otherwise one.
 * FAIL_ERRNO      what it fails with, by name; otherwise EMFILE, for mmap ENOMEM, for
 *                 pthread_create EAGAIN.
 * FAIL_COUNT_TO   a file that holds the number of calls so far, the number of those that failed,
 *                 and the first one's description. It is mapped, so that it is right however the
 *                 process ends.
 *
 * Calls that the C library makes itself, as fopen's own open, are not seen.
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The layout of the file that FAIL_COUNT_TO names; test_faults.py reads it. */
struct record {
    _Atomic long calls;
    _Atomic long failures;
    char description[4080];
};

enum function { OPEN, OPENAT, MMAP, FOPEN, OPENDIR, PTHREAD_CREATE, FUNCTIONS };

static const char *const names[FUNCTIONS] = {
    "open", "openat", "mmap", "fopen", "opendir", "pthread_create",
};
static const struct {
    const char *name;
    int number;
} errors[] = {
    {"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EIO", EIO},       {"EMFILE", EMFILE},
    {"ENFILE", ENFILE}, {"ENOENT", ENOENT}, {"ENOMEM", ENOMEM},
};

static struct record own;
static struct record *record = &own;
static int counted[FUNCTIONS];
static long first_failing, last_failing;
static int chosen_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void map_record(const char *path) {
    /* By system call: these calls are not the program's. */
    int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ftruncate(descriptor, sizeof own) != 0) abort();
    void *shared = (void *)syscall(SYS_mmap, NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED,
                                  descriptor, (off_t)0);
    if (shared == MAP_FAILED) abort();
    syscall(SYS_close, descriptor);
    record = shared;
}

static void set_up(void) {
    const char *functions = getenv("FAIL_FUNCTIONS");
    char list[256];
    snprintf(list, sizeof list, "%s", functions ? functions : "");
    char *rest = NULL;
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        int function = 0;
        while (function < FUNCTIONS && strcmp(name, names[function]) != 0) function++;
        if (function == FUNCTIONS) abort();
        counted[function] = 1;
    }
    const char *call = getenv("FAIL_CALL");
    const char *times = getenv("FAIL_TIMES");
    first_failing = call ? atol(call) : 0;
    last_failing = call ? first_failing + (times ? atol(times) : 1) - 1 : -1;
    const char *error = getenv("FAIL_ERRNO");
    for (size_t i = 0; error && i < sizeof errors / sizeof *errors; i++) {
        if (strcmp(error, errors[i].name) == 0) chosen_error = errors[i].number;
    }
    if (error && chosen_error == 0) abort();
    const char *path = getenv("FAIL_COUNT_TO");
    if (path) map_record(path);
}

static void describe(enum function function, const char *what, const void *caller) {
    Dl_info info = {0};
    dladdr(caller, &info);
    snprintf(record->description, sizeof record->description, "%s %s, called by %s", names[function],
             what, info.dli_fname ? info.dli_fname : "?");
}

/* Whether this call is one that fails; errno is set then. */
static int fails(enum function function, const char *what, const void *caller) {
    pthread_once(&once, set_up);
    if (!counted[function]) return 0;
    long call = atomic_fetch_add(&record->calls, 1) + 1;
    if (call < first_failing || call > last_failing) return 0;
    if (call == first_failing) describe(function, what, caller);
    atomic_fetch_add(&record->failures, 1);
    int usual = function == MMAP ? ENOMEM : function == PTHREAD_CREATE ? EAGAIN : EMFILE;
    errno = chosen_error ? chosen_error : usual;
    return 1;
}

#define CALLER __builtin_return_address(0)

/* The C library's own definition. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The mode that follows flags which may make a file. */
#define READ_MODE(flags, mode)                                    \
    mode_t mode = 0;                                              \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments;                                        \
        va_start(arguments, flags);                               \
        mode = va_arg(arguments, mode_t);                         \
        va_end(arguments);                                        \
    }

int open(const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    if (fails(OPEN, path, CALLER)) return -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    if (fails(OPEN, path, CALLER)) return -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

/* What open without a mode becomes where a library is built with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags) {
    if (fails(OPEN, path, CALLER)) return -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags) {
    if (fails(OPEN, path, CALLER)) return -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

int openat(int directory, const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    if (fails(OPENAT, path, CALLER)) return -1;
    return syscall(SYS_openat, directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    if (fails(OPENAT, path, CALLER)) return -1;
    return syscall(SYS_openat, directory, path, flags | O_LARGEFILE, mode);
}

int __openat_2(int directory, const char *path, int flags) {
    if (fails(OPENAT, path, CALLER)) return -1;
    return syscall(SYS_openat, directory, path, flags, 0);
}

int __openat64_2(int directory, const char *path, int flags) {
    if (fails(OPENAT, path, CALLER)) return -1;
    return syscall(SYS_openat, directory, path, flags | O_LARGEFILE, 0);
}

static void *map(void *address, size_t length, int protection, int flags, int descriptor,
                 off_t offset, const void *caller) {
    char what[256];
    snprintf(what, sizeof what, "of %zu bytes", length);
    if (descriptor >= 0) {
        char link[64], path[200];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t count = readlink(link, path, sizeof path - 1);
        path[count < 0 ? 0 : count] = '\0';
        snprintf(what, sizeof what, "of %s", path);
    }
    if (fails(MMAP, what, caller)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return map(address, length, protection, flags, descriptor, offset, CALLER);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor,
             off64_t offset) {
    return map(address, length, protection, flags, descriptor, offset, CALLER);
}

FILE *fopen(const char *path, const char *mode) {
    if (fails(FOPEN, path, CALLER)) return NULL;
    return NEXT(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    if (fails(FOPEN, path, CALLER)) return NULL;
    return NEXT(fopen64)(path, mode);
}

DIR *opendir(const char *path) {
    if (fails(OPENDIR, path, CALLER)) return NULL;
    return NEXT(opendir)(path);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    if (fails(PTHREAD_CREATE, "", CALLER)) return errno;
    return NEXT(pthread_create)(thread, attributes, start, argument);
}
