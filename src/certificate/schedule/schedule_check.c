/* The sweep over the cycles of a claimed schedule. */
#include "certificate/schedule/schedule_claim.h"

#include "base/arena.h"
#include "base/status.h"

#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the sweep over cycles ---- */

/* The types that have units come first. */
#define UNIT_TYPES 5
#define TYPES 7
#define NO_LIMIT UINT64_MAX

static const char type_letters[TYPES + 1] = "LCSDTNB";

/* The instructions issued in a cycle. */
struct usage {
  /* By type and partition; of a type that the partitions share, all at the first partition. */
  uint64_t *type[TYPES];
  /* By partition. */
  uint64_t *total;
};

/* The warps that may issue an instruction of one type. Invariant: the list has the partitions with
 * any such warps, each once, and place[p] is where p stands in it. */
struct ready_warps {
  /* By partition. */
  size_t *warps;
  /* The list. */
  size_t *partitions;
  size_t count;
  /* By partition. */
  size_t *place;
};

/* The state before a cycle. */
struct sweep {
  struct wb_arena arena; /* owns the arrays */
  const struct wb_check_schedule_claim *claim;
  /* Warps of a block. */
  size_t block_warps;
  /* Partitions that have warps. */
  size_t partitions;
  /* By warp: instructions that it has issued. */
  size_t *done;
  /* By warp: it has issued a B that not all warps of its block have issued. */
  bool *held;
  /* By block: warps that are held. */
  size_t *arrived;
  /* Lists of the warps by the cycle of their next issue: the first warp of each cycle's list, from
   * 1 (0: none), and by warp the one after it. */
  size_t *issuing;
  size_t *next_issuing;
  /* By type: the warps that are neither finished nor held; while a cycle is checked only those that
   * idle in it. */
  struct ready_warps ready[TYPES];
  /* The instructions of the cycle, and, for a message, those of the warps before the one at hand.
   */
  struct usage whole;
  struct usage before;
};

static bool is_finished(const struct sweep *sweep, size_t warp)
{
  return sweep->done[warp] == sweep->claim->counts[warp];
}

/* The type of the warp's next instruction. */
static int next_type(const struct sweep *sweep, size_t warp)
{
  const char letter = wb_check_schedule_string_of(sweep->claim, warp)->letters[sweep->done[warp]];
  return (int)(strchr(type_letters, letter) - type_letters);
}

static uint32_t next_cycle(const struct sweep *sweep, size_t warp)
{
  return sweep->claim->cycles[warp][sweep->done[warp]];
}

static size_t partition_of(const struct sweep *sweep, size_t warp)
{
  return warp % sweep->block_warps % sweep->claim->partitions;
}

static bool is_shared(const struct sweep *sweep, int type)
{
  return type < UNIT_TYPES && sweep->claim->shared[type];
}

static uint64_t capacity_of(const struct sweep *sweep, int type)
{
  return type < UNIT_TYPES ? sweep->claim->capacity[type] : NO_LIMIT;
}

static uint64_t slots_of(const struct sweep *sweep)
{
  return sweep->claim->issue_slots > 0 ? sweep->claim->issue_slots : NO_LIMIT;
}

static uint64_t *used_units(const struct sweep *sweep, const struct usage *usage, int type,
                            size_t partition)
{
  return &usage->type[type][is_shared(sweep, type) ? 0 : partition];
}

#ifndef NDEBUG
/* Whether the invariant of the ready warps holds of all types. */
static bool all_sound(const struct sweep *sweep)
{
  bool sound = true;
  for (int type = 0; type < TYPES; type++) {
    const struct ready_warps *ready = &sweep->ready[type];
    size_t found = 0;
    for (size_t p = 0; p < sweep->partitions; p++)
      found += ready->warps[p] > 0;
    sound = sound && ready->count <= sweep->partitions && found == ready->count;
    for (size_t i = 0; sound && i < ready->count; i++)
      sound = ready->warps[ready->partitions[i]] > 0 && ready->place[ready->partitions[i]] == i;
  }
  return sound;
}

