/*
 * A library for LD_PRELOAD that ends the process when Pango is to divide certain texts into items, as a fault in
 * Pango would.
 *
 * KILL_TEXT    the text that ends it, wherever in a paragraph it stands.
 * KILL_SIGNAL  the number of the signal; otherwise SIGABRT.
 * HOLD_TEXT    a text that takes a second, so that it is in flight when others end the process.
 * HOG_TEXT     a text that takes 2 GiB of addresses; where it gets them, the process is ended by SIGKILL, as by the
 *              kernel when memory is short.
 * HOG_LEAVES   the mebibytes that it gives back where it does not get them all; otherwise 0.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOG_BLOCKS = 2048 };

static void hog(void) {
    static void *blocks[HOG_BLOCKS];
    int count = 0;
    while (count < HOG_BLOCKS && (blocks[count] = malloc(1 << 20))) count++;
    if (count == HOG_BLOCKS) {
        kill(getpid(), SIGKILL);
        pause();
    }
    const char *leaves = getenv("HOG_LEAVES");
    for (int left = leaves ? atoi(leaves) : 0; left > 0 && count > 0; left--) free(blocks[--count]);
}

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
    const char *hoarder = getenv("HOG_TEXT");
    if (hoarder && memmem(text, length, hoarder, strlen(hoarder))) hog();
}

void *pango_itemize_with_base_dir(void *context, int direction, const char *text, int start, int length, void *attributes,
                                  void *iterator) {
    look_at(text + start, length);
    return ((void *(*)(void *, int, const char *, int, int, void *, void *))dlsym(
        RTLD_NEXT, "pango_itemize_with_base_dir"))(context, direction, text, start, length, attributes, iterator);
}
