#include "cli/commands/kernel_job.h"

#include "cli/input/module_input.h"
#include "cli/input/wcet_options.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"

#include <string.h>

warpbound_status kernel_job_start(struct kernel_job *job)
{
  terminal_catch_interrupts();
  const warpbound_status status = outputs_check(job->arguments, job->error);
  return status == WARPBOUND_OK ? limits_read(job->arguments, &job->limits, job->error) : status;
}

warpbound_status kernel_job_read_module(struct kernel_job *job)
{
  const warpbound_status status = module_input_read(job->arguments, &job->module, job->error);
  return status == WARPBOUND_OK ? simt_options_check(job->arguments, job->module, job->error)
                                : status;
}

/* The next function that is asked for, from `first` on. */
static size_t next_function(const struct kernel_job *job, kernel_filter *filter,
                            const void *context, size_t first)
{
  const size_t count = warpbound_module_function_count(job->module);
  const char *kernel = job->arguments->value[OPTION_KERNEL];
  size_t f = warpbound_module_find(job->module, kernel, first);
  while (f < count && filter != NULL && !filter(context, f))
    f = warpbound_module_find(job->module, kernel, f + 1);
  return f;
}

size_t kernel_job_count(const struct kernel_job *job, kernel_filter *filter, const void *context)
{
  const size_t count = warpbound_module_function_count(job->module);
  size_t wanted = 0;
  for (size_t f = next_function(job, filter, context, 0); f < count;
       f = next_function(job, filter, context, f + 1))
    wanted++;
  return wanted;
}

warpbound_status kernel_job_check_write(const struct kernel_job *job, size_t count)
{
  if (count <= 1 || job->arguments->value[OPTION_WRITE] == NULL)
    return WARPBOUND_OK;
  return wb_fail(job->error, WARPBOUND_USAGE,
                 "--write: expected one kernel, found %zu: say which with --kernel", count);
}

warpbound_status kernel_job_visit(struct kernel_job *job, kernel_filter *filter,
                                  kernel_visitor *visit, void *context)
{
  const size_t count = warpbound_module_function_count(job->module);
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = next_function(job, filter, context, 0); status == WARPBOUND_OK && f < count;
       f = next_function(job, filter, context, f + 1)) {
    warpbound_kernel *kernel;
    status = warpbound_kernel_at(job->module, f, &kernel, job->error);
    if (status != WARPBOUND_OK)
      return status;
    limits_shorten(&job->limits);
    status = visit(context, kernel);
    warpbound_kernel_free(kernel);
    terminal_progress_end(&job->limits.progress);
  }
  return status;
}

warpbound_status kernel_job_refuse(struct kernel_job *job, const warpbound_kernel *kernel,
                                   const warpbound_error *refusal)
{
  const char *name = warpbound_module_function_name(job->module, warpbound_kernel_index(kernel));
  if (refusal->status == WARPBOUND_USAGE)
    return wb_fail_with(job->error, refusal);
  warpbound_error named = *refusal;
  if (strstr(refusal->message, name) == NULL)
    (void)wb_fail_at(&named, refusal->status, refusal->file, refusal->line, refusal->column,
                     "%.100s: %.380s", name, refusal->message);
  terminal_progress_end(&job->limits.progress);
  terminal_error(&named);
  if (job->refused == WARPBOUND_OK)
    job->refused = refusal->status;
  return WARPBOUND_OK;
}

warpbound_status kernel_job_finish(struct kernel_job *job)
{
  const warpbound_status status = proof_judge(&job->proof, job->arguments, job->error);
  return status != WARPBOUND_OK ? status : job->refused;
}

void kernel_job_free(struct kernel_job *job)
{
  proof_free(&job->proof);
  warpbound_module_free(job->module);
}
