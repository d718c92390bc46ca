#include "certificate/potential/trailing_moves.h"

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
