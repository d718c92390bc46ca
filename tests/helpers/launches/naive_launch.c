#include "launches/naive_launch.h"

#include "base/checked.h"
#include "base/memory.h"
#include "launch/simulation/launch_machine.h"

#include "unit.h"
#include <assert.h>

#define NEVER UINT64_MAX

enum state { DELAYED, QUEUED, SERVED, DONE };

/* An instruction that was issued. */
struct operation {
  uint64_t age;
  size_t step;
  uint32_t instruction;
  enum state state;
  uint8_t stage;
  uint64_t since; /* the delay is over, or it queues since */
  uint32_t waiting;
  uint64_t last_end; /* of the requests that are served */
  uint64_t results, read;
  uint64_t units; /* its services at issue are over */
};

struct warp {
  bool started;
  uint64_t start, stall;
  const struct wb_warp_path *path;
  size_t step;
  size_t barriers; /* passed */
  uint64_t arrival;
};

struct block {
  bool here, gone;
  uint32_t sm;
  uint64_t begin, units; /* its services at issue are over */
};

/* A service: server of a resource of a partition, SM or GPU that is taken. */
struct service {
  uint8_t resource;
  uint32_t place;
  uint64_t end;
};

struct naive {
  const struct wb_timed_code *code;
  const struct wb_launch_shape *shape;
  const struct wb_simulation_options *options;
  struct wb_simulated_launch *launch;
  struct wb_launch_machine draws; /* for wb_launch_draw alone */
  struct wb_random random;
  struct warp *warps;   /* by age */
  struct block *blocks; /* by number */
  struct operation *operations;
  size_t operation_count, operation_capacity;
  struct service *services;
  size_t service_count, service_capacity;
  uint64_t *last_age; /* by partition */
  uint64_t *issued;   /* by SM */
  bool *behind;       /* by SM: when the GPU's resources began to be full */
  uint64_t goal, full_end;
  bool full; /* one of the GPU's resources, at the end of the cycle before */
  uint32_t sms, partitions, rooms, next_sm;
  uint64_t next_block, dispatcher, now, end;
  size_t event_capacity;
};

static const struct wb_timed_instruction *instruction_at(const struct naive *naive, uint64_t age)
{
  const struct warp *const warp = &naive->warps[age];
  return &naive->code->instructions[warp->path->instructions[warp->step]];
}

static uint32_t draw(const struct naive *naive, uint64_t age, uint64_t step, uint32_t what,
                     uint32_t most, uint32_t least)
{
  return wb_launch_draw(&naive->draws, age, step, what, most, least);
}

static uint32_t partition_of(const struct naive *naive, uint64_t age)
{
  const uint32_t warps = naive->shape->block_warps;
  return naive->blocks[age / warps].sm * naive->partitions +
         (uint32_t)(age % warps) % naive->partitions;
}

static uint32_t place_of(const struct naive *naive, uint8_t resource, uint64_t age)
{
  switch (naive->code->resources[resource].level) {
  case WB_LEVEL_PARTITION:
    return partition_of(naive, age);
  case WB_LEVEL_SM:
    return partition_of(naive, age) / naive->partitions;
  default:
    return 0;
  }
}

static uint32_t free_servers(const struct naive *naive, uint8_t resource, uint32_t place)
{
  uint32_t taken = 0;
  for (size_t i = 0; i < naive->service_count; i++) {
    const struct service *const service = &naive->services[i];
    taken += service->resource == resource && service->place == place && service->end > naive->now;
  }
  assert_true(taken <= naive->code->resources[resource].servers);
  return naive->code->resources[resource].servers - taken;
}

static void take_server(struct naive *naive, uint8_t resource, uint32_t place, uint64_t end)
{
  assert_true(wb_grow(naive->services, &naive->service_capacity, naive->service_count + 1));
  naive->services[naive->service_count++] = (struct service){resource, place, end};
  naive->launch->busy[resource] += end - naive->now;
  naive->end = wb_maximum(naive->end, end);
}

