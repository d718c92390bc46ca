/* The two checkers of schedules against each other, on schedules of one partition and of whole SMs
 * that are spoilt at random.
 *   WARPBOUND_CROSS_RUNS  a third of the schedules (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "both_checkers.h"
#include "random_sm_instance.h"
#include "unit.h"

#define MUTATIONS_PER_RUN 4

/* A schedule that can be spoilt: what it is of, each warp's string, its list and that one's
 * length. */
struct draft {
  struct sm_instance instance;
  struct wb_fair_blocks fair;
  uint32_t warps;
  uint32_t string_of[SM_WARP_LIMIT];
  uint32_t cycles[SM_WARP_LIMIT][SM_LENGTH_LIMIT + 2];
  size_t counts[SM_WARP_LIMIT];
  uint32_t makespan;
};

static size_t length_of(const struct draft *draft, uint32_t warp)
{
  return strlen(draft->instance.strings[draft->string_of[warp]]);
}

static void draw_of_sm(struct draft *draft, struct wb_random *random)
{
  uint32_t entries[SM_WARP_LIMIT][SM_LENGTH_LIMIT];
  draft->makespan =
      sm_instance_random_schedule(&draft->instance, draft->string_of, random, entries);
  for (uint32_t w = 0; w < draft->warps; w++)
    memcpy(draft->cycles[w], entries[w], sizeof entries[w]);
}

/* A partition, perhaps with fair blocks, in half of the drafts; else a whole SM. */
static void draft_start(struct draft *draft, struct wb_random *random)
{
  *draft = (struct draft){0};
  if (wb_random_below(random, 2) == 0) {
    struct instance instance =
        wb_random_below(random, 2) == 0 ? instance_random(random) : instance_random_fair(random);
    draft->instance = (struct sm_instance){.string_count = 1,
                                           .issue_slots = instance.issue_slots,
                                           .partitions = 1,
                                           .blocks = 1,
                                           .block_warps = instance.warps};
    memcpy(draft->instance.strings[0], instance.letters, sizeof instance.letters);
    memcpy(draft->instance.capacity, instance.capacity, sizeof instance.capacity);
    draft->fair = instance.fair;
    uint32_t entries[MOST_WARPS * INSTANCE_LENGTH_LIMIT];
    size_t length = strlen(instance.letters);
    draft->makespan = instance_random_schedule(&instance, random, entries);
    for (uint32_t w = 0; w < instance.warps; w++)
      memcpy(draft->cycles[w], entries + w * length, length * sizeof entries[0]);
  } else {
    draft->instance = sm_instance_random(random);
    sm_instance_random_strings(&draft->instance, random, draft->string_of);
  }
  draft->warps = sm_instance_warps(&draft->instance);
  if (draft->makespan == 0)
    draw_of_sm(draft, random);
  for (uint32_t w = 0; w < draft->warps; w++)
    draft->counts[w] = length_of(draft, w);
}

typedef void mutation(struct draft *draft, struct wb_random *random);

static uint32_t random_warp(const struct draft *draft, struct wb_random *random)
{
  return (uint32_t)wb_random_below(random, draft->warps);
}

static size_t random_index(const struct draft *draft, uint32_t warp, struct wb_random *random)
{
  return (size_t)wb_random_below(random, length_of(draft, warp));
}

static uint32_t random_cycle(const struct draft *draft, struct wb_random *random)
{
  return 1 + (uint32_t)wb_random_below(random, draft->makespan);
}

static void sort_list(uint32_t *cycles, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    for (size_t k = i; k > 0 && cycles[k - 1] > cycles[k]; k--) {
      uint32_t kept = cycles[k];
      cycles[k] = cycles[k - 1];
      cycles[k - 1] = kept;
    }
  }
}

static void change_nothing(struct draft *draft, struct wb_random *random)
{
  (void)draft;
  (void)random;
}

