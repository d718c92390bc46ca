/* Claims on random launches: the independent checker proves the very bound that the makers give,
 * from the file too, and refuses one cycle less. With one number of the proofs changed it refuses,
 * or what it proves is no less than the worst of all schedules (launch_brute.h); of a time that is
 * pending at a node, no less than the claim itself. What is left out:
 * changed code, paths and launches make another claim, of which nothing is known here; for them
 * only that the checker comes to an end.
 *   WARPBOUND_CROSS_RUNS  100 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/launch/launch_maxima.h"
#include "certificate/launch/launch_claim.h"
#include "formats/launch/launch_file.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is not compared with it. */
#define STATE_LIMIT ((size_t)5000)
#define CHANGES 24u

struct counts {
  uint64_t refused, proven, below;
};

static struct wb_launch_file read_back(const struct wb_check_launch_claim *claim)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  struct wb_launch_file file = {0};
  warpbound_error error;
  wb_launch_file_write(claim, NULL, &text);
  assert_false(text.failed);
  if (wb_json_parse_as("claim", text.data, text.length, wb_launch_file_read, &file, &error) !=
      WARPBOUND_OK)
    fail_msg("%s\n%s", error.message, text.data);
  return file;
}

/* The claim is proven, and nothing below. */
static void check_claim(struct wb_check_launch_claim *claim, uint64_t seed)
{
  struct wb_check_launch_verdict verdict = {0};
  warpbound_error error;
  if (wb_check_launch(claim, &verdict, &error) != WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": refused: %s", seed, error.message);
  if (verdict.cycles != claim->cycles)
    fail_msg("seed %" PRIu64 ": %" PRIu64 " cycles are proven, %" PRIu64 " claimed", seed,
             verdict.cycles, claim->cycles);
  claim->cycles--;
  assert_int_equal(wb_check_launch(claim, &verdict, &error), WARPBOUND_CHECK_FAILED);
  claim->cycles++;
}

static int64_t change(struct wb_random *random, int64_t number)
{
  switch (wb_random_below(random, 4)) {
  case 0:
    return 0;
  case 1:
    return number / 2;
  case 2:
    return number > 0 ? number - 1 : number + 1;
  default:
    return number + (int64_t)wb_random_below(random, 1000) - 500;
  }
}

static void change_unsigned(struct wb_random *random, uint64_t *number)
{
  const int64_t changed = change(random, (int64_t)*number);
  *number = changed > 0 ? (uint64_t)changed : 0;
}

/* Changes one number of the proofs. True: a time that a node is said to begin with. */
static bool spoil(struct wb_random *random, struct wb_launch_file *file)
{
  const struct wb_flow_system *system = &file->claim.system;
  struct wb_check_launch_pending *pending =
      &file->pending[wb_random_below(random, system->node_count)];
  struct wb_check_launch_maximum *maximum =
      &file->maxima[wb_random_below(random, file->claim.maximum_count)];
  const uint64_t what = wb_random_below(random, 10);
  if (what == 0 && system->limit_count > 0) {
    int64_t *price = (int64_t *)maximum->price + wb_random_below(random, system->limit_count);
    *price = change(random, *price);
  } else if (what <= 3) {
    int64_t *potential =
        (int64_t *)maximum->potential + wb_random_below(random, system->port_count);
    *potential = change(random, *potential);
  } else if (what == 4) {
    maximum->scale = change(random, maximum->scale);
  } else if (what == 5) {
    change_unsigned(random, &pending->scoreboard[wb_random_below(random, WB_SCOREBOARD_COUNT)]);
  } else if (what == 6) {
    change_unsigned(random,
                    &pending->service[wb_random_below(random, file->claim.code.resource_count)]);
  } else if (what == 7 && system->edge_count > 0) {
    change_unsigned(random, &file->advance[wb_random_below(random, system->edge_count)]);
  } else if (what == 8) {
    change_unsigned(random, &pending->stay);
  } else {
    change_unsigned(random, &pending->end);
  }
  return what == 5 || what == 6 || what >= 8;
}