static void forget_services(struct naive *naive)
{
  size_t kept = 0;
  for (size_t i = 0; i < naive->service_count; i++) {
    if (naive->services[i].end > naive->now)
      naive->services[kept++] = naive->services[i];
  }
  naive->service_count = kept;
}

static void add_event(struct naive *naive, const struct wb_launch_event *event, uint64_t age)
{
  struct wb_simulated_launch *const launch = naive->launch;
  assert_true(wb_grow(launch->events, &naive->event_capacity, launch->event_count + 1));
  struct wb_launch_event *const added = &launch->events[launch->event_count++];
  *added = *event;
  added->block = age / naive->shape->block_warps;
  added->warp = (uint32_t)(age % naive->shape->block_warps);
  added->sm = partition_of(naive, age) / naive->partitions;
  added->partition = partition_of(naive, age) % naive->partitions;
}

/* ---- what is over ---- */

static void begin_stage(struct naive *naive, struct operation *operation)
{
  const struct wb_timed_instruction *const instruction =
      &naive->code->instructions[operation->instruction];
  if (operation->stage == instruction->read_stages) {
    operation->read = naive->now + draw(naive, operation->age, operation->step,
                                        WB_DRAW_READ_LATENCY, instruction->read_latency, 0);
    if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
      naive->end = wb_maximum(naive->end, operation->read);
  }
  if (operation->stage == instruction->stage_count) {
    operation->state = DONE;
    operation->results = naive->now + draw(naive, operation->age, operation->step, WB_DRAW_LATENCY,
                                           instruction->latency, 0);
    naive->end = wb_maximum(naive->end, operation->results);
    return;
  }
  const struct wb_request_stage *const stage =
      &naive->code->stages[instruction->first_stage + operation->stage];
  operation->state = DELAYED;
  operation->since = naive->now + draw(naive, operation->age, operation->step,
                                       WB_DRAW_STAGE + 2u * operation->stage, stage->delay, 0);
  operation->waiting = stage->requests;
}

static void go_on(struct naive *naive, struct operation *operation)
{
  if (operation->state == SERVED && operation->last_end <= naive->now) {
    operation->stage++;
    begin_stage(naive, operation);
  }
  if (operation->state == DELAYED && operation->since <= naive->now)
    operation->state = QUEUED;
}

static uint8_t local_stages(const struct naive *naive, uint32_t number)
{
  const struct wb_timed_instruction *const instruction = &naive->code->instructions[number];
  uint8_t local = 0;
  for (uint8_t s = 0; s < instruction->stage_count; s++) {
    const uint8_t resource = naive->code->stages[instruction->first_stage + s].resource;
    if (naive->code->resources[resource].level != WB_LEVEL_GPU)
      local = (uint8_t)(s + 1);
  }
  return local;
}

/* ---- blocks ---- */

static bool may_leave(const struct naive *naive, uint64_t number)
{
  const struct block *const block = &naive->blocks[number];
  const uint32_t warps = naive->shape->block_warps;
  if (!block->here || block->units > naive->now)
    return false;
  for (uint64_t age = number * warps; age < (number + 1) * warps; age++) {
    if (naive->warps[age].step < naive->warps[age].path->length ||
        naive->warps[age].stall > naive->now)
      return false;
  }
  for (size_t i = 0; i < naive->operation_count; i++) {
    const struct operation *const operation = &naive->operations[i];
    if (operation->age / warps == number &&
        operation->stage < local_stages(naive, operation->instruction))
      return false;
  }
  return true;
}

static uint32_t residents_of(const struct naive *naive, uint32_t sm)
{
  uint32_t count = 0;
  for (uint64_t b = 0; b < naive->next_block; b++)
    count += naive->blocks[b].here && naive->blocks[b].sm == sm;
  return count;
}

static bool find_room(struct naive *naive, uint32_t *sm)
{
  const uint64_t seed = naive->options->seed;
  const uint64_t scatter = wb_launch_mix(naive->draws.salt, naive->next_block, 0) % naive->sms;
  const uint32_t first = seed % 3 == 0 ? 0 : seed % 3 == 1 ? naive->next_sm : (uint32_t)scatter;
  for (uint32_t i = 0; i < naive->sms; i++) {
    *sm = (first + i) % naive->sms;
    if (residents_of(naive, *sm) < naive->rooms) {
      naive->next_sm = (*sm + 1) % naive->sms;
      return true;
    }
  }
  return false;
}

