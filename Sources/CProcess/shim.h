// Functions for processes that start others, which the Glibc module leaves out.

#ifndef TITLECARD_CPROCESS_SHIM_H
#define TITLECARD_CPROCESS_SHIM_H

#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

// sys/mman.h declares it under _GNU_SOURCE only, which would make this module's types differ from
// those of the Glibc module.
int memfd_create(const char *name, unsigned int flags);

// Declared likewise by sched.h; the mask has a bit for each processor.
int sched_getaffinity(int process, size_t size, void *mask);

// Declared likewise by sys/socket.h; the address is a struct sockaddr, the length a socklen_t.
int accept4(int socket, void *address, unsigned int *length, int flags);

// The most descriptors that one packet carries; the kernel takes 253.
enum { titlecard_packet_descriptors = 250 };

// Makes the system send this process a signal when the thread that started it ends.
static inline int titlecard_end_with_parent(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal);
}

// Keeps this process, and any program that it becomes, from gaining privileges.
static inline int titlecard_renounce_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// Sends a packet with descriptors. No signal is raised if nobody reads it.
static inline ssize_t titlecard_send(int socket, const void *bytes, size_t count,
                                     const int *descriptors, int descriptor_count, int flags) {
    char control[CMSG_SPACE(titlecard_packet_descriptors * sizeof(int))];
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0 && descriptor_count <= titlecard_packet_descriptors) {
        size_t size = descriptor_count * sizeof(int);
        memset(control, 0, sizeof control);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL);
}

// Receives a packet and its descriptors, which no other program inherits.
static inline ssize_t titlecard_receive(int socket, void *bytes, size_t capacity, int *descriptors,
                                        int *descriptor_count, int flags) {
    char control[CMSG_SPACE(titlecard_packet_descriptors * sizeof(int))];
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                             .msg_controllen = sizeof control};
    *descriptor_count = 0;
    ssize_t count = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t size = header->cmsg_len - CMSG_LEN(0);
        memcpy(descriptors, CMSG_DATA(header), size);
        *descriptor_count = (int)(size / sizeof(int));
    }
    return count;
}

#endif
