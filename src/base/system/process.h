/* Child processes with an end: they are waited for until a deadline or an interruption, and
 * do not outlive their parent where the system can arrange it. */
#ifndef WB_BASE_PROCESS_H
#define WB_BASE_PROCESS_H

#include "base/status.h"
#include "base/work_control.h"

#include <sys/types.h>

/* Forks. Returns 0 in the child, which is then the leader of a process group of its own, with
 * the default signals, nothing on its standard input and its outputs going to descriptor
 * `output` (to nowhere where it is -1). Returns -1 where there is no process to be had. */
pid_t wb_process_fork(int output);

/* Waits for the child to end. When the control says stop, sends its group SIGINT, and SIGKILL
 * a second later. *status is as waitpid gives it. Returns why it was stopped, if it was. */
enum wb_stop wb_process_wait(pid_t child, const struct wb_control *control, const char *phase,
                             int *status);

#endif
