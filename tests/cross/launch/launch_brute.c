#include "launch_brute.h"

#include "launch_code.h"
#include "launch_moment.h"
#include "launch_placing.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the stack that the calls of a run, one for each moment, may take. */
#define STACK_LIMIT ((intptr_t)6 << 20)

static uint32_t longest(struct launch_brute *brute, const struct moment *state);

/* ---- who goes on in a cycle ---- */

/* A request that waits, by the instruction that made it. */
struct item {
  bool left; /* of a block that has left */
  uint8_t warp, index;
  bool behind; /* at the stage behind, to which each request goes on by itself */
};

struct choice {
  struct moment state;
  struct load load;
  uint8_t ready[WARP_LIMIT]; /* warps that could issue */
  uint32_t ready_count;
  bool issued[WARP_LIMIT];
  struct item requests[ITEM_LIMIT];
  uint32_t request_count;
  uint32_t best;
  size_t leaves;
};

static struct under_way *item_of(struct moment *state, struct item item)
{
  return item.left ? &state->left[item.index] : &state->warps[item.warp].under_way[item.index];
}

/* Whether a request waits, of its stage or (behind) of the one behind. */
static bool waits_for_server(const struct launch_brute *brute, const struct under_way *one,
                             bool behind)
{
  if (moment_stages_over(brute, one) || one->delay > 0 || (behind && !moment_goes_on(brute, one)))
    return false;
  for (uint32_t r = 0; r < moment_stage(brute, one)->requests; r++) {
    if ((behind ? one->behind[r] : one->request[r]) == WAITING)
      return true;
  }
  return false;
}

static const struct wb_request_stage *stage_of(const struct launch_brute *brute,
                                               const struct under_way *one, struct item item)
{
  return moment_stage(brute, one) + item.behind;
}

static void add_item(struct launch_brute *brute, struct choice *choice, struct item item)
{
  if (choice->request_count == ITEM_LIMIT)
    brute->failed = true;
  else
    choice->requests[choice->request_count++] = item;
}

/* What of an instruction waits. */
static void add_items(struct launch_brute *brute, struct choice *choice, struct item item)
{
  const struct under_way *one = item_of(&choice->state, item);
  for (int behind = 0; behind < 2; behind++) {
    item.behind = behind;
    if (waits_for_server(brute, one, behind))
      add_item(brute, choice, item);
  }
}

static void find_ready(struct launch_brute *brute, struct choice *choice)
{
  struct moment *state = &choice->state;
  bool ready[WARP_LIMIT];
  choice->ready_count = choice->request_count = 0;
  for (uint32_t w = 0; w < brute->warp_count; w++)
    ready[w] = moment_is_ready(brute, &state->warps[w]);
  code_settle(brute, state, ready);
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    if (moment_is_ready(brute, &state->warps[w]) && code_is_there(brute, state, w))
      choice->ready[choice->ready_count++] = (uint8_t)w;
    for (uint32_t i = 0; state->warps[w].path != FREE && i < state->warps[w].count; i++)
      add_items(brute, choice, (struct item){false, (uint8_t)w, (uint8_t)i, false});
  }
  for (uint32_t i = 0; i < state->left_count; i++)
    add_items(brute, choice, (struct item){true, 0, (uint8_t)i, false});
}

/* Whether all servers of some resource that requests use serve: of the warp's partition, its SM or
 * the GPU; but for the one with queues that are never full. */
static bool any_full(const struct launch_brute *brute, const struct load *load, uint32_t sm,
                     uint32_t partition, bool of_gpu_alone)
{
  for (uint8_t r = 0; r < brute->launch->code.resource_count; r++) {
    const struct wb_resource *resource = &brute->launch->code.resources[r];
    if (r != brute->memory && !resource->at_issue &&
        (!of_gpu_alone || resource->level == WB_LEVEL_GPU) &&
        load->kept[r][moment_place(brute, r, sm, partition)] == 0 &&
        moment_is_full(brute, load, r, sm, partition))
      return true;
  }
  return false;
}

static const struct wb_timed_instruction *next_of(const struct launch_brute *brute,
                                                  const struct warp *warp)
{
  return moment_instruction(brute, brute->launch->paths[warp->path].step[warp->position]);
}