/* What happens in two cycles happens in the other one. */
static void swap_cycles(struct draft *draft, struct wb_random *random)
{
  uint32_t a = random_cycle(draft, random);
  uint32_t b = random_cycle(draft, random);
  for (uint32_t w = 0; w < draft->warps; w++) {
    for (size_t i = 0; i < draft->counts[w]; i++) {
      uint32_t cycle = draft->cycles[w][i];
      draft->cycles[w][i] = cycle == a ? b : cycle == b ? a : cycle;
    }
    sort_list(draft->cycles[w], draft->counts[w]);
  }
}

static void delay_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  draft->cycles[w][random_index(draft, w, random)] += 1 + (uint32_t)wb_random_below(random, 3);
}

static void advance_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, w, random);
  draft->cycles[w][i] -= 1 + (uint32_t)wb_random_below(random, draft->cycles[w][i]);
}

static void delay_rest_of_warp(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  for (size_t i = random_index(draft, w, random); i < draft->counts[w]; i++)
    draft->cycles[w][i]++;
}

/* Moves a whole part of a warp's list to any cycles, in order. */
static void redraw_list(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  for (size_t i = random_index(draft, w, random); i < draft->counts[w]; i++)
    draft->cycles[w][i] = random_cycle(draft, random);
  sort_list(draft->cycles[w], draft->counts[w]);
}

static void drop_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, w, random);
  size_t after = --draft->counts[w] - i;
  memmove(&draft->cycles[w][i], &draft->cycles[w][i + 1], after * sizeof draft->cycles[w][0]);
}

static void duplicate_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, w, random);
  size_t after = draft->counts[w]++ - i;
  memmove(&draft->cycles[w][i + 1], &draft->cycles[w][i], after * sizeof draft->cycles[w][0]);
}

