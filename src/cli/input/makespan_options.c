#include "cli/input/makespan_options.h"

#include "cli/input/module_input.h"
#include "cli/options/options.h"
#include "model/kernel_string.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Most warps on an SM, and most rows of a table over several numbers of warps. */
#define WARP_LIMIT 65536u
#define TABLE_LIMIT 4096
/* Most iterations and runs of annealing: what a person could mean, what the library takes. */
#define ITERATION_LIMIT UINT64_C(1000000000000)
#define RUN_LIMIT 4096
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

/* Refuses options of one method beside another; file_may: unless the instance file gives them,
 * which may serve several. */
static warpbound_status refuse_options(const struct arguments *arguments,
                                       const enum option *options, size_t count, bool file_may,
                                       const char *method, warpbound_error *error)
{
  for (size_t o = 0; o < count; o++) {
    const bool in_file = arguments->key[options[o]] != NULL;
    if (arguments->value[options[o]] != NULL && !(in_file && file_may))
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method %s beside it",
                     option_rows[options[o]].name, method);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_annealing(const struct arguments *arguments,
                                       warpbound_options *options, warpbound_error *error)
{
  static const enum option own[] = {OPTION_VARIANT, OPTION_INITIAL, OPTION_TEMPERATURE,
                                    OPTION_RUNS,    OPTION_TRACE,   OPTION_PLOT};
  static const struct wb_choice variants[] = {{"windowed", false}, {"published", true}, {NULL, 0}};
  static const struct wb_choice initials[] = {{"round-robin", WARPBOUND_INITIAL_ROUND_ROBIN},
                                              {"fixed-priority", WARPBOUND_INITIAL_FIXED_PRIORITY},
                                              {"most-pending", WARPBOUND_INITIAL_MOST_PENDING},
                                              {"random", WARPBOUND_INITIAL_RANDOM},
                                              {"all", WARPBOUND_INITIAL_ALL},
                                              {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_VARIANT, VALUE_WORD, OPTION_MEMBER(warpbound_annealing, published), variants},
      {OPTION_INITIAL, VALUE_WORD, OPTION_MEMBER(warpbound_annealing, initial), initials},
      {OPTION_ITERATIONS, VALUE_WHOLE, OPTION_MEMBER(warpbound_annealing, iterations), .least = 1,
       .most = ITERATION_LIMIT},
      {OPTION_RUNS, VALUE_WHOLE, OPTION_MEMBER(warpbound_annealing, runs), .least = 1,
       .most = RUN_LIMIT},
      {OPTION_TEMPERATURE, VALUE_POSITIVE, OPTION_MEMBER(warpbound_annealing, temperature),
       .expected = "a number above 0"},
  };
  const bool typed_method =
      arguments->value[OPTION_METHOD] != NULL && arguments->key[OPTION_METHOD] == NULL;
  if (options->method != WARPBOUND_METHOD_ANNEAL)
    return refuse_options(arguments, own, sizeof own / sizeof *own, typed_method, "anneal", error);
  options->annealing.closed_too =
      arguments->value[OPTION_TRACE] != NULL || arguments->value[OPTION_PLOT] != NULL;
  return option_members_read(arguments, members, sizeof members / sizeof *members,
                             &options->annealing, error);
}

static warpbound_status read_policy(const struct arguments *arguments, warpbound_options *options,
                                    warpbound_error *error)
{
  int policy = 0;
  struct wb_choice names[POLICY_ROOM] = {{NULL, 0}};
  for (size_t i = 0; i < warpbound_policy_count() && i + 1 < POLICY_ROOM; i++)
    names[i] = (struct wb_choice){warpbound_policy_name(i), (int)i};
  const warpbound_status status = word_read(arguments, OPTION_POLICY, names, &policy, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_POLICY] != NULL)
    options->policy = warpbound_policy_name((size_t)policy);
  return status;
}

