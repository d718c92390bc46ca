/* `warpbound cfg`, `wcet` and `hybrid`, which answer for each function of a listing. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/cfg/cfg_report.h"
#include "report/wcet/hybrid_report.h"
#include "report/wcet/wcet_report.h"

#include <stdio.h>
#include <string.h>

/* Most cycles of --unmeasured. */
#define MOST_CYCLES 1000000000

/* A command under way. */
struct job {
  struct arguments *arguments;
  warpbound_error *error;
  struct limits limits;
  warpbound_module *module;
  struct wcet_options options;     /* of wcet and hybrid; of cfg the part on lanes */
  warpbound_hybrid_options hybrid; /* of hybrid, as are the times */
  warpbound_times *times;
  struct wb_arena arena; /* has the arrays of results, of which a command has its own */
  const warpbound_control_flow **flows;
  const warpbound_wcet **wcets, **bounded_wcets, **lacking_wcets;
  const warpbound_hybrid **hybrids, **bounded_hybrids;
  size_t count;             /* of flows, wcets or hybrids, which are owned */
  size_t bounded_count;     /* of those with a bound; of flows, with a graph */
  size_t lacking_count;     /* of wcets, with loops that have none */
  warpbound_status refused; /* of the first function that could not be analysed; of cfg the worst */
  struct proof proof;       /* of the bounds so far */
};

typedef warpbound_status job_step(struct job *job);
/* Analyses a kernel, and keeps its result. Errors end the command. */
typedef warpbound_status kernel_visitor(struct job *job, const warpbound_kernel *kernel);

/* ---- all three ---- */

/* Checks the outputs and reads the limits. */
static warpbound_status start(struct job *job)
{
  terminal_catch_interrupts();
  const warpbound_status status = outputs_check(job->arguments, job->error);
  return status == WARPBOUND_OK ? limits_read(job->arguments, &job->limits, job->error) : status;
}

/* Reads the listing, and checks the options that depend on its architecture. */
static warpbound_status read_module(struct job *job)
{
  const warpbound_status status = module_input_make(job->arguments, &job->module, job->error);
  return status == WARPBOUND_OK ? simt_options_check(job->arguments, job->module, job->error)
                                : status;
}

/* The next function from `first` on that --kernel asks for; of hybrid without --kernel one that
 * rows of times name, or where rows name none the one of the file. */
static size_t next_function(const struct job *job, size_t first)
{
  const size_t count = warpbound_module_function_count(job->module);
  const char *kernel = job->arguments->value[OPTION_KERNEL];
  size_t f = warpbound_module_find(job->module, kernel, first);
  while (f < count && kernel == NULL && job->times != NULL &&
         warpbound_times_rows_of(job->times, job->module, f) == 0)
    f = warpbound_module_find(job->module, kernel, f + 1);
  return f;
}

static size_t count_functions(const struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  size_t wanted = 0;
  for (size_t f = next_function(job, 0); f < count; f = next_function(job, f + 1))
    wanted++;
  return wanted;
}

/* Refuses --write for several functions: a file holds the program of one. */
static warpbound_status check_write(const struct job *job, size_t count)
{
  if (count <= 1 || job->arguments->value[OPTION_WRITE] == NULL)
    return WARPBOUND_OK;
  return wb_fail(job->error, WARPBOUND_USAGE,
                 "--write: expected one kernel, found %zu: say which with --kernel", count);
}

static warpbound_status visit_functions(struct job *job, kernel_visitor *visit)
{
  const size_t count = warpbound_module_function_count(job->module);
  warpbound_status status = job->arena.failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
  for (size_t f = next_function(job, 0); status == WARPBOUND_OK && f < count;
       f = next_function(job, f + 1)) {
    warpbound_kernel *kernel;
    status = warpbound_kernel_at(job->module, f, &kernel, job->error);
    if (status != WARPBOUND_OK)
      return status;
    limits_shorten(&job->limits);
    status = visit(job, kernel);
    warpbound_kernel_free(kernel);
    terminal_progress_end(&job->limits.progress);
  }
  return status;
}

/* What a visitor returns after an analysis that ended with an error: WARPBOUND_USAGE ends the
 * command, other errors are printed (with the function's name, where the message does not have
 * it). */
