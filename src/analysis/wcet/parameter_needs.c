#include "analysis/wcet/parameter_needs.h"

#include "base/memory.h"
#include "base/status.h"
#include "values/interval/launch_values.h"

#include <stdlib.h>
#include <string.h>

/* What a word is given to see what else a loop needs: more than what following each iteration
 * would end with. */
#define EXAMPLE 4095
/* Sizes of a launch that are not given: no dimension has one thread or block alone. */
static const uint32_t example_block[3] = {8, 8, 2};
static const uint32_t example_grid[3] = {16, 16, 16};
/* Words of the parameters are looked at so often at most. */
#define MOST_ROUNDS 64

/* The search, with the launch's values and the examples. */
struct search {
  struct wb_launch launch;
  struct wb_parameter_value *values;
  size_t value_capacity;
  struct wb_parameter_needs *needs;
  warpbound_error *error;
};

/* Gives a word its example where it has none yet. *fresh: it had none. */
static warpbound_status give_example(struct search *search, uint32_t offset, uint32_t value,
                                     bool *fresh)
{
  for (size_t v = 0; v < search->launch.parameter_count; v++) {
    if (search->values[v].offset == offset && search->values[v].kernel == NULL)
      return WARPBOUND_OK;
  }
  if (!wb_grow(search->values, &search->value_capacity, search->launch.parameter_count + 1))
    return wb_out_of_memory(search->error);
  search->values[search->launch.parameter_count++] =
      (struct wb_parameter_value){.offset = offset, .value = value};
  search->launch.parameters = search->values;
  *fresh = true;
  return WARPBOUND_OK;
}

/* Adds that a loop needs the word at an offset, once for all calling contexts of the loop. */
static warpbound_status add_need(struct search *search, const struct wb_wcet *wcet, size_t loop,
                                 uint32_t offset)
{
  struct wb_parameter_needs *needs = search->needs;
  const struct wb_loop_loss *loss = &wcet->loops[loop].loss;
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, loop);
  const uint32_t address = wb_wcet_block_start(wcet, wcet->forest.loops[loop].header)->address;
  const bool known = line->source_line > 0 && line->source_file > 0;
  char option[WB_LAUNCH_OPTION_SIZE];
  wb_launch_option(&search->launch, wcet->function, loss->place, loss->wide, option);
  for (size_t n = 0; n < needs->count; n++) { /* both words of a number have one option */
    if (needs->items[n].address == address &&
        (needs->items[n].offset == offset || strcmp(needs->items[n].option, option) == 0))
      return WARPBOUND_OK;
  }
  if (!wb_grow(needs->items, &needs->capacity, needs->count + 1))
    return wb_out_of_memory(search->error);
  needs->items[needs->count] = (struct wb_parameter_need){
      .offset = offset,
      .address = address,
      .file = known ? wcet->code->files[line->source_file - 1] : NULL,
      .line = line->source_line,
      .option = wb_copy_text(option, strlen(option)),
  };
  return needs->items[needs->count++].option != NULL ? WARPBOUND_OK
                                                     : wb_out_of_memory(search->error);
}

/* Adds what the loops lack of the parameters. *fresh: there are words without an example. */
static warpbound_status look_at_loops(struct search *search, const struct wb_wcet *wcet,
                                      bool *fresh)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
    const struct wb_loop_loss *loss = &wcet->loops[l].loss;
    uint32_t offset;
    if (wcet->loops[l].source != WB_BOUND_UNKNOWN || loss->kind != WB_LOSS_CONSTANT ||
        !wb_launch_parameter(wcet->function, loss->place, &offset))
      continue;
    status = add_need(search, wcet, l, offset);
    if (status == WARPBOUND_OK)
      status = give_example(search, offset, EXAMPLE, fresh);
    if (status == WARPBOUND_OK && loss->wide)
      status = give_example(search, offset + 4, 0, fresh);
  }
  return status;
}