static void place_block(struct naive *naive, uint32_t sm)
{
  const struct wb_simulation_options *const options = naive->options;
  const uint64_t number = naive->next_block++;
  const uint32_t warps = naive->shape->block_warps;
  naive->blocks[number] = (struct block){.here = true, .sm = sm, .begin = naive->now};
  naive->dispatcher = wb_maximum(naive->dispatcher, naive->now) +
                      draw(naive, number, UINT64_MAX, WB_DRAW_DISPATCH, naive->shape->dispatch, 0);
  for (uint64_t age = number * warps; age < (number + 1) * warps; age++) {
    const uint64_t kind = options->seed / 3 % 3;
    const uint64_t by = kind == 0   ? age
                        : kind == 1 ? number
                                    : wb_launch_mix(naive->draws.salt, age, 1);
    const uint64_t own = draw(naive, age, UINT64_MAX, WB_DRAW_START, naive->shape->block_start, 0);
    naive->warps[age] = (struct warp){
        .started = true,
        .stall = options->early_starts ? wb_maximum(naive->dispatcher, naive->now + own)
                                       : naive->dispatcher + own,
        .path = &options->paths[by % options->path_count],
    };
  }
}

static void move_blocks(struct naive *naive)
{
  for (uint64_t b = 0; b < naive->next_block; b++) {
    struct block *const block = &naive->blocks[b];
    if (!may_leave(naive, b))
      continue;
    block->here = false;
    block->gone = true;
    naive->launch->longest_block =
        wb_maximum(naive->launch->longest_block, naive->now - block->begin);
  }
  uint32_t sm;
  while (naive->next_block < naive->shape->blocks && find_room(naive, &sm))
    place_block(naive, sm);
}

/* ---- issue ---- */

static bool barrier_is_open(const struct naive *naive, uint64_t age)
{
  const uint32_t warps = naive->shape->block_warps;
  const struct warp *const warp = &naive->warps[age];
  for (uint64_t other = age / warps * warps; other < (age / warps + 1) * warps; other++) {
    const struct warp *const o = &naive->warps[other];
    if (o->barriers < warp->barriers || (o->barriers == warp->barriers && o->arrival > naive->now))
      return false;
  }
  return true;
}

static bool holds(const struct naive *naive, const struct operation *operation, uint8_t scoreboard)
{
  const struct wb_timed_instruction *const instruction =
      &naive->code->instructions[operation->instruction];
  return (instruction->write_scoreboard == scoreboard && operation->results > naive->now) ||
         (instruction->read_scoreboard == scoreboard && operation->read > naive->now);
}

/* Instructions of the warp that set the scoreboard and have not released it. */
static uint32_t count_held(const struct naive *naive, uint64_t age, uint8_t scoreboard)
{
  uint32_t held = 0;
  for (size_t i = 0; i < naive->operation_count; i++)
    held += naive->operations[i].age == age && holds(naive, &naive->operations[i], scoreboard);
  return held;
}

/* Whether everything that the warp has made has ended. */
static bool all_is_over(const struct naive *naive, uint64_t age)
{
  for (size_t i = 0; i < naive->operation_count; i++) {
    const struct operation *const operation = &naive->operations[i];
    const bool reads =
        naive->code->instructions[operation->instruction].read_scoreboard != WB_NO_SCOREBOARD;
    if (operation->age == age &&
        (operation->state != DONE || operation->results > naive->now ||
         operation->units > naive->now || (reads && operation->read > naive->now)))
      return false;
  }
  return true;
}

