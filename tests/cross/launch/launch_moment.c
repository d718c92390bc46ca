#include "launch_moment.h"

#include "launch_code.h"

#include <string.h>

void moment_copy(const struct launch_brute *brute, const struct moment *from, struct moment *to)
{
  memcpy(to, from, offsetof(struct moment, warps) + brute->warp_count * sizeof from->warps[0]);
  if (brute->code_slots > 0)
    memcpy(to->code, from->code, sizeof to->code);
}

/* ---- the launch ---- */

const struct wb_timed_instruction *moment_instruction(const struct launch_brute *brute,
                                                      uint8_t instruction)
{
  return &brute->launch->code.instructions[instruction];
}

const struct wb_request_stage *moment_stage(const struct launch_brute *brute,
                                            const struct under_way *one)
{
  return &brute->launch->code
              .stages[moment_instruction(brute, one->instruction)->first_stage + one->stage];
}

const struct wb_request_stage *moment_kept(const struct launch_brute *brute,
                                           const struct under_way *one)
{
  if (moment_stages_over(brute, one) || one->stage == 0)
    return NULL;
  const struct wb_request_stage *stage = moment_stage(brute, one);
  const bool keeps = brute->launch->keeps[stage - 1 - brute->launch->code.stages];
  for (uint32_t r = 0; keeps && r < stage->requests; r++) {
    if (one->request[r] == WAITING)
      return stage - 1;
  }
  return NULL;
}

bool moment_goes_on(const struct launch_brute *brute, const struct under_way *one)
{
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  if (brute->memory == WB_RESOURCE_LIMIT || one->stage + 1u >= instruction->stage_count)
    return false;
  const struct wb_request_stage *stage = moment_stage(brute, one);
  return stage->resource == brute->front && stage[1].resource == brute->memory &&
         stage->requests == stage[1].requests;
}

bool moment_stages_over(const struct launch_brute *brute, const struct under_way *one)
{
  return one->stage == moment_instruction(brute, one->instruction)->stage_count;
}

static bool holds(const struct launch_brute *brute, const struct under_way *one)
{
  return one->held < brute->longest_hold[one->instruction];
}

static bool has_ended(const struct launch_brute *brute, const struct under_way *one)
{
  return !holds(brute, one) && one->latency == 0 && one->read == 0;
}

/* ---- warps ---- */

/* Instructions that set the scoreboard and have not released it. */
static uint32_t unreleased(const struct launch_brute *brute, const struct warp *warp,
                           uint32_t scoreboard)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp->count; i++) {
    const struct under_way *one = &warp->under_way[i];
    const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
    count += (instruction->write_scoreboard == scoreboard && one->latency != 0) ||
             (instruction->read_scoreboard == scoreboard && one->read != 0);
  }
  return count;
}

bool moment_is_ready(const struct launch_brute *brute, const struct warp *warp)
{
  const struct tiny_path *path = warp->path == FREE ? NULL : &brute->launch->paths[warp->path];
  if (path == NULL || warp->position == path->length || warp->stall > 0 || warp->at_barrier)
    return false;
  const struct wb_timed_instruction *next = moment_instruction(brute, path->step[warp->position]);
  for (uint32_t s = 0; s < WB_SCOREBOARD_COUNT; s++) {
    const uint32_t most = (next->wait_mask >> s & 1) != 0 ? 0
                          : next->counted_scoreboard == s ? next->counted_left
                                                          : UINT32_MAX;
    if (most != UINT32_MAX && unreleased(brute, warp, s) > most)
      return false;
  }
  return true;
}

/* ---- servers ---- */

uint32_t moment_place(const struct launch_brute *brute, uint8_t resource, uint32_t sm,
                      uint32_t partition)
{
  switch (brute->launch->code.resources[resource].level) {
  case WB_LEVEL_PARTITION:
    return sm * brute->partitions + partition;
  case WB_LEVEL_SM:
    return sm;
  default:
    return 0;
  }
}

bool moment_is_full(const struct launch_brute *brute, const struct load *load, uint8_t resource,
                    uint32_t sm, uint32_t partition)
{
  return load->busy[resource][moment_place(brute, resource, sm, partition)] >=
         brute->launch->code.resources[resource].servers;
}

