/* The two checkers of schedules against each other, on schedules spoilt at random.
 *   WARPBOUND_CROSS_RUNS  a third of the schedules (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/control.h"
#include "both_checkers.h"
#include "makespan/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUTATIONS_PER_RUN 3
#define MOST_ENTRIES (MOST_WARPS * (INSTANCE_LENGTH_LIMIT + 2))

/* A schedule that can be spoilt: each warp's list and its length. */
struct draft {
  struct instance instance;
  uint32_t cycles[MOST_WARPS][INSTANCE_LENGTH_LIMIT + 2];
  size_t counts[MOST_WARPS];
  uint32_t makespan;
};

static void draw_schedule(struct draft *draft, const struct instance *instance,
                          struct wb_random *random)
{
  uint32_t entries[MOST_ENTRIES];
  size_t length = strlen(instance->letters);
  draft->makespan = instance_random_schedule(instance, random, entries);
  for (uint32_t w = 0; w < draft->instance.warps; w++) {
    memcpy(draft->cycles[w], entries + w * length, length * sizeof entries[0]);
    draft->counts[w] = length;
  }
}

static void draft_start(struct draft *draft, struct wb_random *random)
{
  draft->instance =
      wb_random_below(random, 2) == 0 ? instance_random(random) : instance_random_fair(random);
  draw_schedule(draft, &draft->instance, random);
}
typedef void mutation(struct draft *draft, struct wb_random *random);

static uint32_t random_warp(const struct draft *draft, struct wb_random *random)
{
  return (uint32_t)wb_random_below(random, draft->instance.warps);
}

static size_t random_index(const struct draft *draft, struct wb_random *random)
{
  return (size_t)wb_random_below(random, strlen(draft->instance.letters));
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
  for (uint32_t w = 0; w < draft->instance.warps; w++) {
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
  draft->cycles[w][random_index(draft, random)] += 1 + (uint32_t)wb_random_below(random, 3);
}

static void advance_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, random);
  draft->cycles[w][i] -= 1 + (uint32_t)wb_random_below(random, draft->cycles[w][i]);
}

static void delay_rest_of_warp(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  for (size_t i = random_index(draft, random); i < draft->counts[w]; i++)
    draft->cycles[w][i]++;
}

/* Moves a whole part of a warp's list to any cycles, in order. */
static void redraw_list(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  for (size_t i = random_index(draft, random); i < draft->counts[w]; i++)
    draft->cycles[w][i] = random_cycle(draft, random);
  sort_list(draft->cycles[w], draft->counts[w]);
}

static void drop_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, random);
  size_t after = --draft->counts[w] - i;
  memmove(&draft->cycles[w][i], &draft->cycles[w][i + 1], after * sizeof draft->cycles[w][0]);
}

static void duplicate_one(struct draft *draft, struct wb_random *random)
{
  uint32_t w = random_warp(draft, random);
  size_t i = random_index(draft, random);
  size_t after = draft->counts[w]++ - i;
  memmove(&draft->cycles[w][i + 1], &draft->cycles[w][i], after * sizeof draft->cycles[w][0]);
}

