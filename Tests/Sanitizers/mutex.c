// Tells ThreadSanitizer when a thread has waited for a `Mutex` and when it wakes another.
//
// Without waiting a `Mutex` is taken and given back by what is compiled into the caller, which is
// instrumented. The rest is in libswiftSynchronization, which is not, so that whatever a contended
// `Mutex` guards would look like a race. A program that defines the two functions itself has its own
// called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define METHOD __attribute__((swiftcall)) void
#define SELF __attribute__((swift_context)) void *mutex

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static METHOD (*swift_lock)(uint32_t thread, SELF);
static METHOD (*swift_unlock)(SELF);

__attribute__((constructor)) static void find(void) {
    swift_lock = dlsym(RTLD_NEXT, LOCK);
    swift_unlock = dlsym(RTLD_NEXT, UNLOCK);
    if (!swift_lock || !swift_unlock) abort();
}

METHOD lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD lock(uint32_t thread, SELF) {
    swift_lock(thread, mutex);
    __tsan_acquire(mutex);
}

METHOD unlock(SELF) __asm__(UNLOCK);
METHOD unlock(SELF) {
    __tsan_release(mutex);
    swift_unlock(mutex);
}
