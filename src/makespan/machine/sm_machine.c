#include "makespan/machine/sm_machine.h"

#include <string.h>

void wb_sm_room_start(const struct wb_sm_problem *problem, struct wb_sm_room *room)
{
  for (uint32_t p = 0; p < problem->partitions; p++) {
    memcpy(room->units[p], problem->capacity, sizeof room->units[p]);
    room->slots[p] = problem->issue_slots;
  }
}

bool wb_sm_machine_start(struct wb_sm_machine *machine, const struct wb_sm_problem *problem,
                         const uint32_t *string_of, struct wb_arena *arena)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  *machine = (struct wb_sm_machine){.problem = problem, .warps = warps};
  machine->letters = wb_arena_array(arena, const uint8_t *, warps);
  machine->string_of = wb_arena_array(arena, uint32_t, warps);
  machine->partition_of = wb_arena_array(arena, uint32_t, warps);
  machine->done = wb_arena_array(arena, size_t, warps);
  machine->waits = wb_arena_array(arena, bool, warps);
  machine->missing = wb_arena_array(arena, uint32_t, problem->blocks);
  machine->released = wb_arena_array(arena, uint32_t, problem->blocks);
  machine->types = wb_arena_array(arena, uint8_t *, problem->string_count);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    uint8_t *types = wb_arena_array(arena, uint8_t, string->length + 1);
    machine->types[s] = types;
    for (size_t r = 0; r < string->run_count && types != NULL; r++) {
      memset(types, (int)string->runs[r].unit, string->runs[r].length);
      types += string->runs[r].length;
    }
    if (types != NULL)
      *types = WB_UNIT_COUNT;
  }
  if (arena->failed)
    return false;
  for (uint32_t w = 0; w < warps; w++)
    machine->partition_of[w] = wb_sm_partition_of(problem, w);
  wb_sm_machine_reset(machine, string_of);
  return true;
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
