#include "sm/bounds/sm_bounds.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the phases of a problem ---- */

/* Where in a string the next phase begins: run `run`, of which `used` letters are cut off. */
struct place {
  size_t run;
  size_t used;
};

/* hashes: of the phases found; table: finds them. */
struct cutting {
  const struct wb_sm_problem *problem;
  struct wb_sm_phases *phases;
  struct place *places;
  uint64_t *hashes;
  size_t hash_capacity;
  struct wb_hash_table table;
};

struct sought {
  const struct wb_sm_problem *phase;
  uint64_t hash;
};

/* The next phase of each string: its letters up to and with the next B, which is an N here, or to
 * the end. Empty ones and those that are there already are left out. */
static warpbound_status cut_phase(struct cutting *cutting, struct wb_sm_problem *phase,
                                  warpbound_error *error)
{
  *phase = *cutting->problem;
  phase->string_count = 0;
  phase->strings = wb_allocate(cutting->problem->string_count, sizeof *phase->strings);
  warpbound_status status = phase->strings != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t s = 0; s < cutting->problem->string_count && status == WARPBOUND_OK; s++) {
    const struct wb_kernel_string *string = &cutting->problem->strings[s];
    struct wb_kernel_string *cut = &phase->strings[phase->string_count];
    struct place *place = &cutting->places[s];
    bool ends = false; /* at a B */
    while (place->run < string->run_count && !ends && status == WARPBOUND_OK) {
      const struct wb_run *run = &string->runs[place->run];
      ends = run->unit == WB_UNIT_BARRIER;
      place->used += ends ? 1 : run->length;
      status = wb_kernel_string_append(cut, ends ? WB_UNIT_NONE : run->unit, ends ? 1 : run->length,
                                       WB_NORMALISED_LIMIT, error);
      if (place->used == run->length)
        *place = (struct place){place->run + 1, 0};
    }
    bool needed = status == WARPBOUND_OK && cut->length > 0;
    for (size_t o = 0; o < phase->string_count && needed; o++)
      needed = !wb_kernel_string_equal(&phase->strings[o], cut);
    if (needed) {
      phase->string_count++;
    } else {
      wb_kernel_string_free(cut);
      *cut = (struct wb_kernel_string){0};
    }
  }
  if (status != WARPBOUND_OK)
    wb_sm_problem_free(phase);
  return status;
}

static uint64_t hash_of_index(const void *items, uint32_t index)
{
  const struct cutting *cutting = items;
  return cutting->hashes[index];
}

static bool same_phases(const void *items, uint32_t index, const void *key)
{
  const struct cutting *cutting = items;
  const struct sought *sought = key;
  const struct wb_sm_problem *known = &cutting->phases->problems[index];
  if (cutting->hashes[index] != sought->hash || known->string_count != sought->phase->string_count)
    return false;
  for (size_t s = 0; s < known->string_count; s++) {
    if (!wb_kernel_string_equal(&known->strings[s], &sought->phase->strings[s]))
      return false;
  }
  return true;
}

/* Counts a phase that is there already, or takes it over. */
static warpbound_status keep(struct cutting *cutting, struct wb_sm_problem *phase,
                             warpbound_error *error)
{
  struct wb_sm_phases *phases = cutting->phases;
  if (!wb_grow(phases->problems, &phases->capacity, phases->count + 1) ||
      !wb_grow(phases->times, &phases->times_capacity, phases->count + 1) ||
      !wb_grow(cutting->hashes, &cutting->hash_capacity, phases->count + 1) ||
      !wb_hash_table_grow(&cutting->table, phases->count, hash_of_index, cutting)) {
    wb_sm_problem_free(phase);
    return wb_out_of_memory(error);
  }
  uint64_t hash = phase->string_count;
  for (size_t s = 0; s < phase->string_count; s++) {
    for (size_t r = 0; r < phase->strings[s].run_count; r++)
      hash = wb_hash_word(wb_hash_word(hash, phase->strings[s].runs[r].unit),
                          phase->strings[s].runs[r].length);
    hash = wb_hash_word(hash, WB_UNIT_COUNT);
  }
  const struct sought sought = {phase, hash};
  uint32_t *slot = wb_hash_table_slot(&cutting->table, hash, same_phases, cutting, &sought);
  if (*slot != 0) {
    phases->times[*slot - 1]++;
    wb_sm_problem_free(phase);
    return WARPBOUND_OK;
  }
  *slot = (uint32_t)phases->count + 1;
  cutting->hashes[phases->count] = hash;
  phases->problems[phases->count] = *phase;
  phases->times[phases->count++] = 1;
  return WARPBOUND_OK;
}