/* Adds a loop that has no bound though each word that was asked for has a number. */
static warpbound_status add_other(struct search *search, const struct wb_wcet *wcet, size_t loop)
{
  struct wb_parameter_needs *needs = search->needs;
  const struct wb_wcet_loop *it = &wcet->loops[loop];
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, loop);
  const uint32_t address = wb_wcet_block_start(wcet, wcet->forest.loops[loop].header)->address;
  const bool known = line->source_line > 0 && line->source_file > 0;
  for (size_t n = 0; n < needs->other_count; n++) {
    if (needs->others[n].address == address)
      return WARPBOUND_OK;
  }
  if (!wb_grow(needs->others, &needs->other_capacity, needs->other_count + 1))
    return wb_out_of_memory(search->error);
  struct wb_loop_need *need = &needs->others[needs->other_count++];
  *need = (struct wb_loop_need){
      .address = address,
      .file = known ? wcet->code->files[line->source_file - 1] : NULL,
      .line = line->source_line,
      .fact = wb_copy_text(it->fact, strlen(it->fact)),
      .hint = it->hint != NULL ? wb_copy_text(it->hint, strlen(it->hint)) : NULL,
  };
  return need->fact != NULL && (it->hint == NULL || need->hint != NULL)
             ? WARPBOUND_OK
             : wb_out_of_memory(search->error);
}

static warpbound_status add_others(struct search *search, const struct wb_wcet *wcet)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    uint32_t offset;
    const bool parameter = loop->loss.kind == WB_LOSS_CONSTANT &&
                           wb_launch_parameter(wcet->function, loop->loss.place, &offset);
    if (loop->source == WB_BOUND_UNKNOWN && loop->fact != NULL && !parameter)
      status = add_other(search, wcet, l);
  }
  return status;
}

static bool is_before(const struct wb_parameter_need *left, const struct wb_parameter_need *right)
{
  return left->offset != right->offset ? left->offset < right->offset
                                       : left->address < right->address;
}

/* By insertion: there are few. */
static void order(struct wb_parameter_needs *needs)
{
  for (size_t n = 1; n < needs->count; n++) {
    const struct wb_parameter_need row = needs->items[n];
    size_t at = n;
    for (; at > 0 && is_before(&row, &needs->items[at - 1]); at--)
      needs->items[at] = needs->items[at - 1];
    needs->items[at] = row;
  }
}

warpbound_status wb_parameter_needs_find(const struct wb_code *code,
                                         const struct wb_function *function,
                                         const struct wb_wcet_options *options,
                                         const struct wb_control *control,
                                         struct wb_parameter_needs *needs, warpbound_error *error)
{
  struct wb_wcet_options loops = *options;
  struct search search = {.needs = needs, .error = error};
  warpbound_error lacking = {0}; /* of loops without a bound: no error here */
  bool fresh = true;
  warpbound_status status = WARPBOUND_OK;
  *needs = (struct wb_parameter_needs){0};
  if (options->launch != NULL)
    search.launch = *options->launch;
  const size_t given = search.launch.parameter_count;
  if (given > 0 && !wb_grow(search.values, &search.value_capacity, given))
    status = wb_out_of_memory(error);
  else if (given > 0)
    memcpy(search.values, search.launch.parameters, given * sizeof *search.values);
  if (search.launch.block[0] == 0 && function->required_block[0] == 0)
    memcpy(search.launch.block, example_block, sizeof example_block);
  if (search.launch.grid[0] == 0)
    memcpy(search.launch.grid, example_grid, sizeof example_grid);
  loops.launch = &search.launch;
  loops.loops_alone = true;
  for (int round = 0; round < MOST_ROUNDS && fresh && status == WARPBOUND_OK; round++) {
    struct wb_wcet wcet;
    fresh = false;
    status = wb_wcet_analyse(code, function, &loops, control, &wcet, &lacking);
    if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING)
      status = wb_fail_with(error, &lacking);
    else
      status = look_at_loops(&search, &wcet, &fresh);
    if (status == WARPBOUND_OK && !fresh)
      status = add_others(&search, &wcet);
    wb_wcet_free(&wcet);
  }
  order(needs);
  free(search.values);
  if (status != WARPBOUND_OK)
    wb_parameter_needs_free(needs);
  return status;
}

void wb_parameter_needs_free(struct wb_parameter_needs *needs)
{
  for (size_t n = 0; n < needs->count; n++)
    free(needs->items[n].option);
  for (size_t n = 0; n < needs->other_count; n++) {
    free(needs->others[n].fact);
    free(needs->others[n].hint);
  }
  free(needs->items);
  free(needs->others);
  *needs = (struct wb_parameter_needs){0};
}
