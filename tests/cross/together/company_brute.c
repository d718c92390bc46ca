/* The worst time of tiny launches of several kernels by the words of doc/launch.md, "Model", and of
 * doc/launches/together.md: a search over all schedules. Shares nothing with src/launch. */
#include "tiny_company.h"

#include <stdlib.h>
#include <string.h>

#define SMS 2u
#define LEFT_LIMIT 8u
#define DEPTH_LIMIT 160
/* A request: nothing, so many cycles of delay, it waits for a server, so many cycles of service. */
#define OVER 0u
#define WAITS 20u
#define SERVED 30u
/* In place of a launch's step, and the copy's number more. */
#define COPY_STEP (COMPANY_STEPS + 1)

struct warp {
  uint8_t next, stall, hold; /* the instruction to come; of the last one: cycles that are left */
  uint8_t request[COMPANY_LENGTH];
};

struct block {
  uint8_t step; /* that it is of, plus 1; 0: no block */
  uint8_t partition;
  struct warp warps[COMPANY_WARPS];
};

/* A request of a block that has left, or of a copy, at the GPU. */
struct orphan {
  uint8_t step; /* as above; of a copy its number and COPY_STEP */
  uint8_t request, service;
};

enum stage { HELD, GAP, RELEASED, ENDED };

struct progress {
  uint8_t stage, left; /* cycles of its gap, or of its copy or wait */
  uint8_t blocks;      /* that have not started */
  uint8_t served;      /* a copy: it has its engine */
};

struct state {
  struct block blocks[SMS][COMPANY_RESIDENT];
  struct orphan orphans[LEFT_LIMIT];
  struct progress steps[COMPANY_STEPS];
  uint8_t begun;                       /* frames, of the graph */
  uint8_t since;                       /* cycles since the last one, at most the period */
  uint8_t dispatched, place, dispatch; /* a step plus 1, its SM, cycles */
};

struct entry {
  struct state state;
  uint32_t generation;
  uint32_t longest; /* UINT32_MAX: under way */
};

struct company_brute {
  const struct company *company;
  struct entry *entries;
  size_t slots, limit, used;
  uint32_t generation;
  uint64_t work;
  int depth;
  bool failed;
};

static uint32_t longest(struct company_brute *brute, const struct state *state);

/* Whether the frame in question has begun. */
static bool is_timed(const struct company_brute *brute, const struct state *state)
{
  return state->begun > brute->company->of;
}

static const struct company_kernel *kernel_of(const struct company_brute *brute, unsigned step)
{
  return &brute->company->kernels[brute->company->steps[step].kernel];
}

/* ---- what is free ---- */

static bool is_serving(uint8_t request)
{
  return request > SERVED;
}

/* Requests at a level that are being served: of one SM, or of all. */
static unsigned served_at(const struct company_brute *brute, const struct state *state, unsigned sm,
                          uint8_t level)
{
  unsigned count = 0;
  for (unsigned y = 0; y < SMS; y++) {
    for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
      const struct block *block = &state->blocks[y][b];
      if (block->step == 0 || (level == COMPANY_OF_SM && y != sm))
        continue;
      const struct company_kernel *kernel = kernel_of(brute, block->step - 1U);
      for (unsigned w = 0; w < kernel->warps; w++) {
        for (unsigned i = 0; i < kernel->length; i++)
          count += kernel->code[i].level == level && is_serving(block->warps[w].request[i]);
      }
    }
  }
  for (unsigned o = 0; o < LEFT_LIMIT && level == COMPANY_OF_GPU; o++)
    count += state->orphans[o].step != 0 && is_serving(state->orphans[o].request);
  return count;
}

static bool slot_is_free(const struct company_brute *brute, const struct state *state, unsigned sm,
                         unsigned partition)
{
  for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
    const struct block *block = &state->blocks[sm][b];
    for (unsigned w = 0; block->step != 0 && w < COMPANY_WARPS; w++) {
      if ((block->partition + w) % brute->company->partitions == partition &&
          block->warps[w].hold > 0)
        return false;
    }
  }
  return true;
}

