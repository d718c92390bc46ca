#include "makespan/bounds/fair_time.h"

#include "base/checked.h"

/* The shape of the formula: LLC stands from the second instruction on. */
#define BLOCK_FIRST 2
#define BLOCK_LENGTH 3

/* rep of C (LLC)^rep L, whose runs are a C, for each repetition two L and a C, and an L. 0: it is
 * another string. */
static uint64_t repetitions(const struct wb_kernel_string *string)
{
  size_t runs = string->run_count;
  if (runs < 4 || runs % 2 != 0)
    return 0;
  for (size_t r = 0; r < runs; r++) {
    bool loads = r % 2 == 1;
    uint64_t length = loads && r + 1 < runs ? 2 : 1;
    if (string->runs[r].unit != (loads ? WB_UNIT_LOAD_STORE : WB_UNIT_CORE) ||
        string->runs[r].length != length)
      return 0;
  }
  return runs / 2 - 1;
}

bool wb_published_fair_time(const struct wb_problem *problem, uint64_t *cycles)
{
  uint64_t count = repetitions(&problem->string), first, others;
  const struct wb_fair_blocks *fair = &problem->fair;
  const bool is_its_machine = !wb_problem_has_shared(problem) &&
                              problem->capacity[WB_UNIT_LOAD_STORE] == 1 &&
                              problem->capacity[WB_UNIT_CORE] == 2 && problem->issue_slots >= 2;
  if (count == 0 || !is_its_machine)
    return false;
  if (wb_problem_fair(problem)
          ? fair->first != BLOCK_FIRST || fair->length != BLOCK_LENGTH || fair->count != count
          : count != 1)
    return false;
  return wb_multiply(3, problem->warps, &first) && wb_add(first, 2, &first) &&
         wb_multiply(2 * (uint64_t)problem->warps, count - 1, &others) &&
         wb_add(first, others, cycles);
}
