/* What each writer of a format writes, its reader reads back equal. */
#include "certificate/potential/potential_claim.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/makespan/makespan_files.h"
#include "formats/paths/paths_file.h"
#include "makespan/machine/schedule.h"
#include "makespan/potential/potential_synthesis.h"
#include "makespan/potential/trailing_warps.h"
#include "makespan_problems.h"
#include "unit.h"

/* ---- members of all ---- */

static void expect_letters(const struct wb_kernel_string *string, const char *letters,
                           size_t length)
{
  uint8_t *types = wb_kernel_string_expand(string);
  assert_non_null(types);
  assert_int_equal(length, string->length);
  for (size_t i = 0; i < length; i++)
    assert_int_equal(letters[i], wb_unit_letter((enum wb_unit)types[i]));
  free(types);
}

/* Units are written of the types that are used. */
static void expect_machine(const struct wb_problem *problem, const uint64_t *capacity,
                           uint64_t issue_slots)
{
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    assert_int_equal(capacity[u], problem->string.count[u] > 0 ? problem->capacity[u] : 0);
  assert_int_equal(issue_slots, problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots);
}

static void expect_problem(const struct wb_problem *problem, const struct wb_check_problem *read,
                           uint64_t warps)
{
  expect_letters(&problem->string, read->letters, read->length);
  expect_machine(problem, read->capacity, read->issue_slots);
  assert_int_equal(warps, problem->warps);
}

/* ---- schedules ---- */

/* Cycles that differ from entry to entry; whether they are a schedule is not asked. */
static void number_cycles(uint32_t *cycles, size_t count)
{
  for (size_t i = 0; i < count; i++)
    cycles[i] = i + 1 == count ? UINT32_MAX : (uint32_t)(3 * i + 1);
}

TEST(schedules_of_a_partition)
{
  struct wb_problem problem = make_problem("2L3C2L3CN", "L=1,C=4,S=2", 2, 1, 3, "");
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  struct wb_schedule_file file = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  problem.fair = (struct wb_fair_blocks){.first = 1, .length = 5, .count = 2};
  assert_ok(wb_schedule_start(&schedule, 3, problem.string.length, NULL));
  number_cycles(schedule.issue_cycle, 3 * schedule.length);
  wb_schedule_file_write(&problem, &schedule, &text);
  assert_ok(wb_json_parse_as("f", text.data, text.length, wb_schedule_file_read, &file, NULL));
  assert_int_equal(file.claim.string_count, 1);
  assert_null(file.claim.string_of);
  expect_letters(&problem.string, file.claim.strings[0].letters, file.claim.strings[0].length);
  expect_machine(&problem, file.claim.capacity, file.claim.issue_slots);
  assert_int_equal(file.claim.warps, 3);
  assert_int_equal(file.claim.blocks, 1);
  assert_int_equal(file.claim.partitions, 1);
  assert_int_equal(file.claim.fair_first, 1);
  assert_int_equal(file.claim.fair_length, 5);
  assert_int_equal(file.claim.fair_count, 2);
  for (size_t w = 0; w < 3; w++) {
    assert_int_equal(file.claim.counts[w], schedule.length);
    assert_memory_equal(file.claim.cycles[w], schedule.issue_cycle + w * schedule.length,
                        schedule.length * sizeof(uint32_t));
  }
  wb_arena_free(&file.arena);
  wb_problem_free(&problem);
}