void moment_add_load(const struct launch_brute *brute, const struct under_way *one, uint32_t sm,
                     uint32_t partition, struct load *load)
{
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  for (uint32_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &brute->launch->code.uses[instruction->first_use + u];
    if (one->held < use->service)
      load->busy[use->resource][moment_place(brute, use->resource, sm, partition)]++;
  }
  if (moment_stages_over(brute, one))
    return;
  const struct wb_request_stage *stage = moment_stage(brute, one);
  const struct wb_request_stage *kept = moment_kept(brute, one);
  if (kept != NULL) {
    load->busy[kept->resource][moment_place(brute, kept->resource, sm, partition)]++;
    load->kept[kept->resource][moment_place(brute, kept->resource, sm, partition)]++;
  }
  for (uint32_t r = 0; r < stage->requests && stage->buffer == 0; r++) {
    if (one->request[r] != 0 && one->request[r] != WAITING)
      load->busy[stage->resource][moment_place(brute, stage->resource, sm, partition)]++;
  }
  for (uint32_t r = 0; r < stage->requests && moment_goes_on(brute, one); r++) {
    if (one->behind[r] != 0 && one->behind[r] < DELAYED)
      load->busy[brute->memory][0]++;
  }
}

uint32_t moment_sm(const struct launch_brute *brute, uint32_t warp)
{
  return warp / (brute->places * brute->block_warps);
}

/* ---- time ---- */

static void begin_stage(const struct launch_brute *brute, struct under_way *one)
{
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  if (one->stage == instruction->read_stages)
    one->read =
        instruction->read_scoreboard != WB_NO_SCOREBOARD ? (uint8_t)instruction->read_latency : 0;
  if (one->stage == instruction->stage_count) {
    one->latency = (uint8_t)instruction->latency;
    return;
  }
  const struct wb_request_stage *stage = moment_stage(brute, one);
  one->delay = stage->buffer > 0 ? 0 : (uint8_t)stage->delay;
  if (code_translates(brute, one) || code_loads(brute, one))
    one->delay = ARRIVING;
  for (uint32_t r = 0; r < stage->requests; r++) {
    one->request[r] = stage->buffer > 0 ? ARRIVING : WAITING;
    one->behind[r] = BEFORE;
  }
}

struct under_way moment_issue(const struct launch_brute *brute, uint8_t instruction)
{
  const bool reads = moment_instruction(brute, instruction)->read_scoreboard != WB_NO_SCOREBOARD;
  struct under_way one = {
      .instruction = instruction, .latency = WAITING, .read = reads ? WAITING : 0};
  begin_stage(brute, &one);
  return one;
}

void moment_lower(uint8_t *time, uint32_t cycles)
{
  if (*time < MISSED)
    *time = *time > cycles ? (uint8_t)(*time - cycles) : 0;
}

/* Requests of two stages, each of which goes on by itself. */
static void pass_both(const struct launch_brute *brute, struct under_way *one, uint32_t cycles)
{
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  const struct wb_request_stage *stage = moment_stage(brute, one);
  bool first_before = true, first = true, second = true;
  for (uint32_t r = 0; r < stage->requests; r++) {
    first_before = first_before && one->request[r] == 0;
    if (one->request[r] != 0) {
      moment_lower(&one->request[r], cycles);
      if (one->request[r] == 0)
        one->behind[r] = (uint8_t)(stage[1].delay > 0 ? DELAYED + stage[1].delay : WAITING);
    } else if (one->behind[r] < DELAYED) {
      moment_lower(&one->behind[r], cycles);
    } else if (one->behind[r] < BEFORE) {
      one->behind[r] = (uint8_t)(one->behind[r] - cycles);
      if (one->behind[r] <= DELAYED)
        one->behind[r] = WAITING;
    }
    first = first && one->request[r] == 0;
    second = second && one->behind[r] == 0;
  }
  if (first && !first_before && one->stage + 1 == instruction->read_stages &&
      instruction->read_scoreboard != WB_NO_SCOREBOARD)
    one->read = (uint8_t)instruction->read_latency;
  if (second) {
    one->stage = (uint8_t)(one->stage + 2);
    begin_stage(brute, one);
  }
}