/* Two instructions of a warp, or of two warps, exchange their cycles. */
static void swap_entries(struct draft *draft, struct wb_random *random)
{
  uint32_t *a = &draft->cycles[random_warp(draft, random)][random_index(draft, random)];
  uint32_t *b = &draft->cycles[random_warp(draft, random)][random_index(draft, random)];
  uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* The same instruction of two warps, and all after it: often valid. */
static void swap_tails(struct draft *draft, struct wb_random *random)
{
  uint32_t a = random_warp(draft, random);
  uint32_t b = random_warp(draft, random);
  for (size_t i = random_index(draft, random); i < draft->counts[a]; i++) {
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
  for (uint32_t w = 0; w < draft->instance.warps; w++) {
    for (size_t i = 0; i < draft->counts[w]; i++)
      draft->cycles[w][i] += draft->cycles[w][i] >= from ? change : 0;
  }
}

static void set_extreme(struct draft *draft, struct wb_random *random)
{
  const uint32_t extremes[] = {0, UINT32_MAX, UINT32_MAX - 1, 1u << 31, 1u << 20};
  uint32_t *last = &draft->cycles[random_warp(draft, random)][random_index(draft, random)];
  *last = extremes[wb_random_below(random, 5)];
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

/* Blocks need not be the same afterwards. */
static void change_letter(struct draft *draft, struct wb_random *random)
{
  draft->instance.fair.count = 0;
  draft->instance.letters[random_index(draft, random)] = "LCSDN"[wb_random_below(random, 5)];
}

/* A work-conserving schedule that need not be fair. */
static void forget_fairness(struct draft *draft, struct wb_random *random)
{
  struct instance unfair = draft->instance;
  unfair.fair.count = 0;
  draw_schedule(draft, &unfair, random);
}

static mutation *const mutations[] = {
    change_nothing,  swap_cycles,   delay_one,     advance_one,     delay_rest_of_warp, redraw_list,
    drop_one,        duplicate_one, swap_entries,  swap_tails,      insert_idle_cycle,  set_extreme,
    change_capacity, change_slots,  change_letter, forget_fairness,
};
#define MUTATION_COUNT (sizeof mutations / sizeof mutations[0])

/* No more cycles than serial work has: else the engine's checker refuses by that,
 * before it looks for the first cycle that is wrong. */
static bool within_serial_time(const struct draft *draft)
{
  uint64_t serial = draft->instance.warps * strlen(draft->instance.letters);
  for (uint32_t w = 0; w < draft->instance.warps; w++) {
    for (size_t i = 0; i < draft->counts[w]; i++) {
      if (draft->cycles[w][i] > serial)
        return false;
    }
  }
  return true;
}

/* Fails where the verdicts differ, or the places of the first violation do. */
static bool verdicts_agree(const struct draft *draft, bool *valid)
{
  const uint32_t *cycles[MOST_WARPS];
  for (uint32_t w = 0; w < draft->instance.warps; w++)
    cycles[w] = draft->cycles[w];
  struct both_claims both;
  claim_for_both(&both, &draft->instance, cycles, draft->counts);
  struct reference_verdict verdict = reference_check(&both.reference);
  uint64_t makespan = 0;
  warpbound_error error = {0};
  warpbound_status status = wb_schedule_check(&both.claim, &makespan, &error);
  *valid = verdict.valid;
  if (verdict.valid)
    return status == WARPBOUND_OK && makespan == verdict.makespan;
  if (status != WARPBOUND_CHECK_FAILED || error.message[0] == '\0')
    return false;
  if (verdict.malformed || !within_serial_time(draft))
    return true;
  char place[60];
  int length = snprintf(place, sizeof place,
                        "cycle %llu, warp %zu:", (unsigned long long)verdict.cycle, verdict.warp);
  return strncmp(error.message, place, (size_t)length) == 0;
}

static void checkers_agree_on_spoilt_schedules(void **state)
{
  (void)state;
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  uint64_t accepted = 0;
  runs *= MUTATIONS_PER_RUN;
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct draft draft;
    bool valid;
    draft_start(&draft, &random);
    mutations[run % MUTATION_COUNT](&draft, &random);
    if (!verdicts_agree(&draft, &valid)) {
      char command[200];
      instance_command(&draft.instance, command, sizeof command);
      fail_msg("seed %llu, mutation %llu: %s", (unsigned long long)(seed + run),
               (unsigned long long)(run % MUTATION_COUNT), command);
    }
    assert_true(valid || mutations[run % MUTATION_COUNT] != change_nothing);
    accepted += valid;
  }
  print_message("# %llu spoilt schedules, of which %llu stay valid\n", (unsigned long long)runs,
                (unsigned long long)accepted);
  assert_true(runs < 1000 || (accepted > runs / 10 && accepted < runs / 2));
}

static struct reference_verdict verdict_of(const uint32_t first[2], const uint32_t second[2])
{
  const uint32_t *const cycles[] = {first, second};
  const size_t counts[] = {2, 2};
  const char *const strings[] = {"LC"};
  const struct reference_schedule schedule = {.strings = strings,
                                              .capacity = {1, 1, 1, 1},
                                              .warps = 2,
                                              .blocks = 1,
                                              .partitions = 1,
                                              .cycles = cycles,
                                              .counts = counts};
  return reference_check(&schedule);
}

static void reference_checker_knows_right_from_wrong(void **state)
{
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_checker_knows_right_from_wrong),
      cmocka_unit_test(checkers_agree_on_spoilt_schedules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
