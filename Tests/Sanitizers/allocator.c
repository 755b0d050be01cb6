// With a sanitizer's allocator in its place glibc's is never set up. Threads that call its malloc_trim
// at once would do that together, which it cannot bear, and there is nothing to trim.
#include <stddef.h>

int malloc_trim(size_t padding) {
    (void)padding;
    return 0;
}