static void pass_time(const struct launch_brute *brute, struct under_way *one, uint32_t cycles)
{
  if (holds(brute, one))
    one->held = (uint8_t)(one->held + cycles);
  moment_lower(&one->latency, cycles);
  moment_lower(&one->read, cycles);
  if (moment_stages_over(brute, one))
    return;
  if (one->delay > 0) {
    moment_lower(&one->delay, cycles);
    return;
  }
  if (moment_goes_on(brute, one)) {
    pass_both(brute, one, cycles);
    return;
  }
  bool served = true;
  const uint32_t requests = moment_stage(brute, one)->requests;
  for (uint32_t r = 0; r < requests; r++) {
    moment_lower(&one->request[r], cycles);
    served = served && one->request[r] == 0;
  }
  if (served) {
    one->stage++;
    begin_stage(brute, one);
  }
}

static void keep_least(uint32_t time, uint32_t *least)
{
  if (time != 0 && time < MISSED && time < *least)
    *least = time;
}

static void next_event(const struct launch_brute *brute, const struct under_way *one,
                       uint32_t *least)
{
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  for (uint32_t u = 0; u < instruction->use_count; u++) {
    const uint32_t service = brute->launch->code.uses[instruction->first_use + u].service;
    if (one->held < service)
      keep_least(service - one->held, least);
  }
  keep_least(one->latency, least);
  keep_least(one->read, least);
  if (moment_stages_over(brute, one))
    return;
  keep_least(one->delay, least);
  for (uint32_t r = 0; r < REQUEST_LIMIT; r++)
    keep_least(one->request[r], least);
  for (uint32_t r = 0; r < moment_stage(brute, one)->requests && moment_goes_on(brute, one); r++) {
    const uint8_t behind = one->behind[r];
    if (behind != BEFORE)
      keep_least(behind < DELAYED || behind == WAITING ? behind : (uint8_t)(behind - DELAYED),
                 least);
  }
}

uint32_t moment_cycles_to_event(const struct launch_brute *brute, const struct moment *state)
{
  uint32_t least = UINT32_MAX;
  keep_least(state->dispatching, &least);
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    const struct warp *warp = &state->warps[w];
    if (warp->path == FREE)
      continue;
    keep_least(warp->stall, &least);
    for (uint32_t i = 0; i < warp->count; i++)
      next_event(brute, &warp->under_way[i], &least);
  }
  for (uint32_t i = 0; i < state->left_count; i++)
    next_event(brute, &state->left[i], &least);
  for (uint32_t f = 0; f < brute->fetch_slots; f++) {
    keep_least(state->fetches[f].delay, &least);
    keep_least(state->fetches[f].service, &least);
  }
  for (uint32_t k = 0; k < brute->code_slots; k++) {
    const struct fetch *one = &state->code[brute->code_slot[k]];
    keep_least(one->delay, &least);
    if (one->delay == 0)
      keep_least(one->service, &least);
  }
  return least;
}

uint8_t moment_advance(const struct launch_brute *brute, struct under_way *all, uint8_t count,
                       uint32_t cycles)
{
  uint8_t kept = 0;
  for (uint8_t i = 0; i < count; i++) {
    pass_time(brute, &all[i], cycles);
    if (!has_ended(brute, &all[i]))
      all[kept++] = all[i];
  }
  return kept;
}

/* ---- data that L2 keeps ---- */

bool moment_fetch_waits(const struct fetch *fetch)
{
  return fetch->delay == 0 && fetch->service == WAITING;
}

static bool is_there(const struct fetch *fetch)
{
  return fetch->delay == 0 && fetch->service == 0;
}

void moment_start_fetches(const struct launch_brute *brute, struct moment *state)
{
  for (uint32_t f = 0; f < FETCH_LIMIT; f++) {
    const uint32_t line = f / LINE_FETCHES;
    const bool there =
        f % LINE_FETCHES < 4 && (brute->launch->resident >> (4 * line + f % LINE_FETCHES) & 1) != 0;
    state->fetches[f].delay = state->fetches[f].service = there ? 0 : WAITING;
  }
}

/* A request asks for a sector that is not there. */
static void ask(const struct launch_brute *brute, uint8_t delay, struct fetch *line,
                uint32_t sector)
{
  bool comes = true; /* nothing of the line is there, or under way */
  for (uint32_t s = 0; s < 4; s++)
    comes = comes && line[s].delay == WAITING;
  for (uint32_t s = 0; s < 4; s++) {
    if (line[s].delay == WAITING && (s == sector || brute->launch->whole_lines))
      line[s].delay = delay;
  }
  for (uint32_t v = 4; v < 4u + brute->launch->write_backs && comes; v++)
    line[v].delay = 0;
}

