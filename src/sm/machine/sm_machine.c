#include "sm/machine/sm_machine.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wb_sm_room_start(const struct wb_sm_problem *problem, struct wb_sm_room *room)
{
  for (uint32_t p = 0; p < problem->partitions; p++) {
    memcpy(room->units[p], problem->capacity, sizeof room->units[p]);
    room->slots[p] = problem->issue_slots;
  }
}

/* The types of a string's instructions, and the end after them. */
static uint8_t *expand(const struct wb_kernel_string *string)
{
  uint8_t *types = wb_allocate(string->length + 1, 1);
  if (types == NULL)
    return NULL;
  size_t at = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    memset(types + at, (int)string->runs[r].unit, string->runs[r].length);
    at += string->runs[r].length;
  }
  types[at] = WB_UNIT_COUNT;
  return types;
}

static bool start_strings(struct wb_sm_machine *machine)
{
  const struct wb_sm_problem *problem = machine->problem;
  machine->types = wb_allocate(problem->string_count, sizeof *machine->types);
  if (machine->types == NULL)
    return false;
  for (size_t s = 0; s < problem->string_count; s++) {
    machine->types[s] = expand(&problem->strings[s]);
    if (machine->types[s] == NULL)
      return false;
  }
  return true;
}

warpbound_status wb_sm_machine_start(struct wb_sm_machine *machine,
                                     const struct wb_sm_problem *problem, const uint32_t *string_of,
                                     warpbound_error *error)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  *machine = (struct wb_sm_machine){
      .problem = problem,
      .warps = warps,
      .letters = wb_allocate(warps, sizeof *machine->letters),
      .string_of = wb_allocate(warps, sizeof *machine->string_of),
      .partition_of = wb_allocate(warps, sizeof *machine->partition_of),
      .done = wb_allocate(warps, sizeof *machine->done),
      .waits = wb_allocate(warps, sizeof *machine->waits),
      .missing = wb_allocate(problem->blocks, sizeof *machine->missing),
      .released = wb_allocate(problem->blocks, sizeof *machine->released),
  };
  if (machine->letters == NULL || machine->string_of == NULL || machine->partition_of == NULL ||
      machine->done == NULL || machine->waits == NULL || machine->missing == NULL ||
      machine->released == NULL || !start_strings(machine))
    return wb_out_of_memory(error);
  for (uint32_t w = 0; w < warps; w++)
    machine->partition_of[w] = wb_sm_partition_of(problem, w);
  wb_sm_machine_reset(machine, string_of);
  return WARPBOUND_OK;
}

void wb_sm_machine_free(struct wb_sm_machine *machine)
{
  for (size_t s = 0; machine->types != NULL && s < machine->problem->string_count; s++)
    free(machine->types[s]);
  free(machine->types);
  free(machine->letters);
  free(machine->string_of);
  free(machine->partition_of);
  free(machine->done);
  free(machine->waits);
  free(machine->missing);
  free(machine->released);
  *machine = (struct wb_sm_machine){0};
}

void wb_sm_machine_reset(struct wb_sm_machine *machine, const uint32_t *string_of)
{
  const struct wb_sm_problem *problem = machine->problem;
  machine->left = 0;
  for (uint32_t w = 0; w < machine->warps; w++) {
    const uint32_t string = string_of != NULL ? string_of[w] : 0;
    machine->string_of[w] = string;
    machine->letters[w] = machine->types[string];
    machine->done[w] = 0;
    machine->waits[w] = false;
    machine->left += problem->strings[string].length;
  }
  for (uint32_t b = 0; b < problem->blocks; b++)
    machine->missing[b] = problem->block_warps;
}

void wb_sm_machine_end(struct wb_sm_machine *machine)
{
  const uint32_t size = machine->problem->block_warps;
  for (uint32_t i = 0; i < machine->released_count; i++) {
    const uint32_t block = machine->released[i];
    memset(machine->waits + (size_t)block * size, 0, size * sizeof *machine->waits);
    machine->missing[block] = size;
  }
}
