#include "launch_placing.h"

#include "launch_code.h"

/* A block that is being placed: its warps by partition, then their paths. */
struct placing {
  struct moment state;
  uint32_t sm, place;
};

/* Whether a path passes as many barriers as those of the block's warps before number w, but for
 * warps that end early; with groups, as many of both kinds as those of its group. */
static bool may_share_block(const struct launch_brute *brute, const struct warp *block, uint32_t w,
                            uint32_t path)
{
  const enum tiny_early early = brute->launch->early;
  const uint32_t barriers = brute->barriers[path];
  bool may = !brute->launch->same_path || w == 0 || block[0].path == path;
  for (uint32_t o = 0; o < w && early != TINY_EARLY_ANY; o++) {
    const uint32_t other = brute->barriers[block[o].path];
    may &= other == barriers || (early == TINY_EARLY_FIRST && (other == 0 || barriers == 0));
    if (brute->launch->groups && brute->launch->group[block[o].path] == brute->launch->group[path])
      may &= brute->kinds[block[o].path] == brute->kinds[path];
  }
  return may;
}

/* Warps number w and later of the block get paths; those of one partition in ascending order. */
static uint32_t choose_paths(struct launch_brute *brute, struct placing *placing, uint32_t w)
{
  struct warp *block = moment_block(brute, &placing->state, placing->sm, placing->place);
  if (w == brute->block_warps)
    return placing_longest(brute, &placing->state);
  const bool same = w > 0 && block[w - 1].partition == block[w].partition;
  uint32_t best = 0;
  for (uint32_t p = same ? block[w - 1].path : 0; p < brute->launch->path_count; p++) {
    if (!may_share_block(brute, block, w, p))
      continue;
    block[w].path = (uint8_t)p;
    const uint32_t time = choose_paths(brute, placing, w + 1);
    best = time > best ? time : best;
  }
  return best;
}

/* Whether the partition has no room for one more warp. */
static bool is_full(struct launch_brute *brute, struct placing *placing, uint32_t partition)
{
  const uint32_t room = brute->launch->partition_places;
  uint32_t held = 0;
  for (uint32_t k = 0; k < brute->places; k++) {
    const struct warp *warp = moment_block(brute, &placing->state, placing->sm, k);
    held += k != placing->place && warp->path != FREE && warp->partition == partition;
  }
  return room > 0 && held >= room;
}

/* Warps number w and later of the block get partitions, in ascending order, at most
 * ceil(w / P) each. */
static uint32_t choose_partitions(struct launch_brute *brute, struct placing *placing, uint32_t w)
{
  struct warp *block = moment_block(brute, &placing->state, placing->sm, placing->place);
  if (w == brute->block_warps)
    return choose_paths(brute, placing, 0);
  const uint32_t most = (brute->block_warps + brute->partitions - 1) / brute->partitions;
  uint32_t best = 0;
  for (uint32_t p = w > 0 ? block[w - 1].partition : 0; p < brute->partitions; p++) {
    if ((w >= most && block[w - most].partition == p) || is_full(brute, placing, p))
      continue;
    block[w] = (struct warp){
        .path = 0, .partition = (uint8_t)p, .stall = (uint8_t)brute->launch->shape.block_start};
    const uint32_t time = choose_partitions(brute, placing, w + 1);
    best = time > best ? time : best;
  }
  return best;
}

static uint32_t free_places(const struct launch_brute *brute, const struct moment *state,
                            uint32_t sm, uint32_t *first)
{
  uint32_t count = 0;
  for (uint32_t k = brute->places; k-- > 0;) {
    if (state->warps[(sm * brute->places + k) * brute->block_warps].path == FREE) {
      *first = k;
      count++;
    }
  }
  return count;
}

uint32_t placing_start(struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  struct placing placing;
  placing.sm = sm;
  moment_copy(brute, state, &placing.state);
  if (free_places(brute, state, sm, &placing.place) == 0) {
    brute->failed = true;
    return 0;
  }
  code_begin(brute, &placing.state, sm);
  return choose_partitions(brute, &placing, 0);
}

static uint32_t start_block(struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  struct moment next;
  moment_copy(brute, state, &next);
  next.waiting--;
  if (brute->launch->shape.dispatch == 0)
    return placing_start(brute, &next, sm);
  next.dispatching = (uint8_t)brute->launch->shape.dispatch;
  next.dispatch_sm = (uint8_t)sm;
  return placing_longest(brute, &next);
}

/* Whether as many blocks wait as there is room for, so that all room is filled at once and the
 * order does not matter. */
static bool fills_all(const struct launch_brute *brute, const struct moment *state)
{
  uint32_t first;
  uint32_t room = 0;
  for (uint32_t sm = 0; sm < brute->sms; sm++)
    room += free_places(brute, state, sm, &first);
  return brute->launch->shape.dispatch == 0 && room <= state->waiting;
}

/* Whether some SM has fewer blocks. */
static bool is_fuller(const struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  uint32_t first;
  const uint32_t here = free_places(brute, state, sm, &first);
  bool fuller = false;
  for (uint32_t other = 0; other < brute->sms; other++)
    fuller |= free_places(brute, state, other, &first) > here;
  return fuller;
}

uint32_t placing_longest(struct launch_brute *brute, const struct moment *state)
{
  uint32_t best = 0;
  uint32_t first;
  bool any = false;
  const bool all = fills_all(brute, state);
  const uint64_t key = moment_key(brute, state);
  const struct entry *known = moment_entry(brute, key);
  if (known->key == key)
    return known->value;
  for (uint32_t sm = 0; state->waiting > 0 && state->dispatching == 0 && sm < brute->sms; sm++) {
    if (brute->failed || (all && any) || free_places(brute, state, sm, &first) == 0 ||
        (brute->launch->balanced && is_fuller(brute, state, sm)))
      continue;
    any = true;
    const uint32_t time = start_block(brute, state, sm);
    best = time > best ? time : best;
  }
  if (!any)
    return placing_cycle(brute, state, key);
  moment_keep(brute, key, best);
  return best;
}