bool moment_sector_there(const struct launch_brute *brute, struct moment *state, uint32_t buffer,
                         uint8_t delay, uint32_t sector)
{
  struct fetch *line = &state->fetches[LINE_FETCHES * buffer];
  const bool there = is_there(&line[sector]);
  if (!there && line[sector].delay == WAITING)
    ask(brute, delay, line, sector);
  return there;
}

/* Whether all requests of the instruction, which is at kept data, have them. */
static bool settle_one(const struct launch_brute *brute, struct moment *state,
                       struct under_way *one)
{
  const struct wb_request_stage *stage = moment_stage(brute, one);
  struct fetch *line = &state->fetches[LINE_FETCHES * (stage->buffer - 1u)];
  bool over = true;
  for (uint32_t r = 0; r < stage->requests; r++) {
    const uint32_t sector = (brute->launch->sector[stage - brute->launch->code.stages] + r) % 4;
    if (one->request[r] == ARRIVING && is_there(&line[sector])) {
      one->request[r] = (uint8_t)stage->hit;
    } else if (one->request[r] == ARRIVING) {
      ask(brute, (uint8_t)stage->delay, line, sector);
      one->request[r] = MISSED;
    } else if (one->request[r] == MISSED && is_there(&line[sector])) {
      one->request[r] = 0;
    }
    over = over && one->request[r] == 0;
  }
  return over;
}

void moment_settle_one(const struct launch_brute *brute, struct moment *state,
                       struct under_way *one)
{
  while (!moment_stages_over(brute, one) && moment_stage(brute, one)->buffer > 0 &&
         settle_one(brute, state, one)) {
    one->stage++;
    begin_stage(brute, one);
  }
}

static uint8_t settle_all(const struct launch_brute *brute, struct moment *state,
                          struct under_way *all, uint8_t count)
{
  uint8_t kept = 0;
  for (uint8_t i = 0; i < count; i++) {
    moment_settle_one(brute, state, &all[i]);
    if (!has_ended(brute, &all[i]))
      all[kept++] = all[i];
  }
  return kept;
}

void moment_settle_fetches(const struct launch_brute *brute, struct moment *state)
{
  for (uint32_t w = 0; w < brute->warp_count; w++) {
    struct warp *warp = &state->warps[w];
    if (warp->path != FREE)
      warp->count = settle_all(brute, state, warp->under_way, warp->count);
  }
  state->left_count = settle_all(brute, state, state->left, state->left_count);
}

static void advance(struct fetch *fetch, uint32_t cycles)
{
  if (fetch->delay > 0)
    moment_lower(&fetch->delay, cycles);
  else
    moment_lower(&fetch->service, cycles);
}

void moment_advance_fetches(const struct launch_brute *brute, struct moment *state, uint32_t cycles)
{
  for (uint32_t f = 0; f < brute->fetch_slots; f++)
    advance(&state->fetches[f], cycles);
  for (uint32_t k = 0; k < brute->code_slots; k++)
    advance(&state->code[brute->code_slot[k]], cycles);
}

/* ---- blocks ---- */

struct warp *moment_block(const struct launch_brute *brute, struct moment *state, uint32_t sm,
                          uint32_t place)
{
  return &state->warps[(sm * brute->places + place) * brute->block_warps];
}

static bool is_over(const struct launch_brute *brute, const struct warp *warp)
{
  return warp->position == brute->launch->paths[warp->path].length && warp->stall == 0 &&
         !warp->at_barrier;
}

/* Whether the warp is at a barrier of its group, where there are such. */
static bool is_at_group(const struct launch_brute *brute, const struct warp *warp)
{
  const struct tiny_launch *launch = brute->launch;
  return launch->groups && warp->at_barrier &&
         launch->of_group[launch->paths[warp->path].step[warp->position - 1]];
}

/* How many barriers of its group the warp has come to. */
static uint32_t come_to(const struct launch_brute *brute, const struct warp *warp)
{
  const struct tiny_launch *launch = brute->launch;
  const struct tiny_path *path = &launch->paths[warp->path];
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp->position; i++) {
    const bool under_way = i + 1u == warp->position && warp->stall > 0;
    count += launch->code.instructions[path->step[i]].barrier && launch->of_group[path->step[i]] &&
             !under_way;
  }
  return count;
}