/* Whether something that the warp's next instruction takes at issue is full. */
static bool needs_full(const struct launch_brute *brute, const struct choice *choice, uint32_t w)
{
  const struct warp *warp = &choice->state.warps[w];
  const struct wb_timed_instruction *next = next_of(brute, warp);
  for (uint32_t u = 0; u < next->use_count; u++) {
    if (moment_is_full(brute, &choice->load, brute->launch->code.uses[next->first_use + u].resource,
                       moment_sm(brute, w), warp->partition))
      return true;
  }
  return false;
}

static uint32_t partition_of(const struct choice *choice, struct item item)
{
  return item.left ? 0 : choice->state.warps[item.warp].partition;
}

/* Condition (W), for whatever could go on and does not. *free_will: something waits that the
 * resources that it needs would let go on. */
static bool conserves_work(const struct launch_brute *brute, struct choice *choice, bool *free_will)
{
  const bool full_queues = brute->launch->full_queues;
  *free_will = false;
  for (uint32_t k = 0; k < choice->ready_count; k++) {
    const uint32_t w = choice->ready[k];
    if (choice->issued[k] || needs_full(brute, choice, w))
      continue;
    *free_will = true;
    if (!full_queues || !any_full(brute, &choice->load, moment_sm(brute, w),
                                  choice->state.warps[w].partition, false))
      return false;
  }
  for (uint32_t k = 0; k < choice->request_count; k++) {
    const struct item item = choice->requests[k];
    const struct under_way *one = item_of(&choice->state, item);
    if (!waits_for_server(brute, one, item.behind))
      continue;
    const uint8_t resource = stage_of(brute, one, item)->resource;
    if (moment_is_full(brute, &choice->load, resource, moment_sm(brute, item.warp),
                       partition_of(choice, item)))
      continue;
    *free_will = true;
    if (!full_queues || resource == brute->memory ||
        !any_full(brute, &choice->load, moment_sm(brute, item.warp), partition_of(choice, item),
                  item.left))
      return false;
  }
  return true;
}

static bool has_foreign(const struct launch_brute *brute)
{
  return brute->launch->shape.foreign_share > 0 || brute->launch->shape.foreign_burst > 0;
}

/* The same of fetches. */
static bool fetches_conserve_work(const struct launch_brute *brute, const struct choice *choice,
                                  bool *free_will)
{
  for (uint32_t f = 0; f < brute->fetch_slots; f++) {
    if (!moment_fetch_waits(&choice->state.fetches[f]) ||
        moment_is_full(brute, &choice->load, brute->launch->memory, 0, 0))
      continue;
    *free_will = true;
    if (!brute->launch->full_queues || !any_full(brute, &choice->load, 0, 0, true))
      return false;
  }
  return true;
}

/* The same of lines of code: only resources of the SM, or the GPU's alone, may keep them back. */
static bool code_conserves_work(const struct launch_brute *brute, const struct choice *choice,
                                bool *free_will)
{
  for (uint32_t k = 0; k < brute->code_slots; k++) {
    const uint32_t s = brute->code_slot[k];
    if (!code_waits(&choice->state, s) ||
        moment_is_full(brute, &choice->load, code_resource(brute, s), code_sm(brute, s), 0))
      continue;
    *free_will = true;
    if (!brute->launch->full_queues || !any_full(brute, &choice->load, 0, 0, true))
      return false;
  }
  return true;
}

static void finish_cycle(struct launch_brute *brute, struct choice *choice)
{
  bool free_will;
  if (!conserves_work(brute, choice, &free_will) ||
      !fetches_conserve_work(brute, choice, &free_will) ||
      !code_conserves_work(brute, choice, &free_will))
    return;
  const uint32_t to_event = has_foreign(brute) ? 1 : moment_cycles_to_event(brute, &choice->state);
  if (to_event == UINT32_MAX) { /* a deadlock, which the model does not allow */
    brute->failed = true;
    return;
  }
  const uint32_t cycles = free_will ? 1 : to_event;
  struct moment next;
  moment_copy(brute, &choice->state, &next);
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    struct warp *warp = &next.warps[w];
    if (warp->path == FREE)
      continue;
    moment_lower(&warp->stall, cycles);
    warp->count = moment_advance(brute, warp->under_way, warp->count, cycles);
  }
  next.left_count = moment_advance(brute, next.left, next.left_count, cycles);
  moment_advance_fetches(brute, &next, cycles);
  if (next.dispatching > 0)
    next.dispatching = (uint8_t)(next.dispatching - cycles);
  if (choice->state.dispatching > 0 && next.dispatching == 0)
    next.dispatching = WAITING; /* the block starts now */
  const uint32_t time = cycles + longest(brute, &next);
  choice->leaves++;
  if (time > choice->best)
    choice->best = time;
}

