#include "cli/input/makespan_options.h"

#include "cli/input/limits.h"
#include "cli/input/solver_options.h"
#include "cli/options/word_options.h"
#include "model/fair_blocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Most warps on an SM, and most rows of a table over several numbers of warps. */
#define WARP_LIMIT 65536u
#define TABLE_LIMIT 4096
/* Most iterations and runs of annealing: what a person could mean, what the library takes. */
#define ITERATION_LIMIT UINT64_C(1000000000000)
#define RUN_LIMIT 4096
/* Largest horizon of an integer program. */
#define HORIZON_LIMIT ((uint64_t)INT32_MAX)
/* Most policies that there may be, and one more for the end of their list. */
#define POLICY_ROOM 16

/* ---- the question ---- */

/* "N" or "A..B". */
static warpbound_status read_warps(const struct arguments *arguments,
                                   struct makespan_options *options, warpbound_error *error)
{
  const char *text = arguments->value[OPTION_WARPS];
  if (text == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected --warps N (or -W N)");
  char *end;
  bool digit = *text >= '0' && *text <= '9';
  uint64_t first = strtoull(text, &end, 10);
  uint64_t last = first;
  options->is_table = digit && strncmp(end, "..", 2) == 0;
  if (options->is_table) {
    digit = end[2] >= '0' && end[2] <= '9';
    last = strtoull(end + 2, &end, 10);
  }
  if (!digit || *end != '\0' || first < 1 || last > WARP_LIMIT || first > last)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--warps: expected 1 to %u, or a range A..B of these, found '%.60s'", WARP_LIMIT,
                   text);
  if (last - first >= TABLE_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--warps: expected a range of at most %d, found %" PRIu64, TABLE_LIMIT,
                   last - first + 1);
  options->first_warps = (uint32_t)first;
  options->last_warps = (uint32_t)last;
  return WARPBOUND_OK;
}

/* A table has the numbers of warps that the blocks can share out. */
static warpbound_status read_blocks(const struct arguments *arguments,
                                    struct makespan_options *options, warpbound_error *error)
{
  uint64_t blocks = 1;
  warpbound_status status =
      arguments_number(arguments, OPTION_BLOCKS, 1, WARP_LIMIT, 1, &blocks, error);
  if (status != WARPBOUND_OK)
    return status;
  options->blocks = (uint32_t)blocks;
  if (options->last_warps / blocks > (options->first_warps - 1) / blocks)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--blocks: expected a number that divides the %u warps, found %" PRIu64,
                 options->first_warps, blocks);
}

static warpbound_status read_fairness(const struct arguments *arguments,
                                      struct makespan_options *options, warpbound_error *error)
{
  const char *text = arguments->value[OPTION_FAIR_BLOCKS];
  struct wb_fair_blocks fair = {0};
  if (text == NULL)
    return WARPBOUND_OK;
  if (arguments->value[OPTION_CONVERGENCE] != NULL)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--convergence: expected no --fair-blocks beside it: the tractable bound is about "
        "every work-conserving scheduler");
  warpbound_status status = wb_fair_blocks_parse(text, &fair, error);
  options->fair_first = fair.first;
  options->fair_length = fair.length;
  options->fair_count = fair.count;
  return status;
}

/* ---- methods ---- */

static warpbound_status read_method(const struct arguments *arguments, warpbound_options *options,
                                    warpbound_error *error)
{
  static const struct wb_choice methods[] = {
      {"auto", WARPBOUND_METHOD_AUTO},   {"bounds", WARPBOUND_METHOD_BOUNDS},
      {"exact", WARPBOUND_METHOD_EXACT}, {"anneal", WARPBOUND_METHOD_ANNEAL},
      {"ilp", WARPBOUND_METHOD_ILP},     {NULL, 0}};
  int method;
  warpbound_status status = word_read(arguments, OPTION_METHOD, methods, &method, error);
  options->method = (warpbound_method)method;
  return status;
}