TEST(schedules_of_an_sm)
{
  static const char *const strings[] = {"2LCD", "LDB3CT", "S"};
  static const uint32_t string_of[] = {1, 0, 1, 1, 2, 0};
  struct wb_kernel_string kernels[3];
  struct wb_sm_problem problem = {.strings = kernels,
                                  .string_count = 3,
                                  .capacity = {2, 4, 1, 3, 5, WB_UNLIMITED, WB_UNLIMITED},
                                  .issue_slots = WB_UNLIMITED,
                                  .partitions = 2,
                                  .blocks = 3,
                                  .block_warps = 2};
  struct wb_schedule schedule;
  struct wb_schedule_file file = {0};
  struct wb_text text = {0};
  problem.shared[WB_UNIT_LOAD_STORE] = problem.shared[WB_UNIT_DOUBLE] = true;
  for (size_t s = 0; s < 3; s++)
    assert_ok(wb_kernel_string_parse(strings[s], NULL, &kernels[s], NULL));
  assert_ok(wb_schedule_start_strings(&schedule, &problem, string_of, NULL));
  number_cycles(schedule.issue_cycle, schedule.first[6]);
  wb_sm_schedule_file_write(&problem, &schedule, &text);
  assert_ok(wb_json_parse_as("f", text.data, text.length, wb_schedule_file_read, &file, NULL));
  assert_int_equal(file.claim.string_count, 3);
  for (size_t s = 0; s < 3; s++)
    expect_letters(&kernels[s], file.claim.strings[s].letters, file.claim.strings[s].length);
  assert_memory_equal(file.claim.string_of, string_of, sizeof string_of);
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    assert_int_equal(file.claim.capacity[u], problem.capacity[u]);
    assert_int_equal(file.claim.shared[u], problem.shared[u]);
  }
  assert_int_equal(file.claim.issue_slots, 0);
  assert_int_equal(file.claim.warps, 6);
  assert_int_equal(file.claim.blocks, 3);
  assert_int_equal(file.claim.partitions, 2);
  assert_int_equal(file.claim.fair_count, 0);
  for (size_t w = 0; w < 6; w++) {
    size_t count = schedule.first[w + 1] - schedule.first[w];
    assert_int_equal(file.claim.counts[w], count);
    assert_memory_equal(file.claim.cycles[w], schedule.issue_cycle + schedule.first[w],
                        count * sizeof(uint32_t));
  }
  wb_arena_free(&file.arena);
  wb_text_free(&text);
  wb_schedule_free(&schedule);
  for (size_t s = 0; s < 3; s++)
    wb_kernel_string_free(&kernels[s]);
}

/* ---- runs and phases ---- */

static void expect_runs(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                        uint64_t cycles, const struct wb_run_file *file)
{
  expect_problem(problem, &file->claim.problem, file->claim.warps);
  assert_int_equal(file->claim.cycles, cycles);
  assert_int_equal(file->claim.count, count);
  assert_memory_equal(file->claim.lengths, lengths, count * sizeof *lengths);
}

TEST(run_files)
{
  static const uint32_t lengths[] = {5, 9, 2, 4, 5, 1};
  struct wb_problem problem = make_problem("5L9C2L9CN", "L=1,C=4", 2, 1, 16, "");
  struct wb_run_file file = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_run_file_write(&problem, lengths, 6, INT64_MAX, &text);
  assert_ok(wb_json_parse_as("f", text.data, text.length, wb_run_file_read, &file, NULL));
  expect_runs(&problem, lengths, 6, INT64_MAX, &file);
  wb_arena_free(&file.arena);
  wb_problem_free(&problem);
}

TEST(phases_files)
{
  static const uint32_t lengths[] = {2, 1};
  struct wb_problem whole = make_problem("2LB2LC", "L=1,C=4", 0, 1, 8, "");
  FREED_BY(wb_problem_free) struct wb_problem part = make_problem("2LC", "L=1,C=4", 0, 1, 8, "");
  struct wb_phases_file file;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  json_t *object;
  wb_phases_file_begin(&whole, 44, &text);
  for (size_t p = 0; p < 3; p++) {
    wb_phases_file_separate(p, &text);
    wb_run_file_write(&part, lengths, 2, 20 + p, &text);
  }
  wb_phases_file_end(&text);
  assert_ok(wb_json_parse("f", text.data, text.length, &object, NULL));
  assert_ok(wb_phases_file_read("f", object, &file, NULL));
  expect_problem(&whole, &file.claim.problem, file.claim.warps);
  assert_int_equal(file.claim.cycles, 44);
  assert_int_equal(json_array_size(file.proofs), 3);
  for (size_t p = 0; p < 3; p++) {
    struct wb_run_file proof;
    assert_ok(wb_run_file_read("f", json_array_get(file.proofs, p), &proof, NULL));
    expect_runs(&part, lengths, 2, 20 + p, &proof);
    wb_arena_free(&proof.arena);
  }
  wb_arena_free(&file.arena);
  json_decref(object);
  wb_problem_free(&whole);
}

/* ---- potentials ---- */