static bool past_allows(const struct naive *naive, uint64_t age)
{
  const struct warp *const warp = &naive->warps[age];
  if (warp->step == warp->path->length || warp->stall > naive->now)
    return false;
  if (warp->barriers > 0 && !barrier_is_open(naive, age))
    return false;
  const struct wb_timed_instruction *const instruction = instruction_at(naive, age);
  if (instruction->fence && !all_is_over(naive, age))
    return false;
  for (uint8_t b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((instruction->wait_mask >> b & 1) != 0 && count_held(naive, age, b) > 0)
      return false;
  }
  return instruction->counted_scoreboard == WB_NO_SCOREBOARD ||
         count_held(naive, age, instruction->counted_scoreboard) <= instruction->counted_left;
}

static bool in_step(const struct naive *naive)
{
  return naive->options->policy == WB_LAUNCH_IN_STEP ||
         naive->options->policy == WB_LAUNCH_IN_STEP_LAGGING;
}

static bool convoys(const struct naive *naive)
{
  return naive->options->policy == WB_LAUNCH_CONVOY ||
         naive->options->policy == WB_LAUNCH_CONVOY_LAGGING || in_step(naive);
}

/* Whether a resource that requests use has no free server: of the partition, of its SM or of the
 * GPU, of those that are at least so wide; those of the GPU only where `gpu`. */
static bool something_is_full(const struct naive *naive, uint32_t partition,
                              enum wb_resource_level narrowest, bool gpu)
{
  for (uint8_t r = 0; r < naive->code->resource_count; r++) {
    const struct wb_resource *const resource = &naive->code->resources[r];
    const uint32_t place = resource->level == WB_LEVEL_PARTITION ? partition
                           : resource->level == WB_LEVEL_SM      ? partition / naive->partitions
                                                                 : 0;
    const bool counts = resource->level == WB_LEVEL_GPU
                            ? gpu
                            : resource->level == narrowest || narrowest == WB_LEVEL_PARTITION;
    if (!resource->at_issue && counts && free_servers(naive, r, place) == 0)
      return true;
  }
  return false;
}

static bool gpu_is_full(const struct naive *naive)
{
  bool full = false;
  for (uint8_t r = 0; r < naive->code->resource_count; r++) {
    const struct wb_resource *const resource = &naive->code->resources[r];
    full |=
        !resource->at_issue && resource->level == WB_LEVEL_GPU && free_servers(naive, r, 0) == 0;
  }
  return full;
}

/* A resource of the GPU may just have become full, where none was: a spell begins, unless one ended
 * in this cycle. */
static void note_full(struct naive *naive)
{
  if (naive->full || !gpu_is_full(naive))
    return;
  naive->full = true;
  if (naive->now <= naive->full_end)
    return;
  naive->goal = 0;
  for (uint32_t sm = 0; sm < naive->sms; sm++)
    naive->goal = wb_maximum(naive->goal, naive->issued[sm]);
  for (uint32_t sm = 0; sm < naive->sms; sm++)
    naive->behind[sm] = naive->issued[sm] < naive->goal;
}

/* Whether the SM goes on though the GPU's resources are full: it is behind. */
static bool catches_up(const struct naive *naive, uint32_t sm)
{
  return in_step(naive) && naive->behind[sm];
}

static bool may_issue(const struct naive *naive, uint64_t age)
{
  const uint32_t partition = partition_of(naive, age);
  const uint32_t sm = partition / naive->partitions;
  const bool gpu = !catches_up(naive, sm) || naive->issued[sm] >= naive->goal;
  if (!past_allows(naive, age))
    return false;
  if (convoys(naive) && something_is_full(naive, partition, WB_LEVEL_PARTITION, gpu))
    return false;
  const struct wb_timed_instruction *const instruction = instruction_at(naive, age);
  for (size_t u = 0; u < instruction->use_count; u++) {
    const uint8_t resource = naive->code->uses[instruction->first_use + u].resource;
    if (free_servers(naive, resource, place_of(naive, resource, age)) == 0)
      return false;
  }
  return true;
}