/* Lines of code from number k on: each gets a server or not. */
static void choose_code(struct launch_brute *brute, struct choice *choice, uint32_t k)
{
  while (k < brute->code_slots && !code_waits(&choice->state, brute->code_slot[k]))
    k++;
  if (k == brute->code_slots) {
    finish_cycle(brute, choice);
    return;
  }
  if (brute->failed || ++brute->steps > brute->state_limit * 50) {
    brute->failed = true;
    return;
  }
  const uint32_t s = brute->code_slot[k];
  const uint8_t resource = code_resource(brute, s);
  uint8_t *busy = &choice->load.busy[resource][moment_place(brute, resource, code_sm(brute, s), 0)];
  const struct fetch before = choice->state.code[s];
  choose_code(brute, choice, k + 1);
  if (moment_is_full(brute, &choice->load, resource, code_sm(brute, s), 0))
    return;
  (*busy)++;
  code_serve(brute, &choice->state, s);
  choose_code(brute, choice, k + 1);
  choice->state.code[s] = before;
  (*busy)--;
}

/* Fetches number f and later, and write-backs: each gets a server or not. */
static void choose_fetches(struct launch_brute *brute, struct choice *choice, uint32_t f)
{
  while (f < brute->fetch_slots && !moment_fetch_waits(&choice->state.fetches[f]))
    f++;
  if (f == brute->fetch_slots) {
    choose_code(brute, choice, 0);
    return;
  }
  if (brute->failed || ++brute->steps > brute->state_limit * 50) {
    brute->failed = true;
    return;
  }
  struct fetch *fetch = &choice->state.fetches[f];
  choose_fetches(brute, choice, f + 1);
  if (moment_is_full(brute, &choice->load, brute->launch->memory, 0, 0))
    return;
  choice->load.busy[brute->launch->memory][0]++;
  fetch->service = brute->fetch_service;
  choose_fetches(brute, choice, f + 1);
  fetch->service = WAITING;
  choice->load.busy[brute->launch->memory][0]--;
}

/* Requests number k and later: each gets a server or not. */
static void choose_requests(struct launch_brute *brute, struct choice *choice, uint32_t k)
{
  if (brute->failed || ++brute->steps > brute->state_limit * 50) {
    brute->failed = true;
    return;
  }
  if (k == choice->request_count) {
    choose_fetches(brute, choice, 0);
    return;
  }
  const struct item item = choice->requests[k];
  struct under_way *one = item_of(&choice->state, item);
  const struct under_way before = *one;
  const struct wb_request_stage *stage = stage_of(brute, one, item);
  uint8_t *busy = &choice->load.busy[stage->resource][moment_place(
      brute, stage->resource, moment_sm(brute, item.warp), partition_of(choice, item))];
  const struct wb_request_stage *kept = moment_kept(brute, one);
  uint8_t *kept_busy = NULL, *kept_idle = NULL;
  uint8_t served = 0;
  choose_requests(brute, choice, k + 1);
  for (uint32_t r = 0; r < stage->requests; r++) {
    uint8_t *request = item.behind ? &one->behind[r] : &one->request[r];
    if (*request != WAITING)
      continue;
    if (*busy >= brute->launch->code.resources[stage->resource].servers)
      break;
    *request = (uint8_t)stage->service;
    (*busy)++;
    served++;
    if (kept != NULL && moment_kept(brute, one) == NULL) { /* the last of them has its server */
      const uint32_t place = moment_place(brute, kept->resource, moment_sm(brute, item.warp),
                                          partition_of(choice, item));
      kept_busy = &choice->load.busy[kept->resource][place];
      kept_idle = &choice->load.kept[kept->resource][place];
      (*kept_busy)--;
      (*kept_idle)--;
      kept = NULL;
    }
    choose_requests(brute, choice, k + 1);
  }
  *one = before;
  *busy = (uint8_t)(*busy - served);
  if (kept_busy != NULL) {
    (*kept_busy)++;
    (*kept_idle)++;
  }
}

/* Requests at resources of greater numbers come first: they let servers of lesser ones go, which
 * others may then have in the same cycle. */