#endif

/* A warp that may issue from the next cycle on. */
static void make_ready(struct sweep *sweep, size_t warp)
{
  if (is_finished(sweep, warp))
    return;
  struct ready_warps *ready = &sweep->ready[next_type(sweep, warp)];
  size_t partition = partition_of(sweep, warp);
  if (ready->warps[partition]++ > 0)
    return;
  ready->place[partition] = ready->count;
  ready->partitions[ready->count++] = partition;
}

/* Enters the warp's next issue, if there is one. */
static void enter_issue(struct sweep *sweep, size_t warp)
{
  if (is_finished(sweep, warp))
    return;
  size_t *first = &sweep->issuing[next_cycle(sweep, warp)];
  sweep->next_issuing[warp] = *first;
  *first = warp + 1;
}

static bool can_take(const struct sweep *sweep, const struct usage *usage, int type,
                     size_t partition)
{
  return *used_units(sweep, usage, type, partition) < capacity_of(sweep, type) &&
         usage->total[partition] < slots_of(sweep);
}

/* Whether the warps that issue in the cycle keep to the barriers, the units and the issue slots.
 * Leaves the warps that idle in `ready`, and the units and slots taken in `whole`. */
static bool issues_are_right(struct sweep *sweep, uint64_t cycle)
{
  for (size_t next = sweep->issuing[cycle]; next != 0; next = sweep->next_issuing[next - 1]) {
    size_t warp = next - 1;
    int type = next_type(sweep, warp);
    size_t partition = partition_of(sweep, warp);
    struct ready_warps *ready = &sweep->ready[type];
    if (sweep->held[warp] ||
        ++*used_units(sweep, &sweep->whole, type, partition) > capacity_of(sweep, type) ||
        ++sweep->whole.total[partition] > slots_of(sweep))
      return false;
    if (--ready->warps[partition] > 0)
      continue;
    size_t last = ready->partitions[--ready->count];
    ready->partitions[ready->place[partition]] = last;
    ready->place[last] = ready->place[partition];
  }
  return true;
}

/* Whether no idle warp could have issued. Linear: where there are no free units of a type that is
 * shared none of its partitions is looked at; else one that passes has issued in this cycle. */
static bool none_idles_wrongly(const struct sweep *sweep)
{
  for (int type = 0; type < TYPES; type++) {
    const struct ready_warps *ready = &sweep->ready[type];
    bool all_taken = is_shared(sweep, type) && *sweep->whole.type[type] >= capacity_of(sweep, type);
    for (size_t i = 0; i < ready->count && !all_taken; i++) {
      if (can_take(sweep, &sweep->whole, type, ready->partitions[i]))
        return false;
    }
  }
  return true;
}

/* Advances the warps that issue in the cycle, and forgets the units that they use in it. */
static void advance(struct sweep *sweep, uint64_t cycle)
{
  for (size_t next = sweep->issuing[cycle]; next != 0;) {
    size_t warp = next - 1;
    int type = next_type(sweep, warp);
    size_t partition = partition_of(sweep, warp);
    size_t block = warp / sweep->block_warps;
    next = sweep->next_issuing[warp];
    *used_units(sweep, &sweep->whole, type, partition) = 0;
    sweep->whole.total[partition] = 0;
    sweep->done[warp]++;
    enter_issue(sweep, warp);
    sweep->held[warp] = type_letters[type] == 'B';
    if (!sweep->held[warp])
      make_ready(sweep, warp);
    else if (++sweep->arrived[block] == sweep->block_warps) {
      /* All warps of the block have done a B. */
      sweep->arrived[block] = 0;
      for (size_t w = block * sweep->block_warps; w < (block + 1) * sweep->block_warps; w++) {
        sweep->held[w] = false;
        make_ready(sweep, w);
      }
    }
  }
}

