// The part of the allocator's interface that the Glibc module leaves out.

#ifndef TITLECARD_CMALLOC_SHIM_H
#define TITLECARD_CMALLOC_SHIM_H

#include <malloc.h>

#endif
