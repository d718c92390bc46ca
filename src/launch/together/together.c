/* Launches of several kernels on the same SMs: the theorem of doc/launches/together.md. */
#include "launch/together/together.h"

#include "base/arena.h"
#include "base/checked.h"

#include <string.h>

/* Numbers below are at least 0, and UINT64_MAX stands for all that do not fit: it is never less
 * than the true number. */

/* A question under way. */
struct work {
  const struct wb_together_question *question;
  const struct wb_mixes *mixes; /* with the size of shared memory of the piece */
  struct wb_arena arena;
  uint64_t denominator;
  struct wb_block_mix mix;      /* of the piece; its `rest` of all */
  struct wb_block_costs *costs; /* by kernel */
  bool *before;                 /* by step, by step: the second comes after the first */
  bool *lone;                   /* by step: a launch beside which no other can be */
  uint64_t *weight;             /* by step: what it adds to a path */
  uint64_t *beside;             /* by step: E of a launch */
  bool *company;     /* by step, by kernel: blocks of it can be beside one of the launch */
  bool *in_piece;    /* by kernel: the piece has launches of it that are not lone */
  size_t first, end; /* the piece: its steps */
  warpbound_error *error;
};

static size_t kernel_count(const struct work *work)
{
  return work->question->mixes->kernel_count;
}

static const struct wb_together_step *step_of(const struct work *work, size_t step)
{
  return &work->question->steps[step];
}

static bool is_launch(const struct work *work, size_t step)
{
  return step_of(work, step)->kind == WB_STEP_LAUNCH;
}

static bool is_beside(const struct work *work, size_t step)
{
  return step_of(work, step)->times > 0;
}

static uint64_t count_of(const struct work *work, size_t step)
{
  return wb_maximum(step_of(work, step)->times, 1);
}

static bool comes_before(const struct work *work, size_t a, size_t b)
{
  return work->before[a * work->question->step_count + b];
}

/* Whether two steps may be under way at one time. */
static bool parallel(const struct work *work, size_t a, size_t b)
{
  return a != b && !comes_before(work, a, b) && !comes_before(work, b, a);
}

static const struct wb_together_kernel *kernel_of(const struct work *work, size_t step)
{
  return &work->question->kernels[step_of(work, step)->kernel];
}

static const struct wb_launch_shape *shape_of(const struct work *work, size_t step)
{
  return kernel_of(work, step)->shape;
}

static struct wb_block_costs *costs_of(const struct work *work, size_t step)
{
  return &work->costs[step_of(work, step)->kernel];
}

/* ---- the graph ---- */

static warpbound_status find_order(struct work *work)
{
  const size_t count = work->question->step_count;
  for (size_t s = 0; s < count; s++) {
    const struct wb_together_step *step = step_of(work, s);
    for (size_t a = 0; a < step->after_count; a++) {
      const size_t earlier = step->after[a];
      if (earlier >= s || step->times > 0 || is_beside(work, earlier))
        return wb_fail(work->error, WARPBOUND_INVALID_INPUT,
                       "step %zu: expected to come after earlier steps of the graph alone", s + 1);
      work->before[earlier * count + s] = true;
      for (size_t e = 0; e < earlier; e++)
        work->before[e * count + s] |= work->before[e * count + earlier];
    }
  }
  for (size_t s = 0; s < count; s++) {
    work->lone[s] = is_launch(work, s) && !is_beside(work, s);
    for (size_t o = 0; o < count && work->lone[s]; o++)
      work->lone[s] = !(is_launch(work, o) && parallel(work, s, o));
  }
  return WARPBOUND_OK;
}

/* Which kernels' blocks may be beside one of the launch: of its own, and of launches that it may
 * run beside. */
static void find_company(struct work *work, size_t step)
{
  bool *company = &work->company[step * kernel_count(work)];
  company[step_of(work, step)->kernel] = true;
  for (size_t o = 0; o < work->question->step_count; o++) {
    if (is_launch(work, o) && parallel(work, step, o))
      company[step_of(work, o)->kernel] = true;
  }
}