static void order_and_choose(struct launch_brute *brute, struct choice *choice)
{
  struct item before[ITEM_LIMIT];
  const uint32_t count = choice->request_count;
  uint32_t sorted = 0;
  memcpy(before, choice->requests, count * sizeof *before);
  for (uint8_t r = (uint8_t)brute->launch->code.resource_count; r-- > 0;) {
    for (uint32_t k = 0; k < count; k++) {
      if (stage_of(brute, item_of(&choice->state, before[k]), before[k])->resource == r)
        choice->requests[sorted++] = before[k];
    }
  }
  choose_requests(brute, choice, 0);
  memcpy(choice->requests, before, count * sizeof *before);
}

/* Others take so many of the free servers in this cycle as they may, or fewer. */
static void choose_foreign(struct launch_brute *brute, struct choice *choice)
{
  const uint8_t resource = brute->launch->foreign;
  const uint32_t servers = brute->launch->code.resources[resource].servers;
  uint8_t *busy = &choice->load.busy[resource][0];
  const uint8_t before = *busy;
  const uint16_t credit = choice->state.credit;
  const uint32_t cycle = WB_FOREIGN_WHOLE / TINY_SHARE;
  order_and_choose(brute, choice);
  for (uint32_t k = 1; has_foreign(brute) && before + k <= servers && k * cycle <= credit; k++) {
    *busy = (uint8_t)(before + k);
    choice->state.credit = (uint16_t)(credit - k * cycle);
    order_and_choose(brute, choice);
  }
  *busy = before;
  choice->state.credit = credit;
}

/* What an instruction takes at issue is held, or no longer (by: 1 or -1). */
static void add_uses(const struct launch_brute *brute, struct choice *choice,
                     const struct wb_timed_instruction *one, uint32_t w, int by)
{
  const uint32_t partition = choice->state.warps[w].partition;
  for (uint32_t u = 0; u < one->use_count; u++) {
    const uint8_t resource = brute->launch->code.uses[one->first_use + u].resource;
    uint8_t *busy =
        &choice->load.busy[resource][moment_place(brute, resource, moment_sm(brute, w), partition)];
    *busy = (uint8_t)(*busy + by);
  }
}

/* Issues a warp's next instruction. */
static void issue(struct launch_brute *brute, struct choice *choice, uint32_t w)
{
  struct warp *warp = &choice->state.warps[w];
  const struct wb_timed_instruction *next = next_of(brute, warp);
  if (warp->count == UNDER_WAY) {
    brute->failed = true;
    return;
  }
  code_issue(brute, &choice->state, w);
  struct under_way *one = &warp->under_way[warp->count++];
  *one = moment_issue(brute, brute->launch->paths[warp->path].step[warp->position]);
  moment_settle_one(brute, &choice->state, one);
  code_settle_access(brute, &choice->state, w, one);
  warp->position++;
  warp->stall = (uint8_t)next->stall;
  const struct tiny_launch *launch = brute->launch;
  const uint8_t step = launch->paths[warp->path].step[warp->position - 1];
  warp->at_barrier = next->barrier && !(launch->groups && launch->arrives[step]);
  add_uses(brute, choice, next, w, 1);
  if (waits_for_server(brute, one, false))
    add_item(brute, choice, (struct item){false, (uint8_t)w, (uint8_t)(warp->count - 1), false});
}

/* Whether two warps of a block, or of blocks of one warp on an SM, differ in nothing: a schedule of
 * the one is one of the other. */
static bool are_alike(const struct launch_brute *brute, const struct moment *state, uint32_t v,
                      uint32_t w)
{
  const uint32_t group = brute->block_warps > 1 ? brute->block_warps : brute->places;
  const struct warp *one = &state->warps[v];
  const struct warp *other = &state->warps[w];
  const size_t bytes = offsetof(struct warp, under_way) + one->count * sizeof *one->under_way;
  if (v / group != w / group || one->count != other->count || memcmp(one, other, bytes) != 0)
    return false;
  const uint32_t sm = moment_sm(brute, v);
  return code_key_of_warp(brute, state, v) == code_key_of_warp(brute, state, w) &&
         (brute->block_warps > 1 || code_key_of_place(brute, state, sm, v % brute->places) ==
                                        code_key_of_place(brute, state, sm, w % brute->places));
}