static warpbound_status refuse(struct job *job, const warpbound_kernel *kernel,
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

/* Does the steps of a command, and frees what they made. */
static warpbound_status run(struct arguments *arguments, job_step *const steps[],
                            warpbound_error *error)
{
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = WARPBOUND_OK;
  for (; *steps != NULL && status == WARPBOUND_OK; steps++)
    status = (*steps)(&job);
  if (status == WARPBOUND_OK)
    status = proof_judge(&job.proof, arguments, error);
  if (status == WARPBOUND_OK)
    status = job.refused;
  for (size_t k = 0; k < job.count; k++) {
    warpbound_control_flow_free(job.flows != NULL ? (warpbound_control_flow *)job.flows[k] : NULL);
    warpbound_wcet_free(job.wcets != NULL ? (warpbound_wcet *)job.wcets[k] : NULL);
    warpbound_hybrid_free(job.hybrids != NULL ? (warpbound_hybrid *)job.hybrids[k] : NULL);
  }
  wcet_options_free(&job.options);
  warpbound_times_free(job.times);
  proof_free(&job.proof);
  warpbound_module_free(job.module);
  wb_arena_free(&job.arena);
  return status;
}

/* ---- cfg ---- */

static warpbound_status read_cfg(struct job *job)
{
  static const struct option_member block = {OPTION_BLOCK, VALUE_SIZES,
                                             OPTION_MEMBER(struct wcet_options, wcet.simt.block)};
  warpbound_status status = start(job);
  if (status == WARPBOUND_OK)
    status = simt_options_read(job->arguments, &job->options.wcet.simt, job->error);
  if (status == WARPBOUND_OK)
    status = option_members_read(job->arguments, &block, 1, &job->options, job->error);
  return status == WARPBOUND_OK ? read_module(job) : status;
}

/* A function that is refused counts too: the report has it. */
static warpbound_status visit_cfg(struct job *job, const warpbound_kernel *kernel)
{
  warpbound_control_flow *flow = NULL;
  warpbound_error error = {0};
  const warpbound_status status = warpbound_control_flow_analyse(
      kernel, &job->options.wcet.simt, &job->limits.options, &flow, &error);
  if (flow == NULL)
    return wb_fail_with(job->error, &error);
  job->flows[job->count++] = flow;
  job->bounded_count += status == WARPBOUND_OK;
  if (status > job->refused)
    job->refused = status;
  return WARPBOUND_OK;
}

static warpbound_status analyse_cfgs(struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  job->flows = wb_arena_array(&job->arena, const warpbound_control_flow *, count);
  return visit_functions(job, visit_cfg);
}

/* Prints the report, says which functions are not analysed, and writes the graphs of the others. */
static warpbound_status write_cfgs(struct job *job)
{
  const struct arguments *arguments = job->arguments;
  struct wb_text text = {0};
  struct wb_cfg_report report = {0};
  if (!wb_cfg_report_make(job->module, job->flows, job->count, &report))
    return wb_out_of_memory(job->error);
  report.contexts = arguments->value[OPTION_CONTEXTS] != NULL;
  report.quiet = arguments->value[OPTION_QUIET] != NULL;
  if (arguments->value[OPTION_JSON] != NULL)
    wb_cfg_json(&report, &text);
  else
    wb_cfg_text(&report, terminal_colour(stdout), &text);
  warpbound_status status = terminal_print(&text, job->error);
  for (size_t f = 0; status == WARPBOUND_OK && f < report.count; f++) {
    if (report.flows[f].graph == NULL)
      terminal_error(&report.flows[f].refusal);
  }
  limits_shorten(&job->limits);
  if (status == WARPBOUND_OK && job->bounded_count > 0)
    status = graph_files_write(arguments, &report, &job->limits.options, job->error);
  wb_cfg_report_free(&report);
  return status;
}

warpbound_status command_cfg(struct arguments *arguments, warpbound_error *error)
{
  static job_step *const steps[] = {read_cfg, analyse_cfgs, write_cfgs, NULL};
  return run(arguments, steps, error);
}

/* ---- wcet ---- */

/* Reads the options of the analysis and of its integer program. */
static warpbound_status read_options(struct job *job)
{
  warpbound_status status = wcet_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = solver_options_check(job->arguments, job->error);
  job->options.wcet.program_file = job->arguments->value[OPTION_WRITE];
  job->options.wcet.solver_command = job->arguments->value[OPTION_SOLVER_COMMAND];
  return status;
}

static warpbound_status read_wcet(struct job *job)
{
  warpbound_status status = start(job);
  if (status == WARPBOUND_OK)
    status = read_options(job);
  if (status == WARPBOUND_OK)
    status = read_module(job);
  if (status == WARPBOUND_OK)
    status = check_write(job, count_functions(job));
  return status == WARPBOUND_OK
             ? wcet_options_complete(job->arguments, job->module, &job->options, job->error)
             : status;
}

/* A function that cannot be analysed, for whatever reason that is its own, is reported, and the
 * others go on. */
static warpbound_status visit_wcet(struct job *job, const warpbound_kernel *kernel)
{
  warpbound_wcet *wcet = NULL;
  warpbound_error error = {0};
  const warpbound_status status =
      warpbound_wcet_analyse(kernel, &job->options.wcet, &job->limits.options, &wcet, &error);
  if (wcet != NULL)
    job->wcets[job->count++] = wcet;
  if (wcet != NULL && (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)) {
    struct wb_text doubts = {0};
    job->bounded_wcets[job->bounded_count++] = wcet;
    wb_wcet_doubts(wcet, &doubts);
    proof_record(&job->proof, &doubts);
  }
  if (wcet != NULL && status == WARPBOUND_FACTS_MISSING)
    job->lacking_wcets[job->lacking_count++] = wcet;
  return status == WARPBOUND_OK ? status : refuse(job, kernel, &error);
}

static warpbound_status analyse_wcets(struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  job->wcets = wb_arena_array(&job->arena, const warpbound_wcet *, count);
  job->bounded_wcets = wb_arena_array(&job->arena, const warpbound_wcet *, count);
  job->lacking_wcets = wb_arena_array(&job->arena, const warpbound_wcet *, count);
  return visit_functions(job, visit_wcet);
}

static warpbound_status write_template(struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_TEMPLATE] == NULL)
    return WARPBOUND_OK;
  wb_facts_template(job->module, job->wcets, job->count, &text);
  return output_write(job->arguments->value[OPTION_TEMPLATE], &text, job->error);
}

