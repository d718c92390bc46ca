/* The checks of the invariants that headers state: they hold of what is made, and each of them
 * refuses what was broken in one place. */
#include "makespan/beam/beam_candidates.h"
#include "makespan/exact/layered_states.h"
#include "makespan/potential/pool_abstraction.h"
#include "makespan/runs/run_table.h"
#include "makespan_problems.h"
#include "unit.h"

/* Changes a number, expects a refusal, and changes it back. */
#define BREAK(number, by, valid)                                                                   \
  do {                                                                                             \
    (number) += (by);                                                                              \
    assert_false(valid);                                                                           \
    (number) -= (by);                                                                              \
    assert_true(valid);                                                                            \
  } while (0)

TEST(pools_that_are_broken)
{
  struct wb_problem problem = make_problem("CCLLCCLS", "L=2,C=3,S=1", 0, 1, 20, "");
  struct wb_pool_limits limits = {{0}, {0}};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    limits.warps[u] = 4;
    limits.work[u] = 9;
  }
  FREED_BY(wb_pools_free) struct wb_pools pools;
  assert_ok(wb_pools_start(&pools, &problem, &limits, NULL));
  struct wb_pool *pool = &pools.pool[1];
  assert_true(wb_pools_are_valid(&pools));
  BREAK(pools.stride[1], 1, wb_pools_are_valid(&pools));
  BREAK(pools.states, 1, wb_pools_are_valid(&pools));
  BREAK(pools.first_pool, pools.count, wb_pools_are_valid(&pools));
  BREAK(pools.exits[0].from, 3, wb_pools_are_valid(&pools));
  BREAK(pools.exits[0].to, 3, wb_pools_are_valid(&pools));
  BREAK(pool->base[2], 1, wb_pools_are_valid(&pools));
  BREAK(pool->size, 1, wb_pools_are_valid(&pools));
  BREAK(pool->warps_in[3], 1, wb_pools_are_valid(&pools));
  BREAK(pool->work_in[3], 1, wb_pools_are_valid(&pools));
  BREAK(pools.outcomes[1][0].after, pool->size, wb_pools_are_valid(&pools));
  wb_problem_free(&problem);
}

TEST(potentials_that_are_broken)
{
  FREED_BY(wb_potential_proof_free) struct wb_potential_proof proof;
  struct wb_problem problem = make_problem("LCCLLCLCCC", "L=2,C=3", 0, 1, 20, "");
  prove_potential(&problem, 20, SIZE_MAX, &proof);
  struct wb_potential *potential = &proof.potential;
  assert_true(wb_potential_is_valid(potential, &proof.pools));
  BREAK(potential->shape.weight[0][1], 1, wb_potential_is_valid(potential, &proof.pools));
  BREAK(potential->shape.least[1], 40, wb_potential_is_valid(potential, &proof.pools));
  BREAK(potential->weight_sum, 1, wb_potential_is_valid(potential, &proof.pools));
  BREAK(potential->position[1][potential->length], 1,
        wb_potential_is_valid(potential, &proof.pools));
  for (unsigned v = 0; v < wb_potential_views(potential); v++) {
    BREAK(potential->values[v].stay[0], 1, wb_potential_is_valid(potential, &proof.pools));
    BREAK(potential->values[v].idle[1], 1, wb_potential_is_valid(potential, &proof.pools));
    BREAK(potential->leave[v][0], 1, wb_potential_is_valid(potential, &proof.pools));
  }
  wb_problem_free(&problem);
}

TEST(codes_that_are_broken)
{
  FREED_BY(wb_state_code_free) struct wb_state_code code;
  assert_true(wb_state_code_start(&code, 60, 40));
  assert_true(code.segment_count > 1 && wb_state_code_is_valid(&code));
  BREAK(code.terms[3 * 41 + 7], 1, wb_state_code_is_valid(&code));
  BREAK(code.terms[0], 1, wb_state_code_is_valid(&code));
  BREAK(code.segment_bytes, (size_t)-1, wb_state_code_is_valid(&code));
  BREAK(code.bytes, 1, wb_state_code_is_valid(&code));
}

TEST(layers_that_are_broken)
{
  FREED_BY(wb_layered_states_free)
  struct wb_layered_states states = {.bytes = 4, .memory = UINT64_C(1) << 22};
  assert_true(wb_layered_is_valid(&states, true));
  assert_true(wb_layered_begin(&states));
  for (uint32_t i = 0; i < 3000; i++) {
    uint8_t code[4];
    memcpy(code, &i, sizeof code);
    const struct wb_layered_note note = {.hash = i / 2, .parent = i / 3};
    assert_true(wb_layered_add(&states, code, &note));
  }
  assert_true(wb_layered_is_valid(&states, true));
  BREAK(states.notes[1500].hash, 6000, wb_layered_is_valid(&states, true));
  BREAK(states.notes[1500].parent, 1000, wb_layered_is_valid(&states, false));
  BREAK(states.count, 3 * WB_LAYERED_BLOCK, wb_layered_is_valid(&states, false));
  memcpy(wb_layered_code(&states, 3), wb_layered_code(&states, 2), states.bytes); /* twice */
  assert_false(wb_layered_is_valid(&states, true));
}

TEST(levels_that_are_broken)
{
  struct wb_problem problem = make_problem("CCLLLCCCC", "L=1,C=2", 0, 1, 5, "");
  FREED_BY(wb_run_levels_free) struct wb_run_levels levels;
  assert_ok(wb_run_levels_start(&levels, &problem, wb_run_cut_of(&problem), true, NULL));
  assert_true(wb_run_levels_are_valid(&levels));
  BREAK(levels.first[7], 1, wb_run_levels_are_valid(&levels));
  BREAK(levels.level_cells[3], 1, wb_run_levels_are_valid(&levels));
  BREAK(levels.level_start[2], 1, wb_run_levels_are_valid(&levels));
  BREAK(levels.by_level[5], 1, wb_run_levels_are_valid(&levels));
  BREAK(levels.blocks, 1, wb_run_levels_are_valid(&levels));
  wb_problem_free(&problem);
}

TEST(candidates_that_are_broken)
{
  FREED_BY(wb_beam_candidates_free) struct wb_beam_candidates candidates;
  assert_true(wb_beam_candidates_start(&candidates, 10));
  for (uint32_t i = 0; i < 30; i++) {
    const struct wb_candidate candidate = {
        .value = i, .hash = UINT64_C(0x9e3779b97f4a7c15) * (i + 1), .word_count = 2};
    uint32_t *words = wb_beam_candidates_add(&candidates, &candidate);
    assert_non_null(words);
    words[0] = words[1] = i;
  }
  assert_true(wb_beam_candidates_are_valid(&candidates));
  BREAK(candidates.count, 1, wb_beam_candidates_are_valid(&candidates));
  BREAK(candidates.table.slot_count, 1, wb_beam_candidates_are_valid(&candidates));
  BREAK(candidates.list[4].words, 60, wb_beam_candidates_are_valid(&candidates));
  uint64_t hash = candidates.list[5].hash;
  candidates.list[5].hash = candidates.list[6].hash; /* the same state twice */
  assert_false(wb_beam_candidates_are_valid(&candidates));
  candidates.list[5].hash = hash;
  assert_true(wb_beam_candidates_narrow(&candidates));
  assert_true(wb_beam_candidates_are_valid(&candidates));
}
