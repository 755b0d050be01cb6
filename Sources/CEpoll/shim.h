// The parts of Linux's event loop that the Glibc module leaves out.

#ifndef TITLECARD_CEPOLL_SHIM_H
#define TITLECARD_CEPOLL_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

// sys/socket.h declares it under _GNU_SOURCE only, which would make this module's types differ from
// those of the Glibc module. The address is a struct sockaddr, the length a socklen_t.
int accept4(int descriptor, void *address, unsigned int *length, int flags);

#endif