/* Whether all warps of the block have come to the barrier behind instruction `at`. */
static bool barrier_is_open(const struct company_kernel *kernel, const struct block *block,
                            unsigned at)
{
  for (unsigned w = 0; w < kernel->warps; w++) {
    const struct warp *warp = &block->warps[w];
    if (warp->next <= at || (warp->next == at + 1 && warp->stall > 0))
      return false;
  }
  return true;
}

static bool is_ready(const struct company_kernel *kernel, const struct block *block, unsigned w)
{
  const struct warp *warp = &block->warps[w];
  if (w >= kernel->warps || warp->next == kernel->length || warp->stall > 0)
    return false;
  for (unsigned i = 0; i < warp->next; i++) {
    if ((kernel->code[i].awaited && warp->request[i] != OVER) ||
        (kernel->code[i].barrier && !barrier_is_open(kernel, block, i)))
      return false;
  }
  return true;
}

static unsigned room_left(const struct company_brute *brute, const struct state *state, unsigned sm)
{
  unsigned room = brute->company->room;
  for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
    if (state->blocks[sm][b].step != 0)
      room -= kernel_of(brute, state->blocks[sm][b].step - 1U)->size;
  }
  if (state->dispatched != 0 && state->place == sm)
    room -= kernel_of(brute, state->dispatched - 1U)->size;
  return room;
}

/* ---- the end of a cycle ---- */

static void step_request(uint8_t *request)
{
  if (*request == OVER || *request == WAITS)
    return;
  *request = (uint8_t)(*request - 1);
  if (*request == SERVED)
    *request = OVER;
  else if (*request == OVER) /* of a delay */
    *request = WAITS;
}

static void lower(uint8_t *number)
{
  *number = (uint8_t)(*number - (*number > 0));
}

static void orphan(struct company_brute *brute, struct state *state, struct orphan one)
{
  for (unsigned o = 0; o < LEFT_LIMIT; o++) {
    if (state->orphans[o].step == 0) {
      state->orphans[o] = one;
      return;
    }
  }
  brute->failed = true;
}

/* A block leaves when its warps have ended and nothing of it needs the SM. */
static void leave(struct company_brute *brute, struct state *state, struct block *block)
{
  const unsigned step = block->step - 1U;
  const struct company_kernel *kernel = kernel_of(brute, step);
  for (unsigned w = 0; w < kernel->warps; w++) {
    const struct warp *warp = &block->warps[w];
    if (warp->next < kernel->length || warp->stall > 0 || warp->hold > 0)
      return;
    for (unsigned i = 0; i < kernel->length; i++) {
      if (warp->request[i] != OVER &&
          (kernel->code[i].level == COMPANY_OF_SM || brute->company->leave_late))
        return;
    }
  }
  for (unsigned w = 0; w < kernel->warps; w++) {
    for (unsigned i = 0; i < kernel->length; i++) {
      if (block->warps[w].request[i] != OVER)
        orphan(brute, state,
               (struct orphan){(uint8_t)(step + 1), block->warps[w].request[i],
                               kernel->code[i].service});
    }
  }
  memset(block, 0, sizeof *block);
}

static int compare_blocks(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(struct block));
}

static int compare_orphans(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(struct orphan));
}

static bool launch_is_over(const struct state *state, unsigned step)
{
  if (state->steps[step].blocks > 0 || state->dispatched == step + 1)
    return false;
  for (unsigned y = 0; y < SMS; y++) {
    for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
      if (state->blocks[y][b].step == step + 1)
        return false;
    }
  }
  for (unsigned o = 0; o < LEFT_LIMIT; o++) {
    if (state->orphans[o].step == step + 1)
      return false;
  }
  return true;
}