/* E of the launch: the most that blocks beside one of it cost. */
static void find_beside(struct work *work, size_t step)
{
  const size_t kernels = kernel_count(work);
  const bool *company = &work->company[step * kernels];
  const size_t kernel = step_of(work, step)->kernel;
  uint64_t cost[WB_TOGETHER_KERNELS];
  for (size_t s = work->first; s < step; s++) {
    if (is_launch(work, s) && !work->lone[s] && step_of(work, s)->kernel == kernel &&
        memcmp(&work->company[s * kernels], company, kernels * sizeof *company) == 0) {
      work->beside[step] = work->beside[s];
      return;
    }
  }
  for (size_t j = 0; j < kernels; j++)
    cost[j] = wb_block_costs_beside(&work->costs[kernel], &work->costs[j], work->mix.rest);
  work->beside[step] = wb_mixes_most(work->mixes, company, kernel, cost);
}

/* E*: the most of E of the launch and of those of the graph that it may run beside. */
static uint64_t most_beside(const struct work *work, size_t step)
{
  uint64_t most = is_beside(work, step) ? 0 : work->beside[step];
  for (size_t o = work->first; o < work->end; o++) {
    if (is_launch(work, o) && !is_beside(work, o) && parallel(work, step, o))
      most = wb_maximum(most, work->beside[o]);
  }
  return most;
}

/* F: the most that blocks cost which are on an SM when the launch is released. */
static uint64_t most_there(const struct work *work, size_t step, enum wb_block_way way)
{
  bool members[WB_TOGETHER_KERNELS] = {false};
  uint64_t cost[WB_TOGETHER_KERNELS];
  for (size_t k = 0; k < kernel_count(work); k++) {
    const uint64_t waiting = work->costs[k].waiting[way];
    cost[k] = waiting == UINT64_MAX ? waiting : wb_divide_up(waiting, work->mix.least_full);
  }
  for (size_t o = work->first; o < work->end; o++) {
    if (is_launch(work, o) && (parallel(work, step, o) || (o == step && is_beside(work, o))))
      members[step_of(work, o)->kernel] = true;
  }
  return wb_mixes_most(work->mixes, members, WB_NO_KERNEL, cost);
}

/* ---- copies ---- */

/* Whether another copy may want the engine meanwhile: it then waits for its own and all others'
 * services together once, and no path needs its own. */
static bool shares_engine(const struct work *work, size_t step)
{
  const struct wb_together_step *copy = step_of(work, step);
  for (size_t o = 0; o < work->question->step_count; o++) {
    const struct wb_together_step *other = step_of(work, o);
    if (other->kind == WB_STEP_COPY && other->engine == copy->engine &&
        (parallel(work, step, o) || (o == step && copy->times > 0)))
      return true;
  }
  return false;
}

static bool meets_launches(const struct work *work, size_t step)
{
  for (size_t o = 0; o < work->question->step_count; o++) {
    if (is_launch(work, o) && parallel(work, step, o))
      return true;
  }
  return false;
}

/* What copies add that no path has: waits for engines, and the memory that launches wait for. */
static uint64_t copies_of(const struct work *work)
{
  uint64_t sum = 0;
  for (size_t s = work->first; s < work->end; s++) {
    const struct wb_together_step *copy = step_of(work, s);
    if (copy->kind != WB_STEP_COPY)
      continue;
    uint64_t cycles = shares_engine(work, s) ? copy->cycles : 0;
    cycles = wb_plus(cycles, meets_launches(work, s) ? copy->memory : 0);
    sum = wb_plus(sum, wb_times(count_of(work, s), cycles));
  }
  return wb_times(sum, work->denominator);
}

/* ---- paths ---- */

/* The least bound on a launch alone of which so many blocks reside on an SM, over the common
 * denominator; without foreign traffic. */
static uint64_t alone_with(const struct work *work, size_t step, uint32_t residents)
{
  const struct wb_together_kernel *kernel = kernel_of(work, step);
  struct wb_launch_shape shape = *kernel->shape;
  struct wb_launch_bound bound;
  uint64_t sum = 0;
  shape.foreign_share = shape.foreign_burst = 0;
  shape.resident_blocks = residents;
  if (wb_launch_bound_evaluate(kernel->terms, &shape, &bound, NULL) != WARPBOUND_OK)
    return UINT64_MAX;
  for (unsigned p = 0; p < WB_PART_COUNT; p++)
    sum = wb_plus(sum, p == WB_PART_FLOOR ? 0 : (uint64_t)bound.part[p]);
  return wb_times(sum, costs_of(work, step)->scale);
}