/* Lets the warps of a group go on that wait at a barrier which all of the group have come to. */
static void release_group(const struct launch_brute *brute, struct warp *block, uint8_t group)
{
  const uint8_t *of = brute->launch->group;
  uint32_t least = UINT32_MAX;
  for (uint32_t w = 0; w < brute->block_warps; w++) {
    const uint32_t come = of[block[w].path] == group ? come_to(brute, &block[w]) : UINT32_MAX;
    least = come < least ? come : least;
  }
  for (uint32_t w = 0; w < brute->block_warps; w++)
    if (of[block[w].path] == group && is_at_group(brute, &block[w]) && block[w].stall == 0 &&
        come_to(brute, &block[w]) <= least)
      block[w].at_barrier = false;
}

void moment_release_barrier(const struct launch_brute *brute, struct warp *block)
{
  for (uint8_t group = 0; group < TINY_GROUPS && brute->launch->groups; group++)
    release_group(brute, block, group);
  for (uint32_t w = 0; w < brute->block_warps; w++) {
    const bool over =
        is_over(brute, &block[w]) && (!brute->launch->late_ends || block[w].count == 0);
    if (!over && (!block[w].at_barrier || block[w].stall > 0 || is_at_group(brute, &block[w])))
      return;
  }
  for (uint32_t w = 0; w < brute->block_warps; w++)
    block[w].at_barrier = false;
}

static bool needs_sm(const struct launch_brute *brute, const struct under_way *one)
{
  const enum tiny_leave leave = brute->launch->leave;
  if (holds(brute, one) || leave == TINY_LEAVE_ENDED || code_loads_later(brute, one) ||
      (leave == TINY_LEAVE_READ && one->read != 0))
    return true;
  const struct wb_timed_instruction *instruction = moment_instruction(brute, one->instruction);
  const uint32_t first = moment_kept(brute, one) != NULL ? one->stage - 1u : one->stage;
  for (uint32_t s = first; s < instruction->stage_count; s++) {
    const uint8_t resource = brute->launch->code.stages[instruction->first_stage + s].resource;
    if (brute->launch->code.resources[resource].level != WB_LEVEL_GPU)
      return true;
  }
  return false;
}

bool moment_can_leave(const struct launch_brute *brute, const struct warp *block)
{
  for (uint32_t w = 0; w < brute->block_warps; w++) {
    if (!is_over(brute, &block[w]))
      return false;
    for (uint32_t i = 0; i < block[w].count; i++) {
      if (needs_sm(brute, &block[w].under_way[i]))
        return false;
    }
  }
  return true;
}

void moment_leave(struct launch_brute *brute, struct moment *state, struct warp *block)
{
  for (uint32_t w = 0; w < brute->block_warps; w++) {
    for (uint32_t i = 0; i < block[w].count; i++) {
      if (state->left_count == LEFT_LIMIT)
        brute->failed = true;
      else
        state->left[state->left_count++] = block[w].under_way[i];
    }
    block[w] = (struct warp){.path = FREE};
  }
  code_leave(brute, state, (uint32_t)(block - state->warps));
}

/* ---- the key of a state, the same for states that differ in names only ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
  uint64_t z = hash * UINT64_C(0x9e3779b97f4a7c15) + value + UINT64_C(0x632be59bd9b4e019);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t key_of_one(const struct launch_brute *brute, const struct under_way *one)
{
  uint64_t fixed = (uint64_t)one->instruction | (uint64_t)one->held << 8 |
                   (uint64_t)one->stage << 16 | (uint64_t)one->delay << 24 |
                   (uint64_t)one->latency << 32 | (uint64_t)one->read << 40;
  uint64_t requests = 0;
  for (uint32_t r = 0; !moment_stages_over(brute, one) && r < moment_stage(brute, one)->requests;
       r++)
    requests += mix(1, one->request[r] | (moment_goes_on(brute, one) ? one->behind[r] << 8 : 0));
  return mix(fixed, requests);
}

static uint64_t key_of_warp(const struct launch_brute *brute, const struct warp *warp)
{
  uint64_t all = 0;
  for (uint32_t i = 0; i < warp->count; i++)
    all += key_of_one(brute, &warp->under_way[i]);
  return mix((uint64_t)warp->path | (uint64_t)warp->position << 8 | (uint64_t)warp->stall << 16 |
                 (uint64_t)warp->at_barrier << 24,
             all);
}

/* Of one order of the places; the partitions may stand in any order. */
static uint64_t key_of_order(const struct launch_brute *brute, const uint64_t (*part)[4],
                             const uint64_t *caches, const uint8_t *order)
{
  uint64_t sum = 0;
  for (uint32_t p = 0; p < brute->partitions; p++) {
    uint64_t column = caches[p];
    for (uint32_t k = 0; k < brute->places; k++)
      column = mix(column, part[order[k]][p]);
    sum += mix(2, column);
  }
  return mix(3, sum);
}

