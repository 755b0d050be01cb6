/*
 * A library for LD_PRELOAD that ends the process when Pango is to divide certain texts into items, as a fault in
 * Pango would.
 *
 * KILL_TEXT    the text that ends it, wherever in a paragraph it stands.
 * KILL_SIGNAL  the number of the signal; otherwise SIGABRT.
 * HOLD_TEXT    a text that takes a second, so that it is in flight when others end the process.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void look_at(const char *text, size_t length) {
    const char *killer = getenv("KILL_TEXT");
    if (killer && memmem(text, length, killer, strlen(killer))) {
        const char *number = getenv("KILL_SIGNAL");
        int chosen = number ? atoi(number) : SIGABRT;
        signal(chosen, SIG_DFL);
        kill(getpid(), chosen);
        pause();
    }
    const char *holder = getenv("HOLD_TEXT");
    if (holder && memmem(text, length, holder, strlen(holder))) sleep(1);
}

void *pango_itemize_with_base_dir(void *context, int direction, const char *text, int start, int length, void *attributes,
                                  void *iterator) {
    look_at(text + start, length);
    return ((void *(*)(void *, int, const char *, int, int, void *, void *))dlsym(
        RTLD_NEXT, "pango_itemize_with_base_dir"))(context, direction, text, start, length, attributes, iterator);
}