/* A potential of one component, or of one for each type; with work in its pools. */
static void prove(const struct wb_problem *problem, bool components,
                  struct wb_potential_proof *proof)
{
  struct wb_potential_effort effort = {2000, SIZE_MAX, 10000000, 100};
  struct wb_control control = wb_control_start(NULL);
  struct wb_potential_outcome outcome;
  struct wb_pool_limits limits = {0};
  struct wb_potential_shape shape = {.count = 1};
  unsigned types = 0;
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    limits.warps[u] = wb_problem_service(problem, (enum wb_unit)u) + 1;
    limits.work[u] = 3;
    shape.least[types++] = limits.warps[u] - 1;
  }
  if (components)
    shape.count = types;
  for (unsigned j = 0; components && j < types; j++)
    shape.weight[j][(j + 1) % types] = WB_POTENTIAL_WEIGHT_SUM;
  const struct wb_potential_question question = {.problem = problem,
                                                 .limits = &limits,
                                                 .shape = &shape,
                                                 .below = UINT64_MAX / 2,
                                                 .effort = &effort,
                                                 .control = &control};
  assert_ok(wb_potential_prove(&question, proof, &outcome, NULL));
  assert_true(outcome.found);
}

static char type_of(const struct wb_potential_proof *proof, size_t pool)
{
  return wb_unit_letter(proof->pools.pool[pool].unit);
}

static void expect_components(const struct wb_potential_proof *proof,
                              const struct wb_check_potential_claim *claim)
{
  const struct wb_potential *potential = &proof->potential;
  const unsigned count = potential->shape.count;
  assert_int_equal(claim->component_count, count > 1 ? count : 0);
  for (unsigned j = 0; j < claim->component_count; j++) {
    const struct wb_check_potential_component *component = &claim->components[j];
    assert_int_equal(component->type, type_of(proof, j));
    assert_int_equal(component->least, potential->shape.least[j]);
    for (unsigned i = 0; i < count; i++)
      assert_int_equal(component->weights[i], potential->shape.weight[j][i]);
    assert_memory_equal(component->values, potential->position[j],
                        potential->length * sizeof(int64_t));
  }
}

static void expect_stays(const struct wb_potential_proof *proof, const int64_t *values,
                         const struct wb_check_potential_values *stays)
{
  size_t at = 0;
  for (size_t p = 0; p < proof->pools.count; p++) {
    if (proof->pools.pool[p].stays == 0)
      continue;
    assert_true(at < stays->count);
    assert_int_equal(stays->list[at].from, type_of(proof, p));
    assert_int_equal(stays->list[at].to, type_of(proof, p));
    assert_int_equal(stays->list[at++].value, values[p]);
  }
  assert_int_equal(at, stays->count);
}

/* Each value is that of the kind of exit, and all kinds come. */
static void expect_leaves(const struct wb_potential_proof *proof, const struct wb_pool_exit *exits,
                          size_t exit_count, const int64_t *values,
                          const struct wb_check_potential_values *leaves)
{
  for (size_t k = 0; k < exit_count; k++) {
    const bool ends = exits[k].to == WB_POOL_END;
    size_t met = 0;
    for (size_t i = 0; i < leaves->count; i++) {
      const struct wb_check_potential_value *leave = &leaves->list[i];
      if (leave->from != type_of(proof, exits[k].from) ||
          leave->to != (ends ? WB_CHECK_POTENTIAL_END : type_of(proof, exits[k].to)))
        continue;
      if (exits[k].length > 0 &&
          wb_pool_entry(&proof->pools.pool[exits[k].to], leave->length) != exits[k].length)
        continue;
      assert_int_equal(leave->value, values[k]);
      met++;
    }
    assert_true(met > 0);
  }
}

static void expect_states(const struct wb_potential_proof *proof,
                          const struct wb_check_potential_claim *claim)
{
  const struct wb_pools *pools = &proof->pools;
  assert_int_equal(claim->state_count, proof->state_count);
  for (size_t i = 0; i < claim->state_count; i++) {
    const uint64_t number = proof->state[i];
    const struct wb_check_potential_state *state = &claim->states[i];
    assert_int_equal(state->own, type_of(proof, number / pools->stride[pools->count]));
    for (unsigned p = 0; p < pools->count; p++) {
      const uint32_t local = wb_pools_local(pools, number, p);
      assert_int_equal(state->warps[p], pools->pool[p].warps_in[local]);
      assert_int_equal(state->work[p], pools->pool[p].work_in[local]);
    }
    for (unsigned j = 0; j < proof->potential.shape.count; j++)
      assert_int_equal(state->offset[j], proof->potential.state_offset[j][number]);
  }
}