static bool is_victim(const struct naive *naive, uint64_t age)
{
  const uint64_t warps = naive->shape->block_warps;
  const uint64_t seed = naive->options->seed;
  const bool lags = naive->options->policy == WB_LAUNCH_LAGGING ||
                    naive->options->policy == WB_LAUNCH_LAGGING_YOUNGEST ||
                    naive->options->policy == WB_LAUNCH_CONVOY_LAGGING ||
                    naive->options->policy == WB_LAUNCH_IN_STEP_LAGGING;
  if (lags && naive->options->laggards != 0)
    return (naive->options->laggards >> age % warps % 64 & 1) != 0;
  if (lags)
    return age % warps == seed % warps;
  return naive->options->policy == WB_LAUNCH_STARVING && age % warps == seed % warps &&
         age / warps % naive->rooms == seed / warps % naive->rooms;
}

static void issue(struct naive *naive, uint64_t age)
{
  struct warp *const warp = &naive->warps[age];
  struct block *const block = &naive->blocks[age / naive->shape->block_warps];
  const uint32_t number = warp->path->instructions[warp->step];
  const struct wb_timed_instruction *const instruction = &naive->code->instructions[number];
  const size_t step = warp->step;
  uint64_t units = 0;
  for (uint32_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *const use = &naive->code->uses[instruction->first_use + u];
    const uint64_t end = naive->now + draw(naive, age, step, WB_DRAW_USE + u, use->service, 1);
    take_server(naive, use->resource, place_of(naive, use->resource, age), end);
    units = wb_maximum(units, end);
    block->units = wb_maximum(block->units, end);
  }
  warp->stall = naive->now + draw(naive, age, step, WB_DRAW_STALL, instruction->stall, 1);
  naive->end = wb_maximum(naive->end, warp->stall);
  const struct wb_launch_event event = {.kind = WB_EVENT_ISSUE,
                                        .step = (uint32_t)step,
                                        .instruction = number,
                                        .resource = UINT32_MAX,
                                        .time = naive->now,
                                        .until = warp->stall};
  add_event(naive, &event, age);
  naive->launch->instructions++;
  naive->issued[partition_of(naive, age) / naive->partitions]++;
  if (instruction->barrier) {
    warp->barriers++;
    warp->arrival = warp->stall;
  }
  warp->step++;
  naive->last_age[partition_of(naive, age)] = age;
  assert_true(wb_grow(naive->operations, &naive->operation_capacity, naive->operation_count + 1));
  struct operation *const operation = &naive->operations[naive->operation_count++];
  *operation = (struct operation){.age = age,
                                  .step = step,
                                  .instruction = number,
                                  .results = NEVER,
                                  .read = NEVER,
                                  .units = units};
  begin_stage(naive, operation);
  go_on(naive, operation);
}

static bool is_better(const struct naive *naive, uint64_t last, uint64_t age, uint64_t than)
{
  switch (naive->options->policy) {
  case WB_LAUNCH_GREEDY_OLDEST:
    return age == last || (than != last && age < than);
  case WB_LAUNCH_GREEDY_YOUNGEST:
    return age == last || (than != last && age > than);
  case WB_LAUNCH_CONVOY:
  case WB_LAUNCH_CONVOY_LAGGING:
  case WB_LAUNCH_IN_STEP:
  case WB_LAUNCH_IN_STEP_LAGGING:
    if (naive->warps[age].step != naive->warps[than].step)
      return naive->warps[age].step < naive->warps[than].step;
    return age < than;
  default: /* in turn after the last one */
    if (last != NEVER && (age > last) != (than > last))
      return age > last;
    return age < than;
  }
}

/* One warp of a partition issues, if one can. */
static bool issue_one(struct naive *naive, uint32_t partition, bool victims)
{
  uint64_t best = NEVER;
  uint64_t candidates[256];
  size_t count = 0;
  for (uint64_t age = 0; age < naive->next_block * naive->shape->block_warps; age++) {
    if (!naive->blocks[age / naive->shape->block_warps].here ||
        partition_of(naive, age) != partition || (is_victim(naive, age) && !victims) ||
        !may_issue(naive, age))
      continue;
    assert_true(count < 256);
    candidates[count++] = age;
    if (best == NEVER || is_better(naive, naive->last_age[partition], age, best))
      best = age;
  }
  if (count == 0)
    return false;
  if (naive->options->policy == WB_LAUNCH_RANDOM)
    best = candidates[count > 1 ? wb_random_below(&naive->random, count) : 0];
  issue(naive, best);
  return true;
}

