#include "launch_reference.h"

#include <string.h>

#define COMPOSITE_LIMIT 4096u
#define STEP_LIMIT (TINY_LENGTH * 8u)

/* One composite path: a phase of some path after the other. */
struct composite {
  uint8_t step[STEP_LIMIT];
  uint8_t owner[STEP_LIMIT]; /* the path that it is of */
  uint32_t length;
  bool early_end[STEP_LIMIT]; /* the last step of a warp that ends before a barrier */
};

struct sums {
  const struct tiny_launch *launch;
  enum launch_slip slip;
  int64_t denominator;
  int64_t phases;
};

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static const struct wb_timed_instruction *at(const struct tiny_launch *launch, uint8_t instruction)
{
  return &launch->code.instructions[instruction];
}

static const struct wb_resource *resource_of(const struct tiny_launch *launch, uint8_t resource)
{
  return &launch->code.resources[resource];
}

/* ---- what a warp blocks ---- */

/* Which resources count. */
struct scope {
  bool partition, sm, gpu;
  bool partition_requests; /* requests to a partition's resources */
};

static bool counts(const struct tiny_launch *launch, const struct scope *scope, uint8_t resource)
{
  const struct wb_resource *r = resource_of(launch, resource);
  switch (r->level) {
  case WB_LEVEL_PARTITION:
    return r->at_issue ? scope->partition : scope->partition_requests;
  case WB_LEVEL_SM:
    return scope->sm;
  default:
    return scope->gpu;
  }
}

static int64_t hold(const struct sums *sums, const struct scope *scope,
                    const struct wb_timed_instruction *instruction)
{
  int64_t sum = 0;
  for (uint32_t cycle = 0;; cycle++) {
    int64_t most = 0;
    for (uint32_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &sums->launch->code.uses[instruction->first_use + u];
      if (use->service > cycle && counts(sums->launch, scope, use->resource))
        most = larger(most, sums->denominator / resource_of(sums->launch, use->resource)->servers);
    }
    if (most == 0)
      return sum;
    sum += most;
  }
}

static int64_t requests_of(const struct sums *sums, const struct scope *scope,
                           const struct wb_timed_instruction *instruction)
{
  int64_t sum = 0;
  for (uint32_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &sums->launch->code.stages[instruction->first_stage + s];
    if (counts(sums->launch, scope, stage->resource))
      sum += (int64_t)stage->requests * stage->service * sums->denominator /
             resource_of(sums->launch, stage->resource)->servers;
  }
  return sum;
}

/* The sum over a stretch of a path, by phase and in all. */
static int64_t blocked_by(const struct sums *sums, const struct scope *scope,
                          const struct composite *path, int64_t *longest_phase)
{
  int64_t sum = 0;
  int64_t phase = 0;
  for (uint32_t i = 0; i < path->length; i++) {
    const struct wb_timed_instruction *instruction = at(sums->launch, path->step[i]);
    const int64_t cost = hold(sums, scope, instruction) + requests_of(sums, scope, instruction);
    sum += cost;
    phase += cost;
    *longest_phase = larger(*longest_phase, phase);
    if (instruction->barrier)
      phase = 0;
  }
  return sum;
}

/* ---- the longest chain of a path ---- */

/* Service of a request on a chain. */
static int64_t service_on_chain(const struct sums *sums, const struct wb_request_stage *stage)
{
  const int64_t servers = resource_of(sums->launch, stage->resource)->servers;
  const int64_t full = (int64_t)stage->service * sums->denominator;
  if (sums->slip == SLIP_OWN_REQUESTS || (sums->slip == SLIP_OWN_SHARED && servers > 1))
    return full;
  return full - full / servers;
}

static int64_t stages_until(const struct sums *sums, const struct wb_timed_instruction *instruction,
                            uint32_t stages)
{
  int64_t sum = 0;
  for (uint32_t s = 0; s < stages; s++) {
    const struct wb_request_stage *stage = &sums->launch->code.stages[instruction->first_stage + s];
    sum += (int64_t)stage->delay * sums->denominator + service_on_chain(sums, stage);
  }
  return sum;
}

static int64_t results_after(const struct sums *sums,
                             const struct wb_timed_instruction *instruction)
{
  return stages_until(sums, instruction, instruction->stage_count) +
         (int64_t)instruction->latency * sums->denominator;
}

