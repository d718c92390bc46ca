/* The analysis of one launch of a project, and what is kept of it. */
#ifndef WB_CLI_CHECK_CHECK_ANALYSIS_H
#define WB_CLI_CHECK_CHECK_ANALYSIS_H

#include "cli/check/check_job.h"

/* A file of code. */
struct check_code {
  const char *path; /* borrowed of the task that opened it */
  struct wb_input source;
  char digest[DIGEST_SIZE];
  char *parsed_as; /* the options that module was parsed with; NULL: it was not */
  warpbound_module *module;
};

/* A device. */
struct check_device {
  char *read_as; /* the options that gpu was read with; NULL: it was not */
  warpbound_gpu *gpu;
  char digest[DIGEST_SIZE]; /* of all its values */
};

/* What a worker has open: launches of one binary and of one device come one after the other.
 * Zero-initialise; check_opened_close. */
struct check_opened {
  struct check_code code;
  struct check_device device;
};
void check_opened_close(struct check_opened *opened);

/* Opens the code of arguments, unless that is open. Errors: those of source_input_read. */
warpbound_status check_code_open(const struct arguments *arguments, struct check_code *code,
                                 warpbound_error *error);

/* Finds the result of a task, in the cache or by analysis, and sets its row, page and notes.
 * Errors: WARPBOUND_INTERNAL; what else is wrong with the launch is in its row. */
warpbound_status check_analyse(const struct check_job *job, struct check_task *task,
                               struct check_opened *opened, warpbound_error *error);

/* Makes of an error the row of a task that has none. False where memory is out. */
bool check_refuse(struct check_task *task, const warpbound_error *error);

/* What the analysis of a launch will cost, for shards: the instructions of its kernel, which is
 * found in the code; 1 where it is not found. Adds the device and the files that the launch is
 * of to the job's inputs, with their digests; null: it cannot be read. */
warpbound_status check_cost(const struct check_job *job, struct check_task *task,
                            struct check_opened *opened, uint64_t *cost, warpbound_error *error);

#endif