/* Two instructions of a warp, or of two warps, exchange their cycles. */
static void swap_entries(struct draft *draft, struct wb_random *random)
{
  uint32_t v = random_warp(draft, random);
  uint32_t w = random_warp(draft, random);
  uint32_t *a = &draft->cycles[v][random_index(draft, v, random)];
  uint32_t *b = &draft->cycles[w][random_index(draft, w, random)];
  uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* The same instruction of two warps, and all after it: often valid. */
static void swap_tails(struct draft *draft, struct wb_random *random)
{
  uint32_t a = random_warp(draft, random);
  uint32_t b = random_warp(draft, random);
  for (size_t i = random_index(draft, a, random); i < draft->counts[a]; i++) {
    uint32_t kept = draft->cycles[a][i];
    draft->cycles[a][i] = draft->cycles[b][i];
    draft->cycles[b][i] = kept;
  }
}

/* Everything from a cycle on comes one cycle later, or earlier. */
static void insert_idle_cycle(struct draft *draft, struct wb_random *random)
{
  uint32_t from = random_cycle(draft, random);
  uint32_t change = wb_random_below(random, 2) == 0 ? 1 : UINT32_MAX;
  for (uint32_t w = 0; w < draft->warps; w++) {
    for (size_t i = 0; i < draft->counts[w]; i++)
      draft->cycles[w][i] += draft->cycles[w][i] >= from ? change : 0;
  }
}

static void set_extreme(struct draft *draft, struct wb_random *random)
{
  const uint32_t extremes[] = {0, UINT32_MAX, UINT32_MAX - 1, 1u << 31, 1u << 20};
  uint32_t w = random_warp(draft, random);
  draft->cycles[w][random_index(draft, w, random)] = extremes[wb_random_below(random, 5)];
}

static void change_capacity(struct draft *draft, struct wb_random *random)
{
  uint32_t *capacity = &draft->instance.capacity[wb_random_below(random, 4)];
  *capacity = *capacity > 1 && wb_random_below(random, 2) == 0 ? *capacity - 1 : *capacity + 1;
}

static void change_slots(struct draft *draft, struct wb_random *random)
{
  draft->instance.issue_slots = (uint32_t)wb_random_below(random, 7);
}

/* Blocks need not be the same afterwards; a B is of any string or of none. */
static void change_letter(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  char *letters = draft->instance.strings[draft->string_of[w]];
  draft->fair.count = 0;
  letters[random_index(draft, w, random)] = "LCSDTNB"[wb_random_below(random, 7)];
}

/* A work-conserving schedule that need not be fair. */
static void forget_fairness(struct draft *draft, struct wb_random *random)
{
  draw_of_sm(draft, random);
}

/* As if each warp had met no barrier, or as if the blocks were others. */
static void change_blocks(struct draft *draft, struct wb_random *random)
{
  draft->fair.count = 0;
  draft->instance.blocks = 1 + (uint32_t)wb_random_below(random, draft->warps);
}

static void change_partitions(struct draft *draft, struct wb_random *random)
{
  draft->fair.count = 0;
  draft->instance.partitions = 1 + (uint32_t)wb_random_below(random, 4);
}

static void change_shared(struct draft *draft, struct wb_random *random)
{
  bool *shared = &draft->instance.shared[wb_random_below(random, 4)];
  *shared = !*shared;
}

static void change_string(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  draft->string_of[w] = (uint32_t)wb_random_below(random, draft->instance.string_count);
}

/* A warp that waited at a barrier, if there is one, goes on at once. */
static void pass_barrier(struct draft *draft, struct wb_random *random)
{
  uint32_t first = random_warp(draft, random);
  for (uint32_t k = 0; k < draft->warps; k++) {
    uint32_t w = (first + k) % draft->warps;
    for (size_t i = 1; i < draft->counts[w]; i++) {
      uint32_t earliest = draft->cycles[w][i - 1] + 1;
      if (draft->instance.strings[draft->string_of[w]][i - 1] != 'B' ||
          draft->cycles[w][i] == earliest)
        continue;
      draft->cycles[w][i] = earliest;
      return;
    }
  }
}

static mutation *const mutations[] = {
    change_nothing,    swap_cycles,   delay_one,         advance_one,   delay_rest_of_warp,
    redraw_list,       drop_one,      duplicate_one,     swap_entries,  swap_tails,
    insert_idle_cycle, set_extreme,   change_capacity,   change_slots,  change_letter,
    forget_fairness,   change_blocks, change_partitions, change_shared, change_string,
    pass_barrier,
};
#define MUTATION_COUNT (COUNT_OF(mutations))

/* No more cycles than serial work has: else the engine's checker refuses by that,
 * before it looks for the first cycle that is wrong. */
static bool within_serial_time(const struct draft *draft)
{
  uint64_t serial = 0;
  for (uint32_t w = 0; w < draft->warps; w++)
    serial += length_of(draft, w);
  for (uint32_t w = 0; w < draft->warps; w++) {
    for (size_t i = 0; i < draft->counts[w]; i++) {
      if (draft->cycles[w][i] > serial)
        return false;
    }
  }
  return true;
}

/* How often a reason was given, where places were compared. */
struct reasons {
  uint64_t barrier;
  uint64_t idle;
  uint64_t excess;
};

/* Fails where the verdicts differ, or the places of the first violation do. */
static bool verdicts_agree(const struct draft *draft, bool *valid, struct reasons *reasons)
{
  const uint32_t *cycles[SM_WARP_LIMIT];
  for (uint32_t w = 0; w < draft->warps; w++)
    cycles[w] = draft->cycles[w];
  struct both_claims both;
  claim_sm_for_both(&both, &draft->instance, draft->string_of, cycles, draft->counts);
  both.claim.warps = both.reference.warps = draft->warps;
  both.claim.fair_first = both.reference.fair_first = draft->fair.first;
  both.claim.fair_length = both.reference.fair_length = draft->fair.length;
  both.claim.fair_count = both.reference.fair_count = draft->fair.count;
  struct reference_verdict verdict = reference_check(&both.reference);
  uint64_t makespan = 0;
  warpbound_error error = {0};
  warpbound_status status = wb_check_schedule(&both.claim, &makespan, &error);
  *valid = verdict.valid;
  if (verdict.valid)
    return status == WARPBOUND_OK && makespan == verdict.makespan;
  if (error.message[0] == '\0')
    return false;
  if (verdict.malformed)
    return status == WARPBOUND_CHECK_FAILED || status == WARPBOUND_INVALID_INPUT;
  if (status != WARPBOUND_CHECK_FAILED || !within_serial_time(draft))
    return status == WARPBOUND_CHECK_FAILED;
  const char *message = error.message;
  reasons->barrier += strstr(message, "issues before warp") != NULL;
  reasons->idle += strstr(message, "idles although") != NULL;
  reasons->excess += strstr(message, "one instruction more") != NULL;
  char place[60];
  int length = snprintf(place, sizeof place,
                        "cycle %llu, warp %zu:", (unsigned long long)verdict.cycle, verdict.warp);
  return strncmp(error.message, place, (size_t)length) == 0;
}

TEST(checkers_agree_on_spoilt_schedules)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  uint64_t accepted = 0;
  struct reasons reasons = {0};
  runs *= MUTATIONS_PER_RUN;
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct draft draft;
    bool valid;
    draft_start(&draft, &random);
    mutations[run % MUTATION_COUNT](&draft, &random);
    if (!verdicts_agree(&draft, &valid, &reasons)) {
      char text[400];
      sm_instance_describe(&draft.instance, text, sizeof text);
      fail_msg("seed %llu, mutation %llu: %s", (unsigned long long)(seed + run),
               (unsigned long long)(run % MUTATION_COUNT), text);
    }
    assert_true(valid || mutations[run % MUTATION_COUNT] != change_nothing);
    accepted += valid;
  }
  print_message("# %llu spoilt schedules from seed %llu, of which %llu stay valid; %llu barriers, "
                "%llu idle warps, %llu beyond a capacity\n",
                (unsigned long long)runs, (unsigned long long)seed, (unsigned long long)accepted,
                (unsigned long long)reasons.barrier, (unsigned long long)reasons.idle,
                (unsigned long long)reasons.excess);
  assert_true(runs < 1000 || (reasons.barrier > runs / 200 && reasons.idle > runs / 100 &&
                              reasons.excess > runs / 100));
  assert_true(runs < 1000 || (accepted > runs / 10 && accepted < runs * 2 / 3));
}