static void issue_all(struct naive *naive)
{
  const uint32_t count = naive->sms * naive->partitions;
  assert(count > 0);
  bool shared = false;
  for (size_t r = 0; r < naive->code->resource_count; r++)
    shared |= naive->code->resources[r].at_issue && naive->code->resources[r].level == WB_LEVEL_SM;
  uint64_t first = 0;
  if (shared && naive->options->policy == WB_LAUNCH_ROUND_ROBIN)
    first = naive->now % count;
  if (shared && naive->options->policy == WB_LAUNCH_RANDOM)
    first = wb_launch_mix(naive->draws.salt, naive->now, 2) % count;
  const bool backwards = shared && naive->options->policy == WB_LAUNCH_GREEDY_YOUNGEST;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t partition = (uint32_t)((first + i) % count);
      while (issue_one(naive, backwards ? count - 1 - partition : partition, pass == 1))
        ;
    }
  }
}

/* ---- requests ---- */

static bool goes_before(const struct naive *naive, const struct operation *a,
                        const struct operation *b)
{
  const bool a_starves = is_victim(naive, a->age);
  const bool b_starves = is_victim(naive, b->age);
  const uint64_t a_item = (uint64_t)a->step << 8 | a->stage;
  const uint64_t b_item = (uint64_t)b->step << 8 | b->stage;
  switch (naive->options->policy) {
  case WB_LAUNCH_GREEDY_OLDEST:
    return a->age != b->age ? a->age < b->age : a_item < b_item;
  case WB_LAUNCH_GREEDY_YOUNGEST:
    return a->age != b->age ? a->age > b->age : a_item > b_item;
  case WB_LAUNCH_RANDOM:
    return wb_launch_mix(naive->draws.salt, a->age, a_item) <
           wb_launch_mix(naive->draws.salt, b->age, b_item);
  default:
    if (a_starves != b_starves)
      return b_starves;
    if (naive->options->policy == WB_LAUNCH_LAGGING_YOUNGEST)
      return a->age != b->age ? a->age > b->age : a_item > b_item;
    if (a->since != b->since)
      return a->since < b->since;
    return a->age != b->age ? a->age < b->age : a_item < b_item;
  }
}

static void start_request(struct naive *naive, struct operation *operation,
                          const struct wb_request_stage *stage)
{
  const uint64_t end =
      naive->now + draw(naive, operation->age, operation->step,
                        WB_DRAW_STAGE + 2u * operation->stage + 1, stage->service, 1);
  take_server(naive, stage->resource, place_of(naive, stage->resource, operation->age), end);
  const struct wb_launch_event event = {.kind = WB_EVENT_REQUEST,
                                        .step = (uint32_t)operation->step,
                                        .instruction = operation->instruction,
                                        .stage = operation->stage,
                                        .request = stage->requests - operation->waiting,
                                        .resource = stage->resource,
                                        .time = naive->now,
                                        .until = end};
  add_event(naive, &event, operation->age);
  operation->last_end = end;
  if (--operation->waiting == 0)
    operation->state = SERVED;
}

/* resource: the only one that serves; UINT8_MAX: any. */
static bool serve_one(struct naive *naive, uint8_t resource)
{
  struct operation *best = NULL;
  const struct wb_request_stage *best_stage = NULL;
  for (size_t i = 0; i < naive->operation_count; i++) {
    struct operation *const operation = &naive->operations[i];
    if (operation->state != QUEUED)
      continue;
    const struct wb_request_stage *const stage =
        &naive->code->stages[naive->code->instructions[operation->instruction].first_stage +
                             operation->stage];
    const uint32_t place = place_of(naive, stage->resource, operation->age);
    const enum wb_resource_level level = naive->code->resources[stage->resource].level;
    const uint32_t partition = partition_of(naive, operation->age);
    const bool gpu = level == WB_LEVEL_GPU || !catches_up(naive, partition / naive->partitions);
    if ((resource != UINT8_MAX && stage->resource != resource) ||
        (convoys(naive) && something_is_full(naive, partition, level, gpu)))
      continue;
    if (free_servers(naive, stage->resource, place) > 0 &&
        (best == NULL || goes_before(naive, operation, best))) {
      best = operation;
      best_stage = stage;
    }
  }
  if (best == NULL)
    return false;
  start_request(naive, best, best_stage);
  return true;
}