/* The greatest of these: SMs may have another size of shared memory for each launch alone. */
static uint64_t alone_of(const struct work *work, size_t step)
{
  const struct wb_together_question *question = work->question;
  const uint32_t number = step_of(work, step)->kernel;
  const struct wb_together_kernel *kernel = &question->kernels[number];
  uint64_t most = 0;
  for (size_t r = 0; r < kernel->resident_count; r++)
    most = wb_maximum(most, alone_with(work, step, kernel->residents[r]));
  for (size_t m = 0; m < question->mix_count && kernel->resident_count == 0; m++)
    most = wb_maximum(most, alone_with(work, step, question->mixes[m].most[number]));
  return most;
}

static void find_weight(struct work *work, size_t s)
{
  const struct wb_together_step *step = step_of(work, s);
  uint64_t cycles = step->gap;
  uint64_t own = 0;
  if (is_beside(work, s))
    cycles = 0;
  else if (step->kind == WB_STEP_LAUNCH && work->lone[s])
    own = alone_of(work, s);
  else if (step->kind == WB_STEP_LAUNCH)
    own = wb_plus(costs_of(work, s)->own, wb_times(shape_of(work, s)->overhead, work->denominator));
  else if (step->kind == WB_STEP_WAIT || !shares_engine(work, s))
    cycles = wb_plus(cycles, step->cycles);
  work->weight[s] = wb_plus(wb_times(cycles, work->denominator), own);
}

/* The longest path of the piece; marks one, and finds what each step could add more. */
static uint64_t longest_path(struct work *work, struct wb_together_bound *bound)
{
  const size_t count = work->end - work->first;
  uint64_t *to = wb_arena_array(&work->arena, uint64_t, count);   /* up to the step, without it */
  uint64_t *from = wb_arena_array(&work->arena, uint64_t, count); /* from the step on, with it */
  uint64_t longest = 0;
  if (work->arena.failed)
    return UINT64_MAX;
  for (size_t b = 0; b < count; b++) {
    for (size_t a = 0; a < b; a++) {
      if (comes_before(work, work->first + a, work->first + b))
        to[b] = wb_maximum(to[b], wb_plus(to[a], work->weight[work->first + a]));
    }
  }
  for (size_t a = count; a-- > 0;) {
    for (size_t b = a + 1; b < count; b++) {
      if (comes_before(work, work->first + a, work->first + b))
        from[a] = wb_maximum(from[a], from[b]);
    }
    from[a] = wb_plus(from[a], work->weight[work->first + a]);
    longest = wb_maximum(longest, wb_plus(to[a], from[a]));
  }
  uint64_t reached = 0;
  size_t last = work->end;
  for (size_t a = 0; a < count; a++) {
    const size_t s = work->first + a;
    const uint64_t weight = work->weight[s];
    bound->slack[s] = longest == UINT64_MAX ? 0 : (longest - to[a] - from[a]) / work->denominator;
    bound->weight[s] = wb_divide_up(weight, work->denominator);
    bound->critical[s] = weight > 0 && to[a] == reached && wb_plus(to[a], from[a]) == longest &&
                         (last == work->end || comes_before(work, last, s));
    if (bound->critical[s]) {
      reached = wb_plus(reached, weight);
      last = s;
    }
  }
  return longest;
}

/* ---- pieces ---- */

/* The numbers that a piece adds to the parts. */
struct sums {
  uint64_t part[WB_TOGETHER_PART_COUNT];
};

static uint64_t total_of(const struct sums *sums)
{
  uint64_t sum = 0;
  for (unsigned p = 0; p < WB_TOGETHER_FLOOR; p++)
    sum = wb_plus(sum, sums->part[p]);
  return sum;
}

/* The launches of the piece that run beside others, and their mixes. Whether there are some. */
static bool find_mixes(struct work *work)
{
  uint64_t ones[WB_TOGETHER_KERNELS];
  bool any = false;
  memset(work->in_piece, 0, kernel_count(work) * sizeof *work->in_piece);
  for (size_t s = work->first; s < work->end; s++) {
    if (is_launch(work, s) && !work->lone[s])
      any = work->in_piece[step_of(work, s)->kernel] = true;
  }
  if (!any)
    return false;
  for (size_t k = 0; k < WB_TOGETHER_KERNELS; k++)
    ones[k] = 1;
  work->mix.least_full = wb_mixes_least_full(work->mixes, work->in_piece);
  work->mix.most = wb_mixes_most(work->mixes, work->in_piece, WB_NO_KERNEL, ones);
  work->mix.again = 0;
  for (size_t k = 0; k < kernel_count(work); k++) {
    if (work->in_piece[k])
      work->mix.again = wb_maximum(work->mix.again, work->costs[k].again);
  }
  for (size_t k = 0; k < kernel_count(work); k++)
    wb_block_costs_wait(&work->costs[k], &work->mix);
  for (size_t s = work->first; s < work->end; s++) {
    if (is_launch(work, s) && !work->lone[s] && !is_beside(work, s))
      find_beside(work, s);
  }
  return true;
}