warpbound_status wb_sm_phases_cut(const struct wb_sm_problem *problem, struct wb_sm_phases *phases,
                                  warpbound_error *error)
{
  *phases = (struct wb_sm_phases){0};
  struct cutting cutting = {.problem = problem,
                            .phases = phases,
                            .places = wb_allocate(problem->string_count, sizeof *cutting.places)};
  warpbound_status status = cutting.places != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  const size_t all = problem->strings[0].count[WB_UNIT_BARRIER] + 1;
  for (size_t k = 0; k < all && status == WARPBOUND_OK; k++) {
    struct wb_sm_problem phase;
    status = cut_phase(&cutting, &phase, error);
    if (status == WARPBOUND_OK && phase.string_count > 0)
      status = keep(&cutting, &phase, error);
    else if (status == WARPBOUND_OK)
      wb_sm_problem_free(&phase);
  }
  free(cutting.places);
  free(cutting.hashes);
  wb_hash_table_free(&cutting.table);
  if (status != WARPBOUND_OK)
    wb_sm_phases_free(phases);
  return status;
}

void wb_sm_phases_free(struct wb_sm_phases *phases)
{
  for (size_t i = 0; i < phases->count; i++)
    wb_sm_problem_free(&phases->problems[i]);
  free(phases->problems);
  free(phases->times);
  *phases = (struct wb_sm_phases){0};
}

/* ---- the closed form ---- */

/* Largest common denominator; beyond it weights are rounded up, which is safe. */
#define DENOMINATOR_LIMIT (UINT64_C(1) << 32)

struct population {
  uint64_t block;  /* warps of a block */
  uint64_t most;   /* of them in one partition */
  uint64_t others; /* warps of the SM but one */
};

/* ---- weights ---- */

/* Weights of instructions by type: how long one of them holds another warp up, in parts of a cycle.
 * Invariant: 0 <= outside <= inside <= denominator. */
struct weights {
  uint64_t denominator;            /* parts of a cycle */
  uint64_t inside[WB_UNIT_COUNT];  /* issued in the partition of the warp that waits */
  uint64_t outside[WB_UNIT_COUNT]; /* issued in another partition */
  bool capped;                /* the issue slots of a partition can run out while units are free */
  bool blocks[WB_UNIT_COUNT]; /* the other warps can take all units of the type */
};

/* The largest values that paths of a warp have in one phase (what stands between two barriers, the
 * B that ends it included) or in the whole; each by itself, they may be of several paths. Values
 * may be larger than the true maxima, never smaller. All but the first two are in parts of a cycle,
 * summed over the path's instructions. */
struct work {
  uint64_t length;               /* in instructions */
  uint64_t count[WB_UNIT_COUNT]; /* in instructions of each type */
  uint64_t inside;
  uint64_t outside;
  uint64_t excess; /* inside less outside */
  uint64_t spare;  /* one cycle less inside */
};

static uint64_t common_denominator(uint64_t denominator, uint64_t service)
{
  assert(service > 0);
  uint64_t common;
  uint64_t divisor = wb_greatest_common_divisor(denominator, service);
  return wb_multiply(denominator / divisor, service, &common)
             ? wb_minimum(common, DENOMINATOR_LIMIT)
             : DENOMINATOR_LIMIT;
}