static void serve_all(struct naive *naive)
{
  static const enum wb_resource_level widest_first[] = {WB_LEVEL_GPU, WB_LEVEL_SM,
                                                        WB_LEVEL_PARTITION};
  const uint8_t count = (uint8_t)naive->code->resource_count;
  for (size_t l = 0; l < COUNT_OF(widest_first) && convoys(naive); l++) {
    for (uint8_t i = 0; i < count; i++) {
      const bool lags = naive->options->policy == WB_LAUNCH_CONVOY_LAGGING ||
                        naive->options->policy == WB_LAUNCH_IN_STEP_LAGGING;
      const uint8_t r = lags ? (uint8_t)(count - 1 - i) : i;
      while (naive->code->resources[r].level == widest_first[l] && serve_one(naive, r))
        note_full(naive);
    }
  }
  while (!convoys(naive) && serve_one(naive, UINT8_MAX))
    ;
}

/* ---- all ---- */

static bool run_cycle(struct naive *naive)
{
  forget_services(naive);
  if (naive->full && !gpu_is_full(naive)) {
    naive->full = false;
    naive->full_end = naive->now;
  }
  for (size_t i = 0; i < naive->operation_count; i++)
    go_on(naive, &naive->operations[i]);
  move_blocks(naive);
  if (convoys(naive))
    serve_all(naive);
  issue_all(naive);
  serve_all(naive);
  size_t kept = 0;
  for (size_t i = 0; i < naive->operation_count; i++) {
    const struct operation *const operation = &naive->operations[i];
    if (operation->state != DONE || operation->results > naive->now ||
        operation->read > naive->now || operation->units > naive->now)
      naive->operations[kept++] = *operation;
  }
  naive->operation_count = kept;
  for (uint64_t b = 0; b < naive->shape->blocks; b++) {
    if (!naive->blocks[b].gone)
      return true;
  }
  return kept > 0;
}

void naive_launch(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                  const struct wb_simulation_options *options, struct wb_simulated_launch *launch)
{
  *launch = (struct wb_simulated_launch){.ended = true};
  const uint32_t rooms = (uint32_t)wb_minimum(shape->resident_blocks, shape->blocks);
  const uint64_t needed =
      options->seed % 3 == 0 ? wb_divide_up(shape->blocks, rooms) : shape->blocks;
  struct naive naive = {
      .code = code,
      .shape = shape,
      .options = options,
      .launch = launch,
      .draws = {.options = options, .salt = wb_launch_mix(options->seed, 0, 0)},
      .random = {options->seed},
      .sms = (uint32_t)wb_minimum(shape->sms, needed),
      .partitions = (uint32_t)wb_minimum(shape->partitions, shape->block_warps),
      .rooms = rooms,
  };
  naive.warps = wb_allocate(shape->blocks * shape->block_warps, sizeof *naive.warps);
  naive.blocks = wb_allocate(shape->blocks, sizeof *naive.blocks);
  naive.last_age = wb_allocate((size_t)naive.sms * naive.partitions, sizeof *naive.last_age);
  naive.issued = wb_allocate(naive.sms, sizeof *naive.issued);
  naive.behind = wb_allocate(naive.sms, sizeof *naive.behind);
  assert(naive.warps != NULL && naive.blocks != NULL && naive.last_age != NULL &&
         naive.issued != NULL && naive.behind != NULL);
  for (size_t p = 0; p < (size_t)naive.sms * naive.partitions; p++)
    naive.last_age[p] = NEVER;
  while (run_cycle(&naive))
    naive.now++;
  launch->cycles = naive.end + shape->overhead;
  free(naive.warps);
  free(naive.blocks);
  free(naive.last_age);
  free(naive.issued);
  free(naive.behind);
  free(naive.operations);
  free(naive.services);
}
