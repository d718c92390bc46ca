#include "makespan/exact/forward_search.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/machine/reached.h"
#include "makespan/machine/sm_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Choices of warps between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 16)

/* Warps that wait at a position of the string; after[u]: those that wait for u at later
 * positions of the same repetition. end: the first group of a later repetition. */
struct waiting {
  size_t position;
  uint32_t ready;
  enum wb_unit unit;
  uint32_t after[WB_UNIT_COUNT];
  size_t end;
};

/* groups: of the state under expansion, in order of the string. room: what the machine has
 * left in this cycle; left: what of it the repetition under way still has to take. issued: by
 * the move under trial, which makes `next` of the state, with that hash. */
struct search {
  const struct wb_problem *problem;
  const struct wb_control *control;
  bool capped;
  uint8_t *types;
  uint64_t *keys;
  struct waiting *groups;
  size_t group_count;
  struct wb_quota room;
  struct wb_quota left;
  uint32_t issued;
  uint8_t *next;
  uint64_t hash;
  uint32_t parent;
  size_t done;
  struct wb_reached reached; /* bytes: the warps at each position; levels: instructions done */
  uint64_t work;             /* choices since the last poll */
  enum wb_stop stop;
  struct wb_arena arena;
};

/* The hash is a sum over the warps, so that a warp that moves on changes it at once. */
static uint64_t hash_of(const void *context, const uint8_t *state)
{
  const struct search *search = context;
  uint64_t hash = 0;
  for (size_t p = 0; p < search->reached.stride; p++)
    hash += state[p] * search->keys[p];
  return hash;
}

/* `warps` of the group issue; below 0: take that back. */
static void issue(struct search *search, const struct waiting *group, int64_t warps)
{
  uint8_t *here = search->next + group->position;
  here[0] = (uint8_t)(here[0] - warps);
  here[1] = (uint8_t)(here[1] + warps);
  search->hash +=
      (uint64_t)warps * (search->keys[group->position + 1] - search->keys[group->position]);
  uint32_t change = (uint32_t)warps;
  search->room.most[group->unit] -= change;
  search->room.total -= change;
  search->left.most[group->unit] -= change;
  search->left.total -= change;
  search->issued += change;
}

static void choose_repetition(struct search *search, size_t g);

/* Tries every way to take from the groups g .. end - 1 what is left for their repetition. */
static void choose_warps(struct search *search, size_t g, size_t end)
{
  if (++search->work == POLL_INTERVAL) {
    search->work = 0;
    if (search->stop == WB_STOP_NONE)
      search->stop = wb_control_poll(search->control, "exact search",
                                     (double)search->done / (double)search->reached.levels);
    if (search->stop == WB_STOP_NONE &&
        wb_reached_bytes(&search->reached) > search->control->memory_limit / 2)
      search->stop = WB_STOP_MEMORY;
  }
  if (search->stop != WB_STOP_NONE)
    return;
  if (search->left.total == 0) {
    choose_repetition(search, end);
    return;
  }
  assert(g < end);
  const struct waiting *group = &search->groups[g];
  uint32_t least = wb_quota_least(&search->left, group->after, group->unit, search->capped);
  uint64_t most =
      wb_minimum(group->ready, wb_minimum(search->left.most[group->unit], search->left.total));
  for (uint32_t x = least; x <= most; x++) {
    issue(search, group, x);
    choose_warps(search, g + 1, end);
    issue(search, group, -(int64_t)x);
  }
}

/* The repetition that begins with group g takes what earlier ones have left. */
static void choose_repetition(struct search *search, size_t g)
{
  if (g == search->group_count || search->room.total == 0) {
    /* The state `next` is reached from the parent, in one cycle. */
    const uint32_t cycles = search->reached.nodes[search->parent].cycles + 1;
    if (!wb_reached_add(&search->reached, search->next, search->hash, search->done + search->issued,
                        cycles, search->parent))
      search->stop = WB_STOP_MEMORY;
    return;
  }
  const struct wb_quota left = search->left;
  uint32_t ready[WB_UNIT_COUNT];
  memcpy(ready, search->groups[g].after, sizeof ready);
  ready[search->groups[g].unit] += search->groups[g].ready;
  search->left = wb_quota_within(search->room.most, search->room.total, ready);
  choose_warps(search, g, search->groups[g].end);
  search->left = left;
}