static struct weights weights_of(const struct wb_sm_problem *problem)
{
  const uint64_t others = wb_sm_problem_warps(problem) - (uint64_t)1;
  const uint64_t beside =
      problem->blocks * wb_divide_up(problem->block_warps, problem->partitions) - 1;
  bool used[WB_UNIT_COUNT] = {
      0}; /* by some string; the B that ends a phase is an N of that phase */
  for (size_t s = 0; s < problem->string_count; s++) {
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
      used[u] = used[u] || problem->strings[s].count[u] > 0;
  }
  used[WB_UNIT_NONE] = used[WB_UNIT_NONE] || used[WB_UNIT_BARRIER];
  uint64_t units_of_all = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    units_of_all += used[u] ? problem->capacity[u] : 0;
  struct weights weights = {.denominator = 1,
                            .capped = problem->issue_slots < wb_minimum(units_of_all, beside + 1)};
  uint64_t service[WB_UNIT_COUNT];
  bool weighs[WB_UNIT_COUNT]; /* N and B, one of which may stand for the other, where slots run out
                               */
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    const uint64_t units = problem->capacity[u];
    weights.blocks[u] = used[u] && units <= (problem->shared[u] ? others : beside);
    service[u] = weights.capped ? wb_minimum(units, problem->issue_slots) : units;
    weighs[u] = weights.blocks[u] || (weights.capped && (used[u] || u >= WB_UNIT_NONE));
    if (weighs[u])
      weights.denominator = common_denominator(weights.denominator, service[u]);
    if (weights.blocks[u])
      weights.denominator = common_denominator(weights.denominator, units);
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (weighs[u])
      weights.inside[u] = wb_divide_up(weights.denominator, service[u]);
    if (weights.blocks[u] && problem->shared[u])
      weights.outside[u] = wb_divide_up(weights.denominator, problem->capacity[u]);
  }
  return weights;
}

/* ---- the work of a path ---- */

static bool add_product(uint64_t *sum, uint64_t times, uint64_t value)
{
  uint64_t product;
  return wb_multiply(times, value, &product) && wb_add(*sum, product, sum);
}

/* The maxima over a problem's strings. */
static warpbound_status work_of(const struct weights *weights, const struct wb_sm_problem *problem,
                                struct work *most, warpbound_error *error)
{
  *most = (struct work){0};
  for (size_t s = 0; s < problem->string_count; s++) {
    const size_t *count = problem->strings[s].count;
    struct work path = {0};
    bool fits = true;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t inside = weights->inside[u];
      uint64_t outside = weights->outside[u];
      fits = fits && wb_add(path.length, count[u], &path.length) &&
             add_product(&path.inside, count[u], inside) &&
             add_product(&path.outside, count[u], outside) &&
             add_product(&path.excess, count[u], inside - outside) &&
             add_product(&path.spare, count[u], weights->denominator - inside);
      most->count[u] = wb_maximum(most->count[u], count[u]);
    }
    if (!fits)
      return wb_bound_overflow(error);
    most->length = wb_maximum(most->length, path.length);
    most->inside = wb_maximum(most->inside, path.inside);
    most->outside = wb_maximum(most->outside, path.outside);
    most->excess = wb_maximum(most->excess, path.excess);
    most->spare = wb_maximum(most->spare, path.spare);
  }
  return WARPBOUND_OK;
}

/* ---- sums ---- */

/* whole + parts / denominator cycles; parts may reach beyond one cycle until it is settled. */
struct sum {
  uint64_t denominator;
  uint64_t whole;
  uint64_t parts;
  bool fits;
};

static void add_times(struct sum *sum, uint64_t times, uint64_t value)
{
  sum->fits = sum->fits && add_product(&sum->whole, times, value / sum->denominator) &&
              add_product(&sum->parts, times, value % sum->denominator) &&
              wb_add(sum->whole, sum->parts / sum->denominator, &sum->whole);
  sum->parts %= sum->denominator;
}

static void add_sum(struct sum *sum, uint64_t times, const struct sum *other)
{
  sum->fits = sum->fits && other->fits && add_product(&sum->whole, times, other->whole);
  add_times(sum, times, other->parts);
}