static warpbound_status read_policy(const struct arguments *arguments, warpbound_options *options,
                                    warpbound_error *error)
{
  int policy;
  struct wb_choice names[POLICY_ROOM] = {{NULL, 0}};
  for (size_t i = 0; i < warpbound_policy_count() && i + 1 < POLICY_ROOM; i++)
    names[i] = (struct wb_choice){warpbound_policy_name(i), (int)i};
  warpbound_status status = word_read(arguments, OPTION_POLICY, names, &policy, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_POLICY] != NULL)
    options->policy = warpbound_policy_name((size_t)policy);
  return status;
}

/* Options of annealing alone are refused beside another method, unless a file says them that
 * serves several: there the command line's method wins. */
static warpbound_status refuse_annealing_options(const struct arguments *arguments,
                                                 warpbound_error *error)
{
  static const enum option options[] = {OPTION_VARIANT, OPTION_INITIAL, OPTION_TEMPERATURE,
                                        OPTION_RUNS,    OPTION_TRACE,   OPTION_PLOT};
  bool other_method =
      arguments->value[OPTION_METHOD] != NULL && arguments->key[OPTION_METHOD] == NULL;
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    enum option option = options[i];
    if (arguments->value[option] != NULL && (arguments->key[option] == NULL || !other_method))
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method anneal beside it",
                     option_row(option)->name);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_initial(const struct arguments *arguments,
                                     warpbound_annealing *annealing, warpbound_error *error)
{
  static const warpbound_initial initials[] = {
      WARPBOUND_INITIAL_ROUND_ROBIN, WARPBOUND_INITIAL_FIXED_PRIORITY,
      WARPBOUND_INITIAL_MOST_PENDING, WARPBOUND_INITIAL_RANDOM, WARPBOUND_INITIAL_ALL};
  enum { COUNT = sizeof initials / sizeof *initials };
  struct wb_choice names[COUNT + 1] = {{NULL, 0}};
  int initial;
  for (size_t i = 0; i < COUNT; i++)
    names[i] = (struct wb_choice){warpbound_initial_name(initials[i]), (int)initials[i]};
  warpbound_status status = word_read(arguments, OPTION_INITIAL, names, &initial, error);
  if (arguments->value[OPTION_INITIAL] != NULL)
    annealing->initial = (warpbound_initial)initial;
  return status;
}

static warpbound_status read_annealing(const struct arguments *arguments,
                                       warpbound_options *options, warpbound_error *error)
{
  static const struct wb_choice variants[] = {{"windowed", 0}, {"published", 1}, {NULL, 0}};
  warpbound_annealing *annealing = &options->annealing;
  int published;
  uint64_t runs = 0;
  if (options->method != WARPBOUND_METHOD_ANNEAL)
    return refuse_annealing_options(arguments, error);
  warpbound_status status = word_read(arguments, OPTION_VARIANT, variants, &published, error);
  annealing->published = published != 0;
  if (status == WARPBOUND_OK)
    status = read_initial(arguments, annealing, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_ITERATIONS, 1, ITERATION_LIMIT, 0,
                              &annealing->iterations, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_RUNS, 1, RUN_LIMIT, 0, &runs, error);
  if (status == WARPBOUND_OK)
    status = arguments_positive(arguments, OPTION_TEMPERATURE, &annealing->temperature, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &annealing->seed, error);
  annealing->runs = (uint32_t)runs;
  annealing->closed_too =
      arguments->value[OPTION_TRACE] != NULL || arguments->value[OPTION_PLOT] != NULL;
  return status;
}