/* Whether the warp may be left to wait, though one that is like it and comes before it does so.
 * Then schedules in which it issues are those in which that one does. */
static bool follows_alike(const struct launch_brute *brute, const struct choice *choice, uint32_t k)
{
  bool follows = false;
  for (uint32_t j = 0; j < k && !follows; j++)
    follows =
        !choice->issued[j] && are_alike(brute, &choice->state, choice->ready[j], choice->ready[k]);
  return follows;
}

/* Without full queues a warp waits for nothing but what it takes at issue. */
static bool issues_conserve_work(const struct launch_brute *brute, const struct choice *choice)
{
  bool conserve = true;
  for (uint32_t k = 0; k < choice->ready_count && !brute->launch->full_queues && conserve; k++)
    conserve = choice->issued[k] || needs_full(brute, choice, choice->ready[k]);
  return conserve;
}

/* Warps number k and later that could issue: each does or does not. */
static void choose_issues(struct launch_brute *brute, struct choice *choice, uint32_t k)
{
  if (brute->failed || ++brute->steps > brute->state_limit * 50) {
    brute->failed = true;
    return;
  }
  if (k == choice->ready_count) {
    if (issues_conserve_work(brute, choice))
      choose_foreign(brute, choice);
    return;
  }
  const uint32_t w = choice->ready[k];
  choice->issued[k] = false;
  choose_issues(brute, choice, k + 1);
  if (needs_full(brute, choice, w) || follows_alike(brute, choice, k))
    return;
  const struct warp warp = choice->state.warps[w];
  const struct wb_timed_instruction *next = next_of(brute, &warp);
  struct fetch fetches[FETCH_LIMIT];
  struct fetch code[CODE_SLOTS];
  uint8_t found[sizeof choice->state.found];
  uint16_t begun[sizeof choice->state.begun / sizeof *choice->state.begun];
  const size_t code_bytes = brute->code_slots > 0 ? sizeof code : 0;
  const bool finds = brute->launch->first.lines > 0;
  memcpy(fetches, choice->state.fetches, brute->fetch_slots * sizeof *fetches);
  memcpy(code, choice->state.code, code_bytes);
  memcpy(found, choice->state.found, finds ? sizeof found : 0);
  memcpy(begun, choice->state.begun, finds ? sizeof begun : 0);
  const uint32_t requests = choice->request_count;
  choice->issued[k] = true;
  issue(brute, choice, w);
  choose_issues(brute, choice, k + 1);
  choice->state.warps[w] = warp;
  add_uses(brute, choice, next, w, -1);
  memcpy(choice->state.fetches, fetches, brute->fetch_slots * sizeof *fetches);
  memcpy(choice->state.code, code, code_bytes);
  memcpy(choice->state.found, found, finds ? sizeof found : 0);
  memcpy(choice->state.begun, begun, finds ? sizeof begun : 0);
  choice->request_count = requests;
  choice->issued[k] = false;
}

/* All blocks have come and left. Else warps wait for ever, which the model does not allow. */
static bool has_finished(const struct launch_brute *brute, const struct moment *state)
{
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    if (state->warps[w].path != FREE)
      return false;
  }
  return state->waiting == 0;
}

/* The longest time from a state in which blocks have been placed. */
uint32_t placing_cycle(struct launch_brute *brute, const struct moment *state, uint64_t key)
{
  struct choice choice;
  moment_copy(brute, state, &choice.state);
  choice.best = 0;
  choice.leaves = 0;
  choice.state.credit = (uint16_t)(choice.state.credit + brute->credit);
  find_ready(brute, &choice);
  bool any = choice.ready_count + choice.request_count > 0;
  /* What is written back when all has ended is no part of the launch. */
  if (!any && state->left_count == 0 && state->dispatching == 0 && has_finished(brute, state))
    return 0;
  for (uint32_t f = 0; f < brute->fetch_slots; f++)
    any = any || moment_fetch_waits(&state->fetches[f]);
  for (uint32_t c = 0; c < brute->code_slots; c++)
    any = any || code_waits(&choice.state, brute->code_slot[c]);
  if (!any && moment_cycles_to_event(brute, &choice.state) == UINT32_MAX) {
    brute->failed = brute->failed || !has_finished(brute, state);
    return 0;
  }
  const size_t used = brute->launch->code.resource_count;
  memset(choice.load.busy, 0, used * sizeof *choice.load.busy);
  memset(choice.load.kept, 0, used * sizeof *choice.load.kept);
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    const struct warp *warp = &state->warps[w];
    for (uint32_t i = 0; warp->path != FREE && i < warp->count; i++)
      moment_add_load(brute, &warp->under_way[i], moment_sm(brute, w), warp->partition,
                      &choice.load);
  }
  for (uint32_t i = 0; i < state->left_count; i++)
    moment_add_load(brute, &state->left[i], 0, 0, &choice.load);
  for (uint32_t f = 0; f < brute->fetch_slots; f++) {
    const struct fetch *fetch = &state->fetches[f];
    if (fetch->delay == 0 && fetch->service != 0 && fetch->service != WAITING)
      choice.load.busy[brute->launch->memory][0]++;
  }
  code_add_load(brute, &choice.state, &choice.load);
  choose_issues(brute, &choice, 0);
  if (choice.leaves > 1)
    moment_keep(brute, key, choice.best);
  return choice.best;
}

