#include "certificate/potential/trailing_ranks.h"

#include "base/memory.h"

#include <stdlib.h>

size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position)
{
  size_t rank = 0;
  for (size_t i = 0; i < ranks->count; i++)
    rank += ranks->steps[i][position[i]];
  return rank;
}

static warpbound_status too_many(const struct wb_check_trailing_ranks *ranks,
                                 warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_LIMIT,
                 "rear: %zu warps over %zu instructions have more positions than the checker's "
                 "tables take",
                 ranks->count, ranks->length);
}

/* Binomial coefficients, each the sum of two before it. */
warpbound_status wb_check_trailing_ranks_make(size_t count, size_t length, size_t most,
                                              struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error)
{
  *ranks = (struct wb_check_trailing_ranks){.count = count, .length = length, .rank_count = 1};
  for (size_t i = 0; i < count; i++) {
    size_t *steps = ranks->steps[i] = wb_allocate(length + 1, sizeof *steps);
    if (steps == NULL)
      return wb_out_of_memory(error);
    for (size_t q = 1; q <= length; q++) {
      steps[q] = steps[q - 1] + (i > 0 ? ranks->steps[i - 1][q] : 1);
      if (steps[q] > most)
        return too_many(ranks, error);
    }
    ranks->rank_count += steps[length];
  }
  return ranks->rank_count <= most ? WARPBOUND_OK : too_many(ranks, error);
}

void wb_check_trailing_ranks_previous(const struct wb_check_trailing_ranks *ranks, size_t *position)
{
  size_t i = 0;
  while (i + 1 < ranks->count && position[i] == 0)
    i++;
  position[i]--;
  for (size_t k = 0; k < i; k++)
    position[k] = position[i];
}

void wb_check_trailing_ranks_free(struct wb_check_trailing_ranks *ranks)
{
  for (size_t i = 0; i < WB_CHECK_TRAILING_LIMIT; i++)
    free(ranks->steps[i]);
  *ranks = (struct wb_check_trailing_ranks){0};
}