static const struct sum *smaller(const struct sum *a, const struct sum *b)
{
  if (!a->fits || !b->fits)
    return a->fits ? a : b;
  if (a->whole != b->whole)
    return a->whole < b->whole ? a : b;
  return a->parts <= b->parts ? a : b;
}

/* ---- the bound ---- */

/* A value of a phase, and in how many phases. */
struct repeated {
  uint64_t value;
  uint64_t times;
};

/* The input of a bound: the largest work of paths in each phase, of which phase k stands times[k]
 * times in a path (NULL: once each), and in the whole. changes: one less than the phases in all.
 * again: working memory, a value of each phase. */
struct form {
  const struct wb_sm_problem *problem;
  const struct weights *weights;
  const struct work *phases;
  const uint64_t *times;
  size_t phase_count;
  uint64_t changes;
  const struct work *whole;
  struct population population;
  struct repeated *again;
};

static uint64_t times_of(const struct form *form, size_t phase)
{
  return form->times != NULL ? form->times[phase] : 1;
}

static int descending(const void *a, const void *b)
{
  uint64_t x = ((const struct repeated *)a)->value;
  uint64_t y = ((const struct repeated *)b)->value;
  return (x < y) - (x > y);
}

/* The additional cost of the warps of a partition of another block, as the chain's changes of
 * partition let it meet a phase of that block in further partitions: the largest values of the
 * phases, one for each change, each as often as there are further partitions. form->again holds the
 * phases'. */
static void add_changes(const struct form *form, struct sum *sum)
{
  uint64_t further =
      wb_minimum(form->problem->partitions, form->problem->block_warps) - (uint64_t)1;
  uint64_t left = form->changes;
  if (further == 0 || left == 0)
    return;
  qsort(form->again, form->phase_count, sizeof *form->again, descending);
  for (size_t j = 0; left > 0 && j < form->phase_count; j++) {
    uint64_t all;
    if (!wb_multiply(further, form->again[j].times, &all))
      all = UINT64_MAX;
    uint64_t times = wb_minimum(all, left);
    left -= times;
    if (!wb_multiply(times, form->population.most, &times))
      sum->fits = false;
    add_times(sum, times, form->again[j].value);
  }
}

/* Adds `warps` warps' value of a phase, as often as it stands in a path. */
static void add_phase(const struct form *form, struct sum *sum, size_t phase, uint64_t warps,
                      uint64_t value)
{
  uint64_t times;
  if (!wb_multiply(warps, times_of(form, phase), &times))
    sum->fits = false;
  else
    add_times(sum, times, value);
}

/* own + (K - 1) other blocks, one floor over all of it. */
static struct sum one_floor(const struct form *form)
{
  const struct population *population = &form->population;
  struct sum sum = {.denominator = form->weights->denominator, .fits = true};
  for (size_t k = 0; k < form->phase_count; k++) /* the longest way through all phases */
    sum.fits = sum.fits && add_product(&sum.whole, times_of(form, k), form->phases[k].length);
  for (size_t k = 0; k < form->phase_count; k++) {
    add_phase(form, &sum, k, population->most - 1, form->phases[k].inside);
    add_phase(form, &sum, k, population->block - population->most, form->phases[k].outside);
  }
  if (form->problem->blocks > 1) {
    /* Another block, met all the way by one chain, under one floor. */
    const struct sum zero = {.denominator = form->weights->denominator, .fits = true};
    struct sum by_phases = zero, by_paths = zero, all = zero;
    for (size_t j = 0; j < form->phase_count; j++) {
      add_phase(form, &by_phases, j, population->most, form->phases[j].inside);
      add_phase(form, &by_phases, j, population->block - population->most, form->phases[j].outside);
      add_phase(form, &by_paths, j, population->most, form->phases[j].excess);
      form->again[j] = (struct repeated){form->phases[j].excess, times_of(form, j)};
    }
    add_times(&by_paths, population->block, form->whole->outside);
    add_changes(form, &by_phases);
    add_changes(form, &by_paths);
    add_times(&all, population->block, form->whole->inside);
    add_sum(&sum, form->problem->blocks - 1, smaller(smaller(&by_phases, &by_paths), &all));
  }
  return sum;
}