/* The cycle of a warp's k-th B, from 1; there is one. */
static uint32_t barrier_cycle(const struct wb_check_schedule_claim *claim, size_t warp, size_t k)
{
  const char *letters = wb_check_schedule_string_of(claim, warp)->letters;
  size_t at = 0;
  while (letters[at] != 'B' || --k > 0)
    at++;
  return claim->cycles[warp][at];
}

/* Judges a warp in the cycle, given the issues of the warps before it and of all; WARPBOUND_OK:
 * nothing is wrong with it. */
static warpbound_status judge_warp(struct sweep *sweep, uint64_t cycle, size_t warp,
                                   warpbound_error *error)
{
  if (is_finished(sweep, warp))
    return WARPBOUND_OK;
  int type = next_type(sweep, warp);
  size_t partition = partition_of(sweep, warp);
  if (next_cycle(sweep, warp) != cycle) {
    if (sweep->held[warp] || !can_take(sweep, &sweep->whole, type, partition))
      return WARPBOUND_OK;
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %" PRIu64
                   ", warp %zu: idles although a unit of type %c and an issue slot are "
                   "free (not work-conserving)",
                   cycle, warp + 1, type_letters[type]);
  }
  if (sweep->held[warp]) {
    /* Names the last warp of the block to come to the barrier at which the warp is. */
    const struct wb_check_schedule_claim *claim = sweep->claim;
    const char *letters = wb_check_schedule_string_of(claim, warp)->letters;
    size_t barrier = 0;
    for (size_t i = 0; i < sweep->done[warp]; i++)
      barrier += letters[i] == 'B';
    size_t last = warp / sweep->block_warps * sweep->block_warps;
    for (size_t w = last + 1; w < (warp / sweep->block_warps + 1) * sweep->block_warps; w++) {
      if (barrier_cycle(claim, w, barrier) > barrier_cycle(claim, last, barrier))
        last = w;
    }
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %" PRIu64
                   ", warp %zu: instruction %zu issues before warp %zu of its block has "
                   "done barrier %zu (cycle %u)",
                   cycle, warp + 1, sweep->done[warp] + 1, last + 1, barrier,
                   barrier_cycle(claim, last, barrier));
  }
  if (!can_take(sweep, &sweep->before, type, partition)) {
    const struct wb_check_schedule_claim *claim = sweep->claim;
    char place[48] = "";
    if (sweep->before.total[partition] >= slots_of(sweep)) {
      if (claim->partitions > 1)
        snprintf(place, sizeof place, " of partition %zu", partition + 1);
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ", warp %zu: one instruction more than the %" PRIu64
                     " issue slots%s",
                     cycle, warp + 1, claim->issue_slots, place);
    }
    if (is_shared(sweep, type))
      snprintf(place, sizeof place, ", which all partitions share");
    else if (claim->partitions > 1)
      snprintf(place, sizeof place, " in partition %zu", partition + 1);
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %" PRIu64 ", warp %zu: one instruction more of type %c than its %" PRIu64
                   " units%s",
                   cycle, warp + 1, type_letters[type], claim->capacity[type], place);
  }
  ++*used_units(sweep, &sweep->before, type, partition);
  sweep->before.total[partition]++;
  return WARPBOUND_OK;
}

static void start_usage(struct sweep *sweep, struct usage *usage)
{
  for (int type = 0; type < TYPES; type++)
    usage->type[type] = wb_arena_array(&sweep->arena, uint64_t, sweep->partitions);
  usage->total = wb_arena_array(&sweep->arena, uint64_t, sweep->partitions);
}