/* The integer program's, beside another method. A file may have them for `ilp`. */
static warpbound_status refuse_integer_options(const struct arguments *arguments,
                                               warpbound_error *error)
{
  static const enum option options[] = {OPTION_FORM, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    enum option option = options[i];
    if (arguments->value[option] != NULL && arguments->key[option] == NULL)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method ilp beside it",
                     option_row(option)->name);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_form(const struct arguments *arguments,
                                  warpbound_integer_program *program, warpbound_error *error)
{
  struct wb_choice forms[WARPBOUND_INTEGER_LONG_CORRECTED + 2] = {{NULL, 0}};
  int form;
  for (int f = WARPBOUND_INTEGER_SHORT; f <= WARPBOUND_INTEGER_LONG_CORRECTED; f++)
    forms[f] = (struct wb_choice){warpbound_integer_form_name((warpbound_integer_form)f), f};
  warpbound_status status = word_read(arguments, OPTION_FORM, forms, &form, error);
  program->form = (warpbound_integer_form)form;
  return status;
}

static warpbound_status read_integer_program(const struct arguments *arguments, bool solve,
                                             warpbound_integer_program *program,
                                             warpbound_error *error)
{
  struct solver_options solver = {0};
  program->allow_short = arguments->value[OPTION_ALLOW_SHORT_HORIZON] != NULL;
  warpbound_status status = read_form(arguments, program, error);
  if (status == WARPBOUND_OK)
    status =
        arguments_number(arguments, OPTION_HORIZON, 1, HORIZON_LIMIT, 0, &program->horizon, error);
  if (status == WARPBOUND_OK)
    status = solver_options_read(arguments, &solver, error);
  /* To name a solver is to ask for a solution. */
  program->build_only = !solve && arguments->value[OPTION_SOLVE] == NULL && !solver.named;
  program->solver_command = solver.command;
  program->program_file = solver.file;
  return status;
}

/* The options of one command beyond the common ones. */
static warpbound_status read_own(const struct arguments *arguments, unsigned command,
                                 warpbound_options *options, warpbound_error *error)
{
  if (command == COMMAND_SIMULATE) {
    options->method = WARPBOUND_METHOD_BOUNDS;
    options->policies_only = true;
    return WARPBOUND_OK;
  }
  if (command == COMMAND_MAKESPAN && options->method != WARPBOUND_METHOD_ILP)
    return refuse_integer_options(arguments, error);
  options->method = WARPBOUND_METHOD_ILP;
  return read_integer_program(arguments, command == COMMAND_MAKESPAN, &options->integer_program,
                              error);
}

/* ---- all ---- */

/* The seed is checked also where nothing makes a random choice. */
static warpbound_status read_limits(const struct arguments *arguments, struct progress *progress,
                                    struct makespan_options *options, warpbound_error *error)
{
  uint64_t ignored;
  warpbound_status status = limits_read(arguments, progress, &options->analysis, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &ignored, error);
  options->deadline = limits_deadline(&options->analysis);
  return status;
}

/* Which outputs go together. */
static warpbound_status check_outputs(const struct arguments *arguments, bool is_table,
                                      warpbound_error *error)
{
  static const enum option single[] = {OPTION_SCHEDULE,   OPTION_CERTIFICATE, OPTION_GANTT,
                                       OPTION_DRAW,       OPTION_TRACE,       OPTION_PLOT,
                                       OPTION_CONVERGENCE};
  const char *const *value = arguments->value;
  for (size_t o = 0; is_table && o < sizeof single / sizeof *single; o++) {
    if (value[single[o]] != NULL)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s cannot be used with a range of warps (--warps A..B)",
                     option_row(single[o])->name);
  }
  if (value[OPTION_JSON] != NULL && value[OPTION_DRAW] != NULL)
    return wb_fail(error, WARPBOUND_USAGE, "--draw is for people: not with --json");
  return WARPBOUND_OK;
}

warpbound_status makespan_options_read(const struct arguments *arguments, unsigned command,
                                       struct progress *progress, struct makespan_options *options,
                                       warpbound_error *error)
{
  warpbound_options *analysis = &options->analysis;
  *options = (struct makespan_options){
      .analysis = {.certify = arguments->value[OPTION_CERTIFICATE] != NULL,
                   .fewer_warps = arguments->value[OPTION_CONVERGENCE] != NULL}};
  warpbound_status status = read_warps(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_blocks(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_fairness(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_method(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_annealing(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_policy(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_limits(arguments, progress, options, error);
  if (status == WARPBOUND_OK)
    status = check_outputs(arguments, options->is_table, error);
  if (status == WARPBOUND_OK)
    status = read_own(arguments, command, analysis, error);
  if (status == WARPBOUND_OK && options->is_table && analysis->integer_program.program_file != NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "--write needs a single --warps N");
  return status;
}
