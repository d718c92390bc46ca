#include "certificate/potential/trailing_ranks.h"

/* Bit i of a choice: trailing warp i issues. */
static bool issues(size_t choice, size_t i)
{
  return (choice >> i & 1) != 0;
}

static bool possible(const struct wb_check_trailing_values *values, const size_t *position,
                     size_t count, size_t choice)
{
  for (size_t i = 0; i < count; i++) {
    if (!issues(choice, i))
      continue;
    if (position[i] == values->length)
      return false;
    if (i + 1 < count && position[i + 1] == position[i] && !issues(choice, i + 1))
      return false;
  }
  return true;
}

static void make_move(const struct wb_check_trailing_values *values, const size_t *position,
                      size_t count, size_t choice, struct wb_check_trailing_move *move)
{
  *move = (struct wb_check_trailing_move){.stays = choice == 0};
  for (size_t i = 0; i < count; i++) {
    move->position[i] = position[i];
    if (!issues(choice, i))
      continue;
    move->position[i]++;
    move->front = i + 1 == count ? WB_CHECK_TRAILING_FRONT_ISSUES : WB_CHECK_TRAILING_FRONT_WAITS;
    move->issued[values->position[position[i]].pool]++;
  }
  for (size_t v = 0; v < values->view_count; v++) {
    const size_t *after = move->position;
    int64_t sum = after[0] > position[0] ? values->position[position[0]].own : 0;
    for (size_t i = 1; i < count; i++)
      sum += values->view[v].weighted_value[position[i]] -
             values->value[values->view[v].component][after[i]];
    move->value[v] = sum;
  }
}

size_t wb_check_trailing_moves_make(const struct wb_check_trailing_values *values,
                                    const size_t *position, size_t count,
                                    struct wb_check_trailing_move list[WB_CHECK_TRAILING_MOVES])
{
  size_t found = 0;
  for (size_t choice = 0; choice < (size_t)1 << count; choice++)
    if (possible(values, position, count, choice))
      make_move(values, position, count, choice, &list[found++]);
  return found;
}

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
warpbound_status wb_check_trailing_ranks_make(struct wb_arena *arena, size_t count, size_t length,
                                              size_t most, struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error)
{
  *ranks = (struct wb_check_trailing_ranks){.count = count, .length = length, .rank_count = 1};
  for (size_t i = 0; i < count; i++) {
    size_t *steps = ranks->steps[i] = wb_arena_array(arena, size_t, length + 1);
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