/* Writes a proof, reads it and compares; the checker finds its bound and line. */
static void expect_potential(const struct wb_potential_proof *proof)
{
  struct wb_potential_file file = {0};
  struct wb_check_potential_verdict verdict = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  warpbound_error error = {0};
  wb_potential_file_write(proof, &text);
  assert_ok(wb_json_parse_as("f", text.data, text.length, wb_potential_file_read, &file, &error));
  const struct wb_check_potential_claim *claim = &file.claim;
  expect_problem(proof->problem, &claim->problem, claim->warps);
  assert_int_equal(claim->cycles, proof->cycles);
  assert_int_equal(claim->from_warps, proof->has_line ? proof->steady_from : 0);
  assert_int_equal(claim->gain, proof->gain);
  assert_int_equal(claim->trailing, proof->trailing);
  assert_int_equal(claim->pool_count, proof->pools.count);
  for (size_t p = 0; p < claim->pool_count; p++) {
    assert_int_equal(claim->pools[p].type, type_of(proof, p));
    assert_int_equal(claim->pools[p].warps, proof->pools.pool[p].warps);
    assert_int_equal(claim->pools[p].work, proof->pools.pool[p].work);
  }
  expect_components(proof, claim);
  if (claim->component_count == 0) {
    expect_stays(proof, proof->potential.values[0].stay, &claim->stay);
    expect_leaves(proof, proof->pools.exits, proof->pools.exit_count, proof->potential.leave[0],
                  &claim->leave);
  } else {
    assert_int_equal(claim->stay.count + claim->leave.count, 0);
  }
  expect_stays(proof, proof->potential.own_stay, &claim->own_stay);
  expect_leaves(proof, proof->pools.own_exits, proof->pools.own_exit_count,
                proof->potential.own_leave, &claim->own_leave);
  expect_states(proof, claim);
  if (wb_check_potential(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &verdict, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_int_equal(verdict.cycles, proof->cycles);
  wb_arena_free(&file.arena);
}

TEST(potential_files)
{
  static const struct wb_trailing_effort effort = {10000000, 100000000};
  struct wb_control control = wb_control_start(NULL);
  for (int components = 0; components < 2; components++) {
    for (uint32_t warps = 2; warps <= 12; warps += 10) {
      struct wb_problem problem = make_problem("2CL3CLL", "L=1,C=2", 2, 1, warps, "");
      FREED_BY(wb_potential_proof_free) struct wb_potential_proof proof;
      struct wb_trailing_outcome outcome;
      prove(&problem, components == 1, &proof);
      expect_potential(&proof);
      if (components == 1) {
        assert_ok(wb_potential_follow_trailing(&proof, 1, &effort, &control, &outcome, NULL));
        assert_int_equal(proof.trailing, 1);
        expect_potential(&proof);
      }
      wb_problem_free(&problem);
    }
  }
}

/* ---- paths ---- */

static void expect_system(const struct wb_flow_system *written, const struct wb_flow_system *read)
{
  assert_int_equal(read->node_count, written->node_count);
  assert_int_equal(read->edge_count, written->edge_count);
  assert_int_equal(read->limit_count, written->limit_count);
  assert_int_equal(read->term_count, written->term_count);
  assert_int_equal(read->port_count, written->port_count);
  assert_int_equal(read->start_count, written->start_count);
  for (size_t s = 0; s < read->start_count; s++) {
    assert_int_equal(read->starts[s].node, written->starts[s].node);
    assert_int_equal(read->starts[s].runs, written->starts[s].runs);
  }
  assert_memory_equal(read->ends, written->ends, read->port_count * sizeof *read->ends);
  assert_memory_equal(read->port_node, written->port_node,
                      read->port_count * sizeof *read->port_node);
  assert_memory_equal(read->port, written->port, read->edge_count * sizeof *read->port);
  assert_memory_equal(read->from, written->from, read->edge_count * sizeof *read->from);
  assert_memory_equal(read->to, written->to, read->edge_count * sizeof *read->to);
  for (size_t l = 0; l < read->limit_count; l++) {
    assert_int_equal(read->limits[l].constant, written->limits[l].constant);
    assert_int_equal(read->limits[l].term_count, written->limits[l].term_count);
    for (size_t t = 0; t < read->limits[l].term_count; t++) {
      const struct wb_flow_term *one = &written->terms[written->limits[l].first_term + t];
      const struct wb_flow_term *other = &read->terms[read->limits[l].first_term + t];
      assert_int_equal(other->edge, one->edge);
      assert_int_equal(other->factor, one->factor);
    }
  }
}

static void expect_paths(const struct wb_check_paths_claim *written,
                         const struct wb_check_paths_claim *read)
{
  const size_t nodes = written->system.node_count;
  expect_system(&written->system, &read->system);
  assert_memory_equal(read->letters, written->letters, nodes * sizeof *read->letters);
  assert_memory_equal(&read->machine, &written->machine, sizeof read->machine);
  assert_int_equal(read->bound, written->bound);
  assert_int_equal(read->cycles, written->cycles);
  assert_int_equal(read->denominator, written->denominator);
  assert_memory_equal(read->local, written->local, written->system.limit_count);
  assert_int_equal(read->maximum_count, written->maximum_count);
  for (size_t m = 0; m < read->maximum_count; m++) {
    const struct wb_check_path_maximum *one = &written->maxima[m];
    const struct wb_check_path_maximum *other = &read->maxima[m];
    assert_int_equal(other->quantity, one->quantity);
    if (one->quantity == WB_CHECK_PATH_TYPE)
      assert_int_equal(other->unit, one->unit);
    assert_int_equal(other->phase, one->phase);
    assert_int_equal(other->scale, one->scale);
    assert_memory_equal(other->price, one->price, written->system.limit_count * sizeof *one->price);
    assert_memory_equal(other->potential, one->potential, nodes * sizeof *one->potential);
  }
}

/* A claim with everything in it that the format knows, on a machine with shared units. */
static void paths_round_trip(const uint64_t letters[3][WB_UNIT_COUNT])
{
  static const int64_t prices[2][2] = {{0, 9}, {INT64_MAX, 1}};
  static const int64_t potentials[2][3] = {{-5, INT64_MIN, 3}, {1, 2, 0}};
  static const bool local[] = {true, false};
  struct wb_check_paths_claim claim = {
      .letters = letters,
      .local = local,
      .machine = {.capacity = {1, 4, 2, 1, 3, WB_UNLIMITED, WB_UNLIMITED},
                  .issue_slots = WB_UNLIMITED,
                  .partitions = 4,
                  .blocks = 3,
                  .block_warps = 2},
      .bound = WB_CHECK_PATHS_TYPES,
      .denominator = 12,
      .cycles = 1234567890123,
  };
  claim.machine.shared[WB_UNIT_SPECIAL] = claim.machine.shared[WB_UNIT_DOUBLE] = true;
  assert_ok(wb_flow_system_make(&claim.system, 3, 4, 3, NULL));
  static const uint32_t from[] = {0, 1, 1, 2};
  static const uint32_t to[] = {1, 1, 2, 0};
  memcpy(claim.system.from, from, sizeof from);
  memcpy(claim.system.to, to, sizeof to);
  wb_flow_system_walk(&claim.system, 1);
  claim.system.ends[0] = claim.system.ends[2] = true;
  wb_flow_limit_add(&claim.system, -7, 0);
  assert_true(wb_flow_term_add(&claim.system, 1, 2) && wb_flow_term_add(&claim.system, 0, -3));
  wb_flow_limit_add(&claim.system, INT64_MAX, 0);
  assert_false(claim.system.failed);
  for (int q = 0; q < WB_CHECK_PATH_QUANTITY_COUNT; q++) {
    const struct wb_check_path_maximum maxima[] = {
        {(enum wb_check_path_quantity)q, WB_UNIT_DOUBLE, 3, 11, prices[0], potentials[0]},
        {(enum wb_check_path_quantity)q, WB_UNIT_CORE, WB_CHECK_ALL_PHASES, 1, prices[1],
         potentials[1]}};
    FREED_BY(wb_paths_file_free) struct wb_paths_file file = {0};
    FREED_BY(wb_text_free) struct wb_text text = {0};
    claim.maxima = maxima;
    claim.maximum_count = 2;
    claim.bound = (enum wb_check_paths_bound)(q % WB_CHECK_PATHS_BOUND_COUNT);
    wb_paths_file_write(&claim, &text);
    assert_ok(wb_json_parse_as("f", text.data, text.length, wb_paths_file_read, &file, NULL));
    expect_paths(&claim, &file.claim);
  }
  wb_flow_system_free(&claim.system);
}

TEST(paths_files)
{
  static const uint64_t tensor[3][WB_UNIT_COUNT] = {
      {1, 2, 3, 4, 6, 5, 0}, {0, INT64_MAX, 0, 0, 0, 0, 1}, {7, 0, 0, 1, 0, 0, 0}};
  static const uint64_t plain[3][WB_UNIT_COUNT] = {
      {1, 2, 3, 4, 0, 5, 0}, {0, INT64_MAX, 0, 0, 0, 0, 1}, {7, 0, 0, 1, 0, 0, 0}};
  paths_round_trip(tensor);
  paths_round_trip(plain);
}

/* Numbers of T stand in a file only where some node has any: files without are as they were. */
TEST(paths_files_without_tensor_cores)
{
  static const uint64_t rows[2][1][WB_UNIT_COUNT] = {{{1, 2, 3, 4, 0, 5, 1}},
                                                     {{1, 2, 3, 4, 6, 5, 1}}};
  static const char *const written[] = {"[1, 2, 3, 4, 5, 1]", "[1, 2, 3, 4, 6, 5, 1]"};
  for (size_t i = 0; i < 2; i++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    struct wb_check_paths_claim claim = {
        .letters = rows[i], .machine = {.partitions = 1, .blocks = 1, .block_warps = 1}};
    assert_ok(wb_flow_system_make(&claim.system, 1, 0, 1, NULL));
    wb_paths_file_write(&claim, &text);
    assert_non_null(strstr(text.data, written[i]));
    wb_flow_system_free(&claim.system);
  }
}

/* A system that is no walk: several ports at a node, an edge in none, two starts. */
TEST(paths_of_groups)
{
  static const int64_t prices[] = {3};
  static const int64_t potentials[] = {5, 0, 7, -9};
  static const uint64_t letters[3][WB_UNIT_COUNT] = {{1, 2}, {0, 1}, {0}};
  static const uint32_t from[] = {0, 0, 1, 2};
  static const uint32_t to[] = {1, 0, 1, 2};
  static const uint32_t port[] = {0, 1, WB_FLOW_NO_PORT, 3};
  static const uint32_t port_node[] = {0, 0, 1, 2};
  const struct wb_check_path_maximum maximum = {.quantity = WB_CHECK_PATH_LETTERS,
                                                .phase = WB_CHECK_ALL_PHASES,
                                                .scale = 2,
                                                .price = prices,
                                                .potential = potentials};
  struct wb_check_paths_claim claim = {
      .letters = letters,
      .machine = {.capacity = {1, 1}, .partitions = 1, .blocks = 1, .block_warps = 1},
      .denominator = 1,
      .maxima = &maximum,
      .maximum_count = 1};
  FREED_BY(wb_paths_file_free) struct wb_paths_file file = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  assert_ok(wb_flow_system_make(&claim.system, 3, 4, 4, NULL));
  memcpy(claim.system.from, from, sizeof from);
  memcpy(claim.system.to, to, sizeof to);
  memcpy(claim.system.port, port, sizeof port);
  memcpy(claim.system.port_node, port_node, sizeof port_node);
  claim.system.ends[0] = claim.system.ends[2] = true;
  claim.system.starts[0] = (struct wb_flow_start){0, 1};
  claim.system.starts[1] = (struct wb_flow_start){2, 32};
  claim.system.start_count = 2;
  wb_flow_limit_add(&claim.system, 4, 0);
  assert_true(wb_flow_term_add(&claim.system, 2, 1));
  assert_true(wb_flow_system_is_valid(&claim.system));
  wb_paths_file_write(&claim, &text);
  assert_false(text.failed);
  assert_ok(wb_json_parse_as("file", text.data, text.length, wb_paths_file_read, &file, NULL));
  expect_system(&claim.system, &file.claim.system);
  assert_memory_equal(file.claim.maxima[0].potential, potentials, sizeof potentials);
  wb_flow_system_free(&claim.system);
}

/* ---- flow facts ---- */

static void expect_text(const char *written, const char *read)
{
  assert_int_equal(written == NULL, read == NULL);
  if (written != NULL)
    assert_string_equal(read, written);
}

static void expect_kernel(const struct wb_kernel_facts *written, const struct wb_kernel_facts *read)
{
  assert_string_equal(read->kernel, written->kernel);
  assert_int_equal(read->checksum, written->checksum);
  assert_int_equal(read->fact_count, written->fact_count);
  assert_int_equal(read->place_count, written->place_count);
  for (size_t f = 0; f < read->fact_count; f++) {
    const struct wb_flow_fact *one = &written->facts[f];
    const struct wb_flow_fact *other = &read->facts[f];
    assert_int_equal(other->kind, one->kind);
    assert_int_equal(other->first_place, one->first_place);
    assert_int_equal(other->place_count, one->place_count);
    assert_int_equal(other->number, one->number);
    assert_int_equal(other->per_warp, one->per_warp);
    assert_int_equal(other->waits, one->waits);
    assert_int_equal(other->has_least, one->has_least);
    assert_int_equal(other->has_most, one->has_most);
    assert_int_equal(other->least, one->least);
    assert_int_equal(other->most, one->most);
    expect_text(one->name, other->name);
  }
  for (size_t p = 0; p < read->place_count; p++) {
    const struct wb_place *one = &written->places[p];
    const struct wb_place *other = &read->places[p];
    expect_text(one->label, other->label);
    expect_text(one->file, other->file);
    assert_int_equal(other->source_line, one->source_line);
    assert_int_equal(other->has_address, one->has_address);
    assert_int_equal(other->address, one->address);
    assert_int_equal(other->is_parameter, one->is_parameter);
    assert_int_equal(other->is_offset, one->is_offset);
    assert_int_equal(other->parameter, one->parameter);
  }
}

TEST(flow_fact_files)
{
  static const char source[] = "kernel \"a kernel #1\"\n"
                               "checksum 0xffeeddccbbaa9988\n"
                               "loop 0x0148 bound 15\n"
                               "loop .L_x_3 bound 0x10 per warp\n"
                               "loop \"a b.cu:12\" bound 7 per entry of \"#c.cu:3\" per thread\n"
                               "run 0x20@\"k.cu:5 at most 3 per warp\n"
                               "run \"0x20@two words.cu:5\" at most 9223372036854775807\n"
                               "run k.cu:6 never\n"
                               "equal k.cu:1 k.cu:2 k.cu:3\n"
                               "exclusive 0x8 0x10 per warp\n"
                               "loops cas bound 3 per warp\n"
                               "depth fib <= 6\n"
                               "loops spin bound 12\n"
                               "load 0x30@k.cu:8 from -5 to 7\n"
                               "load k.cu:9 at most 64\n"
                               "load param_2 at least -1\n"
                               "load param:0x10 at most 3\n"
                               "call \"two words\" takes 7\n"
                               "call 0x40 takes 9\n"
                               "call abort never\n"
                               "load param_2 unchanged\n"
                               "value 0x48@k.cu:9 from -5 to 7\n"
                               "value k.cu:9 at most 64\n"
                               "value 0x50 at least -1\n"
                               "kernel second\n"
                               "checksum 0\n"
                               "equal \"label 1\" \"label\t2\" per warp\n";
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts read;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  assert_ok(wb_flow_facts_parse("f", source, strlen(source), &facts, NULL));
  for (size_t k = 0; k < facts.kernel_count; k++) {
    const struct wb_kernel_facts *kernel = &facts.kernels[k];
    wb_flow_facts_write_kernel(kernel->kernel, kernel->checksum, &text);
    for (size_t f = 0; f < kernel->fact_count; f++)
      wb_flow_facts_write_fact(&kernel->facts[f], kernel->places + kernel->facts[f].first_place,
                               &text);
  }
  assert_ok(wb_flow_facts_parse("f", text.data, text.length, &read, NULL));
  assert_int_equal(read.kernel_count, 2);
  for (size_t k = 0; k < 2; k++)
    expect_kernel(&facts.kernels[k], &read.kernels[k]);
}

/* A loop without a bound is refused until its '?' is replaced. */
TEST(open_loops)
{
  const struct wb_place place = {
      .has_address = true, .address = 0x58, .file = "a b.cu", .source_line = 3};
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  warpbound_error error = {0};
  wb_flow_facts_write_kernel("k", 1, &text);
  wb_flow_facts_write_open_loop(&place, &text);
  assert_invalid(wb_flow_facts_parse("f", text.data, text.length, &facts, &error));
  assert_non_null(strstr(error.message, "found '?'"));
  *strchr(text.data, '?') = '8';
  assert_ok(wb_flow_facts_parse("f", text.data, text.length, &facts, NULL));
  assert_int_equal(facts.kernels[0].facts[0].number, 8);
  assert_string_equal(facts.kernels[0].places[0].file, "a b.cu");
  assert_int_equal(facts.kernels[0].places[0].address, 0x58);
}