/* The longest time from a state at the begin of a cycle. */
static uint32_t longest_settled(struct launch_brute *brute, const struct moment *state)
{
  struct moment settled;
  moment_copy(brute, state, &settled);
  if (brute->launch->code.kept.count > 0)
    moment_settle_fetches(brute, &settled);
  /* Barriers that let go, and blocks that leave. */
  for (uint32_t b = 0; b < brute->sms * brute->places; b++) {
    struct warp *block = &settled.warps[b * brute->block_warps];
    if (block->path == FREE)
      continue;
    moment_release_barrier(brute, block);
    if (moment_can_leave(brute, block))
      moment_leave(brute, &settled, block);
  }
  if (settled.dispatching != WAITING)
    return placing_longest(brute, &settled);
  settled.dispatching = 0;
  return placing_start(brute, &settled, settled.dispatch_sm);
}

/* A run of more moments would need more stack than there is. */
static uint32_t longest(struct launch_brute *brute, const struct moment *state)
{
  const char here = 0;
  brute->failed = brute->failed || (intptr_t)(brute->stack - (uintptr_t)&here) > STACK_LIMIT;
  return brute->failed ? 0 : longest_settled(brute, state);
}

/* ---- the interface ---- */

struct launch_brute *launch_brute_start(size_t state_limit)
{
  struct launch_brute *brute = calloc(1, sizeof *brute);
  if (brute == NULL)
    return NULL;
  brute->state_limit = state_limit;
  brute->table_size = 1;
  while (brute->table_size < 2 * state_limit)
    brute->table_size *= 2;
  brute->table = calloc(brute->table_size, sizeof *brute->table);
  brute->used = calloc(state_limit, sizeof *brute->used);
  if (brute->table == NULL || brute->used == NULL) {
    launch_brute_free(brute);
    return NULL;
  }
  return brute;
}

static bool fits(const struct launch_brute *brute, const struct tiny_launch *launch)
{
  const struct wb_timed_code *code = &launch->code;
  bool fits = brute->sms <= SM_LIMIT && brute->places <= (brute->block_warps == 1 ? 4 : 3) &&
              brute->partitions <= 4 && brute->warp_count <= WARP_LIMIT &&
              launch->shape.blocks < WAITING && launch->shape.dispatch < WAITING &&
              launch->shape.block_start < WAITING &&
              code->instruction_count <= sizeof brute->longest_hold / sizeof(uint32_t);
  fits = fits && launch->shape.foreign_share % TINY_SHARE == 0;
  fits = fits && (launch->first.lines == 0 || brute->sms <= FIRST_SMS);
  fits = fits && (brute->code_slots == 0 ||
                  brute->sms * brute->partitions * TINY_CODE_LINES <= CODE_NEAR_SLOTS);
  for (size_t i = 0; fits && i < code->instruction_count; i++)
    fits = code->instructions[i].stall < WAITING && code->instructions[i].latency < WAITING &&
           code->instructions[i].read_latency < WAITING;
  for (size_t s = 0; fits && s < code->stage_count; s++)
    fits = code->stages[s].delay < WAITING && code->stages[s].service < WAITING &&
           code->stages[s].requests <= REQUEST_LIMIT;
  for (size_t u = 0; fits && u < code->use_count; u++)
    fits = code->uses[u].service < WAITING;
  return fits;
}

