#include "cli/input/path_input.h"

#include "base/memory.h"
#include "cli/options/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Splits NAME=STRING in place. */
static warpbound_status parse_call_assumption(char *text, struct wb_call_assumption *row,
                                              warpbound_error *error)
{
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text)
    return wb_fail(error, WARPBOUND_USAGE, "--assume-call: expected NAME=STRING, found '%.60s'",
                   text);
  *equals = '\0';
  row->name = text;
  warpbound_error cause;
  warpbound_status status = wb_kernel_string_parse(equals + 1, "", &row->string, &cause);
  if (status == WARPBOUND_INVALID_INPUT)
    return wb_fail(error, WARPBOUND_USAGE, "--assume-call %.60s, %s", text, cause.message);
  return status == WARPBOUND_OK ? status : wb_out_of_memory(error);
}

static warpbound_status parse_call_assumptions(struct arguments *arguments,
                                               struct wb_call_assumption *calls,
                                               warpbound_error *error)
{
  struct wb_list *given = &arguments->repeated[OPTION_ASSUME_CALL];
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < given->count; i++) {
    status = parse_call_assumption(given->items[i], &calls[i], error);
    if (status != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_ASSUME_CALL, i, error);
      status = error->status;
    }
  }
  return status;
}

/* "LOOP=N" or "N", in place: *place is what stands before the sign, or NULL. */
static warpbound_status parse_iterations(char *text, const char **place, uint32_t *iterations,
                                         warpbound_error *error)
{
  char *equals = strrchr(text, '=');
  char *number = equals != NULL ? equals + 1 : text;
  errno = 0;
  char *end;
  unsigned long long value = strtoull(number, &end, 10);
  bool digits = *number >= '0' && *number <= '9' && *end == '\0' && errno == 0;
  if (!digits || value < 1 || value > WB_STRING_LIMIT || equals == text)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--loop-iterations: expected LOOP=N or N, a whole number from 1 to %zu, found "
                   "'%.60s'",
                   WB_STRING_LIMIT, text);
  if (equals != NULL)
    *equals = '\0';
  *place = equals != NULL ? text : NULL;
  *iterations = (uint32_t)value;
  return WARPBOUND_OK;
}

/* What the command line says of a loop wins over a file, and what it says later over what it said
 * before: rows stand in that order, the file's first. */
static warpbound_status read_loops(const struct arguments *arguments,
                                   struct wb_loop_iterations *loops,
                                   struct wb_path_options *options, warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_LOOP_ITERATIONS];
  bool in_file = arguments->key[OPTION_LOOP_ITERATIONS] != NULL;
  size_t typed = in_file ? arguments->from_file[OPTION_LOOP_ITERATIONS] : given->count;
  for (size_t i = 0; i < given->count; i++) {
    size_t index = (typed + i) % given->count;
    struct wb_loop_iterations row = {0};
    warpbound_status status =
        parse_iterations(given->items[index], &row.place, &row.iterations, error);
    if (status != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_LOOP_ITERATIONS, index, error);
      return error->status;
    }
    if (row.place != NULL)
      loops[options->loop_count++] = row;
    else
      options->iterations = row.iterations;
  }
  options->loops = loops;
  return WARPBOUND_OK;
}

/* --iterations is the annealing's where that was asked for, else the loops'. */
static warpbound_status read_iterations(const struct arguments *arguments,
                                        struct wb_path_options *options, warpbound_error *error)
{
  const char *method = arguments->value[OPTION_METHOD];
  bool anneals = method != NULL && strcmp(method, "anneal") == 0;
  if (anneals || arguments->value[OPTION_ITERATIONS] == NULL)
    return WARPBOUND_OK;
  if (options->iterations > 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --iterations and --loop-iterations, found both");
  uint64_t iterations;
  warpbound_status status =
      arguments_number(arguments, OPTION_ITERATIONS, 1, WB_STRING_LIMIT, 0, &iterations, error);
  options->iterations = (uint32_t)iterations;
  return status;
}

static warpbound_status read_order(const struct arguments *arguments, enum wb_path_order *order,
                                   warpbound_error *error)
{
  static const struct wb_choice orders[] = {
      {"longest", WB_PATH_LONGEST}, {"fall-through", WB_PATH_FALL_THROUGH}, {NULL, 0}};
  int value;
  warpbound_status status = word_read(arguments, OPTION_PATH, orders, &value, error);
  *order = (enum wb_path_order)value;
  return status;
}

/* The choice of a path; the caller frees the strings of calls, also after an error. */
static warpbound_status read_path_options(struct arguments *arguments,
                                          struct wb_loop_iterations *loops,
                                          struct wb_call_assumption *calls,
                                          struct wb_path_options *options, warpbound_error *error)
{
  const struct wb_list *takes = &arguments->repeated[OPTION_TAKE];
  *options = (struct wb_path_options){.through = arguments->value[OPTION_THROUGH],
                                      .takes = (const char *const *)takes->items,
                                      .take_count = takes->count,
                                      .calls = calls,
                                      .call_count = arguments->repeated[OPTION_ASSUME_CALL].count};
  warpbound_status status = read_loops(arguments, loops, options, error);
  if (status == WARPBOUND_OK)
    status = read_iterations(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_order(arguments, &options->order, error);
  return status == WARPBOUND_OK ? parse_call_assumptions(arguments, calls, error) : status;
}

warpbound_status path_input_walk(struct arguments *arguments, const struct wb_code *program,
                                 const struct wb_function *kernel, struct wb_kernel_path *path,
                                 warpbound_error *error)
{
  size_t call_count = arguments->repeated[OPTION_ASSUME_CALL].count;
  size_t loop_count = arguments->repeated[OPTION_LOOP_ITERATIONS].count;
  struct wb_call_assumption *calls = wb_allocate(call_count, sizeof *calls);
  struct wb_loop_iterations *loops = wb_allocate(loop_count, sizeof *loops);
  struct wb_path_options options;
  warpbound_status status = calls != NULL && loops != NULL
                                ? read_path_options(arguments, loops, calls, &options, error)
                                : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_kernel_path_walk(program, kernel, &options, path, error);
  for (size_t i = 0; calls != NULL && i < call_count; i++)
    wb_kernel_string_free(&calls[i].string);
  free(calls);
  free(loops);
  return status;
}