/* Whether no launch of the piece comes before it. */
static bool is_first(const struct work *work, size_t step)
{
  for (size_t o = work->first; o < work->end; o++) {
    if (is_launch(work, o) && comes_before(work, o, step))
      return false;
  }
  return true;
}

/* Whether it is released at the begin of the piece, as all others are of which this is true. */
static bool is_prompt(const struct work *work, size_t step)
{
  for (size_t o = work->first; o < work->end; o++) {
    if (comes_before(work, o, step))
      return false;
  }
  return step_of(work, step)->gap == 0 && shape_of(work, step)->overhead == 0;
}

/* Whether more of a launch beside the graph can be under way than are released late: blocks of it
 * may wait when the piece begins, besides all that is paid for late releases. */
static bool others_may_wait(const struct work *work)
{
  for (size_t s = work->first; s < work->end; s++) {
    if (is_launch(work, s) && step_of(work, s)->times > step_of(work, s)->late)
      return true;
  }
  return false;
}

/* E and F. Those that are released together at the begin pay E of one; if not all that can be the
 * first are, the first one pays no F, for no block was in an interval before it. */
static void add_releases(const struct work *work, enum wb_block_way way, struct sums *sums)
{
  uint64_t of_begin = 0;
  uint64_t least_there = UINT64_MAX;
  bool prompt = true;
  for (size_t s = work->first; s < work->end; s++) {
    if (is_launch(work, s) && !work->lone[s] && !is_beside(work, s) && is_first(work, s))
      prompt &= is_prompt(work, s);
  }
  for (size_t s = work->first; s < work->end; s++) {
    if (!is_launch(work, s) || work->lone[s])
      continue;
    const uint64_t beside = most_beside(work, s);
    const bool first = !is_beside(work, s) && is_first(work, s);
    if (first && prompt) {
      of_begin = wb_maximum(of_begin, beside);
      continue;
    }
    const uint64_t there = most_there(work, s, way);
    const uint64_t count = is_beside(work, s) ? step_of(work, s)->late : 1;
    least_there = first ? wb_minimum(least_there, there) : least_there;
    sums->part[WB_TOGETHER_BESIDE] =
        wb_plus(sums->part[WB_TOGETHER_BESIDE], wb_times(count, beside));
    sums->part[WB_TOGETHER_THERE] = wb_plus(sums->part[WB_TOGETHER_THERE], wb_times(count, there));
  }
  sums->part[WB_TOGETHER_BESIDE] = wb_plus(sums->part[WB_TOGETHER_BESIDE], of_begin);
  if (!prompt && !others_may_wait(work) && least_there <= sums->part[WB_TOGETHER_THERE])
    sums->part[WB_TOGETHER_THERE] = wb_without(sums->part[WB_TOGETHER_THERE], least_there);
}

/* What launches beside each other add to the path of the piece. */
static void add_together(const struct work *work, enum wb_block_way way, struct sums *sums)
{
  uint64_t sum = 0;
  uint64_t least = UINT64_MAX;
  uint64_t sms = 1;
  for (size_t s = work->first; s < work->end; s++) {
    if (!is_launch(work, s) || work->lone[s])
      continue;
    const struct wb_block_costs *costs = costs_of(work, s);
    uint64_t company = 1;
    for (size_t o = work->first; o < work->end; o++)
      company += is_launch(work, o) && !is_beside(work, o) && parallel(work, s, o);
    sms = shape_of(work, s)->sms;
    const uint64_t count = count_of(work, s);
    sum = wb_plus(sum, wb_times(wb_times(count, shape_of(work, s)->blocks), costs->waiting[way]));
    least = wb_minimum(least, costs->waiting[way]);
    sums->part[WB_TOGETHER_GPU] = wb_plus(sums->part[WB_TOGETHER_GPU], wb_times(count, costs->gpu));
    sums->part[WB_TOGETHER_COLD] =
        wb_plus(sums->part[WB_TOGETHER_COLD],
                wb_times(count, wb_block_costs_cold(kernel_of(work, s), costs, company)));
  }
  const uint64_t slots = wb_times(sms, work->mix.least_full);
  sum = wb_without(sum, least);
  sums->part[WB_TOGETHER_WAITING] =
      sum == UINT64_MAX ? sum : wb_divide_up(sum, wb_maximum(slots, 1));
  add_releases(work, way, sums);
}