static warpbound_status print_wcets(struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_wcet_list_json(job->bounded_wcets, job->bounded_count, job->lacking_wcets,
                      job->lacking_count, &text);
  else if (job->bounded_count > 0)
    wb_wcet_text(job->bounded_wcets, job->bounded_count,
                 job->arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* The graphs of all results, coloured by what their worst paths spend. */
static warpbound_status write_pictures(struct job *job)
{
  const struct arguments *arguments = job->arguments;
  struct wb_wcet_graphs graphs;
  if (job->bounded_count == 0 ||
      (arguments->value[OPTION_DOT] == NULL && arguments->value[OPTION_SVG] == NULL))
    return WARPBOUND_OK;
  limits_shorten(&job->limits);
  const warpbound_status status =
      wb_wcet_graphs_make(job->bounded_wcets, job->bounded_count, &graphs)
          ? graph_files_write(arguments, &graphs.report, &job->limits.options, job->error)
          : wb_out_of_memory(job->error);
  wb_wcet_graphs_free(&graphs);
  return status;
}

warpbound_status command_wcet(struct arguments *arguments, warpbound_error *error)
{
  static job_step *const steps[] = {read_wcet,   analyse_wcets,  write_template,
                                    print_wcets, write_pictures, NULL};
  return run(arguments, steps, error);
}

/* ---- hybrid ---- */

static warpbound_status read_hybrid(struct job *job)
{
  static const struct wb_choice counts[] = {{"code", false}, {"observed", true}, {NULL, 0}};
  static const struct option_member member = {
      OPTION_COUNTS, VALUE_WORD, OPTION_MEMBER(warpbound_hybrid_options, observed_counts), counts};
  const char *unmeasured = job->arguments->value[OPTION_UNMEASURED];
  warpbound_status status = start(job);
  if (status == WARPBOUND_OK && job->arguments->value[OPTION_TIMES] == NULL)
    status = wb_fail(job->error, WARPBOUND_USAGE,
                     "expected --times FILE, with measured times (doc/measured/hybrid.md)");
  if (status == WARPBOUND_OK)
    status = read_options(job);
  if (status == WARPBOUND_OK && unmeasured != NULL) {
    job->hybrid.unmeasured = strcmp(unmeasured, "static") == 0 ? WARPBOUND_UNMEASURED_STATIC
                                                               : WARPBOUND_UNMEASURED_CYCLES;
    if (job->hybrid.unmeasured == WARPBOUND_UNMEASURED_CYCLES &&
        !whole_read(unmeasured, 0, MOST_CYCLES, &job->hybrid.unmeasured_cycles))
      status = wb_fail(job->error, WARPBOUND_USAGE,
                       "--unmeasured: expected 'static', or cycles of an instruction from 0 to %d, "
                       "found '%.60s'",
                       MOST_CYCLES, unmeasured);
  }
  if (status == WARPBOUND_OK)
    status = option_members_read(job->arguments, &member, 1, &job->hybrid, job->error);
  return status == WARPBOUND_OK ? read_module(job) : status;
}

static warpbound_status read_times(struct job *job)
{
  struct wb_input source = {0};
  warpbound_status status = wb_input_read(job->arguments->value[OPTION_TIMES], &source, job->error);
  if (status == WARPBOUND_OK) {
    const warpbound_input input = {source.name, source.bytes, source.length};
    status = warpbound_times_create(&input, &job->times, job->error);
  }
  wb_input_free(&source);
  if (status != WARPBOUND_OK)
    return status;
  job->hybrid.times = job->times;
  const size_t wanted = count_functions(job);
  if (wanted == 0)
    return wb_fail_at(job->error, WARPBOUND_FACTS_MISSING, job->arguments->value[OPTION_TIMES], 0,
                      0, "no row is of a kernel of the file");
  if (wanted > 1 && !warpbound_times_name_kernels(job->times))
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "expected one kernel, found %zu, and rows of times that do not say which: say "
                   "it with --kernel",
                   wanted);
  return check_write(job, wanted);
}

/* A function that cannot be analysed is reported, with the parts of the code that lack times, and
 * the others go on. */
static warpbound_status visit_hybrid(struct job *job, const warpbound_kernel *kernel)
{
  warpbound_hybrid *hybrid = NULL;
  warpbound_error error = {0};
  struct wb_text text = {0};
  warpbound_status status =
      warpbound_hybrid_analyse(kernel, &job->hybrid, &job->limits.options, &hybrid, &error);
  if (hybrid != NULL)
    job->hybrids[job->count++] = hybrid;
  if (hybrid != NULL && (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)) {
    struct wb_text doubts = {0};
    job->bounded_hybrids[job->bounded_count++] = hybrid;
    wb_hybrid_doubts(hybrid, &doubts);
    proof_record(&job->proof, &doubts);
  }
  if (status == WARPBOUND_OK)
    return status;
  status = refuse(job, kernel, &error);
  if (status == WARPBOUND_OK && hybrid != NULL)
    wb_hybrid_gaps_text(hybrid, &text);
  if (text.length > 0 && !text.failed)
    fputs(text.data, stderr);
  wb_text_free(&text);
  return status;
}

static warpbound_status analyse_hybrids(struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  const warpbound_status status =
      wcet_options_complete(job->arguments, job->module, &job->options, job->error);
  job->hybrid.wcet = job->options.wcet;
  job->hybrids = wb_arena_array(&job->arena, const warpbound_hybrid *, count);
  job->bounded_hybrids = wb_arena_array(&job->arena, const warpbound_hybrid *, count);
  return status == WARPBOUND_OK ? visit_functions(job, visit_hybrid) : status;
}

static warpbound_status print_hybrids(struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_hybrid_list_json(job->bounded_hybrids, job->bounded_count, &text);
  else if (job->count > 0)
    wb_hybrid_text(job->bounded_hybrids, job->bounded_count,
                   job->arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* A result below what was measured is no estimate of the worst case. */
static warpbound_status warn(struct job *job)
{
  bool below = false;
  for (size_t k = 0; k < job->bounded_count && job->refused == WARPBOUND_OK; k++) {
    struct wb_text text = {0};
    wb_hybrid_warning(job->bounded_hybrids[k], &text);
    if (text.length > 0 && !text.failed)
      terminal_note(text.data);
    below |= warpbound_hybrid_high_water(job->bounded_hybrids[k]).above;
    wb_text_free(&text);
  }
  if (below)
    job->refused = WARPBOUND_CHECK_FAILED;
  return WARPBOUND_OK;
}

warpbound_status command_hybrid(struct arguments *arguments, warpbound_error *error)
{
  static job_step *const steps[] = {read_hybrid,   read_times, analyse_hybrids,
                                    print_hybrids, warn,       NULL};
  return run(arguments, steps, error);
}
