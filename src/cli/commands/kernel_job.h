/* The frame of the commands that answer a question for each function of a listing: cfg, wcet,
 * hybrid. */
#ifndef WB_CLI_COMMANDS_KERNEL_JOB_H
#define WB_CLI_COMMANDS_KERNEL_JOB_H

#include "cli/input/limits.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>

/* A command under way. Set arguments and error, zero the rest; free with kernel_job_free. */
struct kernel_job {
  struct arguments *arguments;
  warpbound_error *error;
  struct limits limits;
  warpbound_module *module;
  warpbound_status refused; /* of the first function that could not be analysed */
  struct proof proof;       /* of the bounds so far */
};

/* Analyses a kernel, and keeps its result. Errors end the command. */
typedef warpbound_status kernel_visitor(void *context, const warpbound_kernel *kernel);
/* Whether a function is asked for. */
typedef bool kernel_filter(const void *context, size_t function);

/* Checks the outputs and reads the limits. */
warpbound_status kernel_job_start(struct kernel_job *job);
/* Reads the listing, and checks the options that depend on its architecture. */
warpbound_status kernel_job_read_module(struct kernel_job *job);

/* How many functions --kernel and the filter (NULL: any) ask for. */
size_t kernel_job_count(const struct kernel_job *job, kernel_filter *filter, const void *context);
/* Refuses --write for several functions: a file holds the program of one. */
warpbound_status kernel_job_check_write(const struct kernel_job *job, size_t count);
/* Visits each of the functions. */
warpbound_status kernel_job_visit(struct kernel_job *job, kernel_filter *filter,
                                  kernel_visitor *visit, void *context);

/* What a visitor returns after an analysis that ended with an error: WARPBOUND_USAGE ends the
 * command, other errors are printed (with the function's name, where the message does not have it)
 * and the first becomes job->refused. */
warpbound_status kernel_job_refuse(struct kernel_job *job, const warpbound_kernel *kernel,
                                   const warpbound_error *refusal);

/* The command's status after all else went well, with --require-proof in mind. */
warpbound_status kernel_job_finish(struct kernel_job *job);
void kernel_job_free(struct kernel_job *job);

#endif