/* Everything of the piece, one after the other. */
static void add_serial(const struct work *work, struct sums *sums)
{
  uint64_t *sum = &sums->part[WB_TOGETHER_SERIAL];
  for (size_t s = work->first; s < work->end; s++) {
    const struct wb_together_step *step = step_of(work, s);
    uint64_t each = wb_times(wb_plus(step->gap, step->cycles), work->denominator);
    if (step->kind == WB_STEP_LAUNCH)
      each = wb_plus(wb_times(step->gap, work->denominator), costs_of(work, s)->serial);
    *sum = wb_plus(*sum, wb_times(count_of(work, s), each));
  }
}

static bool barriers_are_known(const struct work *work)
{
  for (size_t k = 0; k < kernel_count(work); k++) {
    if (work->in_piece[k] && !work->question->kernels[k].terms->barriers_known)
      return false;
  }
  return true;
}

/* The bound of the piece with one size of shared memory. Whether several launches are in it. */
static bool find_piece(struct work *work, uint64_t path, struct sums *piece)
{
  struct sums best = {0};
  struct sums serial = {0};
  const bool several = find_mixes(work);
  add_serial(work, &serial);
  best.part[several ? WB_TOGETHER_PATH : WB_TOGETHER_ALONE] = path;
  best.part[WB_TOGETHER_COPIES] = copies_of(work);
  if (several) {
    const struct sums begin = best;
    struct sums pairs = begin;
    add_together(work, WB_WAY_ALL_WARPS, &best);
    add_together(work, WB_WAY_PAIRS, &pairs);
    best = total_of(&pairs) < total_of(&best) ? pairs : best;
  }
  if (total_of(&serial) < total_of(&best) || (several && !barriers_are_known(work)))
    best = serial;
  *piece = best;
  return several;
}

/* SMs may have another size of shared memory in each piece: the greatest bound counts. */
static void add_piece(struct work *work, struct sums *sums, struct wb_together_bound *bound)
{
  struct sums worst = {0};
  const uint64_t path = longest_path(work, bound);
  for (size_t m = 0; m < work->question->mix_count; m++) {
    struct sums piece;
    work->mixes = &work->question->mixes[m];
    const bool several = find_piece(work, path, &piece);
    if (m > 0 && total_of(&piece) <= total_of(&worst))
      continue;
    worst = piece;
    bound->least_full = several ? work->mix.least_full : bound->least_full;
    bound->mix = several ? m : bound->mix;
  }
  for (unsigned p = 0; p < WB_TOGETHER_PART_COUNT; p++)
    sums->part[p] = wb_plus(sums->part[p], worst.part[p]);
}

/* A piece ends before the first step that comes after all steps before it, as all later ones do. */
static size_t end_of_piece(const struct work *work, size_t first)
{
  const size_t count = work->question->step_count;
  for (size_t end = first + 1; end < count; end++) {
    bool cut = true;
    for (size_t a = first; a < end && cut; a++) {
      for (size_t b = end; b < count && cut; b++)
        cut = comes_before(work, a, b);
    }
    if (cut)
      return end;
  }
  return count;
}

/* ---- the whole ---- */

static warpbound_status check(struct work *work)
{
  const struct wb_together_question *question = work->question;
  uint64_t rest = 0;
  work->denominator = 1;
  for (size_t k = 0; k < kernel_count(work); k++) {
    const struct wb_launch_terms *terms = question->kernels[k].terms;
    const uint64_t common = wb_greatest_common_divisor(work->denominator, terms->denominator);
    if (terms->kept || terms->denominator == 0 || terms->phases == 0 ||
        question->kernels[k].shape->block_warps == 0 || question->kernels[k].shape->sms == 0 ||
        question->kernels[k].shape->partitions == 0)
      return wb_fail(work->error, WARPBOUND_INVALID_INPUT,
                     "kernel %zu: expected sums without kept data, warps, SMs and partitions",
                     k + 1);
    work->denominator = wb_times(work->denominator, terms->denominator / common);
    rest = wb_maximum(rest, terms->longest_unit);
  }
  if (question->step_count == 0 || question->step_count > WB_TOGETHER_STEPS ||
      question->mix_count == 0 || question->foreign_share >= WB_FOREIGN_WHOLE ||
      work->denominator > INT64_MAX)
    return wb_fail(work->error, WARPBOUND_INVALID_INPUT,
                   "expected 1 to %d steps, and some of the memory for them", WB_TOGETHER_STEPS);
  work->mix.rest = wb_times(rest, work->denominator);
  return WARPBOUND_OK;
}