/* A floor for each type: where no cap binds, the instructions of a type alone hold a warp up that
 * waits for it. */
static struct sum floor_for_each(const struct form *form)
{
  const struct population *population = &form->population;
  struct sum sum = {.denominator = 1, .fits = !form->weights->capped};
  for (size_t k = 0; k < form->phase_count; k++) /* the longest way through all phases */
    sum.fits = sum.fits && add_product(&sum.whole, times_of(form, k), form->phases[k].length);
  for (unsigned u = 0; u < WB_UNIT_COUNT && sum.fits; u++) {
    if (!form->weights->blocks[u])
      continue;
    /* Instructions by which the others hold up a chain: of its own block, and of another one. */
    const bool shared = form->problem->shared[u];
    struct sum own = {.denominator = 1, .fits = true};
    struct sum other = own, all = own;
    for (size_t k = 0; k < form->phase_count; k++) {
      uint64_t count = form->phases[k].count[u];
      add_phase(form, &own, k, (shared ? population->block : population->most) - 1, count);
      add_phase(form, &other, k, population->most, count);
      form->again[k] = (struct repeated){count, times_of(form, k)};
    }
    add_changes(form, &other);
    add_times(&all, population->block, form->whole->count[u]);
    add_sum(&own, form->problem->blocks - (uint64_t)1, shared ? &all : smaller(&other, &all));
    sum.fits = own.fits;
    add_times(&sum, 1, own.whole / form->problem->capacity[u]);
  }
  return sum;
}

/* The least of the bounds; UINT64_MAX: none fits. */
static uint64_t evaluate(const struct form *form)
{
  struct sum serial = {.denominator = 1, .fits = true}; /* in every cycle some warp issues */
  add_times(&serial, form->population.others + 1, form->whole->length);
  /* One partition: what all warps weigh, and what the chain takes beyond its own weight. */
  struct sum spare = {.denominator = form->weights->denominator,
                      .fits = form->problem->partitions == 1};
  add_times(&spare, form->population.others + 1, form->whole->inside);
  for (size_t k = 0; k < form->phase_count; k++)
    add_phase(form, &spare, k, 1, form->phases[k].spare);
  const struct sum sums[] = {serial, one_floor(form), spare, floor_for_each(form)};
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
    if (sums[i].fits)
      least = wb_minimum(least, sums[i].whole);
  }
  return least;
}

/* The closed form of a problem whose strings have these phases: an upper bound on the makespan of
 * every work-conserving schedule in which each warp takes any path. */
static warpbound_status closed_form(const struct wb_sm_problem *problem,
                                    const struct wb_sm_phases *phases, uint64_t *cycles,
                                    warpbound_error *error)
{
  const struct weights weights = weights_of(problem);
  const uint64_t most = wb_divide_up(problem->block_warps, problem->partitions);
  struct wb_arena arena = {0};
  struct work *work = wb_arena_array(&arena, struct work, phases->count);
  struct work whole;
  struct form form = {.problem = problem,
                      .weights = &weights,
                      .phases = work,
                      .times = phases->times,
                      .phase_count = phases->count,
                      .whole = &whole,
                      .population = {.block = problem->block_warps,
                                     .most = most,
                                     .others = wb_sm_problem_warps(problem) - (uint64_t)1},
                      .again = wb_arena_array(&arena, struct repeated, phases->count)};
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t k = 0; k < phases->count && status == WARPBOUND_OK; k++)
    status = work_of(&weights, &phases->problems[k], &work[k], error);
  if (status == WARPBOUND_OK)
    status = work_of(&weights, problem, &whole, error);
  if (status == WARPBOUND_OK) {
    for (size_t k = 0; k < phases->count; k++) {
      if (!wb_add(form.changes, times_of(&form, k), &form.changes))
        form.changes = UINT64_MAX;
    }
    form.changes--;
    *cycles = evaluate(&form);
    /* One block: its phases are over one after the other, and each is bounded by itself. */
    uint64_t sum = problem->blocks == 1 ? 0 : UINT64_MAX;
    for (size_t k = 0; k < phases->count && sum < UINT64_MAX; k++) {
      struct form one = form;
      one.phases = one.whole = &work[k];
      one.times = NULL;
      one.phase_count = 1;
      one.changes = 0;
      uint64_t least = evaluate(&one);
      if (least == UINT64_MAX || !add_product(&sum, times_of(&form, k), least))
        sum = UINT64_MAX;
    }
    *cycles = wb_minimum(*cycles, sum);
    status = *cycles < UINT64_MAX ? WARPBOUND_OK : wb_bound_overflow(error);
  }
  wb_arena_free(&arena);
  return status;
}