/* Changes one number of the launch or its code: any claim at all. */
static void confuse(struct wb_random *random, struct wb_launch_file *file)
{
  struct wb_check_launch_claim *claim = &file->claim;
  struct wb_timed_instruction *instruction =
      &claim->code.instructions[wb_random_below(random, claim->code.instruction_count)];
  switch (wb_random_below(random, 6)) {
  case 0:
    instruction->stall = (uint32_t)wb_random_below(random, UINT32_MAX);
    break;
  case 1:
    instruction->barrier = !instruction->barrier;
    break;
  case 2:
    claim->shape.blocks = wb_random_below(random, UINT64_MAX);
    break;
  case 3:
    claim->shape.resident_blocks = (uint32_t)wb_random_below(random, UINT32_MAX);
    break;
  case 4:
    file->first[wb_random_below(random, claim->system.node_count)] =
        (uint32_t)wb_random_below(random, claim->code.instruction_count + 2);
    break;
  default:
    claim->code.resources[0].servers = (uint32_t)wb_random_below(random, 100);
    break;
  }
}

static void check_changes(const struct wb_check_launch_claim *claim, struct wb_random *random,
                          uint64_t worst, uint64_t seed, struct counts *counts)
{
  for (unsigned c = 0; c < CHANGES; c++) {
    struct wb_check_launch_verdict verdict = {0};
    warpbound_error error = {0};
    FREED_BY(wb_launch_file_free) struct wb_launch_file file = read_back(claim);
    const bool proofs = c % 4 != 0;
    bool pending = false;
    if (proofs)
      pending = spoil(random, &file);
    else
      confuse(random, &file);
    file.claim.cycles = UINT64_MAX;
    const warpbound_status status = wb_check_launch(&file.claim, &verdict, &error);
    assert_true(status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED);
    assert_true(status == WARPBOUND_OK || error.message[0] != '\0');
    if (proofs && status == WARPBOUND_OK && verdict.cycles < worst)
      fail_msg("seed %" PRIu64 ", change %u: %" PRIu64
               " cycles are proven, but one run takes %" PRIu64,
               seed, c, verdict.cycles, worst);
    /* The makers' times are the least that agree with each other. */
    if (pending && status == WARPBOUND_OK && verdict.cycles < claim->cycles)
      fail_msg("seed %" PRIu64 ", change %u: with an earlier time at a node %" PRIu64
               " cycles are proven, not %" PRIu64,
               seed, c, verdict.cycles, claim->cycles);
    counts->refused += proofs && status != WARPBOUND_OK;
    counts->proven += proofs && status == WARPBOUND_OK;
    counts->below += proofs && status == WARPBOUND_OK && verdict.cycles < claim->cycles;
  }
}

/* A loop at the very start is entered once without an edge: its bound is not local, as a constant
 * says, though the makers' test takes it for that. */
static bool is_local(const struct launch_graph *graph)
{
  bool local = true;
  for (size_t l = 0; l < graph->loop_count; l++)
    local = local && graph->limits[l].constant == 0;
  return local;
}

/* A claim for several numbers of resident blocks: the greatest of their bounds is proven, and not
 * one cycle less; from the file too. */
static void check_residents(struct wb_check_launch_claim claim, const struct made_bound *made,
                            struct wb_random *random, uint64_t seed)
{
  uint32_t others[4];
  claim.other_residents = others;
  claim.other_resident_count = 1 + wb_random_below(random, 4);
  for (size_t r = 0; r < claim.other_resident_count; r++) {
    struct wb_launch_shape shape = claim.shape;
    struct wb_launch_bound bound;
    others[r] = shape.resident_blocks = 1 + (uint32_t)wb_random_below(random, 6);
    assert_ok(wb_launch_bound_evaluate(&made->maxima.terms, &shape, &bound, NULL));
    claim.cycles = bound.cycles > claim.cycles ? bound.cycles : claim.cycles;
  }
  check_claim(&claim, seed);
  FREED_BY(wb_launch_file_free) struct wb_launch_file file = read_back(&claim);
  assert_int_equal(file.claim.other_resident_count, claim.other_resident_count);
  check_claim(&file.claim, seed);
}

