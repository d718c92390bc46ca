/* Mixes of blocks of several kernels on one SM. */
#include "launch/together/mixes.h"

#include "base/checked.h"

static bool is_member(const bool *members, size_t kernel)
{
  return members == NULL || members[kernel];
}

/* ---- the fewest blocks that leave no room ---- */

/* A block of a kernel has no room where some room has less left than it needs: the others take
 * more than capacity - size there, each of them `largest` at most. */
static uint64_t least_full_of(const struct wb_room *room, uint64_t size, uint64_t largest)
{
  return size == 0 || largest == 0 ? UINT64_MAX : (room->capacity - size) / largest + 1;
}

uint64_t wb_mixes_least_full(const struct wb_mixes *mixes, const bool *members)
{
  uint64_t least = UINT64_MAX;
  for (size_t r = 0; r < mixes->room_count; r++) {
    const struct wb_room *room = &mixes->rooms[r];
    uint64_t largest = 0;
    for (size_t k = 0; k < mixes->kernel_count; k++) {
      if (is_member(members, k))
        largest = wb_maximum(largest, room->size[k]);
    }
    for (size_t k = 0; k < mixes->kernel_count; k++) {
      if (is_member(members, k))
        least = wb_minimum(least, least_full_of(room, room->size[k], largest));
    }
  }
  /* As many blocks of one kernel as fit leave no room for one more of it. */
  for (size_t k = 0; k < mixes->kernel_count; k++) {
    if (is_member(members, k))
      least = wb_minimum(least, mixes->most[k]);
  }
  return wb_maximum(least, 1);
}

/* ---- the mix that costs most ---- */

struct search {
  const struct wb_mixes *mixes;
  const uint64_t *value;
  uint64_t left[WB_ROOM_LIMIT];       /* of rooms whose sizes add up */
  uint32_t most[WB_TOGETHER_KERNELS]; /* 0 of kernels that are no members */
  uint64_t best;
  uint64_t steps;
};

/* How many blocks of a kernel what is left of all rooms holds. */
static uint64_t room_for(const struct search *search, size_t kernel)
{
  uint64_t count = search->most[kernel];
  for (size_t r = 0; r < search->mixes->room_count; r++) {
    const struct wb_room *room = &search->mixes->rooms[r];
    if (!room->of_partition && room->size[kernel] > 0)
      count = wb_minimum(count, search->left[r] / room->size[kernel]);
  }
  return count;
}

static void take(struct search *search, size_t kernel, uint64_t count)
{
  for (size_t r = 0; r < search->mixes->room_count; r++)
    search->left[r] -= count * search->mixes->rooms[r].size[kernel];
}

/* Blocks of the kernels from number `kernel` on, in all numbers that fit. As no value is below 0,
 * of the last one the most count. Clang-tidy sees the recursion; it is as deep as there are
 * kernels. */
static void try_kernel(struct search *search, size_t kernel, uint64_t value) /* NOLINT */
{
  const size_t count = search->mixes->kernel_count;
  if (++search->steps > WB_MIX_STEPS)
    return;
  while (kernel < count && search->most[kernel] == 0)
    kernel++;
  if (kernel == count) {
    search->best = wb_maximum(search->best, value);
    return;
  }
  const uint64_t room = room_for(search, kernel);
  for (uint64_t n = kernel + 1 == count ? room : 0; n <= room; n++) {
    struct search next = *search;
    take(&next, kernel, n);
    try_kernel(&next, kernel + 1, wb_plus(value, wb_times(n, search->value[kernel])));
    search->best = next.best;
    search->steps = next.steps;
  }
}

/* What a room alone allows: each unit that is left costs what the costliest unit does, rounded up;
 * of kernels that need nothing of it, all blocks that fit alone. */
static uint64_t most_of_room(const struct search *search, size_t room)
{
  const struct wb_room *of = &search->mixes->rooms[room];
  uint64_t unit = 0;
  uint64_t sum = 0;
  for (size_t k = 0; k < search->mixes->kernel_count; k++) {
    if (search->most[k] > 0 && of->size[k] > 0)
      unit = wb_maximum(unit, wb_divide_up(search->value[k], of->size[k]));
    else
      sum = wb_plus(sum, wb_times(search->most[k], search->value[k]));
  }
  return wb_plus(sum, wb_times(search->left[room], unit));
}

uint64_t wb_mixes_most(const struct wb_mixes *mixes, const bool *members, size_t beside,
                       const uint64_t *value)
{
  struct search search = {.mixes = mixes, .value = value};
  for (size_t k = 0; k < mixes->kernel_count; k++)
    search.most[k] = is_member(members, k) ? mixes->most[k] - (k == beside ? 1 : 0) : 0;
  for (size_t r = 0; r < mixes->room_count; r++)
    search.left[r] = mixes->rooms[r].of_partition
                         ? UINT64_MAX
                         : mixes->rooms[r].capacity -
                               (beside != WB_NO_KERNEL ? mixes->rooms[r].size[beside] : 0);
  try_kernel(&search, 0, 0);
  if (search.steps <= WB_MIX_STEPS)
    return search.best;
  uint64_t least = UINT64_MAX;
  for (size_t r = 0; r < mixes->room_count; r++) {
    if (!mixes->rooms[r].of_partition)
      least = wb_minimum(least, most_of_room(&search, r));
  }
  return least;
}
