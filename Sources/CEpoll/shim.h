// What Linux's event loop needs and the Glibc module leaves out.

#ifndef TITLECARD_CEPOLL_SHIM_H
#define TITLECARD_CEPOLL_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#endif