static int64_t read_after(const struct sums *sums, const struct wb_timed_instruction *instruction)
{
  return stages_until(sums, instruction, instruction->read_stages) +
         (int64_t)instruction->read_latency * sums->denominator;
}

static bool waits_for(const struct wb_timed_instruction *instruction, uint8_t scoreboard)
{
  return scoreboard != WB_NO_SCOREBOARD && ((instruction->wait_mask >> scoreboard & 1) != 0 ||
                                            instruction->counted_scoreboard == scoreboard);
}

/* From an issue to that of a later instruction; a scoreboard is one warp's. */
static int64_t step_between(const struct sums *sums, const struct wb_timed_instruction *from,
                            const struct wb_timed_instruction *to, bool one_warp)
{
  int64_t longest = 0;
  if (one_warp && waits_for(to, from->write_scoreboard))
    longest = larger(longest, results_after(sums, from));
  if (one_warp && waits_for(to, from->read_scoreboard))
    longest = larger(longest, read_after(sums, from));
  for (uint32_t a = 0; sums->slip != SLIP_OWN_SERVICES && a < from->use_count; a++) {
    const struct wb_issue_use *use = &sums->launch->code.uses[from->first_use + a];
    for (uint32_t b = 0; b < to->use_count; b++) {
      if (sums->launch->code.uses[to->first_use + b].resource == use->resource)
        longest = larger(longest, (int64_t)use->service * sums->denominator);
    }
  }
  return longest;
}

static int64_t end_after(const struct sums *sums, const struct wb_timed_instruction *instruction)
{
  int64_t longest =
      larger((int64_t)instruction->stall * sums->denominator, results_after(sums, instruction));
  if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
    longest = larger(longest, read_after(sums, instruction));
  for (uint32_t u = 0; u < instruction->use_count; u++)
    longest = larger(longest, (int64_t)sums->launch->code.uses[instruction->first_use + u].service *
                                  sums->denominator);
  return longest;
}

/* The end of all that the warp of step number `last` made up to it. */
static int64_t end_of_warp(const struct sums *sums, const struct composite *path,
                           const int64_t *issue, uint32_t last)
{
  int64_t end = 0;
  for (uint32_t j = last + 1; j-- > 0 && path->owner[j] == path->owner[last];)
    end = larger(end, issue[j] + end_after(sums, at(sums->launch, path->step[j])));
  return end;
}

static int64_t longest_chain(const struct sums *sums, const struct composite *path)
{
  int64_t issue[STEP_LIMIT];
  for (uint32_t j = 0; j < path->length; j++) {
    const struct wb_timed_instruction *to = at(sums->launch, path->step[j]);
    issue[j] = j == 0 ? 0
                      : issue[j - 1] +
                            (int64_t)at(sums->launch, path->step[j - 1])->stall * sums->denominator;
    if (sums->launch->late_ends && j > 0 && path->early_end[j - 1])
      issue[j] = larger(issue[j], end_of_warp(sums, path, issue, j - 1));
    /* A warp that the chain follows past a barrier is the chain's in all phases between. */
    bool one_warp = true;
    for (uint32_t i = j; i-- > 0;) {
      one_warp = one_warp && path->owner[i] == path->owner[j];
      issue[j] = larger(
          issue[j], issue[i] + step_between(sums, at(sums->launch, path->step[i]), to, one_warp));
    }
  }
  /* The last event is of the warp that is followed through the last phase. */
  return path->length > 0 ? end_of_warp(sums, path, issue, path->length - 1) : 0;
}

static int64_t own_requests(const struct sums *sums, const struct composite *path, bool gpu)
{
  int64_t sum = 0;
  for (uint32_t i = 0; sums->slip != SLIP_OWN_REQUESTS && i < path->length; i++) {
    const struct wb_timed_instruction *instruction = at(sums->launch, path->step[i]);
    for (uint32_t s = 0; s < instruction->stage_count; s++) {
      const struct wb_request_stage *stage =
          &sums->launch->code.stages[instruction->first_stage + s];
      const struct wb_resource *resource = resource_of(sums->launch, stage->resource);
      if ((gpu || resource->level != WB_LEVEL_GPU) &&
          (sums->slip != SLIP_OWN_SHARED || resource->servers == 1))
        sum += (int64_t)stage->requests * stage->service * sums->denominator / resource->servers;
    }
  }
  return sum;
}

/* ---- maxima ---- */