static void start_block(struct company_brute *brute, struct state *state, unsigned step,
                        unsigned sm, unsigned partition)
{
  for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
    if (state->blocks[sm][b].step == 0) {
      state->blocks[sm][b].step = (uint8_t)(step + 1);
      state->blocks[sm][b].partition = (uint8_t)partition;
      return;
    }
  }
  brute->failed = true;
}

/* One cycle passes. */
static void pass(struct company_brute *brute, struct state *state)
{
  const struct company *company = brute->company;
  for (unsigned y = 0; y < SMS; y++) {
    for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
      struct block *block = &state->blocks[y][b];
      for (unsigned w = 0; block->step != 0 && w < COMPANY_WARPS; w++) {
        lower(&block->warps[w].stall);
        lower(&block->warps[w].hold);
        for (unsigned i = 0; i < COMPANY_LENGTH; i++)
          step_request(&block->warps[w].request[i]);
      }
    }
  }
  for (unsigned o = 0; o < LEFT_LIMIT; o++) {
    step_request(&state->orphans[o].request);
    if (state->orphans[o].request == OVER)
      state->orphans[o] = (struct orphan){0};
  }
  for (unsigned y = 0; y < SMS; y++) {
    for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
      if (state->blocks[y][b].step != 0)
        leave(brute, state, &state->blocks[y][b]);
    }
  }
  for (unsigned s = 0; s < company->step_count; s++) {
    struct progress *step = &state->steps[s];
    if (step->stage == GAP)
      lower(&step->left);
    if (step->stage == RELEASED && company->steps[s].kind != WB_STEP_LAUNCH &&
        (company->steps[s].kind == WB_STEP_WAIT || step->served)) {
      lower(&step->left);
      if (step->left == 0) {
        step->stage = ENDED;
        step->served = 0;
      }
    }
  }
  lower(&state->dispatch);
  if (state->begun > 0 && state->begun < company->frames && state->since < company->period)
    state->since++;
}

static bool graph_is_over(const struct company_brute *brute, const struct state *state)
{
  for (unsigned s = 0; s < brute->company->step_count; s++) {
    const struct company_step *step = &brute->company->steps[s];
    if (!step->beside && step->frame == brute->company->of && state->steps[s].stage != ENDED)
      return false;
  }
  return true;
}

/* ---- the choices of a cycle, one after the other ---- */

struct choice {
  struct state state;
  uint32_t best;
};

static void choose_servers(struct company_brute *brute, struct choice *choice, unsigned place);
static void ask_for_memory(struct company_brute *brute, struct choice *choice, unsigned s);
static void choose_engines(struct company_brute *brute, struct choice *choice, unsigned engine);

static bool spend(struct company_brute *brute)
{
  brute->failed |= ++brute->work > brute->limit * 40;
  return !brute->failed;
}

/* Whether a copy has ended that still holds the memory, or waits for it: none does in the model. */
static bool copy_has_more(const struct state *state)
{
  for (unsigned o = 0; o < LEFT_LIMIT; o++) {
    const unsigned step = state->orphans[o].step;
    if (step >= COPY_STEP && state->steps[step - COPY_STEP].stage == ENDED)
      return true;
  }
  return false;
}

static void finish_cycle(struct company_brute *brute, struct choice *choice)
{
  struct state next = choice->state;
  pass(brute, &next);
  if (copy_has_more(&next))
    return;
  for (unsigned y = 0; y < SMS; y++)
    qsort(next.blocks[y], COMPANY_RESIDENT, sizeof(struct block), compare_blocks);
  qsort(next.orphans, LEFT_LIMIT, sizeof(struct orphan), compare_orphans);
  const uint32_t time = longest(brute, &next) + (is_timed(brute, &choice->state) ? 1 : 0);
  choice->best = time > choice->best ? time : choice->best;
}