static warpbound_status allocate(struct work *work)
{
  const size_t steps = work->question->step_count;
  work->costs = wb_arena_array(&work->arena, struct wb_block_costs, kernel_count(work));
  work->in_piece = wb_arena_array(&work->arena, bool, kernel_count(work));
  work->before = wb_arena_array(&work->arena, bool, steps *steps);
  work->lone = wb_arena_array(&work->arena, bool, steps);
  work->weight = wb_arena_array(&work->arena, uint64_t, steps);
  work->beside = wb_arena_array(&work->arena, uint64_t, steps);
  work->company = wb_arena_array(&work->arena, bool, steps *kernel_count(work));
  return work->arena.failed ? wb_out_of_memory(work->error) : WARPBOUND_OK;
}

static warpbound_status finish(const struct work *work, struct sums *sums,
                               struct wb_together_bound *bound)
{
  const struct wb_together_question *question = work->question;
  sums->part[WB_TOGETHER_FOREIGN] =
      wb_foreign_part(total_of(sums), wb_times(question->foreign_burst, work->denominator),
                      question->foreign_share);
  const uint64_t total = total_of(sums);
  if (total > INT64_MAX)
    return wb_fail(work->error, WARPBOUND_INVALID_INPUT,
                   "the bound on the launches together does not fit into 64 bits");
  bound->denominator = work->denominator;
  bound->cycles = total / work->denominator;
  for (unsigned p = 0; p < WB_TOGETHER_FLOOR; p++)
    bound->part[p] = (int64_t)sums->part[p];
  bound->part[WB_TOGETHER_FLOOR] = -(int64_t)(total % work->denominator);
  return WARPBOUND_OK;
}

warpbound_status wb_together_evaluate(const struct wb_together_question *question,
                                      struct wb_together_bound *bound, warpbound_error *error)
{
  struct work work = {.question = question, .error = error};
  struct sums sums = {0};
  *bound = (struct wb_together_bound){0};
  warpbound_status status = check(&work);
  if (status == WARPBOUND_OK)
    status = allocate(&work);
  if (status == WARPBOUND_OK)
    status = find_order(&work);
  if (status == WARPBOUND_OK) {
    for (size_t k = 0; k < kernel_count(&work); k++)
      wb_block_costs_find(&question->kernels[k], work.denominator, work.mix.rest, &work.costs[k]);
    for (size_t s = 0; s < question->step_count; s++) {
      if (is_launch(&work, s))
        find_company(&work, s);
      find_weight(&work, s);
    }
    while (work.end < question->step_count) {
      work.first = work.end;
      work.end = end_of_piece(&work, work.first);
      for (size_t s = work.first; s < work.end; s++)
        bound->piece[s] = (uint32_t)bound->pieces;
      bound->pieces++;
      add_piece(&work, &sums, bound);
    }
    status = work.arena.failed ? wb_out_of_memory(error) : finish(&work, &sums, bound);
  }
  wb_arena_free(&work.arena);
  return status;
}

const char *wb_together_part_name(enum wb_together_part part)
{
  static const char *const names[WB_TOGETHER_PART_COUNT] = {
      [WB_TOGETHER_ALONE] = "launches alone",
      [WB_TOGETHER_PATH] = "longest path",
      [WB_TOGETHER_WAITING] = "blocks that wait for room",
      [WB_TOGETHER_BESIDE] = "blocks beside those of the path",
      [WB_TOGETHER_THERE] = "blocks there at later releases",
      [WB_TOGETHER_GPU] = "shared by the GPU",
      [WB_TOGETHER_COPIES] = "copies",
      [WB_TOGETHER_COLD] = "cold start",
      [WB_TOGETHER_SERIAL] = "one after the other",
      [WB_TOGETHER_FOREIGN] = "foreign traffic",
      [WB_TOGETHER_FLOOR] = "fraction cut off",
  };
  return names[part];
}