static void add_path(const struct sums *sums, const struct composite *path,
                     struct launch_reference *reference)
{
  const bool barriers = reference->phases > 1;
  const struct scope all = {true, true, true, true};
  const struct scope partition = {true, true, false, true};
  const struct scope alone_others = {false, true, true, barriers};
  const struct scope others = {false, true, false, barriers};
  const struct scope units = {true, false, false, !barriers};
  const int64_t chain = longest_chain(sums, path);
  int64_t unused = 0;
#define KEEP(name, value) reference->name = larger(reference->name, value)
  KEEP(alone_own, chain + own_requests(sums, path, true));
  KEEP(own, chain + own_requests(sums, path, false));
  KEEP(alone_partition, blocked_by(sums, &all, path, &unused));
  KEEP(alone_others, blocked_by(sums, &alone_others, path, &unused));
  KEEP(partition, blocked_by(sums, &partition, path, &unused));
  KEEP(others, blocked_by(sums, &others, path, &unused));
  KEEP(units, blocked_by(sums, &units, path, &reference->phase_units));
#undef KEEP
}

static int64_t phases_of(const struct tiny_launch *launch, size_t path)
{
  int64_t phases = 1;
  for (uint32_t i = 0; i < launch->paths[path].length; i++)
    phases += at(launch, launch->paths[path].step[i])->barrier;
  return phases;
}

/* Phase `phase` and later, each from any path that a warp of the block may take. */
static bool add_composites(const struct sums *sums, struct composite *path, uint32_t phase,
                           uint32_t *left, struct launch_reference *reference)
{
  const struct tiny_launch *launch = sums->launch;
  if (phase == sums->phases) {
    add_path(sums, path, reference);
    return --*left > 0;
  }
  const uint32_t length = path->length;
  for (size_t p = 0; p < launch->path_count; p++) {
    uint32_t passed = 0;
    path->length = length;
    /* A block of one warp has one path. */
    if (launch->shape.block_warps == 1 && length > 0 && p != path->owner[0])
      continue;
    /* With as many phases, or such that the warp ends in this one, or before the last. */
    const int64_t phases = phases_of(launch, p);
    if (phases != sums->phases &&
        (sums->slip == SLIP_EARLY_ENDS || launch->early == TINY_NONE_EARLY || phases <= phase ||
         (launch->early == TINY_EARLY_FIRST && phases != 1)))
      continue;
    for (uint32_t i = 0; i < launch->paths[p].length && passed <= phase; i++) {
      if (passed == phase) {
        path->owner[path->length] = (uint8_t)p;
        path->early_end[path->length] =
            i + 1U == launch->paths[p].length && phase + 1 < sums->phases;
        path->step[path->length++] = launch->paths[p].step[i];
      }
      passed += at(launch, launch->paths[p].step[i])->barrier;
    }
    if (!add_composites(sums, path, phase + 1, left, reference))
      return false;
  }
  path->length = length;
  return true;
}

/* What is counted on whole paths, each of one warp: work for the GPU. */
static void add_single_paths(const struct sums *sums, struct launch_reference *reference)
{
  const struct scope gpu = {false, false, true, false};
  const bool chains = sums->slip == SLIP_COMPOSITE;
  if (chains)
    reference->alone_own = reference->own = 0;
  for (size_t p = 0; p < sums->launch->path_count; p++) {
    struct composite path = {.length = sums->launch->paths[p].length};
    int64_t unused = 0;
    memcpy(path.step, sums->launch->paths[p].step, path.length);
    reference->gpu = larger(reference->gpu, blocked_by(sums, &gpu, &path, &unused));
    if (!chains)
      continue;
    const int64_t chain = longest_chain(sums, &path);
    reference->alone_own = larger(reference->alone_own, chain + own_requests(sums, &path, true));
    reference->own = larger(reference->own, chain + own_requests(sums, &path, false));
  }
}

static int64_t longest_unit(const struct tiny_launch *launch)
{
  int64_t longest = 1;
  for (size_t p = 0; p < launch->path_count; p++) {
    for (uint32_t i = 0; i < launch->paths[p].length; i++) {
      const struct wb_timed_instruction *instruction = at(launch, launch->paths[p].step[i]);
      for (uint32_t u = 0; u < instruction->use_count; u++) {
        const struct wb_issue_use *use = &launch->code.uses[instruction->first_use + u];
        if (resource_of(launch, use->resource)->level == WB_LEVEL_PARTITION)
          longest = larger(longest, use->service);
      }
    }
  }
  return longest - 1;
}

