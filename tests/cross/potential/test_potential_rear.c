/* Potentials whose rear warps are followed, against the definition and against their checker, on
 * random instances with random limits, shares, kinds of state offsets and numbers of warps that
 * they are made for. WARPBOUND_CROSS_RUNS  instances (a quarter of them; 300 without it)
 *   WARPBOUND_SEED        seed of the first one */
#include "makespan/potential/potential_synthesis.h"
#include "makespan/potential/trailing_warps.h"
#include "potential_trial.h"
#include "unit.h"

#define DEFAULT_REARS 1200

/* Rears followed, those that prove less than the potential by itself, and those that prove T(W). */
struct found {
  uint64_t followed;
  uint64_t better;
  uint64_t exact;
};

/* Two or three types, 4 to 10 instructions, 3 to 6 warps, capacities of 1 to 3, mostly no cap:
 * where a potential is not tight by itself. */
static struct instance make_instance(struct wb_random *random)
{
  struct instance instance = {.warps = 3 + (uint32_t)wb_random_below(random, 4)};
  uint64_t types = 2 + wb_random_below(random, 2);
  uint64_t length = 4 + wb_random_below(random, types == 2 ? 7 : 5);
  for (uint64_t i = 0; i < length; i++)
    instance.letters[i] = "LCT"[wb_random_below(random, types)];
  for (size_t u = 0; u < INSTANCE_UNIT_TYPES; u++)
    instance.capacity[u] = 1 + (uint32_t)wb_random_below(random, 3);
  if (wb_random_below(random, 4) == 0)
    instance.issue_slots = 1 + (uint32_t)wb_random_below(random, 5);
  return instance;
}

static void choose_limits(const struct wb_problem *problem, struct wb_random *random,
                          struct wb_pool_limits *limits, struct wb_potential_shape *shape)
{
  bool more = wb_random_below(random, 4) == 0;
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint32_t service = wb_problem_service(problem, (enum wb_unit)u);
    limits->warps[u] = service + more;
    if (wb_random_below(random, 3) == 0)
      limits->work[u] = service * (2 + (uint32_t)wb_random_below(random, 2));
    shape->least[shape->count++] = service;
  }
  for (unsigned j = 0; j < shape->count; j++)
    for (unsigned part = 0; part < WB_POTENTIAL_WEIGHT_SUM; part++) {
      unsigned other = 1 + (unsigned)wb_random_below(random, shape->count - 1);
      shape->weight[j][(j + other) % shape->count]++;
    }
}

static bool follow_all(struct trial *trial, struct wb_potential_proof *proof)
{
  static const struct wb_trailing_effort effort = {20000000, UINT64_C(1) << 26};
  struct found *found = trial->found;
  uint64_t before = proof->plain;
  for (uint32_t trailing = 1; trailing <= 3 && trailing <= trial->problem.warps; trailing++) {
    struct wb_trailing_outcome outcome;
    if (wb_potential_follow_trailing(proof, trailing, &effort, &trial->control, &outcome, NULL) !=
            WARPBOUND_OK ||
        !outcome.followed)
      return refute(trial, "%u cannot be followed", trailing);
    if (proof->trailing != trailing || proof->cycles > before)
      return refute(trial, "%u followed: %llu cycles, %llu before", trailing,
                    (unsigned long long)proof->cycles, (unsigned long long)before);
    before = proof->cycles;
    found->followed++;
    found->better += proof->cycles < proof->plain;
    if (!potential_is_safe(trial, proof, &found->exact) || !potential_is_checked(trial, proof))
      return false;
  }
  return true;
}

static bool holds_all(struct trial *trial)
{
  const struct wb_problem *problem = &trial->problem;
  struct wb_random random = {trial->seed};
  size_t heights = wb_random_below(&random, 2) * SIZE_MAX;
  struct wb_potential_effort effort = {250, heights, 300000, 30};
  struct wb_pool_limits limits = {0};
  struct wb_potential_shape shape = {0};
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  unsigned types = 0;
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    types += problem->string.count[u] > 0;
  if (problem->warps < 2 || types < 2 || !wb_pools_suit(problem))
    return true;
  choose_limits(problem, &random, &limits, &shape);
  struct wb_problem more = *problem;
  more.warps *= 1 + (uint32_t)wb_random_below(&random, 4);
  const struct wb_potential_question question = {.problem = &more,
                                                 .limits = &limits,
                                                 .shape = &shape,
                                                 .below = UINT64_MAX / 2,
                                                 .effort = &effort,
                                                 .control = &trial->control};
  if (wb_potential_prove(&question, &proof, &outcome, NULL) != WARPBOUND_OK)
    return refute(trial, "no memory");
  if (!outcome.found)
    return true;
  bool fits = more.warps == problem->warps || problem->warps >= proof.steady_from;
  proof.problem = problem;
  bool holds = !fits || !wb_potential_derive_bound(&proof) || follow_all(trial, &proof);
  wb_potential_proof_free(&proof);
  return holds;
}

TEST(rears_are_safe_and_checked)
{
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_REARS) / 4;
  trial_run_many(make_instance, holds_all, runs, &found);
  print_message("# rears followed: %llu, better for it %llu, exact %llu\n",
                (unsigned long long)found.followed, (unsigned long long)found.better,
                (unsigned long long)found.exact);
  assert_true(runs < 100 || (found.followed > runs / 2 && found.better > runs / 10));
}