/* Of blocks of one warp, in any order. */
static uint64_t key_of_warps(const struct launch_brute *brute, const uint64_t (*part)[4],
                             const uint64_t *caches)
{
  uint64_t sum = 0;
  for (uint32_t p = 0; p < brute->partitions; p++) {
    uint64_t column = caches[p];
    for (uint32_t k = 0; k < brute->places; k++)
      column += part[k][p] != 0 ? mix(6, part[k][p]) : 0;
    sum += mix(2, column);
  }
  return mix(3, sum);
}

static uint64_t key_of_sm(const struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const uint8_t order_count[4] = {1, 1, 2, 6};
  uint64_t part[4][4] = {{0}};
  uint64_t caches[4] = {0};
  for (uint32_t p = 0; p < brute->partitions; p++)
    caches[p] = code_key_of_partition(brute, state, sm, p);
  for (uint32_t k = 0; k < brute->places; k++) {
    for (uint32_t w = 0; w < brute->block_warps; w++) {
      const struct warp *warp = &state->warps[(sm * brute->places + k) * brute->block_warps + w];
      if (warp->path != FREE)
        part[k][warp->partition] +=
            mix(key_of_warp(brute, warp),
                code_key_of_warp(brute, state, (uint32_t)(warp - state->warps)));
    }
  }
  for (uint32_t k = 0; k < brute->places; k++) {
    const uint64_t found = code_key_of_place(brute, state, sm, k);
    for (uint32_t p = 0; p < brute->partitions; p++)
      part[k][p] += found;
  }
  uint64_t sum = 0;
  if (brute->places > 3)
    sum = key_of_warps(brute, (const uint64_t(*)[4])part, caches);
  for (uint32_t o = 0; brute->places <= 3 && o < order_count[brute->places]; o++)
    sum += key_of_order(brute, (const uint64_t(*)[4])part, caches, orders[o]);
  sum = mix(sum, code_key_of_sm(brute, state, sm));
  return mix(sum, state->dispatching > 0 && state->dispatch_sm == sm);
}

_Static_assert(4 * sizeof(struct fetch) == sizeof(uint64_t) && FETCH_LIMIT % 4 == 0,
               "keys take four fetches at once");

uint64_t moment_key(const struct launch_brute *brute, const struct moment *state)
{
  uint64_t sum = 0;
  for (uint32_t sm = 0; sm < brute->sms; sm++)
    sum += mix(4, key_of_sm(brute, state, sm));
  for (uint32_t i = 0; i < state->left_count; i++)
    sum += mix(5, key_of_one(brute, &state->left[i]));
  for (uint32_t f = 0; f < brute->fetch_slots; f += 4) {
    uint64_t four;
    memcpy(&four, &state->fetches[f], sizeof four);
    sum = mix(sum, four);
  }
  if (brute->code_slots > 0)
    sum = mix(sum, code_key_of_gpu(brute, state));
  const uint64_t key =
      mix(sum, (uint64_t)state->credit << 16 | (uint64_t)state->waiting << 8 | state->dispatching);
  return key != 0 ? key : 1;
}

struct entry *moment_entry(struct launch_brute *brute, uint64_t key)
{
  size_t at = key & (brute->table_size - 1);
  while (brute->table[at].key != 0 && brute->table[at].key != key)
    at = (at + 1) & (brute->table_size - 1);
  return &brute->table[at];
}

void moment_keep(struct launch_brute *brute, uint64_t key, uint32_t value)
{
  struct entry *entry = moment_entry(brute, key);
  if (entry->key == key || brute->state_count == brute->state_limit) {
    brute->failed = brute->failed || entry->key != key;
    return;
  }
  *entry = (struct entry){key, value};
  brute->used[brute->state_count++] = (size_t)(entry - brute->table);
}