bool launch_reference_find(const struct tiny_launch *launch, enum launch_slip slip,
                           struct launch_reference *reference)
{
  *reference = (struct launch_reference){.denominator = 1, .phases = 1};
  for (size_t r = 0; r < launch->code.resource_count; r++) {
    int64_t b = launch->code.resources[r].servers;
    int64_t multiple = reference->denominator;
    while (multiple % b != 0)
      multiple += reference->denominator;
    reference->denominator = multiple;
  }
  for (size_t p = 0; p < launch->path_count; p++)
    reference->phases = larger(reference->phases, phases_of(launch, p));
  struct sums sums = {launch, slip, reference->denominator, reference->phases};
  uint32_t left = COMPOSITE_LIMIT;
  for (; sums.phases > 0; sums.phases--) {
    struct composite path = {.length = 0};
    if (!add_composites(&sums, &path, 0, &left, reference))
      return false;
  }
  sums.phases = reference->phases;
  add_single_paths(&sums, reference);
  const int64_t start = launch->shape.block_start * reference->denominator;
  reference->alone_own += start;
  reference->own += start;
  reference->longest_unit = reference->phases > 1 ? longest_unit(launch) : 0;
  return true;
}

/* ---- theorems ---- */

/* The letters of the page. */
struct letters {
  int64_t w, f, R, N;
  int64_t own, X, O, M, e;
};

static int64_t slot_time(const struct letters *l, bool pairs, int64_t h)
{
  return pairs ? h * l->own + (l->N - h) * (l->O + (l->f - 1) * l->e) +
                     (l->R - 1) * (l->f * h - 1) * l->M
               : h * l->own + (l->N - h) * l->w * l->X;
}

/* S1 or S2 in its h. */
static int64_t slot_most(const struct letters *l, bool pairs)
{
  const int64_t low = l->N / l->R;
  const bool falls = slot_time(l, pairs, low + 1) < slot_time(l, pairs, low);
  return slot_time(l, pairs, falls ? (l->N + l->R - 1) / l->R : low);
}

static uint64_t whole(int64_t numerator, int64_t denominator)
{
  return (uint64_t)(numerator / denominator);
}

uint64_t launch_reference_bound(const struct tiny_launch *launch,
                                const struct launch_reference *reference, enum launch_slip slip)
{
  const struct wb_launch_shape *shape = &launch->shape;
  const int64_t d = reference->denominator;
  const int64_t B = (int64_t)shape->blocks;
  const int64_t m = shape->sms;
  const int64_t w = shape->block_warps;
  const int64_t P = shape->partitions;
  const int64_t w_P = (w + P - 1) / P;
  const int64_t X = reference->partition;
  const int64_t Y = reference->others;
  struct letters l = {
      .w = w, .f = reference->phases, .R = shape->resident_blocks, .N = (B - 1) / m};
  l.X = X;
  l.e = slip == SLIP_PARTITIONS ? 0 : reference->longest_unit * d;
  l.own = reference->own + (w_P - 1) * X + (w - w_P) * Y;
  l.O = w_P * X + (w - w_P) * Y;
  l.M = slip == SLIP_PARTITIONS ? 0 : w_P * reference->phase_units + l.e;
  const int64_t through = l.O + (l.f - 1) * (l.M + l.e);
  const int64_t met = w * X < through ? w * X : through;
  const int64_t gpu = B * (w * reference->gpu + (int64_t)shape->dispatch * d);
  const int64_t beside = (B <= m * l.R && B < l.R ? B : l.R) - 1;
  int64_t rest = beside * met + gpu;
  if (B > m * l.R) {
    const int64_t all_warps = slot_most(&l, false);
    const int64_t pairs = slot_most(&l, true);
    rest += all_warps < pairs ? all_warps : pairs;
  }
  uint64_t bound = slip == SLIP_FLOORS ? whole(l.own, d) + whole(rest, d) : whole(l.own + rest, d);
  if (B == 1) {
    const int64_t block_own = reference->alone_own + (int64_t)shape->dispatch * d;
    const int64_t other_warps =
        (w_P - 1) * reference->alone_partition + (w - w_P) * reference->alone_others;
    const uint64_t alone = slip == SLIP_FLOORS ? whole(block_own, d) + whole(other_warps, d)
                                               : whole(block_own + other_warps, d);
    bound = alone < bound ? alone : bound;
  }
  return bound;
}