/* An engine that is free serves a copy that waits for it, any. */
static void choose_engines(struct company_brute *brute, struct choice *choice, unsigned engine)
{
  const struct company *company = brute->company;
  if (!spend(brute))
    return;
  if (engine == 2) {
    ask_for_memory(brute, choice, 0);
    return;
  }
  bool waits = false;
  for (unsigned s = 0; s < company->step_count; s++) {
    if (company->steps[s].kind == WB_STEP_COPY && company->steps[s].engine == engine &&
        choice->state.steps[s].served) {
      choose_engines(brute, choice, engine + 1);
      return;
    }
  }
  for (unsigned s = 0; s < company->step_count; s++) {
    const struct company_step *step = &company->steps[s];
    if (step->kind != WB_STEP_COPY || step->engine != engine ||
        choice->state.steps[s].stage != RELEASED)
      continue;
    const struct state before = choice->state;
    waits = true;
    choice->state.steps[s].served = 1;
    choose_engines(brute, choice, engine + 1);
    choice->state = before;
  }
  if (!waits)
    choose_engines(brute, choice, engine + 1);
}

/* A copy may ask for the memory in any cycle in which it goes on, once: a request for each of its
 * servers. */
static void ask_for_memory(struct company_brute *brute, struct choice *choice, unsigned s)
{
  const struct company *company = brute->company;
  while (s < company->step_count &&
         (company->steps[s].kind != WB_STEP_COPY || company->steps[s].memory == 0 ||
          !choice->state.steps[s].served || choice->state.steps[s].blocks > 0))
    s++;
  if (s == company->step_count) {
    choose_servers(brute, choice, 0);
    return;
  }
  const struct state before = choice->state;
  choice->state.steps[s].blocks = 1;
  for (unsigned n = 0; n < company->gpu_servers; n++)
    orphan(brute, &choice->state,
           (struct orphan){(uint8_t)(COPY_STEP + s), WAITS, company->steps[s].memory});
  ask_for_memory(brute, choice, s + 1);
  choice->state = before;
  ask_for_memory(brute, choice, s + 1);
}

/* Each free server of a place (an SM each, then the GPU) serves a request that waits, any. */
static void choose_servers(struct company_brute *brute, struct choice *choice, unsigned place)
{
  const struct company *company = brute->company;
  const bool of_gpu = place == company->sms;
  const uint8_t level = of_gpu ? COMPANY_OF_GPU : COMPANY_OF_SM;
  if (!spend(brute))
    return;
  if (place > company->sms) {
    finish_cycle(brute, choice);
    return;
  }
  bool waits = false;
  if (served_at(brute, &choice->state, place, level) <
      (of_gpu ? company->gpu_servers : company->sm_servers)) {
    for (unsigned y = of_gpu ? 0 : place; y < (of_gpu ? company->sms : place + 1); y++) {
      for (unsigned b = 0; b < COMPANY_RESIDENT; b++) {
        struct block *block = &choice->state.blocks[y][b];
        for (unsigned w = 0; block->step != 0 && w < COMPANY_WARPS; w++) {
          const struct company_kernel *kernel = kernel_of(brute, block->step - 1U);
          for (unsigned i = 0; i < kernel->length; i++) {
            if (kernel->code[i].level != level || block->warps[w].request[i] != WAITS)
              continue;
            waits = true;
            block->warps[w].request[i] = (uint8_t)(SERVED + kernel->code[i].service);
            choose_servers(brute, choice, place);
            block->warps[w].request[i] = WAITS;
          }
        }
      }
    }
    for (unsigned o = 0; o < LEFT_LIMIT && of_gpu; o++) {
      struct orphan *one = &choice->state.orphans[o];
      if (one->step == 0 || one->request != WAITS)
        continue;
      waits = true;
      one->request = (uint8_t)(SERVED + one->service);
      choose_servers(brute, choice, place);
      one->request = WAITS;
    }
  }
  if (!waits)
    choose_servers(brute, choice, place + 1);
}

