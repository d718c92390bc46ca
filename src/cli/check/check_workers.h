/* The processes that analyse the launches of a check. They are forked before there is any thread:
 * the integer programs of an analysis run in processes forked from these, and a fork from a thread
 * leaves the locks of other threads taken in the child. */
#ifndef WB_CLI_CHECK_CHECK_WORKERS_H
#define WB_CLI_CHECK_CHECK_WORKERS_H

#include "cli/check/check_analysis.h"

/* Analyses all tasks that are not left in at most `most` processes (1 to WB_THREAD_LIMIT); each
 * that was tried then has its row. opened: what each process has
 * open at its start. A launch whose
 * process ends before its result is there is refused by a row that says how; the others are
 * analysed by another process. After an interruption the processes have some seconds to hand in
 * brackets. No process is left. Errors: WARPBOUND_INTERNAL. */
warpbound_status check_workers_run(struct check_job *job, const struct check_opened *opened,
                                   unsigned most, warpbound_error *error);

#endif
