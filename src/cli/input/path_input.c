#include "cli/input/path_input.h"

#include "base/status.h"
#include "cli/options/option_values.h"

#include <string.h>

/* Most iterations of a loop: as many as a string may have instructions. */
#define ITERATION_LIMIT 1000000

/* Splits each NAME=STRING in place. */
static warpbound_status read_calls(struct arguments *arguments, struct path_input *input,
                                   warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_ASSUME_CALL];
  for (size_t i = 0; i < given->count; i++) {
    char *text = given->items[i];
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
      (void)wb_fail(error, WARPBOUND_USAGE, "--assume-call: expected NAME=STRING, found '%.60s'",
                    text);
      arguments_blame(arguments, OPTION_ASSUME_CALL, i, error);
      return error->status;
    }
    *equals = '\0';
    input->calls[i] = (warpbound_call_assumption){text, equals + 1};
  }
  return WARPBOUND_OK;
}

/* "LOOP=N" or "N", in place: *place is what stands before the sign, or NULL. */
static warpbound_status parse_iterations(char *text, const char **place, uint32_t *iterations,
                                         warpbound_error *error)
{
  char *equals = strrchr(text, '=');
  char *number = equals != NULL ? equals + 1 : text;
  uint64_t value = 0;
  if (!whole_read(number, 1, ITERATION_LIMIT, &value) || equals == text)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--loop-iterations: expected LOOP=N or N, a whole number from 1 to %d, found "
                   "'%.60s'",
                   ITERATION_LIMIT, text);
  if (equals != NULL)
    *equals = '\0';
  *place = equals != NULL ? text : NULL;
  *iterations = (uint32_t)value;
  return WARPBOUND_OK;
}

/* What the command line says of a loop wins over a file, and what it says later over what it said
 * before: rows stand in that order, the file's first. */
static warpbound_status read_loops(const struct arguments *arguments, struct path_input *input,
                                   warpbound_paths_options *options, warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_LOOP_ITERATIONS];
  bool in_file = arguments->key[OPTION_LOOP_ITERATIONS] != NULL;
  size_t typed = in_file ? arguments->from_file[OPTION_LOOP_ITERATIONS] : given->count;
  for (size_t i = 0; i < given->count; i++) {
    size_t index = (typed + i) % given->count;
    warpbound_loop_iterations row = {0};
    warpbound_status status =
        parse_iterations(given->items[index], &row.loop, &row.iterations, error);
    if (status != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_LOOP_ITERATIONS, index, error);
      return error->status;
    }
    if (row.loop != NULL)
      input->loops[options->loop_count++] = row;
    else
      options->iterations = row.iterations;
  }
  options->loops = input->loops;
  return WARPBOUND_OK;
}

/* --iterations is the annealing's where that was asked for, else the loops'. */
static warpbound_status read_iterations(const struct arguments *arguments,
                                        warpbound_paths_options *options, warpbound_error *error)
{
  static const struct option_member iterations = {
      OPTION_ITERATIONS, VALUE_WHOLE, OPTION_MEMBER(warpbound_paths_options, iterations),
      .least = 1, .most = ITERATION_LIMIT};
  const char *method = arguments->value[OPTION_METHOD];
  const bool anneals = method != NULL && strcmp(method, "anneal") == 0;
  if (anneals || arguments->value[OPTION_ITERATIONS] == NULL)
    return WARPBOUND_OK;
  if (options->iterations > 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --iterations and --loop-iterations, found both");
  return option_members_read(arguments, &iterations, 1, options, error);
}

warpbound_status path_input_read(struct arguments *arguments, struct path_input *input,
                                 warpbound_paths_options *options, warpbound_error *error)
{
  static const struct wb_choice orders[] = {{"longest", WARPBOUND_PATH_LONGEST},
                                            {"fall-through", WARPBOUND_PATH_FALL_THROUGH},
                                            {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_THROUGH, VALUE_TEXT, OPTION_MEMBER(warpbound_paths_options, through)},
      {OPTION_PATH, VALUE_WORD, OPTION_MEMBER(warpbound_paths_options, order), orders},
  };
  const struct wb_list *takes = &arguments->repeated[OPTION_TAKE];
  const size_t call_count = arguments->repeated[OPTION_ASSUME_CALL].count;
  const size_t loop_count = arguments->repeated[OPTION_LOOP_ITERATIONS].count;
  input->calls = wb_arena_array(&input->arena, warpbound_call_assumption, call_count);
  input->loops = wb_arena_array(&input->arena, warpbound_loop_iterations, loop_count);
  if (input->arena.failed)
    return wb_out_of_memory(error);
  options->takes = (const char *const *)takes->items;
  options->take_count = takes->count;
  options->calls = input->calls;
  options->call_count = call_count;
  warpbound_status status = read_loops(arguments, input, options, error);
  if (status == WARPBOUND_OK)
    status = read_iterations(arguments, options, error);
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  return status == WARPBOUND_OK ? read_calls(arguments, input, error) : status;
}

void path_input_blame(const struct arguments *arguments, const struct path_input *input,
                      warpbound_error *error)
{
  static const char before[] = "--assume-call ";
  const size_t length = sizeof before - 1;
  if (strncmp(error->message, before, length) != 0)
    return;
  for (size_t i = 0; i < arguments->repeated[OPTION_ASSUME_CALL].count; i++) {
    const char *name = input->calls[i].name;
    const size_t name_length = strlen(name);
    if (strncmp(error->message + length, name, name_length) == 0 &&
        error->message[length + name_length] == ',') {
      arguments_blame(arguments, OPTION_ASSUME_CALL, i, error);
      return;
    }
  }
}