/* Each free slot issues an instruction of a warp that is ready, any. */
static void choose_issues(struct company_brute *brute, struct choice *choice, unsigned slot)
{
  const struct company *company = brute->company;
  const unsigned sm = slot / company->partitions;
  const unsigned partition = slot % company->partitions;
  bool ready = false;
  if (!spend(brute))
    return;
  if (sm == company->sms) {
    choose_engines(brute, choice, 0);
    return;
  }
  const bool is_free = slot_is_free(brute, &choice->state, sm, partition);
  for (unsigned b = 0; b < COMPANY_RESIDENT && is_free; b++) {
    struct block *block = &choice->state.blocks[sm][b];
    if (block->step == 0)
      continue;
    const struct company_kernel *kernel = kernel_of(brute, block->step - 1U);
    for (unsigned w = 0; w < kernel->warps; w++) {
      if ((block->partition + w) % company->partitions != partition || !is_ready(kernel, block, w))
        continue;
      struct warp *warp = &block->warps[w];
      const struct warp before = *warp;
      const struct company_instruction *at = &kernel->code[warp->next];
      ready = true;
      warp->stall = at->stall;
      warp->hold = at->hold;
      if (at->level != COMPANY_NO_REQUEST)
        warp->request[warp->next] = at->delay > 0 ? at->delay : WAITS;
      warp->next++;
      choose_issues(brute, choice, slot + 1);
      *warp = before;
    }
  }
  if (!ready)
    choose_issues(brute, choice, slot + 1);
}

/* Blocks start as long as one that waits has room: any of them, on any SM, its warps in any
 * partitions. */
static void choose_blocks(struct company_brute *brute, struct choice *choice)
{
  const struct company *company = brute->company;
  struct state *state = &choice->state;
  const struct state before = *state;
  bool starts = false;
  if (!spend(brute))
    return;
  if (state->dispatched != 0 && state->dispatch == 0) { /* the service is over */
    const unsigned step = state->dispatched - 1U;
    const unsigned place = state->place;
    for (unsigned p = 0; p < company->partitions; p++) {
      state->dispatched = state->place = 0;
      start_block(brute, state, step, place, p);
      choose_blocks(brute, choice);
      *state = before;
    }
    return;
  }
  for (unsigned s = 0; s < company->step_count && state->dispatched == 0; s++) {
    if (state->steps[s].stage != RELEASED || company->steps[s].kind != WB_STEP_LAUNCH ||
        state->steps[s].blocks == 0)
      continue;
    for (unsigned y = 0; y < company->sms; y++) {
      if (room_left(brute, state, y) < kernel_of(brute, s)->size)
        continue;
      starts = true;
      state->steps[s].blocks--;
      state->dispatched = (uint8_t)(s + 1);
      state->place = (uint8_t)y;
      state->dispatch = company->dispatch;
      choose_blocks(brute, choice);
      *state = before;
    }
  }
  if (!starts)
    choose_issues(brute, choice, 0);
}

static bool is_due(const struct company_brute *brute, const struct state *state, unsigned s)
{
  for (unsigned a = 0; a < s; a++) {
    if ((brute->company->steps[s].after >> a & 1) != 0 && state->steps[a].stage != ENDED)
      return false;
  }
  return true;
}

/* The graph begins now or later; launches beside it too; gaps may be shorter. */
static void choose_releases(struct company_brute *brute, struct choice *choice, unsigned s)
{
  const struct company *company = brute->company;
  struct state *state = &choice->state;
  if (!spend(brute))
    return;
  while (s < company->step_count &&
         (company->steps[s].beside
              ? state->steps[s].stage != HELD
              : state->steps[s].stage == RELEASED || state->steps[s].stage == ENDED ||
                    state->begun <= company->steps[s].frame || !is_due(brute, state, s)))
    s++;
  if (s == company->step_count) {
    choose_blocks(brute, choice);
    return;
  }
  struct progress *step = &state->steps[s];
  const struct progress before = *step;
  const struct company_step *of = &company->steps[s];
  const uint8_t left = of->beside ? 0 : before.stage == HELD ? of->gap : before.left;
  *step = (struct progress){RELEASED, of->cycles,
                            of->kind == WB_STEP_LAUNCH ? kernel_of(brute, s)->blocks : 0, 0};
  choose_releases(brute, choice, s + 1);
  *step = before;
  /* One that is not late comes no later than the graph. */
  if (of->beside ? of->late || !state->begun : left > 0) {
    *step = before;
    if (!of->beside)
      *step = (struct progress){GAP, left, 0, 0};
    choose_releases(brute, choice, s + 1);
    *step = before;
  }
}