static void check_round(uint64_t seed, bool composite, struct launch_brute *brute,
                        struct counts *counts)
{
  struct wb_random random = {seed};
  struct random_launch launch;
  struct made_bound made;
  struct wb_launch_claim_owner owner;
  uint32_t worst = 0;
  random_launch_draw(&random, brute != NULL ? &launch_size_tiny : &launch_size_large, &launch);
  launch.tiny.same_path = seed % 4 == 1; /* of all warps of a block */
  made_bound_make(&launch, composite && is_local(&launch.graph), &made);
  assert_ok(wb_launch_claim_fill(&made.maxima, NULL, NULL, &launch.tiny.shape, made.launch.cycles,
                                 &owner, NULL));
  check_claim(&owner.claim, seed);
  struct wb_launch_file file = read_back(&owner.claim);
  check_claim(&file.claim, seed);
  wb_launch_file_free(&file);
  check_residents(owner.claim, &made, &random, seed);
  if (brute != NULL && !launch_brute_worst(brute, &launch.tiny, &worst))
    worst = 0;
  check_changes(&owner.claim, &random, worst, seed, counts);
  wb_launch_claim_free(&owner);
  made_bound_free(&made);
  tiny_launch_free(&launch.tiny);
}

static void print_counts(const struct counts *counts)
{
  print_message("# proofs with a changed number: %" PRIu64 " refused, %" PRIu64 " proven, %" PRIu64
                " of them with a lower bound\n",
                counts->refused, counts->proven, counts->below);
}

TEST(test_claims_and_every_schedule)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  struct counts counts = {0};
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, launches);
  for (uint64_t r = 0; r < launches; r++)
    check_round(first + r, r % 3 == 2, brute, &counts);
  launch_brute_free(brute);
  print_counts(&counts);
  assert_true(counts.refused > 0);
}

/* Whether the claim is refused where its edges pay 1 in place of more. */
static bool is_refused_with_less(const struct wb_check_launch_claim *claim)
{
  FREED_BY(wb_launch_file_free) struct wb_launch_file file = read_back(claim);
  struct wb_check_launch_verdict verdict = {0};
  warpbound_error error;
  for (size_t e = 0; e < claim->system.edge_count; e++)
    file.advance[e] = file.advance[e] > 1 ? 1 : file.advance[e];
  file.claim.cycles = UINT64_MAX;
  return wb_check_launch(&file.claim, &verdict, &error) != WARPBOUND_OK;
}

static bool is_paying(const struct wb_check_launch_claim *claim)
{
  bool paying = false;
  for (size_t e = 0; e < claim->system.edge_count; e++)
    paying = paying || claim->advance[e] > 1;
  return paying;
}

/* Random launches with more loads, of longer latencies, and more waits for them. */
TEST(test_claims_of_edges_that_pay)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t paying = 0;
  uint64_t refused = 0;
  for (uint64_t r = 0; r < launches; r++) {
    struct wb_random random = {first + r};
    struct random_launch launch;
    struct made_bound made;
    struct wb_launch_claim_owner owner;
    random_launch_draw(&random, &launch_size_large, &launch);
    for (size_t i = 0; i < launch.tiny.code.instruction_count; i++) {
      struct wb_timed_instruction *instruction = &launch.tiny.code.instructions[i];
      const uint8_t mask = (uint8_t)(1U << wb_random_below(&random, 2));
      if (wb_random_below(&random, 2) == 0)
        instruction->wait_mask |= mask;
      else if (wb_random_below(&random, 3) == 0)
        instruction->write_scoreboard = (uint8_t)wb_random_below(&random, 2);
      instruction->posted &= instruction->write_scoreboard == WB_NO_SCOREBOARD;
      if (instruction->write_scoreboard != WB_NO_SCOREBOARD)
        instruction->latency += (uint32_t)wb_random_below(&random, 100);
    }
    made_bound_make(&launch, false, &made);
    assert_ok(wb_launch_claim_fill(&made.maxima, NULL, NULL, &launch.tiny.shape, made.launch.cycles,
                                   &owner, NULL));
    check_claim(&owner.claim, first + r);
    paying += is_paying(&owner.claim);
    refused += is_paying(&owner.claim) && is_refused_with_less(&owner.claim);
    wb_launch_claim_free(&owner);
    made_bound_free(&made);
    tiny_launch_free(&launch.tiny);
  }
  print_message("# claims with edges that pay: %" PRIu64 " of %" PRIu64 ", refused where these pay "
                "less: %" PRIu64 "\n",
                paying, launches, refused);
  assert_true(launches < 500 || paying > 0);
  if (paying - refused > refused)
    fail_msg("the number of claims that are proven though their edges pay too little, %" PRIu64
             ", is above that of those refused, %" PRIu64,
             paying - refused, refused);
}

TEST(test_larger_claims)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct counts counts = {0};
  for (uint64_t r = 0; r < launches; r++)
    check_round(first + r, r % 3 == 2, NULL, &counts);
  print_counts(&counts);
}
