// What the Glibc module leaves out of the allocator's interface.

#ifndef TITLECARD_CMALLOC_SHIM_H
#define TITLECARD_CMALLOC_SHIM_H

#include <malloc.h>

#endif