static warpbound_status make_witness(const struct search *search, uint32_t end,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const struct wb_problem *problem = search->problem;
  const struct wb_reached *reached = &search->reached;
  const size_t cycles = reached->nodes[end].cycles;
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  uint32_t *way = wb_reached_way(reached, end);
  size_t *done = wb_allocate(problem->warps, sizeof *done);
  if (status == WARPBOUND_OK && (way == NULL || done == NULL))
    status = wb_out_of_memory(error);
  for (size_t t = 1; t <= cycles && status == WARPBOUND_OK; t++)
    wb_schedule_replay(schedule, done, wb_reached_state(reached, way[t - 1]),
                       wb_reached_state(reached, way[t]), (uint32_t)t);
  schedule->makespan = cycles;
  free(way);
  free(done);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

static void expand_all(struct search *search)
{
  for (search->done = 0; search->done + 1 < search->reached.levels && search->stop == WB_STOP_NONE;
       search->done++) {
    for (search->parent = search->reached.level[search->done];
         search->parent != WB_NOWHERE && search->stop == WB_STOP_NONE;
         search->parent = search->reached.nodes[search->parent].next) {
      memcpy(search->next, wb_reached_state(&search->reached, search->parent),
             search->reached.stride);
      search->hash = hash_of(search, search->next);
      memcpy(search->room.most, search->problem->capacity, sizeof search->room.most);
      search->room.total = search->problem->issue_slots;
      search->issued = 0;
      /* Lists where the warps of `next` wait, in order of the string. */
      search->group_count = 0;
      for (size_t p = 0; p < search->reached.stride; p++) {
        if (search->next[p] == 0)
          continue;
        struct waiting *group = &search->groups[search->group_count++];
        *group = (struct waiting){
            .position = p, .ready = search->next[p], .unit = (enum wb_unit)search->types[p]};
      }
      for (size_t g = search->group_count; g-- > 0;) {
        struct waiting *group = &search->groups[g];
        const struct waiting *later = group + 1;
        group->end = g + 1;
        if (g + 1 == search->group_count ||
            wb_fair_repetition(&search->problem->fair, group->position) !=
                wb_fair_repetition(&search->problem->fair, later->position))
          continue;
        group->end = later->end;
        memcpy(group->after, later->after, sizeof group->after);
        group->after[later->unit] += later->ready;
      }
      choose_repetition(search, 0);
    }
  }
}
bool wb_forward_search_fits(const struct wb_problem *problem)
{
  return problem->warps <= WB_FORWARD_WARP_LIMIT &&
         problem->string.length <= WB_SCHEDULE_LIMIT / problem->warps;
}

warpbound_status wb_forward_search(const struct wb_problem *problem,
                                   const struct wb_control *control,
                                   struct wb_forward_result *result, warpbound_error *error)
{
  assert(wb_forward_search_fits(problem));
  *result = (struct wb_forward_result){0};
  struct search search = {
      .problem = problem, .control = control, .capped = wb_problem_capped(problem)};
  warpbound_status status = WARPBOUND_OK;
  const size_t length = problem->string.length;
  struct wb_arena *arena = &search.arena;
  search.reached = (struct wb_reached){
      .stride = length, .levels = problem->warps * length + 1, .hash = hash_of, .context = &search};
  search.keys = wb_arena_array(arena, uint64_t, length + 1);
  search.groups = wb_arena_array(arena, struct waiting, wb_minimum(length, problem->warps));
  search.next = wb_arena_array(arena, uint8_t, length + 1);
  if (length * problem->warps * sizeof(uint32_t) <= control->memory_limit / 2)
    search.types = wb_kernel_string_expand(&problem->string);
  if (search.types == NULL || arena->failed || !wb_reached_start(&search.reached))
    search.stop = WB_STOP_MEMORY;
  else {
    struct wb_random random = {UINT64_C(0x666f7277617264)};
    for (size_t p = 0; p < length; p++) /* a warp past the end counts nothing: its key is 0 */
      search.keys[p] = wb_random_next(&random);
    search.next[0] = (uint8_t)problem->warps;
    if (!wb_reached_add(&search.reached, search.next, hash_of(&search, search.next), 0, 0,
                        WB_NOWHERE))
      search.stop = WB_STOP_MEMORY;
    expand_all(&search);
    result->states = search.reached.count;
    result->bytes = wb_reached_bytes(&search.reached);
  }
  result->stop = search.stop;
  if (search.stop == WB_STOP_NONE) {
    uint32_t end = search.reached.level[search.reached.levels - 1];
    result->longest = search.reached.nodes[end].cycles;
    status = make_witness(&search, end, &result->witness, error);
  }
  free(search.types);
  wb_arena_free(&search.arena);
  wb_reached_free(&search.reached);
  return status;
}