/* The least that every schedule takes where all warps run one string, in cycles, of the string
 * where that is most: some schedule of it exists. */
static warpbound_status largest_volume(const struct wb_sm_problem *problem, uint64_t *cycles,
                                       warpbound_error *error)
{
  const uint64_t partition_warps =
      problem->blocks * wb_divide_up(problem->block_warps, problem->partitions);
  uint64_t work;
  *cycles = 0;
  for (size_t s = 0; s < problem->string_count; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    if (!wb_multiply(partition_warps, string->length, &work))
      return wb_bound_overflow(error);
    *cycles = wb_maximum(*cycles, string->length);
    *cycles = wb_maximum(*cycles, wb_divide_up(work, problem->issue_slots));
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (!wb_multiply(problem->shared[u] ? wb_sm_problem_warps(problem) : partition_warps,
                       string->count[u], &work))
        return wb_bound_overflow(error);
      if (work > 0)
        *cycles = wb_maximum(*cycles, wb_divide_up(work, problem->capacity[u]));
    }
  }
  return WARPBOUND_OK;
}

warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error)
{
  *bounds = (struct wb_sm_bounds){0};
  struct wb_sm_phases phases;
  uint64_t longest = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    longest = wb_maximum(longest, problem->strings[s].length);
  warpbound_status status = wb_sm_phases_cut(problem, &phases, error);
  if (status == WARPBOUND_OK)
    /* In every cycle some warp of the SM issues. */
    status = wb_multiply(wb_sm_problem_warps(problem), longest, &bounds->serial)
                 ? WARPBOUND_OK
                 : wb_bound_overflow(error);
  if (status == WARPBOUND_OK)
    status = closed_form(problem, &phases, &bounds->closed_form, error);
  if (status == WARPBOUND_OK)
    status = largest_volume(problem, &bounds->lower, error);
  bounds->upper = wb_minimum(bounds->serial, bounds->closed_form);
  /* The sums over the phases of one block: no phase begins before the one before it is over. Each
   * is bounded from the weights of its own types. */
  const bool cut = problem->blocks == 1 && problem->strings[0].count[WB_UNIT_BARRIER] > 0;
  uint64_t lower = 0;
  for (size_t k = 0; cut && k < phases.count && status == WARPBOUND_OK; k++) {
    struct wb_sm_problem phase = phases.problems[k];
    struct wb_sm_phases alone = {.problems = &phase, .times = &(uint64_t){1}, .count = 1};
    uint64_t one = 0, least = 0;
    status = closed_form(&phase, &alone, &one, error);
    if (status == WARPBOUND_OK && problem->string_count == 1)
      status = largest_volume(&phase, &least, error);
    if (status == WARPBOUND_OK &&
        (!wb_multiply(phases.times[k], one, &one) ||
         !wb_add(bounds->phases, one, &bounds->phases) ||
         !wb_multiply(phases.times[k], least, &least) || !wb_add(lower, least, &lower)))
      status = wb_bound_overflow(error);
  }
  if (cut && status == WARPBOUND_OK) {
    bounds->upper = wb_minimum(bounds->upper, bounds->phases);
    bounds->lower = wb_maximum(bounds->lower, lower);
  }
  wb_sm_phases_free(&phases);
  return status;
}