/* Ends what is over. */
static void settle(const struct company_brute *brute, struct state *state)
{
  for (unsigned s = 0; s < brute->company->step_count; s++) {
    if (state->steps[s].stage == RELEASED && brute->company->steps[s].kind == WB_STEP_LAUNCH &&
        launch_is_over(state, s))
      state->steps[s].stage = ENDED;
  }
}

/* ---- states ---- */

static uint64_t hash_of(const struct state *state)
{
  const unsigned char *bytes = (const unsigned char *)state;
  uint64_t hash = 14695981039346656037U;
  for (size_t i = 0; i < sizeof *state; i += sizeof(uint64_t)) {
    const size_t rest = sizeof *state - i;
    uint64_t word = 0;
    memcpy(&word, bytes + i, rest < sizeof word ? rest : sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

static struct entry *find(struct company_brute *brute, const struct state *state)
{
  size_t at = hash_of(state) % brute->slots;
  while (brute->entries[at].generation == brute->generation &&
         memcmp(&brute->entries[at].state, state, sizeof *state) != 0)
    at = (at + 1) % brute->slots;
  return &brute->entries[at];
}

static uint32_t longest(struct company_brute *brute, const struct state *from)
{
  struct choice choice = {.state = *from};
  settle(brute, &choice.state);
  if (is_timed(brute, &choice.state) && graph_is_over(brute, &choice.state))
    return 0;
  const struct state key = choice.state;
  struct entry *entry = find(brute, &key);
  if (entry->generation == brute->generation) {
    /* A state before the graph that comes again: nothing begins meanwhile. */
    return entry->longest == UINT32_MAX ? 0 : entry->longest;
  }
  if (brute->used >= brute->limit || brute->depth >= DEPTH_LIMIT) {
    brute->failed = true;
    return 0;
  }
  brute->used++;
  entry->state = key;
  entry->generation = brute->generation;
  entry->longest = UINT32_MAX;
  brute->depth++;
  const unsigned frames = brute->company->frames > 1 ? brute->company->frames : 1;
  if (key.begun < frames && (key.begun == 0 || key.since >= brute->company->period)) {
    choose_releases(brute, &choice, 0);
    choice.state = key;
    choice.state.begun++;
    choice.state.since = 0;
  }
  choose_releases(brute, &choice, 0);
  brute->depth--;
  find(brute, &key)->longest = choice.best;
  return choice.best;
}

struct company_brute *company_brute_start(size_t state_limit)
{
  struct company_brute *brute = calloc(1, sizeof *brute);
  if (brute == NULL)
    return NULL;
  *brute = (struct company_brute){.slots = 2 * state_limit + 1, .limit = state_limit};
  brute->entries = calloc(brute->slots, sizeof *brute->entries);
  if (brute->entries == NULL) {
    free(brute);
    return NULL;
  }
  return brute;
}

bool company_brute_worst(struct company_brute *brute, const struct company *company,
                         uint32_t *cycles)
{
  struct state state;
  memset(&state, 0, sizeof state);
  brute->company = company;
  brute->generation++;
  brute->used = 0;
  brute->work = 0;
  brute->depth = 0;
  brute->failed = false;
  state.begun = !company->early;
  *cycles = longest(brute, &state);
  return !brute->failed;
}

void company_brute_free(struct company_brute *brute)
{
  if (brute != NULL)
    free(brute->entries);
  free(brute);
}
