#include "makespan/potential/trailing_positions.h"

#include "base/checked.h"

/* C(n, k) for n >= k - 1, or UINT64_MAX beyond 64 bits. */
static uint64_t choose(uint64_t n, uint64_t k)
{
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; i++) {
    if (!wb_multiply(result, n - k + i, &result))
      return UINT64_MAX;
    result /= i;
  }
  return result;
}

uint64_t wb_trailing_count(uint64_t last, uint32_t count)
{
  return choose(last + count, count);
}

size_t wb_trailing_rank(const size_t *position, uint32_t count)
{
  size_t rank = 0;
  for (uint32_t i = 0; i < count; i++)
    rank += (size_t)choose(position[i] + i, i + 1);
  return rank;
}

bool wb_trailing_step_back(size_t *position, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && position[i] == 0)
    i++;
  if (i == count)
    return false;
  position[i]--;
  for (uint32_t k = 0; k < i; k++)
    position[k] = position[i];
  return true;
}