static bool start(struct sweep *sweep, uint64_t makespan)
{
  const struct wb_check_schedule_claim *claim = sweep->claim;
  sweep->block_warps = claim->warps / claim->blocks;
  sweep->partitions =
      claim->partitions < sweep->block_warps ? claim->partitions : sweep->block_warps;
  struct wb_arena *arena = &sweep->arena;
  sweep->done = wb_arena_array(arena, size_t, claim->warps);
  sweep->held = wb_arena_array(arena, bool, claim->warps);
  sweep->next_issuing = wb_arena_array(arena, size_t, claim->warps);
  sweep->arrived = wb_arena_array(arena, size_t, claim->blocks);
  sweep->issuing = wb_arena_array(arena, size_t, (size_t)makespan + 1);
  for (int type = 0; type < TYPES; type++) {
    struct ready_warps *ready = &sweep->ready[type];
    ready->warps = wb_arena_array(arena, size_t, sweep->partitions);
    ready->partitions = wb_arena_array(arena, size_t, sweep->partitions);
    ready->place = wb_arena_array(arena, size_t, sweep->partitions);
  }
  start_usage(sweep, &sweep->whole);
  start_usage(sweep, &sweep->before);
  return !arena->failed;
}

/* Checks capacities, issue slots, barriers and work conservation of a claim that is well-formed and
 * whose warps issue their strings in order, the last instruction in cycle `makespan`.
 * WARPBOUND_CHECK_FAILED: the message names the first violation by cycle, then warp. Linear in the
 * number of issue cycles plus makespan. WARPBOUND_INTERNAL: out of memory. */
static warpbound_status sweep_cycles(const struct wb_check_schedule_claim *claim, uint64_t makespan,
                                     warpbound_error *error)
{
  struct sweep sweep = {.claim = claim};
  warpbound_status status = start(&sweep, makespan) ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t w = 0; status == WARPBOUND_OK && w < claim->warps; w++) {
    make_ready(&sweep, w);
    enter_issue(&sweep, w);
  }
  for (uint64_t cycle = 1; status == WARPBOUND_OK && cycle <= makespan; cycle++) {
    assert(all_sound(&sweep));
    if (issues_are_right(&sweep, cycle) && none_idles_wrongly(&sweep)) {
      advance(&sweep, cycle);
    } else {
      /* Names the first warp that breaks a rule in a cycle in which some warp does. */
      for (int type = 0; type < TYPES; type++)
        memset(sweep.whole.type[type], 0, sweep.partitions * sizeof *sweep.whole.type[type]);
      memset(sweep.whole.total, 0, sweep.partitions * sizeof *sweep.whole.total);
      for (size_t next = sweep.issuing[cycle]; next != 0; next = sweep.next_issuing[next - 1]) {
        size_t partition = partition_of(&sweep, next - 1);
        ++*used_units(&sweep, &sweep.whole, next_type(&sweep, next - 1), partition);
        sweep.whole.total[partition]++;
      }
      status = WARPBOUND_OK;
      for (size_t w = 0; status == WARPBOUND_OK && w < sweep.claim->warps; w++)
        status = judge_warp(&sweep, cycle, w, error);
      assert(status != WARPBOUND_OK);
    }
  }
  wb_arena_free(&sweep.arena);
  return status;
}

/* "string 2, instruction 5"; without the string where there is one only. */
static void name_instruction(const struct wb_check_schedule_claim *claim, size_t s, size_t i,
                             char *name, size_t size)
{
  int used = claim->string_count > 1 ? snprintf(name, size, "string %zu, ", s + 1) : 0;
  snprintf(name + used, size - (size_t)used, "instruction %zu", i + 1);
}

