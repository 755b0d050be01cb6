#define _GNU_SOURCE
#include "stacks.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// All of this runs in handlers of signals, while other threads may hold any lock: nothing is allocated, and nothing
// waits without end. Were something to wait after all, the supervisor would send SIGKILL.

enum { FRAMES = 64, LINE_BYTES = 16384 };

// The stack that is being taken.
static struct {
    // The thread whose stack is wanted; 0 once it takes it.
    int thread;
    // The number of its frames; -1 until they are there.
    int count;
    void *frames[FRAMES];
} stack;

// A line of the log, of which whatever is too long is left out.
static struct {
    size_t count;
    char bytes[LINE_BYTES];
} line;

static void append(const char *text) {
    size_t count = strlen(text);
    if (count > sizeof line.bytes - line.count) return;
    memcpy(line.bytes + line.count, text, count);
    line.count += count;
}

static void append_number(long number, int digits) {
    char text[24] = {0};
    char *first = text + sizeof text - 1;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
        digits--;
    } while (number > 0 || digits > 0);
    append(first);
}

static long long milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// The handler of SIGPROF, the one signal that no thread of Dispatch blocks and nothing else uses.
static void take_stack(int number) {
    int own = (int)syscall(SYS_gettid);
    if (!__atomic_compare_exchange_n(&stack.thread, &own, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    int count = backtrace(stack.frames, FRAMES);
    __atomic_store_n(&stack.count, count, __ATOMIC_SEQ_CST);
}

// Has a thread take its stack.
//
// Returns the number of frames; 0 where the thread does not run, and -1 where it does not come to an end.
static int stack_of(int thread, long long last) {
    stack.count = -1;
    __atomic_store_n(&stack.thread, thread, __ATOMIC_SEQ_CST);
    if (syscall(SYS_tgkill, getpid(), thread, SIGPROF) != 0) return 0;
    long long patience = milliseconds() + 200;
    struct timespec pause = {.tv_nsec = 200000};
    while (milliseconds() < last) {
        int count = __atomic_load_n(&stack.count, __ATOMIC_SEQ_CST);
        if (count >= 0) return count;
        int wanted = thread;
        if (milliseconds() >= patience
            && __atomic_compare_exchange_n(&stack.thread, &wanted, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return 0;
        nanosleep(&pause, NULL);
    }
    return -1;
}

// Appends frames as strings of a JSON array.
static void append_frames(int count) {
    int ends[2];
    static char text[LINE_BYTES];
    // Symbols are written to a descriptor only.
    if (count <= 0 || pipe(ends) != 0) return;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    backtrace_symbols_fd(stack.frames, count, ends[1]);
    close(ends[1]);
    ssize_t length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    const char *separator = "\"";
    char *rest = text, *name;
    text[length > 0 ? length : 0] = 0;
    while ((name = strsep(&rest, "\n")) && *name) {
        for (char *byte = name; *byte; byte++)
            if (*byte == '"' || *byte == '\\' || *byte < ' ') *byte = '?';
        append(separator);
        append(name);
        separator = "\",\"";
    }
    if (*separator && separator[1]) append("\"");
}

static void write_stack(int thread, int count) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    line.count = 0;
    append("{\"time\":");
    append_number(time.tv_sec, 1);
    append(".");
    append_number(time.tv_nsec / 1000000, 3);
    append(",\"level\":\"error\",\"message\":\"a thread of a worker that did not answer\",\"thread\":");
    append_number(thread, 1);
    append(",\"frames\":[");
    append_frames(count);
    append("]}\n");
    ssize_t written = write(2, line.bytes, line.count);
    (void)written;
}

// Writes the stacks of all threads, this one's first, for 0.7 s at most.
static void write_stacks(void) {
    long long last = milliseconds() + 700;
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = take_stack;
    sigaction(SIGPROF, &action, NULL);
    int own = (int)syscall(SYS_gettid);
    write_stack(own, backtrace(stack.frames, FRAMES));
    int directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
    static char entries[4096] __attribute__((aligned(8)));
    long size;
    // opendir(3) allocates. Entries are of struct linux_dirent64, getdents64(2).
    while (directory >= 0 && (size = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
        for (long place = 0; place < size; place += *(unsigned short *)(entries + place + 16)) {
            int thread = 0;
            for (const char *digit = entries + place + 19; *digit >= '0' && *digit <= '9'; digit++)
                thread = thread * 10 + (*digit - '0');
            if (thread == 0 || thread == own) continue;
            int count = stack_of(thread, last);
            if (count < 0) return;
            write_stack(thread, count);
        }
    }
}

// The handler of SIGABRT. The signal ends the process once it returns, as it would without it.
static void end(int number, siginfo_t *information, void *context) {
    if (information->si_code == SI_USER && information->si_pid == getppid()) write_stacks();
    syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), SIGABRT);
}

void titlecard_write_stacks_on_abort(void) {
    // The first call may load a library.
    void *frame;
    backtrace(&frame, 1);
    struct sigaction action = {.sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
    action.sa_sigaction = end;
    sigaction(SIGABRT, &action, NULL);
}
