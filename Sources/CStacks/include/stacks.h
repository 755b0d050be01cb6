// The stacks of a process that does not answer, written to its log as it ends.

#ifndef TITLECARD_CSTACKS_H
#define TITLECARD_CSTACKS_H

// Has this process write a line with the stack of each thread when its parent ends it by SIGABRT.
void titlecard_write_stacks_on_abort(void);

#endif