/* The two resources of the GPU that have places, if any have. */
static void find_pair(struct launch_brute *brute)
{
  const struct wb_timed_code *code = &brute->launch->code;
  brute->front = brute->memory = WB_RESOURCE_LIMIT;
  for (uint8_t r = 0; r < code->resource_count; r++) {
    if (code->resources[r].level != WB_LEVEL_GPU || code->resources[r].place == 0)
      continue;
    if (brute->memory == WB_RESOURCE_LIMIT ||
        code->resources[r].place > code->resources[brute->memory].place) {
      brute->front = brute->memory;
      brute->memory = r;
    } else {
      brute->front = r;
    }
  }
}

/* Of warps on any paths that the launch has. */
static bool find_worst(struct launch_brute *brute, const struct tiny_launch *launch,
                       uint32_t *cycles)
{
  const char stack = 0;
  for (size_t i = 0; i < brute->state_count; i++)
    brute->table[brute->used[i]] = (struct entry){0, 0};
  brute->state_count = 0;
  brute->steps = 0;
  brute->stack = (uintptr_t)&stack;
  brute->failed = false;
  const struct wb_launch_shape *shape = &launch->shape;
  brute->launch = launch;
  find_pair(brute);
  brute->sms = shape->sms;
  brute->partitions = shape->partitions;
  brute->block_warps = shape->block_warps;
  brute->fetch_slots = launch->code.kept.count > 0 ? FETCH_LIMIT : 0;
  brute->places = shape->resident_blocks;
  if (brute->places > shape->blocks)
    brute->places = (uint32_t)shape->blocks;
  brute->warp_count = brute->sms * brute->places * brute->block_warps;
  if (!fits(brute, launch))
    return false;
  code_find_slots(brute);
  for (size_t i = 0; i < launch->code.instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &launch->code.instructions[i];
    brute->longest_hold[i] = 0;
    for (uint32_t u = 0; u < instruction->use_count; u++) {
      const uint32_t service = launch->code.uses[instruction->first_use + u].service;
      if (service > brute->longest_hold[i])
        brute->longest_hold[i] = service;
    }
  }
  for (size_t p = 0; p < launch->path_count; p++) {
    brute->barriers[p] = 0;
    brute->kinds[p] = 1;
    for (uint32_t i = 0; i < launch->paths[p].length; i++) {
      const uint8_t step = launch->paths[p].step[i];
      const bool of_group = launch->groups && launch->of_group[step];
      if (!launch->code.instructions[step].barrier)
        continue;
      brute->barriers[p] += !of_group;
      brute->kinds[p] = 2 * brute->kinds[p] + of_group;
    }
  }
  const uint32_t servers = launch->code.resources[launch->foreign].servers;
  brute->credit = servers * (shape->foreign_share / TINY_SHARE);
  struct moment start = {
      .waiting = (uint8_t)shape->blocks,
      .credit = (uint16_t)(servers * shape->foreign_burst * (WB_FOREIGN_WHOLE / TINY_SHARE))};
  moment_start_fetches(brute, &start);
  code_start(brute, &start); /* all of them */
  for (size_t s = 0; s < launch->code.stage_count; s++) {
    if (launch->code.stages[s].buffer > 0)
      brute->fetch_service = (uint8_t)launch->code.stages[s].service;
  }
  if (launch->first.in_l2)
    brute->fetch_service = launch->first.stages[launch->first.stage_count - 1].service;
  for (uint32_t w = 0; w < brute->warp_count; w++)
    start.warps[w] = (struct warp){.path = FREE};
  *cycles = longest(brute, &start);
  return !brute->failed;
}

size_t launch_brute_states(const struct launch_brute *brute)
{
  return brute->state_count;
}

void launch_brute_free(struct launch_brute *brute)
{
  if (brute == NULL)
    return;
  free(brute->table);
  free(brute->used);
  free(brute);
}

bool launch_brute_worst(struct launch_brute *brute, const struct tiny_launch *launch,
                        uint32_t *cycles)
{
  if (!launch->launch_path)
    return find_worst(brute, launch, cycles);
  *cycles = 0;
  for (size_t p = 0; p < launch->path_count; p++) {
    struct tiny_launch one = *launch;
    uint32_t worst;
    one.paths[0] = launch->paths[p];
    one.path_count = 1;
    if (!find_worst(brute, &one, &worst))
      return false;
    *cycles = worst > *cycles ? worst : *cycles;
  }
  return true;
}