static struct reference_verdict verdict_of(const uint32_t first[2], const uint32_t second[2])
{
  const uint32_t *const cycles[] = {first, second};
  const size_t counts[] = {2, 2};
  const char *const strings[] = {"LC"};
  const struct reference_schedule schedule = {.strings = strings,
                                              .string_count = 1,
                                              .capacity = {1, 1, 1, 1},
                                              .warps = 2,
                                              .blocks = 1,
                                              .partitions = 1,
                                              .cycles = cycles,
                                              .counts = counts};
  return reference_check(&schedule);
}

TEST(reference_checker_knows_right_from_wrong)
{
  struct reference_verdict verdict = verdict_of((const uint32_t[]){1, 2}, (const uint32_t[]){2, 3});
  assert_true(verdict.valid);
  assert_int_equal(verdict.makespan, 3);
  verdict = verdict_of((const uint32_t[]){1, 2}, (const uint32_t[]){1, 3});
  assert_false(verdict.valid);
  assert_int_equal(verdict.cycle, 1);
  assert_int_equal(verdict.warp, 2);
  verdict = verdict_of((const uint32_t[]){1, 3}, (const uint32_t[]){2, 4});
  assert_false(verdict.valid);
  assert_int_equal(verdict.cycle, 2);
  assert_int_equal(verdict.warp, 1);
  verdict = verdict_of((const uint32_t[]){1, 2}, (const uint32_t[]){2, 4});
  assert_false(verdict.valid);
  assert_int_equal(verdict.cycle, 3);
  assert_true(verdict_of((const uint32_t[]){1, 1}, (const uint32_t[]){2, 3}).malformed);
  assert_true(verdict_of((const uint32_t[]){0, 2}, (const uint32_t[]){2, 3}).malformed);
}