static warpbound_status refuse_claim(const struct wb_check_schedule_claim *claim,
                                     warpbound_error *error)
{
  if (claim->string_count == 0 || claim->warps == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one string and one warp");
  if (claim->partitions == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one partition");
  if (claim->blocks == 0 || claim->warps % claim->blocks != 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "blocks: expected a number that divides the %zu warps, found %zu", claim->warps,
                   claim->blocks);
  size_t of_first = 0;
  for (size_t s = 0; s < claim->string_count; s++) {
    const struct wb_check_schedule_string *string = &claim->strings[s];
    size_t barriers = 0;
    if (string->length == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one instruction");
    char name[64];
    for (size_t i = 0; i < string->length; i++) {
      char letter = string->letters[i];
      const char *found = letter != '\0' ? strchr(type_letters, letter) : NULL;
      if (found == NULL) {
        name_instruction(claim, s, i, name, sizeof name);
        return wb_fail(error, WARPBOUND_INVALID_INPUT, "%s: expected one of L, C, S, D, T, N, B",
                       name);
      }
      size_t type = (size_t)(found - type_letters);
      if (type < UNIT_TYPES && claim->capacity[type] == 0) {
        name_instruction(claim, s, i, name, sizeof name);
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "%s is of type %c, for which no units are given", name, letter);
      }
      barriers += letter == 'B';
    }
    if (s == 0)
      of_first = barriers;
    if (barriers != of_first)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "expected as many barriers in all strings, found %zu in string 1 and %zu in "
                     "string %zu",
                     of_first, barriers, s + 1);
  }
  for (size_t w = 0; claim->string_of != NULL && w < claim->warps; w++) {
    if (claim->string_of[w] >= claim->string_count)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "warp %zu: expected one of the %zu strings, found string %" PRIu64, w + 1,
                     claim->string_count, (uint64_t)claim->string_of[w] + 1);
  }
  return wb_check_fair_blocks(claim, error);
}

static warpbound_status check_order(const struct wb_check_schedule_claim *claim, size_t w,
                                    uint64_t longest, warpbound_error *error)
{
  const uint32_t *cycles = claim->cycles[w];
  size_t length = wb_check_schedule_string_of(claim, w)->length;
  if (claim->counts[w] != length)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "warp %zu: the string has %zu instructions, the schedule %zu issue cycles",
                   w + 1, length, claim->counts[w]);
  for (size_t i = 0; i < length; i++) {
    if (cycles[i] < 1)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle 0, warp %zu: instruction %zu issues before the first cycle, 1", w + 1,
                     i + 1);
    if (i > 0 && cycles[i] <= cycles[i - 1])
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %u, warp %zu: instruction %zu does not come after instruction %zu "
                     "(cycle %u)",
                     cycles[i], w + 1, i + 1, i, cycles[i - 1]);
  }
  if (cycles[length - 1] <= longest)
    return WARPBOUND_OK;
  const struct wb_check_schedule_string *string = wb_check_schedule_string_of(claim, w);
  char instructions[64];
  if (claim->string_count > 1)
    snprintf(instructions, sizeof instructions, "%" PRIu64 " instructions in all", longest);
  else
    snprintf(instructions, sizeof instructions, "%zu instructions", string->length);
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "cycle %u, warp %zu: later than %" PRIu64
                 ", the cycle by which %zu warps of %s end if "
                 "none idles without need",
                 claim->cycles[w][string->length - 1], w + 1, longest, claim->warps, instructions);
}

warpbound_status wb_check_schedule(const struct wb_check_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error)
{
  warpbound_status status = refuse_claim(claim, error);
  if (status != WARPBOUND_OK)
    return status;
  /* The instructions of all warps. A schedule that keeps the rules is no longer, for up to its last
   * cycle some warp issues in each. Let warps be unfinished in a cycle in which none issues: then
   * all units and slots are free, so each of them waits at a barrier. Take one that has done the
   * fewest B, k of them. As it waits, some warp of its block has done fewer than k; that one is
   * unfinished, as all strings have as many B. But it has done fewer than the fewest. */
  uint64_t longest = 0;
  for (size_t w = 0; w < claim->warps; w++) {
    uint64_t length = wb_check_schedule_string_of(claim, w)->length;
    longest = length <= UINT64_MAX - longest ? longest + length : UINT64_MAX;
  }
  uint64_t last = 0;
  for (size_t w = 0; w < claim->warps; w++) {
    status = check_order(claim, w, longest, error);
    if (status != WARPBOUND_OK)
      return status;
    uint64_t end = claim->cycles[w][claim->counts[w] - 1];
    last = end > last ? end : last;
  }
  status = sweep_cycles(claim, last, error);
  if (status == WARPBOUND_OK)
    status = wb_check_fairness(claim, last, error);
  if (status == WARPBOUND_OK)
    *makespan = last;
  return status;
}