/* The options of one command beyond the common ones. */
static warpbound_status read_own(const struct arguments *arguments, unsigned command,
                                 warpbound_options *options, warpbound_error *error)
{
  static const enum option integer[] = {OPTION_FORM, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  if (command == COMMAND_SIMULATE) {
    options->method = WARPBOUND_METHOD_BOUNDS;
    options->policies_only = true;
    return WARPBOUND_OK;
  }
  if (command == COMMAND_MAKESPAN && options->method != WARPBOUND_METHOD_ILP)
    return refuse_options(arguments, integer, sizeof integer / sizeof *integer, true, "ilp", error);
  options->method = WARPBOUND_METHOD_ILP;
  static const struct wb_choice forms[] = {{"short", WARPBOUND_INTEGER_SHORT},
                                           {"long", WARPBOUND_INTEGER_LONG},
                                           {"long-corrected", WARPBOUND_INTEGER_LONG_CORRECTED},
                                           {NULL, 0}};
  static const enum option solvers[] = {OPTION_SOLVE, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  static const struct option_member members[] = {
      {OPTION_ALLOW_SHORT_HORIZON, VALUE_GIVEN,
       OPTION_MEMBER(warpbound_integer_program, allow_short)},
      {OPTION_FORM, VALUE_WORD, OPTION_MEMBER(warpbound_integer_program, form), forms},
      {OPTION_HORIZON, VALUE_WHOLE, OPTION_MEMBER(warpbound_integer_program, horizon), .least = 1,
       .most = INT32_MAX},
      {OPTION_WRITE, VALUE_TEXT, OPTION_MEMBER(warpbound_integer_program, program_file)},
      {OPTION_SOLVER_COMMAND, VALUE_TEXT, OPTION_MEMBER(warpbound_integer_program, solver_command)},
  };
  const warpbound_status status = option_members_read(
      arguments, members, sizeof members / sizeof *members, &options->integer_program, error);
  /* To name a solver is to ask for a solution. */
  options->integer_program.build_only =
      !(command == COMMAND_MAKESPAN) &&
      arguments_first_given(arguments, solvers, 3) == OPTION_COUNT;
  return status == WARPBOUND_OK ? solver_options_check(arguments, error) : status;
}

/* ---- all ---- */

warpbound_status makespan_options_read(const struct arguments *arguments, unsigned command,
                                       struct makespan_options *options, warpbound_error *error)
{
  static const struct wb_choice methods[] = {
      {"auto", WARPBOUND_METHOD_AUTO},   {"bounds", WARPBOUND_METHOD_BOUNDS},
      {"exact", WARPBOUND_METHOD_EXACT}, {"anneal", WARPBOUND_METHOD_ANNEAL},
      {"ilp", WARPBOUND_METHOD_ILP},     {NULL, 0}};
  /* The seed is checked also where nothing makes a random choice. */
  static const struct option_member members[] = {
      {OPTION_CERTIFICATE, VALUE_GIVEN, OPTION_MEMBER(warpbound_options, certify)},
      {OPTION_CONVERGENCE, VALUE_GIVEN, OPTION_MEMBER(warpbound_options, fewer_warps)},
      {OPTION_METHOD, VALUE_WORD, OPTION_MEMBER(warpbound_options, method), methods},
      {OPTION_SEED, VALUE_WHOLE, OPTION_MEMBER(warpbound_options, annealing.seed),
       .most = UINT64_MAX},
  };
  static const struct option_member blocks = {OPTION_BLOCKS, VALUE_WHOLE,
                                              OPTION_MEMBER(struct makespan_options, blocks),
                                              .least = 1, .most = WARP_LIMIT};
  warpbound_options *analysis = &options->limits.options;
  options->blocks = 1;
  warpbound_status status = read_warps(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = option_members_read(arguments, &blocks, 1, options, error);
  /* A table has the numbers of warps that the blocks can share out. */
  if (status == WARPBOUND_OK &&
      options->last_warps / options->blocks <= (options->first_warps - 1) / options->blocks)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--blocks: expected a number that divides the %u warps, found %u",
                     options->first_warps, options->blocks);
  if (status == WARPBOUND_OK)
    status = read_fairness(arguments, options, error);
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_annealing(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_policy(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &options->limits, error);
  if (status == WARPBOUND_OK) {
    /* Which outputs go together. */
    static const enum option single[] = {OPTION_SCHEDULE,   OPTION_CERTIFICATE, OPTION_GANTT,
                                         OPTION_DRAW,       OPTION_TRACE,       OPTION_PLOT,
                                         OPTION_CONVERGENCE};
    const enum option given =
        arguments_first_given(arguments, single, sizeof single / sizeof *single);
    if (options->is_table && given != OPTION_COUNT)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--%s cannot be used with a range of warps (--warps A..B)",
                       option_rows[given].name);
    else if (arguments->value[OPTION_JSON] != NULL && arguments->value[OPTION_DRAW] != NULL)
      status = wb_fail(error, WARPBOUND_USAGE, "--draw is for people: not with --json");
  }
  if (status == WARPBOUND_OK)
    status = read_own(arguments, command, analysis, error);
  if (status == WARPBOUND_OK && options->is_table && analysis->integer_program.program_file != NULL)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--write cannot be used with a range of warps (--warps A..B)");
  return status;
}
